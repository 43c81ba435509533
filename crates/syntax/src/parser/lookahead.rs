//! Looking ahead: what the text from a token on looks like. Each search is bounded, so that recovery stays linear.

use super::Parser;
use crate::token::TokenKind as T;

/// How many tokens to search for the brace that closes a block; a bound keeps recovery linear.
const LOOK_AHEAD: u32 = 2_000;

/// How far to search for the end of a line's indentation; a bound keeps recovery linear.
const MAX_INDENT: usize = 1_000;

impl Parser<'_> {
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
        self.brace_of_block(token).is_some()
    }

    /// The opening brace of what looks like a block at a token.
    pub(super) fn brace_of_block(&self, token: u32) -> Option<u32> {
        if self.tokens.kind(token) != T::Identifier {
            return None;
        }
        let mut at = token + 1;
        while matches!(self.tokens.kind(at), T::Identifier | T::String) {
            at += 1;
        }
        let is_body = |kind| matches!(kind, T::Newline | T::CloseBrace | T::LineComment | T::Identifier);
        (self.tokens.kind(at) == T::OpenBrace && is_body(self.tokens.kind(at + 1))).then_some(at)
    }

    /// Returns true if a closing brace in the middle of a line is the one for the innermost open block. This is the
    /// case unless a brace at the start of a later line closes the block.
    pub(super) fn closes_block(&self, brace: u32) -> bool {
        let Some(header) = self.recovery.innermost_block() else { return true };
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
    pub(super) fn line_and_indent(&self, token: u32) -> (u32, u32) {
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

    /// Returns true if an item of an object seems to begin at a token, or if the object ends there.
    pub(super) fn may_begin_item(&self, token: u32) -> bool {
        let token = self.tokens.significant_from(token);
        match self.tokens.kind(token) {
            T::Identifier | T::String => matches!(self.kind_after(token), T::Equal | T::Colon),
            kind => matches!(kind, T::OpenQuote | T::OpenParen | T::CloseBrace | T::Eof),
        }
    }

    /// Returns true if a token can follow an element: it ends, separates or continues it.
    pub(super) fn ends_element(&self, token: u32) -> bool {
        !matches!(self.tokens.kind(token), T::Number | T::Equal | T::Identifier | T::String | T::OpenQuote)
    }

    /// Returns true if the line that begins with a token reads like a continuation of the previous item.
    pub(super) fn continues_item(&self, token: u32) -> bool {
        let kind = self.tokens.kind(token);
        !kind.is_trivia()
            && !matches!(kind, T::Eof | T::CloseBrace)
            && !self.looks_like_item(token)
            && self.line_and_indent(token).1 > self.line_and_indent(self.prev).1
    }

    /// Returns true if a sign is directly before a brace, as in sequences, which are not allowed outside of templates.
    pub(super) fn has_sign(&self, brace: u32, sign: &str) -> bool {
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
}
