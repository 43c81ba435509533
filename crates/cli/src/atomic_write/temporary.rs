//! Temporary files. Each is locked while its program runs, so that the next run can remove files left by a killed
//! program but not files in use. Ctrl-C and SIGTERM remove the files of this run.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use hclkit::limits::directory_of;
use tempfile::NamedTempFile;

use crate::host::Host;
use crate::output::complain;

const PREFIX: &str = ".hcl-";
const SUFFIX: &str = ".tmp";
/// The number of characters between prefix and suffix.
const RANDOM: usize = 12;

/// The temporary files of this run. The lock is held while creating a file, so that no file is created after a signal.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// How many files were written.
static WRITTEN: AtomicUsize = AtomicUsize::new(0);

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
            let file = builder.tempfile_in(directory_of(target))?;
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

    /// The name in its directory.
    pub(super) fn name(&self) -> String {
        self.file.path().file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub(super) fn take_place_of(self, target: &Path) -> io::Result<()> {
        self.file.persist(target).map_err(|error| error.error)?;
        WRITTEN.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// A file in an open directory. It is removed if it gets no other name.
#[cfg(feature = "tables")]
pub(super) struct InDirectory {
    dir: cap_std::fs::Dir,
    name: String,
    file: File,
    is_done: bool,
    _registered: Registered,
}

#[cfg(feature = "tables")]
impl InDirectory {
    /// Creates a file in a directory, whose path is that for signals.
    pub(super) fn new(dir: &cap_std::fs::Dir, path: &Path) -> io::Result<Self> {
        let mut options = cap_std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        loop {
            let random: String = std::iter::repeat_with(random_letter).take(RANDOM).collect();
            let name = format!("{PREFIX}{random}{SUFFIX}");
            let mut open = open();
            let file = match dir.open_with(&name, &options) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                other => other?.into_std(),
            };
            let whole = path.join(&name);
            open.insert(whole.clone());
            drop(open);
            let created =
                Self { dir: dir.try_clone()?, name, file, is_done: false, _registered: Registered(whole) };
            if lock(&created.file)? {
                return Ok(created);
            }
        }
    }

    pub(super) fn take_place_of(mut self, name: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        self.dir.rename(&self.name, &self.dir, name)?;
        self.is_done = true;
        WRITTEN.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[cfg(feature = "tables")]
impl io::Write for InDirectory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "tables")]
impl Drop for InDirectory {
    fn drop(&mut self) {
        if !self.is_done {
            // If this fails, the next run removes it.
            let _ = self.dir.remove_file(&self.name);
        }
    }
}

/// A letter or a digit. Names only have to differ: creating a file that exists fails.
#[cfg(feature = "tables")]
fn random_letter() -> char {
    use std::hash::{BuildHasher as _, RandomState};
    let number = RandomState::new().hash_one(0_u8);
    let letters = b"abcdefghijklmnopqrstuvwxyz0123456789";
    char::from(letters[usize::try_from(number % 36).unwrap_or_default()])
}

/// Removes the temporary files that killed runs left in an open directory.
#[cfg(feature = "tables")]
pub(super) fn clean_in(dir: &cap_std::fs::Dir) {
    #[cfg(unix)]
    for entry in dir.entries().into_iter().flatten().flatten() {
        use rustix::fs::{FlockOperation, Mode, OFlags, flock, openat};
        let name = entry.file_name();
        if !name.to_str().is_some_and(is_name) {
            continue;
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(file) = openat(dir, &name, flags, Mode::empty()) else { continue };
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            // If this fails, the file remains, which does no harm.
            let _ = dir.remove_file(&name);
        }
    }
    #[cfg(not(unix))]
    let _ = dir;
}

/// A pass in which several files take their places. A signal ends the run before or after it.
pub(super) struct Pass {
    /// These are dropped when signals can end the run again.
    done: Vec<Registered>,
}

/// Runs a pass.
pub(super) fn pass(work: impl FnOnce(&mut Pass) -> io::Result<()>) -> io::Result<()> {
    let mut pass = Pass { done: Vec::new() };
    let mut open = open();
    let result = work(&mut pass);
    for done in &pass.done {
        open.remove(&done.0);
    }
    drop(open);
    result
}

impl Pass {
    /// Lets a file take its place. Without `replaces`, no file may be there.
    pub(super) fn place(&mut self, temporary: Temporary, target: &Path, replaces: bool) -> io::Result<()> {
        let Temporary { file, _registered: registered } = temporary;
        self.done.push(registered);
        let placed = if replaces { file.persist(target) } else { file.persist_noclobber(target) };
        placed.map_err(|error| {
            // The next run may still need it.
            let (_, why) = (error.file.keep(), error.error);
            why
        })?;
        WRITTEN.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Leaves a file where it is, for the next run.
    pub(super) fn keep(&mut self, temporary: Temporary) {
        let Temporary { file, _registered: registered } = temporary;
        self.done.push(registered);
        let _ = file.keep();
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
        if entry.file_name().to_str().is_some_and(is_name)
            && entry.file_type().is_ok_and(|kind| kind.is_file())
        {
            remove_abandoned(&entry.path());
        }
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Whether a name is that of a temporary file.
pub(super) fn is_name(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    random.is_some_and(|it| it.len() == RANDOM && it.bytes().all(|byte| byte.is_ascii_alphanumeric()))
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

/// Makes Ctrl-C and SIGTERM remove temporary files before they end the program with a message.
pub(super) fn remove_on_signals() {
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
            match WRITTEN.load(Ordering::Relaxed) {
                0 => complain("the run was stopped before a file was changed"),
                _ => complain("the run was stopped after files were changed"),
            }
            std::process::exit(130);
        });
    });
}
