//! Reads files. Files found in directories are read only if they are regular files inside of the specified directory,
//! and are opened so that they cannot be replaced in the meantime. Reading stops at the size limit.

use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

/// Asks for bytes before they are allocated.
type Ask<'a> = &'a mut dyn FnMut(u64) -> io::Result<()>;

/// Reads a file whose size is known, up to a limit. If it still has that size, one system call is enough. Asks for as many bytes as it
/// claims to have before they are allocated.
///
/// # Errors
/// It cannot be read, or is larger than the limit. The error is then [`io::ErrorKind::FileTooLarge`].
pub fn read_of_size(mut from: File, size: u64, limit: u64, ask: Ask<'_>) -> io::Result<Vec<u8>> {
    if size > limit {
        return Err(too_large(limit));
    }
    ask(size)?;
    let expected = usize::try_from(size).unwrap_or_default();
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(expected + 1)?;
    // One byte more shows that the file ends where it should.
    bytes.resize(expected + 1, 0);
    let read = match from.read(&mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
        read => read?,
    };
    bytes.truncate(read);
    if read != expected {
        all_into(from, &mut bytes, limit, ask)?;
    }
    Ok(bytes)
}

/// Reads everything, up to a limit.
///
/// # Errors
/// As for [`read_of_size`].
pub fn read_all(from: impl Read, limit: u64, ask: Ask<'_>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    all_into(from, &mut bytes, limit, ask)?;
    Ok(bytes)
}

/// Reads the rest, whose size is unknown.
fn all_into(from: impl Read, bytes: &mut Vec<u8>, limit: u64, ask: Ask<'_>) -> io::Result<()> {
    ask(limit)?;
    from.take(limit.saturating_add(1).saturating_sub(bytes.len() as u64)).read_to_end(bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(()) }
}

fn too_large(limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("the input is larger than {limit} bytes"))
}

/// A directory to read files from.
#[derive(Debug)]
pub(super) struct Tree {
    /// The canonical path of the directory.
    root: PathBuf,
    dir: Dir,
    /// Whether to follow symbolic links to files outside of the directory.
    follow: bool,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root
    }
}

impl Eq for Tree {}

impl Hash for Tree {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.root.hash(state);
    }
}

/// A file that was found in a directory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FoundFile {
    /// The path: that of the directory as it was given, and the path in it.
    pub path: PathBuf,
    inside: PathBuf,
    tree: Arc<Tree>,
}

impl FoundFile {
    pub(super) fn new(path: PathBuf, inside: PathBuf, tree: Arc<Tree>) -> Self {
        Self { path, inside, tree }
    }

    /// The same file by another path.
    #[must_use]
    pub fn with_path(self, path: PathBuf) -> Self {
        Self { path, ..self }
    }

    /// Where the file was found: the directory without links, and the path in it.
    pub fn place(&self) -> PathBuf {
        self.tree.root.join(&self.inside)
    }

    /// Opens the file, if it is still a regular file in the directory.
    ///
    /// # Errors
    /// It cannot be opened, or is something else now.
    pub fn open(&self) -> io::Result<File> {
        self.tree.open_file(&self.inside).map(|(file, _)| file)
    }

    /// Reads the file, as [`read_of_size`] does.
    ///
    /// # Errors
    /// As for [`open`](Self::open) and [`read_of_size`].
    pub fn read(&self, limit: u64, ask: &mut dyn FnMut(u64) -> io::Result<()>) -> io::Result<Vec<u8>> {
        let (file, size) = self.tree.open_file(&self.inside)?;
        read_of_size(file, size, limit, ask)
    }
}

/// The kind of a directory entry.
pub(super) enum Entry {
    /// A regular file and its path without links, relative to the directory if it is inside.
    File(PathBuf),
    /// A symbolic link to a file outside of the directory.
    Outside,
    /// Something else, such as a directory, a pipe or a device.
    Other,
}

impl Tree {
    pub(super) fn open(root: &Path, follow: bool) -> io::Result<Self> {
        let root = root.canonicalize()?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        Ok(Self { root, dir, follow })
    }

    /// The kind of the entry at a path in the directory.
    pub(super) fn entry(&self, path: &Path) -> io::Result<Entry> {
        let target = path.canonicalize()?;
        match target.strip_prefix(&self.root) {
            Ok(inside) if self.dir.symlink_metadata(inside)?.is_file() => Ok(Entry::File(inside.to_owned())),
            Ok(_) => Ok(Entry::Other),
            Err(_) if !self.follow => Ok(Entry::Outside),
            Err(_) if target.metadata()?.is_file() => Ok(Entry::File(target)),
            Err(_) => Ok(Entry::Other),
        }
    }

    /// Opens a file found by [`entry`](Self::entry), if it is still a regular file, and returns its size, too. Does not
    /// block on pipes.
    pub(super) fn open_file(&self, inside: &Path) -> io::Result<(File, u64)> {
        let file = self.open_unchecked(inside)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        Ok((file, metadata.len()))
    }

    fn open_unchecked(&self, inside: &Path) -> io::Result<File> {
        #[cfg(unix)]
        if is_name(inside) {
            // A name that is not followed if it is a link cannot lead out of the directory.
            use rustix::fs::{Mode, OFlags, openat};
            let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            return Ok(openat(&self.dir, inside, flags, Mode::empty())?.into());
        }
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt as _;
            use rustix::fs::OFlags;
            options.custom_flags((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits().cast_signed());
        }
        let file = if inside.is_absolute() {
            let folder = inside.parent().unwrap_or(Path::new("/"));
            let folder = Dir::open_ambient_dir(folder, ambient_authority())?;
            folder.open_with(inside.file_name().unwrap_or_default(), &options)?
        } else {
            self.dir.open_with(inside, &options)?
        };
        Ok(file.into_std())
    }
}

/// Whether a path is the name of an entry of the directory.
#[cfg(unix)]
fn is_name(inside: &Path) -> bool {
    let bytes = inside.as_os_str().as_encoded_bytes();
    !bytes.is_empty() && !bytes.contains(&b'/') && bytes != b"." && bytes != b".."
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    /// The size of files in `/proc` is 0.
    #[test]
    fn files_are_read_even_if_their_size_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.hcl");
        fs::write(&path, "a = 1").unwrap();
        for (size, length) in [(0, 5), (3, 5), (5, 5), (6, 5), (100, 5)] {
            assert_eq!(
                read_of_size(File::open(&path).unwrap(), size, 100, &mut |_| Ok(())).unwrap().len(),
                length,
                "{size}"
            );
        }
        assert!(
            !read_of_size(File::open("/proc/self/stat").unwrap(), 0, 10_000, &mut |_| Ok(()))
                .unwrap()
                .is_empty()
        );
    }

    /// Tests files that are replaced between the check and opening them.
    #[test]
    fn a_replaced_file_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let (root, path) = (folder.path().join("tree"), folder.path().join("tree/a.hcl"));
        fs::create_dir(&root).unwrap();
        fs::write(folder.path().join("outside"), "secret").unwrap();
        let tree = Tree::open(&root, false).unwrap();
        let swaps: [&dyn Fn(); 4] = [
            &|| mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap(),
            &|| std::os::unix::fs::symlink("../outside", &path).unwrap(),
            &|| std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
            &|| std::os::unix::fs::symlink("a.hcl", &path).unwrap(),
        ];
        for swap in swaps {
            fs::write(&path, "a = 1").unwrap();
            let Entry::File(inside) = tree.entry(&path).unwrap() else { panic!("it is a file") };
            fs::remove_file(&path).unwrap();
            swap();
            assert!(tree.open_file(&inside).is_err());
            fs::remove_file(&path).unwrap();
        }
    }
}
