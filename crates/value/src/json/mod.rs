//! JSON: values of a given type, values with their type beside them, types that JSON text implies. The
//! forms are those of the reference, so that what one writes the other reads.

mod decode;
mod encode;
mod reader;

pub(crate) use decode::collected;
pub(crate) use encode::write_string;
pub(crate) use reader::{Next, Reader};

use std::borrow::Cow;
use std::io;

use crate::path::Error;
use crate::{Type, Value};

/// How deep JSON and MessagePack may be nested; deeper text is an error.
pub(crate) const DEPTH_LIMIT: usize = 1_000;

impl Value {
    /// The value as JSON, converted to the given type if its own does not match that. Where the given type says
    /// [`Type::Dynamic`], the value's type is written beside it: `{"value":…,"type":…}`.
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
    /// A value that cannot be converted to the type, and parts that JSON has nothing for: unknown and
    /// marked values, infinities, capsules.
    pub fn to_json(&self, ty: &Type) -> Result<String, Error> {
        let mut out = Vec::new();
        encode::value(self, ty, &mut out)?;
        // What is written is made of strings and ASCII.
        String::from_utf8(out).map_err(|_| Error::new("text that is not UTF-8"))
    }

    /// Writes the value as JSON while going through it, without holding all of the text.
    ///
    /// # Errors
    /// Those of [`Value::to_json`], as [`io::ErrorKind::InvalidData`], and those of the writer.
    pub fn write_json(&self, ty: &Type, out: &mut impl io::Write) -> io::Result<()> {
        encode::stream(self, ty, out)
    }

    /// The value that is written: its type matches, and is only made where it is not the very type.
    pub(crate) fn to_encode(&self, ty: &Type) -> Result<Cow<'_, Value>, Error> {
        if *ty == Type::Dynamic || self.has_type(ty) || self.ty().matches(ty) {
            return Ok(Cow::Borrowed(self));
        }
        self.convert(ty).map(Cow::Owned)
    }

    /// The value of a type that JSON text holds, as [`Value::to_json`] writes it. Strings that hold a
    /// number or bool are taken for one where the type wants that, and the other way about. Attributes
    /// that are missing are null.
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
    /// Text that is no JSON, is nested deeper than 1,000 levels, or holds something else than the type
    /// says; the path leads to the part.
    pub fn from_json(text: &[u8], ty: &Type) -> Result<Value, Error> {
        let mut reader = Reader::new(text);
        let value = decode::value(&mut reader, ty)?;
        reader.finish()?;
        Ok(value)
    }

    /// The value that JSON text holds, of the type that the text itself implies: objects and tuples,
    /// never collections. A null has no type.
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
    /// Text that is no JSON, or is nested deeper than 1,000 levels.
    pub fn from_plain_json(text: &[u8]) -> Result<Value, Error> {
        let mut reader = Reader::new(text);
        let value = decode::plain(&mut reader)?;
        reader.finish()?;
        Ok(value)
    }
}

impl Type {
    /// The type that JSON text implies: objects and tuples, never collections.
    ///
    /// # Errors
    /// Text that is no JSON, or is nested deeper than 1,000 levels.
    pub fn implied_by_json(text: &[u8]) -> Result<Type, Error> {
        Ok(Value::from_plain_json(text)?.ty())
    }
}
