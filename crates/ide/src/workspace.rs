//! The documents that an editor has open, and the directories that it shows. A snapshot of them is cheap to clone and never
//! changes; all answers are functions of a snapshot.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard};

use hclkit::dialect::{Dialect, Dialects, syntax_of_path};
use hclkit::module::{Schemas, join_path};
use hclkit::{Diagnostics, Source};
use hclkit_settings::{Settings, SpecPattern};

use crate::file::File;
use crate::files::{FileSystem, is_in, parent};
use crate::index::Index;
use crate::lookup::{Closed, LookupCache};
use crate::module::Module;
use crate::providers::SchemaCache;
use crate::specs;
use crate::sync::lock;

/// The documents and directories of an editor.
///
/// ```
/// use std::sync::Arc;
/// use hclkit_ide::{MemoryFiles, Workspace};
///
/// let files = MemoryFiles::from_iter([("/net/variables.tf", "variable \"name\" {}\n")]);
/// let mut workspace = Workspace::new(Arc::new(files), ["/net"]);
/// workspace.open("/net/main.tf", "output \"id\" {\n  value = var.nam\n}\n", Some(1), None);
/// let found = workspace.snapshot().diagnostics("/net/main.tf");
/// assert_eq!(found[0].code().map(|code| code.as_str()), Some("unknown-variable"));
/// ```
#[derive(Debug)]
pub struct Workspace {
    now: Snapshot,
    /// The states of directories, as they were looked at last.
    seen: BTreeMap<String, u64>,
}

/// The state of a workspace at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    files: Arc<dyn FileSystem>,
    open: Arc<BTreeMap<String, Arc<File>>>,
    roots: Arc<[String]>,
    /// The directories that may be read, without links.
    granted: Arc<[String]>,
    /// The languages that come before those that are built in.
    dialects: Dialects,
    modules: Arc<Mutex<BTreeMap<String, Arc<Module>>>>,
    /// What the checks of directories have found.
    checks: Arc<Mutex<BTreeMap<String, Arc<Diagnostics>>>>,
    closed: Arc<Mutex<Closed>>,
    looked: Arc<Mutex<LookupCache>>,
    index: Arc<Mutex<Index>>,
    /// The specs that the editor names for files.
    spec_patterns: Arc<[SpecPattern]>,
    /// Specs that were read, with their texts.
    specs: Arc<Mutex<specs::Specs>>,
    #[cfg(feature = "rules")]
    rules: Arc<crate::rules::RulesCache>,
    /// The schemas of providers.
    schemas: Arc<[Schemas]>,
    schema_cache: Arc<SchemaCache>,
    /// What is no longer needed. Freeing it takes time, and answers do not wait for it.
    leftovers: Arc<Mutex<Vec<Leftover>>>,
}

type Leftover = Box<dyn Any + Send>;

impl Workspace {
    /// A workspace with some directories. Files are read in them, and in the repositories of open documents.
    pub fn new<R: Into<String>>(files: Arc<dyn FileSystem>, roots: impl IntoIterator<Item = R>) -> Self {
        let mut workspace = Self {
            now: Snapshot {
                files,
                open: Arc::default(),
                roots: Arc::from([]),
                granted: Arc::from([]),
                dialects: Dialects::default(),
                modules: Arc::default(),
                checks: Arc::default(),
                closed: Arc::default(),
                looked: Arc::default(),
                index: Arc::default(),
                spec_patterns: Arc::from([]),
                specs: Arc::default(),
                #[cfg(feature = "rules")]
                rules: Arc::default(),
                schemas: Arc::from([]),
                schema_cache: Arc::default(),
                leftovers: Arc::default(),
            },
            seen: BTreeMap::new(),
        };
        workspace.set_roots(roots);
        workspace
    }

    /// The present state.
    pub fn snapshot(&self) -> Snapshot {
        self.now.clone()
    }

    /// Sets the directories that the editor shows.
    pub fn set_roots<R: Into<String>>(&mut self, roots: impl IntoIterator<Item = R>) {
        self.now.roots = roots.into_iter().map(Into::into).collect();
        self.now.index = Arc::default();
        self.grant();
        self.forget();
    }

    /// Reads the languages that the settings of its directories name. The second result says what is wrong with others.
    pub fn languages_of_settings(&self) -> (Vec<Arc<Dialect>>, Vec<String>) {
        let (mut languages, mut problems) = (Vec::new(), Vec::new());
        let now = self.snapshot();
        for root in now.roots() {
            let (settings, folder) = now.settings_or_error(root);
            let settings = settings.unwrap_or_else(|why| {
                problems.push(format!("{folder}/{}: {why}", Settings::NAME));
                Arc::default()
            });
            let paths = settings.languages().iter().filter_map(|path| path.to_str());
            for path in paths.map(|path| join_path(&folder, path)) {
                let read = match now.read(&path) {
                    // As in the program, they are in the directory of the settings.
                    Ok(text) if is_in(&path, &folder) => {
                        Dialect::read(Source::new(path.as_str(), text)).map_err(|found| found.to_string())
                    }
                    Ok(_) => Err(format!("it is not in {folder}")),
                    Err(error) => Err(error.to_string()),
                };
                match read {
                    Ok(language) => languages.push(Arc::new(language)),
                    Err(why) => problems.push(format!("cannot use the language {path}: {why}")),
                }
            }
        }
        (languages, problems)
    }

    /// The languages that come before those that are built in. Refactorings look up languages by the names of files, so they run
    /// with these.
    pub fn languages(&self) -> Dialects {
        self.now.dialects.clone()
    }

    /// Sets the languages that come before those that are built in.
    pub fn set_languages(&mut self, languages: impl IntoIterator<Item = Arc<Dialect>>) {
        self.now.dialects = Dialects::new(languages);
        self.now.index = Arc::default();
        self.discard();
    }

    /// Discards what was computed: a run that was ended early may have left it incomplete. Open documents are parsed again.
    pub fn discard(&mut self) {
        self.now.closed = Arc::default();
        self.now.specs = Arc::default();
        let open: Vec<Arc<File>> = self.now.open.values().cloned().collect();
        for file in open {
            let dialect = self.now.dialect_of(file.path()).or_else(|| file.dialect().cloned());
            let file = File::new(file.path(), file.text().into(), file.version(), dialect);
            Arc::make_mut(&mut self.now.open).insert(file.path().to_owned(), Arc::new(file));
        }
        self.forget();
    }

    /// Sets the specs of files that have none by a comment or by settings.
    pub fn set_specs(&mut self, patterns: impl IntoIterator<Item = SpecPattern>) {
        self.now.spec_patterns = patterns.into_iter().collect();
        self.forget();
    }

    /// Sets what is known about providers. It informs: what is not in a schema is no error, because providers of other versions
    /// may have it.
    pub fn set_schemas(&mut self, schemas: impl IntoIterator<Item = Schemas>) {
        self.now.schemas = schemas.into_iter().collect();
    }

    /// Sets the directory with packed schemas of providers. They are read when something asks for them, and inform like others.
    pub fn set_schema_cache(&mut self, directory: Option<String>) {
        self.now.schema_cache = Arc::new(SchemaCache::of_user(directory));
    }

    /// Sets the directory with packed schemas of providers that the settings of a project name, as
    /// [`Snapshot::schema_cache_directory`] says. Like other files of the project, its files are read only in the directories of
    /// the workspace, also behind links.
    pub fn set_project_schema_cache(&mut self, directory: Option<String>) {
        self.now.schema_cache = Arc::new(SchemaCache::of_project(directory));
    }

    /// What is wrong with packed schemas that were read since the last call.
    pub fn take_schema_problems(&self) -> Vec<String> {
        self.now.schema_cache.take_problems()
    }

    /// Opens a document, or replaces its text. If its name does not determine a language, it has the one with the given name.
    pub fn open(
        &mut self,
        path: &str,
        text: impl Into<Vec<u8>>,
        version: Option<i32>,
        language: Option<&str>,
    ) {
        let named = language.and_then(|name| Dialect::named(name.split('-').next().unwrap_or(name)));
        let known = self.now.open.get(path).and_then(|file| file.dialect().cloned());
        let dialect = self.now.dialect_of(path).or(named).or(known);
        let file = File::new(path, text.into(), version, dialect);
        let before = Arc::make_mut(&mut self.now.open).insert(path.to_owned(), Arc::new(file));
        if before.is_none() {
            self.grant();
        }
        self.changed(path);
        self.now.leave(before);
    }

    /// Closes a document. The file counts again.
    pub fn close(&mut self, path: &str) {
        if Arc::make_mut(&mut self.now.open).remove(path).is_some() {
            self.grant();
            self.changed(path);
        }
    }

    /// Says that something else has changed, created or removed a file.
    pub fn changed(&mut self, path: &str) {
        lock(&self.now.index).forget(parent(path));
        self.forget();
    }

    /// Says that any file may have changed.
    pub fn forget_all(&mut self) {
        self.now.index = Arc::default();
        self.forget();
    }

    /// Says that files in the directories of open documents may have changed.
    pub fn forget(&mut self) {
        self.tidy();
        let before = (std::mem::take(&mut self.now.modules), std::mem::take(&mut self.now.checks));
        self.now.leave(before);
        self.now.looked = Arc::default();
    }

    /// Frees what answers and changes have left. The next change does it, too: this is for the time between.
    pub fn tidy(&self) {
        drop(std::mem::take(&mut *lock(&self.now.leftovers)));
    }

    /// Looks for changes of the files in the modules of open documents, in those that they call and that call them, and of
    /// settings. Editors that cannot watch files need this. Returns true if there may be any.
    pub fn poll(&mut self) -> bool {
        let snapshot = Snapshot { looked: Arc::default(), ..self.snapshot() };
        let mut seen = BTreeMap::new();
        for directory in snapshot.watched() {
            let stamp = snapshot.stamp(&directory);
            if self.seen.get(&directory) != Some(&stamp) {
                lock(&self.now.index).forget(&directory);
            }
            seen.insert(directory, stamp);
        }
        seen.extend(snapshot.settings_around(seen.keys()));
        let has_changed = seen != self.seen;
        self.seen = seen;
        if has_changed {
            self.forget();
        }
        has_changed
    }

    /// Lets the workspace read its directories, and the repositories of open documents, or else their directories.
    fn grant(&mut self) {
        let directories: BTreeSet<&str> = self.now.open.keys().map(|path| parent(path)).collect();
        let resolve = |path: &str| self.now.files.resolve(path).ok();
        let mut granted: Vec<String> = self.now.roots.iter().filter_map(|root| resolve(root)).collect();
        for directory in directories {
            let Some(own) = resolve(directory) else { continue };
            if !granted.iter().any(|root| is_in(&own, root)) {
                granted.push(self.now.repository(&own));
            }
        }
        self.now.granted = granted.into();
    }
}

impl Snapshot {
    /// The nearest directory around another one that contains `.git`, or else the directory itself.
    fn repository(&self, directory: &str) -> String {
        let mut at = directory;
        loop {
            let has_git = |entries: Vec<_>| entries.iter().any(|entry: &crate::Entry| entry.name == ".git");
            if self.files.list(at).is_ok_and(has_git) {
                return at.to_owned();
            }
            if parent(at) == at || parent(at).is_empty() {
                return directory.to_owned();
            }
            at = parent(at);
        }
    }

    /// The directories whose files concern the open documents.
    fn watched(&self) -> BTreeSet<String> {
        let mut found: BTreeSet<String> = self.open.keys().map(|path| parent(path).to_owned()).collect();
        let mut open: Vec<String> = found.iter().cloned().collect();
        let index = self.index();
        while let Some(directory) = open.pop() {
            let others =
                index.callers(&directory).into_iter().map(str::to_owned).chain(index.called(&directory));
            open.extend(others.filter(|other| found.insert(other.clone())));
        }
        found.extend(self.roots.iter().cloned());
        found
    }

    /// A number that changes with the files in a directory and in its directory `tests`.
    fn stamp(&self, directory: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        let tests = format!("{}/tests", directory.trim_end_matches('/'));
        for directory in [directory.to_owned(), tests] {
            for name in self.list(&directory).unwrap_or_default() {
                let path = format!("{}/{name}", directory.trim_end_matches('/'));
                if name == Settings::NAME || self.is_configuration(&path) {
                    (name, self.files.stamp(&path).ok()).hash(&mut hasher);
                }
            }
        }
        hasher.finish()
    }

    /// The states of the settings in directories and around them.
    fn settings_around<'d>(&self, directories: impl Iterator<Item = &'d String>) -> BTreeMap<String, u64> {
        let mut found = BTreeMap::new();
        for directory in directories {
            let mut at = directory.as_str();
            loop {
                let path = format!("{}/{}", at.trim_end_matches('/'), Settings::NAME);
                if found.contains_key(&path) || !self.may_read(at) {
                    break;
                }
                found.insert(path.clone(), self.files.stamp(&path).unwrap_or_default());
                if parent(at) == at || parent(at).is_empty() {
                    break;
                }
                at = parent(at);
            }
        }
        found
    }

    /// The directories that the editor shows.
    pub fn roots(&self) -> &[String] {
        &self.roots
    }

    /// The open documents.
    pub fn open_files(&self) -> impl Iterator<Item = &Arc<File>> {
        self.open.values()
    }

    /// The open document at a path.
    pub fn open_file(&self, path: &str) -> Option<&Arc<File>> {
        self.open.get(path)
    }

    /// Runs work that looks up languages by the names of files with those of the workspace.
    pub(crate) fn with_languages<T>(&self, work: impl FnOnce() -> T) -> T {
        self.dialects.run(work)
    }

    pub(crate) fn files(&self) -> &dyn FileSystem {
        &*self.files
    }

    pub(crate) fn looked(&self) -> &Mutex<LookupCache> {
        &self.looked
    }

    pub(crate) fn closed(&self) -> &Mutex<Closed> {
        &self.closed
    }

    /// Whether a path without links is in a directory that may be read.
    pub(crate) fn is_granted(&self, path: &str) -> bool {
        self.granted.iter().any(|root| is_in(path, root))
    }

    /// The language of a file according to its name.
    pub(crate) fn dialect_of(&self, path: &str) -> Option<Arc<Dialect>> {
        self.with_languages(|| Dialect::of_path(path))
    }

    /// Whether a file is a configuration according to its name.
    pub(crate) fn is_configuration(&self, path: &str) -> bool {
        self.with_languages(|| syntax_of_path(path).is_some())
    }

    /// The languages of directories with these files.
    pub(crate) fn language_of<'n>(&self, names: impl Iterator<Item = &'n str>) -> Option<Arc<Dialect>> {
        self.with_languages(|| Dialect::of_files(names))
    }

    /// The module that a file belongs to.
    pub(crate) fn module(&self, path: &str) -> Arc<Module> {
        let key = Module::key(self, path);
        if let Some(known) = lock(&self.modules).get(&key) {
            return known.clone();
        }
        let module = Arc::new(Module::new(self, path, &key));
        lock(&self.modules).insert(key, module.clone());
        module
    }

    /// Forgets what was computed of a module, and keeps its files.
    pub(crate) fn forget_module(&self, module: &Arc<Module>) {
        lock(&self.modules).retain(|_, own| !Arc::ptr_eq(own, module));
        self.leave(module.clone());
    }

    /// What the check of a directory finds.
    pub(crate) fn checked(&self, directory: &str, check: impl FnOnce() -> Diagnostics) -> Arc<Diagnostics> {
        if let Some(known) = lock(&self.checks).get(directory) {
            return known.clone();
        }
        let found = Arc::new(check());
        lock(&self.checks).insert(directory.to_owned(), found.clone());
        found
    }

    #[cfg(feature = "rules")]
    pub(crate) fn rules_cache(&self) -> &crate::rules::RulesCache {
        &self.rules
    }

    /// Leaves something for [`Workspace::tidy`] to free.
    pub(crate) fn leave(&self, leftover: impl Any + Send) {
        lock(&self.leftovers).push(Box::new(leftover));
    }

    /// The same state for something that may be left, so that it does not own itself.
    pub(crate) fn without_leftovers(&self) -> Self {
        Self { leftovers: Arc::default(), ..self.clone() }
    }

    /// What the files of the workspace declare and call.
    pub(crate) fn index(&self) -> MutexGuard<'_, Index> {
        let mut index = lock(&self.index);
        index.update(self);
        index
    }

    /// What is known so far about the files of the workspace. Nothing while it is read: some answers do not wait for it.
    pub(crate) fn known_index(&self) -> Option<MutexGuard<'_, Index>> {
        self.index.try_lock().ok()
    }

    /// The specs that the editor names for files.
    pub(crate) fn spec_patterns(&self) -> &[SpecPattern] {
        &self.spec_patterns
    }

    pub(crate) fn specs(&self) -> &Mutex<specs::Specs> {
        &self.specs
    }

    /// What is known about providers.
    pub(crate) fn schemas(&self) -> &[Schemas] {
        &self.schemas
    }

    pub(crate) fn schema_cache(&self) -> &SchemaCache {
        &self.schema_cache
    }

    /// Reads what the files of the workspace declare and call, until a limit ends it. Returns the number of directories with
    /// files, and whether all are read.
    pub fn read_index(&self) -> (usize, bool) {
        let index = self.index();
        (index.directories().count(), index.is_complete())
    }
}
