//! A place that declares a name or refers to it.

use hclkit_syntax::{Document, Span};

/// A place that declares a name or refers to it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occurrence {
    /// The kind of the place.
    pub kind: OccurrenceKind,
    /// The span of the traversal, or of the label or name of the declaration.
    pub span: Span,
    /// The path of the attribute, item or block that contains it.
    pub address: String,
    /// The span of the last name.
    pub(crate) name: Span,
    /// How the last name is written.
    pub(crate) form: WrittenForm,
}

/// The kind of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OccurrenceKind {
    /// The declaration: a block, or an attribute of `locals` or of a file of variables.
    Declaration,
    /// A reference in an expression, or in a string that is read as a reference, such as in `depends_on`.
    Reference,
    /// In a `moved` or `removed` block, which records the history. Renaming does not change it.
    History,
}

impl Occurrence {
    /// The span of the last name, without the quotes around it.
    pub fn name_span(&self, document: &Document) -> Span {
        let around = match self.form {
            WrittenForm::Plain => 0,
            WrittenForm::Quoted => u32::from(document.source().slice(self.name).starts_with('"')),
            WrittenForm::Escaped => 2,
        };
        Span::new(
            self.name.start + around,
            self.name.end.saturating_sub(around).max(self.name.start + around),
        )
    }
}

impl OccurrenceKind {
    /// `declaration`, `reference` or `history`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Declaration => "declaration",
            Self::Reference => "reference",
            Self::History => "history",
        }
    }
}

/// How the name of an occurrence is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrittenForm {
    /// Without quotes.
    Plain,
    /// In quotes, which are included in the span.
    Quoted,
    /// In quotes within a string of the JSON syntax.
    Escaped,
}
