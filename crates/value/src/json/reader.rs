//! A pull reader for JSON text: callers request what they expect next.

use std::borrow::Cow;
use std::fmt;

use hclkit_limits::Meter;

use super::DEPTH_LIMIT;
use crate::Str;
use crate::error::Error;

pub(crate) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
}

/// What comes next in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Object,
    Array,
    String,
    Number,
    True,
    False,
    Null,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Reader { text, at: 0, depth: 0 }
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    fn wrong(&self, what: impl fmt::Display) -> Error {
        Error::new(format!("not valid JSON at byte {}: {what}", self.at))
    }

    /// The error that something else, or the end of the text, was found.
    #[cold]
    fn expected(&self, what: impl fmt::Display) -> Error {
        let rest = &self.text[self.at..];
        let character = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        match character {
            Some(found) => self.wrong(format_args!("expected {what}, found `{}`", found.escape_debug())),
            None if rest.is_empty() => self.wrong(format_args!("expected {what}, found the end of the text")),
            None => self.wrong(format_args!("expected {what}, found a byte that is not UTF-8")),
        }
    }

    pub(crate) fn peek(&mut self) -> Option<u8> {
        self.blank();
        self.text.get(self.at).copied()
    }

    pub(crate) fn next(&mut self) -> Result<Next, Error> {
        match self.peek() {
            Some(b'{') => Ok(Next::Object),
            Some(b'[') => Ok(Next::Array),
            Some(b'"') => Ok(Next::String),
            Some(b'-' | b'0'..=b'9') => Ok(Next::Number),
            Some(b't') => Ok(Next::True),
            Some(b'f') => Ok(Next::False),
            Some(b'n') => Ok(Next::Null),
            _ => Err(self.expected("a value")),
        }
    }

    /// Skips a literal that [`Reader::next`] returned.
    pub(crate) fn literal(&mut self, next: Next) -> Result<(), Error> {
        let word = match next {
            Next::True => "true",
            Next::False => "false",
            _ => "null",
        };
        if !self.text[self.at..].starts_with(word.as_bytes()) {
            let from = self.at;
            while self.text.get(self.at).is_some_and(|byte| word.as_bytes().get(self.at - from) == Some(byte))
            {
                self.at += 1;
            }
            return Err(self.expected(format_args!("`{word}`")));
        }
        self.at += word.len();
        Ok(())
    }

    /// Enters an array or object. Callers read it to its end.
    pub(crate) fn open(&mut self) -> Result<(), Error> {
        self.at += 1;
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(Error::new(format!("nested deeper than {DEPTH_LIMIT} levels")));
        }
        // Collections count themselves, but do not stop.
        Ok(Meter::current().look()?)
    }

    /// Returns true if there is another element. Otherwise leaves the array.
    pub(crate) fn element(&mut self, first: bool) -> Result<bool, Error> {
        self.more(first, b']')
    }

    fn more(&mut self, first: bool, close: u8) -> Result<bool, Error> {
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                self.depth -= 1;
                Ok(false)
            }
            Some(b',') if !first => {
                self.at += 1;
                if self.peek() == Some(close) {
                    let what = if close == b'}' { "a key in quotes" } else { "a value" };
                    return Err(self.expected(format_args!("{what} after the comma")));
                }
                Ok(true)
            }
            Some(_) if first => Ok(true),
            _ if !first => Err(self.expected(format_args!("`,` or `{}`", close as char))),
            _ if close == b'}' => Err(self.expected("a key in quotes or `}`")),
            _ => Err(self.expected("a value or `]`")),
        }
    }

    /// Reads the next key, up to its value. At the end of the object, leaves it and returns `None`.
    pub(crate) fn key(&mut self, first: bool) -> Result<Option<Cow<'a, str>>, Error> {
        if !self.more(first, b'}')? {
            return Ok(None);
        }
        if self.peek() != Some(b'"') {
            return Err(self.expected(if first { "a key in quotes or `}`" } else { "a key in quotes" }));
        }
        let key = self.string()?;
        if self.peek() != Some(b':') {
            return Err(self.expected("`:` after the key"));
        }
        self.at += 1;
        Ok(Some(key))
    }

    /// Reads a number and returns its text.
    pub(crate) fn number(&mut self) -> Result<&'a str, Error> {
        let start = self.at;
        let digits = |reader: &mut Self| {
            let from = reader.at;
            while reader.text.get(reader.at).is_some_and(u8::is_ascii_digit) {
                reader.at += 1;
            }
            reader.at > from
        };
        if self.text.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        let zero = self.text.get(self.at) == Some(&b'0');
        let from = self.at;
        if !digits(self) || (zero && self.at > from + 1) {
            return Err(self.expected("a digit"));
        }
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            if !digits(self) {
                return Err(self.expected("a digit"));
            }
        }
        if let Some(b'e' | b'E') = self.text.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.text.get(self.at) {
                self.at += 1;
            }
            if !digits(self) {
                return Err(self.expected("a digit"));
            }
        }
        std::str::from_utf8(&self.text[start..self.at]).map_err(|_| self.expected("a number"))
    }

    /// Reads a string and returns its content. Bytes that are not UTF-8 become U+FFFD.
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, Error> {
        self.at += 1;
        let start = self.at;
        loop {
            match self.text.get(self.at) {
                Some(b'"') => {
                    let text = Str::decoded(&self.text[start..self.at]);
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => break,
                Some(0..0x20) => return Err(self.wrong("a control character in a string must be escaped")),
                Some(_) => self.at += 1,
                None => return Err(self.unclosed_string()),
            }
        }
        let mut bytes = self.text[start..self.at].to_vec();
        loop {
            match self.text.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(Str::decoded(&bytes).into_owned()));
                }
                Some(b'\\') => {
                    let escaped = self.escape()?;
                    bytes.extend_from_slice(escaped.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Some(0..0x20) => return Err(self.wrong("a control character in a string must be escaped")),
                Some(byte) => {
                    bytes.push(*byte);
                    self.at += 1;
                }
                None => return Err(self.unclosed_string()),
            }
        }
    }

    fn unclosed_string(&self) -> Error {
        Error::new(format!(
            "not valid JSON at byte {}: expected `\"` at the end of the string, found the end of the text",
            self.text.len()
        ))
    }

    fn escape(&mut self) -> Result<char, Error> {
        let kind = self.text.get(self.at + 1).copied();
        let plain = match kind {
            Some(c @ (b'"' | b'\\' | b'/')) => c as char,
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let first = self
                    .hex(self.at + 2)
                    .ok_or_else(|| self.wrong("expected four hexadecimal digits after `\\u`"))?;
                self.at += 6;
                if (0xd800..0xdc00).contains(&first)
                    && self.text[self.at..].starts_with(b"\\u")
                    && let Some(second @ 0xdc00..0xe000) = self.hex(self.at + 2)
                {
                    self.at += 6;
                    let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                    return Ok(char::from_u32(code).unwrap_or('\u{fffd}'));
                }
                return Ok(char::from_u32(first).unwrap_or('\u{fffd}'));
            }
            None => return Err(self.unclosed_string()),
            Some(_) => {
                return Err(self.wrong("expected one of `\"\\/bfnrtu` after the backslash in a string"));
            }
        };
        self.at += 2;
        Ok(plain)
    }

    fn hex(&self, at: usize) -> Option<u32> {
        let digits = self.text.get(at..at + 4)?;
        digits.iter().try_fold(0, |code, digit| Some(code * 16 + (*digit as char).to_digit(16)?))
    }

    /// Skips any value.
    pub(crate) fn skip(&mut self) -> Result<(), Error> {
        match self.next()? {
            Next::Object => {
                self.open()?;
                let mut first = true;
                while self.key(first)?.is_some() {
                    first = false;
                    self.skip()?;
                }
                Ok(())
            }
            Next::Array => {
                self.open()?;
                let mut first = true;
                while self.element(first)? {
                    first = false;
                    self.skip()?;
                }
                Ok(())
            }
            Next::String => self.string().map(drop),
            Next::Number => self.number().map(drop),
            literal => self.literal(literal),
        }
    }

    /// A second reader of the same text, which starts at an earlier position.
    pub(crate) fn again_from(&self, at: usize) -> Self {
        Reader { text: self.text, at, depth: self.depth }
    }

    pub(crate) fn place(&mut self) -> usize {
        self.blank();
        self.at
    }

    /// Checks that nothing follows.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.expected("the end of the text after the value")),
        }
    }
}
