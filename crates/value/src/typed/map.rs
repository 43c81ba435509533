//! Conversion between values and maps. Keys are strings, or what is read from strings: numbers, enums and so on.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use super::collection::{all, collection_of};
use super::{FromValue, IntoValue, Typed, mismatch};
use crate::path::Step;
use crate::{Error, Str, Type, Value};

/// A map if the elements have one type, otherwise an object.
fn mapping<T: Typed>(entries: Vec<(Str, Value)>) -> Value {
    let element = T::value_type();
    if element.has_dynamic() {
        return Value::object(entries);
    }
    // An incorrect implementation of `Typed` can give elements of another type. The result is still a value.
    Value::map_of(element, entries.iter().cloned()).unwrap_or_else(|_| Value::object(entries))
}

fn read_key<K: FromValue>(key: &Str) -> Result<K, Error> {
    if let Some(read) = K::from_text(|| Some(Cow::Borrowed(key.as_str()))) {
        return Ok(read);
    }
    let value = Value::from(key);
    match K::value_type() {
        Type::String | Type::Dynamic => K::from_value(&value),
        other => K::from_value(&value.convert(&other)?),
    }
}

fn read_entries<K: FromValue, T: FromValue, C: FromIterator<(K, T)>>(value: &Value) -> Result<C, Error> {
    let entries = value.entries().ok_or_else(|| mismatch("a map or object", value))?;
    let is_map = value.as_map().is_some();
    let read =
        |(key, item): (&Str, &Value)| match read_key(key).and_then(|read| Ok((read, T::from_value(item)?))) {
            Ok(entry) => Ok(entry),
            Err(error) if is_map => Err(error.within(Step::Index(Value::from(key)))),
            Err(error) => Err(error.within(Step::Attribute(key.clone()))),
        };
    all(entries.map(read))
}

fn entry<K: IntoValue, T: IntoValue>((key, value): (&K, &T)) -> Result<(Str, Value), Error> {
    let key = key.to_value()?.convert(&Type::String)?;
    let key = Str::from_value(&key)?;
    match value.to_value() {
        Ok(value) => Ok((key, value)),
        Err(error) => Err(error.within(Step::Index(Value::from(key)))),
    }
}

macro_rules! maps {
    ($([$($parameters:tt)*] $map:ident<K, T $(, $hasher:ident)?>;)*) => {$(
        #[doc(hidden)]
        impl<K: Typed, T: Typed $(, $hasher)?> Typed for $map<K, T $(, $hasher)?> {
            fn value_type() -> Type {
                collection_of::<T>(Type::map)
            }
        }

        #[doc(hidden)]
        impl<$($parameters)*> FromValue for $map<K, T $(, $hasher)?>
        where
            K: FromValue,
            T: FromValue,
        {
            const READS_TUPLES: bool = true;

            fn from_value(value: &Value) -> Result<Self, Error> {
                read_entries(value)
            }
        }

        #[doc(hidden)]
        impl<K: IntoValue, T: IntoValue $(, $hasher)?> IntoValue for $map<K, T $(, $hasher)?> {
            fn to_value(&self) -> Result<Value, Error> {
                Ok(mapping::<T>(all(self.iter().map(entry))?))
            }
        }

        #[doc(hidden)]
        impl<T: Typed + Into<Value> $(, $hasher)?> From<$map<String, T $(, $hasher)?>> for Value {
            fn from(map: $map<String, T $(, $hasher)?>) -> Value {
                mapping::<T>(map.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
            }
        }
    )*};
}

maps! {
    [K: Ord, T] BTreeMap<K, T>;
    [K: Eq + Hash, T, S: BuildHasher + Default] HashMap<K, T, S>;
}
