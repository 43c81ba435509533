//! Ops on values and types: `convert`, `unify` and `value-op`.

mod functions;
mod paths;

use hclkit_value::{Error, Type, Value, unify, unify_unsafely};
use serde_json::{Map, Value as Json, json};

use crate::value_json::{read_type, read_value, type_json, value_json};
use crate::{Answer, BadRequest, Op, Request};

pub(crate) const OPS: &[Op] = &[("convert", convert), ("unify", unify_op), ("value-op", value_op)];

fn convert(request: &Request) -> Answer {
    let value = read_value(request.required("value")?)?;
    Ok(answered(value.convert(&read_type(request.required("type")?)?)))
}

fn unify_op(request: &Request) -> Answer {
    unified(request, unify)
}

fn unified(request: &Request, unify: fn(&[Type]) -> Option<Type>) -> Answer {
    let types = request.required("types")?.as_array().ok_or_else(|| BadRequest::new("types is no list"))?;
    let types = types.iter().map(read_type).collect::<Result<Vec<_>, _>>()?;
    Ok(match unify(&types) {
        Some(ty) => Map::from_iter([("type".to_owned(), type_json(&ty))]),
        None => Map::from_iter([("none".to_owned(), true.into())]),
    })
}

fn answered(result: Result<Value, Error>) -> Map<String, Json> {
    said("value", result, |value| value_json(&value))
}

fn said<T, E: std::fmt::Display>(
    name: &str,
    result: Result<T, E>,
    write: impl Fn(T) -> Json,
) -> Map<String, Json> {
    match result {
        Ok(done) => Map::from_iter([(name.to_owned(), write(done))]),
        Err(error) => Map::from_iter([
            ("error".to_owned(), true.into()),
            ("detail".to_owned(), error.to_string().into()),
        ]),
    }
}

fn value_op(request: &Request) -> Answer {
    let args = match request.field("args").and_then(Json::as_array) {
        Some(args) => args.iter().map(read_value).collect::<Result<Vec<_>, _>>()?,
        None => Vec::new(),
    };
    let ty = request.field("type").map_or(Ok(Type::Dynamic), read_type)?;
    let what = request.text("do")?;
    let text = || request.text("src");
    let done = match (what, args.as_slice()) {
        ("call", args) => functions::read(request)?.call(args),
        ("result-type", args) => {
            return Ok(said("type", functions::read(request)?.result_type(args), |ty| type_json(&ty)));
        }
        ("at", [value]) => paths::read(request)?.apply(value),
        ("walk", [value]) => return Ok(paths::walked(value)),
        ("marked", [value]) => return Ok(paths::marked(value)),
        ("compute", _) => paths::computed(request)?,
        ("negate", [value]) => value.negate(),
        ("absolute", [value]) => value.abs(),
        ("not", [value]) => value.not(),
        ("length", [value]) => value.length(),
        ("same", [value]) => Ok(value.clone()),
        ("unmark", [value]) => Ok(value.unmark_deep().0),
        ("as-null", [value]) => Ok(value.unknown_as_null()),
        ("elements", [value]) => value.unmark().0.elements().map(|elements| {
            let pairs = elements.into_iter().map(|(key, element)| Value::tuple([key, element]));
            Value::tuple(pairs).with_marks(&value.marks())
        }),
        ("attribute", [value]) => value.attribute(text()?),
        ("convert-safely", [value]) => value.convert_safely(&ty),
        ("matches", [value]) => {
            let matches = json!({ "bool": value.ty().matches(&ty) });
            return Ok(Map::from_iter([("value".to_owned(), matches)]));
        }
        ("add", [a, b]) => a.add(b),
        ("subtract", [a, b]) => a.subtract(b),
        ("multiply", [a, b]) => a.multiply(b),
        ("divide", [a, b]) => a.divide(b),
        ("modulo", [a, b]) => a.modulo(b),
        ("equals", [a, b]) => Ok(a.equals(b)),
        ("not-equals", [a, b]) => Ok(a.not_equals(b)),
        ("less", [a, b]) => a.less_than(b),
        ("less-or-equal", [a, b]) => a.less_or_equal(b),
        ("greater", [a, b]) => a.greater_than(b),
        ("greater-or-equal", [a, b]) => a.greater_or_equal(b),
        ("and", [a, b]) => a.and(b),
        ("or", [a, b]) => a.or(b),
        ("index", [a, b]) => a.index(b),
        ("has-index", [a, b]) => a.has_index(b),
        ("has-element", [a, b]) => a.has_element(b),
        ("identical", [a, b]) => Ok(Value::from(a == b)),
        ("json-out", [value]) => return Ok(said("text", value.to_json(&ty), Json::from)),
        ("json-in", _) => Value::from_json(text()?.as_bytes(), &ty),
        ("json-implied", _) => {
            return Ok(said("type", Type::implied_by_json(text()?.as_bytes()), |ty| type_json(&ty)));
        }
        ("type-out", _) => return Ok(said("text", ty.to_json(), Json::from)),
        ("type-in", _) => return Ok(said("type", Type::from_json(text()?.as_bytes()), |ty| type_json(&ty))),
        ("msgpack-out", [value]) => {
            return Ok(said("text", value.to_msgpack(&ty), |bytes| hex(&bytes).into()));
        }
        ("msgpack-in", _) => Value::from_msgpack(&bytes(text()?)?, &ty),
        ("msgpack-implied", _) => {
            return Ok(said("type", Type::implied_by_msgpack(&bytes(text()?)?), |ty| type_json(&ty)));
        }
        ("unify-unsafely", _) => return unified(request, unify_unsafely),
        ("list", _) => Value::list(args).map_err(Error::from),
        ("set", _) => Value::set(args).map_err(Error::from),
        _ => return Err(BadRequest::new(format!("unknown operation {what:?}"))),
    };
    Ok(answered(done))
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

fn bytes(hex: &str) -> Result<Vec<u8>, BadRequest> {
    let wrong = || BadRequest::new("src is not hexadecimal");
    let digit = |digit: u8| char::from(digit).to_digit(16).map(|digit| digit as u8).ok_or_else(wrong);
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return Err(wrong());
    }
    pairs.iter().map(|[high, low]| Ok(digit(*high)? * 16 + digit(*low)?)).collect()
}
