//! Functions of cty that Terraform 1.11 has in an older version, which refuses more or reads an argument differently.

use hclkit_value::{Error, Function, Number, Parameter, Type, Value};

use crate::arguments::{not_null, wrong};
use crate::{format, sequence, string};

type Change = fn(&[Value]) -> Result<Option<Vec<Value>>, Error>;

/// The function with the same documentation, called with what `change` makes of the arguments, where it changes them.
/// What is known of its results while arguments are unknown is for the caller to say again.
fn changed(function: &Function, parameters: Vec<Parameter>, change: Change) -> Function {
    let (for_type, for_value) = (function.clone(), function.clone());
    let older = Function::with_type(
        move |args| match change(args)? {
            Some(args) => for_type.result_type(&args),
            None => for_type.result_type(args),
        },
        move |args, _| match change(args)? {
            Some(args) => for_value.call(&args),
            None => for_value.call(args),
        },
    );
    let older = parameters.into_iter().fold(older.describe(function.description()), Function::parameter);
    let older = function.variadic_parameter().cloned().into_iter().fold(older, Function::variadic);
    function.examples().iter().fold(older, |older, example| older.example(example.call(), example.result()))
}

/// Null is not looked for.
pub(super) fn contains() -> Function {
    let function = sequence::contains();
    let parameters = vec![
        Parameter::new("list", Type::Dynamic).describe("The list, set or tuple to search."),
        Parameter::new("value", Type::Dynamic).describe("The value to search for, which must not be null."),
    ];
    changed(&function, parameters, |_| Ok(None)).refine_result(not_null)
}

/// In a tuple an index below zero must lead to the first element: the library crashes on any other.
pub(super) fn element() -> Function {
    let function = sequence::element();
    let parameters = function.parameters().to_vec();
    changed(&function, parameters, |args| {
        let [list, index] = args else { return Ok(None) };
        let Type::Tuple(tuple) = list.ty() else { return Ok(None) };
        let index = index.unmark().0.as_number().and_then(Number::to_i64);
        let length = i64::try_from(tuple.elements().len()).ok();
        let at = index.zip(length).and_then(|(index, length)| index.checked_rem(length));
        if at.is_some_and(|at| at < 0) {
            return Err(wrong(1, "the index of a tuple element must not be negative"));
        }
        Ok(None)
    })
}

/// Of a value whose type is not known, such as a bare null, nothing can be said: not even the type of the result.
pub(super) fn format() -> Function {
    awaiting_types(&format::format())
}

/// As [`format()`].
pub(super) fn formatlist() -> Function {
    awaiting_types(&format::formatlist())
}

fn awaiting_types(function: &Function) -> Function {
    let older = changed(function, function.parameters().to_vec(), |_| Ok(None)).refine_result(not_null);
    let variadic = function.variadic_parameter().map(|values| {
        Parameter::new(values.name(), Type::Dynamic)
            .describe(values.description())
            .allow_null()
            .allow_unknown()
    });
    variadic.into_iter().fold(older, Function::variadic)
}

/// A range without steps has no end.
pub(super) fn range() -> Function {
    let function = sequence::range();
    let parameters = function.parameters().to_vec();
    changed(&function, parameters, |args| match args {
        [start, end, step] if step.as_number().is_some_and(|step| step.signum() == 0) && start != end => {
            Err(wrong(2, "the step must not be zero"))
        }
        _ => Ok(None),
    })
    .refine_result(not_null)
}

/// From a place that is counted from the end, no characters are all of them.
pub(super) fn substr() -> Function {
    let function = string::substr();
    let parameters = function.parameters().to_vec();
    changed(&function, parameters, |args| {
        let [text, offset, length] = args else { return Ok(None) };
        let from_end = offset.as_number().is_some_and(|offset| offset.signum() < 0);
        let none = length.as_number().is_some_and(|length| length.signum() == 0);
        Ok((from_end && none).then(|| vec![text.clone(), offset.clone(), Value::from(-1)]))
    })
    .refine_result(not_null)
}
