//! The lexer: splits text into tokens in one pass, with a stack of nested templates and expressions. Specification:
//! "Lexical Elements", "Template Expressions". Templates are in `lexer/template.rs`, heredocs in `lexer/heredoc.rs`,
//! invalid characters in `lexer/wrong.rs`.

mod heredoc;
mod template;
mod wrong;
mod wrong_string;

pub(crate) use wrong::meant as wrong_meaning;

use hclkit_limits::{Exceeded, Meter};

use crate::Diagnostics;
use crate::messages::lexical as messages;
use crate::token::{TokenKind, Tokens};
use crate::{Code, Diagnostic, Source, Span};

/// How to read the whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LexMode {
    /// As configuration or an expression.
    Normal,
    /// As a template.
    Template,
}

/// A construct that contains the current position.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// `${ … }` or `%{ … }`, with the number of open braces inside.
    Sequence { braces: u32 },
    /// A quoted template: where it begins, and whether its text continues over line breaks (which is reported).
    Quoted { open: u32, over_lines: bool },
    /// A heredoc and the span of the name that closes it.
    Heredoc { marker: Span, at_line_start: bool },
}

pub(crate) struct Lexer<'s> {
    text: &'s str,
    bytes: &'s [u8],
    /// The spans of bytes that are not UTF-8.
    invalid: &'s [Span],
    /// The bytes up to the next check of the limits.
    window: &'s [u8],
    pos: usize,
    tokens: Tokens,
    frames: Vec<Frame>,
    diagnostics: Diagnostics,
    /// There is no closing quote before this offset: a search from an earlier quote has shown that.
    no_quote_before: usize,
    /// How often the lexer went back to end an unclosed heredoc.
    heredocs_retried: u32,
    /// Up to this offset, whether a string that is not closed on its line continues on the next line.
    goes_on: (usize, bool),
}

/// The number of bytes between two checks of the limits.
const BETWEEN_LOOKS: usize = 1 << 18;

/// Returns a single error if the input is not UTF-8 text at all.
pub(crate) fn not_text(source: &Source) -> Option<Diagnostic> {
    let bytes = source.bytes();
    let first = Span::new(0, source.text().chars().next()?.len_utf8() as u32);
    let zeros = memchr::memchr_iter(0, bytes).count();
    // In plain text as UTF-16, every second byte is zero.
    let mark = matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    let detail = if bytes.starts_with(b"\0GITCRYPT\0") {
        messages::GIT_CRYPT
    } else if mark || zeros * 5 > bytes.len() * 2 && zeros * 2 <= bytes.len() {
        messages::UTF16
    } else if zeros > 0 && !source.invalid().is_empty() {
        messages::NOT_UTF8
    } else {
        return None;
    };
    Some(Diagnostic::error(Code::InvalidEncoding).at(first).with_note(detail))
}

impl Tokens {
    /// The tokens of a source that is a configuration or an expression, without a tree: enough to highlight it.
    ///
    /// ```
    /// use hclkit_syntax::{Source, TokenKind, Tokens};
    /// let tokens = Tokens::of(&Source::new("", "a = 1"));
    /// assert_eq!(tokens.kind(1), TokenKind::Equal);
    /// ```
    pub fn of(source: &Source) -> Self {
        lex(source, LexMode::Normal, &Meter::current()).0
    }
}

/// Returns the tokens of a source and the lexical errors. If a limit is exceeded, the tokens end early, at the returned
/// offset.
pub(crate) fn lex(
    source: &Source,
    mode: LexMode,
    meter: &Meter,
) -> (Tokens, Diagnostics, Option<(u32, Exceeded)>) {
    let text = source.text();
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        invalid: source.invalid(),
        window: &[],
        pos: source.mark_len(),
        tokens: Tokens::for_text_of(text.len()),
        frames: Vec::new(),
        diagnostics: Diagnostics::default(),
        no_quote_before: 0,
        heredocs_retried: 0,
        goes_on: (0, false),
    };
    let ended = source.check_size(meter).and_then(|()| lexer.run(mode, meter));
    let unread = ended.err().map(|exceeded| (lexer.pos as u32, exceeded));
    lexer.tokens.push(TokenKind::Eof, text.len(), text.len());
    lexer.report_invalid_bytes();
    if !lexer.diagnostics.is_empty() || unread.is_some() {
        lexer.tokens.doubt();
    }
    if text.len() > 1 << 16 {
        lexer.tokens.shrink();
    }
    (lexer.tokens, lexer.diagnostics, unread)
}

/// Classes of bytes, for the two inner loops.
const BLANK: u8 = 1;
const IDENT: u8 = 2;
const DIGIT: u8 = 4;
/// Bytes that can be more than literal text inside quotes.
const QUOTED_SPECIAL: u8 = 8;

static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' => BLANK,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'-' => IDENT,
            b'0'..=b'9' => IDENT | DIGIT,
            b'"' | b'\\' | b'$' | b'%' | b'\n' | b'\r' => QUOTED_SPECIAL,
            _ => 0,
        };
        byte += 1;
    }
    table
};

impl Lexer<'_> {
    fn run(&mut self, mode: LexMode, meter: &Meter) -> Result<(), Exceeded> {
        loop {
            if self.pos >= self.window.len() {
                meter.look()?;
                self.window = &self.bytes[..self.bytes.len().min(self.pos + BETWEEN_LOOKS)];
            }
            let before = (self.pos, self.frames.len());
            match self.frames.last() {
                None if mode == LexMode::Template => self.bare_template(),
                None | Some(Frame::Sequence { .. }) => self.code(),
                Some(&Frame::Quoted { over_lines, .. }) => self.quoted_template(over_lines),
                Some(&Frame::Heredoc { marker, at_line_start }) => self.heredoc(marker, at_line_start),
            }
            if self.pos >= self.bytes.len() {
                match self.frames.last() {
                    Some(&Frame::Quoted { open, .. }) => self.report_unclosed_quote(open as usize, self.pos),
                    Some(&Frame::Heredoc { marker, .. }) => self.unclosed_heredoc(marker),
                    _ => {}
                }
                if self.pos >= self.bytes.len() {
                    return Ok(());
                }
                continue;
            }
            debug_assert_ne!(before, (self.pos, self.frames.len()), "the lexer must make progress");
        }
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn emit(&mut self, kind: TokenKind, len: usize) {
        self.tokens.push(kind, self.pos, self.pos + len);
        self.pos += len;
    }

    /// The end of the run of bytes of `class` that begins at `at`.
    #[inline]
    fn run_of(&self, class: u8, mut at: usize) -> usize {
        while let Some(&byte) = self.bytes.get(at)
            && CLASS[byte as usize] & class != 0
        {
            at += 1;
        }
        at
    }

    /// Reads tokens of the structural and expression languages, up to the end of the text or to where a template begins
    /// or continues.
    #[inline(never)]
    fn code(&mut self) {
        use TokenKind as T;
        let window = self.window;
        let mut at = self.pos;
        loop {
            while let Some(b' ' | b'\t') = window.get(at) {
                at += 1;
            }
            let Some(&byte) = window.get(at) else {
                self.pos = at;
                return;
            };
            let next = || self.bytes.get(at + 1).copied();
            let (kind, len) = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => (T::Identifier, self.identifier_end(at) - at),
                b'\n' => (T::Newline, 1),
                b'=' => match next() {
                    Some(b'=') => (T::EqualEqual, 2),
                    Some(b'>') => (T::FatArrow, 2),
                    _ => (T::Equal, 1),
                },
                b'"' => {
                    if let Some(len) = self.plain_string(at) {
                        (T::String, len)
                    } else {
                        self.pos = at;
                        self.quote();
                        if matches!(self.frames.last(), Some(Frame::Quoted { .. })) {
                            return;
                        }
                        at = self.pos;
                        continue;
                    }
                }
                b'0'..=b'9' => (T::Number, self.number_end(at) - at),
                b'{' => {
                    if let Some(Frame::Sequence { braces }) = self.frames.last_mut() {
                        *braces += 1;
                    }
                    (T::OpenBrace, 1)
                }
                b'}' => match self.frames.last_mut() {
                    Some(Frame::Sequence { braces: 0 }) => {
                        self.frames.pop();
                        self.pos = at;
                        return self.emit(T::CloseSequence, 1);
                    }
                    Some(Frame::Sequence { braces }) => {
                        *braces -= 1;
                        (T::CloseBrace, 1)
                    }
                    _ => (T::CloseBrace, 1),
                },
                b'.' if self.bytes[at..].starts_with(b"...") => (T::Ellipsis, 3),
                b'.' => (T::Dot, 1),
                b',' => (T::Comma, 1),
                b'[' => (T::OpenBracket, 1),
                b']' => (T::CloseBracket, 1),
                b'(' => (T::OpenParen, 1),
                b')' => (T::CloseParen, 1),
                b'#' => (T::LineComment, self.line_end(at) - at),
                b'/' if next() == Some(b'/') => (T::LineComment, self.line_end(at) - at),
                b'\r' if next() == Some(b'\n') => (T::Newline, 2),
                b'<' if next() == Some(b'=') => (T::LessEqual, 2),
                b'<' if next() != Some(b'<') => (T::Less, 1),
                b'>' if next() == Some(b'=') => (T::GreaterEqual, 2),
                b'>' => (T::Greater, 1),
                b'!' if next() == Some(b'=') => (T::BangEqual, 2),
                b'!' => (T::Bang, 1),
                b'&' if next() == Some(b'&') => (T::AndAnd, 2),
                b'|' if next() == Some(b'|') => (T::OrOr, 2),
                b':' if next() == Some(b':') => (T::DoubleColon, 2),
                b':' => (T::Colon, 1),
                b'?' => (T::Question, 1),
                b'+' => (T::Plus, 1),
                b'-' => (T::Minus, 1),
                b'*' => (T::Star, 1),
                b'/' if next() != Some(b'*') => (T::Slash, 1),
                b'%' => (T::Percent, 1),
                _ => {
                    self.pos = at;
                    if self.rare(byte) {
                        return;
                    }
                    at = self.pos;
                    continue;
                }
            };
            self.tokens.push(kind, at, at + len);
            at += len;
        }
    }

    /// Reads a token that is not in every file, or an invalid character. Returns true if a template begins or continues
    /// after it.
    #[inline(never)]
    fn rare(&mut self, byte: u8) -> bool {
        use TokenKind as T;
        match byte {
            // `/*`
            b'/' => self.inline_comment(),
            // `<<`
            b'<' if self.compares_heredoc() => {
                self.emit(T::Less, 1);
                return self.heredoc_or_operators();
            }
            b'<' => return self.open_heredoc(),
            b'~' if self.byte(self.pos + 1) == b'}' => match self.frames.last_mut() {
                Some(Frame::Sequence { braces: 0 }) => {
                    self.frames.pop();
                    self.emit(T::CloseSequenceStrip, 2);
                    return true;
                }
                // A strip marker outside of any sequence: the parser reports it.
                frame => {
                    if let Some(Frame::Sequence { braces }) = frame {
                        *braces -= 1;
                    }
                    self.emit(T::CloseSequenceStrip, 2);
                }
            },
            0x80.. if self.starts_identifier(self.pos) => {
                let end = self.identifier_end(self.pos);
                self.emit(T::Identifier, end - self.pos);
            }
            _ => self.wrong_character(),
        }
        false
    }

    /// `Identifier = ID_Start (ID_Continue | '-')*;`, where an underscore is allowed at the start, too.
    #[inline]
    fn identifier_end(&self, start: usize) -> usize {
        let end = self.run_of(IDENT, start);
        if self.byte(end) < 0x80 { end } else { self.unicode_identifier_end(end) }
    }

    #[cold]
    fn unicode_identifier_end(&self, from: usize) -> usize {
        let rest = &self.text[from..];
        let part = |c: char| c == '-' || unicode_ident::is_xid_continue(c);
        from + rest.find(|c| !part(c)).unwrap_or(rest.len())
    }

    fn starts_identifier(&self, at: usize) -> bool {
        self.text[at..].chars().next().is_some_and(unicode_ident::is_xid_start)
    }

    /// `NumericLit = decimal+ ("." decimal+)? (expmark decimal+)?;`
    ///
    /// The token also includes what follows the number, so that `1.2.3` is one invalid number instead of three tokens.
    fn number_end(&self, start: usize) -> usize {
        let mut at = self.run_of(DIGIT, start);
        let mut end = at;
        loop {
            match self.byte(at) {
                b'0'..=b'9' => {
                    at = self.run_of(DIGIT, at);
                    end = at;
                }
                b'.' => at += 1,
                b'e' | b'E' => {
                    let digit = at + 1 + usize::from(matches!(self.byte(at + 1), b'+' | b'-'));
                    if !self.byte(digit).is_ascii_digit() {
                        break;
                    }
                    at = digit;
                }
                _ => break,
            }
        }
        end
    }

    /// Line comments "start with either the `//` or `#` sequences and end with the next newline sequence".
    fn line_end(&self, start: usize) -> usize {
        let rest = &self.bytes[start..];
        start + memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at - usize::from(rest[at - 1] == b'\r'))
    }

    /// Inline comments "start with the `/*` sequence and end with the `*/` sequence".
    fn inline_comment(&mut self) {
        let rest = &self.bytes[self.pos + 2..];
        if let Some(len) = memchr::memmem::find(rest, b"*/") {
            return self.emit(TokenKind::InlineComment, len + 4);
        }
        let open = Span::new(self.pos as u32, self.pos as u32 + 2);
        let detail = messages::UNCLOSED_COMMENT;
        self.diagnostics.push(Diagnostic::error(Code::UnclosedComment).at(open).with_note(detail));
        let len = self.bytes.len() - self.pos;
        self.emit(TokenKind::InlineComment, len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, String)> {
        let source = Source::new("test", text);
        let (tokens, ..) = lex(&source, LexMode::Normal, &Meter::current());
        tokens.iter().map(|token| (token.kind, source.slice(token.span).to_owned())).collect()
    }

    fn texts(text: &str) -> Vec<String> {
        kinds(text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn numbers_end_before_anything_but_digits() {
        assert_eq!(
            texts("1.2.3 1. 1... 1e5 1e 1e+5x"),
            ["1.2.3", "1", ".", "1", "...", "1e5", "1", "e", "1e+5", "x", ""]
        );
    }

    #[test]
    fn identifiers_can_contain_dashes_and_unicode() {
        assert_eq!(texts("foo-bar _a é-ü a·b"), ["foo-bar", "_a", "é-ü", "a·b", ""]);
    }

    #[test]
    fn braces_are_counted_inside_sequences() {
        use TokenKind as T;
        let found: Vec<_> = kinds("\"${{a={}}}\"").into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(
            found,
            [
                T::OpenQuote,
                T::OpenInterpolation,
                T::OpenBrace,
                T::Identifier,
                T::Equal,
                T::OpenBrace,
                T::CloseBrace,
                T::CloseBrace,
                T::CloseSequence,
                T::CloseQuote,
                T::Eof
            ]
        );
    }
}
