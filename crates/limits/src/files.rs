//! Reading of files that may be of any kind and size.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a regular file. A pipe or a device is an error, and opening it does not wait.
///
/// # Errors
/// The file cannot be opened, or it is not a regular file.
pub fn open_file(path: &Path) -> io::Result<File> {
    open(path, Links::Follow)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    Refuse,
}

fn open(path: &Path, links: Links) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let refuse = if links == Links::Refuse { libc::O_NOFOLLOW } else { 0 };
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | refuse);
    }
    #[cfg(not(unix))]
    if links == Links::Refuse && path.is_symlink() {
        return Err(io::Error::other("is a link"));
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok(file)
}

/// Reads a regular file of at most `max_size` bytes.
///
/// ```
/// # let directory = std::env::temp_dir();
/// let error = hclkit_limits::read_file(&directory, 1 << 20).unwrap_err();
/// assert_eq!(error.to_string(), "is a directory");
/// ```
///
/// # Errors
/// Same as [`open_file`], or the file is larger, or it cannot be read.
pub fn read_file(path: &Path, max_size: u64) -> io::Result<Vec<u8>> {
    read(open_file(path)?, max_size)
}

/// Reads a regular file of at most `max_size` bytes at a path that [`canonicalize`](Path::canonicalize) returned and that
/// was checked. If a link has replaced the file, it is an error.
///
/// # Errors
/// Same as [`read_file`], or the path is that of a link.
pub fn read_target(path: &Path, max_size: u64) -> io::Result<Vec<u8>> {
    read(open(path, Links::Refuse)?, max_size)
}

fn read(file: File, max_size: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    file.take(max_size.saturating_add(1)).read_to_end(&mut text)?;
    if text.len() as u64 > max_size {
        let why = format!("the file is larger than {max_size} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(text)
}

#[cfg(all(test, unix))]
mod tests {
    use super::{read_file, read_target};

    #[test]
    fn a_link_is_not_a_target() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let (file, link) = (folder.join("a.tf"), folder.join("b.tf"));
        std::fs::write(&file, "text").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let read = [read_target(&file, 4), read_target(&file, 3), read_target(&link, 4), read_file(&link, 4)];
        assert_eq!(read.map(Result::ok), [Some(b"text".to_vec()), None, None, Some(b"text".to_vec())]);
    }
}
