//! Writes a JSON Schema (draft 2020-12) for the input variables of a module, which checks files of values in JSON and YAML. Whatever
//! the module accepts is valid. `inputs/conditions.rs` says which conditions of validations become keywords, and `inputs/template.rs` writes
//! a file of values to fill in.

mod conditions;
mod template;

use hclkit_model::Defaults;
use hclkit_module::{DefaultSummary, InputSummary, Summary};
use hclkit_value::Type;
use serde_json::{Map, Value as Json, json};

use crate::decode::PlainJson;
pub use template::inputs_template;

/// A string with a template, whose value can have another type.
const TEMPLATE: &str = "[$%]\\{";

/// Creates a JSON Schema for files that set the input variables of a module. With `required`, such a file must set all variables
/// without a default. Names of other variables are invalid.
///
/// Types, optional attributes, defaults, descriptions and the conditions of validations that have a keyword are in it. Other
/// conditions are comments. Values that convert to the type are valid, such as `"80"` for a number, as in the module. Defaults of
/// sensitive variables are left out.
///
/// ```
/// use hclkit::module::{Dialect, Memory, ModuleLoader};
/// use hclkit::schema::inputs_schema;
///
/// let text = "variable \"zone\" {\n  type = string\n  validation {\n    condition     = contains([\"a\", \"b\"], var.zone)\n    \
///             error_message = \"Wrong.\"\n  }\n}\n";
/// let summary = ModuleLoader::new(Dialect::terraform()).with_files(Memory::from_iter([("main.tf", text)])).summary(false);
/// let schema = inputs_schema(&summary, "Inputs", true);
/// assert_eq!(schema["required"][0], "zone");
/// assert_eq!(schema["properties"]["zone"]["anyOf"][0]["enum"][0], "a");
/// ```
pub fn inputs_schema(summary: &Summary, title: &str, required: bool) -> Json {
    let mut properties = Map::new();
    for input in &summary.inputs {
        properties.insert(input.name.clone(), of_input(input));
    }
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!(title));
    schema.insert("type".to_owned(), json!("object"));
    let needed: Vec<&str> = summary
        .inputs
        .iter()
        .filter(|input| required && input.default.is_none())
        .map(|input| input.name.as_str())
        .collect();
    if !needed.is_empty() {
        schema.insert("required".to_owned(), json!(needed));
    }
    schema.insert("properties".to_owned(), Json::Object(properties));
    schema.insert("additionalProperties".to_owned(), json!(false));
    Json::Object(schema)
}

fn of_input(input: &InputSummary) -> Json {
    let constraint = input.constraint.as_ref();
    let is_hidden = input.sensitive || input.ephemeral;
    // In some languages, the type is that of the default, whose names are part of it.
    let ty = constraint.filter(|_| !is_hidden || input.type_text.is_some());
    let ty = ty.map_or(&Type::Dynamic, |constraint| &constraint.ty);
    let defaults = constraint.and_then(|constraint| constraint.defaults.as_ref()).filter(|_| !is_hidden);
    let Json::Object(mut schema) = of_type(ty, defaults) else { return json!({}) };
    if let Some(description) = input.description.as_deref().filter(|text| !text.is_empty()) {
        schema.insert("description".to_owned(), json!(description));
    }
    if let Some(DefaultSummary::Value(value)) = &input.default
        && let Ok(value) = serde_json::to_value(PlainJson::new(value))
    {
        schema.insert("default".to_owned(), value);
    }
    if input.deprecated.is_some() {
        schema.insert("deprecated".to_owned(), json!(true));
    }
    if is_hidden {
        schema.insert("writeOnly".to_owned(), json!(true));
    }
    // With a default, Terraform replaces null by it.
    if !input.nullable && input.default.is_none() {
        refuse_null(&mut schema);
    }
    conditions::add(input, ty, &mut schema);
    Json::Object(schema)
}

/// Removes null from the accepted types.
fn refuse_null(schema: &mut Map<String, Json>) {
    match schema.get_mut("type") {
        Some(Json::Array(types)) => types.retain(|name| name != "null"),
        Some(_) => {}
        None => _ = schema.insert("not".to_owned(), json!({ "type": "null" })),
    }
}

/// The values that convert to a type, null, and templates.
fn of_type(ty: &Type, defaults: Option<&Defaults>) -> Json {
    let structure = |name: &str, more: Json| {
        let mut schema = json!({ "type": [name, "string", "null"], "pattern": TEMPLATE });
        if let (Json::Object(schema), Json::Object(more)) = (&mut schema, more) {
            schema.extend(more);
        }
        schema
    };
    match ty {
        Type::String => json!({ "type": ["string", "number", "boolean", "null"] }),
        Type::Number => json!({
            "type": ["number", "string", "null"],
            "pattern": format!("^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$|{TEMPLATE}"),
        }),
        Type::Bool => json!({
            "type": ["boolean", "string", "null"],
            "pattern": format!("^(true|false|1|0)$|{TEMPLATE}"),
        }),
        Type::List(element) | Type::Set(element) => {
            let own = defaults.and_then(Defaults::elements);
            structure("array", json!({ "items": hclkit_limits::with_room(|| of_type(element, own)) }))
        }
        Type::Map(element) => {
            let own = defaults.and_then(Defaults::elements);
            structure(
                "object",
                json!({ "additionalProperties": hclkit_limits::with_room(|| of_type(element, own)) }),
            )
        }
        Type::Tuple(tuple) => {
            let parts = tuple.elements().iter().enumerate().map(|(at, element)| {
                let own = defaults.and_then(|defaults| defaults.attribute(&at.to_string()));
                hclkit_limits::with_room(|| of_type(element, own))
            });
            let parts: Vec<Json> = parts.collect();
            let count = parts.len();
            structure("array", json!({ "prefixItems": parts, "minItems": count, "maxItems": count }))
        }
        Type::Object(attributes) => {
            let mut properties = Map::new();
            for (name, ty) in attributes.attributes() {
                let own = defaults.and_then(|defaults| defaults.attribute(name));
                let mut schema = hclkit_limits::with_room(|| of_type(ty, own));
                let default = defaults.and_then(|defaults| defaults.value(name));
                let default = default.and_then(|value| serde_json::to_value(PlainJson::new(value)).ok());
                if let (Json::Object(schema), Some(default)) = (&mut schema, default) {
                    schema.insert("default".to_owned(), default);
                }
                properties.insert(name.to_string(), schema);
            }
            let required: Vec<&str> = attributes
                .names()
                .iter()
                .filter(|name| !attributes.is_optional(name))
                .map(hclkit_value::Str::as_str)
                .collect();
            // Conversion drops other attributes.
            structure("object", json!({ "properties": properties, "required": required }))
        }
        Type::Dynamic | Type::Capsule(_) => json!({}),
    }
}
