//! Values and types as the conformance protocol writes them, both ways.

use hclkit_value::{Kind, Mark, Marks, Number, Refinement, Type, Value};
use serde_json::{Map, Value as Json, json};

pub(crate) fn type_json(ty: &Type) -> Json {
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
            let attributes = object.attributes().map(|(name, ty)| (name.to_string(), type_json(ty)));
            json!(["object", attributes.collect::<Map<_, _>>()])
        }
        Type::Capsule(capsule) => json!(["capsule", capsule.name()]),
    }
}

pub(crate) fn value_json(value: &Value) -> Json {
    let list = || value.as_slice().unwrap_or_default().iter().map(value_json).collect::<Vec<_>>();
    let entries = || -> Map<_, _> {
        value.entries().into_iter().flatten().map(|(key, item)| (key.to_string(), value_json(item))).collect()
    };
    match value.kind() {
        Kind::String(text) => json!({ "string": text.as_str() }),
        Kind::Number(number) => json!({ "number": number_text(number) }),
        Kind::Bool(flag) => json!({ "bool": flag }),
        Kind::List(items) => json!({ "list": list(), "elem": type_json(items.element_type()) }),
        Kind::Set(items) => json!({ "set": list(), "elem": type_json(items.element_type()) }),
        Kind::Tuple(_) => json!({ "tuple": list() }),
        Kind::Map(map) => json!({ "map": entries(), "elem": type_json(map.element_type()) }),
        Kind::Object(_) => json!({ "object": entries() }),
        Kind::Capsule(capsule) => json!({ "capsule": capsule.ty().name() }),
        Kind::Null(ty) => json!({ "null": type_json(&ty) }),
        Kind::Unknown(ty, known) => unknown_json(&ty, &known),
        Kind::Marked(marks, value) => {
            let names: Vec<_> = marks.iter().map(Mark::name).collect();
            json!({ "marks": names, "of": value_json(value) })
        }
    }
}

/// The reference writes the sign of a positive infinity.
fn number_text(number: &Number) -> String {
    if number.is_infinite() && number.signum() > 0 { "+Inf".to_owned() } else { number.to_string() }
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
    if let Some(min) = known.min().filter(|min| !min.number.is_infinite() || min.number.signum() > 0) {
        add("min", json!([number_text(&min.number), min.inclusive]));
    }
    if let Some(max) = known.max().filter(|max| !max.number.is_infinite() || max.number.signum() < 0) {
        add("max", json!([number_text(&max.number), max.inclusive]));
    }
    if known.min_len() > 0 {
        add("min_len", known.min_len().into());
    }
    if let Some(most) = known.max_len() {
        add("max_len", most.into());
    }
    Json::Object(fields)
}

pub(crate) fn read_type(json: &Json) -> Type {
    if let Some(name) = json.as_str() {
        return match name {
            "string" => Type::String,
            "number" => Type::Number,
            "bool" => Type::Bool,
            _ => Type::Dynamic,
        };
    }
    let of = &json[1];
    match json[0].as_str().unwrap_or_default() {
        "list" => Type::list(read_type(of)),
        "set" => Type::set(read_type(of)),
        "map" => Type::map(read_type(of)),
        "tuple" => Type::tuple(of.as_array().into_iter().flatten().map(read_type)),
        _ => Type::object(of.as_object().into_iter().flatten().map(|(name, ty)| (name, read_type(ty)))),
    }
}

/// The value that JSON describes; `None` if there can be no such value.
pub(crate) fn read_value(json: &Json) -> Option<Value> {
    let list = |name: &str| json[name].as_array()?.iter().map(read_value).collect::<Option<Vec<_>>>();
    let entries = |name: &str| {
        let fields = json[name].as_object()?.iter();
        fields.map(|(name, json)| Some((name.clone(), read_value(json)?))).collect::<Option<Vec<_>>>()
    };
    let element = || read_type(&json["elem"]);
    if let Some(text) = json["string"].as_str() {
        Some(Value::from(text))
    } else if let Some(number) = json["number"].as_str() {
        number.parse::<Number>().ok().map(Value::from)
    } else if let Some(flag) = json["bool"].as_bool() {
        Some(Value::from(flag))
    } else if let Some(items) = list("list") {
        if items.is_empty() { Some(Value::empty_list(element())) } else { Value::list(items).ok() }
    } else if let Some(items) = list("set") {
        if items.is_empty() { Some(Value::empty_set(element())) } else { Value::set(items).ok() }
    } else if let Some(items) = entries("map") {
        if items.is_empty() { Some(Value::empty_map(element())) } else { Value::map(items).ok() }
    } else if let Some(items) = list("tuple") {
        Some(Value::tuple(items))
    } else if let Some(items) = entries("object") {
        Some(Value::object(items))
    } else if let Some(ty) = json.get("null") {
        Some(Value::null(read_type(ty)))
    } else if let Some(ty) = json.get("unknown") {
        read_unknown(json, read_type(ty))
    } else {
        let marks: Marks = json["marks"].as_array()?.iter().filter_map(Json::as_str).map(Mark::new).collect();
        Some(read_value(&json["of"])?.with_marks(&marks))
    }
}

fn read_unknown(json: &Json, ty: Type) -> Option<Value> {
    let mut refined = Value::unknown(ty).refine();
    if json["not_null"] == true {
        refined = refined.not_null();
    }
    if let Some(prefix) = json["prefix"].as_str() {
        refined = refined.prefix_full(prefix);
    }
    if let Some(length) = json["min_len"].as_u64() {
        refined = refined.length_min(length);
    }
    if let Some(length) = json["max_len"].as_u64() {
        refined = refined.length_max(length);
    }
    if let Some(bound) = json.get("min") {
        refined = refined.number_min(bound[0].as_str()?.parse().ok()?, bound[1] == true);
    }
    if let Some(bound) = json.get("max") {
        refined = refined.number_max(bound[0].as_str()?.parse().ok()?, bound[1] == true);
    }
    refined.finish().ok()
}
