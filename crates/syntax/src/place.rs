//! A place: a span with the source that it is in.

use std::fmt;
use std::sync::Arc;

use crate::{Range, Source, Span};

/// A span in a source.
///
/// ```
/// use std::sync::Arc;
/// use hclkit_syntax::{Place, Source, Span};
///
/// let source = Arc::new(Source::new("web.hcl", "port = 80\n"));
/// let place = Place::new(&source, Span::new(7, 9));
/// assert_eq!((place.text(), place.to_string()), ("80", "web.hcl:1:8".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The source.
    pub source: Arc<Source>,
    /// The span in it.
    pub span: Span,
}

impl Place {
    /// A span in a source.
    pub fn new(source: &Arc<Source>, span: Span) -> Self {
        Self { source: source.clone(), span }
    }

    /// The place of something that is in no source.
    pub fn nowhere() -> Self {
        Self { source: Arc::new(Source::new("", "")), span: Span::default() }
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.source.slice(self.span)
    }

    /// The lines and columns.
    pub fn range(&self) -> Range {
        self.source.range(self.span)
    }
}

/// `FILE:LINE:COLUMN`
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.source.position(self.span.start);
        let name = self.source.name();
        let colon = if name.is_empty() { "" } else { ":" };
        write!(f, "{name}{colon}{}:{}", start.line, start.column)
    }
}
