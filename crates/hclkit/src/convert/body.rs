//! Converts bodies: attributes and blocks become properties of an object. Names that cannot are errors.

use std::sync::Arc;

use hclkit_syntax::ast::{AttributeNode, BlockNode, BodyNode, ExpressionNode, Item};
use hclkit_syntax::{Diagnostic, Diagnostics, Place, Source};
use indexmap::IndexMap;
use indexmap::map::Entry;

use super::{Converter, Json, Shape, expression};
use crate::messages;

/// JSON readers limit the depth, and writing is recursive.
pub(super) const MAX_DEPTH: usize = 2_500;

/// The meaning of a name in a body.
enum Property<'d> {
    Attribute(Place, Json),
    Blocks(Blocks<'d>),
}

/// The blocks of one type in one body.
struct Blocks<'d> {
    first: Place,
    label_count: usize,
    /// The labels and the body of each block, in order.
    found: Vec<(Vec<String>, IndexMap<&'d str, Property<'d>>)>,
}

/// Converts the values of attributes.
type Values<'v, 'd> = &'v mut dyn FnMut(ExpressionNode<'d>) -> Json;

struct Work<'c, 'v, 'd> {
    converter: &'c Converter,
    /// Values that replace those in the source.
    values: Option<Values<'v, 'd>>,
    problems: Diagnostics,
}

/// Converts the bodies of documents without errors to one object.
pub(super) fn convert<'d>(
    converter: &Converter,
    bodies: &[(&Arc<Source>, BodyNode<'d>)],
    values: Option<Values<'_, 'd>>,
) -> Result<Json, Diagnostics> {
    let mut work = Work { converter, values, problems: Diagnostics::new() };
    let mut body = IndexMap::new();
    for &(source, own) in bodies {
        work.collect(source, own, None, 1, &mut body);
    }
    if work.problems.has_errors() { Err(work.problems) } else { Ok(work.object(body, false)) }
}

impl<'d> Work<'_, '_, 'd> {
    fn collect(
        &mut self,
        source: &Arc<Source>,
        body: BodyNode<'d>,
        block: Option<&str>,
        depth: usize,
        into: &mut IndexMap<&'d str, Property<'d>>,
    ) {
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => self.attribute(source, attribute, block, depth, into),
                Item::Block(block) => self.block(source, block, depth, into),
            }
        }
    }

    fn attribute(
        &mut self,
        source: &Arc<Source>,
        attribute: AttributeNode<'d>,
        block: Option<&str>,
        depth: usize,
        into: &mut IndexMap<&'d str, Property<'d>>,
    ) {
        let (name, at) = (attribute.name(), Place::new(source, attribute.name_span()));
        match into.entry(name) {
            Entry::Occupied(entry) => match entry.get() {
                Property::Attribute(first, _) => {
                    self.clash(messages::attribute_in_two_files(name), at, first, "first set here");
                }
                Property::Blocks(blocks) => {
                    self.attribute_and_block(name, at, &blocks.first, "defined as a block here");
                }
            },
            Entry::Vacant(entry) => {
                let is_static = self.converter.is_static(block, name);
                let value = match &mut self.values {
                    Some(values) => Some(values(attribute.value())),
                    None => {
                        expression::convert(attribute.value(), is_static, MAX_DEPTH.saturating_sub(depth))
                    }
                };
                match value {
                    Some(value) => _ = entry.insert(Property::Attribute(at, value)),
                    None => self.too_deep(at),
                }
            }
        }
    }

    fn block(
        &mut self,
        source: &Arc<Source>,
        block: BlockNode<'d>,
        depth: usize,
        into: &mut IndexMap<&'d str, Property<'d>>,
    ) {
        let (name, at) = (block.block_type(), Place::new(source, block.type_span()));
        let labels: Vec<String> = block.label_texts().into_iter().map(Into::into).collect();
        // One level for the block type, one for each label, and one for the array of bodies.
        let depth = depth + labels.len() + 2;
        if depth > MAX_DEPTH {
            return self.too_deep(at);
        }
        let entry = into.entry(name).or_insert_with(|| {
            Property::Blocks(Blocks { first: at.clone(), label_count: labels.len(), found: Vec::new() })
        });
        let blocks = match entry {
            Property::Attribute(first, _) => {
                let first = first.clone();
                return self.attribute_and_block(name, at, &first, "defined as an attribute here");
            }
            Property::Blocks(blocks) => blocks,
        };
        if blocks.label_count != labels.len() {
            let (expected, found) = (count(blocks.label_count), count(labels.len()));
            let first = blocks.first.clone();
            return self.clash(
                messages::other_label_count(name, &found, &expected),
                at,
                &first,
                "the first block is here",
            );
        }
        let mut body = IndexMap::new();
        self.collect(source, block.body(), Some(name), depth, &mut body);
        blocks.found.push((labels, body));
    }

    fn attribute_and_block(&mut self, name: &str, at: Place, other: &Place, role: &'static str) {
        self.clash(messages::attribute_and_block(name), at, other, role);
    }

    fn clash(&mut self, error: Diagnostic, at: Place, other: &Place, role: &'static str) {
        self.problems.push(error.at(at).with_related(&other.source, other.span, role));
    }

    fn too_deep(&mut self, at: Place) {
        self.problems.push(messages::too_deep_for_json(MAX_DEPTH).at(at));
    }

    fn object(&self, body: IndexMap<&str, Property<'_>>, nested: bool) -> Json {
        let property = |(name, property): (&str, Property<'_>)| {
            let value = match property {
                Property::Attribute(_, value) => value,
                Property::Blocks(blocks) => self.blocks(name, blocks, nested),
            };
            (name.to_owned(), value)
        };
        Json::Object(body.into_iter().map(property).collect())
    }

    fn blocks(&self, block_type: &str, blocks: Blocks<'_>, nested: bool) -> Json {
        let bodies: Vec<(Vec<String>, Json)> =
            blocks.found.into_iter().map(|(labels, body)| (labels, self.object(body, true))).collect();
        // Inside a block, the order of blocks may matter. At the top level, blocks are declarations with names, which are
        // easier to read as objects.
        let ordered = nested || self.converter.ordered.iter().any(|ordered| ordered == block_type);
        if ordered && !keeps_order(&bodies) {
            let runs = split_runs(bodies).into_iter().map(|run| self.by_labels(run));
            return Json::Array(runs.collect());
        }
        self.by_labels(bodies)
    }

    /// An object for each level of labels, then the bodies.
    fn by_labels(&self, blocks: Vec<(Vec<String>, Json)>) -> Json {
        let mut root = Group::default();
        for (labels, body) in blocks {
            let mut group = &mut root;
            for label in labels {
                group = group.labels.entry(label).or_default();
            }
            group.bodies.push(body);
        }
        root.into_json(self.converter.shape)
    }
}

/// Blocks with the same first labels.
#[derive(Default)]
struct Group {
    labels: IndexMap<String, Self>,
    bodies: Vec<Json>,
}

impl Group {
    fn into_json(mut self, shape: Shape) -> Json {
        if !self.labels.is_empty() {
            let labels = self.labels.into_iter().map(|(label, group)| (label, group.into_json(shape)));
            return Json::Object(labels.collect());
        }
        match (shape, self.bodies.len()) {
            (Shape::Compact, 1) => self.bodies.remove(0),
            _ => Json::Array(self.bodies),
        }
    }
}

/// Whether grouping blocks by their labels keeps the order of the source.
fn keeps_order(blocks: &[(Vec<String>, Json)]) -> bool {
    let mut root = Group::default();
    // After another label of the same level, a label must not appear again.
    blocks.iter().all(|(labels, _)| {
        let mut group = &mut root;
        for label in labels {
            let last = group.labels.len().checked_sub(1);
            let index = group.labels.get_index_of(label);
            if index.is_some() && index != last {
                return false;
            }
            group = group.labels.entry(label.clone()).or_default();
        }
        true
    })
}

/// Runs of blocks with the same labels.
fn split_runs(blocks: Vec<(Vec<String>, Json)>) -> Vec<Vec<(Vec<String>, Json)>> {
    let mut runs: Vec<Vec<(Vec<String>, Json)>> = Vec::new();
    for block in blocks {
        match runs.last_mut() {
            Some(run) if run[0].0 == block.0 => run.push(block),
            _ => runs.push(vec![block]),
        }
    }
    runs
}

fn count(labels: usize) -> String {
    match labels {
        0 => "no labels".to_owned(),
        1 => "one label".to_owned(),
        _ => format!("{labels} labels"),
    }
}
