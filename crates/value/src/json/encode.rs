//! Writes values as JSON text.

use std::io::{self, Write};

use hclkit_limits::Meter;

use crate::error::Error;
use crate::path::Step;
use crate::{NotPlain, Plain, Type, Value};

/// The number of bytes collected before they are passed to a writer.
const CHUNK: usize = 32 * 1024;

struct Out<'a> {
    text: Vec<u8>,
    stream: Option<&'a mut dyn Write>,
    failed: Option<io::Error>,
    /// The bytes that were passed to the writer.
    passed: usize,
}

pub(super) fn value(value: &Value, ty: &Type, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut writer = Out { text: std::mem::take(out), stream: None, failed: None, passed: 0 };
    writer.value(&*value.to_encode(ty)?, ty)?;
    *out = writer.text;
    Ok(())
}

pub(super) fn stream(value: &Value, ty: &Type, out: &mut impl Write) -> io::Result<()> {
    let invalid = |error: Error| io::Error::new(io::ErrorKind::InvalidData, error);
    let value = value.to_encode(ty).map_err(invalid)?;
    let mut writer = Out { text: Vec::with_capacity(CHUNK * 2), stream: Some(out), failed: None, passed: 0 };
    let done = writer.value(&value, ty);
    let Out { text, failed, .. } = writer;
    if let Some(error) = failed {
        return Err(error);
    }
    done.map_err(invalid)?;
    out.write_all(&text)
}

impl Out<'_> {
    /// Passes the collected text to the writer once it is long enough, unless the limit on bytes is exceeded.
    fn flush(&mut self, value: &Value) -> Result<(), Error> {
        if !value.parts().is_empty() {
            Meter::current().room_for_bytes(self.passed + self.text.len())?;
        }
        if let Some(stream) = &mut self.stream
            && self.text.len() >= CHUNK
        {
            if let Err(error) = stream.write_all(&self.text) {
                self.failed = Some(error);
                return Err(Error::new("the text could not be written"));
            }
            self.passed += self.text.len();
            self.text.clear();
        }
        Ok(())
    }

    fn value(&mut self, value: &Value, ty: &Type) -> Result<(), Error> {
        if value.is_marked() {
            return Err(NotPlain::Marked.has_no_form("JSON"));
        }
        if *ty == Type::Dynamic && !value.has_type(&Type::Dynamic) {
            let own = value.ty();
            self.text.extend_from_slice(b"{\"value\":");
            self.value(value, &own)?;
            self.text.extend_from_slice(b",\"type\":");
            self.text.extend_from_slice(own.to_json()?.as_bytes());
            self.text.push(b'}');
            return Ok(());
        }
        self.flush(value)?;
        match value.plain().map_err(|what| what.has_no_form("JSON"))? {
            Plain::Null => self.text.extend_from_slice(b"null"),
            Plain::Bool(flag) => self.text.extend_from_slice(if flag { b"true" } else { b"false" }),
            Plain::Number(number) => {
                // Writing to memory cannot fail.
                let _ = write!(self.text, "{number}");
            }
            Plain::String(text) => write_string(text, &mut self.text),
            Plain::Sequence(items) => {
                self.text.push(b'[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        self.text.push(b',');
                    }
                    self.value(item, part(ty, at)).map_err(|error| error.within(Step::from(at)))?;
                }
                self.text.push(b']');
            }
            Plain::Map(entries) => {
                self.text.push(b'{');
                for (at, (key, item)) in entries.enumerate() {
                    if at > 0 {
                        self.text.push(b',');
                    }
                    write_string(key, &mut self.text);
                    self.text.push(b':');
                    self.value(item, part(ty, at)).map_err(|error| {
                        error.within(match ty {
                            Type::Object(_) => Step::Attribute(key.clone()),
                            _ => Step::Index(Value::from(key)),
                        })
                    })?;
                }
                self.text.push(b'}');
            }
        }
        Ok(())
    }
}

/// The type of the part at an index in values of type `ty`.
fn part(ty: &Type, at: usize) -> &Type {
    let part = match ty {
        Type::Tuple(tuple) => tuple.elements().get(at),
        Type::Object(object) => object.types().get(at),
        _ => ty.element(),
    };
    part.unwrap_or(&Type::Dynamic)
}

/// Writes a string and escapes the characters that are special in JSON, HTML or JavaScript.
pub(crate) fn write_string(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut done = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let escape: &[u8] = match byte {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0x08 => b"\\b",
            0x0c => b"\\f",
            0..0x20 | b'<' | b'>' | b'&' => {
                out.extend_from_slice(&bytes[done..at]);
                out.extend_from_slice(b"\\u00");
                out.push(HEX[usize::from(byte >> 4)]);
                out.push(HEX[usize::from(byte & 15)]);
                done = at + 1;
                continue;
            }
            0xe2 if bytes[at..].starts_with("\u{2028}".as_bytes()) => b"\\u2028",
            0xe2 if bytes[at..].starts_with("\u{2029}".as_bytes()) => b"\\u2029",
            _ => continue,
        };
        out.extend_from_slice(&bytes[done..at]);
        out.extend_from_slice(escape);
        done = at + if *byte == 0xe2 { 3 } else { 1 };
    }
    out.extend_from_slice(&bytes[done..]);
    out.push(b'"');
}
