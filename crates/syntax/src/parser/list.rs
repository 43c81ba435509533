//! Lists between brackets: the elements of tuples, the items of objects and the arguments of calls. One loop reads all of
//! them, and continues after errors in elements and between them.

use super::sync::{Separators, Sync};
use super::{List, Parser};
use crate::messages::native as messages;
use crate::messages::{fix, related};
use crate::token::TokenKind as T;
use crate::{Code, Diagnostic, Span};

/// The brackets around a list, which say what its elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Brackets {
    /// `(Expression ("," Expression)* ","?)?`
    Tuple,
    /// `(objectelem ("," objectelem)* ","?)?` where line breaks also separate items.
    Object,
    /// `arguments = ( () | (Expression ("," Expression)* ("," | "...")?) );` of the function whose name begins at
    /// `name`.
    Call { name: u32 },
}

impl Brackets {
    const fn closer(self) -> T {
        match self {
            Self::Tuple => T::CloseBracket,
            Self::Object => T::CloseBrace,
            Self::Call { .. } => T::CloseParen,
        }
    }

    const fn separators(self) -> Separators {
        match self {
            Self::Object => Separators::CommasAndNewlines,
            Self::Tuple | Self::Call { .. } => Separators::Commas,
        }
    }
}

impl Parser<'_> {
    /// Reads the elements of a list up to the closing bracket, or to where the list is given up. Returns true if the
    /// last element is expanded by `...`.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "each caller knows its brackets, and compiles to a loop for these"
    )]
    pub(super) fn elements(&mut self, list: &mut List, brackets: Brackets, opener: u32) -> bool {
        let closer = brackets.closer();
        loop {
            // Newlines are tokens only where they separate elements.
            while self.kind == T::Newline {
                self.bump();
            }
            if self.kind == closer {
                return false;
            }
            if self.kind == T::Eof {
                self.unclosed_at_end(opener);
                return false;
            }
            let reported = self.diagnostics.total();
            let element = if brackets == Brackets::Object {
                if self.begins_item() {
                    self.recovery.end_doubt();
                } else if self.closes_outer_bracket() {
                    self.closed_from_outside(opener);
                    return false;
                }
                self.object_item(opener, reported)
            } else {
                self.expression()
            };
            self.append(list, element);
            self.element_read(reported);
            match self.kind {
                _ if self.recovery.is_recovering() => {}
                kind if kind == closer => return false,
                T::Comma | T::Newline => {
                    self.bump();
                    continue;
                }
                T::Ellipsis if matches!(brackets, Brackets::Call { .. }) => {
                    self.expansion(brackets);
                    return true;
                }
                T::Eof => self.unclosed_list(brackets, opener),
                _ => {
                    if self.missing_separator(brackets, opener) {
                        continue;
                    }
                }
            }
            if self.sync(closer, brackets.separators()) != Sync::Separator {
                return false;
            }
            if self.kind == T::Comma {
                self.bump();
            }
        }
    }

    /// Returns true if the current token is the key of an item of an object.
    fn begins_item(&self) -> bool {
        matches!(self.kind, T::Identifier | T::String)
            && matches!(self.kind_after(self.pos), T::Equal | T::Colon)
    }

    /// Returns true if the current token closes a tuple or a call around an object.
    fn closes_outer_bracket(&self) -> bool {
        matches!(self.kind, T::CloseBracket | T::CloseParen) && self.recovery.closers.expects(self.kind)
    }

    /// Handles a closing bracket of an outer construct in place of an item or the end of an object.
    #[cold]
    fn closed_from_outside(&mut self, opener: u32) {
        if let Some(diagnostic) = self.wrong_closer(opener) {
            // The brace may be text.
            self.error_unless(self.recovery.braces_may_be_text(), || diagnostic);
        }
    }

    /// Reads `...` after the last argument of a call.
    fn expansion(&mut self, brackets: Brackets) {
        let ellipsis = self.bump();
        if let Brackets::Call { name } = brackets
            && self.kind != T::CloseParen
        {
            let (span, context) = (self.tokens.span(ellipsis), self.between(name, ellipsis));
            self.error(|| {
                Diagnostic::error(Code::InvalidExpansion)
                    .at(span)
                    .with_note(messages::TEXT_AFTER_EXPANSION)
                    .with_context(context)
            });
        }
    }

    /// Reports a list that is not closed before the end of the text.
    #[cold]
    fn unclosed_list(&mut self, brackets: Brackets, opener: u32) {
        let Brackets::Call { name } = brackets else { return self.unclosed(opener) };
        let span = self.between(name, opener);
        self.error(|| Diagnostic::error(Code::UnclosedBracket).at(span).with_note(messages::UNCLOSED_CALL));
    }

    /// Notes that an element was read. If there are no new diagnostics since `reported`, the doubt ends.
    #[inline]
    fn element_read(&mut self, reported: usize) {
        if self.recovery.is_silent() && self.diagnostics.total() == reported {
            self.recovery.end_doubt();
        }
    }

    /// Reports two elements without a separator, or a bracket that is not closed. Returns true if the next element begins
    /// here, with or without a separator.
    #[cold]
    fn missing_separator(&mut self, brackets: Brackets, opener: u32) -> bool {
        match brackets {
            Brackets::Tuple => self.missing_comma(opener, messages::TUPLE_ELEMENTS),
            Brackets::Call { .. } => self.missing_comma(opener, messages::FUNCTION_ARGUMENTS),
            Brackets::Object => self.missing_item_separator(opener),
        }
    }

    fn missing_comma(&mut self, opener: u32, what: &'static str) -> bool {
        let (here, context) = (self.here(), self.between(opener, self.pos));
        let before = Span::empty(self.tokens.span(self.prev).end);
        let next_line = self.begins_line(self.pos);
        let unclosed = next_line && self.looks_like_item(self.pos);
        let bracket = self.text_of(opener);
        let known =
            self.wrong_closer(opener).or_else(|| self.named_element(opener)).or_else(|| self.misplaced());
        let odd = known.is_some();
        let opener = self.tokens.span(opener);
        // A comma helps only before an element; before anything else it would be another error.
        let element = matches!(
            self.kind,
            T::Identifier
                | T::String
                | T::Number
                | T::OpenQuote
                | T::OpenBrace
                | T::OpenParen
                | T::OpenHeredoc
        );
        self.error(|| {
            if let Some(known) = known {
                return known.with_context(context);
            }
            if unclosed {
                let detail = messages::missing_comma_or_closer(bracket);
                return Diagnostic::error(Code::MissingSeparator)
                    .at(here)
                    .with_note(detail)
                    .with_related_span(opener, related::MAY_NOT_BE_CLOSED);
            }
            let diagnostic = Diagnostic::error(Code::MissingSeparator)
                .at(here)
                .with_note(messages::missing_comma(what))
                .with_context(context);
            if element { diagnostic.with_edit(fix::ADD_COMMA, before, ",") } else { diagnostic }
        });
        // Several words on one line are not elements for sure; other tokens are.
        let reads_on = element && !odd && !unclosed && (next_line || self.kind != T::Identifier);
        if reads_on {
            self.resume();
        }
        reads_on
    }

    fn missing_item_separator(&mut self, opener: u32) -> bool {
        let (here, context) = (self.here(), self.between(opener, self.pos));
        let before = Span::empty(self.tokens.span(self.prev).end);
        let known = self.wrong_closer(opener).or_else(|| self.misplaced());
        let element =
            matches!(self.kind, T::Identifier | T::String | T::Number | T::OpenQuote | T::OpenParen);
        self.error(|| {
            if let Some(known) = known {
                return known.with_context(context);
            }
            let detail = messages::MISSING_ITEM_SEPARATOR;
            let diagnostic =
                Diagnostic::error(Code::MissingSeparator).at(here).with_note(detail).with_context(context);
            if element { diagnostic.with_edit(fix::ADD_COMMA, before, ",") } else { diagnostic }
        });
        let reads_on = self.begins_item();
        if reads_on {
            self.resume();
        }
        reads_on
    }
}
