//! The size of a value as text, computed before it is written. The text can be exponentially large, because a value can
//! contain a shared part many times.

use std::collections::HashMap;
use std::hash::Hash;
use std::slice;

use hclkit_limits::Meter;

use crate::types::{Anchor, anchor};
use crate::value::Repr;
use crate::{Error, Type, Value};

/// The spaces by which a level is indented.
const INDENT: u64 = 2;

/// The bytes that an element adds to its own: a separator and a line break.
const SEPARATOR: u64 = 2;

/// The size of the text of a value over several lines.
#[derive(Clone, Copy, Default)]
struct Extent {
    bytes: u64,
    lines: u64,
}

impl Extent {
    fn of_line(bytes: usize) -> Self {
        Self { bytes: bytes as u64, lines: 1 }
    }

    /// Adds one level of indentation.
    fn indented(mut self) -> Self {
        self.bytes = self.bytes.saturating_add(self.lines.saturating_mul(INDENT));
        self
    }

    /// Adds a part that is indented by one more level.
    fn add(&mut self, part: Self) {
        let indent = part.lines.saturating_mul(INDENT);
        self.bytes = self.bytes.saturating_add(part.bytes).saturating_add(indent).saturating_add(SEPARATOR);
        self.lines = self.lines.saturating_add(part.lines);
    }
}

impl Value {
    #[doc(hidden)]
    /// The approximate size of the value as source, JSON or YAML with one element per line, in bytes. A part that occurs
    /// several times counts each time, but is visited only once. Escaped characters can take up to six times as many bytes
    /// as this function assumes.
    ///
    /// ```
    /// use hclkit_value::Value;
    ///
    /// let doubled = (0..60).fold(Value::from("x"), |value, _| Value::tuple([value.clone(), value]));
    /// assert!(doubled.text_size() > 1 << 60);
    /// assert!(Value::from("abc").text_size() < 10);
    /// ```
    pub fn text_size(&self) -> u64 {
        size(self)
    }

    #[doc(hidden)]
    /// Checks that the value can be written as text within the limit on bytes. The text can be exponentially large, so this
    /// is checked before writing.
    ///
    /// # Errors
    /// The text would exceed the limit on bytes. Up to four times as many bytes may pass, because the size is an estimate.
    pub fn check_text_size(&self) -> Result<(), Error> {
        // Text with few levels is not much larger than the value.
        if self.depth() <= 2 { Ok(()) } else { check(self.text_size()) }
    }
}

impl Type {
    #[doc(hidden)]
    /// The approximate size of the type as JSON over several lines, in bytes. A part that occurs several times counts each
    /// time, but is visited only once.
    ///
    /// ```
    /// use hclkit_value::Type;
    ///
    /// let doubled = (0..60).fold(Type::String, |ty, _| Type::tuple([ty.clone(), ty]));
    /// assert!(doubled.text_size() > 1 << 60);
    /// assert!(Type::list(Type::Bool).text_size() < 50);
    /// ```
    pub fn text_size(&self) -> u64 {
        size(self)
    }

    #[doc(hidden)]
    /// Checks that the type can be written as text within the limit on bytes.
    ///
    /// # Errors
    /// Those of [`Value::check_text_size`].
    pub fn check_text_size(&self) -> Result<(), Error> {
        if self.is_deep() { check(self.text_size()) } else { Ok(()) }
    }
}

/// Checks an estimated size, which is at most four times the size.
fn check(size: u64) -> Result<(), Error> {
    Ok(Meter::current().room_for_bytes(usize::try_from(size / 4).unwrap_or(usize::MAX))?)
}

/// The size of something nested. Shared parts are visited once, and there is no recursion: values and types that are built in
/// code can have any depth.
fn size<T: Nested>(whole: &T) -> u64 {
    let mut known: HashMap<T::Anchor, Extent> = HashMap::new();
    let mut open: Vec<Open<'_, T>> = Vec::new();
    let mut next = whole;
    loop {
        let mut done = next.anchor().and_then(|anchor| known.get(&anchor).copied());
        if done.is_none() {
            open.push(next.open());
        }
        loop {
            let Some(top) = open.last_mut() else { return done.unwrap_or_default().bytes };
            if let Some(part) = done.take() {
                top.extent.add(if top.indents { part.indented() } else { part });
            }
            if let Some(part) = top.parts.next() {
                next = part;
                break;
            }
            let extent = top.extent;
            known.extend(top.anchor.map(|anchor| (anchor, extent)));
            open.pop();
            done = Some(extent);
        }
    }
}

/// A value or a type.
trait Nested: Sized {
    type Anchor: Copy + Eq + Hash;

    /// Where it is stored, if it may be a part of several others.
    fn anchor(&self) -> Option<Self::Anchor>;

    /// Its own size, and its parts.
    fn open(&self) -> Open<'_, Self>;
}

/// Something of which the first parts were added.
struct Open<'a, T: Nested> {
    anchor: Option<T::Anchor>,
    extent: Extent,
    /// Those that were not added.
    parts: slice::Iter<'a, T>,
    /// The parts are indented by two levels.
    indents: bool,
}

impl Nested for Value {
    type Anchor = *const ();

    fn anchor(&self) -> Option<*const ()> {
        if self.depth() > 1 { self.shared_place() } else { None }
    }

    fn open(&self) -> Open<'_, Self> {
        let bare = self.bare();
        let extent = match &bare.0 {
            Repr::String(text) => Extent::of_line(text.len() + 2),
            Repr::Number(number) => Extent::of_line(number.digits_at_most()),
            // Brackets, or the text of null, a bool or an unknown value.
            _ => {
                let keys = bare.entries().into_iter().flatten().map(|(key, _)| key.len() as u64 + 4);
                Extent { bytes: keys.fold(8, u64::saturating_add), lines: 2 }
            }
        };
        Open { anchor: self.anchor(), extent, parts: bare.parts().iter(), indents: false }
    }
}

impl Nested for Type {
    type Anchor = Anchor;

    fn anchor(&self) -> Option<Anchor> {
        (self.is_structural() || self.is_collection()).then(|| anchor(self))
    }

    fn open(&self) -> Open<'_, Self> {
        // The brackets and the name of the kind.
        let mut extent = Extent { bytes: 16, lines: 3 };
        let (parts, indents): (&[Self], bool) = match self {
            Self::List(element) | Self::Set(element) | Self::Map(element) => {
                (slice::from_ref(&**element), false)
            }
            Self::Tuple(tuple) => (tuple.elements(), true),
            Self::Object(object) => {
                let names = object.attributes().map(|(name, _)| name.len() as u64 + 4);
                extent.bytes = names.fold(extent.bytes, u64::saturating_add);
                (object.types(), true)
            }
            _ => {
                extent = Extent::of_line(10);
                (&[], false)
            }
        };
        Open { anchor: self.anchor(), extent, parts: parts.iter(), indents }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Number;

    #[test]
    fn the_estimated_size_is_close_to_the_size_of_the_text() {
        let numbers =
            ["1e999", "-1e-999", "0.1", "123456789012345678901234567890", "1e999999", "1e600000000"];
        let mut values: Vec<Value> =
            numbers.iter().map(|text| Value::from(text.parse::<Number>().unwrap())).collect();
        values.push(Value::from("text"));
        values.push(Value::NULL);
        values.push(Value::object([
            ("name", Value::tuple(values.clone())),
            ("other", Value::tuple::<Value>([])),
        ]));
        for value in values {
            let text = value.to_string();
            assert!(value.text_size() >= text.len() as u64, "{} for {text:.60}", value.text_size());
            assert!(value.text_size() <= text.len() as u64 * 4 + 400, "{} for {text:.60}", value.text_size());
        }
    }
}
