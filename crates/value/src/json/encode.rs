//! JSON text of values.

use std::io::{self, Write};

use crate::path::{Error, Step};
use crate::value::Repr;
use crate::{Type, Value};

/// How much text is collected before it goes to a writer.
const CHUNK: usize = 32 * 1024;

struct Out<'a> {
    text: Vec<u8>,
    stream: Option<&'a mut dyn Write>,
    failed: Option<io::Error>,
}

pub(super) fn value(value: &Value, ty: &Type, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut writer = Out { text: std::mem::take(out), stream: None, failed: None };
    writer.value(&*value.to_encode(ty)?, ty)?;
    *out = writer.text;
    Ok(())
}

pub(super) fn stream(value: &Value, ty: &Type, out: &mut impl Write) -> io::Result<()> {
    let invalid = |error: Error| io::Error::new(io::ErrorKind::InvalidData, error);
    let value = value.to_encode(ty).map_err(invalid)?;
    let mut writer = Out { text: Vec::with_capacity(CHUNK * 2), stream: Some(out), failed: None };
    let done = writer.value(&value, ty);
    let Out { text, failed, .. } = writer;
    if let Some(error) = failed {
        return Err(error);
    }
    done.map_err(invalid)?;
    out.write_all(&text)
}

impl Out<'_> {
    /// Hands over what has been collected.
    fn flush(&mut self) -> Result<(), Error> {
        if let Some(stream) = &mut self.stream
            && self.text.len() >= CHUNK
        {
            if let Err(error) = stream.write_all(&self.text) {
                self.failed = Some(error);
                return Err(Error::new("the text could not be written"));
            }
            self.text.clear();
        }
        Ok(())
    }

    fn value(&mut self, value: &Value, ty: &Type) -> Result<(), Error> {
        if value.is_marked() {
            return Err(Error::new("a value with marks has no JSON form"));
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
        self.flush()?;
        match &value.0 {
            Repr::Null(_) => self.text.extend_from_slice(b"null"),
            Repr::Bool(flag) => self.text.extend_from_slice(if *flag { b"true" } else { b"false" }),
            Repr::Number(number) => {
                if number.is_infinite() {
                    return Err(Error::new("an infinity has no JSON form"));
                }
                // Writing to memory does not fail.
                let _ = write!(self.text, "{number}");
            }
            Repr::String(text) => write_string(text, &mut self.text),
            Repr::List(list) => self.sequence(list.iter(), |_| element(ty))?,
            Repr::Set(set) => self.sequence(set.iter(), |_| element(ty))?,
            Repr::Tuple(tuple) => {
                let types = ty.tuple_elements().unwrap_or_default();
                self.sequence(tuple.iter(), |at| types.get(at).unwrap_or(&Type::Dynamic))?;
            }
            Repr::Map(map) => {
                let mut open = b'{';
                for (key, item) in map.iter() {
                    self.text.push(open);
                    open = b',';
                    write_string(key, &mut self.text);
                    self.text.push(b':');
                    self.value(item, element(ty))
                        .map_err(|error| error.within(Step::Index(Value::from(key))))?;
                }
                if open == b'{' {
                    self.text.push(b'{');
                }
                self.text.push(b'}');
            }
            Repr::Object(object) => {
                let types = ty.as_object();
                let mut open = b'{';
                for (at, (name, item)) in object.iter().enumerate() {
                    self.text.push(open);
                    open = b',';
                    write_string(name, &mut self.text);
                    self.text.push(b':');
                    let ty = types.and_then(|types| types.types().get(at)).unwrap_or(&Type::Dynamic);
                    self.value(item, ty).map_err(|error| error.within(Step::Attribute(name.clone())))?;
                }
                if open == b'{' {
                    self.text.push(b'{');
                }
                self.text.push(b'}');
            }
            Repr::Unknown(_) | Repr::UnknownDynamic => {
                return Err(Error::new("a value that is not known has no JSON form"));
            }
            Repr::Capsule(_) | Repr::Marked(_) => return Err(Error::new("a capsule has no JSON form")),
        }
        Ok(())
    }

    fn sequence<'t, 'v>(
        &mut self,
        items: impl Iterator<Item = &'v Value>,
        ty: impl Fn(usize) -> &'t Type,
    ) -> Result<(), Error> {
        self.text.push(b'[');
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.text.push(b',');
            }
            self.value(item, ty(at)).map_err(|error| error.within(Step::from(at)))?;
        }
        self.text.push(b']');
        Ok(())
    }
}

fn element(ty: &Type) -> &Type {
    ty.element().unwrap_or(&Type::Dynamic)
}

/// Writes a string with the characters escaped that are special in JSON, HTML or JavaScript.
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
