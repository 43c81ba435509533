//! Columns: one for each grapheme cluster, except that a token boundary inside a cluster starts a new column. All
//! columns are counted here; the document provides the boundaries ("cuts") of its source.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::{Position, Range, Source, Span, TokenKind, Tokens};

/// No character below this byte joins the previous one, except for the line feed of a CR LF.
const FIRST_JOINER: u8 = 0xcc;

/// The distance between remembered positions in a long line.
pub(crate) const STEP: u32 = 1_024;

/// The counts before a position in a long line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checkpoint {
    pub(crate) offset: u32,
    /// The clusters and UTF-16 code units of the line before it.
    columns: u32,
    pub(crate) units: u32,
}

/// Positions at about this distance in all longer lines, so that each lookup takes bounded time.
pub(crate) fn checkpoints(source: &Source) -> Box<[Checkpoint]> {
    let mut all = Vec::new();
    for line in 0..source.line_count() {
        let span = source.line_with_break(line);
        if span.len() > 2 * STEP {
            let mut positions = Positions { source, line, span, from: span.start, columns: 0 };
            let mut units = 0;
            let mut last = span.start;
            positions.columns_before(span.end, |offset, columns| {
                units += source.slice(Span::new(last, offset)).encode_utf16().count() as u32;
                last = offset;
                all.push(Checkpoint { offset, columns, units });
            });
        }
    }
    all.into()
}

/// Looks up positions in a source, fastest if they are in order.
///
/// ```
/// use hclkit_syntax::Source;
/// let source = Source::new("main.hcl", "é = [1, 2]\n");
/// let mut positions = source.positions();
/// assert_eq!((positions.at(3).column, positions.at(6).column), (3, 6));
/// ```
#[derive(Debug, Clone)]
pub struct Positions<'s> {
    source: &'s Source,
    /// The line, from 0, and its span with the line break.
    line: u32,
    span: Span,
    /// An offset on the line where a cluster begins, and the number of clusters before it.
    from: u32,
    columns: u32,
}

impl<'s> Positions<'s> {
    pub(crate) fn new(source: &'s Source) -> Self {
        let span = source.line_with_break(0);
        Self { source, line: 0, span, from: span.start, columns: 0 }
    }

    /// Goes to the last known position that is not past an offset.
    fn seek(&mut self, offset: u32) {
        let ends_here = offset < self.span.end || self.line + 1 >= self.source.line_count();
        let same_line = offset >= self.span.start && offset <= self.span.end && ends_here;
        if same_line && offset >= self.from && offset - self.from <= 2 * STEP {
            return;
        }
        if !same_line {
            self.line = self.source.line_of(offset);
            self.span = self.source.line_with_break(self.line);
        }
        let known = self.source.checkpoint(self.span.start, offset);
        (self.from, self.columns) = known.map_or((self.span.start, 0), |known| (known.offset, known.columns));
    }

    /// The position of a byte offset; see [`Source::position`].
    pub fn at(&mut self, offset: u32) -> Position {
        let offset = self.source.floor(offset);
        self.seek(offset);
        let start = self.source.start();
        let first = if self.line == 0 { start.column } else { 1 };
        Position {
            byte: offset.saturating_add(start.byte),
            line: self.line.saturating_add(start.line),
            column: self.columns_before(offset, |_, _| {}).saturating_add(first),
        }
    }

    /// The range of a span.
    pub fn range(&mut self, span: Span) -> Range {
        Range { start: self.at(span.start), end: self.at(span.end) }
    }

    /// Counts the clusters before an offset on the line, including a partial one. Reports the start of each cluster on
    /// the way and the number of clusters before it.
    fn columns_before(&mut self, offset: u32, mut report: impl FnMut(u32, u32)) -> u32 {
        let text = self.source.text();
        while self.from < offset {
            let step = offset.min(self.from.saturating_add(STEP));
            if is_plain(&text.as_bytes()[self.from as usize..step as usize]) {
                // The following text may belong to the last of these clusters.
                self.columns += step - 1 - self.from;
                self.from = step - 1;
                if step == offset {
                    return self.columns + 1;
                }
            } else {
                let end = self.source.next_cut(self.from).unwrap_or(self.span.end).min(self.span.end);
                for cluster in text[self.from as usize..end as usize].graphemes(true) {
                    let after = self.from + cluster.len() as u32;
                    if after > offset {
                        return self.columns + 1;
                    }
                    (self.from, self.columns) = (after, self.columns + 1);
                    if after >= step {
                        break;
                    }
                }
            }
            report(self.from, self.columns);
        }
        self.columns
    }
}

/// Returns true if each byte is a cluster of its own.
fn is_plain(text: &[u8]) -> bool {
    text.is_ascii() && memchr::memchr(b'\r', text).is_none()
}

/// The token boundaries of a text inside of clusters: starts and ends of tokens, the quotes of strings, and characters
/// that could begin a sequence.
pub(crate) fn cuts_of_tokens(text: &str, tokens: &Tokens) -> Box<[u32]> {
    let mut tokens = tokens.iter().peekable();
    cuts(text, |offset| {
        while tokens.next_if(|token| token.span.end < offset).is_some() {}
        let at_edge = tokens.peek().is_some_and(|token| {
            let Span { start, end } = token.span;
            let quotes = token.kind == TokenKind::String && end > start + 1;
            offset == start || offset == end || quotes && (offset == start + 1 || offset + 1 == end)
        });
        at_edge || matches!(text.as_bytes()[offset as usize - 1], b'$' | b'%')
    })
}

/// The boundaries of a JSON text inside of clusters: after quotes and backslashes.
pub(crate) fn cuts_of_json(text: &str) -> Box<[u32]> {
    cuts(text, |offset| matches!(text.as_bytes()[offset as usize - 1], b'"' | b'\\'))
}

/// The offsets inside of clusters that are edges. `is_edge` is called with ascending offsets.
fn cuts(text: &str, mut is_edge: impl FnMut(u32) -> bool) -> Box<[u32]> {
    let mut cuts: Vec<u32> = Vec::new();
    if text.is_ascii() {
        return cuts.into();
    }
    let joiners = text.bytes().enumerate().filter(|&(at, byte)| byte >= FIRST_JOINER && at > 0);
    for (at, _) in joiners {
        if is_edge(at as u32) {
            let from = cuts.last().map_or(0, |&cut| cut as usize);
            let rest = &text[from..];
            let mut cursor = GraphemeCursor::new(at - from, rest.len(), true);
            if cursor.is_boundary(rest, 0) == Ok(false) {
                cuts.push(at as u32);
            }
        }
    }
    cuts.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// The definition of a column in the simplest form.
    fn simple(source: &Source, offset: u32) -> Position {
        let line = source.line_of(offset);
        let start = source.line_with_break(line).start.min(offset);
        let (mut columns, mut from) = (0, start);
        while let Some(cut) = source.next_cut(from).filter(|&cut| cut < offset) {
            columns += source.slice(Span::new(from, cut)).graphemes(true).count();
            from = cut;
        }
        columns += source.slice(Span::new(from, offset)).graphemes(true).count();
        Position { byte: offset, line: line + 1, column: columns as u32 + 1 }
    }

    #[test]
    fn positions_are_the_same_in_any_order() {
        let long = "é\u{301}, \u{1f468}\u{200d}\u{1f469} $\u{301}".repeat(300);
        for text in [
            "a = 1\n".to_owned(),
            format!("a = \"{long}\"\nb = \"\u{301}\"\r\n{}", "x = [1, 2]; ".repeat(500)),
            format!("\u{feff}{}", "🇩🇪".repeat(700)),
            format!("a{}\r\rb\n\n", "\u{301}".repeat(3_000)),
        ] {
            let document = parse(text);
            let source = document.source();
            let offsets: Vec<u32> = (source.mark_len() as u32..=source.len())
                .filter(|&offset| source.floor(offset) == offset)
                .step_by(7)
                .collect();
            let (mut forward, mut mixed) = (source.positions(), source.positions());
            for (at, &offset) in offsets.iter().enumerate() {
                let expected = simple(source, offset);
                assert_eq!(forward.at(offset), expected);
                assert_eq!(source.position(offset), expected);
                mixed.at(offsets[at * 7_919 % offsets.len()]);
                assert_eq!(mixed.at(offset), expected);
            }
        }
    }
}
