//! The contents of a body for derived types. In the native syntax, each block is made when it is needed, so that a file with
//! many blocks does not keep all of them.

use std::borrow::Cow;

use hclkit_syntax::{Place, ast};

use super::native::NativeBody;
use super::{Attributes, Block, BlockSchema, Body, Content, Form, Schema};
use crate::Diagnostics;

/// The attributes and blocks of a body.
#[derive(Debug)]
pub(crate) struct Listed<'b> {
    pub(crate) attributes: Attributes,
    pub(crate) blocks: BlockList<'b>,
}

/// The blocks of a body, in source order.
#[derive(Debug)]
pub(crate) struct BlockList<'b>(Blocks<'b>);

#[derive(Debug)]
enum Blocks<'b> {
    Made(Vec<Block>),
    Native(&'b NativeBody, Vec<(&'b BlockSchema, ast::BlockNode<'b>)>),
}

impl<'b> BlockList<'b> {
    pub(super) fn native(
        body: &'b NativeBody,
        blocks: Vec<(&'b BlockSchema, ast::BlockNode<'b>)>,
    ) -> BlockList<'b> {
        BlockList(Blocks::Native(body, blocks))
    }

    /// The indices of the blocks whose type is accepted.
    pub(crate) fn indices(&self, is_one: impl Fn(&str) -> bool) -> Vec<usize> {
        fn select<T>(blocks: &[T], is_one: impl Fn(&T) -> bool) -> Vec<usize> {
            let blocks = blocks.iter().enumerate();
            blocks.filter(|(_, block)| is_one(block)).map(|(at, _)| at).collect()
        }
        match &self.0 {
            Blocks::Made(blocks) => select(blocks, |block| is_one(&block.block_type)),
            Blocks::Native(_, blocks) => select(blocks, |(known, _)| is_one(&known.block_type)),
        }
    }

    pub(crate) fn get(&self, at: usize) -> Cow<'_, Block> {
        match &self.0 {
            Blocks::Made(blocks) => Cow::Borrowed(&blocks[at]),
            Blocks::Native(body, blocks) => {
                let (known, node) = blocks[at];
                Cow::Owned(body.any_block(&known.block_type, node))
            }
        }
    }

    /// The first label of a block.
    pub(crate) fn first_label(&self, at: usize) -> Option<Cow<'_, str>> {
        match &self.0 {
            Blocks::Made(blocks) => blocks[at].labels.first().map(|label| Cow::Borrowed(label.as_str())),
            Blocks::Native(_, blocks) => blocks[at].1.labels().next().map(ast::LabelNode::value),
        }
    }

    fn into_vec(self) -> Vec<Block> {
        match self.0 {
            Blocks::Made(blocks) => blocks,
            Blocks::Native(body, blocks) => {
                blocks.into_iter().map(|(known, node)| body.any_block(&known.block_type, node)).collect()
            }
        }
    }
}

impl Listed<'_> {
    pub(super) fn into_content(self, missing_item: Place) -> Content {
        Content::new(self.attributes, self.blocks.into_vec(), missing_item)
    }
}

impl From<Content> for Listed<'_> {
    fn from(content: Content) -> Self {
        let Content { attributes, blocks, .. } = content;
        Listed { attributes, blocks: BlockList(Blocks::Made(blocks)) }
    }
}

impl Body {
    /// Same as [`Body::content`], for derived types.
    pub(crate) fn listed<'b>(&'b self, schema: &'b Schema, diagnostics: &mut Diagnostics) -> Listed<'b> {
        match &self.0 {
            Form::Native(body) => body.listed(schema, diagnostics),
            _ => self.content_into(schema, diagnostics).into(),
        }
    }

    /// Same as [`Body::partial_content`], for derived types.
    pub(crate) fn listed_partial<'b>(
        &'b self,
        schema: &'b Schema,
        diagnostics: &mut Diagnostics,
    ) -> (Listed<'b>, Body) {
        if let Form::Native(body) = &self.0 {
            let (listed, rest) = body.listed_partial(schema, diagnostics);
            return (listed, Body(Form::Native(rest)));
        }
        let (content, rest) = self.partial_content_into(schema, diagnostics);
        (content.into(), rest)
    }
}
