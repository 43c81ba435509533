//! The directory for tables and for what a query does not keep in memory. Only the user can read it. It is removed at the end, also
//! after Ctrl-C and SIGTERM, and the next run removes that of a killed one: a run locks its directory.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::message::{Failure, complain};

const PREFIX: &str = "hcl-sql-";

/// The directory of this run, for signals.
static OWN: OnceLock<PathBuf> = OnceLock::new();

/// A directory that is removed when this is dropped.
pub(crate) struct Temporary {
    directory: TempDir,
    #[cfg(unix)]
    _lock: std::os::fd::OwnedFd,
}

impl Temporary {
    /// Creates a directory, and removes those of killed runs.
    pub(crate) fn new() -> Result<Self, Failure> {
        let parent = std::env::temp_dir();
        let unwritable = |error| Failure::unwritable(&parent, error);
        #[cfg(unix)]
        remove_abandoned(&parent);
        let temporary = loop {
            let directory =
                tempfile::Builder::new().prefix(PREFIX).tempdir_in(&parent).map_err(unwritable)?;
            #[cfg(unix)]
            match lock(directory.path()) {
                // Another run may have removed it before it was locked.
                Some(own) if directory.path().is_dir() => break Self { directory, _lock: own },
                _ if directory.path().is_dir() => {
                    return Err(Failure::unwritable(directory.path(), "it cannot be locked"));
                }
                _ => {}
            }
            #[cfg(not(unix))]
            break Self { directory };
        };
        let _ = OWN.set(temporary.path().to_owned());
        // `hcl` installs no handler if there is one.
        let _ = ctrlc::set_handler(|| {
            remove();
            complain("the run was stopped");
            std::process::exit(130);
        });
        Ok(temporary)
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// Removes the directory of this run before the process ends.
pub(crate) fn remove() {
    if let Some(directory) = OWN.get() {
        // A thread may create a file in the meantime.
        let _ = (0..10).find(|_| std::fs::remove_dir_all(directory).is_ok() || !directory.exists());
    }
}

/// Locks a directory of this user, unless a run has locked it. Links are not followed.
#[cfg(unix)]
fn lock(path: &Path) -> Option<std::os::fd::OwnedFd> {
    use rustix::fs::{FlockOperation, Mode, OFlags, flock, fstat, open};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = open(path, flags, Mode::empty()).ok()?;
    let is_own = fstat(&directory).ok()?.st_uid == rustix::process::geteuid().as_raw();
    (is_own && flock(&directory, FlockOperation::NonBlockingLockExclusive).is_ok()).then_some(directory)
}

#[cfg(unix)]
fn remove_abandoned(parent: &Path) {
    let all = parent.read_dir().into_iter().flatten().flatten();
    for entry in all.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        if let Some(_lock) = lock(&entry.path()) {
            // If this fails, it remains, which does no harm.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
