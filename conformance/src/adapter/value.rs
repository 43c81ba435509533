//! Values and types as the suite writes them, both ways.

use hclkit_value::{Kind, Number, Type, Value};
use serde_json::{Map, Value as Json, json};

use super::Failure;

pub(super) fn to_json(value: &Value) -> Json {
    let list = || value.as_slice().unwrap_or_default().iter().map(to_json).collect::<Vec<_>>();
    let entries = || -> Map<_, _> {
        value.entries().into_iter().flatten().map(|(key, item)| (key.to_string(), to_json(item))).collect()
    };
    match value.kind() {
        Kind::String(text) => json!({ "string": text.as_str() }),
        Kind::Number(number) => json!({ "number": number_text(number) }),
        Kind::Bool(flag) => json!({ "bool": flag }),
        Kind::List(items) => json!({ "list": list(), "element_type": type_json(items.element_type()) }),
        Kind::Set(items) => json!({ "set": list(), "element_type": type_json(items.element_type()) }),
        Kind::Map(map) => json!({ "map": entries(), "element_type": type_json(map.element_type()) }),
        Kind::Tuple(_) => json!({ "tuple": list() }),
        Kind::Object(_) => json!({ "object": entries() }),
        Kind::Null(ty) => json!({ "null": type_json(&ty) }),
        Kind::Unknown(ty, _) => json!({ "unknown": type_json(&ty) }),
        // The suite's contexts contain neither marks nor capsules.
        Kind::Marked(_, value) => to_json(value),
        Kind::Capsule(capsule) => json!({ "capsule": capsule.ty().name() }),
    }
}

pub(super) fn number_text(number: &Number) -> String {
    match (number.is_infinite(), number.signum() < 0) {
        (true, true) => "-Infinity".to_owned(),
        (true, false) => "Infinity".to_owned(),
        (false, _) => number.to_string(),
    }
}

pub(super) fn type_json(ty: &Type) -> Json {
    ty.to_json().ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Json::Null)
}

pub(super) fn read_type(json: &Json) -> Result<Type, Failure> {
    Type::from_json(json.to_string().as_bytes()).map_err(|error| format!("not a type: {json}: {error}"))
}

pub(super) fn read(json: &Json) -> Result<Value, Failure> {
    let refuse = || format!("not a value: {json}");
    let fields = json.as_object().ok_or_else(refuse)?;
    let element = fields.get("element_type").map(read_type).transpose()?;
    let mut rest = fields.iter().filter(|(name, _)| *name != "element_type");
    let (Some((kind, content)), None) = (rest.next(), rest.next()) else { return Err(refuse()) };
    let items = || content.as_array().ok_or_else(refuse)?.iter().map(read).collect::<Result<Vec<_>, _>>();
    let entries = || {
        let entries = content.as_object().ok_or_else(refuse)?.iter();
        entries.map(|(name, value)| Ok((name.as_str(), read(value)?))).collect::<Result<Vec<_>, Failure>>()
    };
    let collection = matches!(kind.as_str(), "list" | "set" | "map");
    if collection != element.is_some() {
        return Err(refuse());
    }
    let element = element.unwrap_or(Type::Dynamic);
    let built = match kind.as_str() {
        "string" => return content.as_str().map(Value::from).ok_or_else(refuse),
        "bool" => return content.as_bool().map(Value::from).ok_or_else(refuse),
        "number" => return content.as_str().and_then(read_number).map(Value::from).ok_or_else(refuse),
        "null" => return Ok(Value::null(read_type(content)?)),
        "unknown" => return Ok(Value::unknown(read_type(content)?)),
        "tuple" => return Ok(Value::tuple(items()?)),
        "object" => return Ok(Value::object(entries()?)),
        "list" => Value::list_of(element, items()?),
        "set" => Value::set_of(element, items()?),
        "map" => Value::map_of(element, entries()?),
        _ => return Err(refuse()),
    };
    built.map_err(|error| format!("not a value: {json}: {error}"))
}

fn read_number(text: &str) -> Option<Number> {
    match text {
        "Infinity" => Some(Number::infinity()),
        "-Infinity" => Some(Number::neg_infinity()),
        _ => text.parse().ok(),
    }
}
