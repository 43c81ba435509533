//! JSON Schema (draft 2020-12) of the JSON syntax that a spec describes. Specification: "Structural Elements" of the JSON
//! syntax; strings are templates there, which may become anything.

use std::collections::{BTreeMap, VecDeque};

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
    let mut writer =
        Writer { dynamic, names: BTreeMap::new(), definitions: Vec::new(), bodies: VecDeque::new() };
    let name = writer.name("template");
    writer.definitions.push((name, template()));
    let root = writer.body(spec, "");
    while let Some((at, name, spec)) = writer.bodies.pop_front() {
        let body = writer.body(spec, &name);
        writer.definitions[at] = (name, object(body));
    }
    let definitions = Json::Object(writer.definitions.into_iter().collect());
    let head = [
        ("$schema", text("https://json-schema.org/draft/2020-12/schema")),
        ("title", text(title)),
        ("$defs", definitions),
    ];
    object(head.into_iter().chain(root))
}

/// Text that an expression makes another value of.
fn template() -> Json {
    object([
        ("description", text("An expression, such as \"${var.name}\".")),
        ("type", text("string")),
        ("pattern", text("[$%]\\{")),
    ])
}

/// Writes the schemas of bodies. What a block may hold is written once, and referred to by a name where it may stand: as an
/// object, in an array, and in a `dynamic` block.
struct Writer<'s> {
    dynamic: bool,
    /// Those of all definitions, and how many wanted to be called so.
    names: BTreeMap<String, usize>,
    definitions: Vec<(String, Json)>,
    /// The bodies whose definitions are not written yet, and where those belong.
    bodies: VecDeque<(usize, String, &'s Spec)>,
}

impl<'s> Writer<'s> {
    /// A name for a definition that no other has, made of what can stand in a reference.
    fn name(&mut self, wanted: &str) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        let wanted: String = wanted.chars().map(|c| if plain(c) { c } else { '_' }).collect();
        let mut name = wanted.clone();
        while self.names.contains_key(&name) {
            let count = self.names.entry(wanted.clone()).or_insert(1);
            *count += 1;
            name = format!("{wanted}.{count}");
        }
        self.names.insert(name.clone(), 1);
        name
    }

    /// Adds a definition, and refers to it.
    fn define(&mut self, wanted: &str, schema: Json) -> Json {
        let name = self.name(wanted);
        let reference = refer(&name);
        self.definitions.push((name, schema));
        reference
    }

    /// The schema of a body, whose own definition has a name.
    fn body(&mut self, spec: &'s Spec, path: &str) -> Vec<(&'static str, Json)> {
        let reference = BodyReference::of(spec);
        let mut required: Vec<Json> = Vec::new();
        let mut properties = vec![comment()];
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
        let mut dynamic = Vec::new();
        for block in &reference.blocks {
            let path = below(path, block.block_type);
            let content = self.content(block, &path);
            if self.dynamic {
                let made = dynamic_block(block, content.clone());
                let made = self.define(&format!("dynamic.{path}"), made);
                dynamic.push((block.block_type.to_string(), one_or_several(made, 0, None)));
            }
            properties.push((block.block_type.to_string(), self.blocks(block, &path, content)));
            // A dynamic block may be what is required.
            if block.min > 0 && !self.dynamic {
                required.push(text(block.block_type));
            }
        }
        if !dynamic.is_empty() {
            let made = self.define(&below(path, "dynamic"), closed(dynamic, Vec::new()));
            properties.push(("dynamic".to_owned(), one_or_several(made, 0, None)));
        }
        closed_properties(properties, required)
    }

    /// What is in a block.
    fn content(&mut self, block: &BlockReference<'s>, path: &str) -> Json {
        match block.content {
            Inside::Body(spec) => {
                let name = self.name(path);
                let reference = refer(&name);
                // It keeps its place before what is in it.
                self.bodies.push_back((self.definitions.len(), name.clone(), spec));
                self.definitions.push((name, Json::Null));
                reference
            }
            Inside::Arguments(ty) => {
                let arguments = [
                    ("type", text("object")),
                    ("properties", Json::Object([comment()].into_iter().collect())),
                    ("additionalProperties", of_type(ty)),
                ];
                self.define(path, object(arguments))
            }
        }
    }

    /// The property that blocks of a type are: an object, or an array of objects, at each label and for the bodies.
    fn blocks(&mut self, block: &BlockReference<'_>, path: &str, content: Json) -> Json {
        // How many there are is plain only where no labels share them out.
        let counted = block.labels.is_empty() && !self.dynamic;
        let (min, max) = if counted { (block.min, block.max) } else { (0, None) };
        let mut schema = one_or_several(content, min, max);
        for label in block.labels.iter().rev() {
            let mut labelled = vec![("type", text("object")), ("additionalProperties", schema)];
            if !label.is_empty() {
                labelled.insert(0, ("description", text(&format!("By the label \"{label}\"."))));
            }
            let labelled = self.define(&format!("{path}:{label}"), object(labelled));
            schema = one_or_several(labelled, 0, None);
        }
        schema
    }
}

/// The name of what is inside of something else.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn refer(name: &str) -> Json {
    object([("$ref", text(&format!("#/$defs/{name}")))])
}

/// A property that says nothing.
fn comment() -> (String, Json) {
    ("//".to_owned(), object([("description", text("A comment."))]))
}

/// A block that stands for others.
fn dynamic_block(block: &BlockReference<'_>, content: Json) -> Json {
    let collection = object([
        ("description", text("The collection that has an element for each block.")),
        ("type", Json::Array(["array", "object", "string"].map(text).to_vec())),
    ]);
    let iterator = object([
        ("description", text("What the element is called in the content, instead of the type of the block.")),
        ("type", text("string")),
    ]);
    let mut properties =
        vec![comment(), ("for_each".to_owned(), collection), ("iterator".to_owned(), iterator)];
    let mut required = vec![text("for_each"), text("content")];
    if !block.labels.is_empty() {
        let count = Json::Number(block.labels.len().to_string());
        let labels = object([
            ("type", Json::Array(["array", "string"].map(text).to_vec())),
            ("items", of_type(&Type::String)),
            ("minItems", count.clone()),
            ("maxItems", count),
        ]);
        properties.push(("labels".to_owned(), labels));
        required.push(text("labels"));
    }
    properties.push(("content".to_owned(), one_or_several(content, 1, Some(1))));
    closed(properties, required)
}

/// An object with no other properties than these.
fn closed(properties: Vec<(String, Json)>, required: Vec<Json>) -> Json {
    object(closed_properties(properties, required))
}

fn closed_properties(properties: Vec<(String, Json)>, required: Vec<Json>) -> Vec<(&'static str, Json)> {
    let mut schema = vec![
        ("type", text("object")),
        ("properties", Json::Object(properties.into_iter().collect())),
        ("additionalProperties", Json::Bool(false)),
    ];
    if !required.is_empty() {
        schema.insert(2, ("required", Json::Array(required)));
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
        let null = object([("type", text("null"))]);
        object([("anyOf", Json::Array(vec![object(schema), refer("template"), null]))])
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
