//! Names of types: the form of type expressions, and friendly names for messages.

use std::fmt;

use super::Type;
use hclkit_limits::is_visible;

use crate::display::quoted;

impl Type {
    /// The name for values of this type in messages: "list of string", "object", "dynamic".
    pub fn friendly_name(&self) -> String {
        let of = |kind: &str, element: &Type| format!("{kind} of {}", element.friendly_name());
        match self {
            Type::Dynamic => "dynamic".to_owned(),
            Type::String => "string".to_owned(),
            Type::Number => "number".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::List(element) => of("list", element),
            Type::Set(element) => of("set", element),
            Type::Map(element) => of("map", element),
            Type::Tuple(_) => "tuple".to_owned(),
            Type::Object(_) => "object".to_owned(),
            Type::Capsule(capsule) => capsule.name().to_owned(),
        }
    }

    /// The name for messages that say what a specification requires. Like the friendly name, but the
    /// dynamic pseudo-type is "any type", and a list of it is "list of any single type".
    pub fn required_name(&self) -> String {
        let of = |kind: &str, element: &Type| match element {
            Type::Dynamic => format!("{kind} of any single type"),
            element => format!("{kind} of {}", element.required_name()),
        };
        match self {
            Type::Dynamic => "any type".to_owned(),
            Type::List(element) => of("list", element),
            Type::Set(element) => of("set", element),
            Type::Map(element) => of("map", element),
            other => other.friendly_name(),
        }
    }
}

/// The type as a type expression: `list(string)`, `object({a=number, b=optional(bool)})`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Dynamic => f.write_str("any"),
            Type::String => f.write_str("string"),
            Type::Number => f.write_str("number"),
            Type::Bool => f.write_str("bool"),
            Type::List(element) => write!(f, "list({element})"),
            Type::Set(element) => write!(f, "set({element})"),
            Type::Map(element) => write!(f, "map({element})"),
            Type::Tuple(tuple) => {
                f.write_str("tuple([")?;
                for (i, element) in tuple.elements().iter().enumerate() {
                    write!(f, "{}{element}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("])")
            }
            Type::Object(object) => {
                f.write_str("object({")?;
                for (i, (name, ty)) in object.attributes().enumerate() {
                    f.write_str(if i == 0 { "" } else { ", " })?;
                    if is_identifier(name) {
                        f.write_str(name)?;
                    } else {
                        f.write_str(&quoted(name))?;
                    }
                    if object.is_optional_at(i) {
                        write!(f, "=optional({ty})")?;
                    } else {
                        write!(f, "={ty}")?;
                    }
                }
                f.write_str("})")
            }
            Type::Capsule(capsule) => f.write_str(capsule.name()),
        }
    }
}

/// Returns true if a name can be written without quotes.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
        // Invisible letters are escaped, which requires quotes.
        && name.chars().all(is_visible)
}
