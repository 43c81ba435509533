//! Values of files in HCL 1, as the reference decodes them into a map without a schema: github.com/hashicorp/hcl v1.0.0.
//! This file reads the items of both of its syntaxes; `hcl1/decode.rs` has the rules that make values of them, and
//! `hcl1/settings.rs` what an application reads.

mod decode;
mod settings;

use std::borrow::Cow;

use hclkit_limits::{Meter, with_room};
use hclkit_syntax::ast::{
    BodyNode, ExpressionKind, ExpressionNode, Item as AstItem, ObjectKey, UnaryOperator,
};
use hclkit_syntax::json::{JsonKind, JsonValue};
use hclkit_syntax::{Diagnostic, Document, Hcl1Number, Span, Syntax};
use hclkit_value::Value;

use crate::{Diagnostics, messages};

#[doc(hidden)]
pub use settings::Settings;

/// Decodes a document in HCL 1, or one in the JSON syntax as HCL 1 reads it, into an object.
///
/// - A name that is set to an object, or begins a block, has a list of objects as its value: one for each time. The labels
///   of a block are names of nested objects.
/// - Lists that are set several times are joined. Of other values the last one counts, converted to the kind of the
///   first one.
/// - Objects in lists are objects.
/// - Numbers are integers of 64 bits or floating-point numbers. Strings keep `${ … }`.
/// - Names that differ only in case are one name, where one of them has labels.
///
/// ```
/// use hclkit_model::hcl1;
/// use hclkit_syntax::{Document, Source};
///
/// let text = "mode = 0644\nservice \"web\" {\n  port = 80\n}\nservice \"api\" {}\n";
/// let value = hcl1::decode(&Document::parse_hcl1(Source::new("agent.hcl", text)))?;
/// assert_eq!(value.to_string(), "{ mode = 420, service = [{ web = [{ port = 80 }] }, { api = [{}] }] }");
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
///
/// A document in the native syntax is read in the same way, if it has only literals. Its whole numbers of more than 64 bits are
/// floating-point numbers.
///
/// # Errors
/// The errors of the document, values of one name that are of different kinds, and in the native syntax what is no literal.
pub fn decode(document: &Document) -> Result<Value, Diagnostics> {
    if document.has_errors() {
        return Err(document.diagnostics().clone());
    }
    let meter = Meter::current();
    let _operation = meter.begin();
    let decoded = match document.json() {
        Some(json) => json_items(json.root()).and_then(|items| decode::root(&flatten(items))),
        None => body_items(document.body()).and_then(|items| decode::root(&items)),
    };
    decoded.map_err(|error| error.with_source(document.shared_source()).into())
}

/// A name, or several of a block, and what it is set to.
#[derive(Clone)]
struct Item<'d> {
    name: Name<'d>,
    /// The names after the first one.
    labels: Vec<Name<'d>>,
    node: Node<'d>,
    /// Whether `=` sets it.
    is_set: bool,
}

/// The names of an item, or those after the first ones.
#[derive(Clone, Copy)]
struct Names<'i, 'd> {
    first: Option<&'i Name<'d>>,
    rest: &'i [Name<'d>],
}

impl<'i, 'd> Names<'i, 'd> {
    fn of(item: &'i Item<'d>) -> Self {
        Self { first: Some(&item.name), rest: &item.labels }
    }

    /// All of these names.
    fn all(names: &'i [Name<'d>]) -> Self {
        match names.split_first() {
            Some((first, rest)) => Self { first: Some(first), rest },
            None => Self { first: None, rest: names },
        }
    }

    fn without_first(self) -> Self {
        Self::all(self.rest)
    }
}

#[derive(Clone)]
struct Name<'d> {
    text: Cow<'d, str>,
    span: Span,
}

/// A value as it is written.
#[derive(Clone)]
struct Node<'d> {
    span: Span,
    kind: Kind<'d>,
}

#[derive(Clone)]
enum Kind<'d> {
    Bool(bool),
    /// A number, with its text.
    Number(Hcl1Number, &'d str),
    Text {
        text: Cow<'d, str>,
        is_heredoc: bool,
    },
    List(Vec<Node<'d>>),
    Items(Vec<Item<'d>>),
}

fn body_items(body: BodyNode<'_>) -> Result<Vec<Item<'_>>, Box<Diagnostic>> {
    let items = body.items().map(|item| {
        Ok(match item {
            AstItem::Attribute(attribute) => {
                let name = Name { text: attribute.name_text(), span: attribute.name_span() };
                Item { name, labels: Vec::new(), node: node(attribute.value())?, is_set: true }
            }
            AstItem::Block(block) => {
                let name = Name { text: block.type_text(), span: block.type_span() };
                let labels = block.labels().map(|it| Name { text: it.value(), span: it.span() }).collect();
                let kind = Kind::Items(with_room(|| body_items(block.body()))?);
                Item { name, labels, node: Node { span: block.body().span(), kind }, is_set: false }
            }
        })
    });
    items.collect()
}

/// A value, which must be a literal. In HCL 1, others are errors of the document.
fn node(expression: ExpressionNode<'_>) -> Result<Node<'_>, Box<Diagnostic>> {
    let wrong = || Box::new(messages::hcl1::literal_required().at(expression.span()));
    let is_native = expression.document().syntax() == Syntax::Native;
    let number = |text: &str| {
        // HCL 2 has whole numbers of any size.
        let large = || text.parse().ok().filter(|number: &f64| is_native && number.is_finite());
        let number = Hcl1Number::read(text).or_else(|| large().map(Hcl1Number::Float));
        number.ok_or_else(|| Box::new(messages::hcl1::large_number(text).at(expression.span())))
    };
    let kind = match expression.kind() {
        ExpressionKind::Bool(flag) => Kind::Bool(flag),
        ExpressionKind::Number(text) => Kind::Number(number(text)?, text),
        ExpressionKind::Template(template) => Kind::Text {
            text: template.as_literal().ok_or_else(wrong)?,
            is_heredoc: template.heredoc_name().is_some(),
        },
        // Only the native syntax has operators.
        ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
            let ExpressionKind::Number(digits) = operand.kind() else { return Err(wrong()) };
            Kind::Number(number(&format!("-{digits}"))?, expression.text())
        }
        ExpressionKind::Tuple => {
            Kind::List(with_room(|| expression.elements().map(node).collect::<Result<_, _>>())?)
        }
        ExpressionKind::Object => Kind::Items(with_room(|| object_items(expression))?),
        _ => return Err(wrong()),
    };
    Ok(Node { span: expression.span(), kind })
}

fn object_items(object: ExpressionNode<'_>) -> Result<Vec<Item<'_>>, Box<Diagnostic>> {
    let items = object.items().map(|item| {
        let (name, mut labels, mut value) = (key(item.key())?, Vec::new(), item.value());
        // Each further name is in an object without braces.
        while let Some(inner) = only_item(value) {
            labels.push(key(inner.key())?);
            value = inner.value();
        }
        let between = Span::new(item.key_span().end, value.span().start);
        let is_set = labels.is_empty() && object.document().source().slice(between).contains('=');
        Ok(Item { name, labels, node: node(value)?, is_set })
    });
    items.collect()
}

/// The item of an object without braces, which a further name of a block is.
fn only_item(value: ExpressionNode<'_>) -> Option<hclkit_syntax::ast::ObjectItemNode<'_>> {
    let item = matches!(value.kind(), ExpressionKind::Object).then(|| value.items().next())??;
    (item.span() == value.span()).then_some(item)
}

fn key(key: ObjectKey<'_>) -> Result<Name<'_>, Box<Diagnostic>> {
    Ok(match key {
        ObjectKey::Name(name) => Name { text: Cow::Borrowed(name.text), span: name.span },
        ObjectKey::Expression(key) => {
            let text = match key.kind() {
                ExpressionKind::Template(template) => template.as_literal(),
                ExpressionKind::Number(text) => Some(Cow::Borrowed(text)),
                _ => None,
            };
            let wrong = || messages::hcl1::literal_required().at(key.span());
            Name { text: text.ok_or_else(wrong)?, span: key.span() }
        }
    })
}

/// The items of an object in JSON.
fn json_items(object: JsonValue<'_>) -> Result<Vec<Item<'_>>, Box<Diagnostic>> {
    let JsonKind::Object(properties) = object.kind() else { return Ok(Vec::new()) };
    let items = properties.properties().map(|property| {
        let name = Name { text: property.name().value(), span: property.name().span() };
        Ok(Item { name, labels: Vec::new(), node: json_node(property.value())?, is_set: false })
    });
    items.collect()
}

fn json_node(value: JsonValue<'_>) -> Result<Node<'_>, Box<Diagnostic>> {
    let kind = match value.kind() {
        JsonKind::Bool(flag) => Kind::Bool(flag),
        JsonKind::Number(text) => match Hcl1Number::read(text) {
            Some(number) => Kind::Number(number, text),
            None => return Err(messages::hcl1::large_number(text).at(value.span()).into()),
        },
        JsonKind::String(text) => Kind::Text { text: text.value(), is_heredoc: false },
        JsonKind::Null | JsonKind::Missing => Kind::Text { text: Cow::Borrowed(""), is_heredoc: false },
        JsonKind::Array(array) => {
            let element = |element: JsonValue<'_>| match element.kind() {
                JsonKind::Null => Err(Box::new(messages::hcl1::null_in_list().at(element.span()))),
                _ => Ok(()),
            };
            array.elements().try_for_each(element)?;
            Kind::List(with_room(|| array.elements().map(json_node).collect::<Result<_, _>>())?)
        }
        JsonKind::Object(_) => Kind::Items(with_room(|| json_items(value))?),
    };
    Ok(Node { span: value.span(), kind })
}

/// Reads objects in JSON as blocks, where they can be: an object of objects gives labels, and a list of objects several
/// blocks.
fn flatten(items: Vec<Item<'_>>) -> Vec<Item<'_>> {
    let mut flat = Vec::with_capacity(items.len());
    for item in items {
        spread(item, &mut flat);
    }
    for item in &mut flat {
        flatten_in(&mut item.node);
    }
    flat
}

fn flatten_in(node: &mut Node<'_>) {
    match &mut node.kind {
        Kind::Items(items) => *items = with_room(|| flatten(std::mem::take(items))),
        Kind::List(elements) => elements.iter_mut().for_each(|element| with_room(|| flatten_in(element))),
        _ => {}
    }
}

/// Adds an item, or the items that its objects are.
fn spread<'d>(item: Item<'d>, flat: &mut Vec<Item<'d>>) {
    let is_object = |node: &Node<'_>| matches!(node.kind, Kind::Items(_));
    match item.node.kind {
        Kind::Items(inner) if !inner.is_empty() && inner.iter().all(|it| is_object(&it.node)) => {
            for own in inner {
                let labels = item.labels.iter().cloned().chain([own.name]).chain(own.labels).collect();
                with_room(|| spread(Item { name: item.name.clone(), labels, ..own }, flat));
            }
        }
        Kind::List(elements) if !elements.is_empty() && elements.iter().all(is_object) => {
            for node in elements {
                let (name, labels) = (item.name.clone(), item.labels.clone());
                with_room(|| spread(Item { name, labels, node, is_set: false }, flat));
            }
        }
        kind => flat.push(Item { node: Node { span: item.node.span, kind }, ..item }),
    }
}
