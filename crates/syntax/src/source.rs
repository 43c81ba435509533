//! Source text: a name, the text, and a lazily built index from byte offsets to lines and columns.
//! Specification: "Source Code Representation".

use std::fmt;
use std::sync::OnceLock;

use hclkit_limits::{Exceeded, Limit, Meter};

use crate::columns::{Checkpoint, Positions, STEP, checkpoints};
use crate::{Position, Range, Span, Utf16Position};

/// The byte order mark that a file may start with.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The replacement for each byte that is not UTF-8 in [`Source::text`], which keeps the offsets of the input.
const REPLACEMENT: u8 = 0x1a;

/// The named text of a file, or of a part of a file.
///
/// Bytes that are not UTF-8 are replaced one for one in [`text`](Self::text) and listed in
/// [`invalid`](Self::invalid); [`bytes`](Self::bytes) returns the original input.
#[derive(Clone)]
pub struct Source {
    name: String,
    text: String,
    /// The input if it was not UTF-8.
    original: Option<Box<[u8]>>,
    invalid: Vec<Span>,
    start: Position,
    too_large: bool,
    line_starts: OnceLock<Box<[u32]>>,
    /// The offsets inside grapheme clusters where a column begins.
    cuts: OnceLock<Box<[u32]>>,
    /// Positions in long lines: without the cuts, and with them.
    checkpoints: [OnceLock<Box<[Checkpoint]>>; 2],
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.start == other.start && self.bytes() == other.bytes()
    }
}

impl Eq for Source {}

/// The name and the length. The text is left out.
#[doc(hidden)]
impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("name", &self.name).field("len", &self.len()).finish_non_exhaustive()
    }
}

impl Source {
    /// Creates a source from a name, which is used only in messages, and its text: a string or bytes.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        let bytes = text.into();
        let too_large = u32::try_from(bytes.len()).is_err();
        let (text, original, invalid) = if too_large {
            (String::new(), None, Vec::new())
        } else {
            match String::from_utf8(bytes) {
                Ok(text) => (text, None, Vec::new()),
                Err(error) => {
                    let bytes = error.into_bytes();
                    let (text, invalid) = replace_invalid(&bytes);
                    (text, Some(bytes.into_boxed_slice()), invalid)
                }
            }
        };
        let start = Position::START;
        let (line_starts, cuts, checkpoints) = (OnceLock::new(), OnceLock::new(), Default::default());
        Self { name: name.into(), text, original, invalid, start, too_large, line_starts, cuts, checkpoints }
    }

    #[doc(hidden)]
    /// The same source with its first byte at `start` of a larger file.
    ///
    /// Spans still count from the start of this text; [`position`](Self::position) and [`range`](Self::range) count
    /// from the start of the larger file.
    #[must_use]
    pub fn with_start(mut self, start: Position) -> Self {
        self.start = start;
        self
    }

    /// The name of the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text, including a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The original input, even if it is not UTF-8.
    pub fn bytes(&self) -> &[u8] {
        self.original.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// The text of a span. Empty if the span is outside the text or not on character boundaries.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.to_range()).unwrap_or_default()
    }

    /// The spans of bytes that are not UTF-8, in order, without overlaps.
    #[doc(hidden)]
    pub fn invalid(&self) -> &[Span] {
        &self.invalid
    }

    #[doc(hidden)]
    /// Returns true if the input was 4 GiB or more, which is not supported: the text is empty then.
    pub fn is_too_large(&self) -> bool {
        self.too_large
    }

    /// Checks the size of the source against the limits.
    pub(crate) fn check_size(&self, meter: &Meter) -> Result<(), Exceeded> {
        if self.too_large {
            return Err(Exceeded { limit: Limit::SourceBytes, most: u64::from(u32::MAX) });
        }
        meter.check_source(self.text.len() as u64)
    }

    /// The position of the first byte, as given to [`starting_at`](Self::with_start).
    #[doc(hidden)]
    pub fn start(&self) -> Position {
        self.start
    }

    /// Length of the text in bytes.
    pub fn len(&self) -> u32 {
        self.text.len() as u32
    }

    /// Returns true if the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Length of the byte order mark, or 0 if the text has none.
    pub(crate) fn mark_len(&self) -> usize {
        if self.text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
    }

    /// Number of lines: one more than there are line feeds.
    #[doc(hidden)]
    pub fn line_count(&self) -> u32 {
        self.line_starts().len() as u32
    }

    /// The span of a line, counted from 0, without its line break. Empty past the last line.
    #[doc(hidden)]
    pub fn line_span(&self, line: u32) -> Span {
        let starts = self.line_starts();
        let Some(&start) = starts.get(line as usize) else { return Span::empty(self.len()) };
        let end = starts.get(line as usize + 1).map_or(self.len(), |&next| next - 1);
        let text = &self.text[start as usize..end as usize];
        Span::new(start, start + text.strip_suffix('\r').unwrap_or(text).len() as u32)
    }

    /// The line that contains a byte offset, counted from 0.
    #[doc(hidden)]
    pub fn line_of(&self, offset: u32) -> u32 {
        self.line_starts().partition_point(|&start| start <= offset).max(1) as u32 - 1
    }

    /// The position of a byte offset. An offset past the end or inside a character is moved back.
    ///
    /// In a parsed source, a combining mark at the start of a token, as in a string, is a column of its own.
    pub fn position(&self, offset: u32) -> Position {
        self.positions().at(offset)
    }

    /// The range of a span.
    pub fn range(&self, span: Span) -> Range {
        self.positions().range(span)
    }

    #[doc(hidden)]
    /// A lookup for many positions, fastest if they are in order.
    pub fn positions(&self) -> Positions<'_> {
        Positions::new(self)
    }

    /// Sets the offsets inside grapheme clusters where columns begin.
    pub(crate) fn set_cuts(&self, cuts: Box<[u32]>) {
        // A source that is parsed again has the same.
        if self.cuts.get().is_none() {
            let _ = self.cuts.set(cuts);
        }
    }

    /// The first cut after an offset.
    pub(crate) fn next_cut(&self, offset: u32) -> Option<u32> {
        let cuts = self.cuts.get()?;
        cuts.get(cuts.partition_point(|&cut| cut <= offset)).copied()
    }

    #[doc(hidden)]
    /// The position of a byte offset as the Language Server Protocol counts by default.
    pub fn utf16_position(&self, offset: u32) -> Utf16Position {
        let offset = self.floor(offset);
        let line = self.line_of(offset);
        let start = self.line_with_break(line).start;
        let known = self.checkpoint(start, offset);
        let (from, units) = known.map_or((start, 0), |known| (known.offset, known.units));
        let rest = self.text.get(from as usize..offset as usize).unwrap_or_default();
        Utf16Position { line, character: units + rest.encode_utf16().count() as u32 }
    }

    /// Returns the last remembered position of a long line that is not past an offset.
    pub(crate) fn checkpoint(&self, line_start: u32, offset: u32) -> Option<Checkpoint> {
        if offset - line_start.min(offset) <= STEP {
            return None;
        }
        let all = self.checkpoints();
        let before = all.partition_point(|known| known.offset <= offset);
        all[..before].last().filter(|known| known.offset >= line_start).copied()
    }

    fn checkpoints(&self) -> &[Checkpoint] {
        self.checkpoints[usize::from(self.cuts.get().is_some())].get_or_init(|| checkpoints(self))
    }

    #[doc(hidden)]
    /// The byte offset of an editor's position; past the end of a line is the end of that line.
    pub fn offset_of_utf16(&self, position: Utf16Position) -> u32 {
        let span = self.line_span(position.line);
        let inside = |known: &Checkpoint| known.offset <= span.end && known.units <= position.character;
        let all = if span.len() > STEP { self.checkpoints() } else { &[] };
        let before = all.partition_point(|known| known.offset < span.start || inside(known));
        let known = all[..before].last().filter(|known| known.offset >= span.start);
        let (from, mut units) = known.map_or((span.start, 0), |known| (known.offset, known.units));
        for (offset, character) in self.slice(Span::new(from, span.end)).char_indices() {
            if units >= position.character {
                return from + offset as u32;
            }
            units += character.len_utf16() as u32;
        }
        span.end
    }

    /// The start of the character that contains an offset.
    pub(crate) fn floor(&self, offset: u32) -> u32 {
        let mut offset = offset.min(self.len());
        while !self.text.is_char_boundary(offset as usize) {
            offset -= 1;
        }
        offset
    }

    /// The span of a line, counted from 0, with its line break.
    pub(crate) fn line_with_break(&self, line: u32) -> Span {
        let starts = self.line_starts();
        let [start, end] = [line, line + 1].map(|line| starts.get(line as usize).copied());
        Span::new(start.unwrap_or(self.len()), end.unwrap_or(self.len()))
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            // The byte order mark has no column of its own.
            let mut starts = vec![self.mark_len() as u32];
            starts.extend(memchr::memchr_iter(b'\n', self.text.as_bytes()).map(|at| at as u32 + 1));
            starts.into_boxed_slice()
        })
    }
}

fn replace_invalid(bytes: &[u8]) -> (String, Vec<Span>) {
    let mut text = String::with_capacity(bytes.len());
    let mut invalid: Vec<Span> = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let bad = chunk.invalid().len();
        if bad > 0 {
            let start = text.len() as u32;
            text.extend(std::iter::repeat_n(char::from(REPLACEMENT), bad));
            let end = start + bad as u32;
            // Merge adjacent spans: a binary file may be full of them.
            match invalid.last_mut() {
                Some(Span { end: last, .. }) if *last == start => *last = end,
                _ => invalid.push(Span::new(start, end)),
            }
        }
    }
    (text, invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_grapheme_clusters_and_utf16_is_counted_separately() {
        let source = Source::new("t", "a\n👨‍👩‍👧é\u{301}x\r\n\ty");
        let x = source.text().find('x').unwrap() as u32;
        assert_eq!(source.position(x), Position { byte: x, line: 2, column: 3 });
        let utf16 = source.utf16_position(x);
        assert_eq!(utf16, Utf16Position { line: 1, character: 10 });
        assert_eq!(source.offset_of_utf16(utf16), x);
        let y = source.text().find('y').unwrap() as u32;
        assert_eq!(source.position(y), Position { byte: y, line: 3, column: 2 });
        assert_eq!(source.slice(source.line_span(1)), "👨‍👩‍👧é\u{301}x");
    }

    #[test]
    fn a_byte_order_mark_has_no_column() {
        let source = Source::new("t", "\u{feff}a = 1");
        assert_eq!(source.position(3), Position { byte: 3, line: 1, column: 1 });
        assert_eq!(source.position(4).column, 2);
    }

    #[test]
    fn invalid_bytes_keep_their_offsets() {
        let source = Source::new("t", b"a\xff\xfeb".to_vec());
        assert_eq!(source.text().len(), 4);
        assert_eq!(source.invalid(), [Span::new(1, 3)]);
        assert_eq!(source.bytes(), b"a\xff\xfeb");
    }

    #[test]
    fn positions_continue_from_the_start_of_the_piece() {
        let source = Source::new("t", "ab\nc").with_start(Position { byte: 100, line: 7, column: 5 });
        assert_eq!(source.position(1), Position { byte: 101, line: 7, column: 6 });
        assert_eq!(source.position(3), Position { byte: 103, line: 8, column: 1 });
    }
}
