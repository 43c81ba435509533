//! JSON as it is written: numbers by their digits, objects in order. Not a reader.

use hclkit_value::{Error, Kind, Type, Value};
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
        let number = |number: &hclkit_value::Number| {
            if number.is_infinite() {
                return Err(Error::new("it is an infinity"));
            }
            Ok(Self::Number(number.to_string()))
        };
        match value.kind() {
            Kind::Null(_) => Ok(Self::Null),
            Kind::Bool(flag) => Ok(Self::Bool(flag)),
            Kind::Number(it) => number(it),
            Kind::String(text) => Ok(Self::String(text.to_string())),
            Kind::List(_) | Kind::Set(_) | Kind::Tuple(_) => {
                let items = value.as_slice().unwrap_or_default().iter().map(Self::try_from);
                Ok(Self::Array(items.collect::<Result<_, _>>()?))
            }
            Kind::Map(_) | Kind::Object(_) => {
                let entries = value.entries().into_iter().flatten();
                let properties = entries.map(|(name, item)| Ok((name.to_string(), Self::try_from(item)?)));
                Ok(Self::Object(properties.collect::<Result<_, Error>>()?))
            }
            Kind::Unknown(..) => Err(Error::new("it is not known")),
            Kind::Marked(..) => Err(Error::new("it has marks")),
            Kind::Capsule(_) => Err(Error::new("it is a capsule")),
        }
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
