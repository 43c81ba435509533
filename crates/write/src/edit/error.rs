//! Why an edit is not possible.

use std::fmt;

use hclkit_limits::{Exceeded, Limit};
use hclkit_syntax::{Diagnostics, Span};

use crate::SourceError;

/// Why an edit is not possible. The document does not change.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum EditError {
    /// A node is one of another document, for example of the same text before an edit.
    Foreign,
    /// The place cannot be edited in this way.
    Unsupported {
        /// The place.
        span: Span,
        /// The reason, as a clause.
        reason: String,
    },
    /// The new source text is not valid at its place.
    InvalidSource {
        /// The new source text.
        source: String,
        /// What was expected, such as `an expression`.
        expected: &'static str,
        /// The errors in the new source text, if it has any.
        diagnostics: Diagnostics,
    },
    /// The new value cannot be written as source text.
    InvalidValue(SourceError),
    /// The name is not an identifier.
    InvalidName {
        /// The name.
        name: String,
    },
    /// Two edits change the same text.
    Overlap {
        /// The span that one edit changes.
        first: Span,
        /// The span that the other edit changes.
        second: Span,
    },
    /// The edited text would have errors that the original does not have.
    Breaks {
        /// The errors of the edited text.
        diagnostics: Diagnostics,
    },
    /// The new text exceeds a limit: that on text which is created, or on the size of a source.
    Exceeded(Exceeded),
}

impl From<Exceeded> for EditError {
    fn from(exceeded: Exceeded) -> Self {
        Self::Exceeded(exceeded)
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("the node is one of another document"),
            Self::Unsupported { reason, .. } => f.write_str(reason),
            Self::InvalidSource { source, expected, .. } if source.trim().is_empty() => {
                write!(f, "expected {expected}, found nothing")
            }
            Self::InvalidSource { source, expected, diagnostics } => {
                write!(f, "expected {expected}, found `{}`", source.trim())?;
                match diagnostics.iter().next() {
                    Some(first) => write!(f, ": {}", first.note()),
                    None => Ok(()),
                }
            }
            Self::InvalidValue(error) => error.fmt(f),
            Self::InvalidName { name } => write!(f, "`{name}` is not an identifier"),
            Self::Overlap { .. } => f.write_str("two edits change the same text"),
            Self::Breaks { diagnostics } => {
                f.write_str("the file would have errors after the edit")?;
                match diagnostics.iter().next() {
                    Some(first) => write!(f, ": {}", first.note()),
                    None => Ok(()),
                }
            }
            Self::Exceeded(Exceeded { limit: Limit::Bytes, most }) => {
                write!(f, "the new text exceeds the limit of {most} bytes")
            }
            Self::Exceeded(exceeded) => write!(f, "the edited text cannot be read: {exceeded}"),
        }
    }
}

impl std::error::Error for EditError {}
