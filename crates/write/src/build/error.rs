//! Why something cannot be written as source text.

use std::fmt;

use hclkit_syntax::Diagnostics;
use hclkit_value::NotPlain;

/// Why something cannot be written as source text.
#[derive(Debug, Clone)]
pub struct SourceError {
    /// The location, outermost first: names of attributes, types and labels of blocks, keys and indices.
    path: Vec<String>,
    problem: Problem,
}

#[derive(Debug, Clone)]
pub(super) enum Problem {
    /// A name that is not an identifier: what it names, and the name.
    Name(&'static str, String),
    /// A label that cannot be written.
    Label(String),
    /// A name that is used twice in a body.
    Duplicate(String),
    /// Source text that is not an expression.
    Expression(String, Diagnostics),
    /// A value that source text cannot express.
    Value(NotPlain),
    /// A Rust value that has no value in HCL.
    Encode(hclkit_value::Error),
    /// A key that is neither text nor a number.
    Key,
    /// Text that makes the surrounding text invalid.
    Text(Diagnostics),
}

impl SourceError {
    pub(super) fn new(problem: Problem) -> Self {
        Self { path: Vec::new(), problem }
    }

    /// The same error for a larger value that contains this one.
    pub(super) fn within(mut self, part: impl Into<String>) -> Self {
        self.path.insert(0, part.into());
        self
    }

    /// The location of the problem, such as `service.ports[0]`; empty for the whole value.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for part in &self.path {
            if !path.is_empty() && !part.starts_with('[') {
                path.push('.');
            }
            path.push_str(part);
        }
        path
    }

    /// The errors in the source text, if there are any.
    pub fn diagnostics(&self) -> Option<&Diagnostics> {
        match &self.problem {
            Problem::Expression(_, diagnostics) | Problem::Text(diagnostics) => Some(diagnostics),
            _ => None,
        }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        let first = |f: &mut fmt::Formatter<'_>, diagnostics: &Diagnostics| match diagnostics.first() {
            Some(first) => write!(f, ": {}", first.note()),
            None => Ok(()),
        };
        match &self.problem {
            Problem::Name(what, name) => write!(f, "{what} must be an identifier, found {name:?}"),
            Problem::Label(label) => write!(f, "the label {label:?} cannot be written as a quoted string"),
            Problem::Duplicate(name) => write!(f, "the attribute `{name}` is set twice"),
            Problem::Expression(source, diagnostics) => {
                write!(f, "expected an expression without comments around it, found `{}`", source.trim())?;
                first(f, diagnostics)
            }
            Problem::Value(why) => write!(f, "{why} cannot be written as source text"),
            Problem::Encode(error) => write!(f, "{error}"),
            Problem::Key => f.write_str("the key of an object must be a string or a number"),
            Problem::Text(diagnostics) => {
                f.write_str("the text has errors")?;
                first(f, diagnostics)
            }
        }
    }
}

impl std::error::Error for SourceError {}

impl From<hclkit_value::Error> for SourceError {
    fn from(error: hclkit_value::Error) -> Self {
        Self::new(Problem::Encode(error))
    }
}
