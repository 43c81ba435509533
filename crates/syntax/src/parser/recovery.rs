//! Recovery: finds the nearest place after an error where the parser can continue without reporting consequences of it.

use super::Parser;
use crate::token::TokenKind as T;
use crate::tree::NodeId;
use crate::{Code, Diagnostic, Span};

/// Where recovery inside brackets ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sync {
    /// At the closing bracket.
    Closed,
    /// At a separator of elements.
    Separator,
    /// At something that belongs to an outer construct: the bracket is not closed.
    Lost,
}

/// The separators of the elements inside a pair of brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separators {
    None,
    Commas,
    CommasAndNewlines,
}

/// How many tokens to search for the brace that closes a block; a bound keeps recovery linear.
const LOOK_AHEAD: u32 = 2_000;

/// How far to search for the end of a line's indentation; a bound keeps recovery linear.
const MAX_INDENT: usize = 1_000;

/// Returns the closing bracket for an opening one.
fn closer_of(kind: T) -> Option<T> {
    Some(match kind {
        T::OpenBrace => T::CloseBrace,
        T::OpenBracket => T::CloseBracket,
        T::OpenParen => T::CloseParen,
        T::OpenQuote => T::CloseQuote,
        T::OpenHeredoc => T::CloseHeredoc,
        T::OpenInterpolation | T::OpenInterpolationStrip | T::OpenDirective | T::OpenDirectiveStrip => {
            T::CloseSequence
        }
        _ => return None,
    })
}

fn is_closer(kind: T) -> bool {
    matches!(
        kind,
        T::CloseBrace | T::CloseBracket | T::CloseParen | T::CloseQuote | T::CloseHeredoc | T::CloseSequence
    )
}

/// The number of open constructs that expect each kind of closing bracket.
#[derive(Default)]
pub(super) struct Closers([u32; 6]);

impl Closers {
    fn slot(closer: T) -> usize {
        match closer {
            T::CloseBrace => 0,
            T::CloseBracket => 1,
            T::CloseParen => 2,
            T::CloseQuote => 3,
            T::CloseHeredoc => 4,
            _ => 5,
        }
    }

    #[inline]
    pub(super) fn open(&mut self, closer: T) {
        self.0[Self::slot(closer)] += 1;
    }

    #[inline]
    pub(super) fn close(&mut self, closer: T) {
        self.0[Self::slot(closer)] -= 1;
    }

    pub(super) fn wait_for(&self, closer: T) -> bool {
        self.0[Self::slot(closer)] > 0
    }
}

/// The open brackets in skipped text.
#[derive(Default)]
struct Skipped {
    waiting: Vec<T>,
    closers: Closers,
}

impl Skipped {
    fn open(&mut self, closer: T) {
        self.waiting.push(closer);
        self.closers.open(closer);
    }

    /// Closes the innermost bracket that expects `closer`. Returns false if there is none.
    fn close(&mut self, closer: T) -> bool {
        if !self.closers.wait_for(closer) {
            return false;
        }
        while let Some(innermost) = self.waiting.pop() {
            self.closers.close(innermost);
            if innermost == closer {
                break;
            }
        }
        true
    }

    fn is_inside(&self) -> bool {
        !self.waiting.is_empty()
    }
}

impl Parser<'_> {
    /// Skips to the end of the current pair of brackets, or to the next separator in it, and stops before text that
    /// seems to be outside of it.
    #[cold]
    pub(super) fn sync(&mut self, closer: T, separators: Separators) -> Sync {
        let mut skipped = Skipped::default();
        let mut at = self.pos;
        let sync = loop {
            let kind = self.bracket_kind(at);
            let inside = skipped.is_inside();
            if kind == T::Eof {
                break Sync::Lost;
            } else if let Some(closer) = closer_of(kind) {
                skipped.open(closer);
            } else if is_closer(kind) {
                if !skipped.close(kind) {
                    // An unmatched closing bracket directly in place of the expected one was meant as that one.
                    if kind == closer || (at == self.pos && !self.closers.wait_for(kind)) {
                        break Sync::Closed;
                    }
                    if self.closers.wait_for(kind) {
                        break Sync::Lost;
                    }
                }
            } else if inside {
                // Separators in skipped elements are skipped, too.
            } else if kind == T::Comma && separators != Separators::None {
                break Sync::Separator;
            } else if kind == T::Newline && separators == Separators::CommasAndNewlines {
                if self.looks_like_block(at + 1) {
                    at += 1;
                    break Sync::Lost;
                }
                break Sync::Separator;
            } else if kind == T::Identifier && self.begins_line(at) {
                if separators == Separators::CommasAndNewlines && !self.looks_like_block(at) {
                    break Sync::Separator;
                } else if self.looks_like_item(at) {
                    break Sync::Lost;
                }
            }
            at += 1;
        };
        // If nothing was skipped, later errors are not consequences.
        let whole = match sync {
            Sync::Closed => self.kind == closer && self.ends_element(at + 1),
            Sync::Separator => {
                self.kind == T::Comma && (separators == Separators::Commas || self.may_begin_item(at + 1))
            }
            Sync::Lost => false,
        };
        // If a bracket was used in place of another, the other one is left over.
        self.may_close_too_often |= sync == Sync::Closed && self.bracket_kind(at) != closer;
        self.doubt &= at != self.pos || !whole;
        self.prev = self.prev.max(at.saturating_sub(1));
        self.may_close_too_often |= skipped.closers.wait_for(T::CloseBrace);
        // The closing brace may have been meant for the surrounding construct.
        if closer == T::CloseBrace && sync == Sync::Closed {
            self.may_miss_closes();
        }
        self.go_to(at);
        self.recovering = sync == Sync::Lost;
        sync
    }

    /// Returns true if an item of an object seems to begin at a token, or if the object ends there.
    fn may_begin_item(&self, token: u32) -> bool {
        let token = self.tokens.significant_from(token);
        match self.tokens.kind(token) {
            T::Identifier | T::String => matches!(self.kind_after(token), T::Equal | T::Colon),
            kind => matches!(kind, T::OpenQuote | T::OpenParen | T::CloseBrace | T::Eof),
        }
    }

    /// Returns true if a token can follow an element: it ends, separates or continues it.
    fn ends_element(&self, token: u32) -> bool {
        !matches!(self.tokens.kind(token), T::Number | T::Equal | T::Identifier | T::String | T::OpenQuote)
    }

    /// The kind of a token, where both ways to close a sequence are the same.
    fn bracket_kind(&self, token: u32) -> T {
        match self.tokens.kind(token) {
            T::CloseSequenceStrip => T::CloseSequence,
            kind => kind,
        }
    }

    /// Skips to the end of the current pair of brackets. Returns true if the closing bracket is the current token.
    pub(super) fn sync_to(&mut self, closer: T) -> bool {
        self.sync(closer, Separators::None) == Sync::Closed
    }

    /// Skips the rest of an item of a body, including its newline.
    #[cold]
    pub(super) fn skip_item(&mut self) {
        let mut skipped = Skipped::default();
        let mut at = self.pos;
        if self.looks_like_item(at) && self.begins_line(at) {
            // A construct inside was not closed, and its recovery stopped at the next item.
            return self.in_sync();
        }
        let at_newline = self.kind == T::Newline;
        loop {
            let kind = self.bracket_kind(at);
            let inside = skipped.closers.wait_for(T::CloseBrace);
            if kind == T::Eof {
                break;
            } else if kind == T::Newline && !skipped.is_inside() {
                at += 1;
                // A wrongly broken line continues on lines that are indented deeper.
                if !(at_newline && self.continues_item(at)) {
                    break;
                }
                continue;
            } else if let Some(closer) = closer_of(kind) {
                skipped.open(closer);
                if self.has_dollar(at) || self.has_sign(at, "%") {
                    self.may_miss_closes();
                }
            } else if is_closer(kind)
                && !skipped.close(kind)
                && kind == T::CloseBrace
                && self.closers.wait_for(kind)
                && self.closes_block(at)
            {
                break;
            } else if kind == T::CloseBrace && !inside {
                self.may_miss_closes();
            }
            at += 1;
        }
        // If the next line is indented deeper, a brace may be missing at the end of this line.
        let below = self.tokens.significant_from(at);
        let is_inside = self.looks_like_item(below) && self.indent_of(below) > self.indent_of(self.pos);
        self.may_close_too_often |= is_inside || skipped.closers.wait_for(T::CloseBrace);
        self.go_to(at);
        self.in_sync();
    }

    /// Notes that the closing braces of all open blocks may have been skipped.
    pub(super) fn may_miss_closes(&mut self) {
        self.may_miss_close = self.open_blocks.len();
    }

    /// Returns true if the line that begins with a token reads like a continuation of the previous item.
    fn continues_item(&self, token: u32) -> bool {
        let kind = self.tokens.kind(token);
        !kind.is_trivia()
            && !matches!(kind, T::Eof | T::CloseBrace)
            && !self.looks_like_item(token)
            && self.line_and_indent(token).1 > self.line_and_indent(self.prev).1
    }

    /// Returns true if a sign is directly before a brace, as in sequences, which are not allowed outside of templates.
    fn has_sign(&self, brace: u32, sign: &str) -> bool {
        brace > 0
            && self.tokens.kind(brace) == T::OpenBrace
            && self.tokens.span(brace - 1).end == self.tokens.start(brace)
            && self.tokens.is_text(brace - 1, sign, self.source)
    }

    /// Returns true if a dollar sign is before a brace outside of strings, which is reported.
    #[inline]
    pub(super) fn has_dollar(&self, brace: u32) -> bool {
        brace > 0 && self.tokens.kind(brace - 1) == T::Wrong && self.has_sign(brace, "$")
    }

    /// Ends recovery: the parser continues here.
    pub(super) fn in_sync(&mut self) {
        self.recovering = self.kind == T::Eof && self.recovering;
    }

    /// Ends recovery and doubt: errors from here on are reported again.
    pub(super) fn afresh(&mut self) {
        self.in_sync();
        self.doubt = false;
    }

    /// Notes that an element was read. If there are no new diagnostics since `diagnostics_before`, the doubt ends.
    #[inline]
    pub(super) fn element_read(&mut self, diagnostics_before: usize) {
        if self.doubt && !self.recovering && self.diagnostics.total() == diagnostics_before {
            self.doubt = false;
        }
    }

    /// The kind of the first token after `token` that is not a comment.
    pub(super) fn kind_after(&self, token: u32) -> T {
        let mut at = token + 1;
        while self.tokens.kind(at).is_comment() {
            at += 1;
        }
        self.tokens.kind(at)
    }

    /// Returns true if only comments precede a token on its line.
    pub(super) fn begins_line(&self, token: u32) -> bool {
        let mut at = token;
        while at > 0 {
            at -= 1;
            match self.tokens.kind(at) {
                T::InlineComment => {}
                kind => return kind == T::Newline,
            }
        }
        true
    }

    /// Returns true if the text from a token on reads like an attribute or the header of a block.
    pub(super) fn looks_like_item(&self, token: u32) -> bool {
        self.tokens.kind(token) == T::Identifier
            && (self.kind_after(token) == T::Equal || self.looks_like_block(token))
    }

    /// `Identifier (StringLit|Identifier)* "{" Newline`
    pub(super) fn looks_like_block(&self, token: u32) -> bool {
        if self.tokens.kind(token) != T::Identifier {
            return false;
        }
        let mut at = token + 1;
        while matches!(self.tokens.kind(at), T::Identifier | T::String) {
            at += 1;
        }
        self.tokens.kind(at) == T::OpenBrace
            && matches!(self.tokens.kind(at + 1), T::Newline | T::CloseBrace | T::LineComment | T::Identifier)
    }

    /// Returns true if a closing brace in the middle of a line is the one for the innermost open block. This is the
    /// case unless a brace at the start of a later line closes the block.
    pub(super) fn closes_block(&self, brace: u32) -> bool {
        let Some(&header) = self.open_blocks.last() else { return true };
        let (line, indent) = self.line_and_indent(header);
        if self.line_and_indent(brace).0 == line {
            return true;
        }
        for at in (brace + 1)..(brace + LOOK_AHEAD) {
            let next = at + 1;
            match (self.tokens.kind(at), self.tokens.kind(next)) {
                (T::Eof, _) => break,
                (T::Newline, kind) if !kind.is_trivia() => {
                    let (_, next_indent) = self.line_and_indent(next);
                    if next_indent <= indent {
                        return kind != T::CloseBrace || next_indent != indent;
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// The width of the leading whitespace of a token's line.
    pub(super) fn indent_of(&self, token: u32) -> u32 {
        self.line_and_indent(token).1
    }

    /// The line of a token and the width of its leading whitespace.
    fn line_and_indent(&self, token: u32) -> (u32, u32) {
        let line = self.source.line_of(self.tokens.start(token));
        let text = self.source.slice(self.source.line_span(line));
        let width = text.bytes().take(MAX_INDENT).take_while(u8::is_ascii_whitespace).count();
        (line, width as u32)
    }

    /// Returns true if an item of a body begins at the current token, inside brackets where it is not allowed.
    #[inline]
    pub(super) fn begins_next_item(&self) -> bool {
        self.has_items
            && matches!(
                self.tokens.kind(self.pos + 1),
                T::Equal | T::String | T::Identifier | T::OpenBrace | T::InlineComment
            )
            && self.looks_like_item(self.pos)
            && self.begins_line(self.pos)
            // The value of a `for` can be followed by its condition.
            && !self.tokens.is_text(self.tokens.significant_from(self.pos + 1), "if", self.source)
    }

    /// Reports an unclosed bracket before an item, and leaves the item to the body.
    #[cold]
    pub(super) fn unclosed_before_item(&mut self) -> NodeId {
        let next = self.tokens.significant_from(self.pos + 1);
        let Span { start, end } = self.tokens.span(next);
        let subject = Span::new(start, if self.tokens.kind(next) == T::String { start + 1 } else { end });
        self.error(|| {
            let detail =
                "This line looks like an argument or a block, so a bracket above it is probably not closed.";
            Diagnostic::error(Code::UnclosedBracket).at(subject).with_note(detail)
        });
        self.may_close_too_often = true;
        self.missing()
    }

    /// Reports a bracket that is still open at the end of the text, where one more element could begin.
    #[cold]
    pub(super) fn unclosed_at_end(&mut self, opener: u32) {
        let (here, span, bracket) = (self.here(), self.tokens.span(opener), self.text_of(opener));
        self.error(|| {
            let detail = format!("`{bracket}` is not closed before the end of the text.");
            Diagnostic::error(Code::UnclosedBracket)
                .at(here)
                .with_note(detail)
                .with_related_span(span, "opened here")
        });
    }

    /// Reports a bracket that is not closed before the end of the text.
    pub(super) fn unclosed(&mut self, opener: u32) {
        let span = self.tokens.span(opener);
        let bracket = self.text_of(opener);
        let detail = format!(
            "This `{bracket}` is not closed before the end of the file. The missing bracket may also belong to a nested pair."
        );
        self.error(|| Diagnostic::error(Code::UnclosedBracket).at(span).with_note(detail));
    }
}
