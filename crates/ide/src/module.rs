//! The files that belong together: those of a module and its tests. A file of a language without modules is alone.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Arc, OnceLock};

use hclkit::dialect::{Dialect, Role};
use hclkit::module::{self, BAKE_FILES, Files, ModuleLoader, Target, join_path};
use hclkit::refactor::{ModuleCall, Occurrence, OccurrenceKind, Symbol};
use hclkit::value::Value;
use hclkit::{Context, Document};

use crate::Snapshot;
use crate::file::File;
use crate::files::join_absolute;
use crate::files::{name, parent};
use crate::units::{LoadedUnit, is_unit_file};
use crate::usage::remote_source;

/// The files of a module.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) directory: String,
    pub(crate) language: Option<Arc<Dialect>>,
    pub(crate) files: Vec<Arc<File>>,
    loaded: OnceLock<Loaded>,
    /// The versions of providers in its lock file.
    pub(crate) locked: OnceLock<BTreeMap<String, String>>,
}

/// The files of a module, evaluated.
#[derive(Debug)]
pub(crate) enum Loaded {
    Module(Box<module::Module>),
    Unit(Box<LoadedUnit>),
}

impl Loaded {
    /// The names that expressions can use.
    pub(crate) fn context(&self) -> &Context {
        match self {
            Self::Module(module) => module.context(),
            Self::Unit(unit) => unit.context(),
        }
    }

    /// The value at an address, if it may be shown.
    pub(crate) fn value_at(&self, address: &[&str]) -> Option<Value> {
        match self {
            Self::Module(module) => {
                let (value, is_sensitive) = module.value_at(address)?;
                (!is_sensitive).then_some(value)
            }
            Self::Unit(unit) => unit.value_at(address),
        }
    }
}

/// An occurrence of a name in a file.
pub(crate) struct Place {
    pub(crate) file: Arc<File>,
    pub(crate) occurrence: Occurrence,
}

impl Module {
    /// What identifies the module of a file: its directory, or the file itself.
    pub(crate) fn key(snapshot: &Snapshot, path: &str) -> String {
        let directory = parent(path);
        let is_bake = BAKE_FILES.contains(&name(path));
        match snapshot
            .open_file(path)
            .and_then(|file| file.dialect().cloned())
            .or_else(|| snapshot.dialect_of(path))
        {
            Some(language) if language.has_modules() => {
                let is_test = crate::files::is_test_file(path) && name(directory) == "tests";
                if is_test { parent(directory).to_owned() } else { directory.to_owned() }
            }
            _ if is_bake => format!("{directory}/*bake"),
            _ => path.to_owned(),
        }
    }

    pub(crate) fn new(snapshot: &Snapshot, path: &str, key: &str) -> Self {
        let is_module = key != path && !key.ends_with("/*bake");
        let directory = if is_module { key } else { parent(path) };
        let at = |directory: &str, name: &String| format!("{}/{name}", directory.trim_end_matches('/'));
        let names = snapshot.list(directory).unwrap_or_default();
        let mut paths: Vec<String> = match is_module {
            true => names.iter().map(|name| at(directory, name)).collect(),
            false if key == path => vec![path.to_owned()],
            false => names
                .iter()
                .filter(|name| BAKE_FILES.contains(&name.as_str()))
                .map(|name| at(directory, name))
                .collect(),
        };
        if is_module {
            paths.retain(|path| {
                snapshot.is_configuration(path)
                    && snapshot.dialect_of(path).is_some_and(|language| language.has_modules())
            });
            let tests = at(directory, &"tests".to_owned());
            let inner = snapshot.list(&tests).unwrap_or_default();
            paths.extend(
                inner.iter().map(|name| at(&tests, name)).filter(|path| crate::files::is_test_file(path)),
            );
            if !paths.iter().any(|own| own == path) {
                paths.push(path.to_owned());
            }
        }
        let files: Vec<Arc<File>> = paths.iter().filter_map(|path| snapshot.file(path)).collect();
        let language = snapshot.language_of(names.iter().map(String::as_str)).filter(|_| is_module);
        let language = language.or_else(|| snapshot.file(path).and_then(|file| file.dialect().cloned()));
        Self {
            directory: directory.to_owned(),
            language,
            files,
            loaded: OnceLock::new(),
            locked: OnceLock::new(),
        }
    }

    /// The occurrences of a name, in the order of the files.
    pub(crate) fn occurrences(&self, symbol: &Symbol) -> Vec<Place> {
        let one = |file: &Arc<File>| {
            let found = file.names().occurrences(symbol).into_iter();
            let file = file.clone();
            found.map(move |occurrence| Place { file: file.clone(), occurrence })
        };
        self.files.iter().flat_map(one).collect()
    }

    /// The declarations of a name. Those that set its value in another file come last.
    pub(crate) fn declarations(&self, symbol: &Symbol) -> Vec<Place> {
        let mut found = self.occurrences(symbol);
        found.retain(|place| place.occurrence.kind == OccurrenceKind::Declaration);
        found.sort_by_key(|place| place.file.holds_values() || place.file.is_test());
        found
    }

    /// The directory of the module that the call with an address, such as `module.net`, calls.
    pub(crate) fn called(&self, address: &str) -> Option<String> {
        self.files.iter().find_map(|file| {
            let calls = ModuleCall::all(file.document());
            let call = calls.iter().find(|call| call.address() == address && call.is_of_module())?;
            Some(join_absolute(call.directory(file.document())?.to_str()?))
        })
    }

    /// The source of the module that the call with an address calls, if it is elsewhere.
    pub(crate) fn source_of(&self, address: &str) -> Option<String> {
        self.files.iter().find_map(|file| {
            let calls = file.names().declared().iter();
            let call = calls
                .filter(|own| own.role == Some(Role::Call))
                .find(|own| own.address.join(".") == address)?;
            let document = file.document();
            let node =
                document.nodes_at(call.item.start).into_iter().find_map(|node| document.block_at(node))?;
            remote_source(node)
        })
    }

    /// Whether a block in a file calls the module.
    pub(crate) fn is_called(&self, document: &Document, call: &ModuleCall<'_>) -> bool {
        let called = call.directory(document).and_then(|path| Some(join_absolute(path.to_str()?)));
        called.is_some_and(|called| called == self.directory)
    }

    /// The module, evaluated without providers, or the unit of Terragrunt. What is not in files is unknown, and so is what
    /// functions read.
    pub(crate) fn loaded(&self, snapshot: &Snapshot) -> Option<&Loaded> {
        let language = self.language.as_ref()?;
        if language.has_modules() {
            return Some(self.loaded.get_or_init(|| Loaded::Module(Box::new(self.load(language, snapshot)))));
        }
        let path = self.files.first()?.path();
        is_unit_file(path)
            .then(|| self.loaded.get_or_init(|| Loaded::Unit(Box::new(LoadedUnit::new(snapshot, path)))))
    }

    fn load(&self, language: &Arc<Dialect>, snapshot: &Snapshot) -> module::Module {
        let view = WorkspaceFiles { snapshot: snapshot.clone(), root: self.directory.clone(), checks: false };
        let loader = snapshot.with_sources(ModuleLoader::new(language.clone()), &self.directory);
        loader
            .with_files(view)
            .with_functions(module::functions_without_files(language))
            .with_unknown_variables(true)
            .load()
    }
}

/// The files of a workspace, as those of a module. Paths are relative to a directory, or absolute.
#[derive(Clone)]
pub(crate) struct WorkspaceFiles {
    pub(crate) snapshot: Snapshot,
    /// The directory of the root module, or nothing.
    pub(crate) root: String,
    /// Results of modules without known files are unknown, instead of errors.
    pub(crate) checks: bool,
}

/// The directory.
impl fmt::Debug for WorkspaceFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkspaceFiles").field("root", &self.root).finish_non_exhaustive()
    }
}

impl WorkspaceFiles {
    fn path(&self, path: &str) -> String {
        if path.starts_with('/') { path.to_owned() } else { join_path(&self.root, path) }
    }
}

impl Files for WorkspaceFiles {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let path = self.path(directory);
        let mut names = match self.snapshot.list(&path) {
            Err(error) if self.checks && error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(io::ErrorKind::Unsupported.into());
            }
            other => other?,
        };
        if self.checks && !path.contains("/.terraform/") {
            names.retain(|name| self.snapshot.is_configuration(name));
            if names.is_empty() {
                return Err(io::ErrorKind::Unsupported.into());
            }
        }
        Ok(names)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.snapshot.read(&self.path(path))
    }

    fn parsed(&self, path: &str) -> Option<Document> {
        let file = self.snapshot.kept(&self.path(path))?;
        Some(file.document().clone())
    }

    fn is_inside(&self, path: &str) -> bool {
        let (root, own) = (self.snapshot.resolve(&self.root), self.snapshot.resolve(&self.path(path)));
        matches!((root, own), (Ok(root), Ok(own)) if crate::files::is_in(&own, &root))
    }

    fn may_read(&self, path: &str) -> bool {
        self.checks || self.snapshot.may_read(&self.path(path))
    }

    fn target(&self, directory: &str, language: &Dialect) -> Option<Target> {
        self.snapshot.signs(&self.path(directory)).target(language)
    }

    fn name(&self, path: &str) -> String {
        self.path(path)
    }
}
