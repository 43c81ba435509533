//! `try`, `can` and `convert`, which inspect their arguments before evaluation.

use hclkit_limits::Meter;
use hclkit_syntax::{Diagnostic, Diagnostics};
use hclkit_value::{Error, Function, Type, Value};

use super::{Functions, LazyFunction, missing_grant};
use crate::Arguments;

pub(super) fn table() -> Functions {
    let mut functions = Functions::new();
    functions.insert("try", first_without_error());
    functions.insert("can", can());
    functions.insert("convert", convert());
    functions
}

/// `try(expression, …)`
fn first_without_error() -> LazyFunction {
    LazyFunction::new("expressions", |arguments| {
        if arguments.is_empty() {
            return Err(Error::new("at least one argument is required"));
        }
        let mut reasons = Vec::new();
        for at in 0..arguments.len() {
            match arguments.evaluate(at) {
                Ok(value) if value.is_wholly_known() => return Ok(value),
                // The expression may turn out to have an error, so that another one is the result.
                Ok(_) => return Ok(Value::DYNAMIC),
                Err(errors) => {
                    let errors = unless_not_granted(errors)?;
                    reasons.extend(errors.iter().map(reason));
                }
            }
        }
        // These messages are already redacted.
        Err(Error::without_values(format!("no expression could be evaluated: {}", reasons.join("; "))))
    })
    .with_description("Returns the value of the first expression that evaluates without errors.")
    .with_example("try(tonumber(\"x\"), 0)", "0")
}

/// The errors of an expression, unless a grant or a feature of the library is missing. As with limits, what the caller
/// allows does not change a result.
fn unless_not_granted(errors: Diagnostics) -> Result<Diagnostics, Error> {
    match missing_grant(&errors) {
        Some((capability, diagnostic)) => Err(Error::not_granted(capability, reason(diagnostic))),
        None => Ok(errors),
    }
}

fn reason(diagnostic: &Diagnostic) -> String {
    let detail = diagnostic.note().trim_end_matches('.');
    match diagnostic.source() {
        Some(source) => {
            let place = source.position(diagnostic.span().start);
            format!("at {}:{}, {detail}", place.line, place.column)
        }
        None => detail.to_owned(),
    }
}

/// `can(expression)`
fn can() -> LazyFunction {
    LazyFunction::new("expression", |arguments| {
        Ok(match arguments.evaluate(0) {
            Ok(value) if !value.is_wholly_known() => Value::unknown(Type::Bool),
            Ok(_) => Value::TRUE,
            Err(errors) => unless_not_granted(errors).map(|_| Value::FALSE)?,
        })
    })
    .with_parameters(["expression"])
    .with_description("Returns whether an expression evaluates without errors.")
    .with_example("can(tonumber(\"x\"))", "false")
}

/// `convert(value, type)`
fn convert() -> LazyFunction {
    converting(
        |arguments| arguments.type_expression(1),
        |value, ty| {
            let (value, marks) = value.unmark_deep();
            // As in the reference, optional attributes are required here.
            let result = value.convert(&ty.without_optional())?;
            // As for any function, the result is unknown if the argument is.
            let result = if value.is_known() { result } else { Value::unknown(result.ty()) };
            Ok(result.with_marks(&marks))
        },
    )
    .with_description("Converts a value to a type, written as in a type specification.")
    .with_example("convert([1, 2], list(string))", "[\"1\", \"2\"]")
}

/// `convert(value, type)` of Terraform: `any` and optional attributes with defaults are allowed.
pub(super) fn convert_with_defaults() -> LazyFunction {
    converting(|arguments| arguments.type_constraint(1), |value, constraint| constraint.convert(value))
        .with_description(
            "Converts a value to a type constraint, as if it were the value of a variable with this type.",
        )
        .with_example("convert(\"5\", number)", "5")
        .with_example("convert({}, object({ size = optional(number, 1) }))", "{ size = 1 }")
}

/// A function of a value and what is read of a type.
fn converting<T: 'static>(
    read: fn(&mut Arguments<'_, '_>) -> Result<T, Diagnostics>,
    convert: fn(&Value, &T) -> Result<Value, Error>,
) -> LazyFunction {
    LazyFunction::new("value", move |arguments| match (arguments.evaluate(0), read(arguments)) {
        (Ok(value), Ok(ty)) => convert(&value, &ty).map_err(|error| error.within(0.into())),
        (value, ty) => {
            for errors in [value.err(), ty.err()].into_iter().flatten() {
                arguments.report(errors);
            }
            Ok(Value::DYNAMIC)
        }
    })
    .with_parameters(["value", "type"])
    .with_type_argument(1)
}

pub(super) fn of_reference(function: Function) -> LazyFunction {
    let names: Vec<_> = function.parameters().iter().map(|parameter| parameter.name().to_owned()).collect();
    let description = function.description().to_owned();
    let examples: Vec<_> = function
        .examples()
        .iter()
        .map(|example| (example.call().to_owned(), example.result().to_owned()))
        .collect();
    let lazy = LazyFunction::new("", move |arguments| {
        let mut values = Vec::with_capacity(arguments.len());
        let mut failed = false;
        for at in 0..arguments.len() {
            match arguments.evaluate(at) {
                Ok(value) => values.push(value),
                Err(errors) => {
                    arguments.report(errors);
                    failed = true;
                }
            }
        }
        if failed {
            return Ok(Value::DYNAMIC);
        }
        if !arguments.is_reference(0) {
            return Err(Error::new("the expression must be a reference to a value").within(0.into()));
        }
        let result = arguments.result_of(&function, &values)?;
        if let Some(text) = result.unmark().0.as_str() {
            Meter::current().take_bytes(text.len())?;
        }
        Ok(result)
    });
    let lazy = lazy.with_parameters(names).with_description(description);
    examples.into_iter().fold(lazy, |lazy, (call, result)| lazy.with_example(call, result))
}
