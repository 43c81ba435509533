//! Where results go: to standard output, or to a file that is complete when it gets its name.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use hclkit::syntax::visible;
use tempfile::NamedTempFile;

use crate::message::Failure;

/// An output.
pub(crate) enum Destination {
    /// A terminal, which does not get control characters.
    Terminal,
    Standard(BufWriter<io::Stdout>),
    /// A file that takes the place of another one.
    New {
        file: BufWriter<NamedTempFile>,
        target: PathBuf,
    },
    /// A device or a pipe.
    Special(File),
}

impl Destination {
    pub(crate) fn new(path: Option<&Path>) -> Result<Self, Failure> {
        match path {
            None if io::stdout().is_terminal() => Ok(Self::Terminal),
            None => Ok(Self::Standard(BufWriter::new(io::stdout()))),
            Some(path) => Self::file(path).map_err(|error| Failure::unwritable(path, error)),
        }
    }

    fn file(path: &Path) -> io::Result<Self> {
        // A link keeps its target.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let before = target.metadata().ok();
        if before.as_ref().is_some_and(|before| !before.is_file()) {
            return std::fs::OpenOptions::new().write(true).open(&target).map(Self::Special);
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".hcl-sql-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The mode allowed by the umask. By default, only the owner can read temporary files.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        if let Some(before) = before {
            file.as_file().set_permissions(before.permissions())?;
        }
        Ok(Self::New { file: BufWriter::new(file), target })
    }

    /// Gives a file its name.
    pub(crate) fn complete(self) -> Result<(), Failure> {
        let Self::New { file, target } = self else { return Ok(()) };
        let placed = || {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            file.persist(&target).map_err(|error| error.error)
        };
        placed().map(drop).map_err(|error| Failure::unwritable(&target, error))
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Terminal => {
                io::stdout().write_all(visible(&String::from_utf8_lossy(bytes)).as_bytes())?;
                Ok(bytes.len())
            }
            Self::Standard(out) => out.write(bytes),
            Self::New { file, .. } => file.write(bytes),
            Self::Special(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Terminal => io::stdout().flush(),
            Self::Standard(out) => out.flush(),
            Self::New { file, .. } => file.flush(),
            Self::Special(file) => file.flush(),
        }
    }
}
