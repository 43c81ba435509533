//! JSON Schema (draft 2020-12) of the JSON syntax that a spec describes. Specification: "Structural Elements" of the JSON
//! syntax; strings are templates there, which may become anything.

use hclkit_model::Spec;
use hclkit_value::Type;

use super::{ArgumentReference, BlockReference, BodyReference, Inside};
use crate::convert::Json;

/// A JSON Schema of what configurations in the JSON syntax may hold for a spec. With `dynamic`, `dynamic` blocks may stand
/// for others.
///
/// ```
/// use hclkit::schema;
/// use hclkit::model::{AttributeSpec, Spec};
/// use hclkit::Type;
///
/// let spec = Spec::from(AttributeSpec::new("port", Type::Number).required());
/// let text = serde_json::to_string(&schema::json_schema(&spec, "Port", false))?;
/// assert!(text.contains(r#""port":{"type":["number","string","null"]}"#));
/// assert!(text.contains(r#""required":["port"]"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn json_schema(spec: &Spec, title: &str, dynamic: bool) -> Json {
    let mut properties =
        vec![("$schema", text("https://json-schema.org/draft/2020-12/schema")), ("title", text(title))];
    if let Json::Object(body) = body(spec, dynamic) {
        properties.extend([("$defs", object([("template", template())]))]);
        let own = properties.into_iter().map(|(name, value)| (name.to_owned(), value));
        return Json::Object(own.chain(body).collect());
    }
    Json::Bool(true)
}

/// Text that an expression makes another value of.
fn template() -> Json {
    object([
        ("description", text("An expression, such as \"${var.name}\".")),
        ("type", text("string")),
        ("pattern", text("[$%]\\{")),
    ])
}

fn body(spec: &Spec, dynamic: bool) -> Json {
    let reference = BodyReference::of(spec);
    let mut required: Vec<Json> = Vec::new();
    let mut properties = vec![("//".to_owned(), object([("description", text("A comment."))]))];
    for ArgumentReference { name, ty, required: is_required, default } in &reference.arguments {
        let mut schema = of_type(ty);
        if let (Json::Object(schema), Some(Ok(default))) = (&mut schema, default.map(Json::try_from)) {
            schema.insert("default".to_owned(), default);
        }
        properties.push((name.to_string(), schema));
        if *is_required {
            required.push(text(name));
        }
    }
    for block in &reference.blocks {
        properties.push((block.block_type.to_string(), blocks(block, dynamic)));
        // A dynamic block may be what is required.
        if block.min > 0 && !dynamic {
            required.push(text(block.block_type));
        }
    }
    if dynamic && !reference.blocks.is_empty() {
        let description = "Blocks that are made for each element of a collection.";
        properties.push(("dynamic".to_owned(), object([("description", text(description))])));
    }
    let mut schema = vec![
        ("type", text("object")),
        ("properties", Json::Object(properties.into_iter().collect())),
        ("additionalProperties", Json::Bool(false)),
    ];
    if !required.is_empty() {
        schema.insert(2, ("required", Json::Array(required)));
    }
    object(schema)
}

/// The property that blocks of a type are: an object, or an array of objects, at each label and for the bodies.
fn blocks(block: &BlockReference<'_>, dynamic: bool) -> Json {
    let one = match block.content {
        Inside::Body(spec) => body(spec, dynamic),
        Inside::Arguments(ty) => object([("type", text("object")), ("additionalProperties", of_type(ty))]),
    };
    // How many there are is plain only where no labels share them out.
    let counted = block.labels.is_empty() && !dynamic;
    let (min, max) = if counted { (block.min, block.max) } else { (0, None) };
    let mut schema = one_or_several(one, min, max);
    for label in block.labels.iter().rev() {
        let mut labelled = vec![("type", text("object")), ("additionalProperties", schema)];
        if !label.is_empty() {
            labelled.insert(0, ("description", text(&format!("By the label \"{label}\"."))));
        }
        schema = one_or_several(object(labelled), 0, None);
    }
    schema
}

fn one_or_several(one: Json, min: usize, max: Option<usize>) -> Json {
    let mut several = vec![("type", text("array")), ("items", one.clone())];
    if min > 0 {
        several.push(("minItems", Json::Number(min.to_string())));
    }
    if let Some(max) = max {
        several.push(("maxItems", Json::Number(max.to_string())));
    }
    if min > 1 {
        return object(several);
    }
    object([("anyOf", Json::Array(vec![one, object(several)]))])
}

/// What may stand for a value of a type: what converts to it, templates and null.
fn of_type(ty: &Type) -> Json {
    let types =
        |names: &[&str]| object([("type", Json::Array(names.iter().map(|name| text(name)).collect()))]);
    let structure = |schema: Vec<(&'static str, Json)>| {
        let template = object([("$ref", text("#/$defs/template"))]);
        object([("anyOf", Json::Array(vec![object(schema), template, object([("type", text("null"))])]))])
    };
    match ty {
        Type::String => types(&["string", "number", "boolean", "null"]),
        Type::Number => types(&["number", "string", "null"]),
        Type::Bool => types(&["boolean", "string", "null"]),
        Type::List(element) => structure(vec![("type", text("array")), ("items", of_type(element))]),
        // Several elements that are alike become one.
        Type::Set(element) => structure(vec![("type", text("array")), ("items", of_type(element))]),
        Type::Map(element) => {
            structure(vec![("type", text("object")), ("additionalProperties", of_type(element))])
        }
        Type::Tuple(tuple) => {
            let count = Json::Number(tuple.elements().len().to_string());
            structure(vec![
                ("type", text("array")),
                ("prefixItems", Json::Array(tuple.elements().iter().map(of_type).collect())),
                ("minItems", count.clone()),
                ("maxItems", count),
            ])
        }
        Type::Object(attributes) => {
            let properties = attributes.attributes().map(|(name, ty)| (name.to_string(), of_type(ty)));
            let required = attributes.names().iter().filter(|name| !attributes.is_optional(name));
            // Further attributes are dropped when the value is converted.
            structure(vec![
                ("type", text("object")),
                ("properties", Json::Object(properties.collect())),
                ("required", Json::Array(required.map(|name| text(name)).collect())),
            ])
        }
        Type::Dynamic | Type::Capsule(_) => object([]),
    }
}

fn text(text: &str) -> Json {
    Json::String(text.to_owned())
}

fn object(properties: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
    Json::Object(properties.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
