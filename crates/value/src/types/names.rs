//! Names of types: the form of type expressions, and friendly names for messages.

use std::fmt;

use hclkit_limits::is_visible;

use super::{ObjectType, TupleType, Type};
use crate::written::{LONG, MOST_DEBUG, Room, quoted};

impl Type {
    /// The name for values of this type in messages: "list of string", "object", "dynamic".
    #[doc(hidden)]
    pub fn friendly_name(&self) -> String {
        let of = |kind: &str, element: &Self| format!("{kind} of {}", element.friendly_name());
        match self {
            Self::Dynamic => "dynamic".to_owned(),
            Self::String => "string".to_owned(),
            Self::Number => "number".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::List(element) => of("list", element),
            Self::Set(element) => of("set", element),
            Self::Map(element) => of("map", element),
            Self::Tuple(_) => "tuple".to_owned(),
            Self::Object(_) => "object".to_owned(),
            Self::Capsule(capsule) => capsule.name().to_owned(),
        }
    }

    #[doc(hidden)]
    /// The name for messages that say what a specification requires. Like the friendly name, but the
    /// dynamic pseudo-type is "any type", and a list of it is "list of any single type".
    pub fn required_name(&self) -> String {
        let of = |kind: &str, element: &Self| match element {
            Self::Dynamic => format!("{kind} of any single type"),
            element => format!("{kind} of {}", element.required_name()),
        };
        match self {
            Self::Dynamic => "any type".to_owned(),
            Self::List(element) => of("list", element),
            Self::Set(element) => of("set", element),
            Self::Map(element) => of("map", element),
            other => other.friendly_name(),
        }
    }
}

/// The type as a type expression: `list(string)`, `object({a=number, b=optional(bool)})`. Text beyond the limit on bytes
/// is cut off with an ellipsis, because a type can contain a shared part exponentially many times.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&TypeText { ty: self, most: usize::MAX, names: true }, f)
    }
}

/// Same as `Display`, but text of more than 65,536 bytes is cut off.
#[doc(hidden)]
impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&TypeText { ty: self, most: MOST_DEBUG, names: true }, f)
    }
}

/// A type as text. It is written without recursion, because types may be nested to any depth.
pub(crate) struct TypeText<'t> {
    pub(crate) ty: &'t Type,
    /// The number of bytes after which the text ends with an ellipsis.
    pub(crate) most: usize,
    /// Whether to write the attributes of objects.
    pub(crate) names: bool,
}

/// A type of which a part is being written, with the number of written parts.
enum Open<'t> {
    Element(Option<&'t Type>),
    Elements(&'t TupleType, usize),
    Attributes(&'t ObjectType, usize),
}

impl fmt::Display for TypeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut left, mut open, mut closed) = (self.most, Vec::new(), false);
        let mut room = Room::default();
        let mut put = |text: &str| {
            let fits = text.len() <= left && room.take(text.len());
            f.write_str(if fits { text } else { "…" })?;
            left = left.saturating_sub(text.len());
            Ok::<bool, fmt::Error>(fits)
        };
        let mut part = Some(self.ty);
        loop {
            let text = match (part.take(), open.last_mut()) {
                (Some(ty), _) => match ty {
                    Type::Dynamic => "any",
                    Type::String => "string",
                    Type::Number => "number",
                    Type::Bool => "bool",
                    Type::Capsule(capsule) => capsule.name(),
                    Type::List(element) | Type::Set(element) | Type::Map(element) => {
                        open.push(Open::Element(Some(element)));
                        match ty {
                            Type::List(_) => "list(",
                            Type::Set(_) => "set(",
                            _ => "map(",
                        }
                    }
                    Type::Tuple(tuple) => {
                        open.push(Open::Elements(tuple, 0));
                        "tuple(["
                    }
                    Type::Object(object) if !self.names && !object.is_empty() => "object({…})",
                    Type::Object(object) => {
                        open.push(Open::Attributes(object, 0));
                        "object({"
                    }
                },
                (None, Some(Open::Element(element))) => {
                    part = element.take();
                    closed = part.is_none();
                    if closed { ")" } else { "" }
                }
                (None, Some(Open::Elements(tuple, at))) => {
                    part = tuple.elements().get(*at);
                    *at += 1;
                    closed = part.is_none();
                    match part {
                        Some(_) if *at > 1 => ", ",
                        Some(_) => "",
                        None => "])",
                    }
                }
                (None, Some(Open::Attributes(object, at))) => {
                    // The parenthesis after an optional attribute.
                    if *at > 0 && object.is_optional_at(*at - 1) && !put(")")? {
                        return Ok(());
                    }
                    if let Some((name, ty)) = object.attributes().nth(*at) {
                        let name = if is_identifier(name) { name.to_string() } else { quoted(name) };
                        let comma = if *at > 0 { ", " } else { "" };
                        let optional = if object.is_optional_at(*at) { "optional(" } else { "" };
                        if !put(&format!("{comma}{name}={optional}"))? {
                            return Ok(());
                        }
                        part = Some(ty);
                        *at += 1;
                        ""
                    } else {
                        closed = true;
                        "})"
                    }
                }
                (None, None) => return Ok(()),
            };
            if std::mem::take(&mut closed) {
                open.pop();
            }
            if !put(text)? {
                return Ok(());
            }
        }
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
