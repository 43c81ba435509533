//! The files around a directory that say which application it is for, on disk.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hclkit::dialect::Dialect;
use hclkit::limits::path_on_disk;
use hclkit::module::{MOST_SIGN_BYTES, Signs};

/// The signs of directories. Each is only looked for once.
#[derive(Debug, Default)]
pub(crate) struct SignsOnDisk(Mutex<HashMap<PathBuf, Arc<Signs>>>);

impl SignsOnDisk {
    /// The signs of a directory.
    pub(crate) fn of(&self, directory: &Path) -> Arc<Signs> {
        let known = |all: &HashMap<PathBuf, Arc<Signs>>| all.get(directory).cloned();
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known(&lock()) {
            return known;
        }
        let signs = Arc::new(signs_of(directory));
        lock().insert(directory.to_owned(), signs.clone());
        signs
    }
}

/// The signs in a directory and in those around it, up to that of the repository or the current one.
pub(crate) fn signs_of(directory: &Path) -> Signs {
    let own = path_on_disk(directory);
    let Ok(own) = std::path::absolute(own) else { return Signs::default() };
    let own = own.canonicalize().unwrap_or(own);
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok();
    let last = own
        .ancestors()
        .find(|path| path.join(".git").symlink_metadata().is_ok())
        .or_else(|| here.as_deref().filter(|here| own.starts_with(here)))
        .unwrap_or(&own);
    let around = own.ancestors().take_while(|path| path.starts_with(last));
    Signs::of(around, |directory, name| {
        let path = directory.join(name);
        let is_file = path.metadata().is_ok_and(|found| found.is_file() && found.len() <= MOST_SIGN_BYTES);
        is_file.then(|| std::fs::read(&path).ok()).flatten()
    })
}

/// The language of a directory that has files of one according to their names, as the files around it say.
pub(crate) fn language_of(directory: &Path, by_names: &Arc<Dialect>) -> Arc<Dialect> {
    let signs = signs_of(directory);
    signs.language(by_names).map_or_else(|| by_names.clone(), |(language, _)| language)
}
