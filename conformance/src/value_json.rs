//! Values and types as the protocol writes them, both ways.

use std::sync::LazyLock;

use hclkit_value::{CapsuleType, Error, Kind, Mark, Marks, Number, Refinement, Type, Value};
use serde_json::{Map, Value as Json, json};

use crate::BadRequest;

fn bad(what: &str, json: &Json) -> BadRequest {
    BadRequest::new(format!("not a {what}: {json}"))
}

fn impossible(why: impl std::fmt::Display) -> BadRequest {
    BadRequest::new(format!("impossible value: {why}"))
}

/// The JSON of a type.
pub fn type_json(ty: &Type) -> Json {
    match ty {
        Type::Dynamic => "any".into(),
        Type::String => "string".into(),
        Type::Number => "number".into(),
        Type::Bool => "bool".into(),
        Type::List(element) => json!(["list", type_json(element)]),
        Type::Set(element) => json!(["set", type_json(element)]),
        Type::Map(element) => json!(["map", type_json(element)]),
        Type::Tuple(tuple) => json!(["tuple", tuple.elements().iter().map(type_json).collect::<Vec<_>>()]),
        Type::Object(object) => {
            let attributes: Map<_, _> =
                object.attributes().map(|(name, ty)| (name.to_string(), type_json(ty))).collect();
            let optional: Vec<_> = object.optional().map(hclkit_value::Str::as_str).collect();
            if optional.is_empty() {
                json!(["object", attributes])
            } else {
                json!(["object", attributes, optional])
            }
        }
        Type::Capsule(capsule) => json!(["capsule", capsule.name()]),
    }
}

/// The type that the JSON describes.
///
/// # Errors
/// The JSON is not a type.
pub fn read_type(json: &Json) -> Result<Type, BadRequest> {
    let refuse = || bad("type", json);
    if let Some(name) = json.as_str() {
        return match name {
            "any" => Ok(Type::Dynamic),
            "string" => Ok(Type::String),
            "number" => Ok(Type::Number),
            "bool" => Ok(Type::Bool),
            _ => Err(refuse()),
        };
    }
    let parts = json.as_array().ok_or_else(refuse)?;
    let (Some(kind), Some(of)) = (parts.first().and_then(Json::as_str), parts.get(1)) else {
        return Err(refuse());
    };
    match kind {
        "capsule" => Ok(Type::Capsule(CAPSULE.clone())),
        "list" => Ok(Type::list(read_type(of)?)),
        "set" => Ok(Type::set(read_type(of)?)),
        "map" => Ok(Type::map(read_type(of)?)),
        "tuple" => {
            let elements = of.as_array().ok_or_else(refuse)?.iter().map(read_type);
            Ok(Type::tuple(elements.collect::<Result<Vec<_>, _>>()?))
        }
        "object" => {
            let mut attributes = Vec::new();
            for (name, ty) in of.as_object().ok_or_else(refuse)? {
                attributes.push((name, read_type(ty)?));
            }
            let optional = parts.get(2).and_then(Json::as_array).into_iter().flatten();
            Ok(Type::object_with_optional(attributes, optional.filter_map(Json::as_str)))
        }
        _ => Err(refuse()),
    }
}

/// The JSON of a value.
pub fn value_json(value: &Value) -> Json {
    let list = || value.as_slice().unwrap_or_default().iter().map(value_json).collect::<Vec<_>>();
    let entries = || -> Map<_, _> {
        value.entries().into_iter().flatten().map(|(key, item)| (key.to_string(), value_json(item))).collect()
    };
    match value.kind() {
        Kind::String(text) => json!({ "string": text.as_str() }),
        Kind::Number(number) => json!({ "number": number.to_string() }),
        Kind::Bool(flag) => json!({ "bool": flag }),
        Kind::List(items) => json!({ "list": list(), "elem": type_json(items.element_type()) }),
        Kind::Set(items) => json!({ "set": list(), "elem": type_json(items.element_type()) }),
        Kind::Tuple(_) => json!({ "tuple": list() }),
        Kind::Map(map) => json!({ "map": entries(), "elem": type_json(map.element_type()) }),
        Kind::Object(_) => json!({ "object": entries() }),
        Kind::Capsule(capsule) => json!({ "capsule": capsule.get::<String>() }),
        Kind::Null(ty) => json!({ "null": type_json(&ty) }),
        Kind::Unknown(ty, known) => unknown_json(&ty, &known),
        Kind::Marked(marks, value) => {
            let names: Vec<_> = marks.iter().map(Mark::name).collect();
            json!({ "marks": names, "of": value_json(value) })
        }
    }
}

fn unknown_json(ty: &Type, known: &Refinement) -> Json {
    let mut fields = Map::from_iter([("unknown".to_owned(), type_json(ty))]);
    let mut add = |name: &str, json: Json| fields.insert(name.to_owned(), json);
    if known.is_not_null() {
        add("not_null", true.into());
    }
    if !known.prefix().is_empty() {
        add("prefix", known.prefix().into());
    }
    // A bound that holds for every number is omitted.
    if let Some(min) = known.min().filter(|min| !min.number.is_infinite() || min.number.signum() > 0) {
        add("min", json!([min.number.to_string(), min.inclusive]));
    }
    if let Some(max) = known.max().filter(|max| !max.number.is_infinite() || max.number.signum() < 0) {
        add("max", json!([max.number.to_string(), max.inclusive]));
    }
    if known.min_len() > 0 {
        add("min_len", known.min_len().into());
    }
    if let Some(most) = known.max_len() {
        add("max_len", most.into());
    }
    Json::Object(fields)
}

/// The value that the JSON describes.
///
/// # Errors
/// The JSON is not a value, or not a possible one.
pub fn read_value(json: &Json) -> Result<Value, BadRequest> {
    let refuse = || bad("value", json);
    let list = |json: &Json| -> Result<Vec<Value>, BadRequest> {
        json.as_array().ok_or_else(refuse)?.iter().map(read_value).collect()
    };
    let entries = |json: &Json| -> Result<Vec<(String, Value)>, BadRequest> {
        let fields = json.as_object().ok_or_else(refuse)?.iter();
        fields.map(|(name, json)| Ok((name.clone(), read_value(json)?))).collect()
    };
    // The reference's constructors take the element type from the elements, if there are any.
    let element = || read_type(json.get("elem").unwrap_or(&Json::Null));
    let Some((kind, of)) = KINDS.iter().find_map(|kind| Some((*kind, json.get(kind)?))) else {
        return Err(refuse());
    };
    match kind {
        "string" => Ok(Value::from(of.as_str().ok_or_else(refuse)?)),
        "number" => Ok(Value::from(read_number(of, json.get("origin").and_then(Json::as_str))?)),
        "capsule" => capsule_of(of.as_str().ok_or_else(refuse)?).ok_or_else(refuse),
        "bool" => Ok(Value::from(of.as_bool().ok_or_else(refuse)?)),
        "list" => match list(of)? {
            items if items.is_empty() => Ok(Value::empty_list(element()?)),
            items => Value::list(items).map_err(impossible),
        },
        "set" => match list(of)? {
            items if items.is_empty() => Ok(Value::empty_set(element()?)),
            items => Value::set(items).map_err(impossible),
        },
        "map" => match entries(of)? {
            items if items.is_empty() => Ok(Value::empty_map(element()?)),
            items => Value::map(items).map_err(impossible),
        },
        "tuple" => Ok(Value::tuple(list(of)?)),
        "object" => Ok(Value::object(entries(of)?)),
        "null" => Ok(Value::null(read_type(of)?)),
        "unknown" => read_unknown(json, read_type(of)?)?.map_err(impossible),
        _ => {
            let marks = json.get("marks").and_then(Json::as_array).ok_or_else(refuse)?;
            let marks: Marks = marks.iter().filter_map(Json::as_str).map(Mark::new).collect();
            Ok(read_value(of)?.with_marks(&marks))
        }
    }
}

const KINDS: &[&str] = &[
    "string", "number", "capsule", "bool", "list", "set", "map", "tuple", "object", "null", "unknown", "of",
];

/// A number with the precision that its origin gives it: text, an integer or a float.
pub(crate) fn read_number(json: &Json, origin: Option<&str>) -> Result<Number, BadRequest> {
    let text = json.as_str().unwrap_or_default();
    let number = match origin.unwrap_or("text") {
        "text" => text.parse().ok(),
        "integer" => text.parse::<i128>().map(Number::from).ok(),
        "float" => text.parse::<f64>().ok().and_then(|float| Number::try_from(float).ok()),
        _ => None,
    };
    number.ok_or_else(|| bad("number", json))
}

/// The type of all capsules in requests.
static CAPSULE: LazyLock<CapsuleType> =
    LazyLock::new(|| CapsuleType::builder::<String>("thing").with_equality(|a, b| a == b).build());

fn capsule_of(text: &str) -> Option<Value> {
    CAPSULE.value(text.to_owned())
}

fn read_unknown(json: &Json, ty: Type) -> Result<Result<Value, Error>, BadRequest> {
    let mut refined = Value::unknown(ty).refine();
    if json.get("not_null") == Some(&Json::Bool(true)) {
        refined = refined.with_not_null();
    }
    if let Some(prefix) = json.get("prefix").and_then(Json::as_str) {
        refined = refined.with_full_prefix(prefix);
    }
    if let Some(length) = json.get("min_len").and_then(Json::as_u64) {
        refined = refined.with_min_len(length);
    }
    if let Some(length) = json.get("max_len").and_then(Json::as_u64) {
        refined = refined.with_max_len(length);
    }
    if let Some(bound) = json.get("min") {
        refined = refined.with_min_bound(read_number(&bound[0], None)?, bound[1] == true);
    }
    if let Some(bound) = json.get("max") {
        refined = refined.with_max_bound(read_number(&bound[0], None)?, bound[1] == true);
    }
    Ok(refined.finish())
}
