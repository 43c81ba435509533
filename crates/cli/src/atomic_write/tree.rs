//! Directories that commands create files in, such as those of `hcl eval --partial` and `hcl man`.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use cap_tempfile::TempFile;

#[cfg(feature = "tables")]
use super::temporary;
use super::{in_words, unwritable};
use crate::outcome::Failure;

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
            let dir = self.directory(parent)?;
            let mut file = TempFile::new(&dir)?;
            file.write_all(contents)?;
            file.as_file().sync_all()?;
            file.replace(name)
        };
        written().map_err(|error| unwritable(&self.path.join(path), in_words(&error)))
    }

    /// The path of the directory.
    #[cfg(feature = "tables")]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is a file.
    #[cfg(feature = "tables")]
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.dir.symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
    }

    /// Reads a file. One that does not exist is empty.
    #[cfg(feature = "tables")]
    pub(crate) fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        match self.dir.read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            other => other,
        }
    }

    /// Opens a file to add to its end.
    #[cfg(feature = "tables")]
    pub(crate) fn append(&self, path: &Path) -> std::io::Result<std::fs::File> {
        let options = cap_std::fs::OpenOptions::new().append(true).to_owned();
        self.dir.open_with(path, &options).map(cap_std::fs::File::into_std)
    }

    /// Removes a file, if it exists, and then its directory, if it is empty.
    #[cfg(feature = "tables")]
    pub(crate) fn remove(&self, path: &Path) -> Result<(), Failure> {
        match self.dir.remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(unwritable(&self.path.join(path), in_words(&error)));
            }
            _ => {}
        }
        // Another file is a reason to keep it.
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let _ = self.dir.remove_dir(folder);
        }
        Ok(())
    }

    /// Begins a file that is written bit by bit, and creates the directories that contain it. It gets its name when it is
    /// [finished](NewFile::finish). What killed runs left beside it is removed.
    #[cfg(feature = "tables")]
    pub(crate) fn begin(&self, path: &Path) -> std::io::Result<NewFile> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(ErrorKind::InvalidInput.into());
        };
        let dir = self.directory(parent)?;
        let folder = self.path.join(parent);
        temporary::clean_in(&dir);
        temporary::remove_on_signals();
        let file = temporary::InDirectory::new(&dir, &folder)?;
        Ok(NewFile { file: std::io::BufWriter::with_capacity(1 << 16, file), name: name.into() })
    }

    /// A directory in this one, which is created if it does not exist.
    fn directory(&self, path: &Path) -> std::io::Result<Dir> {
        if path.as_os_str().is_empty() {
            return self.dir.try_clone();
        }
        match self.dir.open_dir(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.dir.create_dir_all(path)?;
                self.dir.open_dir(path)
            }
            other => other,
        }
    }
}

/// A file that is being written, under another name.
#[cfg(feature = "tables")]
pub(crate) struct NewFile {
    file: std::io::BufWriter<temporary::InDirectory>,
    name: PathBuf,
}

#[cfg(feature = "tables")]
impl NewFile {
    /// Gives the complete file its name. A file or a link with this name is replaced.
    pub(crate) fn finish(self) -> std::io::Result<()> {
        let file = self.file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.take_place_of(&self.name)
    }
}

#[cfg(feature = "tables")]
impl std::io::Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
