//! Inserting blocks into files in the JSON syntax: into the properties of their type and labels, as `hcl convert` writes them.

use hclkit::ast::{ExpressionKind, ExpressionNode};
use hclkit::convert::{Application, Converter, Json, Shape};
use hclkit::write::{EditError, Edits, Match, source_of};
use hclkit::{Document, parse};

/// Returns true if source text contains blocks.
pub(super) fn has_blocks(source: &str) -> bool {
    let document = parse(format!("{source}\n"));
    !document.has_errors() && document.body().blocks().next().is_some()
}

/// Inserts source text that contains blocks at the end of the matched objects.
pub(super) fn append(
    edits: &mut Edits<'_>,
    document: &Document,
    found: &Match,
    source: &str,
) -> Result<(), EditError> {
    let objects: Vec<ExpressionNode<'_>> = match found.expression(document) {
        Some(value) if matches!(value.kind(), ExpressionKind::Tuple) => value.elements().collect(),
        Some(value) => vec![value],
        None => Vec::new(),
    };
    let blocks = parse(format!("{source}\n"));
    let converter = Converter::new().with_shape(Shape::Compact);
    let converted = match Application::of_path(document.source().name()) {
        Some(application) => converter.with_application(application).convert(&blocks),
        None => converter.convert(&blocks),
    };
    let properties = match converted {
        Ok(Json::Object(properties)) => properties,
        Ok(_) => return Ok(()),
        Err(diagnostics) => {
            let (source, expected) = (source.to_owned(), "attributes and blocks that JSON can express");
            return Err(EditError::InvalidSource { source, expected, diagnostics });
        }
    };
    let labels = |name: &str| {
        let block = blocks.body().blocks().find(|block| block.block_type() == name);
        block.map(|block| block.labels().count())
    };
    let mut merge = Merge { edits, document };
    for object in objects {
        for (name, value) in &properties {
            merge.property(object, name, value, labels(name))?;
        }
    }
    Ok(())
}

struct Merge<'e, 'd> {
    edits: &'e mut Edits<'d>,
    document: &'e Document,
}

impl Merge<'_, '_> {
    /// Adds a property. For blocks, its value has an object for each of this number of labels, and then a body or an
    /// array of bodies. For an attribute, it can be any value.
    fn property(
        &mut self,
        object: ExpressionNode<'_>,
        name: &str,
        value: &Json,
        labels: Option<usize>,
    ) -> Result<(), EditError> {
        let existing = object.items().find(|item| name_of(item.key_span(), self.document) == name);
        let Some(existing) = existing.map(hclkit::ast::ObjectItemNode::value) else {
            return self
                .edits
                .append(object.id(), &format!("{}: {}", text(&Json::String(name.into())), text(value)));
        };
        let Some(labels) = labels else {
            let reason = format!("the property `{name}` exists already");
            return Err(EditError::Unsupported { span: existing.span(), reason });
        };
        let bodies: Vec<&Json> = match value {
            Json::Array(bodies) => bodies.iter().collect(),
            body => vec![body],
        };
        match (existing.kind(), value) {
            (ExpressionKind::Object, Json::Object(properties)) if labels > 0 => properties
                .iter()
                .try_for_each(|(name, value)| self.property(existing, name, value, Some(labels - 1))),
            (ExpressionKind::Tuple, _) => {
                bodies.into_iter().try_for_each(|body| self.edits.append(existing.id(), &text(body)))
            }
            _ => {
                let mut all = vec![source_of(self.document, existing.id())];
                all.extend(bodies.into_iter().map(text));
                let indented = all.join(",\n").replace('\n', "\n  ");
                self.edits.set(existing.id(), &format!("[\n  {indented}\n]"))
            }
        }
    }
}

fn name_of(key: hclkit::Span, document: &Document) -> String {
    serde_json::from_str(document.source().slice(key)).unwrap_or_default()
}

fn text(value: &Json) -> String {
    // A value that was converted has only numbers that JSON can hold.
    serde_json::to_string_pretty(value).unwrap_or_default()
}
