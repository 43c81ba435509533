//! The destinations of converted JSON: a [`Json`] value, or text for a writer, piece by piece.

use std::convert::Infallible;
use std::io::{self, Write};

use indexmap::IndexMap;

use super::Json;

/// Receives JSON in the order of the text. Each property is a key and then a value.
pub(super) trait Sink {
    /// The reason why it cannot accept more.
    type Error;

    fn null(&mut self) -> Result<(), Self::Error>;
    fn bool(&mut self, value: bool) -> Result<(), Self::Error>;
    /// A number as its digits, with an optional minus sign.
    fn number(&mut self, negative: bool, digits: &str) -> Result<(), Self::Error>;
    fn string(&mut self, text: &str) -> Result<(), Self::Error>;
    /// A string that consists of parts.
    fn string_of(&mut self, parts: &[&str]) -> Result<(), Self::Error>;
    fn begin_array(&mut self) -> Result<(), Self::Error>;
    fn end_array(&mut self) -> Result<(), Self::Error>;
    fn begin_object(&mut self) -> Result<(), Self::Error>;
    fn key(&mut self, name: &str) -> Result<(), Self::Error>;
    fn end_object(&mut self) -> Result<(), Self::Error>;
}

/// Builds a [`Json`] value.
#[derive(Default)]
pub(super) struct Builder {
    open: Vec<Open>,
    done: Option<Json>,
}

enum Open {
    Array(Vec<Json>),
    Object(IndexMap<String, Json>, String),
}

impl Builder {
    /// Adds a finished value.
    pub(super) fn push(&mut self, json: Json) {
        match self.open.last_mut() {
            None => self.done = Some(json),
            Some(Open::Array(elements)) => elements.push(json),
            Some(Open::Object(properties, key)) => _ = properties.insert(std::mem::take(key), json),
        }
    }

    /// The value.
    pub(super) fn finish(self) -> Json {
        self.done.unwrap_or(Json::Null)
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Array(elements)) => self.push(Json::Array(elements)),
            Some(Open::Object(properties, _)) => self.push(Json::Object(properties)),
            None => {}
        }
    }
}

impl Sink for Builder {
    type Error = Infallible;

    fn null(&mut self) -> Result<(), Infallible> {
        self.push(Json::Null);
        Ok(())
    }

    fn bool(&mut self, value: bool) -> Result<(), Infallible> {
        self.push(Json::Bool(value));
        Ok(())
    }

    fn number(&mut self, negative: bool, digits: &str) -> Result<(), Infallible> {
        self.push(Json::Number(format!("{}{digits}", if negative { "-" } else { "" })));
        Ok(())
    }

    fn string(&mut self, text: &str) -> Result<(), Infallible> {
        self.push(Json::String(text.to_owned()));
        Ok(())
    }

    fn string_of(&mut self, parts: &[&str]) -> Result<(), Infallible> {
        self.push(Json::String(parts.concat()));
        Ok(())
    }

    fn begin_array(&mut self) -> Result<(), Infallible> {
        self.open.push(Open::Array(Vec::new()));
        Ok(())
    }

    fn end_array(&mut self) -> Result<(), Infallible> {
        self.close();
        Ok(())
    }

    fn begin_object(&mut self) -> Result<(), Infallible> {
        self.open.push(Open::Object(IndexMap::new(), String::new()));
        Ok(())
    }

    fn key(&mut self, name: &str) -> Result<(), Infallible> {
        if let Some(Open::Object(_, key)) = self.open.last_mut() {
            name.clone_into(key);
        }
        Ok(())
    }

    fn end_object(&mut self) -> Result<(), Infallible> {
        self.close();
        Ok(())
    }
}

/// The size of the text that is buffered before it is passed to the writer.
const CHUNK: usize = 64 << 10;

/// Writes text, in chunks that begin and end with whole characters.
pub(super) struct Text<W> {
    out: W,
    buffer: Vec<u8>,
    layout: Layout,
    /// The number of open arrays and objects, including those around the value.
    level: usize,
    /// True if the innermost array or object is still empty.
    is_first: bool,
    /// True for each open array, false for each open object.
    arrays: Vec<bool>,
}

/// The layout of the JSON, which is the same as that of `serde_json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// On one line, without spaces.
    Compact,
    /// A line for each value, indented by two spaces for each level.
    Pretty,
}

impl<W: Write> Text<W> {
    /// A writer for a value that is nested in `level` objects and takes about `len` bytes.
    pub(super) fn new(out: W, layout: Layout, level: usize, len: usize) -> Self {
        let buffer = Vec::with_capacity(len.min(CHUNK) + 256);
        Self { out, buffer, layout, level, is_first: true, arrays: Vec::with_capacity(16) }
    }

    /// Passes the rest to the writer.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)
    }

    fn before_value(&mut self) -> io::Result<()> {
        if self.buffer.len() >= CHUNK {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        if self.arrays.last() == Some(&true) {
            self.separate();
        }
        Ok(())
    }

    /// Separates an element or a property from the one before it.
    fn separate(&mut self) {
        let comma = usize::from(!self.is_first);
        self.is_first = false;
        self.start_line(comma);
    }

    /// Starts a line, after a comma or not.
    fn start_line(&mut self, comma: usize) {
        /// A comma, a line break and spaces.
        const LINE: [u8; 66] = {
            let mut line = [b' '; 66];
            line[0] = b',';
            line[1] = b'\n';
            line
        };
        if self.layout == Layout::Compact {
            return self.buffer.extend_from_slice(&LINE[..comma]);
        }
        let mut spaces = 2 * self.level;
        let some = spaces.min(LINE.len() - 2);
        self.buffer.extend_from_slice(&LINE[1 - comma..some + 2]);
        while spaces > LINE.len() - 2 {
            spaces -= LINE.len() - 2;
            self.buffer.extend_from_slice(&LINE[2..spaces.min(LINE.len() - 2) + 2]);
        }
    }

    fn begin(&mut self, bracket: u8) -> io::Result<()> {
        self.before_value()?;
        self.buffer.push(bracket);
        self.arrays.push(bracket == b'[');
        self.level += 1;
        self.is_first = true;
        Ok(())
    }

    fn end(&mut self, bracket: u8) {
        self.arrays.pop();
        self.level -= 1;
        if !self.is_first && self.layout == Layout::Pretty {
            self.start_line(0);
        }
        self.buffer.push(bracket);
        self.is_first = false;
    }

    /// The content of a string. Most have nothing to escape.
    fn escaped(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let (mut from, mut at) = (0, 0);
        loop {
            while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
                let plain = plain_bytes(*eight);
                at += plain;
                if plain < 8 {
                    break;
                }
            }
            let Some(&byte) = bytes.get(at) else { break };
            at += 1;
            let escape = ESCAPES[byte as usize];
            if escape == 0 {
                continue;
            }
            let at = at - 1;
            self.buffer.extend_from_slice(&bytes[from..at]);
            from = at + 1;
            if escape == b'u' {
                let digit = |value: u8| b"0123456789abcdef"[value as usize];
                self.buffer.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
            } else {
                self.buffer.extend_from_slice(&[b'\\', escape]);
            }
        }
        self.buffer.extend_from_slice(&bytes[from..]);
    }
}

/// The number of bytes before the first one that has an escape sequence. All eight are compared at once, each in its part of
/// a number.
#[inline]
fn plain_bytes(eight: [u8; 8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOP: u64 = 0x80 * EACH;
    let bytes = u64::from_le_bytes(eight);
    let ascii = bytes & !TOP;
    // The top bit of a byte is set if the rest is zero, or less than a space.
    let is = |byte: u8| !((ascii ^ (u64::from(byte) * EACH)) + 0x7f * EACH);
    let control = !(ascii + 0x60 * EACH);
    let special = (is(b'"') | is(b'\\') | control) & !bytes & TOP;
    (special.trailing_zeros() / 8) as usize
}

/// What follows the backslash for each byte, or 0 if it stays as it is.
static ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut control = 0;
    while control < 0x20 {
        table[control] = b'u';
        control += 1;
    }
    table[0x08] = b'b';
    table[0x09] = b't';
    table[0x0a] = b'n';
    table[0x0c] = b'f';
    table[0x0d] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

impl<W: Write> Sink for Text<W> {
    type Error = io::Error;

    fn null(&mut self) -> io::Result<()> {
        self.before_value()?;
        self.buffer.extend_from_slice(b"null");
        Ok(())
    }

    fn bool(&mut self, value: bool) -> io::Result<()> {
        self.before_value()?;
        self.buffer.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn number(&mut self, negative: bool, digits: &str) -> io::Result<()> {
        self.before_value()?;
        self.buffer.extend_from_slice(if negative { b"-" } else { b"" });
        self.buffer.extend_from_slice(digits.as_bytes());
        Ok(())
    }

    fn string(&mut self, text: &str) -> io::Result<()> {
        self.string_of(&[text])
    }

    fn string_of(&mut self, parts: &[&str]) -> io::Result<()> {
        self.before_value()?;
        self.buffer.push(b'"');
        for part in parts {
            self.escaped(part);
        }
        self.buffer.push(b'"');
        Ok(())
    }

    fn begin_array(&mut self) -> io::Result<()> {
        self.begin(b'[')
    }

    fn end_array(&mut self) -> io::Result<()> {
        self.end(b']');
        Ok(())
    }

    fn begin_object(&mut self) -> io::Result<()> {
        self.begin(b'{')
    }

    fn key(&mut self, name: &str) -> io::Result<()> {
        self.separate();
        self.buffer.push(b'"');
        self.escaped(name);
        self.buffer.extend_from_slice(if self.layout == Layout::Compact { b"\":" } else { b"\": " });
        Ok(())
    }

    fn end_object(&mut self) -> io::Result<()> {
        self.end(b'}');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_with_escape_sequences_are_found_among_eight() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                for other in [b'a', b' ', b'!', b'#', 0x7f, 0x80, 0xff] {
                    let mut eight = [other; 8];
                    eight[place] = byte;
                    let expected = if ESCAPES[byte as usize] == 0 { 8 } else { place };
                    assert_eq!(plain_bytes(eight), expected, "{byte} at {place} among {other}");
                }
            }
        }
    }

    #[test]
    fn lines_can_be_indented_by_any_number_of_levels() {
        for level in [0, 1, 31, 32, 33, 64, 65, 100] {
            let mut out = Vec::new();
            let mut text = Text::new(&mut out, Layout::Pretty, level, 0);
            text.begin_array().unwrap();
            text.null().unwrap();
            text.null().unwrap();
            text.end_array().unwrap();
            text.finish().unwrap();
            let indent = "  ".repeat(level);
            let expected = format!("[\n{indent}  null,\n{indent}  null\n{indent}]");
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
