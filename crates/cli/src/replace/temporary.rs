//! Temporary files. Each is locked while its program runs, so that the next run can remove files left by a killed
//! program but not files in use. Ctrl-C and SIGTERM remove the files of this run.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tempfile::NamedTempFile;

use super::folder_of;
use crate::host::Host;

const PREFIX: &str = ".hcl-";
const SUFFIX: &str = ".tmp";
/// The number of characters between prefix and suffix.
const RANDOM: usize = 12;

/// The temporary files of this run. The lock is held while creating a file, so that no file is created after a signal.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file that will replace another one. It is removed if it does not.
pub(super) struct Temporary {
    // Fields are dropped in this order: a signal removes the file until it is gone.
    file: NamedTempFile,
    _registered: Registered,
}

struct Registered(PathBuf);

impl Temporary {
    /// Creates a file in the same directory, readable only by its owner or with the mode of a new file.
    pub(super) fn beside(target: &Path, is_new: bool) -> io::Result<Self> {
        remove_on_signals();
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
        #[cfg(unix)]
        if is_new {
            use std::os::unix::fs::PermissionsExt;
            // The mode allowed by the umask. By default, temporary files are accessible only by their owner.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        #[cfg(not(unix))]
        let _ = is_new;
        loop {
            let mut open = open();
            let file = builder.tempfile_in(folder_of(target))?;
            let path = file.path().to_owned();
            open.insert(path.clone());
            drop(open);
            let temporary = Self { file, _registered: Registered(path) };
            if lock(temporary.file())? {
                return Ok(temporary);
            }
        }
    }

    pub(super) fn file(&self) -> &File {
        self.file.as_file()
    }

    pub(super) fn take_place_of(self, target: &Path) -> io::Result<()> {
        self.file.persist(target).map(drop).map_err(|error| error.error)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        open().remove(&self.0);
    }
}

fn open() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks a new file. Returns false if another run treated it as an abandoned file before it was locked.
#[cfg(unix)]
fn lock(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    match rustix::fs::flock(file, rustix::fs::FlockOperation::LockExclusive) {
        // Some network file systems do not support locks.
        Ok(()) | Err(_) => Ok(file.metadata()?.nlink() > 0),
    }
}

#[cfg(not(unix))]
fn lock(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// Removes the temporary files that killed runs left in a directory.
pub(super) fn clean(folder: &Path) {
    #[cfg(unix)]
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
        let is_ours =
            random.is_some_and(|it| it.len() == RANDOM && it.bytes().all(|b| b.is_ascii_alphanumeric()));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            remove_abandoned(&entry.path());
        }
    }
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(unix)]
fn remove_abandoned(path: &Path) {
    use rustix::fs::{FlockOperation, Mode, OFlags, flock};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(file) = rustix::fs::open(path, flags, Mode::empty()) else { return };
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
        // If this fails, the file remains, which does no harm.
        let _ = std::fs::remove_file(path);
    }
}

/// Makes Ctrl-C and SIGTERM remove temporary files before they end the program.
fn remove_on_signals() {
    static INSTALLED: Once = Once::new();
    if !Host::current().owns_process() {
        return;
    }
    INSTALLED.call_once(|| {
        // The console has its own handler and does not write files.
        let _ = ctrlc::set_handler(|| {
            // The lock is held until the end, so that no other file is created.
            let open = open();
            for path in open.iter() {
                let _ = std::fs::remove_file(path);
            }
            std::process::exit(130);
        });
    });
}
