//! Small files that are read without being asked for: ignore files and settings.

use std::io;
use std::path::Path;

use hclkit::limits::read_file;

/// The maximum size of such a file in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// Reads a file if it exists and is not a directory. It is opened without blocking and must be a regular file, so that
/// nothing that replaces it can stop the program.
///
/// # Errors
/// It cannot be read, or is larger than 1 MiB. The error is the reason in words.
pub fn read_small(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match read_file(path, MAX_SIZE) {
        Ok(text) => Ok(Some(text)),
        Err(error) if is_absent(&error) || error.kind() == io::ErrorKind::IsADirectory => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            Err("the file is larger than 1 MiB".to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Returns true if an error means that the file does not exist. This includes dangling links, and paths inside files.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
