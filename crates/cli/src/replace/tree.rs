//! Directories that commands create files in, such as those of `hcl eval --partial` and `hcl man`.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use cap_tempfile::TempFile;

use super::{in_words, unwritable};
use crate::output::Failure;

/// A directory to write files to. It is opened once. Whatever the names and the links in it are, nothing outside of it is
/// written.
pub(crate) struct OutputDirectory {
    path: PathBuf,
    dir: Dir,
}

impl OutputDirectory {
    /// Opens a directory, and creates it if it does not exist.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let open = || {
            Dir::create_ambient_dir_all(path, ambient_authority())?;
            Dir::open_ambient_dir(path, ambient_authority())
        };
        let dir = open().map_err(|error| unwritable(path, error))?;
        Ok(Self { path: path.to_owned(), dir })
    }

    /// Writes a file, completely or not at all, and creates the directories that contain it. A link with its name is
    /// replaced. A path that leaves the directory, also by a link, is an error.
    pub(crate) fn write(&self, path: &Path, contents: &[u8]) -> Result<(), Failure> {
        let written = || {
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                return Err(ErrorKind::InvalidInput.into());
            };
            let inner;
            let dir = if parent.as_os_str().is_empty() {
                &self.dir
            } else {
                inner = match self.dir.open_dir(parent) {
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        self.dir.create_dir_all(parent)?;
                        self.dir.open_dir(parent)?
                    }
                    other => other?,
                };
                &inner
            };
            let mut file = TempFile::new(dir)?;
            file.write_all(contents)?;
            file.as_file().sync_all()?;
            file.replace(name)
        };
        written().map_err(|error| unwritable(&self.path.join(path), in_words(&error)))
    }
}
