//! Calls in which types that only a provider knows decide whether there is an error: such a type never causes one.

use hclkit_value::{Function, Type, Value};

use crate::Context;

/// The unknown result of a call whose error depends on types that are unknown here.
#[cold]
pub(super) fn result(context: &Context, function: &Function, arguments: &[Value]) -> Option<Value> {
    if !context.has_open_types() || !arguments.iter().any(Value::has_dynamic_type) {
        return None;
    }
    let typed: Vec<Value> = arguments.iter().map(Value::with_types_alike).collect::<Option<_>>()?;
    function.call(&typed).ok()?;
    let marked = |all: Value, argument: &Value| all.with_marks(&argument.unmark_deep().1);
    Some(arguments.iter().fold(Value::DYNAMIC, marked))
}

/// The unknown argument instead of one whose conversion depends on types that are unknown here.
#[cold]
pub(super) fn argument(context: &Context, value: &Value, ty: &Type) -> Option<Value> {
    if !context.has_open_types() || !value.has_dynamic_type() {
        return None;
    }
    value.with_types_alike()?.convert(ty).ok()?;
    Some(Value::DYNAMIC.with_marks(&value.unmark_deep().1))
}
