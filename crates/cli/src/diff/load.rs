//! Loading the modules that are compared.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hclkit::functions::{Directory, Grants};
use hclkit::module::{self, Dialect, Disk, Files, Memory, Module, ModuleLoader, Schemas, Signs, join_path};
use hclkit_files::ObservedDisk;

use super::tree::{Functions, Reads, Tree, TreeFiles};
use super::versions::Side;
use crate::args::{self, Definition};
use crate::host::Host;
use crate::module as modules;
use crate::outcome::{CommandError, Failure};
use crate::sources::{self, Sources};

/// How modules are loaded.
pub(super) struct Loading<'c> {
    command: &'c args::Diff,
    others: Vec<PathBuf>,
    sources: Sources,
    schemas: Option<Schemas>,
    unavailable: Mutex<BTreeSet<String>>,
    kept: Kept,
}

/// The contents of files on disk by their paths without links.
type Kept = Arc<Mutex<HashMap<PathBuf, Vec<u8>>>>;

/// The files of a directory. One that both versions have is read once, so that both have the same text.
#[derive(Debug)]
struct Once {
    files: ObservedDisk,
    root: PathBuf,
    kept: Kept,
}

impl Files for Once {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        self.files.list(directory)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let Ok(whole) = self.root.join(path).canonicalize() else { return self.files.read(path) };
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Whether a module may read a file depends on the module.
        if let Some(content) = kept().get(&whole).filter(|_| self.files.may_read(path)) {
            return Ok(content.clone());
        }
        let content = self.files.read(path)?;
        kept().insert(whole, content.clone());
        Ok(content)
    }

    fn is_inside(&self, path: &str) -> bool {
        self.files.is_inside(path)
    }

    fn may_read(&self, path: &str) -> bool {
        self.files.may_read(path)
    }

    fn name(&self, path: &str) -> String {
        self.files.name(path)
    }
}

impl<'c> Loading<'c> {
    /// # Errors
    /// A directory of the options does not exist, or the schemas cannot be read.
    pub(super) fn new(command: &'c args::Diff) -> Result<Self, Failure> {
        let others = modules::directories(&command.allow_fs)?;
        let sources = Sources::new(&command.module.sources)?;
        let schemas = modules::schemas(&command.module.providers)?;
        Ok(Self { command, others, sources, schemas, unavailable: Mutex::default(), kept: Kept::default() })
    }

    /// Says which modules are not available.
    pub(super) fn note_unavailable(&self) {
        let all = self.unavailable.lock().unwrap_or_else(PoisonError::into_inner);
        sources::note_unavailable(all.iter().map(String::as_str));
    }

    /// What the options set for all modules.
    fn with_options(
        &self,
        loader: ModuleLoader,
        definitions: &[Definition],
    ) -> Result<ModuleLoader, CommandError> {
        let options = &self.command.module;
        let language = loader.language().clone();
        let mut loader = loader
            .with_unknown_variables(true)
            .with_applied(options.applied)
            .with_data_sources(!options.providers.no_data_sources)
            .with_workspace(modules::workspace(options.workspace.as_deref()))
            .with_environment(modules::environment(&language));
        loader = self.schemas.iter().cloned().fold(loader, ModuleLoader::with_schemas);
        for definition in definitions {
            loader = modules::variable(loader, definition)?;
        }
        Ok(loader)
    }

    /// The module in a directory of a version, and its loader. One that does not exist is empty. Notes what its functions read.
    pub(super) fn module(
        &self,
        side: &Side,
        directory: &str,
        reads: &Reads,
    ) -> Result<(Module, ModuleLoader), CommandError> {
        let Some(language) = self.language(side, directory)? else {
            let empty =
                ModuleLoader::new(Dialect::terraform()).with_files(Memory::from_iter([("main.tf", "")]));
            return Ok((empty.clone().load(), empty));
        };
        let mut own = self.of_tree(&side.tree, directory, &language, reads)?;
        let module = own.clone().load();
        // As for directories on disk.
        let tofu = Dialect::opentofu();
        let is_open = self.command.module.language.language.is_none()
            && language.name() == Dialect::terraform().name()
            && own.calls_files_of(&module, &tofu);
        let mut module = module;
        if is_open {
            own = self.of_tree(&side.tree, directory, &tofu, reads)?;
            module = own.clone().load();
        }
        let mut unavailable = self.unavailable.lock().unwrap_or_else(PoisonError::into_inner);
        unavailable.extend(module.unavailable().into_iter().map(str::to_owned));
        drop(unavailable);
        Ok((module, own))
    }

    fn language(&self, side: &Side, directory: &str) -> Result<Option<Arc<Dialect>>, CommandError> {
        let found = language_of(side, directory);
        let option = &self.command.module.language;
        if option.language.is_none() || found.is_none() {
            return Ok(found);
        }
        let place = modules::ModulePath::of_directory(side.tree.top.join(directory));
        modules::language(&place, option).map(Some)
    }

    fn of_tree(
        &self,
        tree: &Arc<Tree>,
        directory: &str,
        language: &Arc<Dialect>,
        reads: &Reads,
    ) -> Result<ModuleLoader, CommandError> {
        let (top, start) = (&tree.top, tree.top.join(directory));
        let readable = Functions { tree: tree.clone(), reads: reads.clone() };
        let mut granted =
            Directory::of_tree(Arc::new(readable), top, &start).with_max_size(Host::current().max_size());
        let failed = |error: std::io::Error| Failure::new(format!("cannot open a directory: {error}"));
        for other in self.others.iter().chain(self.sources.granted()) {
            granted = granted.and(other).map_err(failed)?;
        }
        let grants = Grants::new().with_directory(granted);
        let disk = Disk::without_repository(&start).with_max_size(Host::current().max_size());
        let disk = self.others.iter().chain(self.sources.granted()).fold(disk, Disk::with_readable);
        let files = TreeFiles { tree: tree.clone(), root: directory.to_owned(), granted: disk };
        let loader = ModuleLoader::new(language.clone())
            .with_files(files)
            .with_current_directory(start.to_string_lossy())
            .with_functions(module::functions(language, &grants));
        self.with_options(self.sources.add_to(loader), &self.command.definitions.0)
    }

    /// Evaluates a module for what its functions read. If its own files are those of another version, that one reads the same, up to the
    /// first file that differs.
    pub(super) fn evaluate(&self, side: &Side, directory: &str, reads: &Reads) -> Result<(), Failure> {
        match self.module(side, directory, reads) {
            Ok((module, _)) => drop(module.evaluate(&[])),
            Err(CommandError::Failure(failure)) => return Err(failure),
            Err(CommandError::Problems(_)) => {}
        }
        Ok(())
    }

    /// The module in a directory on disk, and its loader.
    pub(super) fn directory(
        &self,
        path: &Path,
        definitions: &[Definition],
        current: Option<&Path>,
    ) -> Result<(Module, ModuleLoader), CommandError> {
        let option = &self.command.module.language;
        let place = modules::required_place(&path.to_string_lossy(), option)?;
        let language = modules::language(&place, option)?;
        let readable = [&self.others, self.sources.granted()].concat();
        let grants = module::files(Grants::new(), &place.directory, &readable);
        let loader = |language: &Arc<Dialect>| {
            let files = modules::directory_files(&place, &self.others, &self.sources);
            let files = Once { files, root: place.directory.clone(), kept: self.kept.clone() };
            let mut loader = modules::loader_of(language.clone(), &place, &self.sources, files)
                .with_functions(module::functions(language, &grants));
            if let Some(current) = current {
                loader = loader.with_current_directory(current.to_string_lossy());
            }
            self.with_options(loader, definitions)
        };
        let module = modules::load_by_calls(&place, option, &language, loader)?;
        let own = loader(module.language())?;
        Ok((module, own))
    }
}

/// A directory and those around it.
fn around(directory: &str) -> impl Iterator<Item = String> {
    let mut next = Some(directory.to_owned());
    std::iter::from_fn(move || {
        let own = next.take()?;
        next = (!own.is_empty())
            .then(|| own.rsplit_once('/').map_or(String::new(), |(above, _)| above.to_owned()));
        Some(own)
    })
}

/// The language of a directory in a version.
fn language_of(side: &Side, directory: &str) -> Option<Arc<Dialect>> {
    let names = side.tree.files_in(directory).unwrap_or_default();
    let by_names = Dialect::of_files(names.iter().map(String::as_str))?;
    let signs = Signs::of(around(directory), |around, name| side.tree.content(&join_path(around, name)).ok());
    Some(signs.language(&by_names).map_or(by_names, |(language, _)| language))
}

/// Whether a directory has a module in a version.
pub(super) fn has_module(side: &Side, directory: &str) -> bool {
    language_of(side, directory).is_some()
}
