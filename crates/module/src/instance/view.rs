//! What expressions see of an object that a provider completes: the configured attributes are known, all others are
//! unknown, and so is the object as a whole.

use hclkit_value::{Str, Value};

use crate::language::Over;

/// What expressions see of the instances of an object. `is_block` returns true for attributes that come from blocks.
pub(super) fn view(value: &Value, over: Option<Over>, is_block: &dyn Fn(&str) -> bool) -> Value {
    match (over, value.as_slice(), value.entries()) {
        (None | Some(Over::Condition), ..) => instance(value, is_block),
        (Some(Over::Number), Some(items), _) => {
            Value::tuple(items.iter().map(|item| instance(item, is_block)))
        }
        (Some(Over::Elements), _, Some(entries)) => {
            Value::object(entries.map(|(key, item)| (key.clone(), instance(item, is_block))))
        }
        _ => value.clone(),
    }
}

/// What expressions see of an instance.
pub(super) fn instance(value: &Value, is_block: &dyn Fn(&str) -> bool) -> Value {
    let Some(object) = value.as_object() else { return value.clone() };
    let is_plain = |(name, part): (&Str, &Value)| !part.is_null() && !is_block(name);
    if object.iter().all(is_plain) {
        return Value::open(value.clone());
    }
    // A provider may set an attribute that is configured as null.
    let set = object.iter().filter(|(_, part)| !part.is_null());
    let part = |name: &str, part: &Value| if is_block(name) { blocks(part) } else { part.clone() };
    Value::open(Value::object(set.map(|(name, own)| (name.clone(), part(name, own)))))
}

/// What expressions see of blocks. They are a list, a set or an object, and only a list has elements with numbers.
fn blocks(value: &Value) -> Value {
    let (bare, marks) = value.unmark();
    let Some(all) = bare.as_slice() else { return Value::DYNAMIC };
    // Inside of a block, tuples of objects may be blocks.
    let block = |block: &Value| {
        let (bare, marks) = block.unmark();
        let is_block = |name: &str| {
            let parts = bare.as_object().and_then(|object| object.get(name)?.as_slice());
            parts.is_some_and(|parts| parts.iter().all(|part| part.unmark().0.as_object().is_some()))
        };
        instance(&bare, &is_block).with_marks(&marks)
    };
    Value::open(Value::tuple(all.iter().map(block))).with_marks(&marks)
}
