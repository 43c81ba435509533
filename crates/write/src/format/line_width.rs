//! The width of lists: tuples, calls, objects and `for` expressions that do not fit on their line are split, and tuples
//! and calls that fit are joined. This is one pass over the tokens, like formatting. Templates do not change.

use hclkit_syntax::{Document, Edit, Root, Span, TokenKind, Tokens};

use super::Style;
use super::brackets::{Bracket, Brackets, Group};

/// Spaces for each level of brackets.
const INDENT: u32 = 2;

/// The layout of the contents of a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// With its existing line breaks.
    Kept,
    /// On one line.
    Flat,
    /// Each element on its own line.
    Broken,
    /// Unchanged, because it is excluded from formatting or part of a template.
    Exempt,
}

/// The line breaks to insert and to remove, in source order. Spans in `kept` stay as they are.
///
/// Decisions depend only on the tokens and on line breaks that stay, so that a second run makes the same ones.
pub(super) fn edits(document: &Document, kept: &[Span], style: Style) -> Vec<Edit> {
    let Some(width) = style.width() else { return Vec::new() };
    if !matches!(document.root(), Root::Body(_)) {
        return Vec::new();
    }
    let brackets = Brackets::of(document, style.joins_lists());
    let mut pass = Pass {
        tokens: document.tokens(),
        brackets: &brackets,
        kept,
        style,
        width,
        line_break: crate::edit::line_break(document.source().text()),
        pads: vec![0; document.tokens().len()],
        open: Vec::new(),
        levels: Vec::new(),
        line: Line::default(),
        wants_break: false,
        edits: Vec::new(),
    };
    pass.run();
    pass.edits
}

/// The current line of the output.
#[derive(Debug, Default)]
struct Line {
    indent: u32,
    /// The width so far, with the indentation.
    columns: u32,
    /// The number of opened minus closed brackets.
    nesting: i32,
    is_started: bool,
}

struct Pass<'a> {
    tokens: &'a Tokens,
    brackets: &'a Brackets,
    kept: &'a [Span],
    style: Style,
    width: u32,
    line_break: &'static str,
    /// The spaces that align each equals sign.
    pads: Vec<u32>,
    /// The open brackets, and how each is laid out.
    open: Vec<(&'a Bracket, Mode)>,
    /// As in the formatting pass: the brackets that each line left open.
    levels: Vec<u32>,
    line: Line,
    /// True if the next token must start a line.
    wants_break: bool,
    edits: Vec<Edit>,
}

impl<'a> Pass<'a> {
    fn run(&mut self) {
        self.align(self.brackets.root(), 0, false);
        for at in 0..self.tokens.len() as u32 {
            self.token(at);
        }
    }

    fn mode(&self) -> Mode {
        self.open.last().map_or(Mode::Kept, |&(_, mode)| mode)
    }

    fn token(&mut self, at: u32) {
        let kind = self.tokens.kind(at);
        if kind == TokenKind::Newline {
            // In a list on one line, the gap before the next token replaces it.
            if self.mode() != Mode::Flat {
                self.wants_break = false;
                self.end_line();
            }
            return;
        }
        if self.mode() == Mode::Flat && self.brackets.is_trailing_comma(at) {
            return;
        }
        let bracket = self.brackets.at(at);
        let closed = match bracket {
            Some(bracket) if bracket.close == at => self.open.pop().map(|(_, mode)| (bracket, mode)),
            _ => None,
        };
        match closed {
            Some((bracket, Mode::Broken)) => self.close_broken(bracket),
            Some((_, Mode::Flat)) => self.join_before(at),
            _ if self.mode() == Mode::Flat => self.join_before(at),
            _ if self.wants_break && !(kind.is_comment() && self.brackets.ends_line(at)) => {
                self.break_before(at);
            }
            _ => {}
        }
        self.count(at);
        match (bracket, self.open.last()) {
            (Some(bracket), _) if bracket.open == at => self.open(bracket),
            (None, Some((around, Mode::Broken))) if kind == TokenKind::Comma => {
                self.wants_break = around.group != Group::For;
            }
            _ => {}
        }
    }

    /// Decides the layout of a bracket that was just opened.
    fn open(&mut self, bracket: &'a Bracket) {
        let mode = match (self.mode(), bracket.group) {
            (mode @ (Mode::Flat | Mode::Exempt), _) => mode,
            _ if self.is_exempt(bracket) => Mode::Exempt,
            (_, Group::Template) => Mode::Exempt,
            (_, Group::Body) => Mode::Kept,
            _ => self.decide(bracket),
        };
        if matches!(bracket.group, Group::Body | Group::Object) && matches!(mode, Mode::Kept | Mode::Broken) {
            self.align(bracket, self.line.indent + INDENT, mode == Mode::Broken);
        }
        self.wants_break = mode == Mode::Broken;
        self.open.push((bracket, mode));
    }

    fn is_exempt(&self, bracket: &Bracket) -> bool {
        let span = Span::new(self.tokens.start(bracket.open), self.tokens.span(bracket.close).end);
        let next = self.kept.partition_point(|kept| kept.end <= span.start);
        bracket.group != Group::Body && self.kept.get(next).is_some_and(|kept| kept.start < span.end)
    }

    fn decide(&self, bracket: &Bracket) -> Mode {
        let (open, close) = (bracket.open, bracket.close);
        let joins_lists = self.style.joins_lists();
        let has_breaks = self.brackets.keeps_breaks(open, close);
        let end = self.line.columns + self.brackets.width(open + 1, close + 1);
        if !has_breaks && (bracket.elements == 0 || end + self.tail(close) <= self.width) {
            return Mode::Flat;
        }
        let is_hugged = bracket.hugged.is_some_and(|inner| {
            bracket.elements == 1
                || self.line.columns + self.brackets.width(open + 1, inner + 1) <= self.width
        });
        let is_list = bracket.group.is_list();
        let is_broken = match has_breaks {
            _ if bracket.elements == 0 => false,
            _ if is_list && joins_lists && self.brackets.has_own_breaks(bracket) => true,
            false => !is_hugged,
            true => is_list && self.is_too_wide(bracket),
        };
        if is_broken { Mode::Broken } else { Mode::Kept }
    }

    /// Returns true if a list on several lines has a line with several elements, or with the opening bracket and
    /// elements, that is too wide.
    fn is_too_wide(&self, bracket: &Bracket) -> bool {
        let first = self.brackets.next_break(bracket.open);
        let indent = self.line.indent + INDENT;
        bracket.elements > 1
            && (self.line.columns + self.brackets.width(bracket.open + 1, first) > self.width
                || self
                    .brackets
                    .shared_lines(bracket)
                    .any(|(from, to)| indent + self.brackets.line_width(from, to) > self.width))
    }

    /// The width of the text after a bracket on its line, up to the next possible line break.
    fn tail(&self, close: u32) -> u32 {
        let mut modes = self.open.iter().rev();
        let mut around = modes.next();
        let mut tail = 0;
        let mut at = close + 1;
        while tail <= self.width {
            let bracket = self.brackets.at(at);
            let closes = bracket.is_some_and(|bracket| bracket.close == at);
            match (self.tokens.kind(at), around) {
                (TokenKind::Newline | TokenKind::Eof | TokenKind::LineComment, _) => break,
                (TokenKind::Comma, Some((bracket, Mode::Broken))) => {
                    // In an object, a line break replaces it.
                    return tail + u32::from(bracket.group != Group::Object);
                }
                (_, Some((bracket, Mode::Broken))) if closes => {
                    return tail + u32::from(self.adds_comma(bracket));
                }
                // The comma would be at the end of the line.
                (TokenKind::InlineComment, _) => {}
                _ => tail += self.brackets.width(at, at + 1),
            }
            match bracket {
                Some(_) if closes => around = modes.next(),
                Some(template) if template.group == Group::Template => {
                    tail += self.brackets.width(at + 1, template.close + 1);
                    at = template.close;
                }
                Some(bracket) if bracket.group.can_break() => break,
                _ => {}
            }
            at += 1;
        }
        tail
    }

    /// Returns true if a comma is added after the last element of a list that is split.
    fn adds_comma(&self, bracket: &Bracket) -> bool {
        self.style.adds_commas() && bracket.takes_comma
    }

    fn close_broken(&mut self, bracket: &Bracket) {
        self.wants_break = false;
        if self.tokens.kind(bracket.close - 1) == TokenKind::Newline {
            return;
        }
        let is_trivia = |at: &u32| self.tokens.kind(*at).is_trivia();
        let last = (0..bracket.close).rev().find(|at| !is_trivia(at)).filter(|_| self.adds_comma(bracket));
        let comma = match last {
            Some(last) if last + 1 == bracket.close => ",",
            // Comments are between them.
            Some(last) => {
                let span = Span::empty(self.tokens.span(last).end);
                self.edits.push(Edit { span, replacement: ",".into() });
                ""
            }
            None => "",
        };
        self.separate(bracket.group, bracket.close, comma);
    }

    fn break_before(&mut self, at: u32) {
        self.wants_break = false;
        if let Some(&(bracket, _)) = self.open.last() {
            self.separate(bracket.group, at, "");
        }
    }

    /// Starts a line with a token of a bracket. In an object, the line break replaces a comma.
    fn separate(&mut self, group: Group, at: u32, comma: &str) {
        let before = self.tokens.span(at - 1);
        let replaces = group == Group::Object && self.tokens.kind(at - 1) == TokenKind::Comma;
        let start = if replaces { before.start } else { before.end };
        let span = Span::new(start, self.tokens.start(at));
        self.edits.push(Edit { span, replacement: format!("{comma}{}", self.line_break).into() });
        self.end_line();
    }

    /// Removes the line breaks and the comma before a token of a list on one line.
    fn join_before(&mut self, at: u32) {
        let before = (0..at).rev().find(|&before| {
            self.tokens.kind(before) != TokenKind::Newline && !self.brackets.is_trailing_comma(before)
        });
        let Some(before) = before.filter(|&before| before + 1 < at) else { return };
        let span = Span::new(self.tokens.span(before).end, self.tokens.start(at));
        let space = if self.brackets.is_spaced(at) { " " } else { "" };
        self.edits.push(Edit { span, replacement: space.into() });
    }

    fn count(&mut self, at: u32) {
        if self.line.is_started {
            self.line.columns += self.brackets.width(at, at + 1);
        } else {
            let closes = u32::from(self.brackets.nesting(at) < 0);
            let indent = INDENT * (self.levels.len() as u32).saturating_sub(closes);
            let columns = indent + self.brackets.line_width(at, at + 1);
            self.line = Line { indent, columns, nesting: 0, is_started: true };
        }
        self.line.columns += self.pads[at as usize];
        self.line.nesting += self.brackets.nesting(at);
    }

    fn end_line(&mut self) {
        let nesting = std::mem::take(&mut self.line).nesting;
        let mut closed = nesting.min(0).unsigned_abs();
        while closed > 0
            && let Some(open) = self.levels.last_mut()
        {
            if *open > closed {
                *open -= closed;
                break;
            }
            closed -= *open;
            self.levels.pop();
        }
        if nesting > 0 {
            self.levels.push(nesting.unsigned_abs());
        }
    }

    /// Computes the resulting spaces before the equals signs of a body or an object. Signs of items that certainly
    /// span several lines are not aligned.
    fn align(&mut self, bracket: &Bracket, indent: u32, is_broken: bool) {
        if !self.style.aligns() {
            return;
        }
        let brackets = self.brackets;
        let mut run: Vec<(u32, u32)> = Vec::new();
        let mut last = None;
        for item in brackets.items(bracket) {
            let is_one_line = !brackets.keeps_breaks(item.first, item.last)
                && indent + brackets.line_width(item.first, item.last + 1) <= self.width;
            let before = item.first.checked_sub(1).map(|before| self.tokens.kind(before));
            let starts_line = match before {
                None | Some(TokenKind::Newline) => true,
                Some(TokenKind::Comma | TokenKind::OpenBrace) => is_broken,
                _ => false,
            };
            let continues = starts_line
                && last.is_some_and(|last| {
                    let between = (last + 1..item.first).map(|at| self.tokens.kind(at));
                    between.filter(|kind| *kind == TokenKind::Newline).count() == usize::from(!is_broken)
                });
            if !continues || !is_one_line {
                self.pad(&mut run);
            }
            if is_one_line && starts_line {
                run.push((item.equal, brackets.line_width(item.first, item.equal)));
            }
            last = Some(item.last);
        }
        self.pad(&mut run);
    }

    fn pad(&mut self, run: &mut Vec<(u32, u32)>) {
        let widest = run.iter().map(|&(_, width)| width).max().unwrap_or(0);
        for (equal, width) in run.drain(..) {
            self.pads[equal as usize] = widest - width;
        }
    }
}
