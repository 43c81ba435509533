//! What a body contains according to a schema; `native.rs` and `json.rs` read it. Specification: "Body Content" in the
//! information model.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use hclkit_syntax::{Place, Source, Span};
use hclkit_value::Name;

use super::Body;
use crate::Expression;

/// The arguments and blocks of a body.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Content {
    /// The arguments by their names.
    pub attributes: Attributes,
    /// The blocks in source order.
    pub blocks: Vec<Block>,
    /// Where missing items would be added.
    pub missing_item: Place,
    /// The indices of the blocks of each type, sorted by type. Created if there are many blocks.
    by_type: OnceLock<Vec<usize>>,
}

/// From this number of blocks on, the blocks of a type are looked up in an index. There may be as many types as blocks,
/// and searching all blocks for each type would take quadratic time.
const MANY: usize = 64;

impl Content {
    pub(crate) fn new(attributes: Attributes, blocks: Vec<Block>, missing_item: Place) -> Self {
        Self { attributes, blocks, missing_item, by_type: OnceLock::new() }
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
#[non_exhaustive]
pub struct Attribute {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub expression: Expression,
    /// Its span.
    pub span: Span,
    /// The span of its name.
    pub name_span: Span,
    /// Its source.
    pub source: Arc<Source>,
}

/// A block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Block {
    /// Its type.
    pub block_type: Name,
    /// Its labels: as many as the schema has label names.
    pub labels: Vec<Name>,
    /// The span of each label.
    pub label_spans: Vec<Span>,
    /// The span of the type.
    pub type_span: Span,
    /// The span of its type and labels.
    pub definition_span: Span,
    /// The span of the opening brace of its body.
    pub open_span: Span,
    /// The span of the closing brace of its body.
    pub close_span: Span,
    /// Its body.
    pub body: Body,
    /// Its source.
    pub source: Arc<Source>,
}

impl Block {
    /// The type and labels, for diagnostics about the block as a whole.
    pub fn definition_place(&self) -> Place {
        Place::new(&self.source, self.definition_span)
    }
}

/// Up to this number of arguments, all names are compared with the one that is looked up.
const FEW: usize = 8;

/// Arguments, sorted by name.
#[derive(Clone, Debug, Default)]
pub struct Attributes(Vec<Attribute>);

impl Attributes {
    /// Collects arguments. If several have the same name, the first one counts.
    pub(super) fn first_of_each(mut attributes: Vec<Attribute>) -> Self {
        attributes.sort_by(|one, other| one.name.cmp(&other.name));
        attributes.dedup_by(|second, first| second.name == first.name);
        Self(attributes)
    }

    /// The argument with this name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        // Comparing a few names for equality is faster than ordering them, because most have different lengths.
        if self.0.len() <= FEW {
            return self.0.iter().find(|attribute| attribute.name.as_str() == name);
        }
        let found = self.0.binary_search_by(|attribute| attribute.name.as_str().cmp(name));
        found.ok().map(|at| &self.0[at])
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The arguments, sorted by name.
    pub fn iter(&self) -> std::slice::Iter<'_, Attribute> {
        self.0.iter()
    }
}

impl FromIterator<Attribute> for Attributes {
    /// If several arguments have the same name, the first one counts.
    fn from_iter<I: IntoIterator<Item = Attribute>>(attributes: I) -> Self {
        Self::first_of_each(attributes.into_iter().collect())
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

/// Removes arguments that have the name of an earlier one.
pub(super) fn keep_first(attributes: &mut Vec<Attribute>) {
    let mut seen = BTreeSet::new();
    attributes.retain(|attribute| seen.insert(attribute.name.clone()));
}
