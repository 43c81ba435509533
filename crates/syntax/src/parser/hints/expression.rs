//! Errors for common mistakes in and between expressions.

use std::borrow::Cow;

use super::super::Parser;
use super::{LOOK_AHEAD, joins};
use crate::messages::native as messages;
use crate::messages::{fix, related};
use crate::token::TokenKind as T;
use crate::{Code, Diagnostic, Edit, Fix, Span};

impl Parser<'_> {
    /// The error about text that directly follows a complete expression, if it is known from other languages.
    #[cold]
    pub(in crate::parser) fn misplaced(&self) -> Option<Diagnostic> {
        let here = self.here();
        let text = self.text_of(self.pos);
        let operator = |right: &'static str| {
            let detail = messages::operator_of_another_language(text, right);
            Diagnostic::error(Code::UnsupportedOperator).at(here).with_note(detail).with_edit(
                fix::use_text(right),
                here,
                right,
            )
        };
        let no_operator = |detail: &'static str| {
            Some(Diagnostic::error(Code::UnsupportedOperator).at(here).with_note(detail))
        };
        if let Some(known) = self.quotes_in_string().or_else(|| self.misplaced_not()) {
            return Some(known);
        }
        match self.kind {
            T::Identifier if self.begins_line(self.pos) => None,
            T::Identifier => match text {
                "and" if self.begins_operand(self.pos + 1) => Some(operator("&&")),
                "or" if self.begins_operand(self.pos + 1) => Some(operator("||")),
                "in" => no_operator(messages::IN_OPERATOR),
                "if" | "unless" => no_operator(messages::CONDITIONAL_OF_ANOTHER_LANGUAGE),
                "for" => {
                    let detail = messages::FOR_AT_END;
                    Some(Diagnostic::error(Code::InvalidFor).at(here).with_note(detail))
                }
                _ => None,
            },
            T::Equal => {
                let next = self.pos + 1;
                let (span, right) = match self.tokens.kind(next) {
                    T::Bang if self.touches_next() => (self.between(self.pos, next), "!="),
                    T::Less if self.touches_next() => (self.between(self.pos, next), "<="),
                    _ => (here, "=="),
                };
                let detail = messages::equals_sign_as_operator(right);
                Some(Diagnostic::error(Code::UnsupportedOperator).at(here).with_note(detail).with_edit(
                    fix::use_text(right),
                    span,
                    right,
                ))
            }
            T::FatArrow if text == "=>" => {
                let detail = messages::ARROW_AS_OPERATOR;
                Some(Diagnostic::error(Code::UnsupportedOperator).at(here).with_note(detail))
            }
            _ => None,
        }
    }

    /// Returns true if `and` or `or`, the current token, is part of prose: more words follow the one after it.
    pub(in crate::parser) fn is_prose(&self) -> bool {
        let word =
            |at: u32, words: &[&str]| words.iter().any(|word| self.tokens.is_text(at, word, self.source));
        let next = self.pos + 1;
        let follows = matches!(self.tokens.kind(next + 1), T::Identifier | T::String | T::Number);
        self.tokens.kind(next) == T::Identifier
            && follows
            && !word(next, &["not"])
            && !word(next + 1, &["and", "or", "if"])
    }

    /// `"one "two" three"`, where the current token is `two`.
    fn quotes_in_string(&self) -> Option<Diagnostic> {
        let before = self.pos.checked_sub(1).filter(|&before| self.tokens.kind(before) == T::String)?;
        let end = self.tokens.span(before).end;
        let is_word = matches!(self.kind, T::Identifier | T::Number);
        if !is_word || end != self.tokens.start(self.pos) || self.is_unclosed_string(before) {
            return None;
        }
        let mut strings = (self.pos..self.pos + LOOK_AHEAD)
            .take_while(|&at| !matches!(self.tokens.kind(at), T::Newline | T::Eof))
            .filter(|&at| self.tokens.kind(at) == T::String);
        let next = strings.next()?;
        let begin = self.tokens.start(next);
        if self.tokens.span(next - 1).end != begin || self.is_unclosed_string(next) {
            return None;
        }
        let quotes = [Span::new(end - 1, end), Span::new(begin, begin + 1)];
        let edits = quotes.map(|span| Edit { span, replacement: "\\\"".into() }).to_vec();
        let detail = messages::UNESCAPED_QUOTE;
        Some(
            Diagnostic::error(Code::UnescapedQuote)
                .at(self.here())
                .with_note(detail)
                .with_fix(Fix::new(fix::ESCAPE_QUOTES, edits)),
        )
    }

    /// `name = value` where a list or a call has an element.
    pub(in crate::parser) fn named_element(&self, opener: u32) -> Option<Diagnostic> {
        let plain = self.touches_next() && matches!(self.tokens.kind(self.pos + 1), T::Bang | T::Less);
        let is_named = self.kind == T::Equal && !plain && self.kind_before() == T::Identifier;
        let first = self.prev.checked_sub(1)?;
        if !is_named || !(first == opener || self.tokens.kind(first) == T::Comma) {
            return None;
        }
        let detail = match self.tokens.kind(opener) {
            T::OpenBracket => messages::NAMED_LIST_ELEMENT,
            _ => messages::NAMED_ARGUMENT,
        };
        Some(Diagnostic::error(Code::MissingSeparator).at(self.here()).with_note(detail))
    }

    /// `not x`, where the current token is `x`.
    pub(in crate::parser) fn misplaced_not(&self) -> Option<Diagnostic> {
        let is_not = self.kind_before() == T::Identifier
            && self.tokens.is_text(self.prev, "not", self.source)
            && self.begins_operand(self.pos);
        let not = Span::new(self.tokens.start(self.prev), self.tokens.start(self.pos));
        is_not.then(|| {
            let detail = messages::NOT_OPERATOR;
            Diagnostic::error(Code::UnsupportedOperator).at(self.here()).with_note(detail).with_edit(
                fix::USE_EXCLAMATION_MARK,
                not,
                "!",
            )
        })
    }

    /// The error about a bracket of another kind in place of the closing bracket for `opener`.
    #[cold]
    pub(in crate::parser) fn wrong_closer(&mut self, opener: u32) -> Option<Diagnostic> {
        let closer = match self.tokens.kind(opener) {
            T::OpenBrace => "}",
            T::OpenBracket => "]",
            _ => ")",
        };
        if !matches!(self.kind, T::CloseBrace | T::CloseBracket | T::CloseParen) {
            return None;
        }
        // It may have been meant as the expected one.
        self.recovery.allow_extra_closer(self.kind == T::CloseBrace);
        let (here, open, text) = (self.here(), self.text_of(opener), self.text_of(self.pos));
        let before = Span::empty(self.tokens.span(self.prev).end);
        let diagnostic = if self.recovery.closers.expects(self.kind) {
            let detail = messages::closed_by_outer_bracket(open, text);
            let diagnostic = Diagnostic::error(Code::UnbalancedParens).at(here).with_note(detail);
            let ends_line = matches!(self.tokens.kind(self.pos + 1), T::Newline | T::Eof);
            // The closing brace of a block is on a line of its own.
            if text == "}"
                && ends_line
                && !self.begins_line(self.pos)
                && self.recovery.innermost_block().is_some()
            {
                diagnostic
            } else {
                diagnostic.with_edit(fix::add_text(closer), before, closer)
            }
        } else {
            let detail = messages::wrong_closing_bracket(open, closer, text);
            Diagnostic::error(Code::UnbalancedParens).at(here).with_note(detail).with_edit(
                fix::use_text(closer),
                here,
                closer,
            )
        };
        Some(diagnostic.with_related_span(self.tokens.span(opener), related::OPENED_HERE))
    }

    /// The error about text that cannot begin an expression.
    #[cold]
    pub(in crate::parser) fn no_operand(&self) -> Diagnostic {
        let (here, prev) = (self.here(), self.tokens.span(self.prev));
        let before = self.kind_before();
        let touches = prev.end == here.start && self.prev + 1 == self.pos;
        let error = |detail: &'static str| invalid(here, detail);
        let operator = |wrong: &str, right: &'static str| {
            invalid(here, messages::operator_of_another_language(wrong, right)).with_edit(
                fix::use_text(right),
                prev.cover(here),
                right,
            )
        };
        if let Some(percentage) = self.percentage() {
            return percentage;
        }
        match (before, self.kind) {
            (T::Comma, T::Comma) => error(messages::EXTRA_COMMA).with_edit(fix::REMOVE_COMMA, here, ""),
            (T::OpenBracket | T::OpenParen | T::OpenBrace, T::Comma) => {
                error(messages::COMMA_BEFORE_ELEMENT).with_edit(fix::REMOVE_COMMA, here, "")
            }
            (T::OpenBracket, T::CloseBracket) => error(messages::EMPTY_INDEX),
            (_, T::Newline) => self.no_operand_on_line(),
            (T::EqualEqual, T::Equal) if touches => operator("===", "=="),
            (T::BangEqual, T::Equal) if touches => operator("!==", "!="),
            (T::Less, T::Greater) if touches => operator("<>", "!="),
            (T::Star, T::Star) if touches => error(messages::POWER_OPERATOR),
            (T::Plus, T::Plus) if touches => error(messages::INCREMENT_OPERATOR),
            (T::Minus, T::Greater) if touches => error(messages::ARROW_OPERATOR),
            (T::Question, T::Question) if touches => error(messages::COALESCING_OPERATOR),
            (T::Question, T::Colon) if touches => error(messages::ELVIS_OPERATOR),
            (T::Question, T::Dot) if touches => error(messages::OPTIONAL_CHAINING_OPERATOR),
            (T::Star, T::Slash) if touches => error(messages::COMMENT_END_WITHOUT_START),
            (T::Less, T::Less) if touches && self.begins_operand(self.pos + 1) => {
                error(messages::SHIFT_OPERATOR)
            }
            (T::Percent, T::OpenBrace) => error(messages::DIRECTIVE_OUTSIDE_TEMPLATE),
            (_, T::Dot) if self.touches_next() && self.tokens.kind(self.pos + 1) == T::Number => error(
                messages::NUMBER_WITHOUT_LEADING_DIGIT,
            )
            .with_edit(fix::ADD_ZERO, Span::empty(here.start), "0"),
            (_, T::Ellipsis) => error(messages::ELLIPSIS_OUTSIDE_CALL),
            (_, T::Percent) if self.tokens.kind(self.pos + 1) == T::OpenBrace => {
                error(messages::DIRECTIVE_OUTSIDE_TEMPLATE)
            }
            (_, T::Eof) => {
                let detail = messages::MISSING_EXPRESSION;
                Diagnostic::error(Code::MissingExpression).at(here).with_note(detail)
            }
            (_, T::Less)
                if before == T::Less && touches
                    || self.touches_next() && self.tokens.kind(self.pos + 1) == T::Less =>
            {
                error(messages::SPACED_HEREDOC_OPERATOR)
            }
            (_, T::Plus) => error(messages::UNARY_PLUS).with_edit(fix::REMOVE_PLUS, here, ""),
            (_, T::EqualEqual | T::Equal) => {
                invalid(here, messages::missing_left_operand(self.text_of(self.pos)))
            }
            _ => {
                let text = self.text_of(self.pos);
                invalid(here, messages::no_expression(text))
            }
        }
    }

    /// The error about a line break in place of an expression.
    fn no_operand_on_line(&self) -> Diagnostic {
        let error = |detail: &'static str| invalid(self.here(), detail);
        if self.kind_before() == T::Equal
            && let Some(gap) = self.value_on_next_line()
        {
            return error(messages::VALUE_ON_NEXT_LINE).with_edit(fix::MOVE_VALUE_UP, gap, " ");
        }
        if joins(self.kind_before())
            && let Some(parens) = self.parens_over_lines(self.value_start(), self.pos)
        {
            return error(messages::EXPRESSION_CONTINUES_ON_NEXT_LINE)
                .with_fix(Fix::new(fix::ADD_PARENTHESES, parens));
        }
        error(messages::MISSING_EXPRESSION_ON_LINE)
    }

    /// `50%`, where the sign is consumed already.
    fn percentage(&self) -> Option<Diagnostic> {
        let ends = matches!(
            self.kind,
            T::Newline | T::Comma | T::CloseBracket | T::CloseParen | T::CloseBrace | T::Eof
        );
        let number =
            self.prev.checked_sub(1).filter(|&number| ends && self.tokens.kind(number) == T::Number)?;
        let span = self.between(number, self.prev);
        let text = self.source.slice(span);
        let detail = messages::PERCENTAGE;
        let is_percentage = text.ends_with('%') && !text.contains(char::is_whitespace);
        is_percentage
            .then(|| invalid(self.here(), detail).with_edit(fix::PUT_IN_QUOTES, span, format!("\"{text}\"")))
    }

    /// Returns the gap between an equals sign and a value that clearly is on the next line.
    fn value_on_next_line(&self) -> Option<Span> {
        let next = self.pos + 1;
        let is_value = self.indent_of(next) > self.indent_of(self.prev)
            && !self.looks_like_item(next)
            && self.begins_operand(next);
        is_value.then(|| Span::new(self.tokens.span(self.prev).end, self.tokens.start(next)))
    }

    /// Returns where the value of the current argument begins, if the current token is not in brackets.
    fn value_start(&self) -> Option<u32> {
        let floor = self.pos.saturating_sub(LOOK_AHEAD);
        let mut at = self.pos;
        while at > floor + 1 {
            at -= 1;
            if self.tokens.kind(at) == T::Equal
                && self.tokens.kind(at - 1) == T::Identifier
                && self.begins_line(at - 1)
            {
                return Some(at + 1);
            }
        }
        None
    }

    /// Reports a number directly followed by letters, such as `0x1F`, `10s` and `1_000`, which is read as the number.
    #[cold]
    pub(in crate::parser) fn number_with_letters(&mut self, number: u32) {
        let span = self.between(number, self.pos);
        if self.tokens.span(number).end != self.tokens.start(self.pos) || self.at_keyword("if") {
            return;
        }
        let text = self.source.slice(span);
        let letters = self.tokens.span(self.bump());
        if self.recovery.is_silent() {
            return;
        }
        if let Some(quote) = self.wrong_quote_from(self.pos - 1) {
            self.report_quote_at(quote, letters);
            self.recovery.doubt_if(true);
            return;
        }
        let next = self.tokens.span(self.pos);
        // The next argument may have been joined to the number.
        let joined = self.kind == T::Equal;
        let alone = !joined && next.start != span.end
            || matches!(
                self.kind,
                T::Comma
                    | T::CloseBracket
                    | T::CloseParen
                    | T::CloseBrace
                    | T::Newline
                    | T::Eof
                    | T::CloseSequence
            );
        let (detail, title, replacement) = match in_decimal(text) {
            Some(decimal) => (messages::NUMBER_OF_ANOTHER_LANGUAGE, fix::USE_DECIMAL_NUMBER, decimal),
            None => (messages::NUMBER_WITH_UNIT, fix::PUT_IN_QUOTES, format!("\"{text}\"")),
        };
        let diagnostic =
            Diagnostic::error(Code::InvalidNumber).at(letters).with_note(detail).with_context(span);
        self.diagnostics.push(if alone {
            diagnostic.with_edit(title, span, replacement)
        } else {
            diagnostic
        });
        self.recovery.doubt_if(!alone);
    }

    /// Returns the start of the innermost open bracket around the current token.
    fn surrounding_bracket(&self) -> Option<u32> {
        let mut closed = 0_u32;
        for at in (self.pos.saturating_sub(LOOK_AHEAD)..self.pos).rev() {
            match self.tokens.kind(at) {
                T::CloseBrace | T::CloseBracket | T::CloseParen => closed += 1,
                T::OpenBrace | T::OpenBracket | T::OpenParen if closed == 0 => return Some(at),
                T::OpenBrace | T::OpenBracket | T::OpenParen => closed -= 1,
                _ => {}
            }
        }
        None
    }

    /// Returns true if a block begins at the current token in place of an element of a list, indented deeper than the
    /// bracket.
    pub(in crate::parser) fn is_block_in_list(&self) -> bool {
        self.looks_like_block(self.pos)
            && self
                .surrounding_bracket()
                .is_some_and(|opener| self.indent_of(self.pos) > self.indent_of(opener))
    }
}

/// An error about unexpected text in place of an expression.
fn invalid(here: Span, detail: impl Into<Cow<'static, str>>) -> Diagnostic {
    Diagnostic::error(Code::InvalidExpression).at(here).with_note(detail)
}

/// Converts a number of another language to decimal: `0x1F`, `0o17`, `0b11`, `1_000`.
fn in_decimal(text: &str) -> Option<String> {
    let digits = text.replace('_', "");
    let radix = match digits.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        _ => return digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits),
    };
    u128::from_str_radix(&digits[2..], radix).ok().map(|number| number.to_string())
}
