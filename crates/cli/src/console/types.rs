//! The type that `:type` shows. Attribute names of marked values are hidden, because they may be sensitive.

use hclkit::model::Explanation;
use hclkit::value::CapsuleType;
use hclkit::{Type, Value};

/// The type of a value. Types of collections and unknown values can contain attribute names of marked objects even if
/// no part of the value is marked. In this case, `explanation` shows whether a marked value was involved.
pub(super) fn shown(value: &Value, explanation: impl FnOnce() -> Explanation) -> Type {
    let plain = value.ty();
    if without_names(&plain) == plain || !(value.contains_marked() || involves_marks(&explanation())) {
        return plain;
    }
    of_part(value)
}

fn involves_marks(explanation: &Explanation) -> bool {
    explanation.value.contains_marked() || explanation.parts.iter().any(involves_marks)
}

fn of_part(value: &Value) -> Type {
    if let Some(object) = value.as_object() {
        return Type::object(object.iter().map(|(name, part)| (name.clone(), of_part(part))));
    }
    match value.ty() {
        Type::Tuple(_) if !value.is_marked() && value.is_known() && !value.is_null() => {
            Type::tuple(value.as_slice().unwrap_or_default().iter().map(of_part))
        }
        ty => without_names(&ty),
    }
}

/// The type, with each object that has attributes replaced by `object({…})`.
fn without_names(ty: &Type) -> Type {
    match ty {
        Type::Object(object) if !object.is_empty() => {
            Type::Capsule(CapsuleType::builder::<()>("object({…})").build())
        }
        Type::List(element) => Type::list(without_names(element)),
        Type::Set(element) => Type::set(without_names(element)),
        Type::Map(element) => Type::map(without_names(element)),
        Type::Tuple(tuple) => Type::tuple(tuple.elements().iter().map(without_names)),
        ty => ty.clone(),
    }
}

#[cfg(test)]
mod tests {
    use hclkit::functions::{Grants, Library};
    use hclkit::{Context, Expression};

    use super::*;

    #[test]
    fn names_in_marked_values_are_not_shown() {
        let secret = Value::object([("hunter2", Value::from(1))]).mark(hclkit::value::Mark::sensitive());
        let context = Context::new()
            .with("p", secret)
            .with("q", Value::object([("port", Value::from(1))]))
            .with_functions(Library::Terraform.functions(&Grants::new()));
        for (text, expected) in [
            ("p", "object({…})"),
            ("p.hunter2", "number"),
            ("[p, q]", "tuple([object({…}), object({port=number})])"),
            ("{ a = p }", "object({a=object({…})})"),
            ("tolist([p])", "list(object({…}))"),
            ("slice(tolist([p]), 0, 0)", "list(object({…}))"),
            ("slice(tolist([q]), 0, 0)", "list(object({port=number}))"),
            ("q", "object({port=number})"),
            ("[for k, v in p : k]", "tuple([string])"),
        ] {
            let expression = Expression::parse(text).unwrap();
            let value = expression.evaluate(&context).unwrap();
            let shown = shown(&value, || expression.explain(&context)).to_string();
            assert_eq!(shown, expected, "{text}");
        }
    }
}
