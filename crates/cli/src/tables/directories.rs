//! The directories that are evaluated: those with files of a language whose directories are modules. Modules that they call are read
//! from the same repository. Functions that read files are unknown, so that results depend on nothing else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::dialect::Dialect;
use hclkit::module::{Disk, ModuleLoader};
use hclkit_tables::repository::Counted;
use hclkit_tables::{Content, Entry, Repository, repository};

use super::repos::InRepo;
use crate::args::LanguageOption;
use crate::input::Input;
use crate::module::{DirectoryFiles, files, place};
use crate::signs::SignsOnDisk;
use crate::sources::Sources;

/// Collects directories while their files are found.
pub(super) struct Directories {
    is_on: bool,
    /// Directories on disk that the search has not left, with the names of their files.
    on_disk: BTreeMap<PathBuf, (InRepo, Vec<String>)>,
    in_memory: Repository,
    signs: SignsOnDisk,
    most_bytes: u64,
}

impl Directories {
    pub(super) fn new(is_on: bool, most_bytes: u64) -> Self {
        let in_memory = Repository::new(most_bytes);
        Self { is_on, on_disk: BTreeMap::new(), in_memory, signs: SignsOnDisk::default(), most_bytes }
    }

    /// Notes a file on disk. Returns the directories that the search has left.
    pub(super) fn found(&mut self, input: &Input, own: &InRepo) -> Vec<Entry> {
        let Some(path) = input.path().filter(|_| self.is_on) else { return Vec::new() };
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
        evaluated(left, &self.signs, self.most_bytes)
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
        let mut all = evaluated(std::mem::take(&mut self.on_disk), &self.signs, self.most_bytes);
        all.extend(self.in_memory.directories());
        all
    }
}

/// The directories on disk that can be evaluated.
fn evaluated(
    folders: BTreeMap<PathBuf, (InRepo, Vec<String>)>,
    signs: &SignsOnDisk,
    most_bytes: u64,
) -> Vec<Entry> {
    let one = |(folder, (own, names)): (PathBuf, (InRepo, Vec<String>))| {
        let language = repository::language_of(names.iter().map(String::as_str))?;
        let language = signs.of(&folder).language(&language).map_or(language, |(own, _)| own);
        let content = Content::Directory(Box::new(move || on_disk(&language, &folder, most_bytes)));
        Some(Entry { repo: own.repo, commit: own.commit, path: own.path, content })
    };
    folders.into_iter().filter_map(one).collect()
}

fn on_disk(language: &Arc<Dialect>, folder: &Path, most_bytes: u64) -> ModuleLoader {
    let folder = if folder.as_os_str().is_empty() { ".".into() } else { folder.to_string_lossy() };
    match place(&folder, &LanguageOption::default()) {
        Some(place) => {
            let loader = files(language.clone(), &place, &[], &Sources::default());
            let disk = Disk::new(&place.directory).with_max_size(most_bytes);
            let counted = Counted(DirectoryFiles::new(disk, &place.directory));
            repository::loader(loader.with_files(counted), language)
        }
        // It is gone.
        None => repository::loader(ModuleLoader::new(language.clone()), language),
    }
}
