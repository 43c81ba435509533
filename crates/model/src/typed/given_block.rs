//! A block as types read it. Only what a type asks for is read from the source.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::body::{BodyBlock, Listed, block_of};
use crate::{Block, Body, Diagnostics, Place, Schema};

/// A block that is read into a Rust type.
#[derive(Clone, Debug)]
pub struct GivenBlock<'a> {
    block: BodyBlock<'a>,
    /// The block, if all of it was needed and it was not made before.
    made: OnceCell<Block>,
}

impl<'a> GivenBlock<'a> {
    pub(super) fn new(block: BodyBlock<'a>) -> Self {
        GivenBlock { block, made: OnceCell::new() }
    }

    /// The block.
    pub fn block(&self) -> &Block {
        match self.block {
            BodyBlock::Made(block) => block,
            BodyBlock::Native(block_type, node) => self.made.get_or_init(|| block_of(block_type, node)),
        }
    }

    /// The type of the block.
    pub fn block_type(&self) -> &'a str {
        self.block.block_type().as_str()
    }

    /// A label, by its index.
    pub fn label(&self, index: usize) -> Option<Cow<'a, str>> {
        self.block.label(index)
    }

    /// The place of the type.
    pub fn type_place(&self) -> Place {
        Place::new(self.block.source(), self.block.type_span())
    }

    /// The place of the label at an index. If the block has no such label, the place of the type and the labels.
    pub fn label_place(&self, index: usize) -> Place {
        match self.block.label_span(index) {
            Some(span) => Place::new(self.block.source(), span),
            None => self.place(),
        }
    }

    /// The place of the type and the labels.
    pub fn place(&self) -> Place {
        Place::new(self.block.source(), self.block.definition_span())
    }

    pub(super) fn listed<'s>(
        &self,
        schema: &'s Schema,
        has_rest: bool,
        diagnostics: &mut Diagnostics,
    ) -> (Listed<'s>, Option<Body>)
    where
        'a: 's,
    {
        if !has_rest {
            return (self.block.listed(schema, diagnostics), None);
        }
        let (listed, rest) = self.block.listed_partial(schema, diagnostics);
        (listed, Some(rest))
    }
}

impl<'a> From<&'a Block> for GivenBlock<'a> {
    fn from(block: &'a Block) -> Self {
        GivenBlock::new(BodyBlock::Made(block))
    }
}
