//! `jsonencode` and `jsondecode`. Values are encoded by `Value::write_json`.

use hclkit_value::{Error, Function, Parameter, Type, Value};

use crate::arguments::{not_null, text, wrong};
use crate::limits::{Bounded, check_collections};

pub(crate) fn jsonencode() -> Function {
    Function::unnamed(Type::String, |args, ty| {
        let value = &args[0];
        if value.is_wholly_known() {
            return Ok(Value::from(encode(value)?));
        }
        // The type of a value determines the first character of its JSON, unless the value can be null.
        let start = match value.ty() {
            _ if !value.refinement().is_not_null() => "",
            Type::String => "\"",
            Type::Object(_) | Type::Map(_) => "{",
            Type::Tuple(_) | Type::List(_) | Type::Set(_) => "[",
            _ => "",
        };
        Value::unknown(ty.clone()).refine().with_not_null().with_full_prefix(start).finish()
    })
    .with_description("Encodes a value as a JSON string.")
    .with_parameter(
        Parameter::new("val", Type::Dynamic)
            .with_description("The value.")
            .with_nulls()
            .with_unknowns()
            .with_dynamic(),
    )
    .with_refined_result(not_null)
    .with_example(r#"jsonencode({ hello = "world" })"#, r#""{\"hello\":\"world\"}""#)
}

/// Encodes a value as JSON, without its type.
pub(crate) fn encode(value: &Value) -> Result<String, Error> {
    if value.is_null() {
        return Ok("null".to_owned());
    }
    let mut out = Bounded::new();
    // The error is always one of ours. It has a path if a part of the value cannot be represented in JSON.
    value.write_json(&value.ty(), &mut out).map_err(|error| match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) => Error::new(error.to_string()),
    })?;
    out.into_text()
}

pub(crate) fn jsondecode() -> Function {
    Function::with_type(
        |args| match args[0].as_str() {
            Some(text) => Ok(decode(text)?.ty()),
            None => type_by_start(args[0].refinement().prefix()),
        },
        |args, _| decode(text(args, 0)),
    )
    .with_type_of_result()
    .with_description("Decodes a JSON string.")
    .with_parameter(Parameter::new("str", Type::String).with_description("The JSON string to decode."))
    .with_example(r#"jsondecode("{\"a\": [1, null]}")"#, "{ a = [1, null] }")
}

fn decode(text: &str) -> Result<Value, Error> {
    let (collections, elements) = count_elements(text);
    check_collections(collections, elements)?;
    Value::from_plain_json_before_bracket(text.as_bytes())
}

/// Estimates the numbers of collections and of elements in a JSON text, by the opening brackets and the commas outside of
/// strings.
fn count_elements(text: &str) -> (usize, usize) {
    let (mut collections, mut commas, mut in_string, mut escaped) = (0, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => collections += 1,
            b',' if !in_string => commas += 1,
            _ => {}
        }
    }
    (collections, commas)
}

/// Returns the type of a JSON text from its start. The types of objects and arrays depend on their contents.
fn type_by_start(start: &str) -> Result<Type, Error> {
    match start.trim_start().chars().next() {
        None | Some('{' | '[' | 'n') => Ok(Type::Dynamic),
        Some('"') => Ok(Type::String),
        Some('t' | 'f') => Ok(Type::Bool),
        Some('-' | '0'..='9') => Ok(Type::Number),
        Some(c) => Err(wrong(0, format!("a JSON document cannot start with {c:?}"))),
    }
}
