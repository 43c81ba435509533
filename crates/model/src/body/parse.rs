//! Parsing of files and sources to bodies.

use std::io::{self, Read};
use std::path::Path;

use hclkit_limits::Limits;
use hclkit_syntax::json::JsonDocument;
use hclkit_syntax::{Document, Entry, Source, Syntax};

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
}

impl ParseOptions {
    /// Chooses the syntax by the name of the source, and uses the limits of the thread.
    pub fn new() -> ParseOptions {
        ParseOptions::default()
    }

    /// Parses all sources in this syntax, whatever their names.
    #[must_use]
    pub fn with_syntax(mut self, syntax: Syntax) -> ParseOptions {
        self.syntax = Some(syntax);
        self
    }

    /// Parses within these limits. An exceeded limit is reported as a diagnostic.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> ParseOptions {
        self.limits = Some(limits);
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
        match self.syntax.unwrap_or_else(|| Syntax::of(source.name())) {
            Syntax::Json => {
                let document = JsonDocument::parse(source);
                (Body::from_json(document.root()), document.diagnostics().clone())
            }
            Syntax::Native => {
                let document = Document::parse(source, Entry::Config);
                (Body::from_ast(document.body()), document.diagnostics().clone())
            }
        }
    }

    /// Reads and parses a file. Its path is the name of the source. At most as much as a source can contain is read.
    ///
    /// # Errors
    /// The file cannot be read. Errors in its text are in the diagnostics.
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<(Body, Diagnostics)> {
        let path = path.as_ref();
        let failed = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))
        };
        let mut text = Vec::new();
        // One byte beyond what offsets can address makes the source an error.
        let most = u64::from(u32::MAX) + 1;
        std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut text)).map_err(failed)?;
        Ok(self.parse(Source::new(path.to_string_lossy(), text)))
    }
}

impl Body {
    /// Parses a source: in the JSON syntax if its name ends in `.json`, otherwise in the native syntax. The diagnostics
    /// are those of the syntax. If they contain errors, the body contains the parts that could be parsed.
    /// [`ParseOptions`] sets the syntax and limits.
    pub fn parse(source: Source) -> (Body, Diagnostics) {
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
    pub fn open(path: impl AsRef<Path>) -> io::Result<(Body, Diagnostics)> {
        ParseOptions::new().open(path)
    }
}
