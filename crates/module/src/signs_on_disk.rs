//! The files around a directory that say which application it is for, on disk.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hclkit_dialect::Dialect;
use hclkit_limits::path_on_disk;

use crate::signs::{MOST_SIGN_BYTES, Signs};

/// The signs of directories. Each directory is only looked at once, also as one around others.
#[derive(Debug)]
#[doc(hidden)]
pub struct SignsOnDisk {
    folders: Mutex<HashMap<PathBuf, Arc<Folder>>>,
    /// The current directory.
    here: Option<PathBuf>,
    /// The names of the files.
    names: Vec<String>,
    /// Those of them that directories have, if all of their files are known.
    listed: HashMap<PathBuf, Vec<String>>,
}

/// A directory, without links.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    is_repository: bool,
    /// Whether it is the current directory.
    is_here: bool,
    /// The files that it has.
    files: Vec<(String, Vec<u8>)>,
    around: Option<Arc<Self>>,
    signs: OnceLock<Arc<Signs>>,
}

impl Default for SignsOnDisk {
    fn default() -> Self {
        let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok();
        Self { folders: Mutex::default(), here, names: Signs::files().collect(), listed: HashMap::new() }
    }
}

impl SignsOnDisk {
    /// Notes all files of a directory, so that it is not searched for others.
    pub fn list<'n>(&mut self, directory: &Path, names: impl Iterator<Item = &'n String>) {
        if let Ok(own) = std::path::absolute(path_on_disk(directory)) {
            let signs = names.filter(|name| self.names.contains(name)).cloned().collect();
            self.listed.insert(own, signs);
        }
    }

    /// The signs in a directory and in those around it, up to that of the repository or the current one. Without any of these, only
    /// the directory itself counts.
    pub fn of(&self, directory: &Path) -> Arc<Signs> {
        let own = path_on_disk(directory);
        let Ok(own) = std::path::absolute(own) else { return Arc::default() };
        let own = self.folder(&own);
        own.signs()
    }

    /// What the files in and around directories say, as a text for a fingerprint. Directories that do not count are not in it.
    pub fn text_of<'p>(&self, directories: impl Iterator<Item = &'p Path>) -> String {
        let mut all = BTreeSet::new();
        for directory in directories {
            let Ok(own) = std::path::absolute(path_on_disk(directory)) else { continue };
            let own = self.folder(&own);
            for folder in own.chain().take(own.count()) {
                #[allow(
                    clippy::unnecessary_debug_formatting,
                    reason = "paths that are not UTF-8 stay different"
                )]
                let text = format!("{:?} {} {:?}\n", folder.path, folder.is_repository, folder.files);
                all.insert(text);
            }
            // A path may lead elsewhere.
            #[allow(
                clippy::unnecessary_debug_formatting,
                reason = "paths that are not UTF-8 stay different"
            )]
            all.insert(format!("{directory:?} {:?}\n", own.path));
        }
        all.into_iter().collect()
    }

    /// The language of a directory that has files of one according to their names, as the files around it say.
    pub fn language(&self, directory: &Path, by_names: &Arc<Dialect>) -> Arc<Dialect> {
        self.of(directory).language(by_names).map_or_else(|| by_names.clone(), |(language, _)| language)
    }

    /// A directory with those around it, from the root on, so that each is looked at once.
    fn folder(&self, path: &Path) -> Arc<Folder> {
        let lock = || self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(path).cloned() {
            return known;
        }
        let around = path.parent().map(|above| self.folder(above));
        // A link, or `..`.
        let is_elsewhere = path.symlink_metadata().is_ok_and(|found| found.is_symlink())
            || path.file_name().is_none() && around.is_some();
        let real = if is_elsewhere { path.canonicalize().ok() } else { None };
        let folder = if let Some(real) = real {
            self.folder(&real)
        } else {
            let inside = around.as_ref().zip(path.file_name());
            let path = inside.map_or_else(|| path.to_owned(), |(around, name)| around.path.join(name));
            let is_here = self.here.as_ref() == Some(&path);
            let is_repository = path.join(".git").symlink_metadata().is_ok();
            let read = |name: &String| Some((name.clone(), read(&path.join(name))?));
            let names = self.listed.get(&path).unwrap_or(&self.names);
            let files = names.iter().filter_map(read).collect();
            Arc::new(Folder { path, is_repository, is_here, files, around, signs: OnceLock::new() })
        };
        lock().insert(path.to_owned(), folder.clone());
        folder
    }
}

impl Folder {
    /// The directory and those around it.
    fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |folder| folder.around.as_deref())
    }

    /// How many directories count.
    fn count(&self) -> usize {
        let repository = self.chain().position(|folder| folder.is_repository);
        repository.or_else(|| self.chain().position(|folder| folder.is_here)).map_or(1, |at| at + 1)
    }

    /// The signs in the directories that count.
    fn signs(&self) -> Arc<Signs> {
        let find = || match (&self.around, self.count()) {
            (Some(around), 2..) if self.files.is_empty() => around.signs(),
            (_, count) => Arc::new(self.read(count)),
        };
        self.signs.get_or_init(find).clone()
    }

    /// The signs in so many directories.
    fn read(&self, count: usize) -> Signs {
        Signs::of(self.chain().take(count), |folder, name| {
            let file = folder.files.iter().find(|(own, _)| own == name);
            file.map(|(_, text)| text.clone())
        })
    }
}

/// Reads a small file.
fn read(path: &Path) -> Option<Vec<u8>> {
    let found = path.metadata().ok()?;
    if found.is_file() && found.len() <= MOST_SIGN_BYTES { std::fs::read(path).ok() } else { None }
}
