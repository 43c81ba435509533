//! What a body holds, as a schema asked for it. Specification: "Body Content" in the information model.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use hclkit_syntax::{Place, Source, Span};
use hclkit_value::Name;

use super::Body;
use crate::Expression;

/// The arguments and blocks of a body.
#[derive(Clone, Debug)]
pub struct Content {
    /// The arguments by their names.
    pub attributes: Attributes,
    /// The blocks in source order.
    pub blocks: Vec<Block>,
    /// Where what is missing would have to stand.
    pub missing_item: Place,
    /// Where the blocks of each type are, the types in their order: asked for where there are many blocks.
    by_type: OnceLock<Vec<usize>>,
}

/// From so many blocks on, those of a type are found by their order: there may be as many types, and to look at all blocks
/// for each would take time in the square.
const MANY: usize = 64;

impl Content {
    pub(crate) fn new(attributes: Attributes, blocks: Vec<Block>, missing_item: Place) -> Content {
        Content { attributes, blocks, missing_item, by_type: OnceLock::new() }
    }

    /// The blocks of a type, in source order.
    ///
    /// ```
    /// use hclkit_model::{Body, Diagnostics, Schema};
    /// use hclkit_syntax::Source;
    ///
    /// let (body, mut diagnostics) = Body::parse(Source::new("main.hcl", "a {\n}\nb {\n}\na {\n}\n"));
    /// let content = diagnostics.absorb(body.content(&Schema::new().with_block("a", &[]).with_block("b", &[])));
    /// assert_eq!(content.blocks_of("a").count(), 2);
    /// ```
    pub fn blocks_of<'c>(&'c self, block_type: &str) -> impl Iterator<Item = &'c Block> {
        let (few, many) = match self.blocks.len() {
            ..MANY => (&self.blocks[..], &[][..]),
            _ => (&[][..], self.places_of(block_type)),
        };
        let few = few.iter().filter(move |block| block.block_type == *block_type);
        few.chain(many.iter().map(|&at| &self.blocks[at]))
    }

    fn places_of(&self, block_type: &str) -> &[usize] {
        let of = |at: usize| self.blocks[at].block_type.as_str();
        let places = self.by_type.get_or_init(|| {
            let mut places: Vec<usize> = (0..self.blocks.len()).collect();
            places.sort_by(|&one, &other| of(one).cmp(of(other)));
            places
        });
        let start = places.partition_point(|&at| of(at) < block_type);
        let count = places[start..].partition_point(|&at| of(at) == block_type);
        &places[start..start + count]
    }
}

/// An argument.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub expression: Expression,
    /// Where all of it stands.
    pub span: Span,
    /// Where its name stands.
    pub name_span: Span,
    /// The source that it is a part of.
    pub source: Arc<Source>,
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its type.
    pub block_type: Name,
    /// Its labels, as many as the schema has names for.
    pub labels: Vec<Name>,
    /// Where each label stands.
    pub label_spans: Vec<Span>,
    /// Where the type stands.
    pub type_span: Span,
    /// Where what identifies it stands: type and labels.
    pub definition_span: Span,
    /// Where its body begins: the opening brace.
    pub open_span: Span,
    /// Where its body ends: the closing brace.
    pub close_span: Span,
    /// What is in it.
    pub body: Body,
    /// The source that it is a part of.
    pub source: Arc<Source>,
}

impl Block {
    /// The type and labels, for diagnostics about the block as a whole.
    pub fn definition_place(&self) -> Place {
        Place::new(&self.source, self.definition_span)
    }
}

/// Arguments by name, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Attributes(Vec<Attribute>);

impl Attributes {
    /// Takes arguments; of those of the same name the first one.
    pub(super) fn first_of_each(mut attributes: Vec<Attribute>) -> Attributes {
        attributes.sort_by(|one, other| one.name.cmp(&other.name));
        attributes.dedup_by(|second, first| second.name == first.name);
        Attributes(attributes)
    }

    /// The argument of a name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        let found = self.0.binary_search_by(|attribute| attribute.name.as_str().cmp(name));
        found.ok().map(|at| &self.0[at])
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The arguments in the order of their names.
    pub fn iter(&self) -> std::slice::Iter<'_, Attribute> {
        self.0.iter()
    }
}

impl FromIterator<Attribute> for Attributes {
    /// Of arguments of the same name the first one.
    fn from_iter<I: IntoIterator<Item = Attribute>>(attributes: I) -> Attributes {
        Attributes::first_of_each(attributes.into_iter().collect())
    }
}

impl IntoIterator for Attributes {
    type Item = Attribute;
    type IntoIter = std::vec::IntoIter<Attribute>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Attributes {
    type Item = &'a Attribute;
    type IntoIter = std::slice::Iter<'a, Attribute>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Leaves out arguments whose name an earlier one has.
pub(super) fn keep_first(attributes: &mut Vec<Attribute>) {
    let mut seen = BTreeSet::new();
    attributes.retain(|attribute| seen.insert(attribute.name.clone()));
}
