//! Looks up files and settings: open documents come first, then what is on disk. What was looked up counts until somebody says
//! that something has changed. Of files that are not open, few are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use hclkit::dialect::Dialect;
use hclkit::module::{MOST_SIGN_BYTES, ModuleLoader, Signs, join_path};
use hclkit_settings::Settings;

use crate::Snapshot;
use crate::file::File;
use crate::files::{Entry, is_in, name, parent};
use crate::sync::lock;

/// How many bytes of closed files are kept as parsed documents.
const MOST_CLOSED: usize = 8 << 20;
/// How many directories are remembered. More are read only for the index, which keeps what it needs.
const MOST_DIRECTORIES: usize = 1_000;

/// What was looked up since something changed.
#[derive(Debug, Default)]
pub(crate) struct LookupCache {
    settings: BTreeMap<String, OfDirectory>,
    /// What the files around directories say about applications.
    signs: BTreeMap<String, Arc<Signs>>,
    lists: BTreeMap<String, Arc<[Entry]>>,
    files: BTreeMap<String, Arc<File>>,
}

/// Settings, or what is wrong with them, and their directory.
type OfDirectory = (Result<Arc<Settings>, String>, Arc<str>);

/// Parsed files that are not open, with the states of the files when they were read.
#[derive(Debug, Default)]
pub(crate) struct Closed {
    files: BTreeMap<String, (u64, Arc<File>)>,
    bytes: usize,
}

impl Snapshot {
    /// Whether the workspace may read a file or directory.
    pub(crate) fn may_read(&self, path: &str) -> bool {
        // The same answer for what does not exist.
        let resolved = self.resolve(path).unwrap_or_else(|_| path.to_owned());
        self.is_granted(&resolved)
    }

    /// The text of a file, open or not.
    ///
    /// # Errors
    /// It cannot be read, or must not be.
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if let Some(file) = self.kept(path) {
            return Ok(file.document().source().bytes().to_vec());
        }
        self.files().read(&self.target(path)?)
    }

    /// The path of a file without links.
    ///
    /// # Errors
    /// There is no such file, or it must not be read.
    fn target(&self, path: &str) -> io::Result<String> {
        let resolved = self.resolve(path)?;
        if !self.is_granted(&resolved) {
            let why = "it is outside of the directories of the workspace";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        // Otherwise, a module could have any file read: messages show parts of what is read.
        if extension(&resolved) != extension(path) {
            return Err(io::Error::other("it is a link to a file with another extension"));
        }
        Ok(resolved)
    }

    /// The names of the files in a directory, with those of open documents.
    ///
    /// # Errors
    /// The directory cannot be read, or must not be.
    pub(crate) fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let open = self.open_files().map(|file| file.path()).filter(|path| parent(path) == directory);
        let mut names: BTreeSet<String> = open.map(|path| name(path).to_owned()).collect();
        let listed = self.entries(directory);
        match listed {
            Ok(entries) => {
                let files = entries.iter().filter(|entry| !entry.is_directory);
                names.extend(files.map(|entry| entry.name.clone()));
            }
            Err(error) if names.is_empty() => return Err(error),
            Err(_) => {}
        }
        Ok(names.into_iter().collect())
    }

    /// What is on disk in a directory.
    fn entries(&self, directory: &str) -> io::Result<Arc<[Entry]>> {
        if let Some(known) = lock(self.looked()).lists.get(directory) {
            return Ok(known.clone());
        }
        if !self.may_read(directory) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let entries: Arc<[Entry]> = self.files().list(directory)?.into();
        let lists = &mut lock(self.looked()).lists;
        if lists.len() < MOST_DIRECTORIES {
            lists.insert(directory.to_owned(), entries.clone());
        }
        Ok(entries)
    }

    /// The directories in a directory. Links are left out.
    pub(crate) fn directories(&self, directory: &str) -> Vec<String> {
        let Ok(entries) = self.entries(directory) else { return Vec::new() };
        let own = entries.iter().filter(|entry| entry.is_directory && !entry.is_link);
        own.map(|entry| entry.name.clone()).collect()
    }

    /// The path without links.
    pub(crate) fn resolve(&self, path: &str) -> io::Result<String> {
        self.files().resolve(path)
    }

    /// A file, open or not. `None` if it cannot be read.
    pub fn file(&self, path: &str) -> Option<Arc<File>> {
        if let Some(file) = self.kept(path) {
            return Some(file);
        }
        let file = self.closed_file(path)?;
        lock(self.looked()).files.insert(path.to_owned(), file.clone());
        Some(file)
    }

    /// A file that is open, or that was looked up since something changed.
    pub(crate) fn kept(&self, path: &str) -> Option<Arc<File>> {
        self.open_file(path).cloned().or_else(|| lock(self.looked()).files.get(path).cloned())
    }

    /// A file on disk. One that has not changed is not read again.
    fn closed_file(&self, path: &str) -> Option<Arc<File>> {
        let target = self.target(path).ok()?;
        // The state comes before the text: if the file changes between them, it is read once more.
        let stamp = self.files().stamp(&target).ok()?;
        if let Some((known, file)) = lock(self.closed()).files.get(path)
            && *known == stamp
        {
            return Some(file.clone());
        }
        let text = self.files().read(&target).ok()?;
        let size = text.len();
        let file = Arc::new(File::new(path, text, None, self.dialect_of(path)));
        let mut closed = lock(self.closed());
        if closed.bytes + size > MOST_CLOSED {
            *closed = Closed::default();
        }
        closed.bytes += size;
        if let Some((_, before)) = closed.files.insert(path.to_owned(), (stamp, file.clone())) {
            closed.bytes = closed.bytes.saturating_sub(before.text().len());
        }
        Some(file)
    }

    /// The settings for files in a directory: those of the nearest `hcl.toml`, with its directory.
    pub(crate) fn settings(&self, directory: &str) -> (Arc<Settings>, Arc<str>) {
        let (settings, folder) = self.settings_or_error(directory);
        (settings.unwrap_or_default(), folder)
    }

    pub(crate) fn settings_or_error(&self, directory: &str) -> OfDirectory {
        if let Some(known) = lock(self.looked()).settings.get(directory) {
            return known.clone();
        }
        let found = self.read_settings(directory);
        lock(self.looked()).settings.insert(directory.to_owned(), found.clone());
        found
    }

    fn read_settings(&self, directory: &str) -> OfDirectory {
        let Some((_, text, at)) = self.nearest(directory, Settings::NAME) else {
            return (Ok(Arc::default()), directory.into());
        };
        let text = String::from_utf8(text).map_err(|error| error.to_string());
        (text.and_then(|text| Settings::parse(&text)).map(Arc::new), at.into())
    }

    /// The file with a name in a directory, or in the nearest one around it that has one: its path, its text and its directory.
    pub(crate) fn nearest<'d>(&self, directory: &'d str, name: &str) -> Option<(String, Vec<u8>, &'d str)> {
        let mut at = directory;
        loop {
            let path = format!("{}/{name}", at.trim_end_matches('/'));
            if let Ok(text) = self.read(&path) {
                return Some((path, text, at));
            }
            if parent(at) == at || parent(at).is_empty() || !self.may_read(parent(at)) {
                return None;
            }
            at = parent(at);
        }
    }

    /// What the files around a directory say about its application.
    pub(crate) fn signs(&self, directory: &str) -> Arc<Signs> {
        if let Some(known) = lock(self.looked()).signs.get(directory) {
            return known.clone();
        }
        let around = std::iter::successors(Some(directory), |&at| {
            let outer = parent(at);
            (outer != at && !outer.is_empty() && self.may_read(outer)).then_some(outer)
        });
        let signs = Signs::of(around, |at, name| {
            let text = self.read(&format!("{}/{name}", at.trim_end_matches('/'))).ok()?;
            (text.len() as u64 <= MOST_SIGN_BYTES).then_some(text)
        });
        let signs = Arc::new(signs);
        lock(self.looked()).signs.insert(directory.to_owned(), signs.clone());
        signs
    }

    /// The language of a directory with these files, also as the files around it say.
    pub(crate) fn language_in<'n>(
        &self,
        directory: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Option<Arc<Dialect>> {
        let by_names = self.language_of(names)?;
        let signs = self.signs(directory);
        Some(signs.language(&by_names).map_or(by_names.clone(), |(language, _)| language))
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

    /// The directory with packed schemas of providers that the settings name, if it is in the directory of the settings.
    pub fn schema_cache_directory(&self) -> Option<String> {
        self.roots().iter().find_map(|root| {
            let (settings, folder) = self.settings(root);
            let path = join_path(&folder, settings.schema_cache()?);
            is_in(&path, &folder).then_some(path)
        })
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
