//! Directories that commands create files in, such as those of `hcl eval --partial` and `hcl man`.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use cap_tempfile::TempFile;

#[cfg(feature = "tables")]
use super::temporary;
use super::{in_words, unwritable};
use crate::output::Failure;

/// A directory to write files to. It is opened once. Whatever the names and the links in it are, nothing outside of it is
/// written.
pub(crate) struct OutputDirectory {
    path: PathBuf,
    dir: Dir,
    /// The paths that were asked for.
    #[cfg(feature = "tables")]
    used: std::collections::HashSet<PathBuf>,
}

impl OutputDirectory {
    /// Opens a directory, and creates it if it does not exist.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let open = || {
            Dir::create_ambient_dir_all(path, ambient_authority())?;
            Dir::open_ambient_dir(path, ambient_authority())
        };
        let dir = open().map_err(|error| unwritable(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            dir,
            #[cfg(feature = "tables")]
            used: std::collections::HashSet::new(),
        })
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

    /// The first path `data`, `data-1`, … in a directory that this run has not used.
    #[cfg(feature = "tables")]
    pub(crate) fn unused(&mut self, folder: &Path, ending: &str) -> std::io::Result<PathBuf> {
        let names = (0..).map(|at| if at == 0 { "data".to_owned() } else { format!("data-{at}") });
        let mut paths = names.map(|name| folder.join(format!("{name}{ending}")));
        let path = paths.find(|path| !self.used.contains(path)).ok_or(ErrorKind::AlreadyExists)?;
        self.used.insert(path.clone());
        Ok(path)
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
