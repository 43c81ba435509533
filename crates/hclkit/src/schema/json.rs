//! Writes a JSON Schema (draft 2020-12) for the JSON syntax of a spec. Specification: "Structural Elements" of the JSON
//! syntax. Strings are accepted for every type, because they are templates.

use std::collections::{HashMap, VecDeque};

use hclkit_model::{Accepts, Nested, Spec, SpecFile};
use hclkit_value::Type;

use super::{ArgumentReference, BlockReference, BodyReference, Inside, MAX_PATH, Names};
use crate::convert::Json;

/// Options of [`json_schema`].
#[derive(Debug, Clone, Default)]
pub struct JsonSchemaOptions {
    title: String,
    dynamic: bool,
}

impl JsonSchemaOptions {
    /// The options for a schema with this title.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), dynamic: false }
    }

    /// Accepts `dynamic` blocks, too.
    #[must_use]
    pub fn with_dynamic(mut self) -> Self {
        self.dynamic = true;
        self
    }
}

/// Creates a JSON Schema for configurations in the JSON syntax that a spec file accepts.
///
/// Each argument and each block type has a `title`, and a `description` if the spec has one, for editors and validators. All
/// keywords are those of draft 2020-12, because strict validators reject others.
///
/// ```
/// use hclkit::schema::{self, JsonSchemaOptions};
/// use hclkit::model::{AttributeSpec, Spec};
/// use hclkit::Type;
///
/// let spec = Spec::from(AttributeSpec::new("port", Type::Number).with_required());
/// let text = serde_json::to_string(&schema::json_schema(&spec.into(), &JsonSchemaOptions::new("Port")))?;
/// assert!(text.contains(r#""port":{"title":"port: number","type":["number","string","null"]}"#));
/// assert!(text.contains(r#""required":["port"]"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn json_schema(file: &SpecFile, options: &JsonSchemaOptions) -> Json {
    let JsonSchemaOptions { title, dynamic } = options;
    let mut writer = Writer {
        dynamic: *dynamic,
        names: Names::default(),
        definitions: Vec::new(),
        known: HashMap::new(),
        bodies: VecDeque::new(),
    };
    let root = writer.body(&file.spec, "");
    let array = writer.root_array(&root);
    while let Some((at, name, title, spec)) = writer.bodies.pop_front() {
        let body = writer.body(spec, &name).one();
        writer.definitions[at] = (name, object([("title", text(&title))].into_iter().chain(body)));
    }
    let definitions = Json::Object(writer.definitions.into_iter().collect());
    let mut schema = vec![
        ("$schema", text("https://json-schema.org/draft/2020-12/schema")),
        ("title", text(title)),
        ("$defs", definitions),
    ];
    if let Some(description) = &file.description {
        schema.insert(2, ("description", text(description)));
    }
    // Keywords for objects do not apply to arrays, and those for arrays do not apply to objects.
    schema.push(("type", types(&["object", "array"])));
    schema.extend(root.one().into_iter().filter(|(name, _)| *name != "type"));
    schema.extend(array);
    object(schema)
}

/// Which part of a body a schema describes.
struct BodySchema {
    properties: Vec<(String, Json)>,
    /// One of several objects that form a body together. The number of blocks is not checked.
    parts: Vec<(String, Json)>,
    required: Vec<String>,
}

impl BodySchema {
    /// A whole body.
    fn one(self) -> Vec<(&'static str, Json)> {
        closed_properties(self.properties, self.required.iter().map(|name| text(name)).collect())
    }
}

/// Writes the schemas of bodies. The schema of a block is a definition, which is referred to wherever the block is allowed:
/// as an object, in an array, and in a `dynamic` block.
struct Writer<'s> {
    dynamic: bool,
    /// The names of all definitions.
    names: Names,
    definitions: Vec<(String, Json)>,
    /// The definitions of bodies by their specs: the same spec can be in many cases of a switch.
    known: HashMap<(*const Spec, String), Json>,
    /// The bodies whose definitions are not yet written, with their positions, names and titles.
    bodies: VecDeque<(usize, String, String, &'s Nested)>,
}

impl<'s> Writer<'s> {
    /// A unique name for a definition, of characters that are valid in a reference.
    fn name(&mut self, wanted: &str) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        let wanted: String = wanted.chars().map(|c| if plain(c) { c } else { '_' }).collect();
        self.names.take(wanted, ".")
    }

    /// Adds a definition, and returns a reference to it.
    fn define(&mut self, wanted: &str, schema: Json) -> Json {
        let name = self.name(wanted);
        let reference = refer(&name);
        self.definitions.push((name, schema));
        reference
    }

    /// The schema of a body with a name for its definition.
    fn body(&mut self, spec: &'s Spec, path: &str) -> BodySchema {
        let reference = BodyReference::of(spec);
        let mut required: Vec<String> = Vec::new();
        let mut properties = vec![comment()];
        for ArgumentReference { name, ty, required: is_required, default, description, accepts } in
            &reference.arguments
        {
            let title = format!("{name}: {ty}");
            let mut schema = described(&title, *description, restricted(of_type(ty), accepts));
            if let (Json::Object(schema), Some(Ok(default))) = (&mut schema, default.map(Json::try_from)) {
                schema.insert("default".to_owned(), default);
            }
            properties.push((name.to_string(), schema));
            if *is_required {
                required.push(name.to_string());
            }
        }
        let mut parts = properties.clone();
        let mut dynamic = Vec::new();
        for block in &reference.blocks {
            let path = below(path, block.block_type);
            let content = self.content(block, block.content, &path);
            if self.dynamic {
                let made = dynamic_block(block, content.clone());
                let made = self.define(&format!("dynamic.{path}"), made);
                dynamic.push((block.block_type.to_string(), one_or_several(made, 0, None)));
            }
            let blocks = self.blocks(block, &path, content);
            let titled = |title: &str, schema| described(title, block.description, schema);
            let title = format!("{}: {}", block.header(), block.how_many());
            let is_attribute = reference.seen.0.contains(block.block_type);
            for (all, schema) in [
                (&mut parts, titled(&block.header(), blocks(false))),
                (&mut properties, titled(&title, blocks(!self.dynamic))),
            ] {
                let attribute = all.iter_mut().find(|(name, _)| is_attribute && *name == **block.block_type);
                match attribute {
                    // The name of an attribute and of blocks.
                    Some((_, either)) => {
                        let attribute = std::mem::replace(either, Json::Null);
                        *either = object([("anyOf", Json::Array(vec![attribute, schema]))]);
                    }
                    None => all.push((block.block_type.to_string(), schema)),
                }
            }
            // A dynamic block can satisfy the requirement.
            if block.min > 0 && !self.dynamic {
                required.push(block.block_type.to_string());
            }
        }
        if !dynamic.is_empty() {
            let made = self.define(&below(path, "dynamic"), closed(dynamic, Vec::new()));
            for properties in [&mut properties, &mut parts] {
                properties.push(("dynamic".to_owned(), labeled(made.clone())));
            }
        }
        BodySchema { properties, parts, required }
    }

    /// The schema of an array at the root, whose objects form one body together.
    fn root_array(&mut self, root: &BodySchema) -> Vec<(&'static str, Json)> {
        let part = self.define("part", closed(root.parts.clone(), Vec::new()));
        let mut schema = vec![("items", part)];
        let contains = |name: &String| {
            let one = object([("required", Json::Array(vec![text(name)]))]);
            object([("title", text(&format!("`{name}` is required"))), ("contains", one)])
        };
        if !root.required.is_empty() {
            schema.push(("allOf", Json::Array(root.required.iter().map(contains).collect())));
        }
        schema
    }

    /// The schema of the content of a block.
    fn content(&mut self, block: &BlockReference<'s>, content: Inside<'s>, path: &str) -> Json {
        match content {
            Inside::Body(spec) => {
                let header = block.header();
                let key = (std::ptr::from_ref::<Spec>(spec), header.clone());
                if let Some(reference) = self.known.get(&key) {
                    return reference.clone();
                }
                let name = self.name(path);
                let reference = refer(&name);
                self.known.insert(key, reference.clone());
                // Reserve the position before its content.
                self.bodies.push_back((self.definitions.len(), name.clone(), header, spec));
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

    /// The property for blocks of a type: an object or an array of objects for each label and for the bodies, with or
    /// without a check of their number.
    fn blocks(
        &mut self,
        block: &BlockReference<'s>,
        path: &str,
        content: Json,
    ) -> impl Fn(bool) -> Json + use<'s> {
        let (min, max) = (block.min, block.max);
        let labels = (!block.labels.is_empty())
            .then(|| self.below_labels(block, 0, (block.content, content.clone()), path));
        // Their number can be checked only if there are no labels.
        move |counted| match &labels {
            Some(labels) => labels.clone(),
            None if counted => one_or_several(content.clone(), min, max),
            None => one_or_several(content.clone(), 0, None),
        }
    }

    /// What comes after some labels of a block: an object by the next label, or bodies. `inside` is the content of blocks with
    /// these labels, and the reference to its definition.
    fn below_labels(
        &mut self,
        block: &BlockReference<'s>,
        at: usize,
        inside: (Inside<'s>, Json),
        path: &str,
    ) -> Json {
        if at == block.labels.len() {
            return one_or_several(inside.1, 0, None);
        }
        let label = block.label_names().nth(at).unwrap_or_default();
        // The label that decides on the content.
        let cases = match inside.0 {
            Inside::Body(nested) if block.optional_labels == 0 => {
                nested.cases().filter(|cases| block.keys + cases.index == at)
            }
            _ => None,
        };
        let mut level = vec![
            ("title".to_owned(), text(&format!("The label \"{label}\" of {}", block.header()))),
            ("type".to_owned(), text("object")),
        ];
        let mut others = Some(inside.clone());
        if let Some(cases) = cases {
            let case = |writer: &mut Self, name: &str, nested: &'s Nested| {
                let path = below(path, name);
                let content = writer.content(block, Inside::Body(nested), &path);
                (Inside::Body(nested), content)
            };
            let mut properties = Vec::new();
            for (name, nested) in &cases.by_label {
                let inside = case(self, name, nested);
                properties
                    .push((name.to_string(), self.below_labels(block, at + 1, inside, &below(path, name))));
            }
            level.push(("properties".to_owned(), Json::Object(properties.into_iter().collect())));
            others = cases.other.as_ref().map(|nested| case(self, "other", nested));
        }
        let others = others.map(|inside| self.below_labels(block, at + 1, inside, path));
        level.push(("additionalProperties".to_owned(), others.unwrap_or(Json::Bool(false))));
        let level = self.define(&format!("{path}:{label}"), Json::Object(level.into_iter().collect()));
        // After the required labels, there can be a body instead of a label.
        if at < block.labels.len() - block.optional_labels {
            return labeled(level);
        }
        let either = object([("anyOf", Json::Array(vec![level, inside.1]))]);
        one_or_several(either, 0, None)
    }
}

/// The name of a nested definition. A path that would be too long starts again with the name, so that the names of deeply
/// nested blocks do not take more space than the spec.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() || path.len() + name.len() > MAX_PATH {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn refer(name: &str) -> Json {
    object([("$ref", text(&format!("#/$defs/{name}")))])
}

/// A property with a comment.
fn comment() -> (String, Json) {
    ("//".to_owned(), object([("description", text("A comment."))]))
}

/// A `dynamic` block.
fn dynamic_block(block: &BlockReference<'_>, content: Json) -> Json {
    let collection = object([
        ("description", text("The collection to iterate over. Each element produces one block.")),
        ("type", Json::Array(["array", "object", "string"].map(text).to_vec())),
    ]);
    let iterator = object([
        (
            "description",
            text("The variable name for the current element in `content`. The default is the block type."),
        ),
        ("type", text("string")),
    ]);
    let mut properties =
        vec![comment(), ("for_each".to_owned(), collection), ("iterator".to_owned(), iterator)];
    let mut required = vec![text("for_each"), text("content")];
    if !block.labels.is_empty() {
        let required_labels = block.labels.len() - block.optional_labels;
        let number = |count: usize| Json::Number(count.to_string());
        let labels = object([
            ("type", Json::Array(["array", "string"].map(text).to_vec())),
            ("items", of_type(&Type::String)),
            ("minItems", number(required_labels)),
            ("maxItems", number(block.labels.len())),
        ]);
        properties.push(("labels".to_owned(), labels));
        if required_labels > 0 {
            required.push(text("labels"));
        }
    }
    properties.push(("content".to_owned(), one_or_several(content, 1, Some(1))));
    closed(properties, required)
}

/// An object with only these properties.
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

/// A schema with a title, and a description if there is one.
fn described(title: &str, description: Option<&str>, schema: Json) -> Json {
    let mut all = vec![("title", text(title))];
    all.extend(description.map(|description| ("description", text(description))));
    match (object(all), schema) {
        (Json::Object(mut all), Json::Object(schema)) => {
            all.extend(schema);
            Json::Object(all)
        }
        (_, schema) => schema,
    }
}

/// One value, or an array of them. With a condition instead of `anyOf`, validators report the errors of the matching form.
fn one_or_several(one: Json, min: usize, max: Option<usize>) -> Json {
    let mut several = vec![("items", one.clone())];
    if min > 0 {
        several.push(("minItems", Json::Number(min.to_string())));
    }
    if let Some(max) = max {
        several.push(("maxItems", Json::Number(max.to_string())));
    }
    if min > 1 {
        several.insert(0, ("type", text("array")));
        return object(several);
    }
    one_or_array(one, object(several))
}

/// An object whose properties are labels, or an array of such objects. At least one label is required.
fn labeled(labels: Json) -> Json {
    let some = object([("minProperties", Json::Number("1".to_owned()))]);
    let several = object([("items", labels.clone()), ("contains", some.clone())]);
    one_or_array(object([("allOf", Json::Array(vec![labels, some]))]), several)
}

fn one_or_array(one: Json, array: Json) -> Json {
    object([("if", object([("type", text("array"))])), ("then", array), ("else", one)])
}

fn types(names: &[&str]) -> Json {
    Json::Array(names.iter().map(|name| text(name)).collect())
}

/// The values that are accepted for a type: those that convert to it, templates and null.
fn of_type(ty: &Type) -> Json {
    // Each keyword applies only to its own type, so keywords for arrays and objects do not reject templates and null.
    let structure = |name: &str, mut schema: Vec<(&'static str, Json)>| {
        schema.insert(0, ("type", types(&[name, "string", "null"])));
        schema.push(("pattern", text("[$%]\\{")));
        object(schema)
    };
    match ty {
        Type::String => object([("type", types(&["string", "number", "boolean", "null"]))]),
        Type::Number => object([("type", types(&["number", "string", "null"]))]),
        Type::Bool => object([("type", types(&["boolean", "string", "null"]))]),
        // Equal elements of a set are merged.
        Type::List(element) | Type::Set(element) => structure("array", vec![("items", of_type(element))]),
        Type::Map(element) => structure("object", vec![("additionalProperties", of_type(element))]),
        Type::Tuple(tuple) => {
            let count = Json::Number(tuple.elements().len().to_string());
            structure(
                "array",
                vec![
                    ("prefixItems", Json::Array(tuple.elements().iter().map(of_type).collect())),
                    ("minItems", count.clone()),
                    ("maxItems", count),
                ],
            )
        }
        Type::Object(attributes) => {
            let properties = attributes.attributes().map(|(name, ty)| (name.to_string(), of_type(ty)));
            let required = attributes.names().iter().filter(|name| !attributes.is_optional(name));
            // Conversion drops other attributes.
            structure(
                "object",
                vec![
                    ("properties", Json::Object(properties.collect())),
                    ("required", Json::Array(required.map(|name| text(name)).collect())),
                ],
            )
        }
        Type::Dynamic | Type::Capsule(_) => object([]),
    }
}

/// A schema with what an argument accepts. Templates are always accepted, because their values are unknown.
fn restricted(mut schema: Json, accepts: &Accepts) -> Json {
    let Json::Object(keywords) = &mut schema else { return schema };
    if let Some(Json::Array(types)) = keywords.get_mut("type")
        && accepts.not_null
    {
        types.retain(|name| !matches!(name, Json::String(name) if name == "null"));
    }
    let mut add = |name: &str, value: Json| {
        keywords.insert(name.to_owned(), value);
    };
    let mut literal: Vec<(&str, Json)> = Vec::new();
    if !accepts.names.is_empty() {
        let null = (!accepts.not_null).then_some(Json::Null);
        let names = accepts.names.iter().map(|name| text(name)).chain(null).collect();
        literal.push(("enum", Json::Array(names)));
    }
    match &accepts.pattern {
        Some(pattern) if is_portable(pattern) => literal.push(("pattern", text(pattern))),
        Some(pattern) => {
            add("$comment", text(&format!("Text must also match the regular expression {pattern}")));
        }
        None => {}
    }
    if !literal.is_empty() {
        let template = object([("type", text("string")), ("pattern", text("[$%]\\{"))]);
        add("anyOf", Json::Array(vec![object(literal), template]));
    }
    if let Some(min) = &accepts.min {
        add("minimum", Json::Number(min.to_string()));
    }
    if let Some((max, inclusive)) = &accepts.max {
        add(if *inclusive { "maximum" } else { "exclusiveMaximum" }, Json::Number(max.to_string()));
    }
    if accepts.deprecated.is_some() {
        add("deprecated", Json::Bool(true));
    }
    schema
}

/// Whether a regular expression means the same in JSON Schema, which has the syntax of ECMAScript: no flags, named groups,
/// classes of Unicode or POSIX, and no escaped letters but some.
pub(super) fn is_portable(pattern: &str) -> bool {
    let is_escape = |letter: char| !letter.is_alphanumeric() || "dDwWsSbBtnrf".contains(letter);
    let mut rest = pattern.chars();
    while let Some(character) = rest.next() {
        let after = rest.as_str();
        let is_known = match character {
            '\\' => rest.next().is_some_and(is_escape),
            '(' => !after.starts_with('?') || after.starts_with("?:"),
            _ => true,
        };
        if !is_known {
            return false;
        }
    }
    !pattern.contains("[:")
}

fn text(text: &str) -> Json {
    Json::String(text.to_owned())
}

fn object(properties: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
    Json::Object(properties.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
