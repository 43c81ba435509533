//! `Serialize` and `Deserialize` for values as plain data, without their types. Deserializing returns tuples and
//! objects, which callers can convert to the type they need.

#[doc(hidden)]
pub mod handover;

use std::fmt;

use serde_core::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_core::ser::{Error as _, Serialize, Serializer};

use crate::{Number, Plain, Str, Type, Value};

/// Serializes a value as plain data. Numbers are serialized as described for [`Number`]. Infinities, unknown values,
/// marked values and capsules are errors, and so is more text than the limit on bytes allows.
///
/// Use [`Value::to_json`] to write JSON with all digits of all numbers.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.check_text_size().map_err(S::Error::custom)?;
        CheckedValue(self).serialize(serializer)
    }
}

/// A value whose size was checked.
struct CheckedValue<'v>(&'v Value);

impl Serialize for CheckedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.plain().map_err(|what| S::Error::custom(format_args!("{what} cannot be serialized")))? {
            Plain::Null => serializer.serialize_unit(),
            Plain::Bool(flag) => serializer.serialize_bool(flag),
            Plain::Number(number) => number.serialize(serializer),
            Plain::String(text) => serializer.serialize_str(text),
            Plain::Sequence(items) => serializer.collect_seq(items.iter().map(CheckedValue)),
            Plain::Map(entries) => {
                serializer.collect_map(entries.map(|(name, item)| (name.as_str(), CheckedValue(item))))
            }
        }
    }
}

/// Serializes a number as a number, never as text. A whole number is exact: an integer of up to 128 bits, or the double
/// with the same decimal text. A number with a fraction is rounded to the nearest double, as parsers of decimal text do.
///
/// # Errors
/// Whole numbers that fit neither an integer nor a double, fractions too small for a double, and infinities.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_infinite() {
            return Err(S::Error::custom("an infinity cannot be serialized"));
        }
        let (float, exact) = self.to_f64();
        if float == 0.0 && exact && float.is_sign_negative() {
            return serializer.serialize_f64(float);
        }
        if let Some(integer) = self.to_i64() {
            return serializer.serialize_i64(integer);
        }
        if let Some(integer) = self.to_u64() {
            return serializer.serialize_u64(integer);
        }
        if !self.is_integer() {
            if float == 0.0 {
                return Err(S::Error::custom("the number is too small for a 64-bit float"));
            }
            return serializer.serialize_f64(float);
        }
        // A whole number outside the range of doubles, or with more than a million digits, does not fit 128 bits either.
        if float.is_finite() {
            let text = self.to_string();
            if text == float.to_string() {
                return serializer.serialize_f64(float);
            }
            if let Some(integer) = self.to_i128() {
                return serializer.serialize_i128(integer);
            }
            if let Ok(integer) = text.parse::<u128>() {
                return serializer.serialize_u128(integer);
            }
        }
        Err(S::Error::custom("the whole number fits neither a 128-bit integer nor a 64-bit float"))
    }
}

/// Serializes a type as the text of a type expression.
impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.check_text_size().map_err(S::Error::custom)?;
        serializer.collect_str(self)
    }
}

/// Numbers are as exact as the format's deserializer provides them: `serde_json` rounds them to doubles unless its
/// feature `arbitrary_precision` is enabled. [`Value::from_plain_json`] reads all digits. From HCL, a value is read as it is,
/// with unknown values and marks.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(handover::VALUE, ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a null, bool, number, string, sequence or map")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::from(flag))
    }

    fn visit_i64<E>(self, integer: i64) -> Result<Value, E> {
        Ok(Value::from(integer))
    }

    fn visit_u64<E>(self, integer: u64) -> Result<Value, E> {
        Ok(Value::from(integer))
    }

    fn visit_i128<E>(self, integer: i128) -> Result<Value, E> {
        Ok(Value::from(integer))
    }

    fn visit_u128<E>(self, integer: u128) -> Result<Value, E> {
        Ok(Value::from(integer))
    }

    fn visit_f64<E: de::Error>(self, float: f64) -> Result<Value, E> {
        Number::try_from(float).map(Value::from).map_err(E::custom)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::NULL)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::NULL)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match handover::receive() {
            Some(value) => Ok(value),
            None => deserializer.deserialize_any(Self),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut items: Vec<Value> = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Value::tuple(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries: Vec<(Str, Value)> = Vec::new();
        while let Some((key, item)) = map.next_entry::<String, Value>()? {
            entries.push((Str::from(key), item));
        }
        match entries.as_slice() {
            [(key, digits)] if key.as_str() == NUMBER => match digits.as_str().map(str::parse::<Number>) {
                Some(Ok(number)) => Ok(Value::from(number)),
                _ => Ok(Value::object(entries)),
            },
            _ => Ok(Value::object(entries)),
        }
    }
}

/// The key that `serde_json` uses for the digits of a number if its feature `arbitrary_precision` is enabled.
const NUMBER: &str = "$serde_json::private::Number";
