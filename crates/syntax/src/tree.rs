//! The syntax tree: nodes in one arena, addressed by [`NodeId`], linked by first child and next sibling, and located by
//! the indices of their first and last token. [`ast`](crate::ast) provides typed views of it.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::BitOrAssign;
use std::sync::atomic::{self, AtomicU32};

use crate::Span;
use crate::token::{TokenKind, Tokens};

/// The index of a node in its [`Tree`], by which nodes are compared. It also knows which tree that is: see
/// [`Tree::contains`].
#[derive(Clone, Copy)]
pub struct NodeId {
    pub(crate) index: u32,
    /// The number of the tree. [`NodeId::ROOT`] has none.
    tree: u32,
}

impl NodeId {
    /// The root node of any tree.
    pub const ROOT: Self = Self { index: 0, tree: 0 };

    /// Returns the index.
    #[doc(hidden)]
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// The node with another index in the same tree.
    pub(crate) const fn with_index(self, index: u32) -> Self {
        Self { index, ..self }
    }
}

#[doc(hidden)]
impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NodeId").field(&self.index).finish()
    }
}

impl PartialEq for NodeId {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for NodeId {}

impl PartialOrd for NodeId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NodeId {
    fn cmp(&self, other: &Self) -> Ordering {
        self.index.cmp(&other.index)
    }
}

impl Hash for NodeId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

/// The kind of a node, and the order of its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum NodeKind {
    /// The whole document: one body, expression, template or traversal.
    Root,
    /// Attributes and blocks.
    Body,
    /// The expression. The name is the first token.
    Attribute,
    /// Labels (names and strings), then the body. The type is the first token.
    Block,
    /// A name in a body, possibly with attributes after it, that is not an item yet: the reference. This is an error.
    Unfinished,
    /// An identifier without evaluation: a label, a key, or a variable that a `for` declares.
    Name,

    /// An expression is missing here.
    Missing,
    /// A numeric literal.
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// A quoted template without sequences.
    String,
    /// A quoted template with sequences: its parts.
    QuotedTemplate,
    /// A heredoc: its parts.
    Heredoc,
    /// A template that is a whole source: its parts.
    BareTemplate,
    /// A reference to a variable.
    Variable,
    /// `object.name`: the object. The name is the last token, unless it is missing after the dot.
    GetAttr,
    /// `collection[key]`: both.
    Index,
    /// `collection.0`: the collection. The number is the last token.
    LegacyIndex,
    /// `source.*` with the steps after it: the source, then the expression for each element.
    AttrSplat,
    /// `source[*]` with the steps after it: the source, then the expression for each element.
    FullSplat,
    /// The element, in the expression for each element of a splat.
    SplatItem,
    /// `name(arguments)`: the arguments. The name begins at the first token.
    Call,
    /// `[elements]`: the elements.
    Tuple,
    /// `{items}`: the items.
    Object,
    /// An item of an object: key and value. A key that is a plain identifier is a [`Name`](Self::Name).
    ObjectItem,
    /// `[for …]`: the names, then collection, result and condition.
    ForTuple,
    /// `{for …}`: the names, then collection, key, value and condition.
    ForObject,
    /// `condition ? result : other`: all three.
    Conditional,
    /// Left and right operand; the operator is in the node.
    Binary,
    /// The operand; the operator is in the node.
    Unary,
    /// `(expression)`: the expression.
    Parens,

    /// Literal text of a template.
    Text,
    /// `${expression}`: the expression.
    Interpolation,
    /// `%{if}`: the condition, then one or two [`DirectiveBody`](Self::DirectiveBody).
    IfDirective,
    /// `%{for}`: the names, the collection, then a [`DirectiveBody`](Self::DirectiveBody).
    ForDirective,
    /// The parts of a template between two directives.
    DirectiveBody,

    /// A traversal: the name of the root, then steps.
    Traversal,
    /// `.name`. The name is the last token.
    AttrStep,
    /// `[key]`: a number or a string.
    IndexStep,
    /// `[*]`
    SplatStep,
}

impl NodeKind {
    /// Returns true if nodes of this kind are expressions, with a text of their own: not the element of a splat, and not a
    /// bare template, which is a document.
    pub fn is_expression(self) -> bool {
        matches!(
            self,
            Self::Number
                | Self::True
                | Self::False
                | Self::Null
                | Self::String
                | Self::QuotedTemplate
                | Self::Heredoc
                | Self::Variable
                | Self::GetAttr
                | Self::Index
                | Self::LegacyIndex
                | Self::AttrSplat
                | Self::FullSplat
                | Self::Call
                | Self::Tuple
                | Self::Object
                | Self::ForTuple
                | Self::ForObject
                | Self::Conditional
                | Self::Binary
                | Self::Unary
                | Self::Parens
        )
    }
}

/// What a node has besides its children; most kinds have only some of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flags(u8);

impl Flags {
    /// Nothing in particular.
    pub(crate) const NONE: Self = Self(0);
    /// The span is empty, at the start of the first token.
    pub(crate) const EMPTY_SPAN: Self = Self(1);
    /// `for` expressions and directives: a variable for the key is declared.
    pub(crate) const KEY_VARIABLE: Self = Self(1 << 1);
    /// `for` expressions: there is a condition.
    pub(crate) const CONDITION: Self = Self(1 << 2);
    /// `for` expressions: results are grouped. Calls: the last argument is expanded.
    pub(crate) const ELLIPSIS: Self = Self(1 << 3);
    /// `for` expressions: there is a key.
    pub(crate) const KEY: Self = Self(1 << 4);
    /// Heredocs: introduced by `<<-`.
    pub(crate) const FLUSH: Self = Self(1 << 5);
    /// Texts: the indentation of the first line is removed.
    pub(crate) const LINE_START: Self = Self(1 << 6);

    pub(crate) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A link to another node, or to none. Nothing links to the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Link(u32);

impl Link {
    pub(crate) const NONE: Self = Self(NodeId::ROOT.index);

    pub(crate) const fn to(id: NodeId) -> Self {
        Self(id.index)
    }

    #[inline]
    pub(crate) const fn node(self, tree: &Tree) -> Option<NodeId> {
        if self.0 == Self::NONE.0 { None } else { Some(tree.id(self.0)) }
    }
}

/// The children of a node that is not built yet.
#[derive(Clone, Copy, Default)]
pub(crate) struct List {
    pub(crate) first: Link,
    pub(crate) last: Link,
}

impl List {
    /// A list of one child.
    pub(crate) const fn of(child: NodeId) -> Self {
        Self { first: Link::to(child), last: Link::to(child) }
    }

    #[inline]
    pub(crate) fn append(&mut self, tree: &mut Tree, id: NodeId) {
        match self.last.node(tree) {
            Some(last) => tree.nodes[last.index()].next = Link::to(id),
            None => self.first = Link::to(id),
        }
        self.last = Link::to(id);
    }
}

/// The stored form of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) flags: Flags,
    /// The operator, for operations.
    pub(crate) operator: TokenKind,
    pub(crate) first_token: u32,
    pub(crate) last_token: u32,
    /// The link to the first child; for texts, which have no children, how much indentation to remove.
    below: u32,
    /// The next sibling.
    pub(crate) next: Link,
}

impl Node {
    #[inline]
    pub(crate) const fn new(kind: NodeKind, first_token: u32, last_token: u32, first_child: Link) -> Self {
        let (flags, operator) = (Flags::NONE, TokenKind::Eof);
        Self { kind, flags, operator, first_token, last_token, below: first_child.0, next: Link::NONE }
    }

    #[inline]
    pub(crate) fn first_child(&self) -> Link {
        if self.kind == NodeKind::Text { Link::NONE } else { Link(self.below) }
    }

    pub(crate) fn set_first_child(&mut self, child: NodeId) {
        self.below = child.index;
    }

    /// How much indentation to remove from the lines of a text; 0 for other nodes.
    pub(crate) fn indentation(&self) -> u32 {
        if self.kind == NodeKind::Text { self.below } else { 0 }
    }

    /// Sets how much indentation to remove from the lines of a text.
    pub(crate) fn set_indentation(&mut self, width: u32) {
        debug_assert_eq!(self.kind, NodeKind::Text);
        self.below = width;
    }
}

/// The arena of a document's nodes.
#[derive(Clone)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// Which tree of this process it is, from 1.
    number: u32,
}

/// A step of a walk over a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// The walk enters the node; its children follow.
    Enter(NodeId),
    /// The walk leaves the node after its children.
    Leave(NodeId),
}

/// The number of nodes.
#[doc(hidden)]
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").field("len", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl Tree {
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        static TREES: AtomicU32 = AtomicU32::new(1);
        Self { nodes: Vec::with_capacity(nodes), number: TREES.fetch_add(1, atomic::Ordering::Relaxed) }
    }

    #[inline]
    pub(crate) const fn id(&self, index: u32) -> NodeId {
        NodeId { index, tree: self.number }
    }

    /// Returns true if a node is one of this tree, and not of another document.
    #[doc(hidden)]
    pub fn contains(&self, id: NodeId) -> bool {
        id.index() < self.nodes.len() && (id.tree == self.number || id == NodeId::ROOT)
    }

    /// The number of nodes.
    #[doc(hidden)]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always returns false, because there is a root.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The kind of a node.
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.nodes[id.index()].kind
    }

    #[doc(hidden)]
    /// The indices of the first and last token of a node.
    pub fn token_range(&self, id: NodeId) -> (u32, u32) {
        let node = &self.nodes[id.index()];
        (node.first_token, node.last_token)
    }

    #[doc(hidden)]
    /// The operator of an operation; [`TokenKind::Eof`] for other nodes.
    pub fn operator(&self, id: NodeId) -> TokenKind {
        self.nodes[id.index()].operator
    }

    /// The children of a node in source order.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children { tree: self, next: self.nodes[id.index()].first_child() }
    }

    /// Walks over a node and all nodes below it. Each node is entered before its children and left after them. The walk
    /// is not recursive, so the depth of the tree does not matter.
    pub fn walk(&self, id: NodeId) -> Walk<'_> {
        Walk { tree: self, open: Vec::new(), next: Some(id) }
    }

    pub(crate) fn has(&self, id: NodeId, flag: Flags) -> bool {
        self.nodes[id.index()].flags.contains(flag)
    }

    pub(crate) fn span(&self, id: NodeId, tokens: &Tokens) -> Span {
        let node = &self.nodes[id.index()];
        let start = tokens.start(node.first_token);
        if node.flags.contains(Flags::EMPTY_SPAN) {
            return Span::empty(start);
        }
        Span::new(start, tokens.span(node.last_token).end.max(start))
    }

    #[doc(hidden)]
    /// The memory that the nodes use, in bytes.
    pub fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }
}

/// The children of a node in source order.
#[derive(Debug, Clone)]
pub struct Children<'t> {
    tree: &'t Tree,
    next: Link,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let id = self.next.node(self.tree)?;
        self.next = self.tree.nodes[id.index()].next;
        Some(id)
    }
}

/// See [`Tree::walk`].
#[derive(Debug, Clone)]
pub struct Walk<'t> {
    tree: &'t Tree,
    /// The nodes that were entered and not left, each with its remaining children.
    open: Vec<(NodeId, Children<'t>)>,
    next: Option<NodeId>,
}

impl Walk<'_> {
    /// Skips the nodes below the one that was entered last. That node is still left.
    pub fn skip_children(&mut self) {
        if let Some((_, children)) = self.open.last_mut() {
            children.next = Link::NONE;
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Visit;

    fn next(&mut self) -> Option<Visit> {
        let id = match self.next.take() {
            Some(id) => id,
            None => match self.open.last_mut()?.1.next() {
                Some(id) => id,
                None => return self.open.pop().map(|(id, _)| Visit::Leave(id)),
            },
        };
        self.open.push((id, self.tree.children(id)));
        Some(Visit::Enter(id))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_node_takes_twenty_bytes() {
        assert_eq!(size_of::<super::Node>(), 20);
    }
}
