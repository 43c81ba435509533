//! The order and distinctness of set elements. The reference iterates strings, numbers and bools in their natural
//! order, and other elements in the order of the bytes of a text that it derives from their content. Real
//! configurations depend on both.

mod content;

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use crate::pairs::Pairs;
use crate::value::Repr;
use crate::{Type, Value};

/// A value compared the way sets compare elements. Equal values are one element, except that zero and negative zero,
/// alone or inside other values, are different. This is how the reference behaves.
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

/// Returns true if the zeros of two equal values have the same signs.
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

/// Distinct elements in iteration order. Elements that contain unknown values are not equal to any other. The
/// first of several equal elements is kept.
#[allow(
    clippy::mutable_key_type,
    reason = "only the lazily computed type changes, and the hash does not depend on it"
)]
pub(crate) fn in_set_order(mut items: Vec<Value>, element: &Type) -> Vec<Value> {
    if items.len() < 2 {
        return items;
    }
    match element {
        Type::String | Type::Number | Type::Bool => {
            // Numbers of different precisions can be equal although one is less.
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
            let mut kept = kept.into_iter();
            items.retain(|_| kept.next() == Some(true));
            sorted_by_content(items)
        }
    }
}

/// Elements in the order of the texts of their content. The texts are usually short, and each is written once. If they
/// are long, the elements are compared without writing the texts, which can be exponentially large.
fn sorted_by_content(mut items: Vec<Value>) -> Vec<Value> {
    let mut room = SHORT * (items.len() + 32);
    let texts: Option<Vec<String>> = items.iter().map(|item| content::text(item, &mut room)).collect();
    let Some(texts) = texts else {
        items.sort_by(compare_compound);
        return items;
    };
    let mut keyed: Vec<(u8, String, Value)> =
        items.into_iter().zip(texts).map(|(item, text)| (rank(&item), text, item)).collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    keyed.into_iter().map(|(_, _, item)| item).collect()
}

/// The average length of an element's text up to which the texts are written.
const SHORT: usize = 1 << 10;

fn compare_compound(a: &Value, b: &Value) -> Ordering {
    rank(a).cmp(&rank(b)).then_with(|| content::compare(a, b))
}

/// Known values are first, then unknown values, then null.
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

/// The index of an element in the elements of a set, if the set contains it.
pub(crate) fn find(items: &[Value], element_type: &Type, element: &Value) -> Option<usize> {
    if !element.is_wholly_known() {
        return None;
    }
    match element_type {
        Type::String | Type::Number | Type::Bool => {
            let near = items.partition_point(|item| compare_primitive(item, element) == Ordering::Less);
            // Numbers of different precisions can be equal without being neighbors in numeric order.
            let from = near.saturating_sub(1);
            (from..items.len().min(near + 2)).find(|at| SetElement(&items[*at]) == SetElement(element))
        }
        _ => {
            let start = items.partition_point(|item| compare_compound(item, element) == Ordering::Less);
            items[start..]
                .iter()
                .take_while(|item| compare_compound(item, element) == Ordering::Equal)
                .position(|item| SetElement(item) == SetElement(element))
                .map(|at| start + at)
        }
    }
}
