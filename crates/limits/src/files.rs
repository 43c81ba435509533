//! Reading of files that may be of any kind and size.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a regular file. A pipe or a device is an error, and opening it does not wait.
///
/// # Errors
/// The file cannot be opened, or it is not a regular file.
pub fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
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
    let file = open_file(path)?;
    let mut text = Vec::new();
    file.take(max_size.saturating_add(1)).read_to_end(&mut text)?;
    if text.len() as u64 > max_size {
        let why = format!("the file is larger than {max_size} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(text)
}
