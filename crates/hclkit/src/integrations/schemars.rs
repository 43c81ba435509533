//! JSON Schema of types with `#[derive(Decode)]`, for applications that collect schemas with `schemars`.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::Decode;

/// The schema of configurations in the JSON syntax that a type decodes, with the descriptions of its fields. It is that of
/// [`json_schema`](crate::schema::json_schema), a document of its own. [`subschema_of`] makes a part of another schema.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use hclkit::Decode;
/// use hclkit::integrations::schemars::schema_of;
///
/// #[derive(Decode)]
/// struct Server {
///     /// Where it listens.
///     port: u16,
/// }
///
/// let schema = schema_of::<Server>("server");
/// assert_eq!(schema.get("title").and_then(|title| title.as_str()), Some("server"));
/// assert!(schema.pointer("/properties/port").unwrap().to_string().contains("Where it listens."));
/// # }
/// ```
pub fn schema_of<T: Decode>(title: &str) -> Schema {
    document::<T>(title).try_into().unwrap_or_default()
}

/// The same schema as a part of another one: a reference to a definition with this name, which is added to the definitions of
/// the generator. The names of definitions inside it begin with `name` and a dot.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use hclkit::Decode;
/// use hclkit::integrations::schemars::subschema_of;
/// use schemars::{JsonSchema, Schema, SchemaGenerator};
///
/// #[derive(JsonSchema)]
/// struct Application {
///     name: String,
///     #[schemars(schema_with = "server")]
///     server: Server,
/// }
///
/// #[derive(Decode)]
/// struct Server {
///     port: u16,
/// }
///
/// fn server(generator: &mut SchemaGenerator) -> Schema {
///     subschema_of::<Server>(generator, "Server")
/// }
///
/// let schema = schemars::schema_for!(Application);
/// assert_eq!(schema.pointer("/properties/server/$ref").unwrap(), "#/$defs/Server");
/// assert!(schema.pointer("/$defs/Server/properties/port").is_some());
/// # }
/// ```
pub fn subschema_of<T: Decode>(generator: &mut SchemaGenerator, name: &str) -> Schema {
    let path = generator.settings().definitions_path.trim_start_matches('#').trim_end_matches('/').to_owned();
    let mut schema = document::<T>(name);
    let mut inner = Vec::new();
    if let Value::Object(own) = &mut schema {
        own.remove("$schema");
        if let Some(Value::Object(definitions)) = own.remove("$defs") {
            inner.extend(definitions);
        }
    }
    let definitions = generator.definitions_mut();
    for (inner_name, mut definition) in inner {
        move_references(&mut definition, &path, name);
        definitions.insert(format!("{name}.{inner_name}"), definition);
    }
    move_references(&mut schema, &path, name);
    definitions.insert(name.to_owned(), schema);
    json!({ "$ref": format!("#{path}/{}", escaped(name)) }).try_into().unwrap_or_default()
}

fn document<T: Decode>(title: &str) -> Value {
    serde_json::to_value(crate::schema::json_schema(
        &T::spec().into(),
        &crate::schema::JsonSchemaOptions::new(title),
    ))
    .unwrap_or_default()
}

/// Changes references to definitions so that they refer to those of a document that contains this one.
fn move_references(schema: &mut Value, path: &str, name: &str) {
    match schema {
        Value::Object(parts) => {
            for (keyword, part) in parts {
                match part {
                    Value::String(target) if keyword == "$ref" => {
                        if let Some(inner) = target.strip_prefix("#/$defs/") {
                            *target = format!("#{path}/{}.{inner}", escaped(name));
                        }
                    }
                    part => move_references(part, path, name),
                }
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| move_references(part, path, name)),
        _ => {}
    }
}

/// A name as a part of a JSON pointer in a URI fragment.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1").replace('%', "%25").replace(' ', "%20")
}
