//! Values of the JSON syntax as expressions: strings become templates, or stay literal. Specification: "Expressions" in
//! "HCL JSON Syntax Specification".

use std::borrow::Cow;
use std::sync::Arc;

use hclkit_syntax::json::{self, Array, Object, Text, Value as Json, ValueKind};
use hclkit_syntax::{Document, Entry, NodeId, Source};
use hclkit_value::{Number, Str, Value};

use super::{Ready, folded};
use crate::Diagnostics;
use crate::node::{Item, Kind, Node};

/// Makes a value ready, strings being templates.
pub(crate) fn template(document: &Arc<json::Document>, id: NodeId) -> Ready {
    let texts = Texts { source: document.shared_source(), diagnostics: Diagnostics::new() };
    let mut lowering = Lowering { texts: Some(texts), depth: 0 };
    let node = lowering.value(document.value(id));
    Ready { node, diagnostics: lowering.texts.map(|texts| texts.diagnostics).unwrap_or_default() }
}

/// Makes a value ready, strings being literal.
pub(crate) fn literal(value: Json) -> Node {
    Lowering { texts: None, depth: 0 }.value(value)
}

struct Lowering<'d> {
    /// The templates; none in literal-only mode.
    texts: Option<Texts<'d>>,
    /// How many arrays and objects are around.
    depth: u32,
}

impl Lowering<'_> {
    fn value(&mut self, value: Json) -> Node {
        match value.kind() {
            ValueKind::Object(object) => self.object(object),
            ValueKind::Array(array) => self.array(array),
            ValueKind::String(text) => self.text(text),
            _ => leaf(value),
        }
    }

    fn array(&mut self, array: Array) -> Node {
        self.depth += 1;
        let elements: Box<[Node]> = array.elements().map(|element| self.value(element)).collect();
        self.depth -= 1;
        let constants: Option<Vec<Value>> = elements.iter().map(|node| node.constant().cloned()).collect();
        Node { span: array.span(), kind: folded(constants.map(Value::tuple), Kind::Tuple(elements)) }
    }

    fn object(&mut self, object: Object) -> Node {
        self.depth += 1;
        let item = |property: json::Property| Item {
            key: Node { span: property.name_span(), ..self.text(property.name()) },
            bare: false,
            value: self.value(property.value()),
        };
        let items: Box<[Item]> = object.properties().map(item).collect();
        self.depth -= 1;
        let constants: Option<Vec<(Str, Value)>> = items
            .iter()
            .map(|item| Some((Str::from(item.key.constant()?.as_str()?), item.value.constant()?.clone())))
            .collect();
        let whole = constants.map(Value::object);
        // Names that come twice are for the evaluation to tell.
        let whole = whole.filter(|value| value.as_object().is_some_and(|made| made.len() == items.len()));
        Node { span: object.span(), kind: folded(whole, Kind::Properties(items)) }
    }

    fn text(&mut self, text: Text) -> Node {
        let value = text.value();
        match &mut self.texts {
            // Most strings have nothing in them that would make a difference.
            Some(texts) if value.contains("${") || value.contains("%{") || value.starts_with('\u{feff}') => {
                texts.read(text, value, self.depth)
            }
            _ => Node { span: text.span(), kind: Kind::Constant(Value::from(&*value)) },
        }
    }
}

fn leaf(value: Json) -> Node {
    let kind = match value.kind() {
        ValueKind::Number(text) => match text.parse::<Number>() {
            Ok(number) => Kind::Constant(Value::from(number)),
            Err(_) => Kind::Invalid,
        },
        ValueKind::Bool(flag) => Kind::Constant(Value::from(flag)),
        ValueKind::Null => Kind::Constant(Value::NULL),
        _ => Kind::Invalid,
    };
    Node { span: value.span(), kind }
}

/// Texts in strings, and what is wrong with them.
struct Texts<'d> {
    source: &'d Arc<Source>,
    diagnostics: Diagnostics,
}

impl Texts<'_> {
    /// Reads the text of a string; arrays and objects around it count as nesting.
    fn read(&mut self, text: Text, value: Cow<str>, depth: u32) -> Node {
        let document = Document::parse_within(Source::new("", value.into_owned()), Entry::Template, depth);
        let map = text.map();
        if document.diagnostics().is_empty() {
            return super::template_at(&document, &|span| map.span(span));
        }
        let mut found = document.diagnostics().clone();
        found.update(|diagnostic| map.moved(diagnostic, self.source));
        self.diagnostics.append(found);
        Node { span: text.span(), kind: Kind::Invalid }
    }
}
