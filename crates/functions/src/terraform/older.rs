//! Functions that Packer takes from an older version of cty, which rejects more or reads an argument
//! differently.

use hclkit_value::{Error, Function, Number, Parameter, Type, Value};

use crate::arguments::{not_null, wrong};
use crate::{format, number, sequence, string};

/// Wraps a function: `change` may replace its arguments. The documentation is kept, but the caller must set the
/// refinements of unknown results again.
fn changed(
    function: &Function,
    parameters: Vec<Parameter>,
    change: impl Fn(&[Value]) -> Result<Option<Vec<Value>>, Error> + Copy + Send + Sync + 'static,
) -> Function {
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
    let older =
        parameters.into_iter().fold(older.with_description(function.description()), Function::with_parameter);
    let older = function.variadic_parameter().cloned().into_iter().fold(older, Function::with_variadic);
    function
        .examples()
        .iter()
        .fold(older, |older, example| older.with_example(example.call(), example.result()))
}

/// `contains` does not accept null as the value to find.
pub(crate) fn contains() -> Function {
    let function = sequence::contains();
    let parameters = vec![
        Parameter::new("list", Type::Dynamic).with_description("The list, set or tuple to search."),
        Parameter::new("value", Type::Dynamic)
            .with_description("The value to search for, which must not be null."),
    ];
    changed(&function, parameters, |_| Ok(None)).with_refined_result(not_null)
}

/// The index of an element of a tuple must not be negative.
pub(crate) fn element_from_start() -> Function {
    let function = sequence::element();
    let parameters = function.parameters().to_vec();
    changed(&function, parameters, |args| {
        let [list, index] = args else { return Ok(None) };
        let Type::Tuple(_) = list.ty() else { return Ok(None) };
        let index = index.unmark().0.as_number().and_then(Number::to_i64);
        if index.is_some_and(|index| index < 0) {
            return Err(wrong(1, "the index of a tuple element must not be negative"));
        }
        Ok(None)
    })
}

/// An argument of unknown type, such as a bare null, makes the result wholly unknown, including its type.
pub(crate) fn format() -> Function {
    awaiting_types(&format::format())
}

/// Like [`format()`].
pub(crate) fn formatlist() -> Function {
    awaiting_types(&format::formatlist())
}

fn awaiting_types(function: &Function) -> Function {
    let older = changed(function, function.parameters().to_vec(), |_| Ok(None)).with_refined_result(not_null);
    let variadic = function.variadic_parameter().map(|values| {
        Parameter::new(values.name(), Type::Dynamic)
            .with_description(values.description())
            .with_nulls()
            .with_unknowns()
    });
    variadic.into_iter().fold(older, Function::with_variadic)
}

/// `signum` accepts only whole numbers in the range of 64 bits.
pub(crate) fn signum() -> Function {
    let function = number::signum();
    let parameters = function.parameters().to_vec();
    changed(&function, parameters, |args| {
        let (number, _) = args[0].unmark();
        match number.as_number() {
            Some(number) if number.to_i64().is_none() => {
                Err(wrong(0, "a whole number in the range of 64 bits is required"))
            }
            _ => Ok(None),
        }
    })
    .with_refined_result(not_null)
}

/// `range` does not accept a step of 0, because the range would be endless.
pub(crate) fn range() -> Function {
    let function = sequence::range();
    let parameters = function.parameters().to_vec();
    changed(&function, parameters, |args| match args {
        [start, end, step] if step.as_number().is_some_and(|step| step.signum() == 0) && start != end => {
            Err(wrong(2, "the step must not be zero"))
        }
        _ => Ok(None),
    })
    .with_refined_result(not_null)
}

/// With a negative offset, a length of 0 selects no characters.
pub(crate) fn substr() -> Function {
    let function = string::substr();
    let parameters = function.parameters().to_vec();
    changed(&function, parameters, |args| {
        let [text, offset, length] = args else { return Ok(None) };
        let from_end = offset.as_number().is_some_and(|offset| offset.signum() < 0);
        let none = length.as_number().is_some_and(|length| length.signum() == 0);
        Ok((from_end && none).then(|| vec![text.clone(), offset.clone(), Value::from(-1)]))
    })
    .with_refined_result(not_null)
}
