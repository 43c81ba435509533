//! The directories that are evaluated: those with files of a language whose directories are modules. Modules that they call are read
//! from the same repository. Functions that read files are unknown, so that results depend on nothing else.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use hclkit::dialect::Dialect;
use hclkit::module::{self, Files, ModuleLoader};
use hclkit_tables::{Content, Entry};

use super::repos::InRepo;
use crate::args::LanguageOption;
use crate::host::Host;
use crate::input::Input;
use crate::module::{files, place};
use crate::sources::Sources;

/// A repository and its commit.
type Repository = (Option<Arc<str>>, Option<Arc<str>>);

/// Collects directories while their files are found.
pub(super) struct Directories {
    is_on: bool,
    /// Directories on disk with the names of their files.
    on_disk: BTreeMap<PathBuf, (InRepo, Vec<String>)>,
    /// The repository that the last file in memory is from, and its files.
    repository: Option<Repository>,
    in_memory: BTreeMap<String, Vec<u8>>,
    bytes: u64,
}

impl Directories {
    pub(super) fn new(is_on: bool) -> Self {
        let (on_disk, in_memory) = (BTreeMap::new(), BTreeMap::new());
        Self { is_on, on_disk, repository: None, in_memory, bytes: 0 }
    }

    /// Notes a file on disk.
    pub(super) fn found(&mut self, input: &Input, own: &InRepo) {
        let Some(path) = input.path().filter(|_| self.is_on) else { return };
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
        let folder = path.parent().unwrap_or(std::path::Path::new(""));
        let (inside, _) =
            own.path.rsplit_once('/').unwrap_or((if own.path.starts_with('/') { "/" } else { "." }, ""));
        let own = InRepo { path: inside.into(), ..own.clone() };
        let (_, names) = self.on_disk.entry(folder.to_owned()).or_insert_with(|| (own, Vec::new()));
        names.push(name.to_owned());
    }

    /// Notes a file in memory. If it is of another repository than the last one, returns the directories of that.
    pub(super) fn next(&mut self, entry: &Entry) -> Vec<Entry> {
        if !self.is_on {
            return Vec::new();
        }
        let repository = Some((entry.repo.clone(), entry.commit.clone()));
        let before = if repository == self.repository { Vec::new() } else { self.all() };
        self.repository = repository;
        if let Content::Bytes(bytes) = &entry.content {
            self.bytes += bytes.len() as u64;
            if self.bytes <= Host::current().max_size() {
                self.in_memory.insert(entry.path.to_string(), bytes.clone());
            } else {
                self.in_memory.clear();
            }
        }
        before
    }

    /// The directories of the repository.
    pub(super) fn all(&mut self) -> Vec<Entry> {
        let mut all = Vec::new();
        for (folder, (own, names)) in std::mem::take(&mut self.on_disk) {
            let Some(language) = language_of(names.iter().map(String::as_str)) else { continue };
            let load = move || on_disk(&language, &folder);
            let content = Content::Directory(Box::new(load));
            all.push(Entry { repo: own.repo, commit: own.commit, path: own.path, content });
        }
        let (bytes, files) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.in_memory));
        let Some((repo, commit)) = self.repository.take() else { return all };
        let most = Host::current().max_size();
        if bytes > most {
            let why =
                format!("the repository has more than {most} bytes, so its directories are not evaluated");
            let content = Content::Unread { bytes, code: "source-too-large", why };
            all.push(Entry { repo, commit, path: ".".into(), content });
            return all;
        }
        let files = Arc::new(files);
        let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in files.keys() {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            folders.entry(folder).or_default().push(name);
        }
        for (folder, names) in folders {
            let Some(language) = language_of(names.into_iter()) else { continue };
            let own = InMemory { files: files.clone(), base: folder.to_owned() };
            let load = move || loader(ModuleLoader::new(language.clone()).with_files(own), &language);
            let path = if folder.is_empty() { "." } else { folder };
            let content = Content::Directory(Box::new(load));
            all.push(Entry { repo: repo.clone(), commit: commit.clone(), path: path.into(), content });
        }
        all
    }
}

/// The language of a directory, if it can be evaluated.
fn language_of<'n>(names: impl Iterator<Item = &'n str>) -> Option<Arc<Dialect>> {
    Dialect::of_files(names).filter(|language| language.has_modules())
}

fn on_disk(language: &Arc<Dialect>, folder: &std::path::Path) -> ModuleLoader {
    let folder = if folder.as_os_str().is_empty() { ".".into() } else { folder.to_string_lossy() };
    match place(&folder, &LanguageOption::default()) {
        Some(place) => loader(files(language.clone(), &place, &[], &Sources::default()), language),
        // It is gone.
        None => loader(ModuleLoader::new(language.clone()), language),
    }
}

fn loader(loader: ModuleLoader, language: &Dialect) -> ModuleLoader {
    let functions = module::functions_without_files(language);
    loader.with_functions(functions).with_unknown_variables(true)
}

/// The files of a repository in memory, as a directory of it sees them.
#[derive(Clone)]
struct InMemory {
    files: Arc<BTreeMap<String, Vec<u8>>>,
    base: String,
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
        let below = self.files.range(prefix.clone()..).map_while(|(path, _)| path.strip_prefix(&prefix));
        let mut below = below.peekable();
        if below.peek().is_none() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(below.filter(|name| !name.contains('/')).map(str::to_owned).collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let path = self.path(path).ok_or(io::ErrorKind::PermissionDenied)?;
        self.files.get(&path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn is_inside(&self, path: &str) -> bool {
        let base = self.path("").unwrap_or_default();
        self.path(path).is_some_and(|path| path.starts_with(&base))
    }

    fn may_read(&self, path: &str) -> bool {
        self.path(path).is_some()
    }
}
