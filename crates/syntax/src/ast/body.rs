//! Bodies, attributes, blocks and labels. Specification: "Structural Elements".

use std::borrow::Cow;

use super::expression::string_text;
use super::{ExpressionNode, NameNode, tokens_of, view};
use crate::token::TokenKind;
use crate::tree::{Children, NodeKind};
use crate::{Document, NodeId, Span, Syntax};

/// A body: attributes and blocks in source order.
#[derive(Clone, Copy)]
pub struct BodyNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(BodyNode);

/// An attribute or a block.
#[derive(Debug, Clone, Copy)]
pub enum Item<'d> {
    /// `name = expression`
    Attribute(AttributeNode<'d>),
    /// `type "label" { … }`
    Block(BlockNode<'d>),
}

impl<'d> Item<'d> {
    /// Its span.
    pub fn span(self) -> Span {
        match self {
            Self::Attribute(attribute) => attribute.span(),
            Self::Block(block) => block.span(),
        }
    }

    /// The attribute, if it is one.
    pub fn attribute(self) -> Option<AttributeNode<'d>> {
        if let Self::Attribute(attribute) = self { Some(attribute) } else { None }
    }

    /// The block, if it is one.
    pub fn block(self) -> Option<BlockNode<'d>> {
        if let Self::Block(block) = self { Some(block) } else { None }
    }
}

impl<'d> BodyNode<'d> {
    /// An empty body, for documents without one.
    pub(crate) fn none(document: &'d Document) -> Self {
        Self { document, id: NodeId::ROOT }
    }

    /// The attributes and blocks in source order. An attribute that is set twice appears twice.
    pub fn items(self) -> impl Iterator<Item = Item<'d>> + use<'d> {
        let Self { document, id } = self;
        document.tree().children(id).filter_map(move |id| match document.tree().kind(id) {
            NodeKind::Attribute => Some(Item::Attribute(AttributeNode::new(document, id))),
            NodeKind::Block => Some(Item::Block(BlockNode::new(document, id))),
            _ => None,
        })
    }

    /// The attributes in source order.
    pub fn attributes(self) -> impl Iterator<Item = AttributeNode<'d>> + use<'d> {
        self.items().filter_map(Item::attribute)
    }

    /// The blocks in source order.
    pub fn blocks(self) -> impl Iterator<Item = BlockNode<'d>> + use<'d> {
        self.items().filter_map(Item::block)
    }

    /// Unfinished items: references such as `foo` and `foo.` alone on a line. Each is
    /// an error, and a place where an editor offers completions.
    ///
    /// ```
    /// let document = hclkit_syntax::parse("server.po\nport = 80\n");
    /// let unfinished: Vec<_> = document.body().unfinished().map(|it| it.text()).collect();
    /// assert_eq!(unfinished, ["server.po"]);
    /// ```
    #[doc(hidden)]
    pub fn unfinished(self) -> impl Iterator<Item = ExpressionNode<'d>> + use<'d> {
        let Self { document, id } = self;
        let tree = document.tree();
        tree.children(id)
            .filter(|&id| tree.kind(id) == NodeKind::Unfinished)
            .map(|id| ExpressionNode::child(document, id, 0))
    }

    /// The attribute with a name; the first one if it is set twice.
    pub fn attribute(self, name: &str) -> Option<AttributeNode<'d>> {
        self.attributes().find(|attribute| attribute.name() == name)
    }
}

/// `Attribute = Identifier "=" Expression Newline;`
#[derive(Clone, Copy)]
pub struct AttributeNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(AttributeNode);

impl<'d> AttributeNode<'d> {
    /// The name.
    pub fn name(self) -> &'d str {
        item_name(self.document, self.id)
    }

    /// The name, with escape sequences resolved if it is quoted, as in HCL 1.
    #[doc(hidden)]
    pub fn name_text(self) -> Cow<'d, str> {
        item_text(self.document, self.id)
    }

    /// The span of the name.
    pub fn name_span(self) -> Span {
        self.document.tokens().span(tokens_of(self.document, self.id).0)
    }

    /// The span of the equals sign.
    #[doc(hidden)]
    pub fn equals_span(self) -> Span {
        let tokens = self.document.tokens();
        tokens.span(tokens.significant_from(tokens_of(self.document, self.id).0 + 1))
    }

    /// The value.
    pub fn value(self) -> ExpressionNode<'d> {
        ExpressionNode::child(self.document, self.id, 0)
    }
}

/// The identifier that an item begins with, without quotes if it is quoted by mistake.
fn item_name(document: &Document, id: NodeId) -> &str {
    let text = NameNode::at(document, tokens_of(document, id).0).text;
    if text.starts_with('"') { crate::text::unquote(text) } else { text }
}

/// The name of an item as a value: in HCL 1, a quoted name can have escape sequences.
fn item_text(document: &Document, id: NodeId) -> Cow<'_, str> {
    let name = item_name(document, id);
    if document.syntax() == Syntax::Hcl1 { crate::hcl1::quoted_text(name) } else { Cow::Borrowed(name) }
}

/// `Block = Identifier (StringLit|Identifier)* "{" Newline Body "}" Newline;`
#[derive(Clone, Copy)]
pub struct BlockNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(BlockNode);

impl<'d> BlockNode<'d> {
    /// The type.
    pub fn block_type(self) -> &'d str {
        item_name(self.document, self.id)
    }

    /// The type, with escape sequences resolved if it is quoted, as in HCL 1.
    #[doc(hidden)]
    pub fn type_text(self) -> Cow<'d, str> {
        item_text(self.document, self.id)
    }

    /// The span of the type.
    #[doc(hidden)]
    pub fn type_span(self) -> Span {
        self.document.tokens().span(tokens_of(self.document, self.id).0)
    }

    /// The labels in order.
    pub fn labels(self) -> impl Iterator<Item = LabelNode<'d>> + use<'d> {
        let Self { document, id } = self;
        document
            .tree()
            .children(id)
            .filter(move |&id| document.tree().kind(id) != NodeKind::Body)
            .map(move |id| LabelNode::new(document, id))
    }

    /// The texts of the labels in order.
    pub fn label_texts(self) -> Vec<Cow<'d, str>> {
        self.labels().map(LabelNode::value).collect()
    }

    /// The body. Empty if an error left the block without one.
    pub fn body(self) -> BodyNode<'d> {
        let id = self.children().find(|&id| self.document.tree().kind(id) == NodeKind::Body);
        BodyNode { document: self.document, id: id.unwrap_or(NodeId::ROOT) }
    }

    /// The span of the opening brace. Empty if there is none.
    #[doc(hidden)]
    pub fn open_span(self) -> Span {
        let token = self.document.tokens().get(tokens_of(self.document, self.body().id).0);
        if token.kind == TokenKind::OpenBrace { token.span } else { Span::empty(token.span.end) }
    }

    /// The span of the closing brace. Empty if there is none.
    #[doc(hidden)]
    pub fn close_span(self) -> Span {
        let token = self.document.tokens().get(tokens_of(self.document, self.body().id).1);
        if token.kind == TokenKind::CloseBrace { token.span } else { Span::empty(token.span.end) }
    }

    fn children(self) -> Children<'d> {
        self.document.tree().children(self.id)
    }
}

/// A label of a block: a quoted string or an identifier.
#[derive(Clone, Copy)]
pub struct LabelNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(LabelNode);

impl<'d> LabelNode<'d> {
    /// The text of the label, with escape sequences resolved.
    pub fn value(self) -> Cow<'d, str> {
        match self.document.tree().kind(self.id) {
            NodeKind::String => string_text(self.document, self.id),
            NodeKind::Name => Cow::Borrowed(self.text()),
            // A template, which is an error: use its source text.
            _ => Cow::Borrowed(crate::text::unquote(self.text())),
        }
    }

    /// Returns true if the label is quoted.
    pub fn is_quoted(self) -> bool {
        self.document.tree().kind(self.id) != NodeKind::Name
    }
}
