//! What expressions see of an object that a provider completes: the configured attributes are known, all others are
//! unknown, and so is the object as a whole.

use hclkit_value::{Str, Value};

use hclkit_dialect::Over;

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
    if !object.iter().any(|(name, _)| is_block(name)) {
        return Value::open(value.clone());
    }
    let part = |name: &str, part: &Value| if is_block(name) { blocks(part) } else { part.clone() };
    Value::open(Value::object(object.iter().map(|(name, own)| (name.clone(), part(name, own)))))
}

/// What expressions see of blocks. They are a list, a set or an object, and only a list has elements with numbers.
fn blocks(value: &Value) -> Value {
    let (bare, marks) = value.unmark();
    let Some(all) = bare.as_slice() else { return Value::DYNAMIC };
    let block = |block: &Value| {
        let (bare, marks) = block.unmark();
        instance(&bare, &is_inner_block(&bare)).with_marks(&marks)
    };
    Value::open(Value::tuple(all.iter().map(block))).with_marks(&marks)
}

/// Inside of a block, tuples of objects may be blocks.
fn is_inner_block(block: &Value) -> impl Fn(&str) -> bool {
    move |name| {
        let parts = block.as_object().and_then(|object| object.get(name)?.as_slice());
        parts.is_some_and(|parts| parts.iter().all(|part| part.unmark().0.as_object().is_some()))
    }
}

/// An object in which attributes are unknown that a provider may set although they are configured: those that are null, and
/// blocks of which there are none.
pub(super) fn settable(values: impl Iterator<Item = (Str, Value)>, is_block: &dyn Fn(&str) -> bool) -> Value {
    Value::object(values.map(|(name, value)| {
        let (bare, marks) = value.unmark();
        let value = match bare.as_slice() {
            _ if bare.is_null() => Value::DYNAMIC.with_marks(&marks),
            Some([]) if is_block(&name) => Value::DYNAMIC.with_marks(&marks),
            Some(all) if is_block(&name) => Value::tuple(all.iter().map(settable_block)).with_marks(&marks),
            _ => value,
        };
        (name, value)
    }))
}

fn settable_block(block: &Value) -> Value {
    let (bare, marks) = block.unmark();
    let Some(object) = bare.as_object() else { return block.clone() };
    let parts = object.iter().map(|(name, part)| (name.clone(), part.clone()));
    let found = hclkit_limits::with_room(|| settable(parts, &is_inner_block(&bare)));
    found.with_marks(&marks)
}
