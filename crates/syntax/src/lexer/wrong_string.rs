//! Errors in quoted strings: invalid escape sequences, and missing or extra quotes.

use super::{CLASS, IDENT, Lexer};
use crate::messages::lexical as messages;
use crate::messages::{fix, related};
use crate::token::TokenKind;
use crate::{Code, Diagnostic, Span};

impl Lexer<'_> {
    /// Reports a backslash before a character that cannot be escaped: an escape sequence of another language, or a
    /// path.
    #[cold]
    pub(super) fn no_escape(&self, character: char, at: usize, subject: Span) -> Diagnostic {
        let backslash = Span::new(at as u32, at as u32 + 1);
        let two_digits = self.text.get(at + 2..at + 4);
        let hexadecimal = two_digits.filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let (detail, title, span, replacement) = match (character, hexadecimal) {
            ('$' | '%', _) if self.byte(at + 2) == b'{' => (
                messages::escaped_sequence(character),
                if character == '$' { fix::WRITE_LITERAL_DOLLAR } else { fix::WRITE_LITERAL_PERCENT },
                backslash,
                character.to_string(),
            ),
            ('$' | '%' | '\'' | '`', _) => {
                (messages::needless_escape(character), fix::REMOVE_BACKSLASH, backslash, String::new())
            }
            ('x', Some(digits)) => (
                messages::ESCAPE_BY_X.to_owned(),
                fix::USE_UNICODE_ESCAPE,
                Span::new(at as u32, at as u32 + 4),
                format!("\\u00{digits}"),
            ),
            _ => (messages::unknown_escape(character), fix::DOUBLE_BACKSLASH, backslash, "\\\\".to_owned()),
        };
        Diagnostic::error(Code::InvalidEscape).at(subject).with_note(detail).with_edit(
            title,
            span,
            replacement,
        )
    }

    /// Reports a string that is not closed before the end of its line at `at`. Returns its intended end.
    pub(super) fn report_newline(&mut self, open: usize, at: usize, over_lines: bool) -> usize {
        let end = at + self.bytes[at..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        let (start, newline) = (Span::new(open as u32, open as u32 + 1), Span::new(at as u32, end as u32));
        let meant_to_close = !over_lines && self.is_meant_to_close(open, at);
        let mut meant_end = at;
        let diagnostic = if over_lines {
            Diagnostic::error(Code::NewlineInString).at(newline).with_note(
                if self.bytes[..open].ends_with(b"\"\"") {
                    messages::TRIPLE_QUOTES
                } else {
                    messages::MULTI_LINE_STRING
                },
            )
        } else if meant_to_close {
            meant_end = open + 1;
            self.quote_too_many(start, newline)
        } else {
            let place = self.place_for_quote(open, at);
            meant_end = place.end as usize;
            Diagnostic::error(Code::NewlineInString)
                .at(newline)
                .with_note(messages::UNCLOSED_STRING_ON_LINE)
                .with_edit(fix::CLOSE_STRING, place, "\"")
        };
        let label = if meant_to_close { related::MAY_CLOSE_STRING } else { related::STRING_STARTS_HERE };
        self.diagnostics.push(diagnostic.with_related_span(start, label));
        meant_end
    }

    /// Returns true if a quote without a closing quote on its line, which ends at `at`, was itself meant to close a
    /// string.
    pub(super) fn is_meant_to_close(&self, quote: usize, at: usize) -> bool {
        self.touches_word(quote) || self.ends_line(quote, at)
    }

    /// Returns true if a quote directly follows a name or a number, and was therefore meant to close a string.
    fn touches_word(&self, quote: usize) -> bool {
        quote > 0 && CLASS[self.bytes[quote - 1] as usize] & IDENT != 0 && self.last_ends_at(quote)
    }

    /// Returns true if a quote directly follows something, and the line ends at `at` after it.
    fn ends_line(&self, quote: usize, at: usize) -> bool {
        let before = quote.checked_sub(1).map(|before| self.bytes[before]);
        let mut rest = self.bytes[quote + 1..at].iter();
        before.is_some_and(|before| !b" \t\n\"([{,=:?!&|+-*/%<>".contains(&before))
            && rest.all(|byte| matches!(byte, b' ' | b'\t' | b',' | b')' | b']' | b'}'))
    }

    /// Returns true if the last token is a name or a number and ends at `place`.
    fn last_ends_at(&self, place: usize) -> bool {
        let Some(last) = self.tokens.len().checked_sub(1).map(|last| last as u32) else { return false };
        matches!(self.tokens.kind(last), TokenKind::Identifier | TokenKind::Number)
            && self.tokens.span(last).end as usize == place
    }

    /// Reports a quote that was meant to close a string whose opening quote is missing or wrong.
    #[cold]
    fn quote_too_many(&self, quote: Span, newline: Span) -> Diagnostic {
        let line = &self.text[..quote.start as usize];
        let line = &line[line.rfind('\n').map_or(0, |newline| newline + 1)..];
        if line.contains('"') {
            let detail = messages::ODD_QUOTES_ON_LINE;
            return Diagnostic::error(Code::NewlineInString).at(newline).with_note(detail);
        }
        let word = if self.touches_word(quote.start as usize) {
            line.rfind([' ', '\t', '[', '(', '{', ',', '='])
        } else {
            // Several words are the value of an argument.
            line.find("= ").map(|sign| sign + 1)
        };
        let word = word.map_or(0, |before| before + 1);
        let begin = quote.start - (line.len() - word) as u32;
        let detail = messages::MISSING_OPENING_QUOTE;
        Diagnostic::error(Code::NewlineInString).at(newline).with_note(detail).with_edit(
            fix::ADD_QUOTE,
            Span::empty(begin),
            "\"",
        )
    }

    /// Returns where to add the closing quote of a string that continues to the end of its line at `at`: before the
    /// brackets that close those opened on the same line before the string, or before the brace of a block.
    fn place_for_quote(&self, open: usize, at: usize) -> Span {
        let (mut first, mut closers) = (self.tokens.len() as u32, Vec::new());
        while first > 0 && self.tokens.kind(first - 1) != TokenKind::Newline {
            first -= 1;
        }
        let is_header = (first..self.tokens.len() as u32)
            .all(|token| matches!(self.tokens.kind(token), TokenKind::Identifier | TokenKind::String));
        for token in first..self.tokens.len() as u32 {
            match self.tokens.kind(token) {
                TokenKind::OpenParen => closers.push(b')'),
                TokenKind::OpenBracket => closers.push(b']'),
                TokenKind::OpenBrace => closers.push(b'}'),
                TokenKind::CloseParen | TokenKind::CloseBracket | TokenKind::CloseBrace => {
                    closers.pop();
                }
                _ => {}
            }
        }
        let text = &self.bytes[open + 1..at];
        // A curly quote that was meant to close the string.
        let last =
            self.text[open + 1..at].chars().next_back().filter(|last| matches!(last, '“' | '”' | '„' | '‟'));
        if let Some(last) = last {
            return Span::new((at - last.len_utf8()) as u32, at as u32);
        }
        let mut end = text.len();
        // A comma at the end separates the string from the next element.
        let begins_line = first as usize == self.tokens.len();
        if text.ends_with(b",") && (begins_line || !closers.is_empty()) {
            end -= 1;
        }
        if is_header && first < self.tokens.len() as u32 && text.ends_with(b" {") {
            end -= 2;
        }
        // The brackets at the end close the open ones, the outermost last.
        for closer in closers {
            if end > 0 && text[end - 1] == closer {
                end -= 1;
            } else {
                break;
            }
        }
        let blanks = text[..end].iter().rev().take_while(|byte| **byte == b' ').count();
        let end = if end < text.len() { end - blanks } else { end };
        Span::empty((open + 1 + end) as u32)
    }

    pub(super) fn report_unclosed_quote(&mut self, open: usize, end: usize) {
        let span = Span::empty(end as u32);
        self.diagnostics.push(
            Diagnostic::error(Code::UnclosedTemplate)
                .at(span)
                .with_note(messages::UNCLOSED_STRING)
                .with_related_span(
                    Span::new(open as u32, end.min(open + 1) as u32),
                    related::STRING_STARTS_HERE,
                )
                .with_edit(fix::CLOSE_STRING, span, "\""),
        );
    }
}
