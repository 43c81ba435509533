//! Reading a file into a document.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use hclkit_syntax::{Document, Entry, Source, Syntax};

/// Why a file is no document.
#[derive(Debug)]
pub struct FileError {
    path: PathBuf,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    Read(io::Error),
    Json,
}

impl FileError {
    /// Which file it is about.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.cause {
            Cause::Read(error) => write!(f, "cannot read {path}: {error}"),
            Cause::Json => write!(f, "{path} uses the JSON syntax, expected the native syntax"),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.cause {
            Cause::Read(error) => Some(error),
            Cause::Json => None,
        }
    }
}

/// Reads a configuration file. Mistakes in it are in [`Document::diagnostics`].
///
/// # Errors
/// The file cannot be read, or its name says that it is in the JSON syntax.
///
/// ```no_run
/// let document = hclkit::parse_file("main.tf")?;
/// println!("{} mistakes", document.diagnostics().len());
/// # Ok::<(), hclkit::FileError>(())
/// ```
pub fn parse_file(path: impl AsRef<Path>) -> Result<Document, FileError> {
    let path = path.as_ref();
    let failed = |cause| FileError { path: path.to_owned(), cause };
    if Syntax::of(path) == Syntax::Json {
        return Err(failed(Cause::Json));
    }
    let text = std::fs::read(path).map_err(|error| failed(Cause::Read(error)))?;
    Ok(Document::parse(Source::new(path.to_string_lossy(), text), Entry::Config))
}
