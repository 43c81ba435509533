//! Bodies in the JSON syntax: objects, and arrays of objects. Specification: "Structural Elements" in "HCL JSON Syntax
//! Specification".

use std::collections::BTreeMap;
use std::sync::Arc;

use hclkit_syntax::json::{JsonDocument, JsonKind, JsonProperty, JsonValue};
use hclkit_syntax::{Diagnostic, KnownNames, NodeId, Place, Source, Span};
use hclkit_value::Name;

use super::require;
use super::{Attribute, Attributes, Block, BlockSchema, Body, BodyItem, Content, Form, Schema, TakenNames};
use crate::suggest::Near;
use crate::{Diagnostics, Expression, messages};

/// A value of a document as a body, without what was already taken from it.
#[derive(Clone, Debug)]
pub(super) struct JsonBody {
    document: JsonDocument,
    id: NodeId,
    hidden: TakenNames,
}

impl JsonBody {
    pub(super) fn document(&self) -> &JsonDocument {
        &self.document
    }

    pub(super) fn new(value: JsonValue<'_>) -> Self {
        Self { document: value.document().clone(), id: value.id(), hidden: TakenNames::default() }
    }

    /// The node, if nothing was taken from it.
    pub(super) fn whole(&self) -> Option<JsonValue<'_>> {
        self.hidden.0.is_none().then(|| self.value())
    }

    fn source(&self) -> &Arc<Source> {
        self.document.shared_source()
    }

    fn value(&self) -> JsonValue<'_> {
        self.document.value(self.id)
    }

    fn hides(&self, name: &str) -> bool {
        self.hidden.attribute(name) || self.hidden.block(name)
    }

    /// The properties that were not taken from the body.
    pub(super) fn shown_properties(&self) -> impl Iterator<Item = JsonProperty<'_>> {
        let all = self.properties(self.value(), None, &mut Diagnostics::new());
        all.into_iter().filter(|property| !self.hides(&property.name().value()))
    }

    pub(super) fn content(&self, schema: &Schema, diagnostics: &mut Diagnostics) -> Content {
        let mut extra = Vec::new();
        let content = self.read(schema, diagnostics, |property| extra.push(property));
        if extra.is_empty() {
            return content;
        }
        let attributes = schema.attributes().map(|attribute| attribute.name.as_str());
        let blocks = schema.blocks().map(|block| block.block_type.as_str());
        let known = KnownNames::new(attributes.chain(blocks).filter(|name| !self.hides(name)));
        for property in extra {
            diagnostics.push_misspelled_with(|| self.extra_property(&known, &content, property));
        }
        content
    }

    pub(super) fn partial_content(&self, schema: &Schema, diagnostics: &mut Diagnostics) -> (Content, Self) {
        let content = self.read(schema, diagnostics, |_| {});
        (content, Self { hidden: self.hidden.with(schema), ..self.clone() })
    }

    fn read<'b>(
        &'b self,
        schema: &Schema,
        diagnostics: &mut Diagnostics,
        mut extra: impl FnMut(JsonProperty<'b>),
    ) -> Content {
        let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
        let mut seen: BTreeMap<Name, Span> = BTreeMap::new();
        for property in self.properties(self.value(), None, diagnostics) {
            let name = property.name().value();
            if self.hides(&name) {
                continue;
            }
            if let Some(known) = schema.attribute(&name) {
                if let Some(&first) = seen.get(&known.name) {
                    self.report_duplicate(&name, property, first, diagnostics);
                } else {
                    seen.insert(known.name.clone(), property.name_span());
                    attributes.push(self.attribute(known.name.clone(), property));
                }
            } else if let Some(known) = schema.block_type(&name) {
                let mut reader =
                    Blocks { body: self, known, type_span: property.name_span(), found: &mut blocks };
                reader.read(property.value(), &mut Vec::new(), diagnostics);
            } else if name != "//" {
                extra(property);
            }
        }
        let attributes = Attributes::first_of_each(attributes);
        let missing_item = self.missing_item();
        require(schema, |name| attributes.get(name).is_some(), || missing_item.clone(), diagnostics);
        Content::new(attributes, blocks, missing_item)
    }

    /// The properties of an object, or of all objects in an array. Null is an object without properties; other values
    /// are errors. If the names are labels, `labels` is what messages call them.
    fn properties<'v>(
        &self,
        value: JsonValue<'v>,
        label: Option<&str>,
        diagnostics: &mut Diagnostics,
    ) -> Vec<JsonProperty<'v>> {
        match value.kind() {
            JsonKind::Object(object) => object.properties().collect(),
            JsonKind::Array(array) => {
                let mut all = Vec::new();
                for element in array.elements() {
                    if element.is_object() {
                        all.extend(element.properties());
                    } else if !element.is_missing() {
                        let message = messages::body::object_required(label);
                        diagnostics.push(message.in_source(self.source(), element.start_span()));
                    }
                }
                all
            }
            JsonKind::Null | JsonKind::Missing => Vec::new(),
            _ => {
                let message = messages::body::objects_required(label);
                diagnostics.push(message.in_source(self.source(), value.start_span()));
                Vec::new()
            }
        }
    }

    fn attribute(&self, name: Name, property: JsonProperty) -> Attribute {
        Attribute {
            name,
            expression: Expression::from_json(property.value()),
            span: property.span(),
            name_span: property.name_span(),
            source: self.source().clone(),
        }
    }

    #[cold]
    fn report_duplicate(
        &self,
        name: &str,
        property: JsonProperty,
        first: Span,
        diagnostics: &mut Diagnostics,
    ) {
        let message = messages::body::duplicate_argument(name);
        let diagnostic = message.in_source(self.source(), property.name_span());
        let diagnostic = diagnostic.with_context(property.span());
        diagnostics.push(diagnostic.with_related_span(first, messages::related::FIRST_SET));
    }

    #[cold]
    fn extra_property(&self, known: &KnownNames, content: &Content, property: JsonProperty) -> Diagnostic {
        let (name, place) = (property.name().value(), property.name_span());
        let near = Near::among(&name, known);
        let message = messages::body::unknown_property(&name, near.first());
        let diagnostic = message.in_source(self.source(), place).with_context(property.span());
        near.offer(diagnostic, place, true, |near| content.attributes.get(near).is_some())
    }

    pub(super) fn attributes(&self, diagnostics: &mut Diagnostics) -> Vec<Attribute> {
        let value = self.value();
        if !value.is_object() && !value.is_missing() {
            let message = messages::body::arguments_required();
            diagnostics.push(message.in_source(self.source(), value.start_span()));
        }
        let mut seen: BTreeMap<Name, Span> = BTreeMap::new();
        let mut attributes = Vec::new();
        for property in value.properties() {
            let name = property.name().value();
            if name == "//" || self.hides(&name) {
                continue;
            }
            let name = Name::from(name);
            if let Some(&first) = seen.get(&name) {
                self.report_duplicate(&name, property, first, diagnostics);
                continue;
            }
            seen.insert(name.clone(), property.name_span());
            attributes.push(self.attribute(name, property));
        }
        attributes
    }

    /// All properties in source order: those of the schema as it says, others by what their values look like.
    pub(super) fn all_items(&self, schema: &Schema) -> Vec<BodyItem> {
        let mut ignored = Diagnostics::new();
        let mut items = Vec::new();
        for property in self.properties(self.value(), None, &mut ignored) {
            let name = property.name().value();
            let (is_attribute, known) = (schema.attribute(&name).is_some(), schema.block_type(&name));
            if self.hides(&name) || (name == "//" && !is_attribute && known.is_none()) {
                continue;
            }
            if is_attribute || (known.is_none() && !looks_like_blocks(property.value())) {
                items.push(BodyItem::Attribute(self.attribute(Name::from(name), property)));
                continue;
            }
            let unlabeled = BlockSchema::new(name, Vec::new());
            let known = known.unwrap_or(&unlabeled);
            let mut found = Vec::new();
            let type_span = property.name_span();
            let mut reader = Blocks { body: self, known, type_span, found: &mut found };
            reader.read(property.value(), &mut Vec::new(), &mut ignored);
            items.extend(found.into_iter().map(BodyItem::Block));
        }
        items
    }

    pub(super) fn missing_item(&self) -> Place {
        let value = self.value();
        let span = match value.kind() {
            JsonKind::Object(object) => object.close_span(),
            _ => value.start_span(),
        };
        Place { source: self.source().clone(), span }
    }
}

/// Returns true if a value is an object, or an array of one or more objects.
fn looks_like_blocks(value: JsonValue) -> bool {
    let mut elements = value.elements().peekable();
    value.is_object() || (elements.peek().is_some() && elements.all(JsonValue::is_object))
}

/// Reads the blocks of a property.
struct Blocks<'b> {
    body: &'b JsonBody,
    known: &'b BlockSchema,
    type_span: Span,
    found: &'b mut Vec<Block>,
}

impl Blocks<'_> {
    /// Reads a value below this number of labels: the outer levels are labels, the innermost ones are bodies.
    fn read(&mut self, value: JsonValue, labels: &mut Vec<(Name, Span)>, diagnostics: &mut Diagnostics) {
        let Some(label) = self.known.label_names.get(labels.len()) else {
            return self.bodies(value, labels, diagnostics);
        };
        if self.known.label_counts().contains(&labels.len()) {
            return self.optional(value, labels, diagnostics);
        }
        let before = diagnostics.mark();
        let properties = self.body.properties(value, Some(label), diagnostics);
        if properties.is_empty() && (value.is_array() || !diagnostics.failed_since(before)) {
            let block_type = &self.known.block_type;
            let message = messages::body::missing_json_label(block_type, label);
            diagnostics.push(message.in_source(self.body.source(), value.start_span()));
        }
        for property in properties {
            labels.push((Name::from(property.name().value()), property.name_span()));
            self.read(property.value(), labels, diagnostics);
            labels.pop();
        }
    }

    /// Reads a value whose objects are bodies, or have labels as the names of their properties.
    fn optional(&mut self, value: JsonValue, labels: &mut Vec<(Name, Span)>, diagnostics: &mut Diagnostics) {
        let objects: Vec<JsonValue> = if value.is_array() { value.elements().collect() } else { vec![value] };
        for object in objects {
            if self.is_body(object) {
                self.bodies(object, labels, diagnostics);
                continue;
            }
            for property in object.properties() {
                labels.push((Name::from(property.name().value()), property.name_span()));
                self.read(property.value(), labels, diagnostics);
                labels.pop();
            }
        }
    }

    /// Returns true unless the properties of an object are optional labels.
    fn is_body(&self, value: JsonValue) -> bool {
        let known = |name: &str| self.known.optional.as_ref().is_some_and(|of| of.body_names.contains(name));
        let mut properties = value.properties().peekable();
        let is_label = |property: JsonProperty| {
            !known(&property.name().value())
                && (property.value().is_null() || looks_like_blocks(property.value()))
        };
        properties.peek().is_none() || !properties.all(is_label)
    }

    fn bodies(&mut self, value: JsonValue, labels: &[(Name, Span)], diagnostics: &mut Diagnostics) {
        match value.kind() {
            JsonKind::Object(_) => self.block(value, value, labels),
            JsonKind::Array(array) => {
                for element in array.elements() {
                    self.block(value, element, labels);
                }
            }
            JsonKind::Null | JsonKind::Missing => {}
            _ => {
                let found: Vec<&str> = labels.iter().map(|(label, _)| label.as_str()).collect();
                let names = self.known.label_names.iter().take(labels.len());
                let names: Vec<&str> = names.map(Name::as_str).collect();
                let message = messages::body::block_body_required(&self.known.block_type, &names, &found);
                diagnostics.push(message.in_source(self.body.source(), value.start_span()));
            }
        }
    }

    fn block(&mut self, value: JsonValue, body: JsonValue, labels: &[(Name, Span)]) {
        let close_span = match body.kind() {
            JsonKind::Object(object) => object.close_span(),
            JsonKind::Array(array) => array.close_span(),
            _ => Span::empty(body.span().end),
        };
        let document = self.body.document.clone();
        let inner = JsonBody { document, id: body.id(), hidden: TakenNames::default() };
        self.found.push(Block {
            block_type: self.known.block_type.clone(),
            labels: labels.iter().map(|(label, _)| label.clone()).collect(),
            label_spans: labels.iter().map(|(_, span)| *span).collect(),
            type_span: self.type_span,
            definition_span: value.start_span(),
            open_span: body.start_span(),
            close_span,
            body: Body(Form::Json(inner)),
            source: self.body.source().clone(),
        });
    }
}
