//! The rest of an expression: a region of the source with changes. Printing copies everything else from the source.

use hclkit_limits::with_room;
use hclkit_syntax::{Source, Span};

/// A region of the source with changes in it.
pub(super) struct Residue {
    pub(super) span: Span,
    /// In source order, not nested.
    pub(super) changes: Vec<Change>,
}

/// The replacement of a region of the source.
pub(super) struct Change {
    pub(super) span: Span,
    pub(super) new: New,
}

/// The content of a replacement.
pub(super) enum New {
    /// Text, mostly a value as source.
    Text(String),
    /// A part of the replaced region.
    Part(Residue),
}

impl Residue {
    /// Prints it.
    pub(super) fn write(&self, source: &Source, out: &mut String) {
        let mut at = self.span.start;
        for Change { span, new } in &self.changes {
            out.push_str(source.slice(Span::new(at, span.start)));
            match new {
                New::Text(text) => out.push_str(text),
                New::Part(part) => with_room(|| part.write(source, out)),
            }
            at = span.end;
        }
        out.push_str(source.slice(Span::new(at, self.span.end)));
    }
}
