//! Small files that are read without being asked for: ignore files and settings.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// The maximum size of such a file in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// Reads a file if it exists and is not a directory. It is opened without blocking and must be a regular file, so that
/// nothing that replaces it can stop the program. The error is the reason in words.
pub(crate) fn read_small(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let why = |error: io::Error| error.to_string();
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(why(error)),
    };
    let metadata = file.metadata().map_err(why)?;
    if metadata.is_dir() {
        return Ok(None);
    }
    if !metadata.is_file() {
        return Err("not a regular file".to_owned());
    }
    let mut text = Vec::new();
    file.take(MAX_SIZE + 1).read_to_end(&mut text).map_err(why)?;
    if text.len() as u64 > MAX_SIZE {
        return Err("the file is larger than 1 MiB".to_owned());
    }
    Ok(Some(text))
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    }
    options.open(path)
}

/// Returns true if an error means that the file does not exist. This includes dangling links, and paths inside files.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
