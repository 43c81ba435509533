//! The operations `call` and `result-type` of `value-op`: a function described by the request.

use hclkit_value::{Error, Function, Mark, Parameter, Type, Value};
use serde_json::Value as Json;

use crate::value_json::read_type;
use crate::{BadRequest, Request};

pub(super) fn read(request: &Request) -> Result<Function, BadRequest> {
    let announces = request.text("announces")?.to_owned();
    let fixed = request.field("type").map_or(Ok(Type::Dynamic), read_type)?;
    let returns = request.text("returns")?.to_owned();
    let mut function = Function::with_type(
        move |args| match announces.as_str() {
            "fixed" => Ok(fixed.clone()),
            "first" => args.first().map(Value::ty).ok_or_else(|| Error::new("no argument")),
            "seen" => Ok(Type::tuple(args.iter().map(seen))),
            _ => Err(Error::new("no type")),
        },
        move |args, ty| {
            let first = || args.first().cloned().ok_or_else(|| Error::new("no argument"));
            match returns.as_str() {
                "arguments" => Ok(Value::tuple(args.iter().cloned())),
                "first" => first(),
                "marked" => Ok(first()?.mark(Mark::new("own"))),
                "null" => Ok(Value::null(ty.clone())),
                "unknown" => Ok(Value::unknown(ty.clone())),
                _ => Err(Error::new("no value")),
            }
        },
    );
    for json in request.field("parameters").and_then(Json::as_array).into_iter().flatten() {
        function = function.with_parameter(parameter(json)?);
    }
    if let Some(json) = request.field("variadic").filter(|json| !json.is_null()) {
        function = function.with_variadic(parameter(json)?);
    }
    if request.field("not_null") == Some(&Json::Bool(true)) {
        function = function.with_refined_result(hclkit_value::RefinementBuilder::with_not_null);
    }
    Ok(function)
}

fn parameter(json: &Json) -> Result<Parameter, BadRequest> {
    let mut parameter = Parameter::new("it", read_type(&json["type"])?);
    for what in json["allow"].as_array().into_iter().flatten() {
        parameter = match what.as_str() {
            Some("null") => parameter.with_nulls(),
            Some("unknown") => parameter.with_unknowns(),
            Some("dynamic") => parameter.with_dynamic(),
            Some("marked") => parameter.with_marked(),
            _ => return Err(BadRequest::new(format!("nothing to allow: {what}"))),
        };
    }
    Ok(parameter)
}

/// What a function can see of an argument, as a type: whether it has marks, and whether it is unknown.
fn seen(arg: &Value) -> Type {
    let mut ty = arg.ty();
    if arg.contains_marked() {
        ty = Type::map(ty);
    }
    if arg.unmark().0.is_known() { ty } else { Type::set(ty) }
}
