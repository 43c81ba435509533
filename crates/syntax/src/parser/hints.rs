//! What people write who come from other languages, and what is written here instead: the words and the fixes of
//! errors, where more can be said than what is missing. Nothing of this runs on a source without mistakes. Here: what
//! both parts need. `hints/body.rs` is about items and headers of blocks, `hints/expression.rs` about expressions.

mod body;
mod expression;

use super::Parser;
use super::expression::precedence;
use crate::token::TokenKind as T;
use crate::{Edit, Span};

/// How many tokens to look at for the end of an expression; a bound keeps the whole linear.
const LOOK_AHEAD: u32 = 500;

/// What to say of three quotes in a row.
pub(crate) const TRIPLE_QUOTES: &str = "Triple quotes are not supported. For multi-line text use a heredoc: `<<EOT`, the lines, and `EOT` alone on the last line.";

/// What to say of a number that is written as in other languages.
const DECIMAL: &str = "Numbers must be decimal, without separators between the digits.";

/// What is to be done about an expression over several lines.
const ADD_PARENS: &str = "Add parentheses";

impl Parser<'_> {
    /// The edits that put an expression in parentheses which goes on behind the line break at `newline`.
    fn parens_over_lines(&self, start: Option<u32>, newline: u32) -> Option<Vec<Edit>> {
        let (start, last) = start.zip(self.last_of_continued(newline))?;
        let [before, behind] = [self.tokens.start(start), self.tokens.span(last).end].map(Span::empty);
        let edit = |span, replacement: &'static str| Edit { span, replacement: replacement.into() };
        Some(vec![edit(before, "("), edit(behind, ")")])
    }

    /// The last token of an expression that goes on in the line after `newline`, and in further ones as long as
    /// operators say so.
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

    /// The kind of the token that was taken last; `Eof` where none was.
    pub(super) fn kind_before(&self) -> T {
        if self.prev < self.pos { self.tokens.kind(self.prev) } else { T::Eof }
    }

    /// Whether nothing stands between the current token and the next one.
    fn touches_next(&self) -> bool {
        self.tokens.span(self.pos).end == self.tokens.start(self.pos + 1)
    }

    /// Whether an expression can begin with a token.
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

/// Whether such a token stands between two parts of an expression, so that it is one across a line break.
fn joins(kind: T) -> bool {
    precedence(kind) > 0 || matches!(kind, T::Question | T::Colon | T::Dot)
}
