//! The files of a working tree that are not in its index and that Git does not ignore.

use std::collections::HashSet;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use hclkit::render::FailedFile;

use crate::ignores::Ignores;
use crate::selection::unreadable;
use crate::walk::{Kind, Walk};

/// The new files below a directory, relative to it. A repository in the directory counts as one of them, and is not entered.
///
/// # Errors
/// A directory or an ignore file cannot be read.
pub fn untracked<S: BuildHasher>(
    top: &Path,
    tracked: &HashSet<PathBuf, S>,
) -> Result<Vec<PathBuf>, FailedFile> {
    let mut new = Vec::new();
    let mut walk = Walk::new(top, false).map_err(|error| unreadable(top, &error))?;
    let mut ignores = Ignores::new(top).map_err(|(path, why)| unreadable(&path, &why))?.of_git();
    while let Some(entry) = walk.next() {
        let entry = entry.map_err(|(path, error)| unreadable(&path, &error))?;
        let is_folder = entry.kind == Kind::Folder;
        let is_ignored = ignores.skips(&entry.inside, entry.depth, is_folder).is_some();
        if is_ignored || entry.name == ".git" || tracked.contains(&entry.inside) {
            continue;
        }
        if !is_folder {
            new.push(entry.inside);
            continue;
        }
        walk.enter(&entry).map_err(|error| unreadable(&entry.path, &error))?;
        if walk.has(".git") {
            walk.leave();
            new.push(entry.inside);
            continue;
        }
        let entered = ignores.enter(&entry.path, &entry.inside, |name| walk.has(name));
        entered.map_err(|(path, why)| unreadable(&path, &why))?;
    }
    Ok(new)
}
