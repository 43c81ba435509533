//! The contents of a body for derived types. In the native syntax, each attribute and each block is made when it is needed:
//! literals are read from their nodes, and a file with many blocks does not keep all of them.

use std::borrow::Cow;
use std::sync::Arc;

use hclkit_syntax::json::JsonValue;
use hclkit_syntax::{Place, Source, Span, ast};
use hclkit_value::Name;

use super::native::{NativeView, attribute_of, block_of, definition_span};
use super::{Attribute, Attributes, Block, BlockSchema, Body, Content, Form, Schema};
use crate::Diagnostics;

/// The attributes and blocks of a body.
#[derive(Debug)]
pub(crate) struct Listed<'b> {
    pub(crate) attributes: AttributeList<'b>,
    pub(crate) blocks: BlockList<'b>,
}

/// The attributes of a body.
#[derive(Debug)]
pub(crate) struct AttributeList<'b>(Listing<'b>);

#[derive(Debug)]
enum Listing<'b> {
    Made(Attributes),
    /// Sorted by name if there are more than [`FEW`].
    Native(Vec<(&'b Name, ast::AttributeNode<'b>)>),
}

/// Up to this number of attributes, all names are compared with the one that is looked up.
const FEW: usize = 8;

impl<'b> AttributeList<'b> {
    pub(super) fn native(mut attributes: Vec<(&'b Name, ast::AttributeNode<'b>)>) -> Self {
        // If several attributes have the same name, the first one counts: sorting keeps their order.
        if attributes.len() > FEW {
            attributes.sort_by_key(|(name, _)| *name);
        }
        AttributeList(Listing::Native(attributes))
    }

    /// The attribute with this name.
    pub(crate) fn get(&self, name: &str) -> Option<BodyAttribute<'_>> {
        match &self.0 {
            Listing::Made(attributes) => attributes.get(name).map(BodyAttribute::Made),
            Listing::Native(attributes) => {
                let at = if attributes.len() > FEW {
                    let at = attributes.partition_point(|(own, _)| own.as_str() < name);
                    attributes.get(at).is_some_and(|(own, _)| own.as_str() == name).then_some(at)
                } else {
                    attributes.iter().position(|(own, _)| own.as_str() == name)
                };
                let (name, node) = attributes[at?];
                Some(BodyAttribute::Native(name, node))
            }
        }
    }

    fn into_attributes(self) -> Attributes {
        match self.0 {
            Listing::Made(attributes) => attributes,
            Listing::Native(attributes) => {
                attributes.into_iter().map(|(name, node)| attribute_of(name, node)).collect()
            }
        }
    }
}

/// An attribute of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BodyAttribute<'b> {
    Made(&'b Attribute),
    Native(&'b Name, ast::AttributeNode<'b>),
}

impl<'b> BodyAttribute<'b> {
    pub(crate) fn json(self) -> Option<JsonValue<'b>> {
        match self {
            BodyAttribute::Made(attribute) => attribute.expression.json(),
            BodyAttribute::Native(..) => None,
        }
    }

    pub(crate) fn name(self) -> &'b Name {
        match self {
            BodyAttribute::Made(attribute) => &attribute.name,
            BodyAttribute::Native(name, _) => name,
        }
    }

    pub(crate) fn name_span(self) -> Span {
        match self {
            BodyAttribute::Made(attribute) => attribute.name_span,
            BodyAttribute::Native(_, node) => node.name_span(),
        }
    }

    pub(crate) fn source(self) -> &'b Arc<Source> {
        match self {
            BodyAttribute::Made(attribute) => &attribute.source,
            BodyAttribute::Native(_, node) => node.document().shared_source(),
        }
    }

    /// The node of its expression, if the value depends on nothing else.
    pub(crate) fn unlowered(self) -> Option<ast::ExpressionNode<'b>> {
        match self {
            BodyAttribute::Made(attribute) => attribute.expression.unlowered(),
            BodyAttribute::Native(_, node) => (!node.document().has_errors()).then(|| node.value()),
        }
    }
}

/// The blocks of a body, in source order.
#[derive(Debug)]
pub(crate) struct BlockList<'b>(Blocks<'b>);

#[derive(Debug)]
enum Blocks<'b> {
    Made(Vec<Block>),
    Native(Vec<(&'b BlockSchema, ast::BlockNode<'b>)>),
}

impl<'b> BlockList<'b> {
    pub(super) fn native(blocks: Vec<(&'b BlockSchema, ast::BlockNode<'b>)>) -> Self {
        BlockList(Blocks::Native(blocks))
    }

    /// The indices of the blocks whose type is accepted.
    pub(crate) fn indices(&self, is_one: impl Fn(&str) -> bool) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(move |&at| is_one(self.block_type(at)))
    }

    fn len(&self) -> usize {
        match &self.0 {
            Blocks::Made(blocks) => blocks.len(),
            Blocks::Native(blocks) => blocks.len(),
        }
    }

    fn block_type(&self, at: usize) -> &Name {
        match &self.0 {
            Blocks::Made(blocks) => &blocks[at].block_type,
            Blocks::Native(blocks) => &blocks[at].0.block_type,
        }
    }

    pub(crate) fn get(&self, at: usize) -> BodyBlock<'_> {
        match &self.0 {
            Blocks::Made(blocks) => BodyBlock::Made(&blocks[at]),
            Blocks::Native(blocks) => BodyBlock::Native(&blocks[at].0.block_type, blocks[at].1),
        }
    }

    fn into_vec(self) -> Vec<Block> {
        match self.0 {
            Blocks::Made(blocks) => blocks,
            Blocks::Native(blocks) => {
                blocks.into_iter().map(|(known, node)| block_of(&known.block_type, node)).collect()
            }
        }
    }
}

/// A block of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BodyBlock<'b> {
    Made(&'b Block),
    Native(&'b Name, ast::BlockNode<'b>),
}

impl<'b> BodyBlock<'b> {
    pub(crate) fn block_type(self) -> &'b Name {
        match self {
            BodyBlock::Made(block) => &block.block_type,
            BodyBlock::Native(block_type, _) => block_type,
        }
    }

    pub(crate) fn label(self, at: usize) -> Option<Cow<'b, str>> {
        match self {
            BodyBlock::Made(block) => block.labels.get(at).map(|label| Cow::Borrowed(label.as_str())),
            BodyBlock::Native(_, node) => node.labels().nth(at).map(ast::LabelNode::value),
        }
    }

    pub(crate) fn label_span(self, at: usize) -> Option<Span> {
        match self {
            BodyBlock::Made(block) => block.label_spans.get(at).copied(),
            BodyBlock::Native(_, node) => node.labels().nth(at).map(ast::LabelNode::span),
        }
    }

    pub(crate) fn type_span(self) -> Span {
        match self {
            BodyBlock::Made(block) => block.type_span,
            BodyBlock::Native(_, node) => node.type_span(),
        }
    }

    pub(crate) fn definition_span(self) -> Span {
        match self {
            BodyBlock::Made(block) => block.definition_span,
            BodyBlock::Native(_, node) => definition_span(node),
        }
    }

    pub(crate) fn source(self) -> &'b Arc<Source> {
        match self {
            BodyBlock::Made(block) => &block.source,
            BodyBlock::Native(_, node) => node.document().shared_source(),
        }
    }

    /// Same as [`Body::listed`], for the body of the block.
    pub(crate) fn listed(self, schema: &'b Schema, diagnostics: &mut Diagnostics) -> Listed<'b> {
        match self {
            BodyBlock::Made(block) => block.body.listed(schema, diagnostics),
            BodyBlock::Native(_, node) => NativeView::new(node.body()).listed(schema, diagnostics),
        }
    }

    /// Same as [`Body::listed_partial`], for the body of the block.
    pub(crate) fn listed_partial(
        self,
        schema: &'b Schema,
        diagnostics: &mut Diagnostics,
    ) -> (Listed<'b>, Body) {
        match self {
            BodyBlock::Made(block) => block.body.listed_partial(schema, diagnostics),
            BodyBlock::Native(_, node) => {
                let (listed, rest) = NativeView::new(node.body()).listed_partial(schema, diagnostics);
                (listed, Body(Form::Native(rest)))
            }
        }
    }
}

impl Listed<'_> {
    pub(super) fn into_content(self, missing_item: Place) -> Content {
        Content::new(self.attributes.into_attributes(), self.blocks.into_vec(), missing_item)
    }
}

impl From<Content> for Listed<'_> {
    fn from(content: Content) -> Self {
        let Content { attributes, blocks, .. } = content;
        Listed {
            attributes: AttributeList(Listing::Made(attributes)),
            blocks: BlockList(Blocks::Made(blocks)),
        }
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
    ) -> (Listed<'b>, Self) {
        if let Form::Native(body) = &self.0 {
            let (listed, rest) = body.listed_partial(schema, diagnostics);
            return (listed, Self(Form::Native(rest)));
        }
        let (content, rest) = self.partial_content_into(schema, diagnostics);
        (content.into(), rest)
    }
}
