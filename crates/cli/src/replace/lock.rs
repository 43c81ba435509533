//! Locks on directories. A file is compared with what was read, and replaced, while its directory is locked, so that two
//! runs cannot replace the same text. Nothing is left of a lock when a run is killed.

use std::fs::File;
use std::path::Path;

/// Locks a directory until the result is dropped. Some network file systems do not support locks.
pub(super) fn hold(folder: &Path) -> Option<File> {
    #[cfg(unix)]
    {
        let folder = File::open(folder).ok()?;
        rustix::fs::flock(&folder, rustix::fs::FlockOperation::LockExclusive).ok()?;
        Some(folder)
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}
