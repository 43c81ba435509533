//! The files around a directory that say which application it is for, on disk.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hclkit::dialect::Dialect;
use hclkit::limits::path_on_disk;
use hclkit::module::{MOST_SIGN_BYTES, Signs};

/// The signs of directories. Each directory is only looked at once, also as one around others.
#[derive(Debug, Default)]
pub(crate) struct SignsOnDisk {
    signs: Mutex<HashMap<PathBuf, Arc<Signs>>>,
    folders: Mutex<HashMap<PathBuf, Arc<Folder>>>,
    /// The current directory.
    here: std::sync::OnceLock<Option<PathBuf>>,
}

/// A directory, without links.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// Whether it is the directory of a repository.
    is_repository: bool,
    /// Files that were asked for.
    files: Mutex<HashMap<String, Option<Vec<u8>>>>,
    around: Option<Arc<Self>>,
}

impl SignsOnDisk {
    /// The signs of a directory.
    pub(crate) fn of(&self, directory: &Path) -> Arc<Signs> {
        let lock = || self.signs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(directory).cloned() {
            return known;
        }
        let signs = Arc::new(self.find(directory));
        lock().insert(directory.to_owned(), signs.clone());
        signs
    }

    /// The signs in a directory and in those around it, up to that of the repository or the current one.
    fn find(&self, directory: &Path) -> Signs {
        let own = path_on_disk(directory);
        let Ok(own) = std::path::absolute(own) else { return Signs::default() };
        let own = self.folder(&own);
        let around = || std::iter::successors(Some(&own), |folder| folder.around.as_ref());
        let here =
            self.here.get_or_init(|| std::env::current_dir().and_then(|here| here.canonicalize()).ok());
        let last = around()
            .position(|folder| folder.is_repository)
            .or_else(|| around().position(|folder| Some(&folder.path) == here.as_ref()));
        Signs::of(around().take(last.unwrap_or(0) + 1), |folder, name| folder.read(name))
    }

    /// A directory with those around it, from the root on, so that each is looked at once.
    fn folder(&self, path: &Path) -> Arc<Folder> {
        let lock = || self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut around: Option<Arc<Folder>> = None;
        let mut all: Vec<&Path> = path.ancestors().collect();
        all.reverse();
        for path in all {
            if let Some(known) = lock().get(path).cloned() {
                around = Some(known);
                continue;
            }
            // A link, or `..`.
            let is_elsewhere = path.symlink_metadata().is_ok_and(|found| found.is_symlink())
                || path.file_name().is_none() && path.parent().is_some();
            let real = if is_elsewhere { path.canonicalize().ok() } else { None };
            let folder = if let Some(real) = real {
                self.folder(&real)
            } else {
                let inside = around.as_ref().zip(path.file_name());
                let inside = inside.map(|(around, name)| around.path.join(name));
                let path = inside.unwrap_or_else(|| path.to_owned());
                let is_repository = path.join(".git").symlink_metadata().is_ok();
                Arc::new(Folder { path, is_repository, files: Mutex::default(), around })
            };
            lock().insert(path.to_owned(), folder.clone());
            around = Some(folder);
        }
        around.unwrap_or_else(|| {
            let path = path.to_owned();
            Arc::new(Folder { path, is_repository: false, files: Mutex::default(), around: None })
        })
    }
}

impl Folder {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || {
            let path = self.path.join(name);
            let found = path.metadata().ok()?;
            (found.is_file() && found.len() <= MOST_SIGN_BYTES).then(|| std::fs::read(&path).ok()).flatten()
        };
        files.entry(name.to_owned()).or_insert_with(read).clone()
    }
}

/// The signs in a directory and in those around it.
pub(crate) fn signs_of(directory: &Path) -> Signs {
    SignsOnDisk::default().find(directory)
}

/// The language of a directory that has files of one according to their names, as the files around it say.
pub(crate) fn language_of(directory: &Path, by_names: &Arc<Dialect>) -> Arc<Dialect> {
    let signs = signs_of(directory);
    signs.language(by_names).map_or_else(|| by_names.clone(), |(language, _)| language)
}
