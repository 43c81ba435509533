//! The syntax tree: nodes in one arena, addressed by [`NodeId`], linked by first child and next sibling, and located by
//! the indices of their first and last token. [`ast`](crate::ast) provides typed views of it.

use crate::Span;
use crate::token::{TokenKind, Tokens};

/// The index of a node in its [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The root node.
    pub const ROOT: Self = Self(0);

    /// Returns the index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node, and the order of its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
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

/// Flags of nodes; their meaning depends on the kind.
pub(crate) mod flag {
    /// The span is empty, at the start of the first token.
    pub(crate) const EMPTY: u8 = 1;
    /// `for` expressions: a variable for the key is declared.
    pub(crate) const KEY_NAME: u8 = 2;
    /// `for` expressions: there is a condition.
    pub(crate) const CONDITION: u8 = 4;
    /// `for` expressions: results are grouped. Calls: the last argument is expanded.
    pub(crate) const ELLIPSIS: u8 = 8;
    /// `for` expressions: there is a key.
    pub(crate) const KEY: u8 = 16;
    /// Heredocs: introduced by `<<-`.
    pub(crate) const FLUSH: u8 = 32;
    /// Texts: the indentation of the first line is removed.
    pub(crate) const LINE_START: u8 = 64;
}

/// The stored form of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) flags: u8,
    /// The operator, for operations.
    pub(crate) operator: TokenKind,
    pub(crate) first_token: u32,
    pub(crate) last_token: u32,
    /// The first child, or 0. Texts of flush heredocs store here how much indentation to remove.
    pub(crate) child: u32,
    /// The next sibling, or 0.
    pub(crate) next: u32,
}

/// The arena of a document's nodes.
#[derive(Debug, Clone)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
}

/// A step of a walk over a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// The walk enters the node; its children follow.
    Enter(NodeId),
    /// The walk leaves the node after its children.
    Leave(NodeId),
}

impl Tree {
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        Self { nodes: Vec::with_capacity(nodes) }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always returns false, because there is a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The kind of a node.
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.nodes[id.index()].kind
    }

    /// The indices of the first and last token of a node.
    pub fn token_range(&self, id: NodeId) -> (u32, u32) {
        let node = &self.nodes[id.index()];
        (node.first_token, node.last_token)
    }

    /// The operator of an operation; [`TokenKind::Eof`] for other nodes.
    pub fn operator(&self, id: NodeId) -> TokenKind {
        self.nodes[id.index()].operator
    }

    /// The children of a node in source order.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        let node = &self.nodes[id.index()];
        Children { tree: self, next: if node.kind == NodeKind::Text { 0 } else { node.child } }
    }

    /// Walks over a node and all nodes below it. Each node is entered before its children and left after them. The walk
    /// is not recursive, so the depth of the tree does not matter.
    pub fn walk(&self, id: NodeId) -> Walk<'_> {
        Walk { tree: self, open: Vec::new(), next: Some(id) }
    }

    pub(crate) fn has(&self, id: NodeId, flag: u8) -> bool {
        self.nodes[id.index()].flags & flag != 0
    }

    pub(crate) fn span(&self, id: NodeId, tokens: &Tokens) -> Span {
        let node = &self.nodes[id.index()];
        let start = tokens.start(node.first_token);
        if node.flags & flag::EMPTY != 0 {
            return Span::empty(start);
        }
        Span::new(start, tokens.span(node.last_token).end.max(start))
    }

    /// The memory that the nodes use, in bytes.
    pub fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }
}

/// The children of a node in source order.
#[derive(Debug, Clone)]
pub struct Children<'t> {
    tree: &'t Tree,
    next: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        if self.next == 0 {
            return None;
        }
        let id = NodeId(self.next);
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
            children.next = 0;
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
