//! JSON as it is written: numbers by their digits, objects in order. Not a reader.

use indexmap::IndexMap;
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON value, to be written with `serde_json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number by its digits, which are those of the source, however many.
    Number(String),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Self>),
    /// An object in order.
    Object(IndexMap<String, Self>),
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(digits) => {
                RawValue::from_string(digits.clone()).map_err(S::Error::custom)?.serialize(serializer)
            }
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(elements) => serializer.collect_seq(elements),
            Self::Object(properties) => serializer.collect_map(properties),
        }
    }
}

/// Whether digits are a number in JSON too: one zero may lead, but only alone.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    // The native syntax has checked the rest: digits, a point with digits, an exponent.
    digits.first().is_some_and(u8::is_ascii_digit)
        && !(digits[0] == b'0' && digits.get(1).is_some_and(u8::is_ascii_digit))
}
