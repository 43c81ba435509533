//! Reading files. What nobody named is read only if it is a regular file inside of the directory that was named, and it is
//! opened so that nothing else can be put in its place meanwhile. Nothing is read beyond a size.

use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use hclkit::limits::check_glob;

/// How large a file may be unless `--max-size` says otherwise.
pub(crate) const MAX_SIZE: u64 = 256 << 20;

static LIMIT: AtomicU64 = AtomicU64::new(MAX_SIZE);

/// Sets how large files may be.
pub(crate) fn set_max_size(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// How large files may be.
pub(crate) fn max_size() -> u64 {
    LIMIT.load(Ordering::Relaxed)
}

/// All that can be read, up to the size limit.
pub(crate) fn all(from: impl Read) -> io::Result<Vec<u8>> {
    let limit = max_size();
    let mut bytes = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("it is larger than {limit} bytes; --max-size sets the limit")));
    }
    Ok(bytes)
}

/// A directory whose files are read.
#[derive(Debug)]
pub(crate) struct Tree {
    /// Its path, links resolved.
    root: PathBuf,
    dir: Dir,
    /// Whether links may lead out of it.
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

/// What an entry of a directory is.
pub(super) enum Entry {
    /// A regular file, and its path without links, as seen from the directory if it is in there.
    File(PathBuf),
    /// A link that leads out of the directory.
    Outside,
    /// Something that is not read: a directory, a pipe, a device.
    Other,
}

impl Tree {
    pub(super) fn open(root: &Path, follow: bool) -> io::Result<Self> {
        let root = root.canonicalize()?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        Ok(Self { root, dir, follow })
    }

    /// What is at a path that was found in the directory.
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

    /// Opens what [`entry`](Self::entry) found, if it is a regular file still. A pipe is not waited for.
    pub(super) fn open_file(&self, inside: &Path) -> io::Result<File> {
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
        let file = file.into_std();
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        Ok(file)
    }
}

/// What is wrong with the files of a directory that say what is ignored in it: reading a pipe would take forever, a huge
/// one too long, and a pattern of many braces more than the stack has.
pub(super) fn ignore_files_problem(folder: &Path) -> Option<(PathBuf, String)> {
    const MOST: u64 = 1 << 20;
    [".gitignore", ".ignore", ".git/info/exclude"].into_iter().find_map(|name| {
        let path = folder.join(name);
        let metadata = path.symlink_metadata().ok()?;
        let metadata = if metadata.is_symlink() { path.metadata().ok()? } else { metadata };
        let what = if metadata.is_dir() {
            return None;
        } else if !metadata.is_file() {
            "it is not a regular file".to_owned()
        } else if metadata.len() > MOST {
            "it is larger than 1 MiB".to_owned()
        } else {
            let text = fs::read(&path).ok()?;
            let mut lines = text.split(|&byte| byte == b'\n').enumerate();
            let (line, why) = lines.find_map(|(at, line)| {
                // Comments and lines that are not UTF-8 are not used.
                let pattern = std::str::from_utf8(line).ok().filter(|line| !line.starts_with('#'))?;
                Some((at + 1, check_glob(pattern).err()?))
            })?;
            format!("line {line} cannot be used: {why}")
        };
        Some((path, format!("{what}, so that its directory is not searched; --no-ignore leaves it alone")))
    })
}
