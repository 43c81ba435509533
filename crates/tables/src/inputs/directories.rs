//! The directories that are evaluated: those with files of a language whose directories are modules. Modules that they call are read
//! from the same repository. Functions that read files are unknown, so that results depend on nothing else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::dialect::Dialect;
use hclkit::limits::path_on_disk;
use hclkit::module::{Disk, ModuleLoader, SignsOnDisk};
use hclkit_files::{ObservedDisk, Observer};

use super::repos::InRepo;
use crate::entry::{Content, Entry};
use crate::repository::{self, Counted, Repository};

/// Collects directories while their files are found.
pub(super) struct Directories {
    is_on: bool,
    /// Directories on disk that the search has not left, with the names of their files.
    on_disk: BTreeMap<PathBuf, (InRepo, Vec<String>)>,
    in_memory: Repository,
    signs: SignsOnDisk,
    most_bytes: u64,
    observer: Arc<dyn Observer>,
    /// The directory that is searched, whose files modules may read.
    root: Option<PathBuf>,
}

impl Directories {
    pub(super) fn new(is_on: bool, most_bytes: u64, observer: Arc<dyn Observer>) -> Self {
        let (in_memory, signs) = (Repository::new(most_bytes), SignsOnDisk::default());
        Self { is_on, on_disk: BTreeMap::new(), in_memory, signs, most_bytes, observer, root: None }
    }

    /// Lets modules read the files of a directory, in addition to their repository.
    pub(super) fn with_root(self, root: &Path) -> Self {
        Self { root: Some(root.to_owned()), ..self }
    }

    /// Notes a file on disk. Returns the directories that the search has left.
    pub(super) fn found(&mut self, path: &Path, own: &InRepo) -> Vec<Entry> {
        if !self.is_on {
            return Vec::new();
        }
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
        let folder = path.parent().unwrap_or(Path::new(""));
        let (around, left) =
            std::mem::take(&mut self.on_disk).into_iter().partition(|(above, _)| folder.starts_with(above));
        self.on_disk = around;
        let (inside, _) =
            own.path.rsplit_once('/').unwrap_or((if own.path.starts_with('/') { "/" } else { "." }, ""));
        let own = InRepo { path: inside.into(), ..own.clone() };
        let (_, names) = self.on_disk.entry(folder.to_owned()).or_insert_with(|| (own, Vec::new()));
        names.push(name.to_owned());
        self.evaluated(left)
    }

    /// The directories of the last repository, if a file in memory is of another one. They must be emitted before it is added.
    pub(super) fn before(&mut self, entry: &Entry) -> Vec<Entry> {
        if self.is_on { self.in_memory.before(entry) } else { Vec::new() }
    }

    /// Notes a file in memory.
    pub(super) fn add(&mut self, entry: &Entry) {
        if self.is_on {
            self.in_memory.add(entry);
        }
    }

    /// The directories that are left.
    pub(super) fn all(&mut self) -> Vec<Entry> {
        let left = std::mem::take(&mut self.on_disk);
        let mut all = self.evaluated(left);
        all.extend(self.in_memory.directories());
        all
    }

    /// The directories on disk that can be evaluated.
    fn evaluated(&self, folders: BTreeMap<PathBuf, (InRepo, Vec<String>)>) -> Vec<Entry> {
        let one = |(folder, (own, names)): (PathBuf, (InRepo, Vec<String>))| {
            let language = repository::language_of(names.iter().map(String::as_str))?;
            let language = self.signs.language(&folder, &language);
            let disk = Disk::new(&folder).with_max_size(self.most_bytes);
            let disk = self.root.iter().fold(disk, Disk::with_readable);
            let observer = self.observer.clone();
            let load = move || on_disk(&language, &folder, disk.clone(), observer.clone());
            let content = Content::Directory(Box::new(load));
            Some(Entry { repo: own.repo, commit: own.commit, path: own.path, content })
        };
        folders.into_iter().filter_map(one).collect()
    }
}

fn on_disk(language: &Arc<Dialect>, folder: &Path, disk: Disk, observer: Arc<dyn Observer>) -> ModuleLoader {
    let folder = path_on_disk(folder);
    let files = Counted(ObservedDisk::new(disk, folder, observer));
    let loader = ModuleLoader::new(language.clone()).with_directory(folder).with_files(files);
    repository::loader(loader, language)
}
