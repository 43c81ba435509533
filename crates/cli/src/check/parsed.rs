//! A parsed file in either syntax, with its syntax errors.

use std::sync::Arc;

use hclkit::model::Body;
use hclkit::syntax::json;
use hclkit::{Diagnostics, Document, Range, Source, Span, StartSymbol};

use crate::input::Input;

/// A parsed file. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) enum Parsed {
    Native(Document),
    Json(json::JsonDocument),
}

impl Parsed {
    /// Parses the text of an input; its name determines the syntax. The limits of the thread apply.
    pub(super) fn read(input: &Input, source: Source) -> Self {
        if input.is_json() {
            Self::Json(json::JsonDocument::parse(source))
        } else {
            Self::Native(Document::parse(source, StartSymbol::Config))
        }
    }

    /// The file as a document for names and edits.
    pub(super) fn document(&self) -> Document {
        match self {
            Self::Native(document) => document.clone(),
            Self::Json(document) => Document::parse_json(document.shared_source().clone()),
        }
    }

    pub(super) fn shared_source(&self) -> &Arc<Source> {
        match self {
            Self::Native(document) => document.shared_source(),
            Self::Json(document) => document.shared_source(),
        }
    }

    pub(super) fn source(&self) -> &Source {
        match self {
            Self::Native(document) => document.source(),
            Self::Json(document) => document.source(),
        }
    }

    pub(super) fn diagnostics(&self) -> &Diagnostics {
        match self {
            Self::Native(document) => document.diagnostics(),
            Self::Json(document) => document.diagnostics(),
        }
    }

    /// The lines and columns of a span.
    pub(super) fn range(&self, span: Span) -> Range {
        match self {
            Self::Native(document) => document.range(span),
            Self::Json(document) => document.range(span),
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.diagnostics().has_errors()
    }

    /// The content of the file as a body.
    pub(super) fn body(&self) -> Body {
        match self {
            Self::Native(document) => Body::from_ast(document.body()),
            Self::Json(document) => Body::from_json(document.root()),
        }
    }
}
