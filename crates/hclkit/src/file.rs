//! Reads a file into a document.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use hclkit_syntax::{Document, Entry, Source, Syntax};

/// Why a file could not be read into a document.
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
    /// The path of the file.
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

/// Reads and parses a configuration file. Syntax errors are in [`Document::diagnostics`].
///
/// # Errors
/// If the file cannot be read, or if its name is that of a file in the JSON syntax.
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
