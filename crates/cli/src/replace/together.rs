//! Changes several files completely or not at all. All of them are prepared and checked beside their targets first. Then
//! they take their places in one short pass under a journal, which the next run finishes if this one is killed.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::journal::{self, Entry, Identity};
use super::temporary::{self, Temporary};
use super::{folder_of, in_words, is_same, keep_attributes, lock, names, refuse_read_only};
use crate::input::{Input, Unreadable, read};

/// A change of a file.
pub(crate) enum Change<'a> {
    /// New text for a file that was read before.
    Rewrite {
        input: &'a Input,
        before: &'a [u8],
        after: &'a [u8],
    },
    Create {
        path: &'a Path,
        text: &'a [u8],
    },
    /// A file that was read before, and is not a link.
    Remove {
        path: &'a Path,
        input: &'a Input,
        before: &'a [u8],
    },
}

/// A change that was prepared.
struct Prepared {
    target: PathBuf,
    /// What is replaced or removed, as it was opened.
    opened: Option<File>,
    temporary: Option<Temporary>,
}

impl Change<'_> {
    fn name(&self) -> String {
        match self {
            Self::Rewrite { input, .. } | Self::Remove { input, .. } => input.name(),
            Self::Create { path, .. } => path.display().to_string(),
        }
    }

    fn prepare(&self) -> io::Result<Prepared> {
        match self {
            Self::Rewrite { input, after, .. } => {
                let path = input.path().unwrap_or(Path::new("-"));
                let target = path.canonicalize()?;
                let opened = input.open()?;
                let metadata = opened.metadata()?;
                refuse_read_only(&metadata)?;
                let temporary = Temporary::beside(&target, false)?;
                temporary.file().write_all(after)?;
                keep_attributes(&opened, &metadata, temporary.file())?;
                temporary.file().sync_all()?;
                Ok(Prepared { target, opened: Some(opened), temporary: Some(temporary) })
            }
            Self::Create { path, text } => {
                let target = whole(path)?;
                let temporary = Temporary::beside(&target, true)?;
                temporary.file().write_all(text)?;
                temporary.file().sync_all()?;
                Ok(Prepared { target, opened: None, temporary: Some(temporary) })
            }
            Self::Remove { path, input, .. } => {
                let opened = input.open()?;
                refuse_read_only(&opened.metadata()?)?;
                Ok(Prepared { target: whole(path)?, opened: Some(opened), temporary: None })
            }
        }
    }

    /// Checks that the file is still what was read.
    fn check(&self, prepared: &Prepared) -> io::Result<()> {
        let is_old = match (self, &prepared.opened) {
            (Self::Rewrite { before, .. } | Self::Remove { before, .. }, Some(opened)) => {
                is_same(&opened.metadata()?, &prepared.target.symlink_metadata()?)
                    && read::all(opened)? == *before
            }
            _ => prepared.target.symlink_metadata().is_err(),
        };
        if is_old {
            return Ok(());
        }
        Err(io::Error::other("the file was changed in the meantime and was not written"))
    }
}

/// Makes all changes or none. Returns the names of the files that have other hard links, which keep the old contents.
///
/// # Errors
/// Why the first file that cannot be written cannot be.
pub(crate) fn change_all(changes: &[Change<'_>]) -> Result<Vec<String>, Unreadable> {
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let failed = |change: &Change<'_>, error: &io::Error| Unreadable {
        name: change.name(),
        reason: in_words(error),
        action: if matches!(change, Change::Remove { .. }) { "remove" } else { "write" },
    };
    let mut prepared = Vec::with_capacity(changes.len());
    for change in changes {
        prepared.push(change.prepare().map_err(|error| failed(change, &error))?);
    }
    let folders: BTreeSet<PathBuf> = prepared.iter().map(|it| folder_of(&it.target).to_owned()).collect();
    let root = common(&folders);
    // In the order of their names, so that no two runs wait for each other.
    let locked: BTreeSet<&Path> = folders.iter().map(PathBuf::as_path).chain([root.as_path()]).collect();
    let _locks: Vec<Option<File>> = locked.into_iter().map(lock::hold).collect();
    // Check last, to leave no time for changes in between.
    for (change, prepared) in changes.iter().zip(&prepared) {
        change.check(prepared).map_err(|error| failed(change, &error))?;
    }
    let mut other_names = Vec::new();
    for (change, prepared) in changes.iter().zip(&prepared) {
        let count = prepared.opened.as_ref().and_then(|opened| opened.metadata().ok()).map(|it| names(&it));
        if count.is_some_and(|count| count > 1) && prepared.temporary.is_some() {
            other_names.push(change.name());
        }
    }
    carry_out(&root, prepared).map_err(|error| Unreadable {
        name: root.display().to_string(),
        reason: in_words(&error),
        action: "change files in",
    })?;
    Ok(other_names)
}

/// Lets all files take their places, under a journal. A signal that arrives meanwhile ends the run afterwards.
fn carry_out(root: &Path, prepared: Vec<Prepared>) -> io::Result<()> {
    let path = root.join(journal::NAME);
    let mut entries = Vec::with_capacity(prepared.len());
    for it in &prepared {
        let old =
            it.opened.as_ref().map(|opened| opened.metadata().map(|it| Identity::of(&it))).transpose()?;
        let new = match &it.temporary {
            Some(temporary) => Some((temporary.name(), Identity::of(&temporary.file().metadata()?))),
            None => None,
        };
        let target = it.target.strip_prefix(root).map_err(io::Error::other)?.to_owned();
        entries.push(Entry { target, old, new });
    }
    let journal = Temporary::beside(&path, true)?;
    journal.file().write_all(&journal::text(journal.file(), entries)?)?;
    journal.file().sync_all()?;
    temporary::pass(|pass| {
        // Nothing has changed yet if this fails, and everything changes in the end if it does not.
        pass.place(journal, &path, false)?;
        sync(root);
        let mut prepared = prepared.into_iter();
        let moved = prepared.by_ref().try_for_each(|it| match it.temporary {
            Some(temporary) => pass.place(temporary, &it.target, it.opened.is_some()),
            None => std::fs::remove_file(&it.target),
        });
        if let Err(error) = moved {
            prepared.filter_map(|it| it.temporary).for_each(|rest| pass.keep(rest));
            return Err(io::Error::new(error.kind(), format!("{error}; the next run continues")));
        }
        std::fs::remove_file(&path)
    })
}

/// Makes the names in a directory durable, where that is possible.
fn sync(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// The path of a file that may not exist, with links in its directory resolved.
fn whole(path: &Path) -> io::Result<PathBuf> {
    let folder = folder_of(path).canonicalize()?;
    Ok(folder.join(path.file_name().unwrap_or_default()))
}

/// The directory that contains all others.
fn common(folders: &BTreeSet<PathBuf>) -> PathBuf {
    let mut folders = folders.iter();
    let first = folders.next().cloned().unwrap_or_default();
    folders.fold(first, |common, folder| {
        common.ancestors().find(|above| folder.starts_with(above)).unwrap_or(&common).to_owned()
    })
}
