//! Inserting blocks into files in the JSON syntax: into the properties of their type and labels.

use hclkit::ast::{ExpressionKind, ExpressionNode, ObjectItemNode};
use hclkit::convert::{Shape, ToJson};
use hclkit::dialect::Dialect;
use hclkit::syntax::Root;
use hclkit::write::{EditError, Edits, Match, raw, source_of};
use hclkit::{Document, Source, parse};

/// Returns true if source text contains blocks.
pub(super) fn has_blocks(source: &str) -> bool {
    let document = parse(format!("{source}\n"));
    !document.has_errors() && document.body().blocks().next().is_some()
}

/// Inserts source text that has blocks at the end of the objects that were found, as `hcl convert` writes it.
pub(super) fn append(
    edits: &mut Edits<'_>,
    document: &Document,
    found: &Match<'_>,
    source: &str,
) -> Result<(), EditError> {
    let objects: Vec<ExpressionNode<'_>> = match found.expression() {
        Some(value) if matches!(value.kind(), ExpressionKind::Tuple) => value.elements().collect(),
        Some(value) => vec![value],
        None => Vec::new(),
    };
    let blocks = parse(format!("{source}\n"));
    let converter = ToJson::new().with_shape(Shape::Compact);
    let converted = match Dialect::of_path(document.source().name()) {
        Some(dialect) => converter.with_dialect(&dialect).convert(&blocks),
        None => converter.convert(&blocks),
    };
    let json = converted.map_err(|diagnostics| {
        let (source, expected) = (source.to_owned(), "attributes and blocks that JSON can express");
        EditError::InvalidSource { source, expected, diagnostics }
    })?;
    // A value that was converted has only numbers that JSON can hold.
    let text = serde_json::to_string_pretty(&json).unwrap_or_default();
    let converted = Document::parse_json(Source::new("", text));
    let Root::Expression(properties) = converted.root() else { return Ok(()) };
    let labels = |name: &str| {
        let block = blocks.body().blocks().find(|block| block.block_type() == name);
        block.map(|block| block.labels().count())
    };
    for object in objects {
        for item in properties.items() {
            merge(edits, object, item, labels(&name(item)))?;
        }
    }
    Ok(())
}

/// Adds a property of another document to an object. Its value is nested in an object for each of `labels` labels, and
/// is a body or an array of bodies. Without `labels`, the property is an attribute with any value.
pub(crate) fn merge(
    edits: &mut Edits<'_>,
    object: ExpressionNode<'_>,
    item: ObjectItemNode<'_>,
    labels: Option<usize>,
) -> Result<(), EditError> {
    let value = item.value();
    let text = |node: ExpressionNode<'_>| source_of(node.document(), node.id());
    let existing = object.items().find(|other| name(*other) == name(item));
    let Some(existing) = existing.map(ObjectItemNode::value) else {
        let key = value.document().source().slice(item.key_span());
        return edits.append(object.id(), &format!("{key}: {}", text(value)));
    };
    let Some(labels) = labels else {
        let reason = format!("the property `{}` exists already", name(item));
        return Err(EditError::Unsupported { span: existing.span(), reason });
    };
    let bodies: Vec<ExpressionNode<'_>> = match value.kind() {
        ExpressionKind::Tuple => value.elements().collect(),
        _ => vec![value],
    };
    match (existing.kind(), value.kind()) {
        (ExpressionKind::Object, ExpressionKind::Object) if labels > 0 => {
            value.items().try_for_each(|item| merge(edits, existing, item, Some(labels - 1)))
        }
        (ExpressionKind::Tuple, _) => {
            bodies.into_iter().try_for_each(|body| edits.append(existing.id(), &text(body)))
        }
        _ => {
            let all: Vec<String> = std::iter::once(existing).chain(bodies).map(text).collect();
            edits.set(existing, raw(format!("[\n  {}\n]", all.join(",\n").replace('\n', "\n  "))))
        }
    }
}

/// The name of a property.
pub(crate) fn name(item: ObjectItemNode<'_>) -> String {
    serde_json::from_str(item.value().document().source().slice(item.key_span())).unwrap_or_default()
}
