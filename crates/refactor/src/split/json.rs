//! Blocks of files in the JSON syntax, which are properties.

use std::collections::BTreeSet;
use std::path::Path;

use hclkit_dialect::Dialect;
use hclkit_syntax::ast::{ExpressionKind, ExpressionNode, ObjectItemNode};
use hclkit_syntax::{Document, NodeId, Root};
use hclkit_write::{EditError, Edits, Formatter, property_name, source_of};

use super::property;

/// The properties with the blocks of a type, and of a type and some labels.
pub(super) fn movable(root: ExpressionNode<'_>, path: &Path) -> BTreeSet<NodeId> {
    let Some(dialect) = Dialect::of_path(path) else { return BTreeSet::new() };
    let mut found = BTreeSet::new();
    // Each with the number of labels below it.
    let mut open: Vec<(ObjectItemNode<'_>, usize)> = objects(root)
        .flat_map(ExpressionNode::items)
        .filter_map(|item| Some((item, dialect.shape(None, &property_name(item))?.labels.len())))
        .collect();
    while let Some((item, labels)) = open.pop() {
        found.insert(item.id());
        if let Some(labels) = labels.checked_sub(1) {
            open.extend(objects(item.value()).flat_map(ExpressionNode::items).map(|item| (item, labels)));
        }
    }
    found
}

/// A part of a file.
pub(super) struct Part {
    pub(super) source: String,
    /// The number of chosen properties.
    pub(super) count: usize,
    /// What is removed with it: properties, and what is around them if nothing else is in it.
    pub(super) removed: Vec<NodeId>,
    /// Whether it is the whole.
    is_all: bool,
}

/// The part of an object, or of the objects of an array, that has some of the properties that can move, with those around them.
pub(super) fn part(
    value: ExpressionNode<'_>,
    movable: &BTreeSet<NodeId>,
    chosen: &BTreeSet<NodeId>,
) -> Option<Part> {
    let (mut sources, mut removed) = (Vec::new(), Vec::new());
    let (mut count, mut is_all) = (0, true);
    for (node, item, inner) in parts(value) {
        let is_object = matches!(inner.kind(), ExpressionKind::Object);
        let part = if chosen.contains(&node) {
            let source = source_of(value.document(), inner.id());
            Some(Part { source, count: 1, removed: Vec::new(), is_all: true })
        } else if item.map_or(is_object, |item| movable.contains(&item.id())) {
            part(inner, movable, chosen)
        } else {
            None
        };
        is_all &= part.as_ref().is_some_and(|part| part.is_all);
        let Some(part) = part else { continue };
        count += part.count;
        if part.is_all {
            removed.push(node);
        } else {
            removed.extend(part.removed);
        }
        sources.push(item.map_or(part.source.clone(), |item| property(item, &part.source)));
    }
    if sources.is_empty() {
        return None;
    }
    let inside = sources.join(",\n").replace('\n', "\n  ");
    let source = match value.kind() {
        ExpressionKind::Tuple => format!("[\n  {inside}\n]"),
        _ => format!("{{\n  {inside}\n}}"),
    };
    Some(Part { source, count, removed, is_all })
}

/// A file with one more property, which is part of the one with its name if there is one.
pub(super) fn put(
    document: &Document,
    path: &Path,
    item: ObjectItemNode<'_>,
    formatter: &Formatter,
) -> Result<Document, EditError> {
    let dialect = Dialect::of_path(path);
    let block_type = property_name(item);
    let shape = dialect.as_ref().and_then(|dialect| dialect.shape(None, &block_type));
    let labels = shape.map_or(1, |shape| shape.labels.len());
    let mut edits = Edits::new(document).with_formatter(formatter.clone());
    if let Root::Expression(root) = document.root() {
        edits.merge(root, item, Some(labels))?;
    }
    edits.apply()
}

/// The items of an object, or the elements of an array, with their values.
fn parts(
    value: ExpressionNode<'_>,
) -> impl Iterator<Item = (NodeId, Option<ObjectItemNode<'_>>, ExpressionNode<'_>)> {
    let items = value.items().map(|item| (item.id(), Some(item), item.value()));
    items.chain(value.elements().map(|element| (element.id(), None, element)))
}

/// An object, or the objects in an array.
pub(super) fn objects(value: ExpressionNode<'_>) -> impl Iterator<Item = ExpressionNode<'_>> {
    let is_array = matches!(value.kind(), ExpressionKind::Tuple);
    let elements = is_array.then(|| value.elements()).into_iter().flatten();
    elements.chain((!is_array).then_some(value))
}
