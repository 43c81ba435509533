//! What is shown of one side of a change. A sensitive value is left behind when this is made.

use hclkit::Value;
use hclkit::decode::PlainJson;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;

/// One side of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shown {
    /// There is nothing.
    Absent,
    /// A known value without sensitive parts.
    Value(Value),
    /// A value that is known after an apply.
    Unknown,
    /// A value that must not be shown.
    Sensitive,
    /// The source of an expression.
    Source(String),
    /// A block or a declaration without a value of its own.
    Declared,
}

impl Shown {
    /// What is shown of a value. A value with a sensitive part is sensitive as a whole.
    pub(crate) fn of(value: &Value) -> Self {
        if value.contains_marked() {
            Self::Sensitive
        } else if value.is_wholly_known() {
            Self::Value(value.clone())
        } else {
            Self::Unknown
        }
    }
}

/// On one line, as in source code.
impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("(none)"),
            Self::Value(value) => write!(f, "{}", value.show()),
            Self::Unknown => f.write_str("(known after apply)"),
            Self::Sensitive => f.write_str("(sensitive)"),
            Self::Source(text) => f.write_str(text),
            Self::Declared => f.write_str("declared"),
        }
    }
}

/// An object with one property: `value`, `source`, `unknown`, `declared` or `sensitive`. What is absent is null.
impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = match self {
            Self::Absent => return serializer.serialize_none(),
            _ => serializer.serialize_map(Some(1))?,
        };
        match self {
            Self::Value(value) => map.serialize_entry("value", &PlainJson::new(value))?,
            Self::Source(text) => map.serialize_entry("source", text)?,
            Self::Unknown => map.serialize_entry("unknown", &true)?,
            Self::Declared => map.serialize_entry("declared", &true)?,
            Self::Sensitive | Self::Absent => map.serialize_entry("sensitive", &true)?,
        }
        map.end()
    }
}
