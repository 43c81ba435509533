//! Bodies: properties as attributes, blocks and comments.

use std::collections::HashMap;

use hclkit_dialect::{Dialect, Strings as DialectStrings};
use hclkit_model::Body;
use hclkit_syntax::json::{JsonKind, JsonProperty, JsonText, JsonValue};
use hclkit_syntax::{Code, Diagnostic, Diagnostics, Place, is_identifier};
use hclkit_write::NewBody;

use super::ToNative;
use super::known::{BodyKnowledge, Property};
use super::value::Strings;
use crate::messages;

/// A conversion, and the problems so far.
pub(super) struct Work<'c> {
    converter: &'c ToNative,
    pub(super) problems: Diagnostics,
    /// Where each attribute of a file was first set.
    set: HashMap<String, Place>,
    /// The limit on elements is exceeded.
    pub(super) is_too_large: bool,
}

/// The location of a property.
#[derive(Clone, Copy)]
struct At<'k> {
    /// The type of the enclosing block.
    block: Option<&'k str>,
    /// The type of the outermost block.
    top: Option<&'k str>,
    known: &'k BodyKnowledge<'k>,
}

impl<'c> Work<'c> {
    pub(super) fn new(converter: &'c ToNative) -> Self {
        Self { converter, problems: Diagnostics::new(), set: HashMap::new(), is_too_large: false }
    }

    /// Adds the contents of a file.
    pub(super) fn body(&mut self, value: JsonValue<'_>, known: &BodyKnowledge<'_>, into: NewBody) -> NewBody {
        let mut set = std::mem::take(&mut self.set);
        let body = self.properties(value, At { block: None, top: None, known }, &mut set, into);
        self.set = set;
        body
    }

    /// The source text, or the problems.
    pub(super) fn finish(mut self, whole: &NewBody) -> Result<String, Diagnostics> {
        if self.problems.has_errors() {
            return Err(self.problems);
        }
        whole.source().map_err(|error| {
            self.problems.push(messages::source_is_not_native(&error));
            self.problems
        })
    }

    fn properties(
        &mut self,
        value: JsonValue<'_>,
        at: At<'_>,
        set: &mut HashMap<String, Place>,
        mut into: NewBody,
    ) -> NewBody {
        let schema = at.known.schema(self.converter.dynamic);
        if let Some(schema) = &schema {
            // Properties that the spec does not accept are reported as in decoding.
            self.problems.append(Body::from_json(value).content(schema).1);
        }
        for property in objects(value, &mut |value| self.no_object(value)) {
            let name = property.name().value();
            if name == "//" {
                into = into.comment(comment(property.value()));
                continue;
            }
            match self.kind(&name, property.value(), at, schema.as_ref()) {
                Property::Blocks(labels, known) => {
                    if self.is_name(property.name(), messages::BLOCK_TYPE) {
                        let top = at.top.unwrap_or(&name);
                        let mut blocks = Blocks { block_type: &name, top, found: Vec::new() };
                        self.blocks(&mut blocks, property.value(), labels, &mut Vec::new(), &known);
                        into = blocks
                            .found
                            .into_iter()
                            .fold(into, |into, (labels, body)| into.with_block(&*name, labels, body));
                    }
                }
                Property::Attribute => {
                    if !self.is_name(property.name(), messages::ATTRIBUTE_NAME) {
                        continue;
                    }
                    let place = Place::new(value.document().shared_source(), property.name_span());
                    if let Some(first) = set.get(&*name) {
                        // Within one file, the schema reports this.
                        if schema.is_none() || first.source != place.source {
                            let error = messages::argument_set_twice(&name).at(place);
                            self.problems.push(error.with_related(
                                &first.source,
                                first.span,
                                messages::related::FIRST_SET,
                            ));
                        }
                        continue;
                    }
                    set.insert(name.clone().into_owned(), place);
                    let strings = self.strings(&name, at);
                    into = into.attribute(&*name, self.value(property.value(), strings));
                }
            }
        }
        into
    }

    fn kind<'k>(
        &self,
        name: &str,
        value: JsonValue<'_>,
        at: At<'k>,
        schema: Option<&hclkit_model::Schema>,
    ) -> Property<'k> {
        if schema.is_none() {
            let blocks = &self.converter.blocks;
            if let Some((_, labels)) =
                blocks.iter().find(|(pattern, _)| pattern.matches(at.top, at.block, name))
            {
                let known = match at.known {
                    BodyKnowledge::Dialect(dialect, _) => BodyKnowledge::Dialect(dialect, Some("*".into())),
                    _ => BodyKnowledge::Nothing,
                };
                return Property::Blocks(*labels, known);
            }
            if self.converter.attributes.iter().any(|pattern| pattern.matches(at.top, at.block, name)) {
                return Property::Attribute;
            }
        }
        at.known.property(name, value, schema)
    }

    /// How the strings of an attribute are read.
    fn strings(&self, name: &str, at: At<'_>) -> Strings {
        let converter = self.converter;
        let is_static = converter.statics.contains(at.top, at.block, name)
            || matches!(at.known, BodyKnowledge::Dynamic(_)) && name == "iterator";
        if at.block == Some("required_providers") {
            Strings::Providers
        } else if converter.literal || converter.statics.all || is_static && self.is_text(at.block, name) {
            Strings::Text
        } else if is_static {
            Strings::Source
        } else {
            Strings::Templates
        }
    }

    /// Whether the strings of a static attribute are text. If the language is not given, one that reads them so suffices.
    fn is_text(&self, block: Option<&str>, name: &str) -> bool {
        let reads = |dialect: &Dialect| dialect.strings(block, name) == DialectStrings::Text;
        match &self.converter.dialect {
            Some(dialect) => reads(dialect),
            None => Dialect::all().any(|dialect| reads(&dialect)),
        }
    }

    fn blocks(
        &mut self,
        blocks: &mut Blocks<'_>,
        value: JsonValue<'_>,
        levels: usize,
        labels: &mut Vec<String>,
        known: &BodyKnowledge<'_>,
    ) {
        if labels.len() < levels {
            for property in objects(value, &mut |value| self.no_object(value)) {
                let label = property.name().value();
                let known = known.clone().of_dynamic(&label);
                labels.push(label.into_owned());
                self.blocks(blocks, property.value(), levels, labels, &known);
                labels.pop();
            }
            return;
        }
        let bodies = match value.kind() {
            JsonKind::Array(array) => array.elements().collect(),
            JsonKind::Null | JsonKind::Missing => Vec::new(),
            _ => vec![value],
        };
        for body in bodies {
            if !body.is_object() && !body.is_array() && !body.is_null() {
                self.no_object(body);
                continue;
            }
            let at = At { block: Some(blocks.block_type), top: Some(blocks.top), known };
            let inner = self.properties(body, at, &mut HashMap::new(), NewBody::new());
            blocks.found.push((labels.clone(), inner));
        }
    }

    fn is_name(&mut self, name: JsonText<'_>, what: &str) -> bool {
        let text = name.value();
        if is_identifier(&text) {
            return true;
        }
        let place = Place::new(name.document().shared_source(), name.span());
        self.problems.push(messages::name_is_not_native(what, &text).at(place));
        false
    }

    fn no_object(&mut self, value: JsonValue<'_>) {
        let place = Place::new(value.document().shared_source(), value.start_span());
        let reported = |problem: &Diagnostic| {
            problem.has_code(Code::JsonBodyRequired) && problem.place().as_ref() == Some(&place)
        };
        if self.problems.iter().any(reported) {
            return;
        }
        self.problems.push(messages::object_required().at(place));
    }
}

/// The blocks of a property.
struct Blocks<'n> {
    block_type: &'n str,
    /// The type of the outermost block.
    top: &'n str,
    found: Vec<(Vec<String>, NewBody)>,
}

/// The properties of an object, or of all objects in an array.
fn objects<'d>(value: JsonValue<'d>, wrong: &mut impl FnMut(JsonValue<'d>)) -> Vec<JsonProperty<'d>> {
    let mut properties = Vec::new();
    let mut add = |value: JsonValue<'d>| match value.kind() {
        JsonKind::Object(object) => properties.extend(object.properties()),
        JsonKind::Null | JsonKind::Missing => {}
        _ => wrong(value),
    };
    match value.kind() {
        JsonKind::Array(array) => array.elements().for_each(add),
        _ => add(value),
    }
    properties
}

/// The text of a comment: a string as it is, the strings of an array line by line, anything else as JSON.
fn comment(value: JsonValue<'_>) -> String {
    let text = |value: JsonValue<'_>| match value.as_string() {
        Some(text) => text.value().into_owned(),
        None => value.text().to_owned(),
    };
    match value.as_array() {
        Some(array) => array.elements().map(text).collect::<Vec<_>>().join("\n"),
        None => text(value),
    }
}
