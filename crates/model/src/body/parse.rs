//! Parsing of files and sources to bodies.

use std::io;
use std::path::Path;

use hclkit_limits::{Limits, read_file};
use hclkit_syntax::{Document, Source, Syntax};

use super::Body;
use crate::Diagnostics;

/// How to parse sources: the syntax and the limits.
///
/// ```
/// use hclkit_model::{Limits, ParseOptions};
/// use hclkit_syntax::{Source, Syntax};
///
/// let options = ParseOptions::new().with_syntax(Syntax::Json).with_limits(Limits::new().with_nesting(2));
/// let (body, diagnostics) = options.parse(Source::new("settings", r#"{"a": 1}"#));
/// assert!(diagnostics.is_empty() && body.attribute("a").is_some());
/// let (_, diagnostics) = options.parse(Source::new("settings", r#"{"a": [[1]]}"#));
/// assert_eq!(diagnostics[0].code(), Some(hclkit_syntax::Code::NestingTooDeep));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    syntax: Option<Syntax>,
    limits: Option<Limits>,
    max_size: Option<u64>,
}

impl ParseOptions {
    /// Chooses the syntax by the name of the source, and uses the limits of the thread.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses all sources in this syntax, whatever their names.
    #[must_use]
    pub fn with_syntax(mut self, syntax: Syntax) -> Self {
        self.syntax = Some(syntax);
        self
    }

    /// Parses within these limits. An exceeded limit is reported as a diagnostic.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Sets the maximum size of a file in bytes, which is otherwise what a source can contain: 4 GiB.
    #[must_use]
    pub fn with_max_size(mut self, bytes: u64) -> Self {
        self.max_size = Some(bytes);
        self
    }

    /// Parses a source. The diagnostics are those of the syntax. If they contain errors, the body contains the parts
    /// that could be parsed.
    pub fn parse(&self, source: Source) -> (Body, Diagnostics) {
        match &self.limits {
            Some(limits) => limits.run(|| self.parse_within(source)),
            None => self.parse_within(source),
        }
    }

    fn parse_within(&self, source: Source) -> (Body, Diagnostics) {
        let syntax = self.syntax.unwrap_or_else(|| Syntax::of(source.name()));
        let document = Document::parse_in(source, syntax);
        (Body::of(&document), document.diagnostics().clone())
    }

    /// Reads a regular file as a source. Its path is the name of the source.
    ///
    /// # Errors
    /// The file cannot be read, is too large, or is not a regular file. To read a pipe, such as standard input, read it
    /// yourself, and use [`ParseOptions::parse`].
    pub fn read(&self, path: impl AsRef<Path>) -> io::Result<Source> {
        let path = path.as_ref();
        // One byte beyond what offsets can address makes the source an error.
        let max_size = self.max_size.unwrap_or(u64::from(u32::MAX) + 1);
        let text = read_file(path, max_size).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))
        })?;
        Ok(Source::new(path.to_string_lossy(), text))
    }

    /// Reads and parses a file. Its path is the name of the source.
    ///
    /// # Errors
    /// Same as [`ParseOptions::read`]. Errors in the text are in the diagnostics.
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<(Body, Diagnostics)> {
        Ok(self.parse(self.read(path)?))
    }
}

impl Body {
    /// The body of a configuration file in either syntax.
    ///
    /// ```
    /// use hclkit_model::Body;
    /// use hclkit_syntax::{Document, Source, Syntax};
    ///
    /// let document = Document::parse_in(Source::new("main.tf.json", r#"{"port": 80}"#), Syntax::Json);
    /// assert!(Body::of(&document).attribute("port").is_some());
    /// ```
    pub fn of(document: &Document) -> Self {
        document.json().map_or_else(|| Self::from_ast(document.body()), |json| Self::from_json(json.root()))
    }

    /// Parses a source: in the JSON syntax if its name ends in `.json`, otherwise in the native syntax. The diagnostics
    /// are those of the syntax. If they contain errors, the body contains the parts that could be parsed.
    /// [`ParseOptions`] sets the syntax and limits.
    pub fn parse(source: Source) -> (Self, Diagnostics) {
        ParseOptions::new().parse(source)
    }

    /// Reads and parses a file. Its name determines the syntax.
    ///
    /// ```no_run
    /// use hclkit_model::Body;
    ///
    /// let (body, diagnostics) = Body::open("main.tf.json")?;
    /// println!("{} items, {} diagnostics", body.items().len(), diagnostics.len());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read; the error names it. Errors in its text are in the diagnostics.
    pub fn open(path: impl AsRef<Path>) -> io::Result<(Self, Diagnostics)> {
        ParseOptions::new().open(path)
    }
}
