//! Tokens of a text with errors, divided as in the reference. Our lexer repairs such a text, which the parser needs;
//! the formatter must treat it as the reference does. Specification: "Lexical Elements", "Template Expressions".

use memchr::{memchr, memchr3, memmem};

use super::class::Class;
use super::lines::Piece;

/// The construct that contains the current position.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// `${ … }` or `%{ … }`, with the number of braces open inside it.
    Sequence {
        braces: u32,
    },
    Quoted,
    /// A heredoc, and the position of the name that closes it.
    Heredoc {
        name: (usize, usize),
    },
}

/// Cuts a text. The last piece is the end of the text.
pub(super) fn pieces(bytes: &[u8]) -> Vec<Piece> {
    let mark = if bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
    let mut cut = Cut {
        bytes,
        at: mark,
        frames: Vec::new(),
        pieces: Vec::with_capacity(bytes.len() / 5 + 8),
        line_start: false,
        no_comment_end: false,
    };
    while cut.at < bytes.len() {
        match cut.frames.last() {
            None | Some(Frame::Sequence { .. }) => cut.code(),
            Some(Frame::Quoted) => cut.quoted(),
            Some(&Frame::Heredoc { name: (start, end) }) => cut.heredoc(start, end),
        }
    }
    cut.put(Class::Eof, 0);
    cut.pieces
}

struct Cut<'s> {
    bytes: &'s [u8],
    at: usize,
    frames: Vec<Frame>,
    pieces: Vec<Piece>,
    /// True if a line of a heredoc begins here.
    line_start: bool,
    /// True if no further inline comment is closed.
    no_comment_end: bool,
}

impl Cut<'_> {
    fn put(&mut self, class: Class, len: usize) {
        let (start, end) = (self.at as u32, (self.at + len) as u32);
        self.pieces.push(Piece { class, start, end });
        self.at += len;
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// The character at a position, with its length, or `None` if the bytes are not UTF-8.
    fn character(&self, at: usize) -> Option<(char, usize)> {
        let rest = &self.bytes[at..self.bytes.len().min(at + 4)];
        let valid = rest.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        valid.chars().next().map(|character| (character, character.len_utf8()))
    }

    /// The end of the identifier that begins at a position, or the position itself if there is none.
    fn identifier_end(&self, start: usize) -> usize {
        let mut at = start;
        while let Some((character, len)) = self.character(at) {
            let fits = if at == start {
                character == '_' || unicode_ident::is_xid_start(character)
            } else {
                character == '-' || unicode_ident::is_xid_continue(character)
            };
            if !fits {
                break;
            }
            at += len;
        }
        at
    }

    /// One token of code.
    fn code(&mut self) {
        let rest = &self.bytes[self.at..];
        let (class, len) = match rest {
            [b' ' | b'\t', ..] => {
                self.at += 1;
                return;
            }
            [b'\n', ..] => (Class::Newline, 1),
            [b'\r', b'\n', ..] => (Class::Newline, 2),
            [b'"', ..] => {
                self.frames.push(Frame::Quoted);
                (Class::OpenQuote, 1)
            }
            [b'#', ..] | [b'/', b'/', ..] => {
                let end = memchr(b'\n', rest);
                let len = end.map_or(rest.len(), |end| end - usize::from(rest[end - 1] == b'\r'));
                (Class::LineComment, len)
            }
            [b'/', b'*', ..] if !self.no_comment_end => {
                if let Some(len) = memmem::find(&rest[2..], b"*/") {
                    (Class::InlineComment, len + 4)
                } else {
                    self.no_comment_end = true;
                    (Class::Operator, 1)
                }
            }
            [b'<', b'<', ..] => match self.heredoc_opening() {
                Some(len) => (Class::OpenHeredoc, len),
                None => (Class::Operator, 1),
            },
            [b'{', ..] => {
                if let Some(Frame::Sequence { braces }) = self.frames.last_mut() {
                    *braces += 1;
                }
                (Class::OpenBrace, 1)
            }
            [b'}', ..] => (if self.close_brace() { Class::CloseSequence } else { Class::CloseBrace }, 1),
            [b'~', b'}', ..] => {
                self.close_brace();
                (Class::CloseSequence, 2)
            }
            [b'.', b'.', b'.', ..] => (Class::Ellipsis, 3),
            [b'=', b'>', ..] => (Class::Other, 2),
            [b'=' | b'!' | b'<' | b'>', b'=', ..] | [b'&', b'&', ..] | [b'|', b'|', ..] => {
                (Class::Operator, 2)
            }
            [b':', b':', ..] => (Class::DoubleColon, 2),
            [b'0'..=b'9', ..] => (Class::Number, self.number_len()),
            [byte, ..] => {
                let class = match byte {
                    b'=' => Class::Equal,
                    b'.' => Class::Dot,
                    b',' => Class::Comma,
                    b'[' => Class::OpenBracket,
                    b']' => Class::CloseBracket,
                    b'(' => Class::OpenParen,
                    b')' => Class::CloseParen,
                    b'!' => Class::Bang,
                    b'-' => Class::Minus,
                    b'<' | b'>' | b'+' | b'*' | b'/' | b'%' | b':' | b'?' => Class::Operator,
                    _ => Class::Other,
                };
                match (class, self.identifier_end(self.at) - self.at) {
                    (Class::Other, 0) => (class, self.character(self.at).map_or(1, |(_, len)| len)),
                    (Class::Other, len) => (Class::Name, len),
                    _ => (class, 1),
                }
            }
            [] => return,
        };
        self.put(class, len);
    }

    /// Counts a closing brace. Returns true if it ends a sequence.
    fn close_brace(&mut self) -> bool {
        match self.frames.last_mut() {
            Some(Frame::Sequence { braces: 0 }) => {
                self.frames.pop();
                true
            }
            Some(Frame::Sequence { braces }) => {
                *braces -= 1;
                false
            }
            _ => false,
        }
    }

    fn number_len(&self) -> usize {
        let mut at = self.at;
        let mut end = at;
        loop {
            match self.byte(at) {
                b'0'..=b'9' => {
                    at += 1;
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
        end - self.at
    }

    /// `("<<" | "<<-") Identifier Newline`: opens a heredoc if one begins here, and returns the length of its first line.
    fn heredoc_opening(&mut self) -> Option<usize> {
        let name = self.at + 2 + usize::from(self.byte(self.at + 2) == b'-');
        let end = self.identifier_end(name);
        let line_break = match (self.byte(end), self.byte(end + 1)) {
            (b'\n', _) => 1,
            (b'\r', b'\n') => 2,
            _ => return None,
        };
        if end == name {
            return None;
        }
        self.frames.push(Frame::Heredoc { name: (name, end) });
        self.line_start = true;
        Some(end + line_break - self.at)
    }

    /// The opening of a sequence, if there is one here.
    fn sequence(&mut self) -> bool {
        let is_open = matches!(self.byte(self.at), b'$' | b'%') && self.byte(self.at + 1) == b'{';
        if is_open {
            let strip = self.byte(self.at + 2) == b'~';
            self.put(Class::OpenSequence, 2 + usize::from(strip));
            self.frames.push(Frame::Sequence { braces: 0 });
        }
        is_open
    }

    /// One token of a quoted template.
    fn quoted(&mut self) {
        if self.sequence() {
            return;
        }
        match self.byte(self.at) {
            b'"' => {
                self.frames.pop();
                self.put(Class::CloseQuote, 1);
            }
            b'\n' | b'\r' => {
                let rest = &self.bytes[self.at..];
                let len = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
                self.put(Class::Other, len);
            }
            b'\\' if !self.is_escape(self.at) => self.put(Class::Other, 1),
            b'$' | b'%' if self.at + 1 == self.bytes.len() => self.put(Class::Other, 1),
            _ if self.character(self.at).is_none() => self.put(Class::Other, 1),
            _ => {
                let end = self.quoted_text_end();
                self.put(Class::Text, end - self.at);
            }
        }
    }

    /// Returns true if a backslash is followed by a character that it can escape.
    fn is_escape(&self, at: usize) -> bool {
        !matches!(self.byte(at + 1), b'\n' | b'\r')
            && at + 1 < self.bytes.len()
            && self.character(at + 1).is_some()
    }

    fn quoted_text_end(&self) -> usize {
        let mut at = self.at;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'"' | b'\n' | b'\r' => break,
                b'\\' => {
                    if !self.is_escape(at) {
                        break;
                    }
                    at += 1 + self.character(at + 1).map_or(1, |(_, len)| len);
                }
                b'$' | b'%' => match self.literal_mark(at) {
                    0 => break,
                    len => at += len,
                },
                ..0x80 => at += 1,
                _ => match self.character(at) {
                    Some((_, len)) => at += len,
                    None => break,
                },
            }
        }
        at
    }

    /// The length of `$${` or `%%{` at `at`, 0 if a sequence opens there, and otherwise 1.
    fn literal_mark(&self, at: usize) -> usize {
        let mark = self.byte(at);
        match (self.byte(at + 1), self.byte(at + 2)) {
            (b'{', _) => 0,
            (next, b'{') if next == mark => 3,
            _ => 1,
        }
    }

    /// One token of a heredoc with this name.
    fn heredoc(&mut self, name_start: usize, name_end: usize) {
        let rest = &self.bytes[self.at..];
        if std::mem::take(&mut self.line_start)
            && let Some(end) = memchr(b'\n', rest)
            && is_name(&rest[..end], &self.bytes[name_start..name_end])
        {
            self.frames.pop();
            let len = end - usize::from(end > 0 && rest[end - 1] == b'\r');
            return self.put(Class::CloseHeredoc, len);
        }
        if self.sequence() {
            return;
        }
        if self.character(self.at).is_none() || matches!(rest, [b'$' | b'%']) {
            return self.put(Class::Other, 1);
        }
        if rest[0] == b'\r' && self.byte(self.at + 1) != b'\n' {
            // Nothing after it is read.
            self.frames.clear();
            return self.put(Class::Other, rest.len());
        }
        let mut at = self.at;
        while at < self.bytes.len() {
            let Some(found) = memchr3(b'\n', b'$', b'%', &self.bytes[at..]) else {
                at = self.bytes.len();
                break;
            };
            at += found;
            if self.bytes[at] == b'\n' {
                at += 1;
                self.line_start = true;
                break;
            }
            match self.literal_mark(at) {
                0 => break,
                len => at += len,
            }
        }
        let text = &self.bytes[self.at..at];
        let valid = text.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
        let returns = memchr::memchr_iter(b'\r', text).find(|&found| text.get(found + 1) != Some(&b'\n'));
        let len = valid.min(returns.unwrap_or(text.len()));
        self.line_start &= len == text.len();
        self.put(Class::Text, len);
    }
}

/// Returns true if a line contains only a name and blanks. A lone carriage return is not a blank.
fn is_name(line: &[u8], name: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    !line.contains(&b'\r') && std::str::from_utf8(line).is_ok_and(|line| line.trim().as_bytes() == name)
}
