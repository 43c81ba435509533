//! Functions on the marks of values: sensitive values must not be displayed, and ephemeral values must not be stored.

use hclkit_value::{Error, Function, Mark, Marks, Parameter, Type, Value};

use crate::arguments::not_null;

/// The mark of values that must not be stored. `ephemeralasnull` replaces them with null.
pub fn ephemeral_mark() -> Mark {
    Mark::new("ephemeral")
}

/// A parameter for any value with any marks.
fn any_value() -> Parameter {
    Parameter::new("value", Type::Dynamic)
        .with_description("The value.")
        .with_nulls()
        .with_unknowns()
        .with_dynamic()
        .with_marked()
}

/// Returns all marks except for some.
fn without(marks: &Marks, others: &[Mark]) -> Marks {
    marks.iter().filter(|own| !others.contains(own)).cloned().collect()
}

pub(super) fn sensitive() -> Function {
    Function::with_type(|args| Ok(args[0].ty()), |args, _| Ok(args[0].mark(Mark::sensitive())))
        .with_description("Marks a value as sensitive, so that it is hidden in output.")
        .with_parameter(any_value())
        .with_example(r#"issensitive(sensitive("secret"))"#, "true")
}

pub(super) fn nonsensitive() -> Function {
    Function::with_type(
        |args| Ok(args[0].ty()),
        |args, _| {
            let (value, marks) = args[0].unmark();
            Ok(value.with_marks(&without(&marks, &[Mark::sensitive(), Mark::hidden()])))
        },
    )
    .with_description("Removes the sensitive mark from a value. Marks on nested values are kept.")
    .with_parameter(any_value())
    .with_example(r#"nonsensitive(sensitive("known to all"))"#, r#""known to all""#)
}

pub(super) fn issensitive() -> Function {
    Function::unnamed(Type::Bool, |args, _| {
        let value = &args[0];
        Ok(match value.has_mark(&Mark::sensitive()) {
            true => Value::TRUE,
            // An unknown value may become marked later.
            false if !value.is_known() => Value::unknown(Type::Bool),
            false => Value::FALSE,
        })
    })
    .with_description("Returns whether a value is marked as sensitive. Nested values are not considered.")
    .with_parameter(any_value())
    .with_refined_result(not_null)
    .with_deciding_marks()
    .with_example(r#"issensitive("public")"#, "false")
}

/// `issensitive`, where the answer about an unknown value is always unknown.
pub(crate) fn issensitive_if_known() -> Function {
    let function = issensitive();
    let changed = Function::unnamed(Type::Bool, |args, _| {
        let value = &args[0];
        Ok(if value.is_known() {
            Value::from(value.has_mark(&Mark::sensitive()))
        } else {
            Value::unknown(Type::Bool)
        })
    });
    let changed = changed.with_description(function.description()).with_parameter(any_value());
    function
        .examples()
        .iter()
        .fold(changed, |changed, example| changed.with_example(example.call(), example.result()))
        .with_refined_result(not_null)
        .with_deciding_marks()
}

pub(super) fn ephemeralasnull() -> Function {
    Function::with_type(
        |args| Ok(args[0].ty()),
        |args, _| {
            if !args[0].contains_marked() {
                return Ok(args[0].clone());
            }
            let ephemeral = ephemeral_mark();
            args[0].transform(&mut |_, part: Value| {
                if !part.has_mark(&ephemeral) {
                    return Ok::<_, Error>(part);
                }
                Ok(Value::null(part.ty())
                    .with_marks(&without(&part.marks(), std::slice::from_ref(&ephemeral))))
            })
        },
    )
    .with_description("Replaces the ephemeral parts of a value with nulls.")
    .with_parameter(any_value())
    .with_example(r#"ephemeralasnull("lasting")"#, r#""lasting""#)
}
