//! Calls in which types that only a provider knows decide whether there is an error, or what is known: such a type never causes
//! an error, and makes nothing known.

use hclkit_value::{Error, Function, Type, Value};

use crate::Context;

/// The result of a call, or an unknown one where types that are unknown here decide about it.
pub(super) fn result(
    context: &Context,
    function: &Function,
    arguments: &[Value],
    found: Result<Value, Error>,
) -> Result<Value, Error> {
    match found {
        Ok(value) if function.marks_decide() && context.has_open_types() && value.is_known() => {
            Ok(unless_marked(function, arguments, &value).unwrap_or(value))
        }
        Ok(value) => Ok(value),
        Err(error) => instead_of_error(context, function, arguments).ok_or(error),
    }
}

/// The unknown result of a call of which more is known only because an argument of unknown type is marked: `flatten` takes it for
/// one element, but it may be a list, and `issensitive` for sensitive, but only a part of it may be.
fn unless_marked(function: &Function, arguments: &[Value], found: &Value) -> Option<Value> {
    if !arguments.iter().any(|argument| argument.contains_marked() && argument.has_dynamic_type()) {
        return None;
    }
    let plain: Vec<Value> = arguments.iter().map(|argument| argument.unmark_deep().0).collect();
    let result = function.call(&plain).ok().filter(|result| !result.is_known())?;
    Some(result.with_marks(&found.unmark_deep().1))
}

/// The unknown result of a call whose error depends on types that are unknown here.
#[cold]
fn instead_of_error(context: &Context, function: &Function, arguments: &[Value]) -> Option<Value> {
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
