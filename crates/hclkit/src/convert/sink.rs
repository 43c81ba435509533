//! Where converted JSON goes: into a [`Json`] value, or as text to a writer, piece by piece.

use std::convert::Infallible;
use std::io::{self, Write};

use indexmap::IndexMap;
use serde_json::ser::Formatter;

use super::Json;

/// Receives JSON in the order of the text. Each property is a key and then a value.
pub(super) trait Sink {
    /// Why it cannot take more.
    type Error;

    fn null(&mut self) -> Result<(), Self::Error>;
    fn bool(&mut self, value: bool) -> Result<(), Self::Error>;
    /// A number by its digits, after a minus or none.
    fn number(&mut self, negative: bool, digits: &str) -> Result<(), Self::Error>;
    fn string(&mut self, text: &str) -> Result<(), Self::Error>;
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
    /// Adds a value that was made before.
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

/// The text that is kept before it is handed to the writer.
const CHUNK: usize = 64 << 10;

/// Writes text, in chunks that begin and end with whole characters.
pub(super) struct Text<W, F> {
    out: W,
    formatter: F,
    buffer: Vec<u8>,
    /// Whether the innermost array or object is still empty.
    is_first: bool,
    /// Which of the open ones are arrays.
    arrays: Vec<bool>,
}

impl<W: Write, F: Formatter> Text<W, F> {
    /// The text of a value that is nested in so many objects.
    pub(super) fn new(out: W, mut formatter: F, level: usize) -> Self {
        for _ in 0..level {
            // This only counts the level.
            let _ = formatter.begin_object(&mut io::sink());
        }
        Self { out, formatter, buffer: Vec::new(), is_first: true, arrays: Vec::new() }
    }

    /// Hands the rest to the writer.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)
    }

    fn before_value(&mut self) -> io::Result<()> {
        if self.buffer.len() >= CHUNK {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        if self.arrays.last() == Some(&true) {
            self.formatter.begin_array_value(&mut self.buffer, self.is_first)?;
        }
        Ok(())
    }

    fn after_value(&mut self) -> io::Result<()> {
        self.is_first = false;
        match self.arrays.last() {
            None => Ok(()),
            Some(true) => self.formatter.end_array_value(&mut self.buffer),
            Some(false) => self.formatter.end_object_value(&mut self.buffer),
        }
    }

    fn begin(&mut self, is_array: bool) {
        self.arrays.push(is_array);
        self.is_first = true;
    }

    fn quoted(&mut self, text: &str) -> io::Result<()> {
        if text.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
            return Ok(serde_json::to_writer(&mut self.buffer, text)?);
        }
        self.buffer.push(b'"');
        self.buffer.extend_from_slice(text.as_bytes());
        self.buffer.push(b'"');
        Ok(())
    }
}

impl<W: Write, F: Formatter> Sink for Text<W, F> {
    type Error = io::Error;

    fn null(&mut self) -> io::Result<()> {
        self.before_value()?;
        self.formatter.write_null(&mut self.buffer)?;
        self.after_value()
    }

    fn bool(&mut self, value: bool) -> io::Result<()> {
        self.before_value()?;
        self.formatter.write_bool(&mut self.buffer, value)?;
        self.after_value()
    }

    fn number(&mut self, negative: bool, digits: &str) -> io::Result<()> {
        self.before_value()?;
        self.buffer.extend_from_slice(if negative { b"-" } else { b"" });
        self.buffer.extend_from_slice(digits.as_bytes());
        self.after_value()
    }

    fn string(&mut self, text: &str) -> io::Result<()> {
        self.before_value()?;
        self.quoted(text)?;
        self.after_value()
    }

    fn begin_array(&mut self) -> io::Result<()> {
        self.before_value()?;
        self.formatter.begin_array(&mut self.buffer)?;
        self.begin(true);
        Ok(())
    }

    fn end_array(&mut self) -> io::Result<()> {
        self.arrays.pop();
        self.formatter.end_array(&mut self.buffer)?;
        self.after_value()
    }

    fn begin_object(&mut self) -> io::Result<()> {
        self.before_value()?;
        self.formatter.begin_object(&mut self.buffer)?;
        self.begin(false);
        Ok(())
    }

    fn key(&mut self, name: &str) -> io::Result<()> {
        self.formatter.begin_object_key(&mut self.buffer, self.is_first)?;
        self.quoted(name)?;
        self.formatter.end_object_key(&mut self.buffer)?;
        self.formatter.begin_object_value(&mut self.buffer)
    }

    fn end_object(&mut self) -> io::Result<()> {
        self.arrays.pop();
        self.formatter.end_object(&mut self.buffer)?;
        self.after_value()
    }
}
