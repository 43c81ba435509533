//! The documents that an editor has open, and the directories that it shows. A snapshot of them is cheap to clone and never
//! changes; all answers are functions of a snapshot.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hclkit::dialect::{Dialect, Dialects, syntax_of_path};
use hclkit::module::{ModuleLoader, Schemas, join_path};
use hclkit::{Diagnostics, Source};

use crate::file::File;
use crate::files::{FileSystem, is_in, name, parent};
use crate::index::Index;
use crate::module::Module;
use crate::settings::Settings;
use crate::specs::{self, SpecPattern};

/// How many bytes of closed files are kept as parsed documents.
const MOST_CLOSED: usize = 16 << 20;

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
    index: Arc<Mutex<Index>>,
    /// The specs that the editor names for files.
    spec_patterns: Arc<[SpecPattern]>,
    /// Specs that were read, with their texts.
    specs: Arc<Mutex<specs::Specs>>,
    /// The schemas of providers.
    schemas: Arc<[Schemas]>,
}

/// Parsed files that are not open.
#[derive(Debug, Default)]
struct Closed {
    files: BTreeMap<String, Arc<File>>,
    bytes: usize,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workspace {
    /// A workspace with some directories. Files are read in them, and in the repositories of open documents.
    pub fn new<R: Into<String>>(files: Arc<dyn FileSystem>, roots: impl IntoIterator<Item = R>) -> Workspace {
        let mut workspace = Workspace {
            now: Snapshot {
                files,
                open: Arc::default(),
                roots: Arc::from([]),
                granted: Arc::from([]),
                dialects: Dialects::default(),
                modules: Arc::default(),
                checks: Arc::default(),
                closed: Arc::default(),
                index: Arc::default(),
                spec_patterns: Arc::from([]),
                specs: Arc::default(),
                schemas: Arc::from([]),
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
                Settings::default()
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
        let is_new = Arc::make_mut(&mut self.now.open).insert(path.to_owned(), Arc::new(file)).is_none();
        if is_new {
            self.grant();
        }
        self.changed(path);
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
        self.now.modules = Arc::default();
        self.now.checks = Arc::default();
    }

    /// Looks for changes of the files in the modules of open documents, in those that they call and that call them, and of
    /// settings. Editors that cannot watch files need this. Returns true if there may be any.
    pub fn poll(&mut self) -> bool {
        let snapshot = self.snapshot();
        let mut seen = BTreeMap::new();
        for directory in snapshot.watched() {
            let stamp = snapshot.stamp(&directory);
            if self.seen.get(&directory) != Some(&stamp) {
                lock(&self.now.index).forget(&directory);
            }
            seen.insert(directory, stamp);
        }
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
        for directory in [directory.to_owned(), format!("{directory}/tests")] {
            for name in self.list(&directory).unwrap_or_default() {
                let path = format!("{}/{name}", directory.trim_end_matches('/'));
                if name == Settings::NAME || self.is_configuration(&path) {
                    (name, self.files.stamp(&path).ok()).hash(&mut hasher);
                }
            }
        }
        hasher.finish()
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
    fn with_languages<T>(&self, work: impl FnOnce() -> T) -> T {
        self.dialects.run(work)
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

    /// Whether the workspace may read a file or directory.
    pub(crate) fn may_read(&self, path: &str) -> bool {
        // The same answer for what does not exist.
        let resolved = self.files.resolve(path).unwrap_or_else(|_| path.to_owned());
        self.granted.iter().any(|root| is_in(&resolved, root))
    }

    /// The text of a file, open or not.
    ///
    /// # Errors
    /// It cannot be read, or must not be.
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if let Some(file) = self.open.get(path) {
            return Ok(file.document().source().bytes().to_vec());
        }
        let resolved = self.files.resolve(path)?;
        if !self.granted.iter().any(|root| is_in(&resolved, root)) {
            let why = "it is outside of the directories of the workspace";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        // Otherwise, a module could have any file read: messages show parts of what is read.
        if extension(&resolved) != extension(path) {
            return Err(io::Error::other("it is a link to a file with another extension"));
        }
        self.files.read(&resolved)
    }

    /// The names of the files in a directory, with those of open documents.
    ///
    /// # Errors
    /// The directory cannot be read, or must not be.
    pub(crate) fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let open = self.open.keys().filter(|path| parent(path) == directory);
        let mut names: BTreeSet<String> = open.map(|path| name(path).to_owned()).collect();
        let listed = if self.may_read(directory) {
            self.files.list(directory)
        } else {
            Err(io::ErrorKind::PermissionDenied.into())
        };
        match listed {
            Ok(entries) => {
                names.extend(entries.into_iter().filter(|entry| !entry.is_directory).map(|entry| entry.name));
            }
            Err(error) if names.is_empty() => return Err(error),
            Err(_) => {}
        }
        Ok(names.into_iter().collect())
    }

    /// The directories in a directory. Links are left out.
    pub(crate) fn directories(&self, directory: &str) -> Vec<String> {
        if !self.may_read(directory) {
            return Vec::new();
        }
        let entries = self.files.list(directory).unwrap_or_default();
        let is_own = |entry: &crate::Entry| entry.is_directory && !entry.is_link;
        entries.into_iter().filter(is_own).map(|entry| entry.name).collect()
    }

    /// The path without links.
    pub(crate) fn resolve(&self, path: &str) -> io::Result<String> {
        self.files.resolve(path)
    }

    /// A file, open or not. `None` if it cannot be read.
    pub fn file(&self, path: &str) -> Option<Arc<File>> {
        if let Some(file) = self.open.get(path) {
            return Some(file.clone());
        }
        let text = self.read(path).ok()?;
        let mut closed = lock(&self.closed);
        if let Some(known) = closed.files.get(path)
            && known.document().source().bytes() == text
        {
            return Some(known.clone());
        }
        let size = text.len();
        let file = Arc::new(File::new(path, text, None, self.dialect_of(path)));
        if closed.bytes + size > MOST_CLOSED {
            *closed = Closed::default();
        }
        closed.bytes += size;
        closed.files.insert(path.to_owned(), file.clone());
        Some(file)
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

    /// What the check of a directory finds.
    pub(crate) fn checked(&self, directory: &str, check: impl FnOnce() -> Diagnostics) -> Arc<Diagnostics> {
        if let Some(known) = lock(&self.checks).get(directory) {
            return known.clone();
        }
        let found = Arc::new(check());
        lock(&self.checks).insert(directory.to_owned(), found.clone());
        found
    }

    /// What the files of the workspace declare and call.
    pub(crate) fn index(&self) -> MutexGuard<'_, Index> {
        let mut index = lock(&self.index);
        index.update(self);
        index
    }

    /// The settings for files in a directory: those of the nearest `hcl.toml`, with its directory.
    pub(crate) fn settings(&self, directory: &str) -> (Settings, String) {
        let (settings, folder) = self.settings_or_error(directory);
        (settings.unwrap_or_default(), folder)
    }

    fn settings_or_error(&self, directory: &str) -> (Result<Settings, String>, String) {
        let mut at = directory;
        loop {
            let path = format!("{}/{}", at.trim_end_matches('/'), Settings::NAME);
            if let Ok(text) = self.read(&path) {
                let text = String::from_utf8(text).map_err(|error| error.to_string());
                return (text.and_then(|text| Settings::parse(&text)), at.to_owned());
            }
            if parent(at) == at || parent(at).is_empty() || !self.may_read(parent(at)) {
                return (Ok(Settings::default()), directory.to_owned());
            }
            at = parent(at);
        }
    }

    /// The files with the settings of the directories that the editor shows, and the tables that they name.
    pub fn settings_files(&self) -> Vec<String> {
        let mut found = Vec::new();
        for root in self.roots() {
            let (settings, folder) = self.settings(root);
            found.push(format!("{}/{}", folder.trim_end_matches('/'), Settings::NAME));
            let tables = settings.languages().iter().filter_map(|path| path.to_str());
            found.extend(tables.map(|path| join_path(&folder, path)));
        }
        found
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

    /// The files with the schemas of providers that the settings name. Those outside of the directory of the settings are left
    /// out.
    pub fn schema_files(&self) -> Vec<String> {
        let mut found = Vec::new();
        for root in self.roots() {
            let (settings, folder) = self.settings(root);
            let paths = settings.schemas().iter().filter_map(|path| path.to_str());
            found.extend(paths.map(|path| join_path(&folder, path)).filter(|path| is_in(path, &folder)));
        }
        found
    }

    /// Reads what the files of the workspace declare and call, until a limit ends it. Returns the number of directories with
    /// files, and whether all are read.
    pub fn read_index(&self) -> (usize, bool) {
        let index = self.index();
        (index.directories().count(), index.is_complete())
    }

    /// Adds the directories of modules that the settings for a directory map sources to.
    pub(crate) fn with_sources(&self, loader: ModuleLoader, directory: &str) -> ModuleLoader {
        let (settings, folder) = self.settings(directory);
        // The longest source is the most specific one.
        let mut mapped: Vec<_> = settings.modules().iter().collect();
        mapped.sort_by_key(|(source, _)| (std::cmp::Reverse(source.len()), *source));
        let paths = mapped
            .into_iter()
            .filter_map(|(source, path)| Some((source, join_path(&folder, path.to_str()?))));
        // As in the program, they are in the directory of the settings.
        paths
            .filter(|(_, path)| is_in(path, &folder))
            .fold(loader, |loader, (source, path)| loader.with_source(source, path))
    }
}

/// The extension of a file, such as `tf`, or `tf.json`.
fn extension(path: &str) -> &str {
    let name = name(path);
    let stem = name.strip_suffix(".json").unwrap_or(name);
    stem.rfind('.').map_or("", |at| &name[at..])
}
