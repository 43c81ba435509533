//! What expressions see of an object that a provider completes: the configured attributes are known, all others are
//! unknown.

use std::collections::BTreeMap;

use hclkit_model::{Use, UseStep};
use hclkit_value::{Str, Value};

use crate::language::Over;

/// The value that an expression sees for the instances of an object, given how it uses them. `is_block` returns true
/// for attributes that come from blocks.
pub(super) fn view(
    value: &Value,
    over: Option<Over>,
    uses: &[Use],
    is_block: &dyn Fn(&str) -> bool,
) -> Value {
    let all: Vec<&[UseStep]> = uses.iter().map(|used| used.steps.as_slice()).collect();
    match over {
        None => {
            // A splat of a single object is a tuple of this object.
            let skip = |steps: &'_ [UseStep]| matches!(steps.first(), Some(UseStep::Each));
            let own: Vec<&[UseStep]> =
                all.iter().map(|steps| if skip(steps) { &steps[1..] } else { steps }).collect();
            instance(value, &own, is_block)
        }
        Some(Over::Number) => match value.as_slice() {
            Some(items) => {
                let item = |(at, item): (usize, &Value)| {
                    instance(item, &of_element(&all, |key| is_index(key, at)), is_block)
                };
                Value::tuple(items.iter().enumerate().map(item))
            }
            None => value.clone(),
        },
        Some(Over::Elements) => match value.entries() {
            Some(entries) => {
                // Often, only one of many elements is used.
                let names: Option<Vec<&str>> = all.iter().map(|steps| steps.first()?.name()).collect();
                let used = |name: &str| names.as_ref().is_none_or(|names| names.contains(&name));
                let entries = entries.filter(|(name, _)| used(name));
                Value::object(entries.map(|(name, item)| {
                    (
                        name.clone(),
                        instance(item, &of_element(&all, |key| key.as_str() == Some(name)), is_block),
                    )
                }))
            }
            None => value.clone(),
        },
    }
}

fn is_index(key: &Value, at: usize) -> bool {
    key.as_number().is_some_and(|number| number.to_string() == at.to_string())
}

/// The uses of an element.
fn of_element<'u>(uses: &[&'u [UseStep]], is_key: impl Fn(&Value) -> bool) -> Vec<&'u [UseStep]> {
    let mut own = Vec::new();
    for steps in uses {
        let (first, rest) = match steps.split_first() {
            Some((first, rest)) => (Some(first), rest),
            None => (None, *steps),
        };
        let matches = match first {
            None | Some(UseStep::Each) => true,
            Some(UseStep::Element(key)) => is_key(key),
            Some(UseStep::Attribute(name)) => is_key(&Value::from(&**name)),
        };
        if matches {
            own.push(rest);
        }
    }
    own
}

/// An instance with the attributes that are used. Used as a whole, it is unknown.
pub(super) fn instance(value: &Value, uses: &[&[UseStep]], is_block: &dyn Fn(&str) -> bool) -> Value {
    let mut seen: BTreeMap<&str, Value> = BTreeMap::new();
    for steps in uses {
        let Some(name) = steps.first().and_then(UseStep::name) else { return Value::DYNAMIC };
        // Blocks are lists, sets or objects; only a list has elements with numbers.
        let indexed = matches!(steps.get(1), Some(UseStep::Element(key)) if key.as_number().is_some());
        let known = value.as_object().and_then(|object| object.get(name)).filter(|value| !value.is_null());
        let part = known.filter(|_| !is_block(name) || indexed).cloned().unwrap_or(Value::DYNAMIC);
        let first = seen.entry(name).or_insert_with(|| part.clone());
        if !part.is_known() {
            *first = part;
        }
    }
    if seen.is_empty() {
        return Value::DYNAMIC;
    }
    Value::object(seen.into_iter().map(|(name, part)| (Str::from(name), part)))
}
