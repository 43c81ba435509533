//! Strings: their end, escape sequences and errors. RFC 8259, section 7.

use super::node::{Form, Kind};
use super::parser::{Parser, is_blank};
use crate::messages::json as messages;
use crate::messages::{fix, related};
use crate::{Code, Diagnostic, Edit, Fix, Span};

/// An escape sequence, valid or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// A character that is written in `len` bytes.
    Character { len: u32, character: char },
    /// `\uNNNN` that is half of a surrogate pair without the other half.
    Lone,
    /// An invalid sequence, of which `len` bytes are reported.
    Invalid { len: u32 },
}

/// Parses the escape sequence at the backslash at the start of `bytes`.
pub(super) fn escape_at(bytes: &[u8]) -> Escape {
    let simple = |character| Escape::Character { len: 2, character };
    match bytes.get(1) {
        Some(b'"') => simple('"'),
        Some(b'\\') => simple('\\'),
        Some(b'/') => simple('/'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'u') => match unit(bytes) {
            Ok(high @ 0xd800..0xdc00) => match bytes.get(6..).map(unit) {
                Some(Ok(low @ 0xdc00..0xe000)) => {
                    let character = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    char::from_u32(character)
                        .map_or(Escape::Lone, |character| Escape::Character { len: 12, character })
                }
                _ => Escape::Lone,
            },
            Ok(unit) => {
                char::from_u32(unit).map_or(Escape::Lone, |character| Escape::Character { len: 6, character })
            }
            Err(len) => Escape::Invalid { len },
        },
        Some(byte) if byte.is_ascii() && *byte >= b' ' => Escape::Invalid { len: 2 },
        _ => Escape::Invalid { len: 1 },
    }
}

/// Returns the number of `\uNNNN`, or the number of bytes that look like it.
fn unit(bytes: &[u8]) -> Result<u32, u32> {
    if !bytes.starts_with(b"\\u") {
        return Err(1);
    }
    let mut unit = 0;
    for at in 2..6 {
        match bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16)) {
            Some(digit) => unit = unit * 16 + digit,
            None => return Err(at as u32),
        }
    }
    Ok(unit)
}

/// The bytes that need no escape: all except quotes, backslashes and control characters.
const INSIDE: [bool; 256] = {
    let mut table = [true; 256];
    let mut control = 0;
    while control < b' ' {
        table[control as usize] = false;
        control += 1;
    }
    table[b'"' as usize] = false;
    table[b'\\' as usize] = false;
    table
};

impl Parser<'_> {
    /// `string = quotation-mark *char quotation-mark`
    #[inline]
    pub(super) fn string(&mut self, kind: Kind) {
        let start = self.pos;
        let mut at = start + 1;
        while INSIDE[usize::from(self.byte(at))] {
            at += 1;
        }
        if self.byte(at) == b'"' {
            self.pos = at + 1;
            self.push(kind, start, at + 1);
        } else {
            self.encoded_string(kind, at);
        }
    }

    /// Reads the rest of a string from its first byte that is not plain.
    #[cold]
    fn encoded_string(&mut self, kind: Kind, from: usize) {
        let (start, mut at) = (self.pos, from);
        // Control characters, each including a backslash before it.
        let mut controls: Vec<Span> = Vec::new();
        let mut bad_bytes = None;
        let mut closed_at = 0;
        let form = loop {
            match self.byte(at) {
                b'"' => break Form::Encoded,
                // These are reported separately.
                b'\\' if self.byte(at + 1) < b' ' && !self.is_invalid(at + 1) => at += 1,
                b'\\' => at += self.escape(at),
                0 if at >= self.bytes.len() => break Form::Unclosed,
                b'\n' | b'\r' if at >= closed_at => match self.closed_below(at) {
                    Some(quote) => closed_at = quote,
                    None => break Form::Unclosed,
                },
                byte if INSIDE[usize::from(byte)] => at += 1,
                _ if self.is_invalid(at) => {
                    bad_bytes.get_or_insert(at);
                    at += 1;
                }
                _ => {
                    let escaped = self.byte(at - 1) == b'\\'
                        && controls.last().is_none_or(|last| (last.end as usize) < at);
                    controls.push(Span::new((at - usize::from(escaped)) as u32, at as u32 + 1));
                    at += 1;
                }
            }
        };
        if let Some(bad) = bad_bytes {
            let mut end = bad;
            while self.is_invalid(end) {
                end += 1;
            }
            self.warning(Code::InvalidEncoding, Span::new(bad as u32, end as u32), || {
                messages::INVALID_UTF8.into()
            });
        }
        self.control_characters(&controls);
        if form == Form::Encoded {
            self.pos = at + 1;
            self.push_text(kind, start, at + 1, form);
        } else {
            self.unclosed_string(kind, at);
        }
    }

    /// Returns the next quote after a line break, if it closes the string with the line break, judging by what follows
    /// the quote.
    fn closed_below(&self, line_break: usize) -> Option<usize> {
        let quote = line_break + memchr::memchr2(b'"', b'\\', &self.bytes[line_break..])?;
        let mut next = quote + 1;
        while is_blank(self.byte(next)) {
            next += 1;
        }
        let closes = self.byte(quote) == b'"' && matches!(self.byte(next), b',' | b'}' | b']' | b':');
        closes.then_some(quote)
    }

    /// Reports a string that is not closed on its line. It ends at the end of the line, before the separator.
    fn unclosed_string(&mut self, kind: Kind, at: usize) {
        let start = self.pos;
        let mut end = at;
        while end > start + 1 && matches!(self.byte(end - 1), b' ' | b'\t' | b',' | b':' | b'}' | b']') {
            end -= 1;
        }
        let opened = Span::new(start as u32, start as u32 + 1);
        let subject = Span::new(at as u32, (at + 1).min(self.bytes.len()) as u32);
        let fixable = kind == Kind::String && at < self.bytes.len() && self.byte(end - 1) != b'\\';
        self.error(|| {
            let detail = messages::UNCLOSED_STRING;
            let diagnostic = Diagnostic::error(Code::JsonUnclosedString)
                .at(subject)
                .with_note(detail)
                .with_related_span(opened, related::STRING_STARTS_HERE);
            if fixable {
                diagnostic.with_edit(fix::CLOSE_STRING, Span::empty(end as u32), "\"")
            } else {
                diagnostic
            }
        });
        self.doubt();
        self.pos = end;
        self.push_text(kind, start, end, Form::Unclosed);
    }

    /// Checks an escape sequence and returns its length in bytes.
    fn escape(&mut self, at: usize) -> usize {
        let start = at as u32;
        match escape_at(&self.bytes[at..]) {
            Escape::Character { len, .. } => len as usize,
            Escape::Lone => {
                self.warning(Code::JsonLoneSurrogate, Span::new(start, start + 6), || {
                    messages::LONE_SURROGATE.into()
                });
                6
            }
            Escape::Invalid { len } => {
                let subject = Span::new(start, start + len);
                let text = self.slice(subject);
                self.error(|| invalid_escape(subject, text));
                len as usize
            }
        }
    }

    /// Reports the control characters of a string as one error.
    fn control_characters(&mut self, controls: &[Span]) {
        let Some(first) = controls.first().map(|first| first.end - 1) else { return };
        let edit =
            |&span: &Span| Edit { span, replacement: escaped(self.byte(span.end as usize - 1)).into() };
        let edits: Vec<Edit> = controls.iter().map(edit).collect();
        let byte = self.byte(first as usize);
        // CR LF is one line break, within which no position is in a line.
        let is_crlf = byte == b'\r' && self.byte(first as usize + 1) == b'\n';
        let subject = Span::new(first, first + 1 + u32::from(is_crlf));
        self.error(|| {
            let escape = if is_crlf { "\\r\\n".to_owned() } else { escaped(byte) };
            let detail = messages::unescaped_control_character(byte, escape);
            Diagnostic::error(Code::JsonControlCharacter)
                .at(subject)
                .with_note(detail)
                .with_fix(Fix::new(fix::USE_ESCAPE_SEQUENCES, edits))
        });
    }

    /// Reads a string in other quotes, if it ends on the same line. Returns false otherwise.
    #[cold]
    pub(super) fn other_string(&mut self, kind: Kind) -> bool {
        let start = self.pos;
        let rest = &self.text[start..];
        let Some((open, close)) = rest.chars().next().and_then(other_quotes) else { return false };
        let inside = open.len_utf8();
        let subject = Span::new(start as u32, (start + inside) as u32);
        let detail = match open {
            '\'' => messages::SINGLE_QUOTES,
            '`' => messages::BACKTICKS,
            _ => messages::CURLY_QUOTES,
        };
        let diagnostic = Diagnostic::error(Code::JsonWrongQuotes).at(subject).with_note(detail);
        // Stop at the first candidate, so that no text is searched twice.
        let found = rest[inside..].find([open, close, '\n', '\r']).map(|at| inside + at);
        let Some(at) = found.filter(|&at| rest[at..].starts_with(close)) else {
            self.error(|| diagnostic);
            return false;
        };
        let end = start + at + close.len_utf8();
        let closing = Span::new((start + at) as u32, end as u32);
        let fixable = (kind == Kind::Name || !self.open.is_empty())
            && !rest[inside..at].contains(|c: char| matches!(c, '"' | '\\') || c < ' ');
        self.error(|| {
            let edits = [subject, closing].map(|span| Edit { span, replacement: "\"".into() });
            if fixable { diagnostic.with_fix(Fix::new(fix::USE_DOUBLE_QUOTES, edits)) } else { diagnostic }
        });
        self.pos = end;
        self.push_text(kind, start, end, Form::OtherQuotes);
        true
    }

    fn warning(
        &mut self,
        code: Code,
        subject: Span,
        detail: impl FnOnce() -> std::borrow::Cow<'static, str>,
    ) {
        self.findings.push(Diagnostic::warning(code).at(subject).with_note(detail()));
    }
}

/// Quotes of other languages and of word processors, with the closing quote.
fn other_quotes(open: char) -> Option<(char, char)> {
    let close = match open {
        '\'' | '`' => open,
        '“' | '”' => '”',
        '„' => '“',
        '‘' => '’',
        '«' => '»',
        _ => return None,
    };
    Some((open, close))
}

/// The escape sequence for a control character.
fn escaped(control: u8) -> String {
    match control {
        b'\n' => "\\n".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\t' => "\\t".to_owned(),
        _ => format!("\\u{control:04x}"),
    }
}

fn invalid_escape(subject: Span, text: &str) -> Diagnostic {
    let detail = match text {
        "\\" => messages::LONE_BACKSLASH.to_owned(),
        "\\U" => messages::LONG_UNICODE_ESCAPE.to_owned(),
        "\\'" => messages::ESCAPED_SINGLE_QUOTE.to_owned(),
        _ if text.starts_with("\\u") => messages::short_unicode_escape(text),
        _ => messages::unknown_escape(text),
    };
    let diagnostic = Diagnostic::error(Code::JsonInvalidEscape).at(subject).with_note(detail);
    match text {
        "\\'" => diagnostic.with_edit(fix::REMOVE_BACKSLASH, Span::new(subject.start, subject.start + 1), ""),
        _ if text.starts_with("\\u") => diagnostic,
        _ => diagnostic.with_edit(fix::DOUBLE_BACKSLASH, Span::empty(subject.start), "\\"),
    }
}
