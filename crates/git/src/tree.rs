//! The files of a commit, in the order of Git. One small repository can have any number of them, because directories can share their
//! content: the walk has limits of its own.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

use gix_hash::ObjectId;
use gix_object::{Kind, TreeRefIter, tree::EntryKind};

use crate::objects::Objects;
use crate::{Error, Id, Repository};

/// How many names one commit may have, and how many of them in directories with the content of another one.
const MOST_NAMES: usize = 4_000_000;
const MOST_REPEATED: usize = 250_000;

/// The longest path, and how many directories may contain a file.
const MOST_PATH: usize = 1 << 15;
const MOST_DEPTH: usize = 1_000;

/// How many bytes the directories around the current one may have, with this one.
const MOST_OPEN: usize = 64 << 20;

/// A file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path in the repository.
    pub path: PathBuf,
    /// The object with the content.
    pub id: Id,
    /// The kind.
    pub kind: FileKind,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A regular file.
    Regular,
    /// A symbolic link. The content is its target.
    Link,
    /// A commit of another repository.
    Submodule,
    /// A name that no file can have or that leads elsewhere, such as `..`.
    Outside,
}

impl Repository {
    /// Emits the files of a commit, also those of its directories, until `each` breaks off. Returns false if it did.
    ///
    /// # Errors
    /// An object is missing or damaged, or the commit has more files than any real one: over 4,000,000 names, or over 250,000 in
    /// directories that have the content of others.
    pub fn files(&self, commit: Id, each: &mut dyn FnMut(File) -> ControlFlow<()>) -> Result<bool, Error> {
        let tree = self.objects.tree_of(commit)?;
        files(&self.objects, tree, b"", &mut |path, mode, id| each(File::of(&path, mode, id)))
    }
}

impl File {
    pub(crate) fn of(path: &Path<'_>, mode: EntryKind, id: ObjectId) -> Self {
        let kind = match mode {
            EntryKind::Link => FileKind::Link,
            EntryKind::Commit => FileKind::Submodule,
            _ if path.is_inside => FileKind::Regular,
            _ => FileKind::Outside,
        };
        Self { path: path_of(path.bytes), id: Id(id), kind }
    }
}

/// The object at a path in a tree, with its mode.
pub(crate) fn find(
    objects: &Objects,
    tree: ObjectId,
    path: &std::path::Path,
) -> Result<Option<(EntryKind, ObjectId)>, Error> {
    let mut found = (EntryKind::Tree, tree);
    for name in path.components() {
        if found.0 != EntryKind::Tree {
            return Ok(None);
        }
        let name = name.as_os_str().as_encoded_bytes();
        let text = objects.read(found.1, Kind::Tree, MOST_OPEN as u64)?;
        let mut entries = TreeRefIter::from_bytes(&text, objects.hash()).filter_map(Result::ok);
        let Some(entry) = entries.find(|entry| entry.filename == name) else { return Ok(None) };
        found = (entry.mode.kind(), entry.oid.to_owned());
    }
    Ok(Some(found))
}

/// The path of a file.
pub(crate) struct Path<'p> {
    pub(crate) bytes: &'p [u8],
    /// Whether each of its names can be one of a file.
    pub(crate) is_inside: bool,
}

/// A directory that the walk is in.
struct Open {
    text: Vec<u8>,
    at: usize,
    /// The length of its path, and whether it is inside.
    path: usize,
    is_inside: bool,
    is_repeated: bool,
}

/// Emits all entries of a tree that are not trees, with their paths after a prefix.
pub(crate) fn files(
    objects: &Objects,
    tree: ObjectId,
    prefix: &[u8],
    each: &mut dyn FnMut(Path<'_>, EntryKind, ObjectId) -> ControlFlow<()>,
) -> Result<bool, Error> {
    let (mut names, mut repeated, mut open_bytes) = (0, 0, 0);
    let mut seen: HashSet<ObjectId> = HashSet::new();
    let mut path = prefix.to_vec();
    let mut open: Vec<Open> = Vec::new();
    let mut next = Some((tree, true));
    loop {
        if let Some((tree, is_inside)) = next.take() {
            let text = objects.read(tree, Kind::Tree, MOST_OPEN as u64)?;
            open_bytes += text.len();
            if open_bytes > MOST_OPEN || open.len() >= MOST_DEPTH {
                return Err(Error::limit("the directories of the commit are too deep"));
            }
            let is_repeated = !seen.insert(tree) || open.last().is_some_and(|last| last.is_repeated);
            open.push(Open { text, at: 0, path: path.len(), is_inside, is_repeated });
        }
        let Some(last) = open.last_mut() else { return Ok(true) };
        path.truncate(last.path);
        let mut entries = TreeRefIter::from_bytes(&last.text[last.at..], objects.hash());
        let Some(entry) = entries.next() else {
            open_bytes -= last.text.len();
            open.pop();
            continue;
        };
        let entry = entry.map_err(|_| Error::new("a directory of the commit is damaged"))?;
        let (mode, id, name) = (entry.mode.kind(), entry.oid.to_owned(), entry.filename);
        last.at += entries.offset_to_next_entry(&last.text[last.at..]);
        names += 1;
        repeated += usize::from(last.is_repeated);
        if names > MOST_NAMES || repeated > MOST_REPEATED {
            return Err(Error::limit("the commit has more files than are read"));
        }
        let is_inside = last.is_inside && is_name(name);
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(name);
        if path.len() > MOST_PATH {
            return Err(Error::limit("a path in the commit is too long"));
        }
        if mode == EntryKind::Tree {
            next = Some((id, is_inside));
        } else if each(Path { bytes: &path, is_inside }, mode, id).is_break() {
            return Ok(false);
        }
    }
}

/// Whether each name of a path can be that of a file.
pub(crate) fn is_inside(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').all(is_name)
}

/// Whether a name can be that of a file or a directory in another one.
fn is_name(name: &[u8]) -> bool {
    let is_separator = |byte: &u8| match byte {
        b'/' | 0 => true,
        b'\\' | b':' => cfg!(windows),
        _ => false,
    };
    !matches!(name, b"" | b"." | b"..") && !name.iter().any(is_separator)
}

#[cfg(unix)]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}
