//! Merged bodies. Specification: "Body Content" in the information model. Applications read the files of a directory in
//! this way.

use std::collections::BTreeMap;

use hclkit_syntax::Place;
use hclkit_value::Name;

use super::{Attribute, AttributeSchema, Attributes, Body, Content, Schema, require};
use crate::{Diagnostics, messages};

/// The contents of all bodies, in order.
pub(super) fn content(
    bodies: &[Body],
    schema: &Schema,
    diagnostics: &mut Diagnostics,
    mut read: impl FnMut(&Body, &Schema, &mut Diagnostics) -> Content,
) -> Content {
    let each = nothing_required(schema);
    let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
    for body in bodies {
        let content = read(body, &each, diagnostics);
        attributes.extend(content.attributes);
        blocks.extend(content.blocks);
    }
    let attributes = Attributes::first_of_each(first_of_each(attributes, diagnostics));
    let missing_item = missing_item(bodies);
    require(schema, |name| attributes.get(name).is_some(), || missing_item.clone(), diagnostics);
    Content::new(attributes, blocks, missing_item)
}

/// All arguments of all bodies.
pub(super) fn attributes(bodies: &[Body], diagnostics: &mut Diagnostics) -> Vec<Attribute> {
    let all: Vec<Attribute> = bodies.iter().flat_map(|body| body.attributes_into(diagnostics)).collect();
    first_of_each(all, diagnostics)
}

/// Where missing items would be added: in the first body.
pub(super) fn missing_item(bodies: &[Body]) -> Place {
    bodies.first().map_or_else(Place::nowhere, Body::missing_item)
}

/// Reports arguments that several bodies set.
fn first_of_each(all: Vec<Attribute>, diagnostics: &mut Diagnostics) -> Vec<Attribute> {
    let mut seen: BTreeMap<Name, String> = BTreeMap::new();
    let mut kept = Vec::with_capacity(all.len());
    for attribute in all {
        if let Some(first) = seen.get(&attribute.name) {
            let message = messages::body::duplicate_argument_at(&attribute.name, first);
            let diagnostic = message.in_source(&attribute.source, attribute.name_span);
            diagnostics.push(diagnostic.with_context(attribute.span));
            continue;
        }
        let start = attribute.source.position(attribute.name_span.start);
        let place = format!("{}:{}:{}", attribute.source.name(), start.line, start.column);
        seen.insert(attribute.name.clone(), place);
        kept.push(attribute);
    }
    kept
}

/// The schema for one of several bodies. Nothing is required, because it may be in another body.
pub(super) fn nothing_required(schema: &Schema) -> Schema {
    let mut each = schema.clone();
    for attribute in schema.attributes() {
        each.add_attribute(AttributeSchema { name: attribute.name.clone(), required: false });
    }
    each
}
