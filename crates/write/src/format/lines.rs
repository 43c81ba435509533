//! The pass over the tokens: the indentation of each line, the spaces between its tokens, and the cells that are aligned
//! afterwards.

use hclkit_syntax::Span;

use super::align::{Cell, Cells};
use super::class::Class;
use super::gaps::Gap;
use super::token_width::{is_plain, width};

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
pub(super) const ROOM: u64 = 64 << 20;

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
        // Most lines have an indentation and an equals sign.
        gaps: Vec::with_capacity(source.len() / 12 + 8),
        cells: Cells::for_text_of(source.len()),
        depth: 0,
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
    /// Where its first token begins, if it has one.
    start: Option<u32>,
    /// The gap before its first token.
    first_gap: usize,
    /// The open brackets before it.
    depth_before: i32,
    /// The open brackets at the first heredoc.
    depth_at_heredoc: Option<i32>,
    /// How many bytes longer the line will be, indentation left out; it wraps around if the line will be shorter.
    shift: u32,
    /// The difference between clusters and columns, as far as it was measured.
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
    /// The open brackets at the sign.
    depth: i32,
}

struct Pass<'s> {
    source: &'s [u8],
    /// True if each byte is a column.
    plain: bool,
    gaps: Vec<Gap>,
    cells: Cells,
    /// The number of open brackets, also those in templates.
    depth: i32,
    /// The brackets that each line which opened more than it closed left open.
    open: Vec<u32>,
    line: Line,
    /// The tokens of the line, if columns must be counted.
    line_pieces: Vec<(u32, u32)>,
    /// The number of spaces that may still be added.
    room: u64,
}

impl Pass<'_> {
    fn run(&mut self, pieces: impl Iterator<Item = Piece>) {
        // `subject` is the last token. `before` is the token before it or, if it ends a run of dots, before the run.
        let (mut before, mut subject) = (Class::Newline, Class::Newline);
        let mut last_end = 0_u32;
        for piece in pieces {
            let gap = Gap { start: last_end, end: piece.start, spaces: 0 };
            last_end = piece.end;
            let mut next_before = subject;
            let class = if piece.class == Class::Newline {
                self.put(gap);
                self.end_line(gap.start);
                (before, subject) = (subject, Class::Newline);
                continue;
            } else if subject == Class::Newline {
                self.start_line(piece, gap)
            } else if let Some(spaces) = subject.plain_spaces(piece.class) {
                self.space(Gap { spaces, ..gap });
                piece.class
            } else {
                if subject.is_dots() && piece.class.is_dots() && gap.start == gap.end {
                    next_before = before;
                }
                self.closer(before, subject, piece, gap)
            };
            (before, subject) = (next_before, class);
            self.depth += class.nesting();
            if !self.plain {
                self.line_pieces.push((piece.start, piece.end));
            }
        }
    }

    /// Reads the first token of a line, or the end of the text after a line break. Returns its class.
    fn start_line(&mut self, piece: Piece, gap: Gap) -> Class {
        if piece.class == Class::Eof {
            return self.end_text(gap);
        }
        // The indentation is known when the line has been read.
        let Self { gaps, line, .. } = self;
        line.first_gap = gaps.len();
        line.start = Some(piece.start);
        line.depth_before = self.depth;
        line.depth_at_heredoc = (piece.class == Class::OpenHeredoc).then_some(self.depth);
        (line.shift, line.joined, line.measured, line.assignment) = (0, 0, 0, None);
        gaps.push(gap);
        // A minus here is a sign, and a name is not the word `in`.
        if piece.class == Class::Minus { Class::Negation } else { piece.class }
    }

    fn end_text(&mut self, gap: Gap) -> Class {
        self.end_line(gap.start);
        self.put(Gap { spaces: gap.end - gap.start, ..gap });
        Class::Eof
    }

    /// Reads a token for which the classes are not enough. Returns its class.
    fn closer(&mut self, before: Class, subject: Class, piece: Piece, gap: Gap) -> Class {
        if piece.class == Class::Eof {
            return self.end_text(gap);
        }
        if piece.class == Class::OpenHeredoc && self.line.depth_at_heredoc.is_none() {
            self.line.depth_at_heredoc = Some(self.depth);
        }
        if self.is_trailing_comment(piece) {
            let columns = self.columns(gap.start);
            self.cells.comments.push(Cell { gap: self.gaps.len(), line: self.line.number, columns });
            self.change(Gap { spaces: 1, ..gap });
            return piece.class;
        }
        let spaces = if self.would_join(before, subject, piece, gap) {
            u32::from(gap.start < gap.end || !piece.class.is_dots())
        } else {
            u32::from(subject.spaced(piece.class))
        };
        if piece.class == Class::Equal && self.line.assignment.is_none() {
            let (columns, gap_index) = (self.columns(gap.start), self.gaps.len());
            let (nesting_before, depth) = (self.nesting(), self.depth);
            self.line.assignment =
                Some(Assignment { gap: gap_index, columns, spaces, nesting_before, depth });
            self.change(Gap { spaces, ..gap });
            return piece.class;
        }
        self.space(Gap { spaces, ..gap });
        let text = &self.source[piece.start as usize..piece.end as usize];
        piece.class.after(subject, text)
    }

    /// Brackets opened less brackets closed in the line so far, up to the first heredoc.
    fn nesting(&self) -> i32 {
        self.line.depth_at_heredoc.unwrap_or(self.depth) - self.line.depth_before
    }

    /// Returns true if the token would be read differently without a blank before it: `! =`, `. .`, `0 .1`, `0.. 1`,
    /// `%{ ~}`. The reference joins these.
    #[inline]
    fn would_join(&self, before: Class, subject: Class, piece: Piece, gap: Gap) -> bool {
        match (subject, piece.class) {
            (Class::Bang, _) => self.source[piece.start as usize] == b'=',
            (Class::OpenSequence, Class::CloseSequence) => {
                self.source[piece.start as usize] == b'~' && self.source[..gap.start as usize].ends_with(b"{")
            }
            _ if subject.is_dots() && piece.class.is_dots() => true,
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
        if !gap.is_right(self.source) {
            self.gaps.push(gap);
        }
    }

    /// Notes a gap between two tokens of a line, if it is to change.
    #[inline]
    fn space(&mut self, gap: Gap) {
        if !gap.is_right(self.source) {
            self.change(gap);
        }
    }

    /// Notes a gap between two tokens of a line.
    fn change(&mut self, gap: Gap) {
        self.line.shift = self.line.shift.wrapping_add(gap.spaces).wrapping_sub(gap.end - gap.start);
        self.gaps.push(gap);
    }

    /// The bytes of the line up to a place, as it will be, indentation left out.
    fn width(&self, end: u32) -> u32 {
        self.line.start.map_or(0, |start| (end - start).wrapping_add(self.line.shift))
    }

    /// The columns of the line up to a place, indentation left out.
    fn columns(&mut self, end: u32) -> u32 {
        for &(start, end) in &self.line_pieces[self.line.measured..] {
            self.line.joined += end - start - width(&self.source[start as usize..end as usize]);
        }
        self.line.measured = self.line_pieces.len();
        self.width(end) - self.line.joined
    }

    /// Ends the line, whose last token ends at a place.
    fn end_line(&mut self, end: u32) {
        let number = self.line.number;
        self.line.number += 1;
        let width = self.width(end);
        self.line.start = None;
        self.line_pieces.clear();
        if width == 0 {
            return;
        }
        let (nesting, depth) = (self.nesting(), self.depth);
        let Line { first_gap, assignment, .. } = self.line;
        let assignment = assignment.filter(|assignment| assignment.depth == depth);
        let nesting = assignment.map_or(nesting, |assignment| assignment.nesting_before);
        if nesting < 0 {
            self.close(nesting);
        }
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
