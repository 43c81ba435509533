//! The size of a value as text, computed before it is written. The text can be exponentially large, because a value can
//! contain a shared part many times.

use std::collections::HashMap;

use hclkit_limits::Meter;

use crate::convert::{Place, place};
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
    fn of_line(bytes: usize) -> Extent {
        Extent { bytes: bytes as u64, lines: 1 }
    }

    /// Adds one level of indentation.
    fn indented(mut self) -> Extent {
        self.bytes = self.bytes.saturating_add(self.lines.saturating_mul(INDENT));
        self
    }

    /// Adds a part that is indented by one more level.
    fn add(&mut self, part: Extent) {
        let indent = part.lines.saturating_mul(INDENT);
        self.bytes = self.bytes.saturating_add(part.bytes).saturating_add(indent).saturating_add(SEPARATOR);
        self.lines = self.lines.saturating_add(part.lines);
    }
}

impl Value {
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
        self.extent(&mut HashMap::new()).bytes
    }

    /// Checks that the value can be written as text within the limit on bytes. The text can be exponentially large, so this
    /// is checked before writing.
    ///
    /// # Errors
    /// The text would exceed the limit on bytes. Up to four times as many bytes may pass, because the size is an estimate.
    pub fn check_text_size(&self) -> Result<(), Error> {
        // Text with few levels is not much larger than the value.
        if self.depth() <= 2 { Ok(()) } else { check(self.text_size()) }
    }

    fn extent(&self, known: &mut HashMap<*const (), Extent>) -> Extent {
        let place = if self.depth() > 1 { self.shared_place() } else { None };
        if let Some(extent) = place.and_then(|place| known.get(&place)) {
            return *extent;
        }
        let extent = match &self.0 {
            Repr::String(text) => Extent::of_line(text.len() + 2),
            Repr::Number(number) => Extent::of_line(number.digits_at_most()),
            Repr::Marked(marked) => marked.value.extent(known),
            _ => self.extent_of_parts(known),
        };
        if let Some(place) = place {
            known.insert(place, extent);
        }
        extent
    }

    // This is a separate function to keep stack frames small: there is one for each level of nesting.
    fn extent_of_parts(&self, known: &mut HashMap<*const (), Extent>) -> Extent {
        // Brackets, or the text of null, a bool or an unknown value.
        let mut extent = Extent { bytes: 8, lines: 2 };
        for (key, _) in self.entries().into_iter().flatten() {
            extent.bytes = extent.bytes.saturating_add(key.len() as u64 + 4);
        }
        for part in self.parts() {
            let part = part.extent(known);
            extent.add(part);
        }
        extent
    }
}

impl Type {
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
        extent_of_type(self, &mut HashMap::new()).bytes
    }

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

fn extent_of_type(ty: &Type, known: &mut HashMap<Place, Extent>) -> Extent {
    if !ty.is_structural() && !ty.is_collection() {
        return Extent::of_line(10);
    }
    if let Some(extent) = known.get(&place(ty)) {
        return *extent;
    }
    // The brackets and the name of the kind.
    let mut extent = Extent { bytes: 16, lines: 3 };
    match ty {
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            extent.add(extent_of_type(element, known));
        }
        Type::Tuple(tuple) => {
            for element in tuple.elements() {
                extent.add(extent_of_type(element, known).indented());
            }
        }
        Type::Object(object) => {
            for (name, attribute) in object.attributes() {
                extent.bytes = extent.bytes.saturating_add(name.len() as u64 + 4);
                extent.add(extent_of_type(attribute, known).indented());
            }
        }
        _ => {}
    }
    known.insert(place(ty), extent);
    extent
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
        values.push(Value::object([("name", Value::tuple(values.clone())), ("other", Value::tuple([]))]));
        for value in values {
            let text = value.to_string();
            assert!(value.text_size() >= text.len() as u64, "{} for {text:.60}", value.text_size());
            assert!(value.text_size() <= text.len() as u64 * 4 + 400, "{} for {text:.60}", value.text_size());
        }
    }
}
