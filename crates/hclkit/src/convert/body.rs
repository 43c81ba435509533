//! Bodies: attributes and blocks as the properties of an object, and the names that cannot be so.

use hclkit_syntax::Span;
use hclkit_syntax::ast::{Attribute, Block, Body, Expression, Item};
use indexmap::IndexMap;
use indexmap::map::Entry;

use super::{Converter, Json, Problem, ProblemKind, Shape, expression};

/// Readers of JSON end at some depth, and writing recurses.
pub(super) const MAX_DEPTH: usize = 2_500;

/// A file and a place in it.
type At = (usize, Span);

/// What a name of a body stands for.
enum Property<'d> {
    Attribute(At, Json),
    Blocks(Blocks<'d>),
}

/// The blocks of one type in one body.
struct Blocks<'d> {
    first: At,
    label_count: usize,
    /// Labels and body of each, in order.
    found: Vec<(Vec<String>, IndexMap<&'d str, Property<'d>>)>,
}

/// Makes the values of attributes.
type Values<'v, 'd> = &'v mut dyn FnMut(Expression<'d>) -> Json;

struct Work<'c, 'v, 'd> {
    converter: &'c Converter,
    /// Where they are not to be made from the source.
    values: Option<Values<'v, 'd>>,
    problems: Vec<Problem>,
}

/// The bodies of documents without errors as one.
pub(super) fn convert<'d>(
    converter: &Converter,
    bodies: &[Body<'d>],
    values: Option<Values<'_, 'd>>,
) -> Result<Json, Vec<Problem>> {
    let mut work = Work { converter, values, problems: Vec::new() };
    let mut body = IndexMap::new();
    for (file, &own) in bodies.iter().enumerate() {
        work.collect(file, own, None, 1, &mut body);
    }
    if work.problems.is_empty() { Ok(work.object(body, false)) } else { Err(work.problems) }
}

impl<'d> Work<'_, '_, 'd> {
    fn collect(
        &mut self,
        file: usize,
        body: Body<'d>,
        block: Option<&str>,
        depth: usize,
        into: &mut IndexMap<&'d str, Property<'d>>,
    ) {
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => self.attribute(file, attribute, block, depth, into),
                Item::Block(block) => self.block(file, block, depth, into),
            }
        }
    }

    fn attribute(
        &mut self,
        file: usize,
        attribute: Attribute<'d>,
        block: Option<&str>,
        depth: usize,
        into: &mut IndexMap<&'d str, Property<'d>>,
    ) {
        let (name, at) = (attribute.name(), (file, attribute.name_span()));
        match into.entry(name) {
            Entry::Occupied(entry) => match entry.get() {
                Property::Attribute(first, _) => self.clash(
                    ProblemKind::DuplicateAttribute,
                    at,
                    format!("`{name}` is set twice. In JSON, it can be set only once in a body."),
                    (first.0, first.1, "first set here"),
                ),
                Property::Blocks(blocks) => {
                    self.attribute_and_block(
                        name,
                        at,
                        (blocks.first.0, blocks.first.1, "defined as a block here"),
                    );
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
        file: usize,
        block: Block<'d>,
        depth: usize,
        into: &mut IndexMap<&'d str, Property<'d>>,
    ) {
        let (name, at) = (block.block_type(), (file, block.type_span()));
        let labels: Vec<String> = block.label_texts().into_iter().map(Into::into).collect();
        // An object for the type's property, one for each label, an array for the body.
        let depth = depth + labels.len() + 2;
        if depth > MAX_DEPTH {
            return self.too_deep(at);
        }
        let entry = into.entry(name).or_insert_with(|| {
            Property::Blocks(Blocks { first: at, label_count: labels.len(), found: Vec::new() })
        });
        let blocks = match entry {
            Property::Attribute(first, _) => {
                let first = *first;
                return self.attribute_and_block(
                    name,
                    at,
                    (first.0, first.1, "defined as an attribute here"),
                );
            }
            Property::Blocks(blocks) => blocks,
        };
        if blocks.label_count != labels.len() {
            let (expected, found) = (count(blocks.label_count), count(labels.len()));
            let first = blocks.first;
            return self.clash(
                ProblemKind::LabelCount,
                at,
                format!(
                    "This `{name}` block has {found}, but the first `{name}` block has {expected}. JSON cannot distinguish labels from names in a body."
                ),
                (first.0, first.1, "the first block is here"),
            );
        }
        let mut body = IndexMap::new();
        self.collect(file, block.body(), Some(name), depth, &mut body);
        blocks.found.push((labels, body));
    }

    fn attribute_and_block(&mut self, name: &str, at: At, other: (usize, Span, &'static str)) {
        let detail =
            format!("`{name}` is both an attribute and a block. In JSON, both would be the same property.");
        self.clash(ProblemKind::AttributeAndBlock, at, detail, other);
    }

    fn clash(&mut self, kind: ProblemKind, at: At, detail: String, other: (usize, Span, &'static str)) {
        self.problems.push(Problem { kind, document: at.0, span: at.1, detail, other: Some(other) });
    }

    fn too_deep(&mut self, at: At) {
        let detail = format!("The JSON would be nested more than {MAX_DEPTH} levels deep.");
        let (document, span) = at;
        self.problems.push(Problem { kind: ProblemKind::TooDeep, document, span, detail, other: None });
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
        // Inside a block the order may be that of steps. What a whole configuration declares has names and no order,
        // and is read more easily from objects.
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

/// Blocks whose labels begin alike.
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

/// Whether blocks that are put together by their labels still stand in the order of the source.
fn keeps_order(blocks: &[(Vec<String>, Json)]) -> bool {
    let mut root = Group::default();
    // A label that was left for another one of its level must not come again.
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
