//! Calls in which types that only a provider knows decide whether there is an error: such a type never causes one.

use std::borrow::Cow;

use hclkit_limits::with_room;
use hclkit_value::{Function, Str, Type, Value};

use crate::Context;

/// The unknown result of a call whose error depends on types that are unknown here.
#[cold]
pub(super) fn result(context: &Context, function: &Function, arguments: &[Value]) -> Option<Value> {
    if !context.has_open_types() || !arguments.iter().any(Value::has_dynamic_type) {
        return None;
    }
    let typed: Vec<Value> = arguments.iter().map(|argument| typed_alike(argument).into_owned()).collect();
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
    typed_alike(value).convert(ty).ok()?;
    Some(Value::DYNAMIC.with_marks(&value.unmark_deep().1))
}

/// The value in which elements whose types are unknown have those of other elements.
fn typed_alike(value: &Value) -> Cow<'_, Value> {
    let (bare, marks) = value.unmark();
    if !bare.is_known() || bare.is_null() || !bare.has_dynamic_type() {
        return Cow::Borrowed(value);
    }
    let alike = |parts: Vec<Value>| {
        let parts: Vec<Value> =
            parts.iter().map(|part| with_room(|| typed_alike(part).into_owned())).collect();
        let typed = parts.iter().find(|part| !part.has_dynamic_type());
        let typed = typed.or_else(|| parts.iter().find(|part| !part.has_type(&Type::Dynamic)));
        let Some(ty) = typed.map(Value::ty) else { return parts };
        parts.into_iter().map(|part| with_type(part, &ty)).collect()
    };
    let typed = with_parts(&bare, alike).unwrap_or(bare);
    Cow::Owned(typed.with_marks(&marks))
}

/// The value in which parts whose types are unknown have those of a type.
fn with_type(value: Value, ty: &Type) -> Value {
    if value.has_type(&Type::Dynamic) {
        return Value::unknown(ty.clone());
    }
    let (bare, marks) = value.unmark();
    if !bare.is_known() || bare.is_null() || !bare.has_dynamic_type() {
        return value;
    }
    let names: Vec<Str> = bare.entries().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let type_at = |at: usize| match ty {
        Type::Object(object) => object.get(names.get(at)?).cloned(),
        Type::Tuple(tuple) => tuple.elements().get(at).cloned(),
        Type::List(element) | Type::Set(element) | Type::Map(element) => Some(Type::clone(element)),
        _ => None,
    };
    let fill = |parts: Vec<Value>| {
        let one = |(at, part): (usize, Value)| match type_at(at) {
            Some(ty) => with_room(|| with_type(part, &ty)),
            None => part,
        };
        parts.into_iter().enumerate().map(one).collect()
    };
    with_parts(&bare, fill).unwrap_or(bare).with_marks(&marks)
}

/// A tuple or an object with other parts.
fn with_parts(value: &Value, change: impl FnOnce(Vec<Value>) -> Vec<Value>) -> Option<Value> {
    match value.ty() {
        Type::Tuple(_) => Some(Value::tuple(change(value.as_slice()?.to_vec()))),
        Type::Object(_) => {
            let entries = value.entries()?.map(|(name, part)| (name.clone(), part.clone()));
            let (names, parts): (Vec<Str>, Vec<Value>) = entries.unzip();
            Some(Value::object(names.into_iter().zip(change(parts))))
        }
        _ => None,
    }
}
