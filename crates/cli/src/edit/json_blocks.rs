//! Inserting blocks into files in the JSON syntax: into the properties of their type and labels.

use hclkit::ast::{ExpressionKind, ExpressionNode};
use hclkit::convert::{Shape, ToJson};
use hclkit::dialect::Dialect;
use hclkit::syntax::Root;
use hclkit::write::{EditError, Edits, Match, property_name};
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
            edits.merge(object, item, labels(&property_name(item)))?;
        }
    }
    Ok(())
}
