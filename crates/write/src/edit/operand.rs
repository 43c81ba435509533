//! Parentheses around an expression that replaces another one, where it would mean something else without them.
//! Specification: "Operations", and the keys of "Collection Values".

use hclkit_syntax::ast::{BinaryOperator, ExpressionKind, TemplateKind};
use hclkit_syntax::{Document, NodeId, NodeKind};

/// Returns true if an expression of the kind `new` needs parentheses in place of the child `node` of `parent`.
pub(super) fn needs_parens(document: &Document, parent: NodeId, node: NodeId, new: Operand) -> bool {
    let tree = document.tree();
    let is_first = tree.children(parent).next() == Some(node);
    match tree.kind(parent) {
        NodeKind::ObjectItem => is_first && !new.is_key,
        NodeKind::GetAttr
        | NodeKind::Index
        | NodeKind::LegacyIndex
        | NodeKind::AttrSplat
        | NodeKind::FullSplat => is_first && new.binds < Binds::Term,
        NodeKind::Unary => new.binds < Binds::Unary,
        NodeKind::Binary => {
            let own = Operand::of(document.expression_at(parent).kind()).binds;
            new.binds < own || new.binds == own && !is_first
        }
        NodeKind::Conditional => is_first && new.binds == Binds::Conditional,
        _ => false,
    }
}

/// What decides whether an expression needs parentheses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operand {
    binds: Binds,
    /// Whether it can be the key of an object as it is.
    is_key: bool,
}

/// How tightly the parts of an expression are bound. `Accessed` are numbers, which take a dot after them, and splats, which
/// apply an access after them to each element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    Conditional,
    Or,
    And,
    Equality,
    Comparison,
    Sum,
    Product,
    Unary,
    Accessed,
    Term,
}

impl Operand {
    pub(super) fn is_term(self) -> bool {
        self.binds == Binds::Term
    }

    pub(super) fn of(kind: ExpressionKind<'_>) -> Self {
        let is_key = match kind {
            ExpressionKind::Template(template) => template.template_kind() == TemplateKind::Quoted,
            ExpressionKind::Parens(_) => true,
            _ => false,
        };
        let binds = match kind {
            ExpressionKind::Conditional { .. } => Binds::Conditional,
            ExpressionKind::Unary { .. } => Binds::Unary,
            ExpressionKind::Number(_) | ExpressionKind::Splat { .. } => Binds::Accessed,
            ExpressionKind::Binary { operator, .. } => {
                use BinaryOperator as B;
                match operator {
                    B::Or => Binds::Or,
                    B::And => Binds::And,
                    B::Equal | B::NotEqual => Binds::Equality,
                    B::Less | B::LessOrEqual | B::Greater | B::GreaterOrEqual => Binds::Comparison,
                    B::Add | B::Subtract => Binds::Sum,
                    B::Multiply | B::Divide | B::Modulo => Binds::Product,
                }
            }
            _ => Binds::Term,
        };
        Self { binds, is_key }
    }
}
