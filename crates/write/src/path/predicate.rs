//! Predicates: expressions about a block, an object or a value, evaluated as far as possible.

use std::collections::{BTreeMap, BTreeSet};

use hclkit_model::{Context, Diagnostics, Expression, Partial, PartialOptions, path};
use hclkit_syntax::ast::{BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item, ObjectKey};
use hclkit_syntax::{Document, NodeId, NodeKind, Root, Syntax, json};
use hclkit_value::{Type, Value};

use super::select::expression_of;

/// The maximum depth of nested blocks in the variables.
const DEPTH: usize = 32;

/// Returns true if a predicate is true for a node. Unknown results count as false, as do errors about the node.
pub(super) fn is_true(
    document: &Document,
    node: NodeId,
    predicate: &Expression,
    context: &Context,
) -> Result<bool, Diagnostics> {
    path::is_true(predicate, context, variables(document, node))
}

/// A context with the variables of an expression about a node.
pub(super) fn with_variables(
    document: &Document,
    node: NodeId,
    expression: &Expression,
    context: &Context,
) -> Context {
    path::with_variables(expression, context, variables(document, node))
}

/// The variables about a node: its attributes, and its nested blocks. Missing ones are null. `self` is an object of all of
/// them, or the value; `block` has the type and the labels of a block.
fn variables(document: &Document, node: NodeId) -> impl Fn(&str) -> Value {
    let block = document.block_at(node);
    let body = match document.tree().kind(node) {
        NodeKind::Body | NodeKind::Root => Some(document.body_at(node)),
        _ => block.map(BlockNode::body),
    };
    let expression = expression_of(document, node).map(|id| document.expression_at(id));
    let value = expression.filter(|_| body.is_none()).map(known);
    move |name| match (name, body, block) {
        ("block", _, Some(block)) => Value::object([
            ("type", Value::from(block.block_type())),
            ("labels", Value::tuple(block.label_texts().iter().map(|label| Value::from(label.as_ref())))),
        ]),
        ("self", Some(body), _) => object(&[body], DEPTH),
        ("self", None, _) => value.clone().unwrap_or_else(unknown),
        (name, Some(body), _) => member(&[body], name, DEPTH),
        (name, None, _) => match &value {
            Some(value) if value.is_known() => {
                let entry = value.entries().and_then(|mut entries| {
                    entries.find(|(key, _)| *key == name).map(|(_, value)| value.clone())
                });
                // An unknown key may be this one.
                let is_whole = expression.is_some_and(|expression| known_as_a_whole(expression).is_known());
                entry.unwrap_or_else(|| if is_whole { Value::null(Type::Dynamic) } else { unknown() })
            }
            _ => unknown(),
        },
    }
}

/// The same for the contents of several files, as if they were one.
pub(super) fn with_merged_variables(
    documents: &[&Document],
    expression: &Expression,
    context: &Context,
) -> Context {
    let is_native = |document: &&&Document| document.syntax() != Syntax::Json;
    let bodies: Vec<BodyNode<'_>> =
        documents.iter().filter(is_native).map(|document| document.body()).collect();
    let objects: Vec<Value> = documents
        .iter()
        .filter(|document| !is_native(document))
        .filter_map(|document| match document.root() {
            Root::Expression(root) => Some(known(root)),
            _ => None,
        })
        .collect();
    let member = |name: &str| {
        let native = member(&bodies, name, DEPTH);
        let entries = |object: &Value| {
            let entry = object.entries()?.find(|(other, _)| *other == name);
            entry.map(|(_, value)| value.clone())
        };
        objects.iter().filter_map(entries).fold(native, merged)
    };
    path::with_variables(expression, context, |name| {
        if name != "self" {
            return member(name);
        }
        let mut names = names(&bodies);
        for object in &objects {
            names.extend(object.entries().into_iter().flatten().map(|(name, _)| name.as_str()));
        }
        Value::object(names.iter().map(|name| (*name, member(name))))
    })
}

/// A value of one file with that of another one: objects are merged, and tuples joined.
fn merged(one: Value, other: Value) -> Value {
    let is_object = |value: &Value| value.is_known() && value.entries().is_some();
    if one.is_null() {
        return other;
    }
    if is_object(&one) && is_object(&other) {
        let mut members: BTreeMap<String, Value> = BTreeMap::new();
        for (name, value) in one.entries().into_iter().chain(other.entries()).flatten() {
            let value = match members.remove(name.as_str()) {
                Some(known) => merged(known, value.clone()),
                None => value.clone(),
            };
            members.insert(name.to_string(), value);
        }
        return Value::object(members.iter().map(|(name, value)| (name.as_str(), value.clone())));
    }
    match (one.as_slice(), other.as_slice()) {
        (Some(first), Some(second)) => Value::tuple([first, second].concat()),
        _ => one,
    }
}

fn unknown() -> Value {
    Value::unknown(Type::Dynamic)
}

/// The value of an expression without variables, as far as it is known.
fn known(expression: ExpressionNode<'_>) -> Value {
    let value = known_as_a_whole(expression);
    let object = expression.without_parens();
    if value.is_known() || !matches!(object.kind(), ExpressionKind::Object) {
        return value;
    }
    // Some keys are unknown, but others are not.
    let items = object.items().filter_map(|item| {
        let name = match item.key() {
            ObjectKey::Name(name) => name.text.to_owned(),
            ObjectKey::Expression(key) => known_as_a_whole(key).as_str()?.to_owned(),
        };
        Some((name, known_as_a_whole(item.value())))
    });
    Value::object(items)
}

fn known_as_a_whole(node: ExpressionNode<'_>) -> Value {
    let expression = match node.document().syntax() {
        Syntax::Native | Syntax::Hcl1 => Expression::from_ast(node),
        Syntax::Json => Expression::from_json(json::parse(node.text()).root()),
    };
    // Without any variables, strings of the JSON syntax would be literal.
    let context = Context::new().with("self", unknown());
    match PartialOptions::new().evaluate(&expression, &context) {
        Ok(Partial::Value(value)) => value,
        Ok(Partial::Rest(rest)) => rest.value,
        Err(_) => unknown(),
    }
}

/// The value of an attribute, or the nested blocks of a type.
fn member(bodies: &[BodyNode<'_>], name: &str, depth: usize) -> Value {
    if let Some(attribute) = bodies.iter().find_map(|body| body.attribute(name)) {
        return known(attribute.value());
    }
    let blocks = bodies.iter().flat_map(|body| body.blocks());
    let mut blocks = blocks.filter(|block| block.block_type() == name).peekable();
    if blocks.peek().is_none() {
        return Value::null(Type::Dynamic);
    }
    if depth == 0 {
        return unknown();
    }
    let blocks: Vec<BlockNode<'_>> = blocks.collect();
    by_labels(&blocks, 0, depth - 1)
}

/// Blocks of a type: objects by label, and a tuple of those without further labels. A single block with labels is an
/// object.
fn by_labels(blocks: &[BlockNode<'_>], labels: usize, depth: usize) -> Value {
    let label = |block: &BlockNode<'_>| block.labels().nth(labels).map(|label| label.value().into_owned());
    if let [block] = blocks
        && labels > 0
        && label(block).is_none()
    {
        return object(&[block.body()], depth);
    }
    let mut groups: Vec<(String, Vec<BlockNode<'_>>)> = Vec::new();
    for block in blocks {
        let Some(name) = label(block) else {
            // Blocks without further labels cannot be attributes of the same object as blocks with labels.
            let bare = blocks.iter().filter(|block| label(block).is_none());
            return Value::tuple(bare.map(|block| object(&[block.body()], depth)).collect::<Vec<_>>());
        };
        match groups.iter_mut().find(|(other, _)| *other == name) {
            Some((_, group)) => group.push(*block),
            None => groups.push((name, vec![*block])),
        }
    }
    let members = groups.iter().map(|(name, group)| (name.as_str(), by_labels(group, labels + 1, depth)));
    Value::object(members)
}

fn object(bodies: &[BodyNode<'_>], depth: usize) -> Value {
    Value::object(names(bodies).into_iter().map(|name| (name, member(bodies, name, depth))))
}

/// The attributes and block types of bodies, each once.
fn names<'d>(bodies: &[BodyNode<'d>]) -> BTreeSet<&'d str> {
    let items = bodies.iter().flat_map(|body| body.items());
    let name = |item: Item<'d>| match item {
        Item::Attribute(attribute) => attribute.name(),
        Item::Block(block) => block.block_type(),
    };
    items.map(name).collect()
}
