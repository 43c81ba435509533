//! JSON values for writing: numbers are digits, and objects are ordered.

#[cfg(feature = "functions")]
use hclkit_functions::{YamlNode, YamlTree};
use hclkit_value::{Error, Plain, Type, Value};
use indexmap::IndexMap;
use serde_core::ser::{Serialize, Serializer};

use crate::digits;

/// A JSON value, to be written with `serde_json`. [`serde_json::to_value`] returns an error if a number has more digits than
/// [`serde_json::Value`] holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// The digits of a number, as in the source.
    Number(String),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Self>),
    /// An object. Its properties are ordered.
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

#[cfg(feature = "functions")]
impl YamlTree for Json {
    fn node(&self) -> Result<YamlNode<'_, Self>, Error> {
        Ok(match self {
            Self::Null => YamlNode::Scalar("null".into()),
            Self::Bool(value) => YamlNode::Scalar(if *value { "true" } else { "false" }.into()),
            Self::Number(digits) => YamlNode::Scalar(digits.into()),
            Self::String(text) => YamlNode::Text(text),
            Self::Array(elements) => YamlNode::Sequence(elements),
            Self::Object(properties) => {
                YamlNode::Mapping(properties.iter().map(|(name, value)| (name.as_str(), value)).collect())
            }
        })
    }
}

/// Converts a value to plain JSON, whose strings are not templates.
///
/// ```
/// use hclkit::{Value, convert::Json};
///
/// let value = Value::object([("ports", Value::tuple([80, 443]))]);
/// assert_eq!(serde_json::to_string(&Json::try_from(&value)?)?, r#"{"ports":[80,443]}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl TryFrom<&Value> for Json {
    type Error = Error;

    /// # Errors
    /// If the value contains unknown or marked values, infinities or capsules.
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

/// The JSON form of a type: `"string"`, `["list","string"]`.
impl TryFrom<&Type> for Json {
    type Error = Error;

    /// # Errors
    /// Capsule types.
    fn try_from(ty: &Type) -> Result<Self, Error> {
        let value = Value::from_plain_json(ty.to_json()?.as_bytes())?;
        Self::try_from(&value)
    }
}

/// Returns true if the digits are also a number in JSON, which does not allow leading zeros.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    // The parser of the native syntax has already checked everything else.
    digits.first().is_some_and(u8::is_ascii_digit)
        && !(digits[0] == b'0' && digits.get(1).is_some_and(u8::is_ascii_digit))
}
