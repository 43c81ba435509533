//! Values as plain data, which JSON and `serde` have forms for. The one place that decides which values have none.

use std::fmt;

use super::{Entries, Repr, Value};
use crate::{Error, Number, Str};

/// A value as plain data, one level deep: no types, no marks, nothing unknown, no infinity.
#[derive(Debug, Clone)]
pub enum Plain<'v> {
    /// The null value of any type.
    Null,
    /// True or false.
    Bool(bool),
    /// A finite number. As text it has all of its digits.
    Number(&'v Number),
    /// Text.
    String(&'v Str),
    /// The elements of a list, set or tuple.
    Sequence(&'v [Value]),
    /// The entries of a map or object, sorted by key.
    Map(Entries<'v>),
}

/// Why a value is not plain data. The text names what the value is, like `an infinity`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotPlain {
    /// An infinity.
    Infinity,
    /// A value that is not known.
    Unknown,
    /// A value with marks.
    Marked,
    /// A capsule.
    Capsule,
}

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotPlain::Infinity => "an infinity",
            NotPlain::Unknown => "an unknown value",
            NotPlain::Marked => "a marked value",
            NotPlain::Capsule => "a capsule",
        })
    }
}

impl std::error::Error for NotPlain {}

impl NotPlain {
    /// As an error of an encoding: `an infinity cannot be represented in JSON`.
    pub(crate) fn has_no_form(self, encoding: &str) -> Error {
        Error::without_values(format!("{self} cannot be represented in {encoding}"))
    }
}

impl Value {
    /// The value as plain data. Elements are looked at only when they are asked for in turn.
    ///
    /// ```
    /// use hclkit_value::{NotPlain, Number, Plain, Value};
    ///
    /// assert!(matches!(Value::from(true).plain(), Ok(Plain::Bool(true))));
    /// assert_eq!(Value::from(Number::infinity()).plain().err(), Some(NotPlain::Infinity));
    /// ```
    ///
    /// # Errors
    /// Infinities, unknown values, values with marks and capsules. The elements may still be any of these.
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
            Repr::Unknown(_) | Repr::UnknownDynamic => return Err(NotPlain::Unknown),
            Repr::Marked(_) => return Err(NotPlain::Marked),
            Repr::Capsule(_) => return Err(NotPlain::Capsule),
        })
    }
}
