//! Predicates of patterns: expressions about a value.

use hclkit_model::{Context, Expression};
use hclkit_value::{Type, Value};

/// Returns true if a predicate is true for a value. Its variables are the attributes of the value, and null if it has no
/// such attribute; `self` is the value. Unknown and sensitive results and errors count as false.
pub(super) fn is_true(predicate: &Expression, value: &Value, context: &Context) -> bool {
    let (bare, marks) = value.unmark();
    if !marks.is_empty() || !bare.is_known() {
        return false;
    }
    let mut context = context.child();
    for variable in &predicate.variables() {
        let name = variable.root.to_string();
        let value = if name == "self" { Some(bare.clone()) } else { attribute(&bare, &name) };
        context.set(name, value.unwrap_or_else(|| Value::null(Type::Dynamic)));
    }
    let Ok(found) = predicate.evaluate(&context) else { return false };
    let (found, marks) = found.unmark();
    marks.is_empty() && found.as_bool() == Some(true)
}

fn attribute(value: &Value, name: &str) -> Option<Value> {
    let (_, found) = value.entries()?.find(|(key, _)| key.as_str() == name)?;
    Some(found.clone())
}
