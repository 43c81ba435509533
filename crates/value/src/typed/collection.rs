//! Conversion between values and vectors, arrays, sets, tuples and options.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

use super::{FromValue, IntoValue, Typed, mismatch};
use crate::error::Errors;
use crate::path::Step;
use crate::value::Repr;
use crate::{Error, Type, Value};

/// The type of a collection, or the dynamic pseudo-type if its elements can have several types.
pub(super) fn collection_of<T: Typed>(collection: fn(Type) -> Type) -> Type {
    let element = T::value_type();
    if element.has_dynamic() { Type::Dynamic } else { collection(element) }
}

/// A list if the elements have one type, otherwise a tuple.
fn sequence<T: Typed>(items: Vec<Value>) -> Value {
    let element = T::value_type();
    if element.has_dynamic() {
        return Value::tuple(items);
    }
    // An incorrect implementation of `Typed` can give elements of another type. The result is still a value.
    Value::list_of(element, items.iter().cloned()).unwrap_or_else(|_| Value::tuple(items))
}

/// A set, or a tuple if the elements have several types.
fn set<T: Typed>(items: Vec<Value>) -> Value {
    let element = T::value_type();
    let copies = items.iter().cloned();
    let set = if element.has_dynamic() { Value::set(copies) } else { Value::set_of(element, copies) };
    set.unwrap_or_else(|_| Value::tuple(items))
}

/// The parts of a list, set or tuple.
fn items<'v>(value: &'v Value, expected: &str) -> Result<&'v [Value], Error> {
    value.as_slice().ok_or_else(|| mismatch(expected, value))
}

/// The step to element number `at`. In a set it is the element itself.
fn step(value: &Value, at: usize, item: &Value) -> Step {
    match &value.0 {
        Repr::Set(_) => Step::Index(item.clone()),
        _ => Step::from(at),
    }
}

fn read_items<T: FromValue, C: FromIterator<T>>(value: &Value, expected: &str) -> Result<C, Error> {
    let read = |(at, item)| T::from_value(item).map_err(|error| error.within(step(value, at, item)));
    all(items(value, expected)?.iter().enumerate().map(read))
}

/// Collects parts, or the errors of all.
pub(super) fn all<T, C: FromIterator<T>>(parts: impl Iterator<Item = Result<T, Error>>) -> Result<C, Error> {
    let mut errors = Errors::default();
    let read = parts.map_while(|part| (!errors.is_full()).then(|| errors.take(part))).flatten().collect();
    errors.finish(read)
}

/// The values of parts, or the errors of all.
fn to_values<'p, T: IntoValue + 'p>(parts: impl IntoIterator<Item = &'p T>) -> Result<Vec<Value>, Error> {
    let value = |(at, part): (usize, &T)| part.to_value().map_err(|error| error.within(Step::from(at)));
    all(parts.into_iter().enumerate().map(value))
}

impl Value {
    /// An attribute of an object as a Rust type.
    ///
    /// ```
    /// use hclkit_value::Value;
    ///
    /// let server = Value::object([("name", Value::from("web")), ("port", Value::from(-1))]);
    /// assert_eq!(server.attribute_as::<String>("name")?, "web");
    /// let error = server.attribute_as::<u16>("port").unwrap_err();
    /// assert_eq!(error.to_string(), ".port: expected a whole number from 0 to 65535, found -1");
    /// # Ok::<(), hclkit_value::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Value::attribute`] and [`FromValue::from_value`], the latter with the name as the first step of the path.
    pub fn attribute_as<T: FromValue>(&self, name: &str) -> Result<T, Error> {
        T::from_value(&self.attribute(name)?).map_err(|error| error.within(Step::Attribute(name.into())))
    }
}

const SEQUENCE: &str = "a list, set or tuple";

/// The impls for collections that are generic over one element type.
macro_rules! collections {
    ($([$($parameters:tt)*] $rust:ty: $ty:expr, $read:expr, $make:ident $(, $items:ident)?;)*) => {$(
        #[doc(hidden)]
        impl<$($parameters)*> Typed for $rust
        where
            T: Typed,
        {
            fn value_type() -> Type {
                $ty
            }
        }

        #[doc(hidden)]
        impl<$($parameters)*> FromValue for $rust
        where
            T: FromValue,
        {
            const READS_TUPLES: bool = true;
            $(
                fn from_texts<'t, I: Iterator<Item = Cow<'t, str>>>(
                    $items: impl FnOnce() -> Option<I>,
                ) -> Option<Self> {
                    $items()?.map(|text| T::from_text(|| Some(text))).collect()
                }
            )?

            fn from_value(value: &Value) -> Result<$rust, Error> {
                $read(value)
            }
        }

        #[doc(hidden)]
        impl<$($parameters)*> IntoValue for $rust
        where
            T: IntoValue,
        {
            fn to_value(&self) -> Result<Value, Error> {
                Ok($make::<T>(to_values(self)?))
            }
        }

        #[doc(hidden)]
        impl<$($parameters)*> From<$rust> for Value
        where
            T: Typed + Into<Value>,
        {
            fn from(parts: $rust) -> Value {
                $make::<T>(parts.into_iter().map(Into::into).collect())
            }
        }
    )*};
}

collections! {
    [T] Vec<T>: collection_of::<T>(Type::list), |value| read_items(value, SEQUENCE), sequence, texts;
    [T] Box<[T]>: collection_of::<T>(Type::list), |value| read_items(value, SEQUENCE), sequence, texts;
    [T] VecDeque<T>: collection_of::<T>(Type::list), |value| read_items(value, SEQUENCE), sequence, texts;
    [T, const N: usize] [T; N]: collection_of::<T>(Type::list), read_array, sequence;
    [T: Ord] BTreeSet<T>: collection_of::<T>(Type::set), |value| read_items(value, SEQUENCE), set, texts;
    [T: Eq + Hash, S: BuildHasher + Default] HashSet<T, S>:
        collection_of::<T>(Type::set), |value| read_items(value, SEQUENCE), set, texts;
}

fn read_array<T: FromValue, const N: usize>(value: &Value) -> Result<[T; N], Error> {
    let read: Vec<T> = read_items(value, SEQUENCE)?;
    <[T; N]>::try_from(read).map_err(|read| {
        let noun = if N == 1 { "element" } else { "elements" };
        Error::without_values(format!("expected {N} {noun}, found {}", read.len()))
    })
}

#[doc(hidden)]
impl<T: Typed> Typed for [T] {
    fn value_type() -> Type {
        collection_of::<T>(Type::list)
    }
}

#[doc(hidden)]
impl<T: IntoValue> IntoValue for [T] {
    fn to_value(&self) -> Result<Value, Error> {
        Ok(sequence::<T>(to_values(self)?))
    }
}

#[doc(hidden)]
impl<T: Typed + Clone + Into<Self>> From<&[T]> for Value {
    fn from(items: &[T]) -> Self {
        Self::from(items.to_vec())
    }
}

/// `None` is null.
#[doc(hidden)]
impl<T: Typed> Typed for Option<T> {
    fn value_type() -> Type {
        T::value_type()
    }

    fn names() -> &'static [&'static str] {
        T::names()
    }

    fn is_nullable() -> bool {
        true
    }
}

#[doc(hidden)]
impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Result<Self, Error> {
        match &value.0 {
            Repr::Null(_) => Ok(None),
            _ => T::from_value(value).map(Some),
        }
    }
}

#[doc(hidden)]
impl<T: IntoValue> IntoValue for Option<T> {
    fn to_value(&self) -> Result<Value, Error> {
        self.as_ref().map_or_else(|| Ok(Value::null(T::value_type())), IntoValue::to_value)
    }
}

#[doc(hidden)]
impl<T: Typed + Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(|| Self::null(T::value_type()), Into::into)
    }
}

/// The parts of a tuple of options, if it has all.
macro_rules! read_all {
    ($read:ident: $($at:tt),+) => {
        (|| Some(($($read.$at?,)+)))()
    };
}

macro_rules! tuples {
    ($($count:literal: $($part:ident $at:tt),+;)*) => {$(
        #[doc(hidden)]
        impl<$($part: Typed),+> Typed for ($($part,)+) {
            fn value_type() -> Type {
                Type::tuple([$($part::value_type()),+])
            }
        }

        #[doc(hidden)]
        impl<$($part: FromValue),+> FromValue for ($($part,)+) {
            fn from_value(value: &Value) -> Result<($($part,)+), Error> {
                let items = items(value, "a tuple")?;
                if items.len() != $count {
                    let noun = if $count == 1 { "element" } else { "elements" };
                    let found = items.len();
                    return Err(Error::without_values(format!("expected {} {noun}, found {found}", $count)));
                }
                let mut errors = Errors::default();
                let read = ($(
                    errors.take(
                        $part::from_value(&items[$at])
                            .map_err(|error| error.within(step(value, $at, &items[$at]))),
                    ),
                )+);
                let read = read_all!(read: $($at),+);
                errors.finish(read)?.ok_or_else(|| mismatch("a tuple", value))
            }
        }

        #[doc(hidden)]
        impl<$($part: IntoValue),+> IntoValue for ($($part,)+) {
            fn to_value(&self) -> Result<Value, Error> {
                let part = |at: usize, value: Result<Value, Error>| {
                    value.map_err(|error| error.within(Step::from(at)))
                };
                let parts: Vec<Value> = all([$(part($at, self.$at.to_value())),+].into_iter())?;
                Ok(Value::tuple(parts))
            }
        }

        #[doc(hidden)]
        impl<$($part: Into<Value>),+> From<($($part,)+)> for Value {
            fn from(parts: ($($part,)+)) -> Value {
                Value::tuple([$(parts.$at.into()),+])
            }
        }
    )*};
}

tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
}
