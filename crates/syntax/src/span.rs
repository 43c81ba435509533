//! Byte spans, positions and ranges.
//! Tokens, nodes and diagnostics have a [`Span`]; people and editors see a [`Range`].

/// A half-open range of bytes in a [`Source`](crate::Source), counted from the start of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, and without, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty span at `offset`.
    pub const fn empty(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// Number of bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns true if the span is empty.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest span that covers both.
    #[must_use]
    #[doc(hidden)]
    pub fn cover(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns true if `offset` is inside the span or at its end.
    #[doc(hidden)]
    pub const fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// The span as a range of `usize`, to index text with.
    pub const fn to_range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A position in a source for people.
///
/// Lines and columns start at 1; a column is one grapheme cluster (what a reader sees as one character), and a
/// tab is one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Byte offset, from 0.
    pub byte: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in grapheme clusters, from 1.
    pub column: u32,
}

impl Position {
    /// The start of a file: byte 0, line 1, column 1.
    pub const START: Self = Self { byte: 0, line: 1, column: 1 };
}

impl Default for Position {
    fn default() -> Self {
        Self::START
    }
}

/// A position in a source for editors, as in the Language Server Protocol: line and character count from 0, characters
/// in UTF-16 code units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Utf16Position {
    /// Line, from 0.
    pub line: u32,
    /// UTF-16 code units from the start of the line.
    pub character: u32,
}

/// A half-open range of [`Position`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Range {
    /// The start.
    pub start: Position,
    /// The end, just after the last character.
    pub end: Position,
}
