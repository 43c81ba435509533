//! Values as plain data, which JSON and `serde` can represent. Only this file decides which values cannot be represented.

use std::fmt;

use super::{Entries, Repr, Value};
use crate::{Error, Number, Str};

/// One level of a value as plain data: without types, marks, unknown values, infinities and capsules.
#[derive(Debug, Clone)]
pub enum Plain<'v> {
    /// The null value of any type.
    Null,
    /// True or false.
    Bool(bool),
    /// A finite number. `Display` writes all of its digits.
    Number(&'v Number),
    /// Text.
    String(&'v Str),
    /// The elements of a list, set or tuple.
    Sequence(&'v [Value]),
    /// The entries of a map or object, sorted by key.
    Map(Entries<'v>),
}

/// Why a value is not plain data. `Display` writes what the value is, such as `an infinity`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotPlain {
    /// An infinity.
    Infinity,
    /// An unknown value.
    Unknown,
    /// A value with marks.
    Marked,
    /// A capsule.
    Capsule,
}

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Infinity => "an infinity",
            Self::Unknown => "an unknown value",
            Self::Marked => "a marked value",
            Self::Capsule => "a capsule",
        })
    }
}

impl std::error::Error for NotPlain {}

impl NotPlain {
    /// The error of an encoding: `an infinity cannot be represented in JSON`.
    pub(crate) fn has_no_form(self, encoding: &str) -> Error {
        Error::without_values(format!("{self} cannot be represented in {encoding}"))
    }
}

impl Value {
    #[doc(hidden)]
    /// The value as plain data, without checking its elements.
    ///
    /// ```
    /// use hclkit_value::{NotPlain, Number, Plain, Value};
    ///
    /// assert!(matches!(Value::from(true).plain(), Ok(Plain::Bool(true))));
    /// assert_eq!(Value::from(Number::infinity()).plain().err(), Some(NotPlain::Infinity));
    /// ```
    ///
    /// # Errors
    /// The value is an infinity, unknown, marked or a capsule. Elements of a value without an error may still be any of these.
    pub fn plain(&self) -> Result<Plain<'_>, NotPlain> {
        Ok(match &self.0 {
            Repr::Null(_) => Plain::Null,
            Repr::Bool(flag) => Plain::Bool(*flag),
            Repr::Number(number) if number.is_infinite() => return Err(NotPlain::Infinity),
            Repr::Number(number) => Plain::Number(number),
            Repr::String(text) => Plain::String(text),
            Repr::List(list) => Plain::Sequence(&list.items),
            Repr::Set(set) => Plain::Sequence(&set.items),
            Repr::Tuple(tuple) => Plain::Sequence(&tuple.items),
            Repr::Map(map) => Plain::Map(Entries::new(&map.keys, &map.values)),
            Repr::Object(object) => Plain::Map(Entries::new(&object.names, &object.values)),
            Repr::Unknown(_) | Repr::UnknownDynamic | Repr::Open(_) => return Err(NotPlain::Unknown),
            Repr::Marked(_) => return Err(NotPlain::Marked),
            Repr::Capsule(_) => return Err(NotPlain::Capsule),
        })
    }
}
