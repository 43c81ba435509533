//! JSON as it is written: numbers by their digits, objects in order. Not a reader.

use hclkit_value::{Error, Plain, Type, Value};
use indexmap::IndexMap;
use serde_core::ser::{Serialize, Serializer};

use crate::digits;

/// A JSON value, to be written with `serde_json`. [`serde_json::to_value`] is an error where a number has more digits
/// than [`serde_json::Value`] holds.
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
            Self::Number(digits) => digits::serialize(digits, serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(elements) => serializer.collect_seq(elements),
            Self::Object(properties) => serializer.collect_map(properties),
        }
    }
}

/// A value as plain JSON: its strings are no templates.
///
/// ```
/// use hclkit::{Value, convert::Json};
///
/// let value = Value::object([("ports", Value::tuple([80.into(), 443.into()]))]);
/// assert_eq!(serde_json::to_string(&Json::try_from(&value)?)?, r#"{"ports":[80,443]}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl TryFrom<&Value> for Json {
    type Error = Error;

    /// # Errors
    /// Values that are not known or have marks, infinities and capsules.
    fn try_from(value: &Value) -> Result<Self, Error> {
        let error = |what| Error::without_values(format!("{what} cannot be represented in JSON"));
        Ok(match value.plain().map_err(error)? {
            Plain::Null => Self::Null,
            Plain::Bool(flag) => Self::Bool(flag),
            Plain::Number(number) => Self::Number(number.to_string()),
            Plain::String(text) => Self::String(text.to_string()),
            Plain::Sequence(items) => {
                Self::Array(items.iter().map(Self::try_from).collect::<Result<_, _>>()?)
            }
            Plain::Map(entries) => {
                let properties = entries.map(|(name, item)| Ok((name.to_string(), Self::try_from(item)?)));
                Self::Object(properties.collect::<Result<_, Error>>()?)
            }
        })
    }
}

/// A type as it is written beside a value: `"string"`, `["list","string"]`.
impl TryFrom<&Type> for Json {
    type Error = Error;

    /// # Errors
    /// Capsule types.
    fn try_from(ty: &Type) -> Result<Self, Error> {
        let value = Value::from_plain_json(ty.to_json()?.as_bytes())?;
        Self::try_from(&value)
    }
}

/// Whether digits are a number in JSON too: one zero may lead, but only alone.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    // The native syntax has checked the rest: digits, a point with digits, an exponent.
    digits.first().is_some_and(u8::is_ascii_digit)
        && !(digits[0] == b'0' && digits.get(1).is_some_and(u8::is_ascii_digit))
}
