//! `Serialize` and `Deserialize` for values: as plain data, like the JSON of a document. What is read
//! back are tuples and objects, to be converted to the type that is wanted.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::value::Repr;
use crate::{Number, Str, Type, Value};

/// Unknown and marked values and capsules are errors. A number that no integer or double holds exactly
/// becomes its decimal text.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Repr::Null(_) => serializer.serialize_unit(),
            Repr::Bool(flag) => serializer.serialize_bool(*flag),
            Repr::Number(number) => number.serialize(serializer),
            Repr::String(text) => serializer.serialize_str(text),
            Repr::List(_) | Repr::Set(_) | Repr::Tuple(_) => {
                let items = self.as_slice().unwrap_or_default();
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    sequence.serialize_element(item)?;
                }
                sequence.end()
            }
            Repr::Map(_) | Repr::Object(_) => {
                let entries = self.entries().into_iter().flatten();
                let mut map = serializer.serialize_map(self.entries().map(|entries| entries.len()))?;
                for (key, item) in entries {
                    map.serialize_entry(key.as_str(), item)?;
                }
                map.end()
            }
            Repr::Unknown(_) | Repr::UnknownDynamic => Err(S::Error::custom("the value is not known")),
            Repr::Marked(_) => Err(S::Error::custom("the value has marks")),
            Repr::Capsule(_) => Err(S::Error::custom("a capsule cannot be serialized")),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(integer) = self.to_i64() {
            return serializer.serialize_i64(integer);
        }
        if let Some(integer) = self.to_u64() {
            return serializer.serialize_u64(integer);
        }
        let (float, _) = self.to_f64();
        // The double that reads back from the number's own text is as good as exact.
        if float.is_finite() && self.to_string() == float.to_string() {
            return serializer.serialize_f64(float);
        }
        serializer.collect_str(self)
    }
}

/// As a type expression.
impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(Plain)
    }
}

struct Plain;

impl<'de> Visitor<'de> for Plain {
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
        Value::try_from(float).map_err(E::custom)
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
        Value::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
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
        Ok(Value::object(entries))
    }
}
