//! Values of the JSON syntax as expressions: strings become templates, or stay literal. Specification: "Expressions" in
//! "HCL JSON Syntax Specification".

use std::borrow::Cow;
use std::sync::Arc;

use hclkit_syntax::json::{self, JsonArray, JsonKind, JsonObject, JsonText, JsonValue};
use hclkit_syntax::{Document, Source, StartSymbol};
use hclkit_value::{Number, Str, Value};

use super::{LoweredExpr, folded};
use crate::Diagnostics;
use crate::node::{Item, Kind, Node};

/// Lowers a value whose strings are templates.
pub(crate) fn template(value: JsonValue) -> LoweredExpr {
    let texts = Texts { source: value.document().shared_source(), diagnostics: Diagnostics::new() };
    let mut lowering = Lowering { texts: Some(texts), depth: 0 };
    let node = lowering.value(value);
    LoweredExpr::new(node, lowering.texts.map(|texts| texts.diagnostics).unwrap_or_default())
}

/// Lowers a value whose strings are literal.
pub(crate) fn literal(value: JsonValue) -> Node {
    Lowering { texts: None, depth: 0 }.value(value)
}

struct Lowering<'d> {
    /// The templates; `None` in literal-only mode.
    texts: Option<Texts<'d>>,
    /// The number of enclosing arrays and objects.
    depth: u32,
}

impl Lowering<'_> {
    fn value(&mut self, value: JsonValue) -> Node {
        match value.kind() {
            JsonKind::Object(object) => self.object(object),
            JsonKind::Array(array) => self.array(array),
            JsonKind::String(text) => self.text(text),
            _ => leaf(value),
        }
    }

    fn array(&mut self, array: JsonArray) -> Node {
        self.depth += 1;
        let elements: Box<[Node]> = array.elements().map(|element| self.value(element)).collect();
        self.depth -= 1;
        let constants: Option<Vec<Value>> = elements.iter().map(|node| node.constant().cloned()).collect();
        Node { span: array.span(), kind: folded(constants.map(Value::tuple), Kind::Tuple(elements)) }
    }

    fn object(&mut self, object: JsonObject) -> Node {
        self.depth += 1;
        let item = |property: json::JsonProperty| Item {
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
        // Evaluation reports duplicate names.
        let whole = whole.filter(|value| value.as_object().is_some_and(|made| made.len() == items.len()));
        Node { span: object.span(), kind: folded(whole, Kind::Properties(items)) }
    }

    fn text(&mut self, text: JsonText) -> Node {
        let value = text.value();
        match &mut self.texts {
            // Most strings contain nothing that has a meaning in a template.
            Some(texts) if value.contains("${") || value.contains("%{") || value.starts_with('\u{feff}') => {
                texts.read(text, value, self.depth)
            }
            _ => Node { span: text.span(), kind: Kind::Constant(Value::from(&*value)) },
        }
    }
}

fn leaf(value: JsonValue) -> Node {
    let kind = match value.kind() {
        JsonKind::Number(text) => match text.parse::<Number>() {
            Ok(number) => Kind::Constant(Value::from(number)),
            Err(_) => Kind::Invalid,
        },
        JsonKind::Bool(flag) => Kind::Constant(Value::from(flag)),
        JsonKind::Null => Kind::Constant(Value::NULL),
        _ => Kind::Invalid,
    };
    Node { span: value.span(), kind }
}

/// The parsed texts of strings, and their errors.
struct Texts<'d> {
    source: &'d Arc<Source>,
    diagnostics: Diagnostics,
}

impl Texts<'_> {
    /// Parses the text of a string. Enclosing arrays and objects count as nesting.
    fn read(&mut self, text: JsonText, value: Cow<str>, depth: u32) -> Node {
        let document =
            Document::parse_within(Source::new("", value.into_owned()), StartSymbol::Template, depth);
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
