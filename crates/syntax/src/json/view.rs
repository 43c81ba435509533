//! The values of a JSON document. A view is a document and the id of a node, and is cheap to copy.

use super::document::Document;
use super::node::{Kind, Node};
use super::text::Text;
use crate::{NodeId, Span};

/// A value: an object, an array, a string, a number, `true`, `false` or `null`.
#[derive(Debug, Clone, Copy)]
pub struct Value<'d> {
    document: &'d Document,
    id: NodeId,
}

/// The kind of a value.
#[derive(Debug, Clone, Copy)]
pub enum ValueKind<'d> {
    /// `{"name": value, …}`
    Object(Object<'d>),
    /// `[value, …]`
    Array(Array<'d>),
    /// `"text"`
    String(Text<'d>),
    /// A number as written: a JSON number in the range of the information model.
    Number(&'d str),
    /// `true` or `false`
    Bool(bool),
    /// `null`
    Null,
    /// A missing or invalid value. Occurs only in documents with errors.
    Missing,
}

impl<'d> Value<'d> {
    pub(super) fn new(document: &'d Document, id: NodeId) -> Self {
        Self { document, id }
    }

    fn node(self) -> &'d Node {
        self.document.node(self.id)
    }

    /// The document that contains it.
    pub fn document(self) -> &'d Document {
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
            ValueKind::Object(object) => object.open_span(),
            ValueKind::Array(array) => array.open_span(),
            _ => self.span(),
        }
    }

    /// Its source text.
    pub fn text(self) -> &'d str {
        self.document.source().slice(self.span())
    }

    /// Its kind.
    pub fn kind(self) -> ValueKind<'d> {
        match self.node().kind {
            Kind::Object => ValueKind::Object(Object(self)),
            Kind::Array => ValueKind::Array(Array(self)),
            Kind::String | Kind::Name => ValueKind::String(Text::new(self.document, self.id)),
            Kind::Number => ValueKind::Number(self.text()),
            Kind::True => ValueKind::Bool(true),
            Kind::False => ValueKind::Bool(false),
            Kind::Null => ValueKind::Null,
            Kind::Missing => ValueKind::Missing,
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
    pub fn as_object(self) -> Option<Object<'d>> {
        self.is_object().then_some(Object(self))
    }

    /// The array, if it is one.
    pub fn as_array(self) -> Option<Array<'d>> {
        self.is_array().then_some(Array(self))
    }

    /// The text, if it is a string.
    pub fn as_string(self) -> Option<Text<'d>> {
        self.is_string().then(|| Text::new(self.document, self.id))
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
        if inside { self.id.0 + 1 } else { 0 }
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
pub struct Object<'d>(Value<'d>);

impl<'d> Object<'d> {
    /// The object as a value.
    pub fn value(self) -> Value<'d> {
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
    pub fn get(self, name: &str) -> Option<Value<'d>> {
        self.properties().find(|property| property.name().value() == name).map(Property::value)
    }
}

/// `[value, …]`
#[derive(Debug, Clone, Copy)]
pub struct Array<'d>(Value<'d>);

impl<'d> Array<'d> {
    /// The array as a value.
    pub fn value(self) -> Value<'d> {
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
pub struct Property<'d> {
    document: &'d Document,
    name: NodeId,
}

impl<'d> Property<'d> {
    /// The name.
    pub fn name(self) -> Text<'d> {
        Text::new(self.document, self.name)
    }

    /// The span of the name, including quotes.
    pub fn name_span(self) -> Span {
        self.name().span()
    }

    /// The value.
    pub fn value(self) -> Value<'d> {
        Value::new(self.document, NodeId(self.name.0 + 1))
    }

    /// The span of the property, from the start of the name to the end of the value.
    pub fn span(self) -> Span {
        self.name_span().cover(self.value().span())
    }
}

/// The properties of an object in source order.
#[derive(Debug, Clone)]
pub struct Properties<'d> {
    document: &'d Document,
    at: u32,
    end: u32,
}

impl<'d> Iterator for Properties<'d> {
    type Item = Property<'d>;

    fn next(&mut self) -> Option<Property<'d>> {
        if self.at >= self.end {
            return None;
        }
        let name = NodeId(self.at);
        self.at = self.document.node(NodeId(self.at + 1)).next;
        Some(Property { document: self.document, name })
    }
}

/// The elements of an array in source order.
#[derive(Debug, Clone)]
pub struct Elements<'d> {
    document: &'d Document,
    at: u32,
    end: u32,
}

impl<'d> Iterator for Elements<'d> {
    type Item = Value<'d>;

    fn next(&mut self) -> Option<Value<'d>> {
        if self.at >= self.end {
            return None;
        }
        let id = NodeId(self.at);
        self.at = self.document.node(id).next;
        Some(Value::new(self.document, id))
    }
}
