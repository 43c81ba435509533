//! Values as plain JSON, without copying them.

use hclkit_value::{Plain, Value};
use serde_core::ser::{Error as _, Serialize, SerializeMap as _, Serializer};

use super::types::TypeJson;
use crate::digits;

/// A value as plain JSON, to be written with `serde_json`. Numbers have all of their digits. Infinities, unknown values,
/// marked values and capsules are errors, and so is more text than the limit on bytes allows.
///
/// No digit is lost: [`serde_json::to_value`] returns an error if a number has more digits than [`serde_json::Value`]
/// can hold, unless the feature `arbitrary_precision` of `serde_json` is enabled. To write other formats than JSON,
/// serialize the value itself with the feature `serde`.
///
/// ```
/// use hclkit::decode::PlainJson;
/// use hclkit::{Type, Value};
///
/// let value = Value::object([("name", Value::from("web")), ("port", Value::null(Type::Number))]);
/// assert_eq!(serde_json::to_string(&PlainJson::new(&value))?, r#"{"name":"web","port":null}"#);
/// assert_eq!(serde_json::to_string(&PlainJson::new(&value).without_nulls())?, r#"{"name":"web"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PlainJson<'v> {
    value: &'v Value,
    nulls: bool,
    typed: bool,
}

impl<'v> PlainJson<'v> {
    /// The whole value.
    pub fn new(value: &'v Value) -> Self {
        Self { value, nulls: true, typed: false }
    }

    /// Omits object properties that are null.
    #[must_use]
    pub fn without_nulls(mut self) -> Self {
        self.nulls = false;
        self
    }

    /// Writes the value with its type: `{"value":…,"type":…}`.
    #[must_use]
    pub fn with_type(mut self) -> Self {
        self.typed = true;
        self
    }
}

impl Serialize for PlainJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.check_text_size().map_err(S::Error::custom)?;
        let PlainJson { value, nulls, typed } = *self;
        if typed {
            let mut map = serializer.serialize_map(Some(2))?;
            map.serialize_entry("value", &CheckedValue { value, nulls })?;
            map.serialize_entry("type", &TypeJson::of(self.value))?;
            return map.end();
        }
        CheckedValue { value, nulls }.serialize(serializer)
    }
}

/// A value whose size was checked.
struct CheckedValue<'v> {
    value: &'v Value,
    nulls: bool,
}

impl Serialize for CheckedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = |value| CheckedValue { value, nulls: self.nulls };
        match self
            .value
            .plain()
            .map_err(|what| S::Error::custom(format_args!("{what} cannot be represented in JSON")))?
        {
            Plain::Null => serializer.serialize_unit(),
            Plain::Bool(flag) => serializer.serialize_bool(flag),
            Plain::Number(number) => match number.to_i64() {
                // Zero can have a sign.
                Some(whole) if whole != 0 => serializer.serialize_i64(whole),
                _ => digits::serialize(&number.to_string(), serializer),
            },
            Plain::String(text) => serializer.serialize_str(text),
            Plain::Sequence(items) => serializer.collect_seq(items.iter().map(of)),
            Plain::Map(entries) => {
                let kept = entries.filter(|(_, item)| self.nulls || !item.is_null());
                serializer.collect_map(kept.map(|(name, item)| (name.as_str(), of(item))))
            }
        }
    }
}
