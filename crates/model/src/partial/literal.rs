//! Values as source text that evaluates to exactly the same value and type.

use std::cmp::Ordering;
use std::collections::HashMap;

use hclkit_limits::Meter;
use hclkit_value::{Kind, Number, Type, Value};

/// The position of a value in the source.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValuePosition {
    /// Anywhere: value and type matter.
    Value,
    /// Before a step that takes an element.
    Base,
    /// The base of an access or a splat: like `Value`, in parentheses if necessary.
    Source,
    /// The collection of a loop: only its elements and their keys matter.
    Elements,
    /// The collection of a loop that does not use the keys.
    Items,
}

/// Deeper values are not written, because the nesting of source is limited.
const DEEPEST: usize = 100;
/// Larger numbers and tiny ones are not written, because they have too many digits.
const MOST_DIGITS: i32 = 400;

/// Writes values.
#[derive(Default)]
pub(super) struct Literals {
    /// Whether structures can be written, by the addresses of their parts, which are kept alive so that addresses stay
    /// unique.
    exact: HashMap<(*const Value, usize), (Value, bool)>,
}

impl Literals {
    /// The source of a value in a position, if it has one. If there is no room for it, the next check of limits reports
    /// it.
    pub(super) fn write(&mut self, value: &Value, place: ValuePosition) -> Option<String> {
        let text = self.text(value, place)?;
        Meter::current().take_bytes(text.len()).ok()?;
        Some(text)
    }

    fn text(&mut self, value: &Value, place: ValuePosition) -> Option<String> {
        if !value.is_wholly_known() || value.contains_marked() || value.depth() > DEEPEST {
            return None;
        }
        if value.check_text_size().is_err() {
            return None;
        }
        let parts = value.parts();
        let parts_are_exact = |this: &mut Self| parts.iter().all(|part| this.is_exact(part));
        match (value.kind(), place) {
            (Kind::List(_), ValuePosition::Base | ValuePosition::Elements | ValuePosition::Items)
            | (Kind::Set(_), ValuePosition::Items) => {
                parts_are_exact(self).then(|| Value::tuple(parts.iter().cloned()).to_string())
            }
            (Kind::Map(_), ValuePosition::Elements | ValuePosition::Items) => {
                let entries = || value.entries().into_iter().flatten();
                parts_are_exact(self).then(|| {
                    Value::object(entries().map(|(key, part)| (key.clone(), part.clone()))).to_string()
                })
            }
            _ if !self.is_exact(value) => None,
            (Kind::Tuple(_) | Kind::Object(_) | Kind::String(_), _) => Some(value.to_string()),
            (_, ValuePosition::Base | ValuePosition::Source) => Some(format!("({value})")),
            _ => Some(value.to_string()),
        }
    }

    /// Returns true if the source of a value evaluates to this value and its type.
    fn is_exact(&mut self, value: &Value) -> bool {
        match value.kind() {
            Kind::String(_) | Kind::Bool(_) => true,
            Kind::Number(number) => is_exact(number),
            Kind::Null(ty) => ty == Type::Dynamic,
            Kind::Tuple(_) | Kind::Object(_) => {
                let parts = value.parts();
                let key = (parts.as_ptr(), parts.len());
                if let Some((_, exact)) = self.exact.get(&key) {
                    return *exact;
                }
                let exact = parts.iter().all(|part| self.is_exact(part));
                self.exact.insert(key, (value.clone(), exact));
                exact
            }
            _ => false,
        }
    }
}

fn is_exact(number: &Number) -> bool {
    if number.to_i128().is_some() {
        return true;
    }
    if number.is_infinite() {
        return false;
    }
    let power = |exponent: i32| format!("1e{exponent}").parse::<Number>();
    let (Ok(least), Ok(most)) = (power(-MOST_DIGITS), power(MOST_DIGITS)) else { return false };
    let size = number.abs();
    size.compare(&least) == Ordering::Greater
        && size.compare(&most) == Ordering::Less
        && number.to_string().parse::<Number>().is_ok_and(|read| {
            read.compare(number) == Ordering::Equal && read.precision() == number.precision()
        })
}
