//! Lexing of templates: quoted strings with and without sequences, and whole sources that are templates. Heredocs are
//! in `lexer/heredoc.rs`, errors in strings in `lexer/wrong_string.rs`. Specification: "Template Expressions",
//! "Templates".

use super::{CLASS, Frame, IDENT, Lexer, QUOTED_SPECIAL};
use crate::messages::fix;
use crate::messages::lexical as messages;
use crate::token::TokenKind;
use crate::{Code, Diagnostic, Span};

/// Where a piece of literal text in quotes ends, and why.
enum Stop {
    /// Before the closing quote.
    Quote(usize),
    /// Before `${` or `%{`.
    Sequence(usize),
    /// Before a line break.
    Newline(usize),
    /// At the end of the text.
    End(usize),
}

/// The number of bytes before the first one that is [`QUOTED_SPECIAL`]; also stops at `#` and control characters. All
/// eight are compared at once, each in its part of a number.
#[inline]
fn plain_bytes(eight: [u8; 8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOP: u64 = 0x80 * EACH;
    let bytes = u64::from_le_bytes(eight);
    let ascii = bytes & !TOP;
    // The top bit of a byte is set if the rest is at least `low`.
    let at_least = |low: u64| ascii + (0x80 - low) * EACH;
    let marks = at_least(u64::from(b'"')) & !at_least(u64::from(b'%') + 1);
    let control = !at_least(0x10);
    let backslash = !((ascii ^ (u64::from(b'\\') * EACH)) + 0x7f * EACH);
    let special = (marks | control | backslash) & !bytes & TOP;
    (special.trailing_zeros() / 8) as usize
}

impl Lexer<'_> {
    /// The length of a string without sequences and escapes that begins at a quote in code.
    #[inline]
    pub(super) fn plain_string(&self, open: usize) -> Option<usize> {
        let end = self.special_from(open + 1);
        (self.byte(end) == b'"' && open >= self.no_quote_before).then(|| end + 1 - open)
    }

    /// Reads a quote in code: the whole string if it has no sequences, otherwise its opening quote and first text.
    #[inline(never)]
    pub(super) fn quote(&mut self) {
        let reported = self.diagnostics.mark();
        let open = self.pos;
        if open < self.no_quote_before && self.in_sequence_of_quoted() {
            return self.close_outer_quote();
        }
        let stop = self.quoted_text_end(open + 1, false);
        match stop {
            Stop::Quote(at) => self.emit(TokenKind::String, at + 1 - open),
            Stop::Sequence(_) => {
                self.emit(TokenKind::OpenQuote, 1);
                self.frames.push(Frame::Quoted { open: open as u32, over_lines: false });
                self.finish_quoted_text(&stop);
            }
            Stop::Newline(at) if !self.is_meant_to_close(open, at) && self.goes_on_over_lines(at) => {
                self.report_newline(open, at, true);
                match self.quoted_text_end(at, true) {
                    Stop::Quote(at) => self.emit(TokenKind::String, at + 1 - open),
                    stop => {
                        self.emit(TokenKind::OpenQuote, 1);
                        self.frames.push(Frame::Quoted { open: open as u32, over_lines: true });
                        self.finish_quoted_text(&stop);
                    }
                }
            }
            // An unclosed quote inside a sequence of a quoted template was meant to close that template.
            Stop::Newline(at) | Stop::End(at) if self.in_sequence_of_quoted() => {
                self.diagnostics.truncate(reported);
                self.no_quote_before = at;
                self.close_outer_quote();
            }
            Stop::Newline(at) => {
                let end = self.report_newline(open, at, false);
                self.emit(TokenKind::String, end - open);
            }
            Stop::End(at) => {
                self.report_unclosed_quote(open, at);
                self.emit(TokenKind::String, at - open);
            }
        }
    }

    fn close_outer_quote(&mut self) {
        // The parser reports the error.
        self.tokens.doubt();
        self.frames.truncate(self.frames.len() - 2);
        self.emit(TokenKind::CloseQuote, 1);
    }

    /// Reads the next piece of a quoted template with sequences.
    pub(super) fn quoted_template(&mut self, over_lines: bool) {
        let stop = self.quoted_text_end(self.pos, over_lines);
        self.finish_quoted_text(&stop);
    }

    fn finish_quoted_text(&mut self, stop: &Stop) {
        let (Stop::Quote(mut at) | Stop::Sequence(mut at) | Stop::Newline(mut at) | Stop::End(mut at)) =
            *stop;
        if let Stop::Newline(_) = stop {
            let over_lines = self.goes_on_over_lines(at);
            let mut end = at;
            if let Some(&Frame::Quoted { open, .. }) = self.frames.last() {
                end = self.report_newline(open as usize, at, over_lines).max(self.pos);
            }
            if over_lines {
                if let Some(Frame::Quoted { over_lines, .. }) = self.frames.last_mut() {
                    *over_lines = true;
                }
                let stop = self.quoted_text_end(at, true);
                return self.finish_quoted_text(&stop);
            }
            at = end;
        }
        if at > self.pos {
            self.emit(TokenKind::QuotedText, at - self.pos);
        }
        match stop {
            Stop::Quote(_) => {
                self.frames.pop();
                self.emit(TokenKind::CloseQuote, 1);
            }
            Stop::Sequence(_) => self.open_sequence(),
            Stop::Newline(_) => {
                // An empty closing quote keeps the tokens of the template balanced.
                self.frames.pop();
                self.emit(TokenKind::CloseQuote, 0);
            }
            Stop::End(_) => {
                if let Some(Frame::Quoted { open, .. }) = self.frames.pop() {
                    self.report_unclosed_quote(open as usize, at);
                }
                self.emit(TokenKind::CloseQuote, 0);
            }
        }
    }

    /// `("${" | "${~")` or `("%{" | "%{~")`.
    pub(super) fn open_sequence(&mut self) {
        let strip = self.byte(self.pos + 2) == b'~';
        let kind = match (self.byte(self.pos), strip) {
            (b'$', false) => TokenKind::OpenInterpolation,
            (b'$', true) => TokenKind::OpenInterpolationStrip,
            (_, false) => TokenKind::OpenDirective,
            (_, true) => TokenKind::OpenDirectiveStrip,
        };
        self.emit(kind, 2 + usize::from(strip));
        self.frames.push(Frame::Sequence { braces: 0 });
    }

    /// Returns the length of `$${` or `%%{` at `at`, 0 if a sequence opens there, and 1 otherwise.
    pub(super) fn literal_mark(&self, at: usize) -> usize {
        let mark = self.byte(at);
        if self.byte(at + 1) == b'{' {
            0
        } else if self.byte(at + 1) == mark && self.byte(at + 2) == b'{' {
            3
        } else {
            1
        }
    }

    /// The first byte from `at` on that can be more than literal text inside quotes.
    #[inline]
    fn special_from(&self, mut at: usize) -> usize {
        while let Some(eight) = self.bytes.get(at..).and_then(<[u8]>::first_chunk) {
            let plain = plain_bytes(*eight);
            at += plain;
            if plain < 8 {
                break;
            }
        }
        while let Some(&byte) = self.bytes.get(at)
            && CLASS[byte as usize] & QUOTED_SPECIAL == 0
        {
            at += 1;
        }
        at
    }

    fn quoted_text_end(&mut self, mut at: usize, over_lines: bool) -> Stop {
        loop {
            at = self.special_from(at);
            let Some(&byte) = self.bytes.get(at) else { return Stop::End(at) };
            match byte {
                b'"' => return Stop::Quote(at),
                b'\\' => at = self.escape(at),
                b'$' | b'%' => match self.literal_mark(at) {
                    0 => return Stop::Sequence(at),
                    len => at += len,
                },
                b'\r' if self.byte(at + 1) != b'\n' => {
                    self.diagnostics.push(super::wrong::carriage_return(at));
                    at += 1;
                }
                b'\n' | b'\r' if !over_lines => return Stop::Newline(at),
                _ => at += 1,
            }
        }
    }

    /// Checks the escape sequence that begins at `at`, and returns its end.
    fn escape(&mut self, at: usize) -> usize {
        let selector = self.byte(at + 1);
        let digits = match selector {
            b'n' | b'r' | b't' | b'"' | b'\\' => return at + 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        let span = |end: usize| Span::new(at as u32, end as u32);
        if digits == 0 {
            let Some(character) = self.text[at + 1..].chars().next() else { return at + 1 };
            if matches!(character, '\n' | '\r') {
                self.diagnostics.push(
                    Diagnostic::error(Code::InvalidEscape)
                        .at(span(at + 1))
                        .with_note(messages::ESCAPED_LINE_BREAK),
                );
                return at + 1;
            }
            let end = at + 1 + character.len_utf8();
            self.diagnostics.push(self.no_escape(character, at, span(end)));
            return end;
        }
        let rest = &self.bytes[at + 2..];
        let found = rest.iter().take(digits).take_while(|byte| byte.is_ascii_hexdigit()).count();
        let end = at + 2 + found;
        if found < digits {
            let selector = char::from(selector);
            let detail = messages::missing_hexadecimal_digits(selector, digits);
            let diagnostic = Diagnostic::error(Code::InvalidEscape).at(span(end)).with_note(detail);
            self.diagnostics.push(if found == 0 {
                diagnostic.with_edit(fix::DOUBLE_BACKSLASH, span(at + 1), "\\\\")
            } else {
                diagnostic
            });
        } else if u32::from_str_radix(&self.text[at + 2..end], 16).ok().and_then(char::from_u32).is_none() {
            let detail = messages::not_a_character(&self.text[at + 2..end]);
            self.diagnostics.push(Diagnostic::error(Code::InvalidEscape).at(span(end)).with_note(detail));
        }
        end
    }

    fn in_sequence_of_quoted(&self) -> bool {
        matches!(self.frames[..], [.., Frame::Quoted { .. }, Frame::Sequence { .. }])
    }

    /// Returns true if a quoted string with a line break at `at` is probably meant to continue: the next line with
    /// quotes has an odd number of them and does not read like an argument.
    fn goes_on_over_lines(&mut self, at: usize) -> bool {
        if at >= self.goes_on.0 {
            self.goes_on = self.next_line_with_quotes(at);
        }
        self.goes_on.1
    }

    /// Returns where the next line with quotes begins, and whether it has an odd number of them.
    fn next_line_with_quotes(&self, at: usize) -> (usize, bool) {
        let mut from = at;
        while let Some(line_break) = memchr::memchr(b'\n', &self.bytes[from..]) {
            let start = from + line_break + 1;
            let rest = &self.bytes[start..];
            let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
            let escaped = memchr::memmem::find_iter(line, "\\\"").count();
            let quotes = memchr::memchr_iter(b'"', line).count() - escaped;
            if quotes > 0 {
                let name = line.trim_ascii_start();
                let behind = name.iter().position(|&byte| CLASS[byte as usize] & IDENT == 0).unwrap_or(0);
                let is_argument = behind > 0 && name[behind..].trim_ascii_start().starts_with(b"=");
                return (start, quotes % 2 == 1 && !is_argument);
            }
            from = start;
        }
        (self.bytes.len(), false)
    }

    /// Reads text of a source that is one template.
    pub(super) fn bare_template(&mut self) {
        let mut at = self.pos;
        while let Some(mark) = memchr::memchr2(b'$', b'%', &self.bytes[at..]).map(|len| at + len) {
            match self.literal_mark(mark) {
                0 => {
                    self.emit_text(TokenKind::BareText, mark);
                    return self.open_sequence();
                }
                len => at = mark + len,
            }
        }
        self.emit_text(TokenKind::BareText, self.bytes.len());
    }

    /// Emits the text from here to `end`, unless it is empty.
    pub(super) fn emit_text(&mut self, kind: TokenKind, end: usize) {
        if end > self.pos {
            self.emit(kind, end - self.pos);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_bytes_are_found_among_eight() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                for other in [b'a', b'&', b'!', b' ', 0x7f, 0x80, 0xff] {
                    let mut eight = [other; 8];
                    eight[place] = byte;
                    let stops = CLASS[byte as usize] & QUOTED_SPECIAL != 0;
                    let may_stop = stops || byte == b'#' || byte < 0x10;
                    let expected = if may_stop { place } else { 8 };
                    assert_eq!(plain_bytes(eight), expected, "{byte} at {place} among {other}");
                }
            }
        }
    }
}
