//! Invalid characters: each becomes a [`TokenKind::Wrong`] with a diagnostic that suggests the correct spelling, and
//! [`meant`] returns the kind of token that the parser treats it as.

use super::Lexer;
use crate::messages::fix;
use crate::messages::lexical as messages;
use crate::token::TokenKind;
use crate::{Code, Diagnostic, Edit, Fix, Span};

/// Pairs of quotes of other languages and of word processors.
const QUOTES: [(char, char); 6] = [('\'', '\''), ('`', '`'), ('“', '”'), ('„', '“'), ('‘', '’'), ('«', '»')];

/// The ASCII lookalikes of characters that keyboards and word processors insert.
const LOOKALIKES: [(char, &str, TokenKind); 27] = [
    ('…', "...", TokenKind::Ellipsis),
    ('–', "-", TokenKind::Minus),
    ('—', "-", TokenKind::Minus),
    ('−', "-", TokenKind::Minus),
    ('×', "*", TokenKind::Star),
    ('÷', "/", TokenKind::Slash),
    ('≤', "<=", TokenKind::LessEqual),
    ('≥', ">=", TokenKind::GreaterEqual),
    ('≠', "!=", TokenKind::BangEqual),
    ('⇒', "=>", TokenKind::FatArrow),
    ('、', ",", TokenKind::Comma),
    ('。', ".", TokenKind::Dot),
    ('！', "!", TokenKind::Bang),
    ('％', "%", TokenKind::Percent),
    ('（', "(", TokenKind::OpenParen),
    ('）', ")", TokenKind::CloseParen),
    ('＊', "*", TokenKind::Star),
    ('＋', "+", TokenKind::Plus),
    ('，', ",", TokenKind::Comma),
    ('．', ".", TokenKind::Dot),
    ('：', ":", TokenKind::Colon),
    ('＜', "<", TokenKind::Less),
    ('＝', "=", TokenKind::Equal),
    ('＞', ">", TokenKind::Greater),
    ('？', "?", TokenKind::Question),
    ('［', "[", TokenKind::OpenBracket),
    ('］', "]", TokenKind::CloseBracket),
];

fn lookalike(character: char) -> Option<(&'static str, TokenKind)> {
    let &(_, right, kind) = LOOKALIKES.iter().find(|&&(wrong, ..)| wrong == character)?;
    Some((right, kind))
}

/// The kind of token that a [`TokenKind::Wrong`] token with this text was meant to be, as far as that is clear.
pub(crate) fn meant(text: &str) -> TokenKind {
    if let Some((_, kind)) = text.chars().next().and_then(lookalike) {
        return kind;
    }
    match text {
        "&" => TokenKind::AndAnd,
        "|" => TokenKind::OrOr,
        "~" => TokenKind::Bang,
        ";" | "\r" | "\u{85}" | "\u{2028}" | "\u{2029}" => TokenKind::Newline,
        // The reference is what follows the sign.
        "$" => TokenKind::InlineComment,
        _ if text.starts_with(';') => TokenKind::LineComment,
        _ if text.starts_with('\u{1a}') => TokenKind::Wrong,
        _ if text.chars().nth(1).is_some() => TokenKind::String,
        _ if text.chars().all(is_space) => TokenKind::InlineComment,
        _ => TokenKind::Wrong,
    }
}

/// Returns true for characters that look like a space or are invisible.
fn is_space(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

pub(super) fn carriage_return(at: usize) -> Diagnostic {
    Diagnostic::error(Code::WrongCharacter)
        .at(Span::new(at as u32, at as u32 + 1))
        .with_note(messages::LONE_CARRIAGE_RETURN)
}

impl Lexer<'_> {
    #[cold]
    pub(super) fn wrong_character(&mut self) {
        let start = self.pos;
        let Some(character) = self.text[start..].chars().next() else { return };
        let span = Span::new(start as u32, (start + character.len_utf8()) as u32);
        if character == '\u{1a}' {
            // A row of them is one error. Replacements for bytes that are not UTF-8 are reported at the end.
            let count = self.text.as_bytes()[start..].iter().take_while(|byte| **byte == 0x1a).count();
            if !self.is_invalid(span.start) {
                let run = Span::new(span.start, span.start + count as u32);
                self.diagnostics.push(not_used(run, character));
            }
            return self.emit(TokenKind::Wrong, count);
        }
        if let Some((right, _)) = lookalike(character) {
            let detail = messages::lookalike(character, right);
            self.diagnostics.push(
                Diagnostic::error(Code::WrongCharacter).at(span).with_note(detail).with_edit(
                    fix::use_text(right),
                    span,
                    right,
                ),
            );
            return self.emit(TokenKind::Wrong, character.len_utf8());
        }
        if character == ';' && self.begins_comment() {
            return self.semicolon_comment(span);
        }
        if character == '$' {
            self.diagnostics.push(self.dollar(span));
            return self.emit(TokenKind::Wrong, 1);
        }
        if let Some(&(open, close)) = QUOTES.iter().find(|&&(open, _)| open == character) {
            return self.wrong_quote(span, open, close);
        }
        let diagnostic = match character {
            '&' | '|' | '~' => {
                let right = if character == '~' { "!".to_owned() } else { format!("{character}{character}") };
                let detail = messages::bitwise_operator_for_logical(&right);
                let diagnostic = Diagnostic::error(Code::UnsupportedOperator).at(span).with_note(detail);
                // `!` is a prefix operator.
                let misplaced = character == '~' && self.ends_in_operand();
                if misplaced { diagnostic } else { diagnostic.with_edit(fix::use_text(&right), span, right) }
            }
            '^' => {
                Diagnostic::error(Code::UnsupportedOperator).at(span).with_note(messages::BITWISE_OPERATOR)
            }
            ';' => {
                let diagnostic =
                    Diagnostic::error(Code::WrongCharacter).at(span).with_note(messages::SEMICOLON_SEPARATOR);
                match self.byte(self.run_of(super::BLANK, start + 1)) {
                    b'\n' | b'\r' | b'}' | 0 => diagnostic.with_edit(fix::REMOVE_SEMICOLON, span, ""),
                    _ => diagnostic,
                }
            }
            '\r' => carriage_return(start),
            '”' | '’' | '»' | '‟' => {
                Diagnostic::error(Code::WrongCharacter).at(span).with_note(messages::CURLY_QUOTES)
            }
            _ if is_space(character) => Diagnostic::error(Code::WrongCharacter)
                .at(span)
                .with_note(messages::invisible_character(character as u32))
                .with_edit(
                    if character.is_whitespace() { fix::USE_PLAIN_SPACE } else { fix::REMOVE_IT },
                    span,
                    match character {
                        '\u{85}' | '\u{2028}' | '\u{2029}' => "\n",
                        _ if character.is_whitespace() => " ",
                        _ => "",
                    },
                ),
            _ => not_used(span, character),
        };
        self.diagnostics.push(diagnostic);
        self.emit(TokenKind::Wrong, character.len_utf8());
    }

    /// Returns true if this is the start of a line on which no body opens or closes.
    fn begins_comment(&self) -> bool {
        let last = self.tokens.len().checked_sub(1).map(|last| self.tokens.kind(last as u32));
        let line = || self.text[self.pos..].lines().next().unwrap_or_default();
        matches!(last, None | Some(TokenKind::Newline)) && !line().contains(['{', '}'])
    }

    /// Reads a semicolon at the start of a line, which starts a comment in other languages if text follows it.
    fn semicolon_comment(&mut self, span: Span) {
        let rest = &self.bytes[self.pos..];
        let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let diagnostic = if rest[1..end].iter().all(|byte| matches!(byte, b' ' | b'\t' | b';')) {
            Diagnostic::error(Code::WrongCharacter).at(span).with_note(messages::SEMICOLON).with_edit(
                fix::REMOVE_SEMICOLON,
                Span::new(span.start, span.start + end as u32),
                "",
            )
        } else {
            Diagnostic::error(Code::WrongCharacter).at(span).with_note(messages::WRONG_COMMENT).with_edit(
                fix::USE_HASH,
                span,
                "#",
            )
        };
        self.diagnostics.push(diagnostic);
        self.emit(TokenKind::Wrong, end);
    }

    /// Reports a dollar sign outside of strings.
    fn dollar(&self, span: Span) -> Diagnostic {
        let detail = messages::DOLLAR_SIGN;
        let diagnostic = Diagnostic::error(Code::WrongCharacter).at(span).with_note(detail);
        let rest = &self.bytes[span.end as usize..];
        let name = rest.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
        if name > 0 && !rest[0].is_ascii_digit() {
            // In capitals, it can be a shell variable.
            let is_shell = rest[..name].iter().all(|byte| !byte.is_ascii_lowercase());
            return if is_shell {
                diagnostic
            } else {
                diagnostic.with_edit(fix::REMOVE_DOLLAR_SIGN, span, "")
            };
        }
        // `${name.name}`
        let plain = |byte: u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'[' | b']' | b'*')
        };
        let Some(inside) = rest.strip_prefix(b"{") else { return diagnostic };
        let len = inside.iter().take_while(|&&byte| plain(byte)).count();
        if len == 0 || inside.get(len) != Some(&b'}') {
            return diagnostic;
        }
        let close = span.end + 1 + len as u32;
        let edits = [Span::new(span.start, span.end + 1), Span::new(close, close + 1)];
        diagnostic
            .with_fix(Fix::new(fix::REMOVE_DOLLAR_SIGN_AND_BRACES, edits.map(|span| Edit::new(span, ""))))
    }

    /// Returns true if the last token can be the left operand of an operator.
    fn ends_in_operand(&self) -> bool {
        let last = self.tokens.len().checked_sub(1).map(|last| self.tokens.kind(last as u32));
        matches!(
            last,
            Some(
                TokenKind::Identifier
                    | TokenKind::Number
                    | TokenKind::String
                    | TokenKind::CloseQuote
                    | TokenKind::CloseParen
                    | TokenKind::CloseBracket
                    | TokenKind::CloseBrace
            )
        )
    }

    /// Reads a string in invalid quotes, which is one token if it ends on the same line.
    fn wrong_quote(&mut self, span: Span, open: char, close: char) {
        /// How far to look for the backtick that ends a multi-line string; a bound keeps lexing linear.
        const FAR: usize = 2_000;
        let inside = span.end as usize;
        let rest = &self.text[inside..];
        let detail = match open {
            '\'' => messages::SINGLE_QUOTES,
            '`' => messages::BACKTICKS,
            _ => messages::CURLY_QUOTES,
        };
        let diagnostic = Diagnostic::error(Code::WrongCharacter).at(span).with_note(detail);
        // Stop at the first candidate, so that no text is searched twice.
        let found = rest.find([open, close, '\n', '\r']).filter(|&at| rest[at..].starts_with(close));
        let over_lines = || rest.char_indices().take(FAR).find(|&(_, c)| c == '`').map(|(at, _)| at);
        let found = if open == '`' { found.or_else(over_lines) } else { found };
        let Some(len) = found else {
            self.diagnostics.push(diagnostic);
            return self.emit(TokenKind::Wrong, span.len() as usize);
        };
        let end = inside + len + close.len_utf8();
        let closing = Span::new((inside + len) as u32, end as u32);
        let fixable = !rest[..len].contains(['"', '\\', '$', '%', '\n', '\r']);
        let edits = [span, closing].map(|span| Edit { span, replacement: "\"".into() });
        self.diagnostics.push(if fixable {
            diagnostic.with_fix(Fix::new(fix::USE_DOUBLE_QUOTES, edits))
        } else {
            diagnostic
        });
        self.emit(TokenKind::Wrong, end - span.start as usize);
    }

    /// Returns true if an offset is inside bytes that are not UTF-8.
    fn is_invalid(&self, at: u32) -> bool {
        let after = self.invalid.partition_point(|bad| bad.start <= at);
        self.invalid[..after].last().is_some_and(|bad| at < bad.end)
    }

    /// Reports all bytes that are not UTF-8, except in comments.
    pub(super) fn report_invalid_bytes(&mut self) {
        for &bad in self.invalid {
            if !self.tokens.kind(self.tokens.at(bad.start)).is_comment() {
                self.diagnostics.push_with(|| {
                    let detail = messages::INVALID_UTF8;
                    Diagnostic::error(Code::InvalidEncoding).at(bad).with_note(detail)
                });
            }
        }
    }
}

fn not_used(span: Span, character: char) -> Diagnostic {
    let detail = match character {
        '\\' => messages::BACKSLASH.to_owned(),
        _ if character.is_control() => messages::control_character(character as u32),
        _ => messages::invalid_character(character),
    };
    Diagnostic::error(Code::WrongCharacter).at(span).with_note(detail)
}
