//! The order and distinctness of set elements. The reference iterates a set by the order of its
//! elements where their type has one, and else by the bytes of a text made of each element's content;
//! real configurations depend on both.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

use crate::pairs::Pairs;
use crate::value::Repr;
use crate::{Type, Value};

/// A value as sets tell it from others: equal values are one element, but for zero and negative zero, which are two,
/// alone or within the values. As in the reference, that is.
///
/// ```
/// use std::collections::HashSet;
///
/// use hclkit_value::{SetElement, Value};
///
/// let (zero, negative) = (Value::from(0), Value::from("-0").convert(&hclkit_value::Type::Number)?);
/// assert_eq!(zero, negative);
/// assert_ne!(SetElement(&zero), SetElement(&negative));
/// # Ok::<(), hclkit_value::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SetElement<'a>(pub &'a Value);

impl PartialEq for SetElement<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 && same_zeros(self.0, other.0, &mut Pairs::default())
    }
}

impl Eq for SetElement<'_> {}

impl Hash for SetElement<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// Whether the zeros of two equal values have the same signs.
fn same_zeros(a: &Value, b: &Value, pairs: &mut Pairs<bool>) -> bool {
    match (&a.bare().0, &b.bare().0) {
        (Repr::Number(a), Repr::Number(b)) => a.is_negative() == b.is_negative(),
        _ if a.is_one_with(b) => true,
        _ => {
            let places = a.places_with(b);
            if pairs.found(places).is_some() {
                return true;
            }
            for (a, b) in a.bare().parts().iter().zip(b.bare().parts()) {
                if !same_zeros(a, b, pairs) {
                    return false;
                }
            }
            pairs.keep(places, true)
        }
    }
}

/// Distinct elements in iteration order. Elements that hold unknown parts are never equal to others;
/// of equal ones the first stays.
#[allow(
    clippy::mutable_key_type,
    reason = "what changes inside is a type made late, which has no part in the hash"
)]
pub(crate) fn in_set_order(mut items: Vec<Value>, element: &Type) -> Vec<Value> {
    if items.len() < 2 {
        return items;
    }
    match element {
        Type::String | Type::Number | Type::Bool => {
            // Numbers of several precisions can be equal although one is less.
            let distinct_in_order = |a: &Value, b: &Value| {
                compare_primitive(a, b) == Ordering::Less && SetElement(a) != SetElement(b)
            };
            if !items.is_sorted_by(distinct_in_order) {
                items.sort_by(compare_primitive);
                items.dedup_by(|later, earlier| later.is_known() && SetElement(later) == SetElement(earlier));
            }
            items
        }
        _ => {
            let mut seen = HashSet::with_capacity(items.len());
            let kept: Vec<bool> =
                items.iter().map(|item| !item.is_wholly_known() || seen.insert(SetElement(item))).collect();
            drop(seen);
            let mut keyed: Vec<(u8, String, Value)> = items
                .into_iter()
                .zip(kept)
                .filter(|(_, kept)| *kept)
                .map(|(item, _)| (rank(&item), content_text(&item), item))
                .collect();
            keyed.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
            keyed.into_iter().map(|(_, _, item)| item).collect()
        }
    }
}

/// Known values come first, then unknown ones, then null.
fn rank(value: &Value) -> u8 {
    if value.is_null() { 2 } else { u8::from(!value.is_known()) }
}

fn compare_primitive(a: &Value, b: &Value) -> Ordering {
    match (&a.0, &b.0) {
        (Repr::String(a), Repr::String(b)) => a.cmp(b),
        (Repr::Number(a), Repr::Number(b)) => {
            a.compare(b).then_with(|| b.is_negative().cmp(&a.is_negative()))
        }
        (Repr::Bool(a), Repr::Bool(b)) => a.cmp(b),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// The place of an element in a set's elements, where it is there.
pub(crate) fn find(items: &[Value], element_type: &Type, element: &Value) -> Option<usize> {
    if !element.is_wholly_known() {
        return None;
    }
    match element_type {
        Type::String | Type::Number | Type::Bool => {
            let near = items.partition_point(|item| compare_primitive(item, element) == Ordering::Less);
            // Numbers of several precisions can be equal without being next to one another in size.
            let from = near.saturating_sub(1);
            (from..items.len().min(near + 2)).find(|at| SetElement(&items[*at]) == SetElement(element))
        }
        _ => {
            let (rank_wanted, text) = (rank(element), content_text(element));
            let start = items.partition_point(|item| {
                rank(item).cmp(&rank_wanted).then_with(|| content_text(item).cmp(&text)) == Ordering::Less
            });
            items[start..]
                .iter()
                .take_while(|item| rank(item) == rank_wanted && content_text(item) == text)
                .position(|item| SetElement(item) == SetElement(element))
                .map(|at| start + at)
        }
    }
}

fn content_text(value: &Value) -> String {
    let mut text = String::new();
    write_content(value, &mut text);
    text
}

fn write_content(value: &Value, out: &mut String) {
    match &value.0 {
        Repr::UnknownDynamic | Repr::Unknown(_) => out.push('?'),
        Repr::Null(_) => out.push('~'),
        Repr::Number(number) => out.push_str(&number.set_text()),
        Repr::Bool(flag) => out.push(if *flag { 'T' } else { 'F' }),
        Repr::String(text) => write_quoted(text, out),
        Repr::Map(map) => {
            out.push('{');
            for (key, element) in map.iter() {
                write_quoted(key, out);
                out.push(':');
                write_content(element, out);
                out.push(';');
            }
            out.push('}');
        }
        Repr::List(list) => write_sequence('[', list.iter(), ']', out),
        Repr::Set(set) => write_sequence('[', set.iter(), ']', out),
        Repr::Tuple(tuple) => write_sequence('<', tuple.iter(), '>', out),
        Repr::Object(object) => {
            out.push('<');
            for (name, attribute) in object.iter() {
                out.push_str(name);
                out.push(':');
                write_content(attribute, out);
                out.push(';');
            }
            out.push('>');
        }
        Repr::Capsule(capsule) => {
            let _ = write!(out, "«{}»", capsule.text().unwrap_or_default());
        }
        Repr::Marked(marked) => write_content(&marked.value, out),
    }
}

fn write_sequence<'a>(open: char, items: impl Iterator<Item = &'a Value>, close: char, out: &mut String) {
    out.push(open);
    for item in items {
        write_content(item, out);
        out.push(';');
    }
    out.push(close);
}

/// Quotes as the reference does for this purpose: what is not printable is escaped.
fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if is_printable(c) => out.push(c),
            c if (c as u32) < 0x80 => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c if (c as u32) < 0x1_0000 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => {
                let _ = write!(out, "\\U{:08x}", c as u32);
            }
        }
    }
    out.push('"');
}

/// Letters, marks, numbers, punctuation, symbols and the plain space. Escapes for debugging are of what is
/// not printable by the same definition, and of grapheme extenders, which are printable here.
fn is_printable(c: char) -> bool {
    if c == ' ' || c.is_ascii_graphic() {
        return true;
    }
    if c.is_ascii() || c.is_whitespace() {
        return false;
    }
    // Behind another character a grapheme extender is not escaped.
    let mut text = [b'a'; 5];
    let end = 1 + c.encode_utf8(&mut text[1..]).len();
    std::str::from_utf8(&text[..end]).is_ok_and(|text| text.escape_debug().nth(1) == Some(c))
}
