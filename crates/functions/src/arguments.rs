//! Helpers to read the arguments of a call after their types were checked, and to describe results and functions.

use std::borrow::Cow;

use hclkit_value::{Error, Function, Marks, Number, RefinementBuilder, Step, Value};

/// Returns the text of an argument that is a known string.
pub(crate) fn text(args: &[Value], at: usize) -> &str {
    args.get(at).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the number of an argument that is a known number.
pub(crate) fn number(args: &[Value], at: usize) -> Result<&Number, Error> {
    args.get(at).and_then(Value::as_number).ok_or_else(|| wrong(at, "a number is required"))
}

/// Returns an argument that is a known number as an integer.
pub(crate) fn integer(args: &[Value], at: usize) -> Result<i64, Error> {
    args.get(at).map_or(Err(wrong(at, "a number is required")), |arg| integer_of(arg, at))
}

/// Converts a known number to an integer. `at` is the index of the argument that it is, or was derived from.
pub(crate) fn integer_of(arg: &Value, at: usize) -> Result<i64, Error> {
    let integer = arg.as_number().and_then(Number::to_i64);
    integer.ok_or_else(|| wrong(at, "a whole number in the range of 64 bits is required"))
}

/// Returns the elements of a known list, set or tuple.
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_slice().unwrap_or_default()
}

/// Creates an error about the argument at an index.
pub(crate) fn wrong(at: usize, message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(message).within(Step::from(at))
}

/// Removes the argument's own marks and adds them to `marks`.
pub(crate) fn unmarked(arg: &Value, marks: &mut Marks) -> Value {
    let (value, own) = arg.unmark();
    *marks = marks.union(&own);
    value
}

/// Refines the result to be never null.
pub(crate) fn not_null(result: RefinementBuilder) -> RefinementBuilder {
    result.with_not_null()
}

/// A function under another name, with an example of its own.
pub(crate) fn renamed(inner: &Function, call: &'static str, result: &'static str) -> Function {
    let (of_type, of_value) = (inner.clone(), inner.clone());
    let outer = Function::with_type(
        move |args: &[Value]| of_type.result_type(args),
        move |args, _| of_value.call(args),
    );
    let outer = inner.parameters().iter().cloned().fold(outer, Function::with_parameter);
    let outer = inner.variadic_parameter().cloned().into_iter().fold(outer, Function::with_variadic);
    outer.with_description(inner.description()).with_example(call, result)
}
