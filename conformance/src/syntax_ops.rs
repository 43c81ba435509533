//! Ops on native syntax as text: `config`, `accept` and `traversal`.

use hclkit_syntax::ast::{BodyNode, Item, StepKind};
use hclkit_syntax::{Document, Root, Source, Span, StartSymbol, parse};
use hclkit_value::Number;
use serde_json::{Map, Value, json};
use unicode_normalization::UnicodeNormalization;

use crate::place::{diagnostics_json, range_json};
use crate::{Answer, Op, Request};

pub(crate) const OPS: &[Op] = &[("config", config), ("accept", accept), ("traversal", traversal)];

fn config(request: &Request) -> Answer {
    let document = parse(request.text("src")?);
    let mut answer = parse_diags(&document);
    answer.insert("body".to_owned(), body(&document, document.body()));
    Ok(answer)
}

fn accept(request: &Request) -> Answer {
    let document = parse(request.text("src")?);
    Ok(Map::from_iter([("ok".to_owned(), (!document.has_errors()).into())]))
}

fn traversal(request: &Request) -> Answer {
    let partial = request.field("partial").and_then(Value::as_bool) == Some(true);
    let entry = if partial { StartSymbol::PartialTraversal } else { StartSymbol::Traversal };
    let document = Document::parse(Source::new("", request.text("src")?), entry);
    let mut steps = Vec::new();
    if let Root::Traversal(traversal) = document.root() {
        for step in traversal.steps() {
            let (name, what) = match step.kind {
                StepKind::Root(name) => ("root", name.into()),
                StepKind::Attr(name) => ("attr", name.into()),
                StepKind::Key(key) => ("index", json!({ "string": normalized(&key) })),
                StepKind::Index(number) => ("index", json!({ "number": decimal(number) })),
                StepKind::Splat => ("splat", true.into()),
            };
            let mut fields = Map::from_iter([(name.to_owned(), what)]);
            fields.insert("range".to_owned(), range(&document, step.span));
            steps.push(Value::Object(fields));
        }
    }
    let mut answer = parse_diags(&document);
    answer.insert("traversal".to_owned(), steps.into());
    Ok(answer)
}

/// The answer so far: the errors of a document.
pub(crate) fn parse_diags(document: &Document) -> Map<String, Value> {
    let list =
        diagnostics_json(document.diagnostics(), |diagnostic| Some(range(document, diagnostic.span())));
    Map::from_iter([("parse_diags".to_owned(), list)])
}

pub(crate) fn range(document: &Document, span: Span) -> Value {
    range_json(document.range(span))
}

fn body(document: &Document, items: BodyNode) -> Value {
    let place = |span| range(document, span);
    // Fields are moved, because the macro for JSON would copy them again at every level.
    let object = |fields: Vec<(&str, Value)>| -> Value {
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
    };
    let item = |item| match item {
        Item::Attribute(attribute) => object(vec![
            ("attr", attribute.name().into()),
            ("range", place(attribute.span())),
            ("name_range", place(attribute.name_span())),
            ("expr_range", place(attribute.value().span())),
        ]),
        Item::Block(block) => object(vec![
            ("block", block.block_type().into()),
            ("labels", json!(block.label_texts())),
            ("type_range", place(block.type_span())),
            ("label_ranges", block.labels().map(|label| place(label.span())).collect()),
            ("open", place(block.open_span())),
            ("close", place(block.close_span())),
            ("body", body(document, block.body())),
        ]),
    };
    items.items().map(item).collect()
}

/// A number in the form of values, or its text if it is invalid.
pub(crate) fn decimal(literal: &str) -> String {
    literal.parse::<Number>().map_or_else(|_| literal.to_owned(), |number| number.to_string())
}

/// A string in the form of values.
pub(crate) fn normalized(text: &str) -> String {
    text.nfc().collect()
}
