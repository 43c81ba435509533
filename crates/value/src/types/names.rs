//! Names of types: the form of type expressions, and friendly names for messages.

use std::fmt::{self, Write};

use hclkit_limits::is_visible;

use super::{ObjectType, Type};
use crate::display::{LONG, Room, quoted};

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

/// The type as a type expression: `list(string)`, `object({a=number, b=optional(bool)})`. Text beyond the limit on bytes
/// is cut off with an ellipsis, because a type can contain a shared part exponentially many times.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Expression { f, room: Room::default() };
        match out.ty(self) {
            Err(fmt::Error) if out.room.is_full() => Ok(()),
            done => done,
        }
    }
}

/// Writes a type expression.
struct Expression<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    room: Room,
}

impl Expression<'_, '_> {
    fn put(&mut self, text: &str) -> fmt::Result {
        if !self.room.take(text.len()) {
            self.f.write_char('…')?;
            return Err(fmt::Error);
        }
        self.f.write_str(text)
    }

    fn ty(&mut self, ty: &Type) -> fmt::Result {
        match ty {
            Type::Dynamic => self.put("any"),
            Type::String => self.put("string"),
            Type::Number => self.put("number"),
            Type::Bool => self.put("bool"),
            Type::List(element) => self.within("list(", element),
            Type::Set(element) => self.within("set(", element),
            Type::Map(element) => self.within("map(", element),
            Type::Tuple(tuple) => {
                self.put("tuple([")?;
                for (i, element) in tuple.elements().iter().enumerate() {
                    self.put(if i == 0 { "" } else { ", " })?;
                    self.ty(element)?;
                }
                self.put("])")
            }
            Type::Object(object) => self.object(object),
            Type::Capsule(capsule) => self.put(capsule.name()),
        }
    }

    fn within(&mut self, open: &str, ty: &Type) -> fmt::Result {
        self.put(open)?;
        self.ty(ty)?;
        self.put(")")
    }

    fn object(&mut self, object: &ObjectType) -> fmt::Result {
        self.put("object({")?;
        for (i, (name, ty)) in object.attributes().enumerate() {
            self.put(if i == 0 { "" } else { ", " })?;
            if is_identifier(name) {
                self.put(name)?;
            } else {
                self.put(&quoted(name))?;
            }
            self.put("=")?;
            if object.is_optional_at(i) {
                self.within("optional(", ty)?;
            } else {
                self.ty(ty)?;
            }
        }
        self.put("})")
    }
}

/// The text of a type in a message: its friendly name if the expression is long.
pub(crate) fn brief(ty: &Type) -> String {
    if ty.text_size() > LONG as u64 { ty.friendly_name() } else { ty.to_string() }
}

/// Returns true if a name can be written without quotes.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
        // Invisible letters are escaped, which requires quotes.
        && name.chars().all(is_visible)
}
