//! Functions that convert a value to another type or choose one of several values.

use std::sync::OnceLock;

use hclkit_value::{Capsule, CapsuleType, Error, Function, Parameter, Type, Value, unify_unsafely};

use crate::arguments::{not_null, wrong};
use crate::limits::check_count;

/// Where the marks of elements are after a conversion to a collection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ElementMarks {
    /// On the collection, as in cty.
    Move,
    /// On the elements, as in Terraform. Elements of sets have no marks. Unknown values keep theirs.
    Stay,
}

impl ElementMarks {
    fn accepting(self, parameter: Parameter) -> Parameter {
        match self {
            Self::Move => parameter,
            Self::Stay => parameter.with_marked().with_unknowns(),
        }
    }
}

/// A function that converts its argument to a type.
fn to(ty: Type) -> Function {
    to_collection(ty, ElementMarks::Move)
}

fn to_collection(ty: Type, marks: ElementMarks) -> Function {
    let wanted = ty.clone();
    Function::with_type(
        move |args| {
            check_count(args[0].parts().len())?;
            if args[0].ty().converts_to(&ty) {
                return Ok(ty.clone());
            }
            args[0].convert(&ty).map(|_| ty.clone()).map_err(|error| wrong(0, error.to_string()))
        },
        move |args, _| args[0].convert(&wanted),
    )
    .with_parameter(
        marks.accepting(
            Parameter::new("v", Type::Dynamic)
                .with_description("The value to convert.")
                .with_nulls()
                .with_dynamic(),
        ),
    )
}

pub(crate) fn tobool() -> Function {
    to(Type::Bool).with_description("Converts a value to a bool.").with_example(r#"tobool("true")"#, "true")
}

pub(crate) fn tonumber() -> Function {
    to(Type::Number)
        .with_description("Converts a value to a number.")
        .with_example(r#"tonumber("1.5")"#, "1.5")
}

pub(crate) fn tostring() -> Function {
    to(Type::String)
        .with_description("Converts a value to a string.")
        .with_example("tostring(true)", r#""true""#)
}

pub(crate) fn tolist(marks: ElementMarks) -> Function {
    to_collection(Type::list(Type::Dynamic), marks)
        .with_description("Converts a value to a list.")
        .with_example(r#"tolist(["a", 1])"#, r#"tolist(["a", "1"])"#)
}

pub(crate) fn toset(marks: ElementMarks) -> Function {
    to_collection(Type::set(Type::Dynamic), marks)
        .with_description("Converts a value to a set, removing duplicates.")
        .with_example(r#"toset(["b", "a", "b"])"#, r#"toset(["a", "b"])"#)
}

pub(crate) fn tomap(marks: ElementMarks) -> Function {
    to_collection(Type::map(Type::Dynamic), marks)
        .with_description("Converts a value to a map.")
        .with_example(r#"tomap({ a = "x", b = 1 })"#, r#"tomap({ a = "x", b = "1" })"#)
}

pub(crate) fn assertnotnull() -> Function {
    Function::with_type(|args| Ok(args[0].ty()), |args, _| Ok(args[0].clone()))
        .with_description("Returns the value unchanged, or fails if it is null.")
        .with_parameter(Parameter::new("v", Type::Dynamic).with_description("Any value."))
        .with_refined_result(not_null)
        .with_example(r#"assertnotnull("a")"#, r#""a""#)
}

pub(crate) fn coalesce() -> Function {
    Function::with_type(
        |args| {
            let types: Vec<Type> = args.iter().map(Value::ty).collect();
            unify_unsafely(&types).ok_or_else(|| Error::new("all arguments must have the same type"))
        },
        |args, ty| {
            for arg in args {
                if !arg.is_known() {
                    return Ok(Value::unknown(ty.clone()).refine_not_null());
                }
                if !arg.is_null() {
                    return arg.convert(ty);
                }
            }
            Err(Error::new("no non-null arguments"))
        },
    )
    .with_description(
        "Returns the first argument that is not null, converted to the common type of all arguments.",
    )
    .with_variadic(
        Parameter::new("vals", Type::Dynamic)
            .with_description("The values to choose from, in order of preference.")
            .with_nulls()
            .with_unknowns()
            .with_dynamic(),
    )
    .with_refined_result(not_null)
    .with_example(r#"coalesce(null, "b")"#, r#""b""#)
}

/// The capsule type of buffers, the same in the whole process.
fn buffer_type() -> CapsuleType {
    static TYPE: OnceLock<CapsuleType> = OnceLock::new();
    TYPE.get_or_init(|| CapsuleType::builder::<Vec<u8>>("bytes").with_equality(|a, b| a == b).build()).clone()
}

/// Wraps a byte buffer in a value, for functions such as cty's `byteslen`. HCL itself cannot create such values.
///
/// ```
/// let buffer = hclkit_functions::bytes(vec![1, 2, 3]);
/// assert_eq!(hclkit_functions::cty()["byteslen"].call(&[buffer])?, hclkit_value::Value::from(3));
/// # Ok::<(), hclkit_value::Error>(())
/// ```
pub fn bytes(content: Vec<u8>) -> Value {
    buffer_type().value(content).unwrap_or(Value::NULL)
}

pub(crate) fn byteslen() -> Function {
    Function::unnamed(Type::Number, |args, _| {
        let bytes = args[0].as_capsule().and_then(Capsule::get::<Vec<u8>>);
        bytes.map(|bytes| Value::from(bytes.len())).ok_or_else(|| wrong(0, "a byte buffer is required"))
    })
    .with_description("Returns the number of bytes in a buffer. Only applications can create buffers.")
    .with_parameter(
        Parameter::new("buf", Type::Capsule(buffer_type())).with_description("The buffer.").with_dynamic(),
    )
    .with_refined_result(not_null)
    .with_example("byteslen(buffer)", "3")
}
