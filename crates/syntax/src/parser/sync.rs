//! Finds the nearest place after an error where the parser can continue without reporting consequences of it.

use super::Parser;
use super::recovery::Closers;
use crate::messages::native as messages;
use crate::messages::related;
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
        if !self.closers.expects(closer) {
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
                    if kind == closer || (at == self.pos && !self.recovery.closers.expects(kind)) {
                        break Sync::Closed;
                    }
                    if self.recovery.closers.expects(kind) {
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
        self.recovery.allow_extra_closer(sync == Sync::Closed && self.bracket_kind(at) != closer);
        let skipped_some = at != self.pos || !whole;
        self.prev = self.prev.max(at.saturating_sub(1));
        self.recovery.allow_extra_closer(skipped.closers.expects(T::CloseBrace));
        // The closing brace may have been meant for the surrounding construct.
        if closer == T::CloseBrace && sync == Sync::Closed {
            self.recovery.allow_missing_closers();
        }
        self.go_to(at);
        self.recovery.synced(sync == Sync::Lost, skipped_some);
        sync
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
            return self.resume();
        }
        let at_newline = self.kind == T::Newline;
        loop {
            let kind = self.bracket_kind(at);
            let inside = skipped.closers.expects(T::CloseBrace);
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
                    self.recovery.allow_missing_closers();
                }
            } else if is_closer(kind)
                && !skipped.close(kind)
                && kind == T::CloseBrace
                && self.recovery.closers.expects(kind)
                && self.closes_block(at)
            {
                break;
            } else if kind == T::CloseBrace && !inside {
                self.recovery.allow_missing_closers();
            }
            at += 1;
        }
        // If the next line is indented deeper, a brace may be missing at the end of this line.
        let below = self.tokens.significant_from(at);
        let is_inside = self.looks_like_item(below) && self.indent_of(below) > self.indent_of(self.pos);
        self.recovery.allow_extra_closer(is_inside || skipped.closers.expects(T::CloseBrace));
        self.go_to(at);
        self.resume();
    }

    /// Reports an unclosed bracket before an item, and leaves the item to the body.
    #[cold]
    pub(super) fn unclosed_before_item(&mut self) -> NodeId {
        let next = self.tokens.significant_from(self.pos + 1);
        let Span { start, end } = self.tokens.span(next);
        let subject = Span::new(start, if self.tokens.kind(next) == T::String { start + 1 } else { end });
        self.error(|| {
            let detail = messages::ITEM_IN_UNCLOSED_BRACKET;
            Diagnostic::error(Code::UnclosedBracket).at(subject).with_note(detail)
        });
        self.recovery.allow_extra_closer(true);
        self.missing()
    }

    /// Reports a bracket that is still open at the end of the text, where one more element could begin.
    #[cold]
    pub(super) fn unclosed_at_end(&mut self, opener: u32) {
        let (here, span, bracket) = (self.here(), self.tokens.span(opener), self.text_of(opener));
        self.error(|| {
            let detail = messages::unclosed_bracket_at_end(bracket);
            Diagnostic::error(Code::UnclosedBracket)
                .at(here)
                .with_note(detail)
                .with_related_span(span, related::OPENED_HERE)
        });
    }

    /// Reports a bracket that is not closed before the end of the text.
    pub(super) fn unclosed(&mut self, opener: u32) {
        let span = self.tokens.span(opener);
        let bracket = self.text_of(opener);
        let detail = messages::unclosed_bracket(bracket);
        self.error(|| Diagnostic::error(Code::UnclosedBracket).at(span).with_note(detail));
    }
}
