//! Bodies: attributes and blocks become the properties of an object, if their names allow it. All problems are found
//! before anything is written. Bodies are then written one by one, without keeping the result in memory.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::Range;

use hclkit_syntax::ast::{AttributeNode, BlockNode, BodyNode, ExpressionNode, Item};
use hclkit_syntax::{Diagnostic, Diagnostics, Place};
use indexmap::IndexMap;

use super::sink::Sink;
use super::{Shape, ToJson, expression};
use crate::messages;

/// JSON parsers limit the depth, and writing recurses.
pub(super) const MAX_DEPTH: usize = 2_500;

/// Up to this many names are compared one by one.
const FEW: usize = 16;

/// Returns true if no two texts are equal.
pub(super) fn is_unique<T: Eq + Hash>(texts: &[T]) -> bool {
    match texts.len() {
        ..=FEW => !texts.iter().enumerate().any(|(index, text)| texts[..index].contains(text)),
        _ => texts.iter().collect::<HashSet<_>>().len() == texts.len(),
    }
}

/// The distinct names of a body in the order of their first items.
#[derive(Default)]
struct Names<'d> {
    names: Vec<&'d str>,
    /// The positions of the names, filled once there are many.
    places: HashMap<&'d str, usize>,
}

impl<'d> Names<'d> {
    /// Returns the number of a name, and adds the name if it is new.
    fn number(&mut self, name: &'d str) -> usize {
        let found = match self.names.len() {
            ..=FEW => self.names.iter().position(|known| *known == name),
            _ => self.places.get(name).copied(),
        };
        found.unwrap_or_else(|| {
            self.names.push(name);
            if self.names.len() == FEW + 1 {
                self.places = self.names.iter().enumerate().map(|(number, name)| (*name, number)).collect();
            } else if self.names.len() > FEW {
                self.places.insert(name, self.names.len() - 1);
            }
            self.names.len() - 1
        })
    }
}

fn name(item: Item<'_>) -> &str {
    match item {
        Item::Attribute(attribute) => attribute.name(),
        Item::Block(block) => block.block_type(),
    }
}

fn place(item: Item<'_>) -> Place {
    match item {
        Item::Attribute(attribute) => Place::new(attribute.document().shared_source(), attribute.name_span()),
        Item::Block(block) => Place::new(block.document().shared_source(), block.type_span()),
    }
}

/// The only body, if it has few items.
fn single_small<'d>(bodies: &[BodyNode<'d>]) -> Option<BodyNode<'d>> {
    match *bodies {
        [body] if body.items().nth(FEW).is_none() => Some(body),
        _ => None,
    }
}

/// Finds what cannot be converted in bodies that become one.
pub(super) fn check(bodies: &[BodyNode<'_>]) -> Diagnostics {
    let mut problems = Diagnostics::new();
    Check { problems: &mut problems }.bodies(bodies, 1);
    problems
}

struct Check<'p> {
    problems: &'p mut Diagnostics,
}

impl Check<'_> {
    fn bodies(&mut self, bodies: &[BodyNode<'_>], depth: usize) {
        if let Some(body) = single_small(bodies) {
            return self.small(body, depth);
        }
        let mut names = Names::default();
        // The first item of each name.
        let mut firsts: Vec<Item<'_>> = Vec::new();
        for item in bodies.iter().flat_map(|body| body.items()) {
            let number = names.number(name(item));
            let first = firsts.get(number).copied();
            if first.is_none() {
                firsts.push(item);
            }
            match item {
                Item::Attribute(attribute) => self.attribute(attribute, first, depth),
                Item::Block(block) => self.block(block, first, depth),
            }
        }
    }

    /// The same for a body of few items, without collecting them.
    fn small(&mut self, body: BodyNode<'_>, depth: usize) {
        let mut has_blocks = false;
        for (number, item) in body.items().enumerate() {
            let is_block = item.block().is_some();
            has_blocks |= is_block;
            // The parser reports attributes with the same name.
            let mut before = body.items().take(if has_blocks { number } else { 0 });
            let first = before.find(|other| name(*other) == name(item));
            match item {
                Item::Attribute(attribute) => self.attribute(attribute, first, depth),
                Item::Block(block) => self.block(block, first, depth),
            }
        }
    }

    fn attribute(&mut self, attribute: AttributeNode<'_>, first: Option<Item<'_>>, depth: usize) {
        let (name, at) = (attribute.name(), || place(Item::Attribute(attribute)));
        match first {
            Some(first @ Item::Attribute(_)) => {
                self.clash(
                    messages::attribute_in_two_files(name),
                    at(),
                    &place(first),
                    messages::related::FIRST_SET,
                );
            }
            Some(first @ Item::Block(_)) => {
                self.attribute_and_block(name, at(), &place(first), messages::related::DEFINED_AS_BLOCK);
            }
            None if !expression::fits(attribute.value(), MAX_DEPTH.saturating_sub(depth)) => {
                self.too_deep(at());
            }
            None => {}
        }
    }

    fn block(&mut self, block: BlockNode<'_>, first: Option<Item<'_>>, depth: usize) {
        let (name, at) = (block.block_type(), || place(Item::Block(block)));
        let labels = block.labels().count();
        // The levels of nesting: an object for the property of the type, one for each label, and an array for the
        // body.
        let depth = depth + labels + 2;
        if depth > MAX_DEPTH {
            return self.too_deep(at());
        }
        match first {
            Some(first @ Item::Attribute(_)) => {
                return self.attribute_and_block(
                    name,
                    at(),
                    &place(first),
                    messages::related::DEFINED_AS_ATTRIBUTE,
                );
            }
            Some(Item::Block(first)) if first.labels().count() != labels => {
                let expected = first.labels().count();
                return self.clash(
                    messages::other_label_count(name, labels, expected),
                    at(),
                    &place(Item::Block(first)),
                    messages::related::FIRST_BLOCK,
                );
            }
            _ => {}
        }
        self.bodies(&[block.body()], depth);
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
}

/// Writes bodies that were checked.
pub(super) struct Writer<'w, 'd, S, V> {
    pub(super) converter: &'w ToJson,
    pub(super) sink: &'w mut S,
    /// Writes the value of an attribute, which may be static.
    pub(super) value: V,
    /// The items of the open bodies that have few of them, with their names.
    pub(super) open: Vec<(&'d str, Item<'d>)>,
    /// The type of the outermost block.
    pub(super) top: Option<&'d str>,
}

impl<'d, S: Sink, V: FnMut(&mut S, ExpressionNode<'d>, bool) -> Result<(), S::Error>> Writer<'_, 'd, S, V> {
    /// Writes bodies as one object, those of a file or those in blocks of a type.
    pub(super) fn object(&mut self, bodies: &[BodyNode<'d>], block: Option<&str>) -> Result<(), S::Error> {
        if let [body] = *bodies {
            let start = self.open.len();
            self.open.extend(body.items().take(FEW + 1).map(|item| (name(item), item)));
            let items = start..self.open.len();
            let few = items.len() <= FEW;
            let written = if few { self.small(items, block) } else { Ok(()) };
            self.open.truncate(start);
            if few {
                return written;
            }
        }
        let mut names = Names::default();
        let items = bodies.iter().flat_map(|body| body.items());
        let mut items: Vec<(usize, Item<'d>)> = items.map(|item| (names.number(name(item)), item)).collect();
        // All items with one name, in order.
        items.sort_by_key(|&(number, _)| number);
        self.sink.begin_object()?;
        for run in items.chunk_by(|a, b| a.0 == b.0) {
            let property = names.names[run[0].0];
            self.sink.key(property)?;
            match run[0].1 {
                Item::Attribute(attribute) => self.attribute(property, attribute, block)?,
                Item::Block(_) => {
                    let blocks: Vec<BlockNode<'d>> =
                        run.iter().filter_map(|(_, item)| item.block()).collect();
                    self.blocks(property, &blocks, block.is_some())?;
                }
            }
        }
        self.sink.end_object()
    }

    /// The same for some of the open items, those of one body.
    fn small(&mut self, items: Range<usize>, block: Option<&str>) -> Result<(), S::Error> {
        self.sink.begin_object()?;
        for number in items.clone() {
            let (name, item) = self.open[number];
            let first = match item {
                Item::Attribute(attribute) => {
                    self.sink.key(name)?;
                    self.attribute(name, attribute, block)?;
                    continue;
                }
                Item::Block(first) => first,
            };
            let is_same = |other: &&(&str, Item<'d>)| other.0 == name;
            if self.open[items.start..number].iter().any(|other| is_same(&other)) {
                continue;
            }
            self.sink.key(name)?;
            let others = self.open[number + 1..items.end].iter().filter(is_same);
            let mut others = others.filter_map(|(_, item)| item.block()).peekable();
            if others.peek().is_none() {
                self.single(name, first)?;
            } else {
                let blocks: Vec<BlockNode<'d>> = std::iter::once(first).chain(others).collect();
                self.blocks(name, &blocks, block.is_some())?;
            }
        }
        self.sink.end_object()
    }

    fn attribute(
        &mut self,
        name: &str,
        attribute: AttributeNode<'d>,
        block: Option<&str>,
    ) -> Result<(), S::Error> {
        let is_static = self.converter.is_static(self.top, block, name);
        (self.value)(self.sink, attribute.value(), is_static)
    }

    /// The only block of its type.
    fn single(&mut self, block_type: &str, block: BlockNode<'d>) -> Result<(), S::Error> {
        let mut levels = 0;
        for label in block.labels() {
            self.sink.begin_object()?;
            self.sink.key(&label.value())?;
            levels += 1;
        }
        self.bodies(block_type, &[block])?;
        (0..levels).try_for_each(|_| self.sink.end_object())
    }

    fn blocks(
        &mut self,
        block_type: &str,
        blocks: &[BlockNode<'d>],
        is_nested: bool,
    ) -> Result<(), S::Error> {
        if blocks.first().is_none_or(|block| block.labels().next().is_none()) {
            return self.bodies(block_type, blocks);
        }
        let labeled: Vec<(Vec<Cow<'d, str>>, BlockNode<'d>)> =
            blocks.iter().map(|&block| (block.label_texts(), block)).collect();
        // Inside a block, the order may matter, for example of steps. The order of top-level blocks does not matter,
        // and they are easier to read as objects.
        let ordered = is_nested || self.converter.ordered.iter().any(|ordered| ordered == block_type);
        if ordered && !keeps_order(&labeled) {
            self.sink.begin_array()?;
            for run in labeled.chunk_by(|a, b| a.0 == b.0) {
                self.by_labels(block_type, run)?;
            }
            return self.sink.end_array();
        }
        self.by_labels(block_type, &labeled)
    }

    /// An object for each level of labels, then the bodies.
    fn by_labels(
        &mut self,
        block_type: &str,
        blocks: &[(Vec<Cow<'d, str>>, BlockNode<'d>)],
    ) -> Result<(), S::Error> {
        let mut root = Group::default();
        for (labels, block) in blocks {
            let mut group = &mut root;
            for label in labels {
                group = group.labels.entry(label).or_default();
            }
            group.blocks.push(*block);
        }
        self.group(block_type, root)
    }

    fn group(&mut self, block_type: &str, group: Group<'_, 'd>) -> Result<(), S::Error> {
        if group.labels.is_empty() {
            return self.bodies(block_type, &group.blocks);
        }
        self.sink.begin_object()?;
        for (label, group) in group.labels {
            self.sink.key(label)?;
            self.group(block_type, group)?;
        }
        self.sink.end_object()
    }

    fn bodies(&mut self, block_type: &str, blocks: &[BlockNode<'d>]) -> Result<(), S::Error> {
        let outer = self.top;
        self.top = outer.or_else(|| blocks.first().map(|block| block.block_type()));
        self.bodies_inside(block_type, blocks)?;
        self.top = outer;
        Ok(())
    }

    fn bodies_inside(&mut self, block_type: &str, blocks: &[BlockNode<'d>]) -> Result<(), S::Error> {
        if let (Shape::Compact, [block]) = (self.converter.shape, blocks) {
            return self.object(&[block.body()], Some(block_type));
        }
        self.sink.begin_array()?;
        for block in blocks {
            self.object(&[block.body()], Some(block_type))?;
        }
        self.sink.end_array()
    }
}

/// Blocks with the same first labels.
#[derive(Default)]
struct Group<'l, 'd> {
    labels: IndexMap<&'l str, Self>,
    blocks: Vec<BlockNode<'d>>,
}

/// Returns true if blocks that are grouped by their labels are still in source order.
fn keeps_order(blocks: &[(Vec<Cow<'_, str>>, BlockNode<'_>)]) -> bool {
    let mut root = Group::default();
    // A label must not occur again after another label of the same level.
    blocks.iter().all(|(labels, _)| {
        let mut group = &mut root;
        for label in labels {
            let last = group.labels.len().checked_sub(1);
            let index = group.labels.get_index_of(&**label);
            if index.is_some() && index != last {
                return false;
            }
            group = group.labels.entry(label).or_default();
        }
        true
    })
}
