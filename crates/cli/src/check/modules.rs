//! Checks directories as modules, as Bake files or as units of Terragrunt, after the syntax of their files. Only
//! the files that were found are read, and the other files of their modules. Directories are checked without files that
//! were skipped, but not if an option excluded some.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::convert::Infallible;
use std::ffi::OsStr;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::dialect::Version;
use hclkit::limits::{clean_path, path_on_disk};
use hclkit::module::{
    self, BAKE_FILES, Bake, CallEffects, Dialect, Disk, Files, ModuleLoader, ModuleTree, Schemas,
    SignsOnDisk, TERRAGRUNT_FILES, Target, TerragruntChecker, join_path,
};
use hclkit::{Diagnostics, Document};

use super::cache::{self, Fingerprint, Read, Reads};
use super::selection::{CheckTargets, Keys};
use super::{Findings, generated};
use crate::args::{Check, LanguageName, VersionedLanguage};
use crate::bake::is_bake_file;
use crate::documents::Documents;
use crate::host::Host;
use crate::input::{FoundFile, FoundInputs, Input};
use crate::outcome::CommandError;
use crate::settings::Settings;
use crate::sources::Sources;
use crate::terragrunt;
use crate::workers::Workers;

/// The files that were found, by directory.
#[derive(Clone, Debug)]
pub(super) struct Directories {
    all: Arc<BTreeMap<PathBuf, Directory>>,
    documents: Arc<Documents>,
    /// The files that are given one by one, in order.
    named: Arc<[Input]>,
    keys: Keys,
    /// Downloaded modules, and those that the user has mapped to directories.
    modules: Arc<Disk>,
    options: Arc<ModuleOptions>,
    signs: Arc<SignsOnDisk>,
    /// The directories of modules that Terragrunt completes.
    completed: Arc<HashSet<PathBuf>>,
    /// What is read other than files of modules that were found, for `--cache`.
    reads: Option<Arc<Reads>>,
}

/// How directories are checked.
#[derive(Debug)]
pub(super) struct ModuleOptions {
    mode: CheckMode,
    /// The version of the application that the user has named.
    target: Option<Target>,
    /// Those that the settings of the project name, by the languages.
    settings: BTreeMap<String, Target>,
    sources: Sources,
    /// The schemas of providers.
    schemas: Option<Schemas>,
    /// Data sources have the values that their providers compute.
    data_sources: bool,
    /// The name of the workspace.
    workspace: String,
}

impl ModuleOptions {
    pub(super) fn new(command: &Check) -> Result<Self, CommandError> {
        let sources = Sources::new(&command.sources)?;
        let schemas = crate::module::schemas(&command.providers)?;
        let mode = CheckMode::of(&command.language)?;
        Ok(Self {
            mode,
            target: target_of(&command.language),
            settings: targets_of(&Settings::read()?),
            sources,
            schemas,
            data_sources: !command.providers.no_data_sources,
            workspace: crate::module::workspace(command.workspace.as_deref()),
        })
    }
}

#[derive(Debug, Default)]
struct Directory {
    /// The files that were found, by name.
    found: BTreeMap<String, Input>,
    /// The names of files that were skipped.
    skipped: BTreeSet<String>,
    /// The names of other files, for example because they were excluded; `None` if they are unknown.
    others: Option<BTreeSet<String>>,
}

/// Where `terraform init` puts modules.
const INSTALLED: &str = ".terraform/modules";

/// What directories are checked as.
#[derive(Clone, Debug)]
enum CheckMode {
    /// Whatever the names of their files say.
    Any,
    Module(Arc<Dialect>),
    Bake,
    Units,
    /// Only the syntax of files is checked.
    Nothing,
}

impl CheckMode {
    /// What `--language` requests.
    fn of(option: &VersionedLanguage) -> Result<Self, CommandError> {
        Ok(match option.language.as_ref().map(|(language, _)| language) {
            None => Self::Any,
            Some(LanguageName::Bake) => Self::Bake,
            Some(LanguageName::Terragrunt) => Self::Units,
            Some(LanguageName::Nomad | LanguageName::Hcl) => Self::Nothing,
            Some(LanguageName::Table(path)) => Self::Module(crate::module::table(path)?),
            Some(named) => Dialect::named(named.name()).map_or(Self::Nothing, Self::Module),
        })
    }
}

/// The version that `--language` names.
fn target_of(option: &VersionedLanguage) -> Option<Target> {
    let (language, version) = option.language.as_ref()?;
    let version = version.clone()?;
    let because = format!("the files are for {version}, as `--language {}@{version}` says", language.name());
    Some(Target { version, because })
}

/// The versions that the settings of the project name.
fn targets_of(settings: &Settings) -> BTreeMap<String, Target> {
    let versions = settings.versions().iter();
    let target = |(language, version): (&String, &Version)| (language.clone(), Target::of_settings(version));
    versions.map(target).collect()
}

/// What a directory is checked as.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    Module(Arc<Dialect>),
    /// The test files in a directory. The language is that of the module that they test.
    Tests(Arc<Dialect>),
    Bake,
    /// The Bake files that are given one by one, as with `docker buildx bake -f`.
    NamedBake,
    /// A unit or a stack of Terragrunt.
    Unit,
}

impl Kind {
    /// What a directory is checked as, as text.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Module(language) => format!("module of {}", language.name()),
            Self::Tests(language) => format!("tests of {}", language.name()),
            Self::Bake => "Bake".to_owned(),
            Self::NamedBake => "Bake files".to_owned(),
            Self::Unit => "unit".to_owned(),
        }
    }
}

impl Directories {
    pub(super) fn of(
        targets: &CheckTargets,
        documents: &Arc<Documents>,
        options: &Arc<ModuleOptions>,
    ) -> Self {
        let FoundInputs { inputs, skipped, .. } = &targets.found;
        let keys = targets.keys.clone();
        let mut all: BTreeMap<PathBuf, Directory> = BTreeMap::new();
        for input in inputs.iter().chain(&targets.others) {
            let path = match input {
                Input::Found(FoundFile { path, .. }) => path,
                Input::File(path) if path.is_file() => path,
                Input::File(_) | Input::Stdin => continue,
            };
            if let Some(name) = path.file_name() {
                let found = &mut all.entry(keys.of_file(path)).or_default().found;
                let mut name = name.to_string_lossy().into_owned();
                // Names that are not UTF-8 may look the same.
                while found.contains_key(&name) {
                    name.insert(0, char::REPLACEMENT_CHARACTER);
                }
                found.insert(name, input.clone());
            }
        }
        for skipped in skipped.iter().filter(|skipped| !skipped.is_folder) {
            let directory = all.get_mut(&keys.of_file(&skipped.path));
            if let (Some(directory), Some(name)) = (directory, skipped.path.file_name()) {
                directory.skipped.insert(name.to_string_lossy().into_owned());
            }
        }
        let named = inputs.iter().filter(|input| matches!(input, Input::File(path) if path.is_file()));
        let named = named.cloned().collect();
        for (path, directory) in &mut all {
            directory.others = directory.others(path);
        }
        let mut signs = SignsOnDisk::default();
        for (path, directory) in &all {
            if let Some(others) = &directory.others {
                signs.list(path, directory.found.keys().chain(&directory.skipped).chain(others));
            }
        }
        let completed = generated::completed(inputs.iter().chain(&targets.others), documents);
        let installed = all.keys().filter(|path| targets.has(path)).filter_map(|path| installed(path));
        let modules = Disk::without_repository("").with_max_size(Host::current().max_size());
        let modules = installed.chain(options.sources.granted().to_vec()).fold(modules, Disk::with_readable);
        Self {
            all: Arc::new(all),
            documents: documents.clone(),
            named,
            keys,
            modules: Arc::new(modules),
            options: options.clone(),
            signs: Arc::new(signs),
            completed: Arc::new(completed),
            reads: None,
        }
    }

    /// Notes what is read from now on.
    pub(super) fn noting_reads(self) -> Self {
        Self { reads: Some(Arc::default()), ..self }
    }

    /// The same directories, with other texts of files.
    pub(super) fn with_documents(self, documents: Documents) -> Self {
        Self { documents: Arc::new(documents), ..self }
    }

    pub(super) fn reads(&self) -> Option<&Reads> {
        self.reads.as_deref()
    }

    pub(super) fn documents(&self) -> &Documents {
        &self.documents
    }

    /// The files that were found, by directory.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (&Path, impl Iterator<Item = &Input>)> {
        self.all.iter().map(|(path, own)| (&**path, own.found.values()))
    }

    pub(super) fn is_test(input: &Input) -> bool {
        let name = input.path().and_then(Path::file_name).and_then(OsStr::to_str);
        name.is_some_and(ModuleTree::is_test_file)
    }

    /// What the check of each module may depend on, other than the contents of its files, as text: all names, what files around
    /// modules say, and which modules are completed.
    pub(super) fn names(&self) -> String {
        let completed: BTreeSet<&PathBuf> = self.completed.iter().collect();
        let mut targets = Vec::new();
        if !completed.is_empty() {
            targets.extend(self.all.keys().map(|path| path_on_disk(path).canonicalize().ok()));
        }
        let all = self.all.iter().map(|(path, own)| {
            let found: Vec<_> = own.found.values().map(Input::identity).collect();
            (path, found, &own.skipped, &own.others)
        });
        let all: Vec<_> = all.collect();
        let named: Vec<_> = self.named.iter().map(Input::identity).collect();
        let modules = &self.modules;
        let signs = self.signs.text_of(self.all.keys().map(PathBuf::as_path));
        format!("{all:?} {named:?} {modules:?} {signs} {completed:?} {targets:?}")
    }

    /// The fingerprint of something that was read before, as it is now.
    pub(super) fn read_again(&self, read: &Read) -> Fingerprint {
        let files = |root: &str| FoundFiles {
            directories: Self { reads: None, ..self.clone() },
            root: PathBuf::from(root),
            language: Some(Dialect::terraform()),
        };
        match read {
            Read::Names(directory) => cache::of_names(&files("").list(directory)),
            Read::File(path) => cache::of_content(&files("").read(path)),
            Read::ByFunction(root, path) => cache::of_content(&files("").read_for(root, path)),
        }
    }

    /// The language of a directory, and the file that says so if not their names do.
    fn language(&self, path: &Path, directory: &Directory) -> Option<(Arc<Dialect>, Option<String>)> {
        let by_names = directory.language(&self.options.mode)?;
        if matches!(self.options.mode, CheckMode::Any) {
            let signs = self.signs.of(path);
            if let Some((language, file)) = signs.language(&by_names) {
                return Some((language, Some(file.to_owned())));
            }
        }
        Some((by_names, None))
    }

    /// The directories that are checked without files that were skipped.
    pub(super) fn incomplete(&self) -> Vec<PathBuf> {
        let is_part = |path: &Path, directory: &Directory, name: &String| {
            self.language(path, directory).is_some_and(|(language, _)| language.is_module_file(name))
                || directory.is_complete_for_bake() && BAKE_FILES.contains(&name.as_str())
        };
        let all = self.all.iter();
        let all = all
            .filter(|(path, directory)| directory.skipped.iter().any(|name| is_part(path, directory, name)));
        all.map(|(path, _)| self.keys.shown(path)).collect()
    }

    /// The language of the module that the test files in a directory test: the nearest one around it.
    fn tested(&self, path: &Path) -> Option<Arc<Dialect>> {
        let around = path.ancestors().find_map(|path| self.language(path, self.all.get(path)?));
        around.map(|(language, _)| language).or_else(|| match &self.options.mode {
            CheckMode::Any => Some(Dialect::terraform()),
            CheckMode::Module(language) => Some(language.clone()),
            CheckMode::Bake | CheckMode::Units | CheckMode::Nothing => None,
        })
    }

    /// Returns the directories that are checked. No option excluded any of their files.
    pub(super) fn checked(&self, targets: &CheckTargets) -> Vec<(PathBuf, Kind)> {
        let mut all = Vec::new();
        if matches!(self.options.mode, CheckMode::Bake)
            && let Some(first) = self.named.iter().filter_map(Input::path).find(|path| !is_bake_file(path))
        {
            return vec![(self.keys.of_file(first), Kind::NamedBake)];
        }
        for (path, directory) in self.all.iter().filter(|(path, _)| targets.has(path)) {
            let language = self.language(path, directory).map(|(language, _)| language);
            if let Some(language) = language.filter(|language| directory.is_complete(language)) {
                all.push((path.clone(), Kind::Module(language)));
            }
            if directory.found.keys().any(|name| ModuleTree::is_test_file(name))
                && let Some(language) = self.tested(path)
            {
                all.push((path.clone(), Kind::Tests(language)));
            }
            if matches!(self.options.mode, CheckMode::Any | CheckMode::Bake)
                && directory.is_complete_for_bake()
            {
                all.push((path.clone(), Kind::Bake));
            }
            if matches!(self.options.mode, CheckMode::Any | CheckMode::Units)
                && TERRAGRUNT_FILES.iter().any(|name| directory.found.contains_key(*name))
            {
                all.push((path.clone(), Kind::Unit));
            }
        }
        all
    }

    /// Checks Bake files.
    fn check_bake(&self, directory: &Path) -> Diagnostics {
        let files = FoundFiles { directories: self.clone(), root: directory.to_owned(), language: None };
        let functions = module::bake_functions_without_files();
        Bake::new().with_directory(&files).with_functions(functions).check()
    }

    /// Checks units, with the files of their repositories.
    fn unit_checker(&self, units: &[&Path]) -> TerragruntChecker {
        let found = FoundFiles { directories: self.clone(), root: PathBuf::new(), language: None };
        let disk = terragrunt::repositories(units.iter().copied().map(path_on_disk));
        let sources = &self.options.sources;
        let disk = sources.granted().iter().fold(disk, Disk::with_readable);
        let checker = terragrunt::unevaluated(UnitFiles { found, disk }, Some(sources)).checker();
        checker.with_units(units.iter().filter_map(|path| path.to_str()))
    }

    /// Makes directories of Terraform those of `OpenTofu` if calls say so, unless files say what they are.
    pub(super) fn follow_calls(&self, checked: &mut [(PathBuf, Kind)], workers: &Workers) {
        if !matches!(self.options.mode, CheckMode::Any) {
            return;
        }
        let threads = threads(checked, workers);
        let modules = checked.iter().filter_map(|(path, kind)| match kind {
            Kind::Module(language) => Some((name(path)?, &**language, path)),
            _ => None,
        });
        let is_said = |path: &&PathBuf| {
            let said = self.all.get(*path).and_then(|own| self.language(path, own));
            said.is_some_and(|(_, file)| file.is_some())
        };
        let tree = |language| self.tree(&language, Path::new(""), threads);
        let found = module::opentofu_by_calls(modules, is_said, tree);
        for (path, kind) in checked {
            let is_terraform = matches!(kind, Kind::Module(language) if language.name() == "terraform");
            if is_terraform && name(path).is_some_and(|name| found.contains(&name)) {
                *kind = Kind::Module(Dialect::opentofu());
            }
        }
    }

    /// Checks the Bake files that are given one by one.
    fn check_named_bake(&self) -> Diagnostics {
        let bake = Bake::new().with_functions(module::bake_functions_without_files());
        let texts = self
            .named
            .iter()
            .filter_map(|input| Some((input.name(), self.documents.text(input).ok()?.bytes().to_vec())));
        texts.fold(bake, |bake, (name, text)| bake.with_file(name, text)).check()
    }

    /// The modules of a language. Their directories are relative to a directory.
    fn tree(&self, language: &Arc<Dialect>, root: &Path, threads: usize) -> ModuleTree {
        let files =
            FoundFiles { directories: self.clone(), root: root.to_owned(), language: Some(language.clone()) };
        let loader = ModuleLoader::new(language.clone())
            .with_files(files)
            .with_threads(threads)
            .with_data_sources(self.options.data_sources)
            .with_workspace(&self.options.workspace)
            .with_target(
                self.options.target.clone().or_else(|| self.options.settings.get(language.name()).cloned()),
            )
            .with_functions(module::functions_without_files(language))
            .with_readers(module::readers);
        let loader = self.options.schemas.iter().cloned().fold(loader, ModuleLoader::with_schemas);
        ModuleTree::new(self.options.sources.add_to(loader))
    }
}

/// The modules of a run.
pub(super) struct Trees<'d> {
    directories: &'d Directories,
    by_language: BTreeMap<String, ModuleTree>,
    /// The directories of modules that others call.
    called: HashSet<PathBuf>,
    units: Option<TerragruntChecker>,
}

/// Several directories are divided among the threads, and a single one uses them all.
fn threads(checked: &[(PathBuf, Kind)], workers: &Workers) -> usize {
    (workers.threads() / checked.len().max(1)).max(1)
}

impl<'d> Trees<'d> {
    /// Reads the modules in these directories, which are some of all. `effects` is what the calls of the others mean, by the name of a
    /// language.
    pub(super) fn read(
        directories: &'d Directories,
        all: &[(PathBuf, Kind)],
        checked: &[(PathBuf, Kind)],
        workers: &Workers,
        effects: impl Fn(&str) -> CallEffects,
    ) -> Self {
        let threads = threads(checked, workers);
        let mut by_language = BTreeMap::new();
        for (_, kind) in all {
            if let Kind::Module(language) | Kind::Tests(language) = kind {
                let tree = || {
                    let tree = directories.tree(language, Path::new(""), threads);
                    tree.with_effects(effects(language.name()))
                };
                by_language.entry(language.name().to_owned()).or_insert_with(tree);
            }
        }
        let units = checked.iter().filter(|(_, kind)| matches!(kind, Kind::Unit)).map(|(path, _)| &**path);
        let units: Vec<&Path> = units.collect();
        let units = (!units.is_empty()).then(|| directories.unit_checker(&units));
        let mut trees = Trees { directories, by_language, called: HashSet::new(), units };
        for step in [ModuleTree::read, ModuleTree::declare as fn(&ModuleTree, &str)] {
            let one = |(path, kind): &(PathBuf, Kind)| {
                if let (Kind::Module(language), Some(name)) = (kind, name(path)) {
                    trees.by_language.get(language.name()).into_iter().for_each(|tree| step(tree, &name));
                }
            };
            let Ok(()) = workers.for_each(checked, one, |_| Ok::<_, Infallible>(()));
        }
        let tests = |(path, kind): &(PathBuf, Kind)| {
            if let (Kind::Tests(_), Some(name)) = (kind, name(path)) {
                trees.by_language.values().for_each(|tree| tree.read_tests(&name));
            }
        };
        let Ok(()) = workers.for_each(checked, tests, |_| Ok::<_, Infallible>(()));
        for (own, tree) in &mut trees.by_language {
            let is_own = |kind: &Kind| matches!(kind, Kind::Module(language) if language.name() == own);
            let roots = checked.iter().filter(|(_, kind)| is_own(kind));
            tree.arrange(roots.filter_map(|(path, _)| name(path)));
        }
        trees.called = trees.by_language.values().flat_map(ModuleTree::called).map(PathBuf::from).collect();
        trees
    }

    /// What the calls of the module in a directory mean for others, with the directories of its modules.
    pub(super) fn effects(&self, path: &Path, language: &Dialect) -> Option<(BTreeSet<String>, CallEffects)> {
        self.by_language.get(language.name())?.effects(&name(path)?)
    }

    /// The sources of called modules that are not available.
    pub(super) fn unavailable(&self) -> BTreeSet<&str> {
        self.by_language.values().flat_map(ModuleTree::unavailable).collect()
    }

    /// Checks a directory.
    pub(super) fn check(&self, (path, kind): &(PathBuf, Kind)) -> Diagnostics {
        let (language, is_module) = match kind {
            Kind::Module(language) => (language, true),
            Kind::Tests(language) => (language, false),
            Kind::Bake => return self.directories.check_bake(path),
            Kind::NamedBake => return self.directories.check_named_bake(),
            Kind::Unit => {
                let units = self.units.as_ref().zip(name(path));
                return units.map(|(units, name)| units.check(&name)).unwrap_or_default();
            }
        };
        if is_module { self.check_module(path, language) } else { self.check_tests(path, language) }
    }

    /// Which application and version a directory is checked for, and why.
    pub(super) fn explain(&self, (path, kind): &(PathBuf, Kind)) -> Option<String> {
        let Kind::Module(language) = kind else { return None };
        let newest = language.newest.as_ref()?;
        let own = self.directories.all.get(path)?;
        let said = self.directories.language(path, own);
        let by_names = own.language(&self.directories.options.mode);
        let why_language = match said {
            _ if !matches!(self.directories.options.mode, CheckMode::Any) => {
                "as `--language` says".to_owned()
            }
            Some((_, Some(file))) => format!("as {file} says"),
            Some((said, None)) if said.name() != language.name() => "as the modules that call it".to_owned(),
            _ if by_names.is_some_and(|names| names.name() != "terraform") => {
                "by the names of its files".to_owned()
            }
            _ => "because nothing says that it is for OpenTofu".to_owned(),
        };
        let tree = self.by_language.get(language.name())?;
        let target = tree.target(&name(path)?);
        let (version, why) = match target {
            Some(target) => (target.version, target.because),
            None => {
                (newest.clone(), "it is the newest known version, and nothing says another one".to_owned())
            }
        };
        let shown = self.directories.keys.shown(path);
        let shown = if shown.as_os_str().is_empty() { Path::new(".") } else { &shown };
        let title = language.title();
        Some(format!("{}: {title} {version}: {why}; {title} {why_language}", shown.display()))
    }

    /// Checks a module. Variables have only the values of files that the language always reads.
    fn check_module(&self, path: &Path, language: &Arc<Dialect>) -> Diagnostics {
        let is_called = self.called.contains(path);
        match (name(path), self.by_language.get(language.name())) {
            (Some(name), Some(tree)) => tree.check(&name, is_called),
            _ => self.directories.tree(language, path, 1).check("", is_called),
        }
    }
}

impl Trees<'_> {
    /// Checks the test files in a directory.
    fn check_tests(&self, path: &Path, language: &Arc<Dialect>) -> Diagnostics {
        let tree = self.by_language.get(language.name());
        name(path).zip(tree).map(|(name, tree)| tree.check_tests(&name)).unwrap_or_default()
    }
}

/// The name of a directory with `/` as the separator, if it is UTF-8.
fn name(path: &Path) -> Option<String> {
    let name = path.to_str()?;
    Some(if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() })
}

impl Directory {
    /// The language whose modules are checked.
    fn language(&self, wanted: &CheckMode) -> Option<Arc<Dialect>> {
        match wanted {
            CheckMode::Any => Dialect::of_files(self.found.keys().map(String::as_str)),
            CheckMode::Module(language) => {
                let has = self.found.keys().any(|name| language.is_module_file(name));
                has.then(|| language.clone())
            }
            CheckMode::Bake | CheckMode::Units | CheckMode::Nothing => None,
        }
    }

    /// The names of the files in a directory that were neither found nor skipped.
    fn others(&self, path: &Path) -> Option<BTreeSet<String>> {
        let found: HashSet<&OsStr> =
            self.found.values().filter_map(|input| input.path()?.file_name()).collect();
        let entries = std::fs::read_dir(path_on_disk(path)).ok()?.flatten();
        let is_file = |entry: &DirEntry| !entry.file_type().is_ok_and(|kind| kind.is_dir());
        let names = entries.filter(is_file).map(|entry| entry.file_name());
        let names = names.filter(|name| !found.contains(name.as_os_str()));
        let names = names.map(|name| name.to_string_lossy().into_owned());
        Some(names.filter(|name| !self.skipped.contains(name)).collect())
    }

    /// Returns true if all files of a language were found, except for those that were skipped.
    fn is_complete(&self, language: &Dialect) -> bool {
        self.others.as_ref().is_some_and(|others| !others.iter().any(|name| language.is_module_file(name)))
    }

    /// Returns true if there are Bake files, and all of them were found or skipped.
    fn is_complete_for_bake(&self) -> bool {
        let has = |name: &&str| self.found.contains_key(*name);
        let is_other = |others: &BTreeSet<String>| BAKE_FILES.iter().any(|name| others.contains(*name));
        BAKE_FILES.iter().any(has) && self.others.as_ref().is_some_and(|others| !is_other(others))
    }
}

/// The directory of downloaded modules in the directory of a root module, if it has one.
fn installed(root: &Path) -> Option<PathBuf> {
    let root = path_on_disk(root);
    let modules = root.join(INSTALLED);
    let found = modules.is_dir().then(|| modules.canonicalize().ok())??;
    found.starts_with(root.canonicalize().ok()?).then_some(found)
}

/// The files that were found, as the files of a module or of Bake.
#[derive(Debug)]
struct FoundFiles {
    directories: Directories,
    root: PathBuf,
    /// The language of the module; `None` for Bake.
    language: Option<Arc<Dialect>>,
}

impl Files for FoundFiles {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let path = clean_path(&self.root.join(directory));
        let own = self.directories.all.get(&path);
        match (own, &self.language) {
            (Some(own), None) => Ok(own.found.keys().chain(own.others.iter().flatten()).cloned().collect()),
            (Some(own), Some(language)) if own.is_complete(language) => {
                Ok(own.found.keys().cloned().collect())
            }
            (None, Some(_)) => {
                let text = text_of(&path);
                let names = if self.directories.modules.may_read(&text) {
                    self.directories.modules.list(&text)
                } else {
                    Err(kind_of_unknown(&path).into())
                };
                self.note(|| (Read::Names(text), cache::of_names(&names)));
                names
            }
            (None, None) => Err(kind_of_unknown(&path).into()),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if let Some(input) = self.input(path) {
            return Ok(self.directories.documents.text(input)?.bytes().to_vec());
        }
        match self.language {
            Some(_) => {
                let path = text_of(&self.root.join(path));
                let content = self.directories.modules.read(&path);
                self.note(|| (Read::File(path), cache::of_content(&content)));
                content
            }
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn parsed(&self, path: &str) -> Option<Document> {
        self.directories.documents.known(self.input(path)?)
    }

    fn is_completed(&self, directory: &str) -> bool {
        let completed = &self.directories.completed;
        let own = || path_on_disk(&self.root.join(directory)).canonicalize();
        !completed.is_empty() && own().is_ok_and(|own| completed.contains(&own))
    }

    fn read_for(&self, root: &str, path: &str) -> io::Result<Vec<u8>> {
        let content = self.content_for(root, path);
        self.note(|| {
            let read = Read::ByFunction(text_of(&self.root.join(root)), path.to_owned());
            (read, cache::of_content(&content))
        });
        content
    }

    fn target(&self, directory: &str, language: &Dialect) -> Option<Target> {
        self.directories.signs.of(&clean_path(&self.root.join(directory))).target(language)
    }

    fn name(&self, path: &str) -> String {
        self.input(path).map_or_else(
            || path_on_disk(&self.directories.keys.shown(&self.root.join(path))).display().to_string(),
            Input::name,
        )
    }
}

/// The files of the repositories of units. Those that were found are parsed with the others.
#[derive(Debug)]
struct UnitFiles {
    found: FoundFiles,
    disk: Disk,
}

impl Files for UnitFiles {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        self.disk.list(directory)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if let Some(input) = self.found.input(path) {
            return Ok(self.found.directories.documents.text(input)?.bytes().to_vec());
        }
        Host::current().note_read(Path::new(path));
        self.disk.read(path)
    }

    fn may_read(&self, path: &str) -> bool {
        self.disk.may_read(path)
    }

    fn name(&self, path: &str) -> String {
        self.found.name(path)
    }
}

fn text_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The kind of the error for a directory that was not found.
fn kind_of_unknown(path: &Path) -> io::ErrorKind {
    if path_on_disk(path).is_dir() { io::ErrorKind::Unsupported } else { io::ErrorKind::NotFound }
}

impl FoundFiles {
    /// Notes that something was read.
    fn note(&self, read: impl FnOnce() -> (Read, Fingerprint)) {
        if let Some(reads) = &self.directories.reads {
            let (read, fingerprint) = read();
            reads.note(read, fingerprint);
        }
    }

    /// The content of a file that a function reads.
    fn content_for(&self, root: &str, path: &str) -> io::Result<Vec<u8>> {
        if let Some(input) = self.input(&join_path(root, path)) {
            return Ok(self.directories.documents.text(input)?.bytes().to_vec());
        }
        let root = self.root.join(root);
        Disk::new(root).with_max_size(Host::current().max_size()).read(path)
    }

    fn input(&self, path: &str) -> Option<&Input> {
        let path = clean_path(&self.root.join(path));
        self.directories.all.get(path.parent()?)?.found.get(path.file_name()?.to_str()?)
    }
}

/// The diagnostics that were reported. They are not reported again for a module that other modules call.
#[derive(Default)]
pub(super) struct Reported(HashSet<(String, String)>);

impl Reported {
    pub(super) fn add(&mut self, findings: &Findings) {
        findings.problems.iter().for_each(|found| drop(self.take_new(found)));
    }

    /// Returns the diagnostics that were not reported yet.
    pub(super) fn take_new(&mut self, found: &Diagnostics) -> Diagnostics {
        let key = |diagnostic: &hclkit::Diagnostic| {
            let name = diagnostic.source().map(|source| source.name().to_owned()).unwrap_or_default();
            (name, diagnostic.to_string())
        };
        found.iter().filter(|diagnostic| self.0.insert(key(diagnostic))).cloned().collect()
    }
}
