//! JSON: values of a given type, values together with their type, and types implied by JSON text. The
//! forms are those of the reference, so each can read what the other writes.

mod decode;
mod encode;
mod reader;

pub(crate) use decode::{check_room, collected};
pub(crate) use encode::write_string;
pub(crate) use reader::{Next, Reader};

use std::borrow::Cow;
use std::io;

use crate::error::Error;
use crate::{Type, Value};

/// The maximum nesting of JSON and MessagePack. Deeper input is an error.
pub(crate) const DEPTH_LIMIT: usize = 1_000;

impl Value {
    /// The value as JSON, converted to the given type if its own type does not match. Where the given type is
    /// [`Type::Dynamic`], the value is written together with its type: `{"value":…,"type":…}`.
    ///
    /// ```
    /// use hclkit_value::{Type, Value};
    ///
    /// let list = Value::list([Value::from(1), Value::from(2)])?;
    /// assert_eq!(list.to_json(&list.ty())?, "[1,2]");
    /// assert_eq!(list.to_json(&Type::Dynamic)?, r#"{"value":[1,2],"type":["list","number"]}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The value cannot be converted to the type, or contains something that JSON cannot represent: an unknown
    /// or marked value, an infinity or a capsule. The text exceeds the limit on bytes.
    pub fn to_json(&self, ty: &Type) -> Result<String, Error> {
        let mut out = Vec::new();
        encode::value(self, ty, &mut out)?;
        // The output consists of strings and ASCII.
        String::from_utf8(out).map_err(|_| Error::new("the text is not valid UTF-8"))
    }

    /// Writes the value as JSON piece by piece, without keeping the whole text in memory.
    ///
    /// # Errors
    /// Those of [`Value::to_json`], as [`io::ErrorKind::InvalidData`], and those of the writer.
    pub fn write_json(&self, ty: &Type, out: &mut impl io::Write) -> io::Result<()> {
        encode::stream(self, ty, out)
    }

    /// The value to encode, which is converted only if its type does not match.
    pub(crate) fn to_encode(&self, ty: &Type) -> Result<Cow<'_, Self>, Error> {
        if *ty == Type::Dynamic || self.has_type(ty) || self.ty().matches(ty) {
            return Ok(Cow::Borrowed(self));
        }
        self.convert(ty).map(Cow::Owned)
    }

    /// Reads a value of a given type from JSON text in the form that [`Value::to_json`] writes. Where the type
    /// requires it, strings are converted to numbers and bools, and numbers and bools to strings. Missing
    /// attributes become null.
    ///
    /// ```
    /// use hclkit_value::{Type, Value};
    ///
    /// let ports = Value::from_json(b"[80, 443]", &Type::set(Type::Number))?;
    /// assert_eq!(ports, Value::set([Value::from(80), Value::from(443)])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The text is not JSON, is nested deeper than 1,000 levels, or does not match the type. The path of the
    /// error leads to the part that does not match.
    pub fn from_json(text: &[u8], ty: &Type) -> Result<Self, Error> {
        let mut reader = Reader::new(text);
        let value = decode::value(&mut reader, ty)?;
        reader.finish()?;
        Ok(value)
    }

    /// Reads a value of the type that JSON text implies: objects and tuples, never collections. A null has the
    /// dynamic pseudo-type.
    ///
    /// ```
    /// use hclkit_value::Value;
    ///
    /// let value = Value::from_plain_json(br#"{"a": [1, null]}"#)?;
    /// assert_eq!(value.ty().to_string(), "object({a=tuple([number, any])})");
    /// # Ok::<(), hclkit_value::Error>(())
    /// ```
    ///
    /// # Errors
    /// The text is not JSON, or is nested deeper than 1,000 levels.
    pub fn from_plain_json(text: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(text);
        let value = decode::plain(&mut reader)?;
        reader.finish()?;
        Ok(value)
    }

    #[doc(hidden)]
    /// Reads a value like [`Value::from_plain_json`], but ignores a closing bracket after it with everything that follows,
    /// as `jsondecode` does.
    ///
    /// # Errors
    /// Those of [`Value::from_plain_json`].
    pub fn from_plain_json_before_bracket(text: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(text);
        let value = decode::plain(&mut reader)?;
        if !matches!(reader.peek(), Some(b']' | b'}')) {
            reader.finish()?;
        }
        Ok(value)
    }
}

impl Type {
    #[doc(hidden)]
    /// The type that JSON text implies: objects and tuples, never collections.
    ///
    /// # Errors
    /// The text is not JSON, or is nested deeper than 1,000 levels.
    pub fn implied_by_json(text: &[u8]) -> Result<Self, Error> {
        Ok(Value::from_plain_json(text)?.ty())
    }
}
