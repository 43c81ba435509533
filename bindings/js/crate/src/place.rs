//! Ranges of sources for JavaScript: lines and columns from 1, and offsets as strings of JavaScript count them.

use std::collections::HashMap;
use std::sync::Arc;

use hclkit::{Source, Span};
use serde::Serialize;

/// A position: line, column, offset in UTF-16, offset in UTF-8.
type At = (u32, u32, u32, u32);

/// A range, with the name of its source.
#[derive(Serialize)]
pub(crate) struct Ranged(String, At, At);

/// Makes ranges of several sources.
#[derive(Default)]
pub(crate) struct Places(HashMap<*const Source, (Arc<Source>, Units)>);

impl Places {
    /// A range of a source.
    pub(crate) fn range(&mut self, source: &Arc<Source>, span: Span) -> Ranged {
        let found = self.0.entry(Arc::as_ptr(source));
        let (_, units) = found.or_insert_with(|| (source.clone(), Units::of(source.text())));
        let range = source.range(span);
        let at = |position: hclkit::Position| {
            (position.line, position.column, units.at(position.byte), position.byte)
        };
        Ranged(source.name().to_owned(), at(range.start), at(range.end))
    }
}

/// Where characters that are not ASCII end, and by how much the offset in UTF-16 is smaller from there on.
struct Units(Vec<(u32, u32)>);

impl Units {
    fn of(text: &str) -> Self {
        let mut smaller = 0;
        let marks = text.char_indices().filter(|(_, character)| !character.is_ascii());
        Self(
            marks
                .map(|(at, character)| {
                    smaller += (character.len_utf8() - character.len_utf16()) as u32;
                    ((at + character.len_utf8()) as u32, smaller)
                })
                .collect(),
        )
    }

    fn at(&self, byte: u32) -> u32 {
        let before = self.0.partition_point(|&(end, _)| end <= byte);
        byte - before.checked_sub(1).map_or(0, |last| self.0[last].1)
    }
}
