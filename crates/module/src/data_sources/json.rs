//! JSON as the encoder of Go's standard library writes it: members in a given order, on one line or indented.

use hclkit_limits::{Exceeded, Meter};
use hclkit_value::{Str, Type, Value};

/// A JSON value.
#[derive(Debug)]
pub(super) enum Json {
    Text(Str),
    List(Vec<Self>),
    Object(Vec<(Str, Self)>),
}

impl Json {
    pub(super) fn texts<'t>(all: impl IntoIterator<Item = &'t Str>) -> Self {
        Self::List(all.into_iter().cloned().map(Self::Text).collect())
    }

    /// The text on one line.
    pub(super) fn compact(&self) -> Result<String, Exceeded> {
        let mut writer = Writer { text: String::new(), counted: 0, is_indented: false };
        writer.write(self, 0)?;
        writer.count()?;
        Ok(writer.text)
    }

    /// The text with two spaces for each level.
    pub(super) fn indented(&self) -> Result<String, Exceeded> {
        let mut writer = Writer { text: String::new(), counted: 0, is_indented: true };
        writer.write(self, 0)?;
        writer.count()?;
        Ok(writer.text)
    }
}

struct Writer {
    text: String,
    /// How much of it was counted toward the limit.
    counted: usize,
    is_indented: bool,
}

impl Writer {
    fn count(&mut self) -> Result<(), Exceeded> {
        let added = self.text.len() - self.counted;
        self.counted = self.text.len();
        Meter::current().take_bytes(added)
    }

    fn line(&mut self, level: usize) {
        if self.is_indented {
            self.text.push('\n');
            (0..level).for_each(|_| self.text.push_str("  "));
        }
    }

    fn write(&mut self, value: &Json, level: usize) -> Result<(), Exceeded> {
        self.count()?;
        match value {
            Json::Text(text) => self.text.push_str(&quoted(text)),
            Json::List(all) => {
                self.text.push('[');
                for (at, value) in all.iter().enumerate() {
                    self.next(at, level);
                    self.write(value, level + 1)?;
                }
                self.close(all.is_empty(), level, ']');
            }
            Json::Object(all) => {
                self.text.push('{');
                for (at, (name, value)) in all.iter().enumerate() {
                    self.next(at, level);
                    self.text.push_str(&quoted(name));
                    self.text.push_str(if self.is_indented { ": " } else { ":" });
                    self.write(value, level + 1)?;
                }
                self.close(all.is_empty(), level, '}');
            }
        }
        Ok(())
    }

    fn next(&mut self, at: usize, level: usize) {
        if at > 0 {
            self.text.push(',');
        }
        self.line(level + 1);
    }

    fn close(&mut self, is_empty: bool, level: usize, close: char) {
        if !is_empty {
            self.line(level);
        }
        self.text.push(close);
    }
}

/// A string as the encoder of values writes it, which escapes as Go does.
fn quoted(text: &str) -> String {
    Value::from(text).to_json(&Type::String).unwrap_or_default()
}
