//! Changes several files completely or not at all. All of them are prepared and checked beside their targets first. Then
//! they take their places in one short pass under a journal, which the next run finishes if this one is killed.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use hclkit::limits::directory_of;

use super::journal::{self, Entry, Identity};
use super::temporary::{self, Pass, Temporary};
use super::{in_words, is_same, keep_attributes, lock, names, refuse_read_only};
use crate::input::{self, Input, Unreadable};

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
    pub(crate) fn name(&self) -> String {
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
                    && input::all(opened)? == *before
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
    let folders: BTreeSet<PathBuf> = prepared.iter().map(|it| directory_of(&it.target).to_owned()).collect();
    let root = common(&folders);
    // In the order of their names, so that no two runs wait for each other.
    let locked: BTreeSet<&Path> = folders.iter().map(PathBuf::as_path).chain([root.as_path()]).collect();
    let _locks: Vec<Option<File>> = locked.into_iter().map(lock).collect();
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
    carry_out(&root, changes, prepared).map_err(|error| Unreadable {
        name: root.display().to_string(),
        reason: in_words(&error),
        action: "change files in",
    })?;
    Ok(other_names)
}

/// Lets all files take their places, under a journal. If one of them cannot, the others are put back.
fn carry_out(root: &Path, changes: &[Change<'_>], prepared: Vec<Prepared>) -> io::Result<()> {
    let entries = prepared.iter().map(|it| entry(root, it)).collect::<io::Result<Vec<_>>>()?;
    let old = |it: &Prepared| it.opened.as_ref().map(File::try_clone).transpose();
    let files = prepared.iter().map(old).collect::<io::Result<Vec<_>>>()?;
    let Err(Stopped { placed, error }) = pass(root, &entries, prepared, false) else { return Ok(()) };
    let Some(placed) = placed else { return Err(error) };
    let put_back = put_back(root, &changes[..placed], &entries[..placed], &files);
    if put_back.is_err() {
        return Err(io::Error::new(error.kind(), format!("{error}; the next run continues")));
    }
    // The next run removes those that cannot be removed now.
    for entry in &entries[placed..] {
        if let Some((name, _)) = &entry.new {
            let _ = std::fs::remove_file(root.join(&entry.target).with_file_name(name));
        }
    }
    Err(io::Error::new(error.kind(), format!("{error}; no file was changed")))
}

/// Gives files that took their places the old text, under a journal that replaces the one of the change.
fn put_back(
    root: &Path,
    changes: &[Change<'_>],
    entries: &[Entry],
    files: &[Option<File>],
) -> Result<(), Stopped> {
    let mut prepared = Vec::with_capacity(changes.len());
    for ((change, entry), old) in changes.iter().zip(entries).zip(files) {
        let target = root.join(&entry.target);
        let opened = if entry.new.is_some() { Some(File::open(&target)?) } else { None };
        let temporary = match (change, old) {
            (Change::Rewrite { before, .. } | Change::Remove { before, .. }, Some(old)) => {
                let temporary = Temporary::beside(&target, false)?;
                temporary.file().write_all(before)?;
                keep_attributes(old, &old.metadata()?, temporary.file())?;
                temporary.file().sync_all()?;
                Some(temporary)
            }
            _ => None,
        };
        prepared.push(Prepared { target, opened, temporary });
    }
    let entries = prepared.iter().map(|it| entry(root, it)).collect::<io::Result<Vec<_>>>()?;
    pass(root, &entries, prepared, true)
}

/// An error in a pass, and the number of changes that were made before. Without a number, there is no journal.
struct Stopped {
    placed: Option<usize>,
    error: io::Error,
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self { placed: None, error }
    }
}

/// A pass under a journal, which may replace another one. A signal that arrives meanwhile ends the run afterwards.
fn pass(root: &Path, entries: &[Entry], prepared: Vec<Prepared>, replaces: bool) -> Result<(), Stopped> {
    let path = root.join(journal::NAME);
    let journal = Temporary::beside(&path, true)?;
    journal.file().write_all(&journal::text(journal.file(), entries)?)?;
    journal.file().sync_all()?;
    let own = path.with_file_name(journal.name());
    let mut placed = None;
    // Temporary files that remain are removed after the pass, which holds the lock on their list.
    let mut rest = prepared.into_iter();
    let done = temporary::pass(|pass| {
        pass.place(journal, &path, replaces)?;
        sync(root);
        let mut count = 0;
        let moved = rest.by_ref().try_for_each(|it| {
            place(pass, it)?;
            count += 1;
            Ok(())
        });
        placed = Some(count);
        // If this run is killed before they are put back, the next one continues.
        rest.by_ref().filter_map(|it| it.temporary).for_each(|rest| pass.keep(rest));
        moved.and_then(|()| std::fs::remove_file(&path))
    });
    done.map_err(|error| {
        if placed.is_none() {
            let _ = std::fs::remove_file(&own);
        }
        let error = match (placed, error.kind()) {
            (None, io::ErrorKind::AlreadyExists) => {
                let why = format!("{} exists, and was not written by this program", journal::NAME);
                io::Error::new(io::ErrorKind::AlreadyExists, why)
            }
            _ => error,
        };
        Stopped { placed, error }
    })
}

/// Makes one change of a pass.
fn place(pass: &mut Pass, prepared: Prepared) -> io::Result<()> {
    match prepared.temporary {
        Some(temporary) => pass.place(temporary, &prepared.target, prepared.opened.is_some()),
        None => std::fs::remove_file(&prepared.target),
    }
}

/// What the journal has about a change.
fn entry(root: &Path, prepared: &Prepared) -> io::Result<Entry> {
    let identity = |file: &File| file.metadata().map(|it| Identity::of(&it));
    let old = prepared.opened.as_ref().map(identity).transpose()?;
    let new = match &prepared.temporary {
        Some(temporary) => Some((temporary.name(), identity(temporary.file())?)),
        None => None,
    };
    let target = prepared.target.strip_prefix(root).map_err(io::Error::other)?.to_owned();
    Ok(Entry { target, old, new })
}

/// Makes the names in a directory durable, where that is possible.
fn sync(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// The path of a file that may not exist, with links in its directory resolved.
fn whole(path: &Path) -> io::Result<PathBuf> {
    let folder = directory_of(path).canonicalize()?;
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

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn an_error_in_the_pass_leaves_the_old_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let path = |name: &str| root.join(name);
        for name in ["a", "b", "c", "d"] {
            fs::write(path(name), format!("old {name}")).unwrap();
        }
        fs::set_permissions(path("a"), Permissions::from_mode(0o640)).unwrap();
        let inputs = ["a", "b", "c", "d"].map(|name| Input::of(&path(name)));
        let rewrite = |at: usize, before| Change::Rewrite { input: &inputs[at], before, after: b"new" };
        let (created, removed) = (path("n"), path("b"));
        let changes = [
            rewrite(0, b"old a"),
            Change::Remove { path: &removed, input: &inputs[1], before: b"old b" },
            Change::Create { path: &created, text: b"new" },
            rewrite(2, b"old c"),
            rewrite(3, b"old d"),
        ];
        let prepared = changes.iter().map(|change| change.prepare().unwrap()).collect();
        // A directory cannot be replaced by a file.
        fs::remove_file(path("c")).unwrap();
        fs::create_dir(path("c")).unwrap();
        let error = carry_out(&root, &changes, prepared).unwrap_err().to_string();
        assert!(error.ends_with("; no file was changed"), "{error}");
        let read = |name: &str| fs::read_to_string(path(name)).unwrap();
        assert_eq!((read("a"), read("b"), read("d")), ("old a".into(), "old b".into(), "old d".into()));
        assert_eq!(fs::metadata(path("a")).unwrap().permissions().mode() & 0o777, 0o640);
        let mut left: Vec<_> = fs::read_dir(&root).unwrap().flatten().map(|it| it.file_name()).collect();
        left.sort();
        assert_eq!(left, ["a", "b", "c", "d"]);
    }
}
