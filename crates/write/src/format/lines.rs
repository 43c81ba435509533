//! The pass over the tokens: the indentation of each line, the spaces between its tokens, and the cells that are aligned
//! afterwards.

use hclkit_syntax::Span;

use super::align::{Cell, Cells};
use super::class::Class;
use super::columns::{is_plain, width};
use super::gaps::Gap;

/// A token, as the formatter sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) class: Class,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Spaces for each level of brackets.
const INDENT: u32 = 2;

/// The maximum number of bytes of indentation and alignment that a text can get, in addition to 16 for each byte that
/// it has. Without a bound, a few megabytes of braces, or of short lines below a long one, would become terabytes.
const ROOM: u64 = 64 << 20;

/// Finds the gaps that must change. The pieces are in source order, and the last one is the end of the text. Gaps that
/// begin in one of the kept spans, which are in order, do not change, and nothing is aligned with them.
pub(super) fn gaps(
    source: &[u8],
    pieces: impl Iterator<Item = Piece>,
    kept: &[Span],
    aligns: bool,
) -> Vec<Gap> {
    let mut pass = Pass {
        source,
        plain: is_plain(source),
        gaps: Vec::new(),
        cells: Cells::default(),
        open: Vec::new(),
        line: Line::default(),
        line_pieces: Vec::new(),
        room: ROOM + 16 * source.len() as u64,
    };
    pass.run(pieces);
    let Pass { mut gaps, mut cells, mut room, .. } = pass;
    let is_kept = |gap: &Gap| {
        let before = kept.partition_point(|span| span.start <= gap.end);
        before > 0 && gap.start < kept[before - 1].end
    };
    if !kept.is_empty() {
        cells.retain(|cell| !is_kept(&gaps[cell.gap]));
    }
    if !aligns {
        room = 0;
    }
    cells.align(&mut gaps, &mut room);
    gaps.retain(|gap| !gap.is_right(source) && !is_kept(gap));
    gaps
}

/// The state of the current line.
#[derive(Debug, Default)]
struct Line {
    number: u32,
    /// The gap before its first token, if it has one.
    first_gap: usize,
    /// The number of opened minus closed brackets, up to the first heredoc.
    nesting: i32,
    counts: bool,
    /// The bytes of the resulting line, without indentation.
    width: u32,
    /// The difference between clusters and columns in the part measured so far.
    joined: u32,
    measured: usize,
    assignment: Option<Assignment>,
}

/// The first equals sign of a line, unless the line starts with it.
#[derive(Debug, Clone, Copy)]
struct Assignment {
    gap: usize,
    /// The width of the line before the sign.
    columns: u32,
    /// The spaces before it if it is not aligned.
    spaces: u32,
    /// The nesting of the line before the sign.
    nesting_before: i32,
    /// The number of opened minus closed brackets from here on, including heredocs.
    nesting: i32,
}

struct Pass<'s> {
    source: &'s [u8],
    /// True if each byte is a column.
    plain: bool,
    gaps: Vec<Gap>,
    cells: Cells,
    /// For each line that opened more brackets than it closed, the number that it left open.
    open: Vec<u32>,
    line: Line,
    /// The tokens of the line, if columns must be counted.
    line_pieces: Vec<(u32, u32)>,
    /// The number of spaces that may still be added.
    room: u64,
}

impl Pass<'_> {
    fn run(&mut self, pieces: impl Iterator<Item = Piece>) {
        let (mut before, mut subject) = (Class::Newline, Class::Newline);
        let mut last_end = 0_u32;
        for piece in pieces {
            let gap = Gap { start: last_end, end: piece.start, spaces: 0 };
            last_end = piece.end;
            if piece.class == Class::Newline {
                self.put(gap);
                self.end_line();
                subject = Class::Newline;
                continue;
            }
            if piece.class == Class::Eof {
                self.end_line();
                self.put(Gap { spaces: gap.end - gap.start, ..gap });
                continue;
            }
            if subject == Class::Newline {
                // The indentation is known only at the end of the line.
                self.line.first_gap = self.gaps.len();
                self.line.counts = true;
                self.gaps.push(gap);
            } else if self.is_trailing_comment(piece) {
                let columns = self.columns();
                let cell = Cell { gap: self.gaps.len(), line: self.line.number, columns };
                self.cells.comments.push(cell);
                self.gaps.push(Gap { spaces: 1, ..gap });
                self.line.width += 1;
            } else {
                let spaces = if self.would_join(before, subject, piece) {
                    u32::from(gap.start < gap.end || !matches!(piece.class, Class::Dot | Class::Ellipsis))
                } else {
                    u32::from(subject.spaced(piece.class))
                };
                if piece.class == Class::Equal && self.line.assignment.is_none() {
                    let (columns, gap_index) = (self.columns(), self.gaps.len());
                    let nesting_before = self.line.nesting;
                    self.line.assignment =
                        Some(Assignment { gap: gap_index, columns, spaces, nesting_before, nesting: 0 });
                    self.gaps.push(Gap { spaces, ..gap });
                } else {
                    self.put(Gap { spaces, ..gap });
                }
                self.line.width += spaces;
            }
            before = subject;
            let text = &self.source[piece.start as usize..piece.end as usize];
            subject = piece.class.after(subject, text);
            self.count(subject, piece);
        }
    }

    /// Adds a token to its line.
    #[inline]
    fn count(&mut self, class: Class, piece: Piece) {
        let nesting = class.nesting();
        if self.line.counts {
            self.line.nesting += nesting;
            self.line.counts = class != Class::OpenHeredoc;
        }
        if let Some(assignment) = &mut self.line.assignment {
            assignment.nesting += nesting;
        }
        self.line.width += piece.end - piece.start;
        if !self.plain {
            self.line_pieces.push((piece.start, piece.end));
        }
    }

    /// Returns true if the token would be read differently without a blank before it: `! =`, `. .`, `0 .1`. The
    /// reference joins these.
    #[inline]
    fn would_join(&self, before: Class, subject: Class, piece: Piece) -> bool {
        match (subject, piece.class) {
            (Class::Bang, _) => self.source[piece.start as usize] == b'=',
            (Class::Dot | Class::Ellipsis, Class::Dot | Class::Ellipsis) => true,
            (Class::Dot, Class::Number) => before == Class::Number,
            (Class::Dot, Class::Name | Class::In) => {
                before == Class::Number
                    && matches!(self.source[piece.start as usize..], [b'e' | b'E', b'0'..=b'9', ..])
            }
            _ => false,
        }
    }

    #[inline]
    fn is_trailing_comment(&self, piece: Piece) -> bool {
        piece.class == Class::LineComment || piece.class == Class::InlineComment && self.ends_text(piece.end)
    }

    /// Returns true if only blanks follow.
    fn ends_text(&self, end: u32) -> bool {
        self.source[end as usize..].iter().all(|&byte| matches!(byte, b' ' | b'\t'))
    }

    /// Records a gap if it must change.
    #[inline]
    fn put(&mut self, gap: Gap) {
        let len = gap.end - gap.start;
        if len != gap.spaces || len > 0 && !gap.is_right(self.source) {
            self.gaps.push(gap);
        }
    }

    /// The columns of the line so far, without indentation.
    fn columns(&mut self) -> u32 {
        for &(start, end) in &self.line_pieces[self.line.measured..] {
            self.line.joined += end - start - width(&self.source[start as usize..end as usize]);
        }
        self.line.measured = self.line_pieces.len();
        self.line.width - self.line.joined
    }

    fn end_line(&mut self) {
        let Line { number, first_gap, nesting, assignment, width, .. } = self.line;
        self.line = Line { number: number + 1, ..Line::default() };
        self.line_pieces.clear();
        if width == 0 {
            return;
        }
        let assignment = assignment.filter(|assignment| assignment.nesting == 0);
        let nesting = assignment.map_or(nesting, |assignment| assignment.nesting_before);
        self.close(nesting);
        let mut indent = INDENT * self.open.len() as u32;
        match self.room.checked_sub(u64::from(indent)) {
            Some(room) => self.room = room,
            None => indent = 0,
        }
        if nesting > 0 {
            self.open.push(nesting.unsigned_abs());
        }
        self.gaps[first_gap].spaces = indent;
        let comment = self.cells.comments.last_mut().filter(|cell| cell.line == number);
        if let Some(cell) = comment {
            cell.columns += indent;
            // An aligned sign has at least one space before it.
            cell.columns += assignment.map_or(0, |assignment| 1 - assignment.spaces);
        }
        if let Some(Assignment { gap, columns, .. }) = assignment {
            self.cells.assignments.push(Cell { gap, line: number, columns: columns + indent });
        }
    }

    /// Closes the brackets that a line closed in excess of those it opened. Each line that left brackets open is one
    /// level.
    fn close(&mut self, nesting: i32) {
        let mut closed = nesting.min(0).unsigned_abs();
        while closed > 0
            && let Some(open) = self.open.last_mut()
        {
            if *open > closed {
                *open -= closed;
                return;
            }
            closed -= *open;
            self.open.pop();
        }
    }
}
