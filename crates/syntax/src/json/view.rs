//! The values of a JSON document. A view is a document and the id of a node, and is cheap to copy.

use super::document::JsonDocument;
use super::node::{Kind, Node};
use super::text::JsonText;
use crate::{NodeId, Span};

/// A value: an object, an array, a string, a number, `true`, `false` or `null`.
#[derive(Debug, Clone, Copy)]
pub struct JsonValue<'d> {
    document: &'d JsonDocument,
    id: NodeId,
}

/// The kind of a value.
#[derive(Debug, Clone, Copy)]
pub enum JsonKind<'d> {
    /// `{"name": value, …}`
    Object(JsonObject<'d>),
    /// `[value, …]`
    Array(JsonArray<'d>),
    /// `"text"`
    String(JsonText<'d>),
    /// A number as written: a JSON number in the range of the information model.
    Number(&'d str),
    /// `true` or `false`
    Bool(bool),
    /// `null`
    Null,
    /// A missing or invalid value. Occurs only in documents with errors.
    Missing,
}

impl<'d> JsonValue<'d> {
    pub(super) fn new(document: &'d JsonDocument, id: NodeId) -> Self {
        Self { document, id }
    }

    fn node(self) -> &'d Node {
        self.document.node(self.id)
    }

    /// The document that contains it.
    pub fn document(self) -> &'d JsonDocument {
        self.document
    }

    /// The id of the value in the document.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The span, including quotes and brackets.
    pub fn span(self) -> Span {
        self.node().span()
    }

    /// The span of the first token: the opening bracket of an object or array, otherwise the whole value.
    pub fn start_span(self) -> Span {
        match self.kind() {
            JsonKind::Object(object) => object.open_span(),
            JsonKind::Array(array) => array.open_span(),
            _ => self.span(),
        }
    }

    /// Its source text.
    pub fn text(self) -> &'d str {
        self.document.source().slice(self.span())
    }

    /// Its kind.
    pub fn kind(self) -> JsonKind<'d> {
        match self.node().kind {
            Kind::Object => JsonKind::Object(JsonObject(self)),
            Kind::Array => JsonKind::Array(JsonArray(self)),
            Kind::String | Kind::Name => JsonKind::String(JsonText::new(self.document, self.id)),
            Kind::Number => JsonKind::Number(self.text()),
            Kind::True => JsonKind::Bool(true),
            Kind::False => JsonKind::Bool(false),
            Kind::Null => JsonKind::Null,
            Kind::Missing => JsonKind::Missing,
        }
    }

    /// Returns true if it is an object.
    pub fn is_object(self) -> bool {
        self.node().kind == Kind::Object
    }

    /// Returns true if it is an array.
    pub fn is_array(self) -> bool {
        self.node().kind == Kind::Array
    }

    /// Returns true if it is a string.
    pub fn is_string(self) -> bool {
        self.node().kind == Kind::String
    }

    /// Returns true if it is a number.
    pub fn is_number(self) -> bool {
        self.node().kind == Kind::Number
    }

    /// Returns true if it is `true` or `false`.
    pub fn is_bool(self) -> bool {
        matches!(self.node().kind, Kind::True | Kind::False)
    }

    /// Returns true if it is `null`.
    pub fn is_null(self) -> bool {
        self.node().kind == Kind::Null
    }

    /// Returns true if the value is missing or invalid.
    pub fn is_missing(self) -> bool {
        self.node().kind == Kind::Missing
    }

    /// The object, if it is one.
    pub fn as_object(self) -> Option<JsonObject<'d>> {
        self.is_object().then_some(JsonObject(self))
    }

    /// The array, if it is one.
    pub fn as_array(self) -> Option<JsonArray<'d>> {
        self.is_array().then_some(JsonArray(self))
    }

    /// The text, if it is a string.
    pub fn as_string(self) -> Option<JsonText<'d>> {
        self.is_string().then(|| JsonText::new(self.document, self.id))
    }

    /// The number as written, if it is one.
    pub fn as_number(self) -> Option<&'d str> {
        self.is_number().then(|| self.text())
    }

    /// The bool, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        self.is_bool().then(|| self.node().kind == Kind::True)
    }

    /// The properties in source order. Empty if it is not an object.
    pub fn properties(self) -> Properties<'d> {
        let inside = self.is_object();
        Properties { document: self.document, at: self.first(inside), end: self.last(inside) }
    }

    /// The elements in source order. Empty if it is not an array.
    pub fn elements(self) -> Elements<'d> {
        let inside = self.is_array();
        Elements { document: self.document, at: self.first(inside), end: self.last(inside) }
    }

    fn first(self, inside: bool) -> u32 {
        if inside { self.id.index + 1 } else { 0 }
    }

    fn last(self, inside: bool) -> u32 {
        if inside { self.node().next } else { 0 }
    }

    fn open_span(self) -> Span {
        let start = self.span().start;
        Span::new(start, start + 1)
    }

    fn close_span(self) -> Span {
        let end = self.span().end;
        if self.node().closed { Span::new(end - 1, end) } else { Span::empty(end) }
    }
}

/// `{"name": value, …}`
#[derive(Debug, Clone, Copy)]
pub struct JsonObject<'d>(JsonValue<'d>);

impl<'d> JsonObject<'d> {
    /// The object as a value.
    pub fn value(self) -> JsonValue<'d> {
        self.0
    }

    /// The span, including the braces.
    pub fn span(self) -> Span {
        self.0.span()
    }

    /// The span of the opening brace.
    pub fn open_span(self) -> Span {
        self.0.open_span()
    }

    /// The span of the closing brace. Empty if there is none.
    pub fn close_span(self) -> Span {
        self.0.close_span()
    }

    /// The properties in source order, including duplicates.
    pub fn properties(self) -> Properties<'d> {
        self.0.properties()
    }

    /// The value of the first property with a name.
    pub fn get(self, name: &str) -> Option<JsonValue<'d>> {
        self.properties().find(|property| property.name().value() == name).map(JsonProperty::value)
    }
}

/// `[value, …]`
#[derive(Debug, Clone, Copy)]
pub struct JsonArray<'d>(JsonValue<'d>);

impl<'d> JsonArray<'d> {
    /// The array as a value.
    pub fn value(self) -> JsonValue<'d> {
        self.0
    }

    /// The span, including the brackets.
    pub fn span(self) -> Span {
        self.0.span()
    }

    /// The span of the opening bracket.
    pub fn open_span(self) -> Span {
        self.0.open_span()
    }

    /// The span of the closing bracket. Empty if there is none.
    pub fn close_span(self) -> Span {
        self.0.close_span()
    }

    /// The elements in source order.
    pub fn elements(self) -> Elements<'d> {
        self.0.elements()
    }
}

/// `"name": value`
#[derive(Debug, Clone, Copy)]
pub struct JsonProperty<'d> {
    document: &'d JsonDocument,
    name: NodeId,
}

impl<'d> JsonProperty<'d> {
    /// The name.
    pub fn name(self) -> JsonText<'d> {
        JsonText::new(self.document, self.name)
    }

    /// The span of the name, including quotes.
    pub fn name_span(self) -> Span {
        self.name().span()
    }

    /// The value.
    pub fn value(self) -> JsonValue<'d> {
        JsonValue::new(self.document, NodeId::ROOT.with_index(self.name.index + 1))
    }

    /// The span of the property, from the start of the name to the end of the value.
    pub fn span(self) -> Span {
        self.name_span().cover(self.value().span())
    }
}

/// The properties of an object in source order.
#[derive(Debug, Clone)]
pub struct Properties<'d> {
    document: &'d JsonDocument,
    at: u32,
    end: u32,
}

impl<'d> Iterator for Properties<'d> {
    type Item = JsonProperty<'d>;

    fn next(&mut self) -> Option<JsonProperty<'d>> {
        if self.at >= self.end {
            return None;
        }
        let name = NodeId::ROOT.with_index(self.at);
        self.at = self.document.node(NodeId::ROOT.with_index(self.at + 1)).next;
        Some(JsonProperty { document: self.document, name })
    }
}

/// The elements of an array in source order.
#[derive(Debug, Clone)]
pub struct Elements<'d> {
    document: &'d JsonDocument,
    at: u32,
    end: u32,
}

impl<'d> Iterator for Elements<'d> {
    type Item = JsonValue<'d>;

    fn next(&mut self) -> Option<JsonValue<'d>> {
        if self.at >= self.end {
            return None;
        }
        let id = NodeId::ROOT.with_index(self.at);
        self.at = self.document.node(id).next;
        Some(JsonValue::new(self.document, id))
    }
}
