//! Files by name: which syntax a name stands for, and reading a file into a document.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit_model::Diagnostics;
use hclkit_syntax::{Diagnostic, Document, Entry, ParseOptions, Source};

/// The two ways in which HCL is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// The native syntax, made for people: `name = value`.
    Native,
    /// The JSON syntax, made for machines.
    Json,
}

/// Endings of files that hold native syntax, without the first dot.
///
/// `.pkr.hcl`, `.tftest.hcl`, `.nomad.hcl` and their like end in `.hcl` too.
const NATIVE_ENDINGS: [&str; 6] = ["hcl", "tf", "tfvars", "tfbackend", "tofu", "nomad"];

impl Syntax {
    /// The syntax that a file of this name is in by convention; `None` where the name does not tell.
    ///
    /// ```
    /// use hclkit::Syntax;
    /// assert_eq!(Syntax::of_path("main.tf"), Some(Syntax::Native));
    /// assert_eq!(Syntax::of_path("main.tf.json"), Some(Syntax::Json));
    /// assert_eq!(Syntax::of_path("package.json"), None);
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Option<Self> {
        let name = path.as_ref().file_name()?.to_string_lossy().to_ascii_lowercase();
        let native = |name: &str| {
            let ending = name.rsplit_once('.').map(|(_, ending)| ending);
            ending.is_some_and(|ending| NATIVE_ENDINGS.contains(&ending))
        };
        match name.strip_suffix(".json") {
            Some(name) if native(name) => Some(Self::Json),
            None if native(&name) => Some(Self::Native),
            _ => None,
        }
    }
}

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
            Cause::Json => write!(f, "{path} is in the JSON syntax, and not in the native one"),
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
    parse_file_with(path, ParseOptions::new())
}

/// The same with options.
///
/// # Errors
/// As [`parse_file`].
pub fn parse_file_with(path: impl AsRef<Path>, options: ParseOptions) -> Result<Document, FileError> {
    let path = path.as_ref();
    let failed = |cause| FileError { path: path.to_owned(), cause };
    if Syntax::of_path(path) == Some(Syntax::Json) {
        return Err(failed(Cause::Json));
    }
    let text = std::fs::read(path).map_err(|error| failed(Cause::Read(error)))?;
    Ok(options.parse(Source::new(path.to_string_lossy(), text), Entry::Config))
}

/// The diagnostics of a document, each with its source, as those of an evaluation are.
///
/// ```
/// let document = hclkit::parse("port = 'eighty'\n");
/// assert!(hclkit::diagnostics_of(&document).to_string().starts_with("1:8: Invalid character"));
/// ```
pub fn diagnostics_of(document: &Document) -> Diagnostics {
    located(document.diagnostics(), document.shared_source())
}

/// Diagnostics of a document in any syntax, each with its source.
pub fn located(diagnostics: &[Diagnostic], source: &Arc<Source>) -> Diagnostics {
    let with_source = |diagnostic: &Diagnostic| {
        let mut diagnostic = diagnostic.clone();
        diagnostic.source = Some(source.clone());
        diagnostic
    };
    diagnostics.iter().map(with_source).collect()
}
