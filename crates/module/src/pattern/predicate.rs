//! Predicates of patterns: expressions about a value.

use std::collections::HashMap;

use hclkit_limits::with_room;
use hclkit_model::{Context, Diagnostics, Expression, path};
use hclkit_value::{Type, Value};

/// Returns true if a predicate is true for a value. Its variables are the attributes of the value, and null if it has no
/// such attribute; `self` is the value. Unknown and sensitive values and results count as false, and so do errors about the
/// value. An unknown value can have known attributes. Other errors are added to `errors`.
pub(crate) fn is_true(
    predicate: &Expression,
    value: &Value,
    context: &Context,
    errors: &mut Diagnostics,
) -> bool {
    let is_open = value.known_parts().is_some();
    if value.is_marked() || !value.is_known() && !is_open {
        return false;
    }
    let answer = path::is_true(predicate, context, |name| {
        if is_open {
            let part = if name == "self" { None } else { value.attribute(name).ok() };
            return part.map_or(Value::DYNAMIC, |part| hidden(&part));
        }
        if name == "self" {
            return hidden(value);
        }
        let entry = value.entries().and_then(|mut all| all.find(|(key, _)| key.as_str() == name));
        entry.map_or_else(|| Value::null(Type::Dynamic), |(_, value)| hidden(value))
    });
    answer.unwrap_or_else(|failed| {
        errors.append(failed);
        false
    })
}

/// A value as predicates see it. Its marked parts are unknown, so that no function can reveal anything about them.
pub(crate) fn hidden(value: &Value) -> Value {
    hidden_part(value, &mut HashMap::new())
}

/// `done` has the results by the addresses of the parts, because a value can contain a shared part exponentially many
/// times.
fn hidden_part(value: &Value, done: &mut HashMap<(*const Value, bool), Value>) -> Value {
    if value.is_marked() {
        return Value::DYNAMIC;
    }
    if !value.contains_marked() {
        return value.clone();
    }
    let key = (value.parts().as_ptr(), value.entries().is_some());
    if let Some(found) = done.get(&key) {
        return found.clone();
    }
    let hidden = with_room(|| match (value.entries(), value.as_slice()) {
        (Some(entries), _) => {
            Value::object(entries.map(|(name, value)| (name.clone(), hidden_part(value, done))))
        }
        (None, Some(items)) => {
            Value::tuple(items.iter().map(|item| hidden_part(item, done)).collect::<Vec<_>>())
        }
        (None, None) => Value::DYNAMIC,
    });
    // A value that contains a marked one has parts.
    done.insert(key, hidden.clone());
    hidden
}
