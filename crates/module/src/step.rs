//! Steps of addresses, and addresses as text.

use std::fmt::Write as _;

use hclkit_syntax::is_identifier;
use hclkit_value::{Name, Value};

/// A step of an address.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Name(Name),
    /// The key of an instance.
    Key(Value),
}

impl Step {
    /// The key of an instance. A key that must not be shown becomes its number.
    pub(crate) fn instance(key: &Value, number: usize) -> Self {
        Self::Key(if key.is_marked() { Value::from(format!("(sensitive {number})")) } else { key.clone() })
    }

    /// About how many bytes the step takes in an address.
    pub(crate) fn text_len(&self) -> usize {
        match self {
            Self::Name(name) => name.len() + 1,
            Self::Key(key) => key.as_str().map_or(0, str::len) + 4,
        }
    }
}

/// An address, as written in an expression.
pub(crate) fn written(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Name(name) => {
                let name = address(std::slice::from_ref(name));
                if !text.is_empty() && !name.starts_with('[') {
                    text.push('.');
                }
                text.push_str(&name);
            }
            Step::Key(key) if !key.is_known() => text.push_str("[*]"),
            Step::Key(key) => {
                let _ = write!(text, "[{key}]");
            }
        }
    }
    text
}

/// A path of names, as written in an expression.
pub(crate) fn address(path: &[Name]) -> String {
    let mut text = String::new();
    for name in path {
        if !is_identifier(name) {
            let _ = write!(text, "[{}]", Value::from(name));
            continue;
        }
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(name);
    }
    text
}
