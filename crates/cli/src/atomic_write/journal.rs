//! The journal of a change of several files, `.hcl-journal`. It is in the directory that contains all of them while they
//! take their places, and lets the next run finish what a killed one began. It is only trusted if this machine wrote it:
//! it has the numbers and times of the files that were prepared, which a repository cannot know.

use std::collections::BTreeSet;
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use cap_std::fs::Dir;
use hclkit::limits::directory_of;
use serde::{Deserialize, Serialize};

use super::{lock, temporary};
use crate::output::{complain, warn};

pub(super) const NAME: &str = ".hcl-journal";

/// The largest journal that is read.
const MAX_SIZE: u64 = 64 << 20;

/// The journals that were ignored with a warning. A directory is looked at more than once.
static REPORTED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// What no other file has: device, number, and the time of its last change, which programs cannot set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identity(u64, u64, i64, i64);

impl Identity {
    #[cfg(unix)]
    pub(super) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self(metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
    }

    #[cfg(not(unix))]
    pub(super) fn of(metadata: &Metadata) -> Self {
        let nanoseconds = |time: io::Result<std::time::SystemTime>| {
            let since = time.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
            since.map_or(0, |since| since.as_nanos() as i64)
        };
        Self(0, metadata.len(), nanoseconds(metadata.created()), nanoseconds(metadata.modified()))
    }

    /// The same file, which may have been renamed.
    #[cfg(unix)]
    fn is_same_file(self, other: Self) -> bool {
        (self.0, self.1) == (other.0, other.1)
    }

    #[cfg(not(unix))]
    fn is_same_file(self, other: Self) -> bool {
        self.2 == other.2
    }
}

/// A file that changes. Its path is relative to the directory of the journal.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) target: PathBuf,
    /// What is at the target before the change.
    pub(super) old: Option<Identity>,
    /// The name of the prepared file, which is beside the target. A file without one is removed.
    pub(super) new: Option<(String, Identity)>,
}

#[derive(Debug, Deserialize)]
struct Journal {
    /// The journal itself.
    own: Identity,
    entries: Vec<Entry>,
}

/// The same, to write it.
#[derive(Serialize)]
struct Text<'a> {
    own: Identity,
    entries: &'a [Entry],
}

/// The text of a journal that is written to a file.
pub(super) fn text(file: &File, entries: &[Entry]) -> io::Result<Vec<u8>> {
    let own = Identity::of(&file.metadata()?);
    Ok(serde_json::to_vec(&Text { own, entries })?)
}

/// Finishes the changes that a killed run began in a directory. Returns whether there were any.
pub(super) fn finish(folder: &Path) -> bool {
    let path = folder.join(NAME);
    if path.symlink_metadata().is_err() {
        return false;
    }
    // A run that is changing files now finishes first.
    let _lock = lock(folder);
    match path.symlink_metadata().map(|_| read(&path)) {
        Err(_) => true,
        Ok(Ok(journal)) => {
            carry_out(folder, &journal);
            true
        }
        Ok(Err(why)) => {
            if REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone()) {
                warn(format_args!("{} was ignored: {why}", path.display()));
            }
            false
        }
    }
}

fn read(path: &Path) -> Result<Journal, String> {
    let foreign = || "it was not written by this program in this directory".to_owned();
    let file = open(path).map_err(|error| error.to_string())?;
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() || metadata.len() > MAX_SIZE {
        return Err(foreign());
    }
    let mut text = Vec::new();
    file.take(MAX_SIZE).read_to_end(&mut text).map_err(|error| error.to_string())?;
    let journal: Journal = serde_json::from_slice(&text).map_err(|_| foreign())?;
    let is_ours = journal.own.is_same_file(Identity::of(&metadata)) && journal.entries.iter().all(is_valid);
    if is_ours { Ok(journal) } else { Err(foreign()) }
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Whether an entry names a file below the directory, and a prepared file beside it.
fn is_valid(entry: &Entry) -> bool {
    let mut parts = entry.target.components();
    let is_below = parts.clone().next().is_some() && parts.all(|part| matches!(part, Component::Normal(_)));
    is_below && entry.new.as_ref().is_none_or(|(name, _)| temporary::is_name(name))
}

/// Lets the files that are still beside their targets take their places.
fn carry_out(folder: &Path, journal: &Journal) {
    let carried = || -> io::Result<usize> {
        let dir = Dir::open_ambient_dir(folder, cap_std::ambient_authority())?;
        let mut finished = 0;
        for entry in &journal.entries {
            finished += usize::from(step(&dir, folder, entry)?);
        }
        dir.remove_file(NAME)?;
        Ok(finished)
    };
    match carried() {
        Ok(0) => {}
        Ok(_) => warn(format_args!(
            "finished the change of {} files in {} that a run began before it was stopped",
            journal.entries.len(),
            folder.display()
        )),
        Err(error) => complain(format_args!(
            "cannot finish the change in {} that a run began before it was stopped: {error}",
            folder.display()
        )),
    }
}

/// Changes a file if that was not done before. Every path is resolved inside the directory.
fn step(dir: &Dir, folder: &Path, entry: &Entry) -> io::Result<bool> {
    let identity = |path: &Path| -> io::Result<Option<Identity>> {
        match dir.open_dir(directory_of(path)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        match folder.join(path).symlink_metadata() {
            Ok(metadata) => Ok(metadata.is_file().then(|| Identity::of(&metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    };
    let changed = |kept: &str| {
        let target = entry.target.display();
        complain(format_args!("{target} was changed after a run was stopped, {kept}"));
    };
    let at_target = identity(&entry.target)?;
    let Some((name, new)) = &entry.new else {
        let is_old = at_target.is_some() && at_target == entry.old;
        if is_old {
            dir.remove_file(&entry.target)?;
        } else if at_target.is_some() {
            changed("and was not removed");
        }
        return Ok(is_old);
    };
    let prepared = directory_of(&entry.target).join(name);
    match identity(&prepared)? {
        // It took its place.
        None => return Ok(false),
        Some(found) if found != *new => {
            changed("or its prepared text was; it was not written");
            return Ok(false);
        }
        Some(_) => {}
    }
    let is_there = at_target.is_some() || folder.join(&entry.target).symlink_metadata().is_ok();
    if at_target != entry.old || is_there != entry.old.is_some() {
        changed("and was not written");
        return Ok(false);
    }
    dir.rename(&prepared, dir, &entry.target)?;
    Ok(true)
}
