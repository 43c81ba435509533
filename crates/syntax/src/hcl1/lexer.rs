//! The lexer of HCL 1: splits text into tokens in one pass. Line breaks and comments are tokens, as in the native syntax.

use std::borrow::Cow;

use hclkit_limits::{Exceeded, Meter};

use super::Hcl1Number;
use super::character::{is_digit, is_letter};
use super::literal::{EscapeError, InvalidEscape, escape_len, unescape};
use crate::messages::{fix, hcl1 as messages, lexical};
use crate::source::BYTE_ORDER_MARK;
use crate::token::{TokenKind, Tokens};
use crate::{Code, Diagnostic, Diagnostics, Source, Span};

/// The number of bytes between two checks of the limits.
const BETWEEN_LOOKS: usize = 1 << 18;

/// A character that the reference reserves for itself.
const RESERVED: char = '\u{e123}';

struct Lexer<'s> {
    text: &'s str,
    bytes: &'s [u8],
    pos: usize,
    tokens: Tokens,
    diagnostics: Diagnostics,
    /// The number of line breaks so far.
    lines: usize,
    /// The line of the last invalid character, and the note of its error.
    last_wrong: (usize, Cow<'static, str>),
}

/// Returns the tokens of a source and the lexical errors. If a limit is exceeded, the tokens end early, at the returned
/// offset.
pub(super) fn lex(source: &Source, meter: &Meter) -> (Tokens, Diagnostics, Option<(u32, Exceeded)>) {
    let text = source.text();
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        pos: 0,
        tokens: Tokens::for_text_of(text.len()),
        diagnostics: Diagnostics::default(),
        lines: 1,
        last_wrong: (0, Cow::Borrowed("")),
    };
    let ended = source.check_size(meter).and_then(|()| lexer.run(meter));
    let unread = ended.err().map(|exceeded| (lexer.pos as u32, exceeded));
    lexer.tokens.push(TokenKind::Eof, text.len(), text.len());
    lexer.report_characters(source.invalid());
    if !lexer.diagnostics.is_empty() || unread.is_some() {
        lexer.tokens.doubt();
    }
    if text.len() > 1 << 16 {
        lexer.tokens.shrink();
    }
    (lexer.tokens, lexer.diagnostics, unread)
}

impl Lexer<'_> {
    fn run(&mut self, meter: &Meter) -> Result<(), Exceeded> {
        self.byte_order_mark();
        let mut next_look = 0;
        loop {
            if self.pos >= next_look {
                meter.look()?;
                next_look = self.pos + BETWEEN_LOOKS;
            }
            let before = self.pos;
            if !self.token() {
                return Ok(());
            }
            debug_assert_ne!(before, self.pos, "the lexer must make progress");
        }
    }

    /// Reads white space or a token. Returns false at the end of the text.
    #[inline]
    fn token(&mut self) -> bool {
        use TokenKind as T;
        let Some(&byte) = self.bytes.get(self.pos) else { return false };
        match byte {
            b' ' | b'\t' => self.pos += 1,
            b'\n' => self.newline(1),
            b'\r' if self.byte(1) == b'\n' => self.newline(2),
            b'\r' => self.pos += 1,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.identifier(),
            b'"' => self.string(),
            b'=' => self.emit(T::Equal, 1),
            b'{' => self.emit(T::OpenBrace, 1),
            b'}' => self.emit(T::CloseBrace, 1),
            b'[' => self.emit(T::OpenBracket, 1),
            b']' => self.emit(T::CloseBracket, 1),
            b',' => self.emit(T::Comma, 1),
            b'0'..=b'9' => self.number(),
            b'-' | b'.' if self.byte(1).is_ascii_digit() => self.number(),
            b'#' => self.line_comment(),
            b'/' if self.byte(1) == b'/' => self.line_comment(),
            b'/' if self.byte(1) == b'*' => self.inline_comment(),
            b'<' if self.byte(1) == b'<' => self.heredoc(),
            _ => self.other(),
        }
        true
    }

    /// The byte at an offset after the current one.
    #[inline]
    fn byte(&self, after: usize) -> u8 {
        self.bytes.get(self.pos + after).copied().unwrap_or(0)
    }

    #[inline]
    fn emit(&mut self, kind: TokenKind, len: usize) {
        self.tokens.push(kind, self.pos, self.pos + len);
        self.pos += len;
    }

    fn newline(&mut self, len: usize) {
        self.lines += 1;
        self.emit(TokenKind::Newline, len);
    }

    fn rest(&self) -> &str {
        &self.text[self.pos..]
    }

    fn span(&self, from: usize, len: usize) -> Span {
        Span::new((self.pos + from) as u32, (self.pos + from + len) as u32)
    }

    #[cold]
    fn error(&mut self, code: Code, span: Span, note: impl Into<Cow<'static, str>>) {
        self.diagnostics.push(Diagnostic::error(code).at(span).with_note(note));
    }

    /// A name: letters, digits, `_`, `-` and `.`, starting with a letter or `_`.
    fn identifier(&mut self) {
        let mut end = self.pos;
        loop {
            match self.bytes.get(end) {
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.') => end += 1,
                Some(0x80..) => {
                    let next =
                        self.text[end..].chars().next().filter(|&next| is_letter(next) || is_digit(next));
                    let Some(next) = next else { break };
                    end += next.len_utf8();
                }
                _ => break,
            }
        }
        self.emit(TokenKind::Identifier, end - self.pos);
    }

    /// A number: decimal, octal, hexadecimal, or with a fraction and an exponent.
    fn number(&mut self) {
        let len = number_len(&self.bytes[self.pos..]);
        let text = &self.text[self.pos..self.pos + len];
        if Hcl1Number::read(text).is_none() {
            let note = if text.trim_start_matches('-').starts_with("0x") {
                messages::HEXADECIMAL_NUMBER
            } else if text.contains(['e', 'E', '.']) {
                messages::FRACTION
            } else if text.contains(['8', '9']) && text.trim_start_matches('-').starts_with('0') {
                messages::OCTAL_NUMBER
            } else {
                messages::LARGE_NUMBER
            };
            self.error(Code::InvalidNumber, self.span(0, len), note);
        }
        self.emit(TokenKind::Number, len);
    }

    fn line_comment(&mut self) {
        let rest = &self.bytes[self.pos..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let end = if rest[..end].ends_with(b"\r") && end < rest.len() { end - 1 } else { end };
        self.emit(TokenKind::LineComment, end);
    }

    fn inline_comment(&mut self) {
        let end = memchr::memmem::find(&self.bytes[self.pos + 2..], b"*/");
        let len = end.map_or(self.bytes.len() - self.pos, |end| end + 4);
        if end.is_none() {
            self.error(Code::UnclosedComment, self.span(0, 2), lexical::UNCLOSED_COMMENT);
        }
        self.emit(TokenKind::InlineComment, len);
    }

    /// A quoted string: `${ … }` in it can contain quotes and line breaks.
    fn string(&mut self) {
        let text = self.rest();
        let bytes = text.as_bytes();
        let (mut at, mut has_escapes, mut invalid) = (1, false, None);
        let closed = loop {
            let Some(&byte) = bytes.get(at) else { break false };
            match byte {
                b'"' => break true,
                b'\n' => break false,
                b'\\' => {
                    has_escapes = true;
                    at += self.escape(at, &mut invalid);
                }
                b'$' if bytes.get(at + 1) == Some(&b'{') => at += self.sequence(at, &mut invalid),
                _ => at += 1,
            }
        };
        let end = if closed { at + 1 } else { at };
        if !closed {
            let is_open = at >= bytes.len();
            let code = if is_open { Code::UnclosedTemplate } else { Code::NewlineInString };
            let end = if bytes[..at].ends_with(b"\r") { at - 1 } else { at };
            let fix = if is_open { None } else { Some(Span::empty((self.pos + end) as u32)) };
            let in_sequence = is_open && text[..at].contains("${");
            let note =
                if in_sequence { messages::UNCLOSED_SEQUENCE } else { lexical::UNCLOSED_STRING_ON_LINE };
            let mut error = Diagnostic::error(code).at(self.span(0, 1)).with_note(note);
            if let Some(end) = fix {
                error = error.with_edit(fix::CLOSE_STRING, end, "\"");
            }
            self.diagnostics.push(error);
        } else if has_escapes && invalid.is_none() {
            invalid = unescape(&text[1..at]).err().map(|error| InvalidEscape { at: 1 + error.at, ..error });
        }
        if let Some(invalid) = invalid {
            self.invalid_escape(invalid);
        }
        self.emit(TokenKind::String, end);
    }

    /// The length of the escape sequence at an offset.
    fn escape(&self, at: usize, invalid: &mut Option<InvalidEscape>) -> usize {
        match escape_len(&self.rest()[at..]) {
            Ok(len) => len,
            Err(error) => {
                let error = InvalidEscape { at, ..error };
                let is_line_break = self.rest()[at + 1..].starts_with(['\n', '\r']);
                invalid
                    .get_or_insert(InvalidEscape { len: if is_line_break { 1 } else { error.len }, ..error });
                // A line break ends the string, and a quote closes it.
                1
            }
        }
    }

    /// The length of `${ … }` at an offset, whose escape sequences are checked, although they are part of the text.
    fn sequence(&self, from: usize, invalid: &mut Option<InvalidEscape>) -> usize {
        let bytes = &self.bytes[self.pos..];
        let (mut at, mut open) = (from + 2, 1);
        while open > 0 {
            match bytes.get(at) {
                Some(b'\\') => {
                    at += self.escape(at, invalid);
                    continue;
                }
                Some(b'{') => open += 1,
                Some(b'}') => open -= 1,
                Some(_) => {}
                None => break,
            }
            at += 1;
        }
        at - from
    }

    #[cold]
    fn invalid_escape(&mut self, invalid: InvalidEscape) {
        let InvalidEscape { at, len, why } = invalid;
        let span = self.span(at, len.min(self.bytes.len() - self.pos - at));
        let text = self.text[span.to_range()].to_owned();
        let note = match why {
            EscapeError::Unknown => messages::unknown_escape(text),
            EscapeError::Digits => messages::missing_digits(text),
            EscapeError::NotCharacter => messages::not_a_character(text),
            EscapeError::NotUtf8 => messages::NOT_UTF8.to_owned(),
        };
        let mut error = Diagnostic::error(Code::InvalidEscape).at(span).with_note(note);
        if why == EscapeError::Unknown {
            error = error.with_edit(fix::DOUBLE_BACKSLASH, Span::empty(span.start), "\\");
        }
        self.diagnostics.push(error);
    }

    /// A heredoc: `<<NAME` or `<<-NAME`, lines, and the name alone on a line.
    fn heredoc(&mut self) {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or_default();
        let name_at = if line.starts_with("<<-") { 3 } else { 2 };
        let name = line[name_at..].strip_suffix('\r').unwrap_or(&line[name_at..]);
        let plain = name.strip_suffix('\r').unwrap_or(name);
        let is_valid = !plain.is_empty() && plain.chars().all(|own| is_letter(own) || is_digit(own));
        if !is_valid || line.len() == rest.len() {
            let len = line.trim_end().len().max(2);
            let note = if plain.is_empty() {
                messages::HEREDOC_WITHOUT_NAME
            } else {
                lexical::HEREDOC_NAME_WITHOUT_LINE_BREAK
            };
            self.error(Code::InvalidHeredoc, self.span(0, len), note);
            return self.emit(TokenKind::Wrong, len);
        }
        // The reference counts the dash of `<<-` as a part of the name, when it looks for lines that are long enough.
        let least = name.len() + name_at - 2;
        let body = line.len() + 1;
        let (closing, unterminated) = closing_line(&rest[body..], name, least);
        self.emit_heredoc(body, closing, unterminated);
    }

    /// Emits the tokens of a heredoc whose lines begin at an offset. The line that closes it begins at `closing` after
    /// that, if there is one; `unterminated` is its name at the end of the text, without a line break.
    fn emit_heredoc(&mut self, body: usize, closing: Option<(usize, usize)>, unterminated: Option<Span>) {
        let opener = self.span(0, body);
        let opener = Span::new(opener.start, self.text[..opener.end as usize].trim_end().len() as u32);
        let lines = self.bytes.len() - self.pos - body;
        self.emit(TokenKind::OpenHeredoc, body);
        let start = self.pos as u32;
        if let Some((at, len)) = closing {
            if at > 0 {
                self.emit(TokenKind::HeredocText, at);
            }
            return self.emit(TokenKind::CloseHeredoc, len);
        }
        let error = Diagnostic::error(Code::UnclosedTemplate).at(opener);
        self.diagnostics.push(match unterminated {
            Some(name) => error.with_note(lexical::HEREDOC_END_WITHOUT_LINE_BREAK).with_edit(
                fix::ADD_LINE_BREAK,
                Span::empty(start + name.end),
                "\n",
            ),
            None => error.with_note(messages::UNCLOSED_HEREDOC),
        });
        if lines > 0 {
            self.emit(TokenKind::HeredocText, lines);
        }
    }

    /// Characters that are not ASCII, and those that are not valid.
    #[cold]
    fn other(&mut self) {
        let Some(character) = self.rest().chars().next() else { return };
        if is_letter(character) {
            return self.identifier();
        }
        let len = character.len_utf8();
        let is_invalid = matches!(character, '\0' | RESERVED | '\u{1a}');
        if !is_invalid {
            let note: Cow<'static, str> = match character {
                '\'' => lexical::SINGLE_QUOTES.into(),
                ':' => messages::COLON.into(),
                ';' => lexical::SEMICOLON.into(),
                '/' => lexical::WRONG_COMMENT.into(),
                '<' => messages::SINGLE_LESS_THAN.into(),
                '$' => messages::REFERENCE.into(),
                '(' | ')' | '+' | '-' | '*' | '?' | '!' | '&' | '|' | '>' | '%' => {
                    messages::EXPRESSION.into()
                }
                _ if character.is_control() => lexical::control_character(character as u32).into(),
                _ => lexical::invalid_character(character).into(),
            };
            // Of an expression, only the first sign is reported.
            let wrong = (self.lines, note);
            if wrong != self.last_wrong {
                let span = self.span(0, len);
                let error = Diagnostic::error(Code::WrongCharacter).at(span).with_note(wrong.1.clone());
                self.diagnostics.push(match character {
                    ':' => error.with_edit(fix::USE_EQUALS_SIGN, span, " ="),
                    _ => error,
                });
                self.last_wrong = wrong;
            }
        }
        self.emit(TokenKind::Wrong, len);
    }

    fn byte_order_mark(&mut self) {
        if self.text.starts_with(BYTE_ORDER_MARK) {
            let mark = self.span(0, BYTE_ORDER_MARK.len());
            let error = Diagnostic::error(Code::WrongCharacter).at(mark).with_note(messages::BYTE_ORDER_MARK);
            self.diagnostics.push(error.with_edit(fix::REMOVE_IT, mark, ""));
            self.pos = BYTE_ORDER_MARK.len();
        }
    }

    /// Reports what no part of the text may contain, comments included: bytes that are not UTF-8, zeros, and a character
    /// that the reference reserves.
    fn report_characters(&mut self, invalid: &[Span]) {
        let mut found = Diagnostics::new();
        for &bad in invalid {
            found.push_with(|| {
                Diagnostic::error(Code::InvalidEncoding).at(bad).with_note(lexical::INVALID_UTF8)
            });
        }
        let mut reserved = [0; 4];
        let reserved = RESERVED.encode_utf8(&mut reserved).as_bytes();
        let is_invalid = |at: usize| invalid.binary_search_by_key(&(at as u32), |span| span.start).is_ok();
        let zeros = memchr::memchr_iter(0, self.bytes).map(|at| (at, 1));
        let marks = memchr::memmem::find_iter(self.bytes, reserved).map(|at| (at, reserved.len()));
        // In the native syntax, 0x1A replaces bytes that are not UTF-8. By itself it is a control character.
        let replaced = memchr::memchr_iter(0x1a, self.bytes)
            .filter(|&at| !is_invalid(at) && self.tokens.kind(self.tokens.at(at as u32)) == TokenKind::Wrong);
        for (at, len) in zeros.chain(marks).chain(replaced.map(|at| (at, 1))) {
            let code = self.text[at..].chars().next().map_or(0, |character| character as u32);
            let note = if code == RESERVED as u32 {
                messages::RESERVED_CHARACTER.to_owned()
            } else {
                lexical::control_character(code)
            };
            let span = Span::new(at as u32, (at + len) as u32);
            found.push_with(|| Diagnostic::error(Code::WrongCharacter).at(span).with_note(note));
        }
        found.sort_by_key(Diagnostic::span);
        let own = std::mem::take(&mut self.diagnostics);
        self.diagnostics = own.merge(found);
    }
}

/// The length of the number at the start of a text, which may be invalid.
fn number_len(bytes: &[u8]) -> usize {
    let digits = |from: usize, valid: fn(&u8) -> bool| {
        from + bytes[from.min(bytes.len())..].iter().take_while(|byte| valid(byte)).count()
    };
    let decimal = |from| digits(from, u8::is_ascii_digit);
    let exponent = |from: usize| match bytes.get(from) {
        Some(b'e' | b'E') => {
            let sign = usize::from(matches!(bytes.get(from + 1), Some(b'+' | b'-')));
            decimal(from + 1 + sign)
        }
        _ => from,
    };
    let start = usize::from(bytes.first() == Some(&b'-'));
    if bytes[start..].starts_with(b"0x") || bytes[start..].starts_with(b"0X") {
        return digits(start + 2, u8::is_ascii_hexdigit);
    }
    if bytes[start] == b'.' {
        let end = decimal(start + 1);
        // The reference reads no exponent here, and takes its letter.
        return end + usize::from(matches!(bytes.get(end), Some(b'e' | b'E')));
    }
    let whole = decimal(start);
    if bytes.get(whole) == Some(&b'.') { exponent(decimal(whole + 1)) } else { exponent(whole) }
}

/// The line that closes a heredoc: its offset and its length without the line break. Otherwise, where the name is if only
/// a line break is missing after it.
fn closing_line(text: &str, name: &str, least: usize) -> (Option<(usize, usize)>, Option<Span>) {
    let mut start = 0;
    loop {
        let end = memchr::memchr(b'\n', &text.as_bytes()[start..]).map(|len| start + len);
        let line = &text[start..end.unwrap_or(text.len())];
        let line = line.strip_suffix('\r').filter(|_| end.is_some()).unwrap_or(line);
        if line.len() >= least && closes(line, name) {
            return match end {
                Some(_) => (Some((start, line.trim_end_matches('\r').len())), None),
                None => (None, Some(Span::new(start as u32, (start + line.len()) as u32))),
            };
        }
        match end {
            Some(end) => start = end + 1,
            None => return (None, None),
        }
    }
}

/// Returns true for a line with only the name that closes a heredoc, and white space before it.
fn closes(line: &str, name: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '\u{b}', '\u{c}', '\r']);
    line.strip_prefix(name).is_some_and(|rest| rest.bytes().all(|byte| byte == b'\r'))
}
