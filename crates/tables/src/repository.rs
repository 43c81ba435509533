//! The directories of a repository that are evaluated, and its files in memory: modules that a directory calls are read from the
//! same repository.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;
use std::sync::Arc;

use hclkit::Document;
use hclkit::dialect::Dialect;
use hclkit::limits::Meter;
use hclkit::module::{self, Files, ModuleLoader, Signs};

use crate::budget::{Allowance, Budget, Held};
use crate::entry::{Content, Entry};
use crate::weight;

/// A repository and its commit.
type Name = (Option<Arc<str>>, Option<Arc<str>>);

/// The files of a repository, of which there are at most so many bytes.
#[derive(Debug)]
pub struct Repository {
    most_bytes: u64,
    /// The bytes of the files of all repositories that are in memory.
    budget: Budget,
    held: Vec<Held>,
    name: Option<Name>,
    /// Whether paths start with `/`, as those of files on disk can.
    is_absolute: bool,
    /// The files by their paths, without `/` at the start.
    files: BTreeMap<String, Vec<u8>>,
    bytes: u64,
}

/// What each file in memory takes besides its content.
const FILE: u64 = 256;

impl Repository {
    /// A repository whose directories are not evaluated if its files have more bytes. The files of earlier repositories count until
    /// their directories are evaluated: at most twice as many bytes are in memory.
    pub fn new(most_bytes: u64) -> Self {
        let budget = Budget::new(most_bytes.saturating_mul(2));
        Self {
            most_bytes,
            budget,
            held: Vec::new(),
            name: None,
            is_absolute: false,
            files: BTreeMap::new(),
            bytes: 0,
        }
    }

    /// Returns the directories of the last repository, if an entry is of another one. They must be emitted before the entry is
    /// added, because that waits until they are evaluated if there is too little memory for both.
    pub fn before(&mut self, entry: &Entry) -> Vec<Entry> {
        let name = Some((entry.repo.clone(), entry.commit.clone()));
        let before = if name == self.name { Vec::new() } else { self.directories() };
        self.name = name;
        before
    }

    /// Adds a file.
    pub fn add(&mut self, entry: &Entry) {
        let Content::Bytes(bytes) = &entry.content else { return };
        let size = bytes.len() as u64 + entry.path.len() as u64 + FILE;
        self.bytes += size;
        // If they are too many, there is nothing to wait for.
        let fits = self.bytes <= self.most_bytes;
        if let Some(held) = fits.then(|| self.budget.acquire(size)).and_then(Result::ok) {
            self.held.push(held);
            self.is_absolute = entry.path.starts_with('/');
            self.files.insert(entry.path.trim_start_matches('/').to_owned(), bytes.clone());
        } else {
            self.files.clear();
            self.held.clear();
        }
    }

    /// The directories that can be evaluated. Afterwards, there are no files.
    pub fn directories(&mut self) -> Vec<Entry> {
        let (bytes, files) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.files));
        let Some((repo, commit)) = self.name.take() else { return Vec::new() };
        let entry = |path: &str, content| Entry {
            repo: repo.clone(),
            commit: commit.clone(),
            path: path.into(),
            content,
        };
        let most = self.most_bytes;
        if bytes > most {
            let why =
                format!("the repository has more than {most} bytes, so its directories are not evaluated");
            return vec![entry(".", Content::Unread { bytes, code: "source-too-large", why })];
        }
        let files = Arc::new(InMemoryFiles { files, _held: std::mem::take(&mut self.held) });
        let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in files.files.keys() {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            folders.entry(folder).or_default().push(name);
        }
        let one = |(folder, names): (&str, Vec<&str>)| {
            let language = language_of(names)?;
            let around = std::iter::successors(Some(folder), |folder| {
                (!folder.is_empty()).then(|| folder.rsplit_once('/').map_or("", |(outer, _)| outer))
            });
            let signs = Signs::of(around, |folder, name| {
                let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
                files.files.get(&path).cloned()
            });
            let language = signs.language(&language).map_or(language.clone(), |(own, _)| own);
            let own = InMemory { files: files.clone(), base: folder.to_owned() };
            let load = move || {
                loader(ModuleLoader::new(language.clone()).with_files(Counted(own.clone())), &language)
            };
            let path = match (self.is_absolute, folder) {
                (true, _) => format!("/{folder}"),
                (false, "") => ".".to_owned(),
                (false, _) => folder.to_owned(),
            };
            Some(entry(&path, Content::Directory(Box::new(load))))
        };
        folders.into_iter().filter_map(one).collect()
    }
}

/// The language of a directory with these files, if it can be evaluated.
pub fn language_of<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<Arc<Dialect>> {
    Dialect::of_files(names).filter(|language| language.has_modules())
}

/// Sets what applies to all directories: functions that read files are unknown, so that results depend on nothing else, and
/// variables without values are, too.
pub fn loader(loader: ModuleLoader, language: &Dialect) -> ModuleLoader {
    let functions = module::functions_without_files(language);
    loader.with_functions(functions).with_unknown_variables(true)
}

/// The directories of entries, instead of their files. The files of a repository come one after another. Directories stay as they are.
pub(crate) struct Directories<I> {
    entries: I,
    repository: Repository,
    reading: Budget,
    ready: VecDeque<Entry>,
}

impl<I> Directories<I> {
    pub(crate) fn new(entries: I, most_bytes: u64) -> Self {
        let (repository, reading) = (Repository::new(most_bytes), Budget::new(most_bytes));
        Self { entries, repository, reading, ready: VecDeque::new() }
    }

    /// Whether those that were emitted must be evaluated before others are read, which would wait for them.
    pub(crate) fn must_wait(&self) -> bool {
        self.ready.is_empty() && self.repository.budget.used() > self.repository.most_bytes
    }
}

impl<I: Iterator<Item = Entry>> Iterator for Directories<I> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Some(entry);
            }
            let Some(mut entry) = self.entries.next() else {
                self.ready.extend(self.repository.directories());
                return self.ready.pop_front();
            };
            if let Content::Directory(_) = entry.content {
                self.ready.extend(self.repository.directories());
                self.ready.push_back(entry);
                continue;
            }
            self.ready.extend(self.repository.before(&entry));
            if let Content::Later(read) = entry.content {
                let unread = |error: io::Error| Content::Unread {
                    bytes: 0,
                    code: "unreadable-file",
                    why: error.to_string(),
                };
                let mut allowance = Allowance::new(&self.reading);
                entry.content = read(&mut allowance).map_or_else(unread, Content::Bytes);
            }
            self.repository.add(&entry);
            // It has no rows in these tables, but counts as left out.
            if let Content::Unread { .. } = entry.content {
                self.ready.push_back(entry);
            }
        }
    }
}

/// Files that an evaluation reads. What they become when they are parsed counts as text that it creates, which is in memory about
/// twice.
#[doc(hidden)]
#[derive(Debug)]
pub struct Counted<F>(pub F);

impl<F: Files> Files for Counted<F> {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        self.0.list(directory)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = self.0.read(path)?;
        let taken =
            Meter::current().take_bytes(usize::try_from(weight::of(&bytes) / 2).unwrap_or(usize::MAX));
        taken.map_err(|exceeded| io::Error::new(io::ErrorKind::FileTooLarge, exceeded.to_string()))?;
        Ok(bytes)
    }

    fn parsed(&self, path: &str) -> Option<Document> {
        self.0.parsed(path)
    }

    fn is_inside(&self, path: &str) -> bool {
        self.0.is_inside(path)
    }

    fn may_read(&self, path: &str) -> bool {
        self.0.may_read(path)
    }

    fn name(&self, path: &str) -> String {
        self.0.name(path)
    }
}

/// The files of a repository in memory, as a directory of it sees them.
#[derive(Clone)]
struct InMemory {
    files: Arc<InMemoryFiles>,
    base: String,
}

/// Files, and the bytes that they hold.
struct InMemoryFiles {
    files: BTreeMap<String, Vec<u8>>,
    _held: Vec<Held>,
}

impl fmt::Debug for InMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InMemory").field("base", &self.base).finish_non_exhaustive()
    }
}

impl InMemory {
    /// A path in the repository. `None` if it leads outside.
    fn path(&self, path: &str) -> Option<String> {
        let mut parts: Vec<&str> = self.base.split('/').filter(|part| !part.is_empty()).collect();
        if path.starts_with('/') {
            return None;
        }
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()?),
                _ => parts.push(part),
            }
        }
        Some(parts.join("/"))
    }
}

impl Files for InMemory {
    fn list(&self, directory: &str) -> io::Result<Vec<String>> {
        let directory = self.path(directory).ok_or(io::ErrorKind::PermissionDenied)?;
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let below =
            self.files.files.range(prefix.clone()..).map_while(|(path, _)| path.strip_prefix(&prefix));
        let mut below = below.peekable();
        if below.peek().is_none() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(below.filter(|name| !name.contains('/')).map(str::to_owned).collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let path = self.path(path).ok_or(io::ErrorKind::PermissionDenied)?;
        self.files.files.get(&path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn is_inside(&self, path: &str) -> bool {
        let base = self.path("").unwrap_or_default();
        let below = |path: String| {
            let rest = path.strip_prefix(&base)?;
            Some(base.is_empty() || rest.is_empty() || rest.starts_with('/'))
        };
        self.path(path).and_then(below).unwrap_or(false)
    }

    fn may_read(&self, path: &str) -> bool {
        self.path(path).is_some()
    }
}
