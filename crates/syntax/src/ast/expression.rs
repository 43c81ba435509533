//! Expressions. Specification: "Expressions".

use std::borrow::Cow;

use super::{NameNode, TemplateNode, tokens_of, view};
use crate::hcl1;
use crate::text::{self, Reading};
use crate::token::TokenKind;
use crate::tree::{Children, Flags, NodeKind};
use crate::{Document, Hcl1Number, NodeId, Span, Syntax};

/// An expression.
#[derive(Clone, Copy)]
pub struct ExpressionNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(ExpressionNode);

/// The kind of an expression.
#[derive(Debug, Clone, Copy)]
pub enum ExpressionKind<'d> {
    /// A required expression is missing; the document has an error about it.
    Missing,
    /// A numeric literal as written.
    Number(&'d str),
    /// `true` or `false`.
    Bool(bool),
    /// `null`
    Null,
    /// A quoted template or a heredoc; string literals are templates too.
    Template(TemplateNode<'d>),
    /// A reference to a variable.
    Variable(NameNode<'d>),
    /// `object.name`, without a name if the source ends at the dot.
    GetAttr {
        /// The expression whose attribute is selected.
        object: ExpressionNode<'d>,
        /// The name of the attribute.
        name: Option<NameNode<'d>>,
    },
    /// `collection[key]`
    Index {
        /// The expression whose element is selected.
        collection: ExpressionNode<'d>,
        /// The key of the element.
        key: ExpressionNode<'d>,
    },
    /// `collection.0`
    LegacyIndex {
        /// The expression whose element is selected.
        collection: ExpressionNode<'d>,
        /// The number as written.
        key: NameNode<'d>,
    },
    /// `source.*…` or `source[*]…`
    Splat {
        /// Whether it is the full splat operator `[*]`.
        full: bool,
        /// The collection.
        source: ExpressionNode<'d>,
        /// The expression that is applied to each element. The element is its innermost `SplatItem`.
        each: ExpressionNode<'d>,
    },
    /// The element, in the expression that a splat applies to each.
    SplatItem,
    /// `name(arguments)`
    Call(CallNode<'d>),
    /// `[…]`: its [`elements`](ExpressionNode::elements).
    Tuple,
    /// `{…}`: its [`items`](ExpressionNode::items).
    Object,
    /// `[for …]` or `{for …}`
    For(ForNode<'d>),
    /// `condition ? result : other`
    Conditional {
        /// The predicate.
        condition: ExpressionNode<'d>,
        /// The result if the predicate is true.
        result: ExpressionNode<'d>,
        /// The result if it is false.
        other: ExpressionNode<'d>,
    },
    /// An operation with two operands.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The left operand.
        left: ExpressionNode<'d>,
        /// The right operand.
        right: ExpressionNode<'d>,
    },
    /// An operation with one operand.
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// The operand.
        operand: ExpressionNode<'d>,
    },
    /// `(expression)`
    Parens(ExpressionNode<'d>),
}

/// An operator with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

impl BinaryOperator {
    fn of(token: TokenKind) -> Self {
        match token {
            TokenKind::OrOr => Self::Or,
            TokenKind::AndAnd => Self::And,
            TokenKind::EqualEqual => Self::Equal,
            TokenKind::BangEqual => Self::NotEqual,
            TokenKind::Less => Self::Less,
            TokenKind::LessEqual => Self::LessOrEqual,
            TokenKind::Greater => Self::Greater,
            TokenKind::GreaterEqual => Self::GreaterOrEqual,
            TokenKind::Plus => Self::Add,
            TokenKind::Minus => Self::Subtract,
            TokenKind::Star => Self::Multiply,
            TokenKind::Slash => Self::Divide,
            _ => Self::Modulo,
        }
    }

    /// Its spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
        }
    }
}

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `!`
    Not,
}

impl UnaryOperator {
    /// Its spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Not => "!",
        }
    }
}

impl<'d> ExpressionNode<'d> {
    /// The child of a node at `index`. Returns the node itself if it has no such child, which no parsed document has.
    pub(crate) fn child(document: &'d Document, id: NodeId, index: usize) -> Self {
        Self { document, id: document.tree().children(id).nth(index).unwrap_or(id) }
    }

    /// Its kind, with its parts.
    pub fn kind(self) -> ExpressionKind<'d> {
        use ExpressionKind as E;
        let Self { document, id } = self;
        let child = |index| Self::child(document, id, index);
        match document.tree().kind(id) {
            NodeKind::Number => E::Number(self.text()),
            NodeKind::True => E::Bool(true),
            NodeKind::False => E::Bool(false),
            NodeKind::Null => E::Null,
            NodeKind::String | NodeKind::QuotedTemplate | NodeKind::Heredoc | NodeKind::BareTemplate => {
                E::Template(TemplateNode::new(document, id))
            }
            NodeKind::Variable | NodeKind::Name => {
                E::Variable(NameNode::at(document, tokens_of(document, id).0))
            }
            NodeKind::GetAttr => {
                let name = tokens_of(document, id).1;
                let found = document.tokens().kind(name) == TokenKind::Identifier;
                E::GetAttr { object: child(0), name: found.then(|| NameNode::at(document, name)) }
            }
            NodeKind::Index => E::Index { collection: child(0), key: child(1) },
            NodeKind::LegacyIndex => E::LegacyIndex {
                collection: child(0),
                key: NameNode::at(document, tokens_of(document, id).1),
            },
            NodeKind::AttrSplat => E::Splat { full: false, source: child(0), each: child(1) },
            NodeKind::FullSplat => E::Splat { full: true, source: child(0), each: child(1) },
            NodeKind::SplatItem => E::SplatItem,
            NodeKind::Call => E::Call(CallNode::new(document, id)),
            NodeKind::Tuple => E::Tuple,
            NodeKind::Object => E::Object,
            NodeKind::ForTuple | NodeKind::ForObject => E::For(ForNode::new(document, id)),
            NodeKind::Conditional => {
                E::Conditional { condition: child(0), result: child(1), other: child(2) }
            }
            NodeKind::Binary => E::Binary {
                operator: BinaryOperator::of(document.tree().operator(id)),
                left: child(0),
                right: child(1),
            },
            NodeKind::Unary => E::Unary {
                operator: match document.tree().operator(id) {
                    TokenKind::Minus => UnaryOperator::Negate,
                    _ => UnaryOperator::Not,
                },
                operand: child(0),
            },
            NodeKind::Parens => E::Parens(child(0)),
            _ => E::Missing,
        }
    }

    /// The text of a number as the native syntax writes it: one of HCL 1 can be octal or hexadecimal. `None` for other
    /// expressions, and for numbers with errors.
    #[doc(hidden)]
    pub fn number_text(self) -> Option<Cow<'d, str>> {
        let ExpressionKind::Number(text) = self.kind() else { return None };
        if self.document.syntax() != Syntax::Hcl1 {
            return Some(Cow::Borrowed(text));
        }
        Hcl1Number::read(text).map(|number| Cow::Owned(number.to_string()))
    }

    /// The elements of a tuple or the arguments of a call. Empty for other expressions.
    pub fn elements(self) -> Expressions<'d> {
        let tree = self.document.tree();
        let parent = match tree.kind(self.id) {
            NodeKind::Tuple | NodeKind::Call => Some(self.id),
            _ => None,
        };
        Expressions { document: self.document, ids: parent.map(|id| tree.children(id)) }
    }

    /// The items of an object. Empty for other expressions.
    pub fn items(self) -> impl Iterator<Item = ObjectItemNode<'d>> + use<'d> {
        let Self { document, id } = self;
        let object = document.tree().kind(id) == NodeKind::Object;
        document.tree().children(id).filter(move |_| object).map(move |id| ObjectItemNode::new(document, id))
    }

    /// The span of the last step, with its dot or brackets, for a `GetAttr`, an index or a splat; otherwise the whole span.
    #[doc(hidden)]
    pub fn step_span(self) -> Span {
        let Self { document, id } = self;
        let tree = document.tree();
        let object = match tree.kind(id) {
            NodeKind::GetAttr
            | NodeKind::Index
            | NodeKind::LegacyIndex
            | NodeKind::AttrSplat
            | NodeKind::FullSplat => tree.children(id).next(),
            _ => None,
        };
        let Some(object) = object else { return self.span() };
        let first = document.tokens().significant_from(tree.token_range(object).1 + 1);
        Span::new(document.tokens().start(first), self.span().end)
    }

    /// The span of the operator `.*` or `[*]` of a splat, without what follows; otherwise the whole span.
    #[doc(hidden)]
    pub fn operator_span(self) -> Span {
        let ExpressionKind::Splat { full, .. } = self.kind() else { return self.span() };
        let step = self.step_span();
        let tokens = self.document.tokens();
        let star = tokens.significant_from(tokens.at(step.start) + 1);
        let last = if full { tokens.significant_from(star + 1) } else { star };
        Span::new(step.start, tokens.span(last).end.min(step.end))
    }

    /// The same expression without the parentheses around it.
    #[must_use]
    pub fn without_parens(self) -> Self {
        let mut expression = self;
        while let ExpressionKind::Parens(inner) = expression.kind() {
            expression = inner;
        }
        expression
    }
}

/// Expressions in source order.
#[derive(Debug, Clone)]
pub struct Expressions<'d> {
    document: &'d Document,
    ids: Option<Children<'d>>,
}

impl<'d> Iterator for Expressions<'d> {
    type Item = ExpressionNode<'d>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.ids.as_mut()?.next()?;
        Some(ExpressionNode { document: self.document, id })
    }
}

/// A function call.
#[derive(Clone, Copy)]
pub struct CallNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(CallNode);

impl<'d> CallNode<'d> {
    /// The name, with `::` between the parts of a namespaced name.
    pub fn name(self) -> Cow<'d, str> {
        let (first, end) = self.name_tokens();
        if end == first + 1 {
            return Cow::Borrowed(NameNode::at(self.document, first).text);
        }
        let tokens = (first..end).filter(|&token| !self.document.tokens().kind(token).is_trivia());
        Cow::Owned(tokens.map(|token| NameNode::at(self.document, token).text).collect())
    }

    /// The span of the name.
    #[doc(hidden)]
    pub fn name_span(self) -> Span {
        let (first, end) = self.name_tokens();
        let tokens = self.document.tokens();
        let last = tokens.significant_before(end).unwrap_or(first);
        tokens.span(first).cover(tokens.span(last))
    }

    /// The span of the opening parenthesis.
    #[doc(hidden)]
    pub fn open_span(self) -> Span {
        let (_, end) = self.name_tokens();
        self.document.tokens().span(end.min(tokens_of(self.document, self.id).1))
    }

    /// The arguments in order.
    pub fn arguments(self) -> Expressions<'d> {
        ExpressionNode { document: self.document, id: self.id }.elements()
    }

    /// Returns true if the last argument is expanded (`...`): its elements are the last arguments.
    #[doc(hidden)]
    pub fn expands_last(self) -> bool {
        self.document.tree().has(self.id, Flags::ELLIPSIS)
    }

    /// The tokens from the name up to the parenthesis.
    fn name_tokens(self) -> (u32, u32) {
        let (first, last) = tokens_of(self.document, self.id);
        let tokens = self.document.tokens();
        let end = (first + 1..=last)
            .find(|&token| matches!(tokens.kind(token), TokenKind::OpenParen | TokenKind::Wrong));
        (first, end.unwrap_or(last + 1))
    }
}

/// An item of an object.
#[derive(Clone, Copy)]
pub struct ObjectItemNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(ObjectItemNode);

/// The key of an object's item.
#[derive(Debug, Clone, Copy)]
pub enum ObjectKey<'d> {
    /// A plain identifier, which is the key itself.
    Name(NameNode<'d>),
    /// Any other expression. Variables must be in parentheses.
    Expression(ExpressionNode<'d>),
}

impl<'d> ObjectItemNode<'d> {
    /// The key.
    pub fn key(self) -> ObjectKey<'d> {
        let key = ExpressionNode::child(self.document, self.id, 0);
        if self.document.tree().kind(key.id) == NodeKind::Name {
            return ObjectKey::Name(NameNode::at(self.document, tokens_of(self.document, key.id).0));
        }
        ObjectKey::Expression(key)
    }

    /// The node of the key.
    #[doc(hidden)]
    pub fn key_id(self) -> NodeId {
        ExpressionNode::child(self.document, self.id, 0).id
    }

    /// The span of the key.
    #[doc(hidden)]
    pub fn key_span(self) -> Span {
        ExpressionNode::child(self.document, self.id, 0).span()
    }

    /// The value.
    pub fn value(self) -> ExpressionNode<'d> {
        ExpressionNode::child(self.document, self.id, 1)
    }
}

/// A `for` expression.
#[derive(Clone, Copy)]
pub struct ForNode<'d> {
    document: &'d Document,
    id: NodeId,
}

view!(ForNode);

impl<'d> ForNode<'d> {
    /// Returns true if the result is an object; otherwise it is a tuple.
    pub fn makes_object(self) -> bool {
        self.document.tree().kind(self.id) == NodeKind::ForObject
    }

    /// The variable for each key or index.
    pub fn key_variable(self) -> Option<NameNode<'d>> {
        self.has(Flags::KEY_VARIABLE).then(|| self.name(0))
    }

    /// The variable for each value. Empty if an error left none.
    pub fn value_variable(self) -> NameNode<'d> {
        self.name(self.collection_index() - 1)
    }

    /// The collection.
    pub fn collection(self) -> ExpressionNode<'d> {
        self.child(self.collection_index())
    }

    /// The key of each result. A tuple has one only if the source has an error.
    pub fn key(self) -> Option<ExpressionNode<'d>> {
        self.has(Flags::KEY).then(|| self.child(self.collection_index() + 1))
    }

    /// The value of each result.
    pub fn value(self) -> ExpressionNode<'d> {
        self.child(self.collection_index() + 1 + usize::from(self.has(Flags::KEY)))
    }

    /// The condition after `if`.
    pub fn condition(self) -> Option<ExpressionNode<'d>> {
        let index = self.collection_index() + 2 + usize::from(self.has(Flags::KEY));
        self.has(Flags::CONDITION).then(|| self.child(index))
    }

    /// Returns true if results with the same key are grouped into a tuple (`...`).
    pub fn groups(self) -> bool {
        self.has(Flags::ELLIPSIS)
    }

    fn collection_index(self) -> usize {
        1 + usize::from(self.has(Flags::KEY_VARIABLE))
    }

    fn has(self, flag: Flags) -> bool {
        self.document.tree().has(self.id, flag)
    }

    fn child(self, index: usize) -> ExpressionNode<'d> {
        ExpressionNode::child(self.document, self.id, index)
    }

    fn name(self, index: usize) -> NameNode<'d> {
        let name = self.child(index);
        NameNode { text: name.text(), span: name.span() }
    }
}

/// The contents of a `String` node, with escape sequences resolved. In HCL 1, also of a `Heredoc` node.
pub(crate) fn string_text(document: &Document, id: NodeId) -> Cow<'_, str> {
    if document.syntax() == Syntax::Hcl1 {
        return match document.tree().kind(id) {
            NodeKind::Heredoc => hcl1::heredoc_text(document.text(id)),
            _ => hcl1::quoted_text(text::unquote(document.text(id))),
        };
    }
    text::read(text::unquote(document.text(id)), Reading { escapes: true, ..Reading::default() })
}
