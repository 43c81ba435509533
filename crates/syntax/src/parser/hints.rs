//! Messages and fixes for common mistakes, such as syntax of other languages, where more can be said than what is
//! missing. Nothing in this module runs on a source without errors. Shared parts are here; `hints/body.rs` covers items
//! and block headers, and `hints/expression.rs` covers expressions.

mod body;
mod expression;

use super::Parser;
use super::expression::precedence;
use crate::token::TokenKind as T;
use crate::{Edit, Span};

/// How many tokens to search for the end of an expression; a bound keeps parsing linear.
const LOOK_AHEAD: u32 = 500;

impl Parser<'_> {
    /// The edits that put parentheses around an expression that continues after the line break at `newline`.
    fn parens_over_lines(&self, start: Option<u32>, newline: u32) -> Option<Vec<Edit>> {
        let (start, last) = start.zip(self.last_of_continued(newline))?;
        let [before, behind] = [self.tokens.start(start), self.tokens.span(last).end].map(Span::empty);
        let edit = |span, replacement: &'static str| Edit { span, replacement: replacement.into() };
        Some(vec![edit(before, "("), edit(behind, ")")])
    }

    /// Returns the last token of an expression that continues on the line after `newline`, and on further lines as long
    /// as they are joined by operators.
    fn last_of_continued(&self, newline: u32) -> Option<u32> {
        let next = newline + 1;
        if self.looks_like_item(next) || !(self.begins_operand(next) || joins(self.tokens.kind(next))) {
            return None;
        }
        let (mut open, mut last) = (0_u32, newline);
        for at in next..next + LOOK_AHEAD {
            let kind = self.tokens.kind(at);
            match kind {
                T::Eof | T::Newline if open == 0 => {
                    let goes_on = joins(self.tokens.kind(last))
                        || kind == T::Newline && joins(self.tokens.kind(at + 1));
                    if last == newline || kind == T::Eof && goes_on {
                        return None;
                    } else if !goes_on {
                        return Some(last);
                    }
                }
                T::Eof => return None,
                T::OpenBrace | T::OpenBracket | T::OpenParen => open += 1,
                T::CloseBrace | T::CloseBracket | T::CloseParen => open = open.checked_sub(1)?,
                T::Equal if open == 0 => return None,
                _ => {}
            }
            if !kind.is_trivia() {
                last = at;
            }
        }
        None
    }

    /// The kind of the last consumed token; `Eof` if there is none.
    pub(super) fn kind_before(&self) -> T {
        if self.prev < self.pos { self.tokens.kind(self.prev) } else { T::Eof }
    }

    /// Returns true if the next token directly follows the current one.
    fn touches_next(&self) -> bool {
        self.tokens.span(self.pos).end == self.tokens.start(self.pos + 1)
    }

    /// Returns true if an expression can begin with a token.
    fn begins_operand(&self, token: u32) -> bool {
        matches!(
            self.tokens.kind(token),
            T::Identifier
                | T::Number
                | T::String
                | T::OpenQuote
                | T::OpenParen
                | T::OpenBracket
                | T::OpenBrace
                | T::Minus
                | T::Bang
        )
    }
}

/// Returns true for tokens that join two parts of an expression, even across a line break.
fn joins(kind: T) -> bool {
    precedence(kind) > 0 || matches!(kind, T::Question | T::Colon | T::Dot)
}
