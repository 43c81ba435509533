//! Walks through a directory: entries in the order of their names, each directory before its entries. The caller decides
//! which directories are entered.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A walk through a directory.
#[derive(Debug)]
pub(super) struct Walk {
    /// The directories that contain the next entry, from the outside in.
    levels: Vec<Level>,
    /// Whether to follow symbolic links to directories.
    follow: bool,
}

/// A directory whose entries are not all visited yet.
#[derive(Debug)]
struct Level {
    /// The path as specified, without `./` at its start.
    path: PathBuf,
    /// The path in the directory in which the walk began.
    inside: PathBuf,
    /// The canonical path, if links are followed.
    canonical: Option<PathBuf>,
    entries: std::vec::IntoIter<(OsString, fs::FileType)>,
}

/// An entry of a directory.
#[derive(Debug)]
pub(super) struct Visited {
    /// The path as specified, without `./` at its start.
    pub(super) path: PathBuf,
    /// The path in the directory in which the walk began.
    pub(super) inside: PathBuf,
    pub(super) name: OsString,
    pub(super) kind: Kind,
    /// How many directories contain the entry, from the one in which the walk began.
    pub(super) depth: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    /// A regular file.
    File,
    /// A symbolic link to something other than a directory.
    Link,
    /// A link to a directory that is not followed, a pipe, or a device.
    Other,
}

impl Walk {
    /// # Errors
    /// If the directory cannot be read.
    pub(super) fn new(folder: &Path, follow: bool) -> io::Result<Self> {
        let path = folder.strip_prefix("./").unwrap_or(folder).to_owned();
        let canonical = follow.then(|| folder.canonicalize()).transpose()?;
        let level = Level { path, inside: PathBuf::new(), canonical, entries: entries(folder)? };
        Ok(Self { levels: vec![level], follow })
    }

    /// Visits the entries of this directory next.
    ///
    /// # Errors
    /// If the directory cannot be read, or is a link to one that contains it.
    pub(super) fn enter(&mut self, folder: &Visited) -> io::Result<()> {
        let canonical = self.follow.then(|| folder.path.canonicalize()).transpose()?;
        if canonical.is_some() && self.levels.iter().any(|level| level.canonical == canonical) {
            return Err(io::Error::other("the symbolic link leads to a directory that contains it"));
        }
        let (path, inside) = (folder.path.clone(), folder.inside.clone());
        self.levels.push(Level { path, inside, canonical, entries: entries(&folder.path)? });
        Ok(())
    }
}

impl Walk {
    /// Whether the directory that was entered last has an entry with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let entries = self.levels.last().map_or(&[][..], |level| level.entries.as_slice());
        entries.binary_search_by(|(other, _)| other.as_os_str().cmp(OsStr::new(name))).is_ok()
    }

    /// Does not visit the entries of the directory that was entered last.
    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }
}

impl Iterator for Walk {
    type Item = Result<Visited, (PathBuf, io::Error)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let depth = self.levels.len();
            let level = self.levels.last_mut()?;
            let Some((name, kind)) = level.entries.next() else {
                self.levels.pop();
                continue;
            };
            let (path, inside) = (level.path.join(&name), level.inside.join(&name));
            return Some(match kind_of(&path, kind, self.follow) {
                Ok(kind) => Ok(Visited { path, inside, name, kind, depth }),
                Err(error) => Err((path, error)),
            });
        }
    }
}

/// The entries of a directory, by name.
fn entries(folder: &Path) -> io::Result<std::vec::IntoIter<(OsString, fs::FileType)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        entries.push((entry.file_name(), entry.file_type()?));
    }
    entries.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    Ok(entries.into_iter())
}

fn kind_of(path: &Path, kind: fs::FileType, follow: bool) -> io::Result<Kind> {
    Ok(if kind.is_dir() {
        Kind::Folder
    } else if kind.is_file() {
        Kind::File
    } else if !kind.is_symlink() {
        Kind::Other
    } else if follow {
        if path.metadata()?.is_dir() { Kind::Folder } else { Kind::Link }
    } else if path.is_dir() {
        Kind::Other
    } else {
        Kind::Link
    })
}
