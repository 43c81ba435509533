//! The index: the files that Git tracks in a working tree.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gix_index::entry::{Mode, Stage};

use crate::tree::{Path as TreePath, files, is_inside, path_of};
use crate::{Error, File, Repository};

/// The largest index, and how much its paths may take, which the newest format shortens.
const MOST_BYTES: u64 = 256 << 20;

impl Repository {
    /// The files below a directory that are in the index, relative to the directory.
    ///
    /// # Errors
    /// The index is damaged or too large, or the directory is not in the working tree.
    pub fn tracked(&self, directory: &Path) -> Result<HashSet<PathBuf>, Error> {
        let directory = directory.canonicalize().map_err(|error| Error::file(directory, error))?;
        let Ok(inside) = directory.strip_prefix(self.top()) else {
            return Err(Error::file(&directory, "is not in the working tree"));
        };
        let mut found = HashSet::new();
        self.each_tracked(&mut |path| {
            if let Ok(path) = path.strip_prefix(inside) {
                found.insert(path.to_owned());
            }
        })?;
        Ok(found)
    }

    /// Emits the files in the index, as they are there. A file that is in conflict has the content of one side.
    ///
    /// # Errors
    /// The index or an object is damaged or too large.
    pub fn index_files(&self, each: &mut dyn FnMut(File)) -> Result<(), Error> {
        let Some(index) = self.index()? else { return Ok(()) };
        for entry in index.entries() {
            let path = entry.path(&index);
            if entry.mode == Mode::DIR {
                let prefix = path.strip_suffix(b"/").unwrap_or(path);
                files(&self.objects, entry.id, prefix, &mut |path, mode, id| {
                    each(File::of(&path, mode, id));
                    ControlFlow::Continue(())
                })?;
            } else if let Some(mode) = entry.mode.to_tree_entry_mode() {
                let path = TreePath { bytes: path, is_inside: is_inside(path) };
                each(File::of(&path, mode.kind(), entry.id));
            }
        }
        Ok(())
    }

    /// Emits the paths of all files in the index.
    pub(crate) fn each_tracked(&self, each: &mut dyn FnMut(PathBuf)) -> Result<(), Error> {
        let Some(index) = self.index()? else { return Ok(()) };
        for entry in index.entries() {
            let path = entry.path(&index);
            if entry.mode != Mode::DIR {
                each(path_of(path));
                continue;
            }
            // In a sparse index, one entry can represent a whole directory.
            let prefix = path.strip_suffix(b"/").unwrap_or(path);
            files(&self.objects, entry.id, prefix, &mut |path, _, _| {
                each(path_of(path.bytes));
                ControlFlow::Continue(())
            })?;
        }
        Ok(())
    }

    /// The index. A new repository has none.
    pub(crate) fn index(&self) -> Result<Option<gix_index::File>, Error> {
        let Some(path) = self.place.own_file("index", MOST_BYTES)? else { return Ok(None) };
        let hash = self.objects.hash();
        let damaged = || Error::file(&path, "the index is damaged");
        self.check_paths("index")?;
        self.check_shared_index()?;
        let options = gix_index::decode::Options {
            thread_limit: Some(1),
            alloc_limit_bytes: Some(MOST_BYTES as usize),
            ..Default::default()
        };
        gix_index::File::at(&path, hash, true, options).map(Some).map_err(|_| damaged())
    }

    /// Checks that the paths of an index are not longer than its format suggests.
    fn check_paths(&self, name: &str) -> Result<(), Error> {
        let text = self.place.read_own(name, MOST_BYTES)?.unwrap_or_default();
        let path = self.place.own().join(name);
        match length_of_paths(&text, self.objects.hash().len_in_bytes()) {
            Some(length) if length <= MOST_BYTES => Ok(()),
            Some(_) => Err(Error::limit(format!("{}: the paths in the index are too long", path.display()))),
            None => Err(Error::file(&path, "the index is damaged")),
        }
    }

    /// A part of the index may be in another file, which the index names.
    fn check_shared_index(&self) -> Result<(), Error> {
        let own = self.place.own();
        for entry in own.read_dir().map_err(|error| Error::file(own, error))?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("sharedindex.") {
                self.check_paths(&name)?;
            }
        }
        Ok(())
    }
}

/// Whether an entry of the index is in conflict with others of its path.
pub(crate) fn is_conflict(entry: &gix_index::Entry) -> bool {
    entry.stage() != Stage::Unconflicted
}

/// How long all paths of an index are. In version 4, each path is the end of the one before it with another text after it, so that a
/// small index can have paths of any length.
fn length_of_paths(text: &[u8], hash: usize) -> Option<u64> {
    let number = |at: usize| Some(u32::from_be_bytes(text.get(at..at + 4)?.try_into().ok()?));
    if number(4)? != 4 {
        return Some(text.len() as u64);
    }
    let (mut at, mut before, mut all) = (12, 0_u64, 0_u64);
    for _ in 0..number(8)? {
        let flags = at + 40 + hash;
        let is_extended = text.get(flags)? & 0x40 != 0;
        at = flags + if is_extended { 4 } else { 2 };
        let (mut removed, mut byte) = (0_u64, *text.get(at)?);
        removed += u64::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            at += 1;
            byte = *text.get(at)?;
            removed = removed.checked_add(1)?.checked_mul(128)?.checked_add(u64::from(byte & 0x7f))?;
        }
        at += 1;
        let added = text.get(at..)?.iter().position(|byte| *byte == 0)?;
        at += added + 1;
        before = before.checked_sub(removed)?.checked_add(added as u64)?;
        all = all.checked_add(before)?;
    }
    Some(all)
}
