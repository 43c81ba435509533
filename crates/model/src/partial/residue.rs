//! What is left of an expression: a region of the source with changes in it, and how it is printed. What does not change
//! is copied from the source.

use hclkit_limits::with_room;
use hclkit_syntax::{Source, Span};

/// A region of the source with changes in it.
pub(super) struct Residue {
    pub(super) span: Span,
    /// In source order, none within another.
    pub(super) changes: Vec<Change>,
}

/// Something else in the place of a region of the source.
pub(super) struct Change {
    pub(super) span: Span,
    pub(super) new: New,
}

/// What stands in a place instead.
pub(super) enum New {
    /// Text, in the main a value as source.
    Text(String),
    /// A part of what stood there.
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
