//! Typed views of the syntax tree with the names of the grammar. A view is a document and the id of a node, and is
//! cheap to copy. Enums list every production, so that a `match` on them is exhaustive.

mod body;
mod expression;
mod template;
mod traversal;

pub use body::{AttributeNode, BlockNode, BodyNode, Item, LabelNode};
#[doc(hidden)]
pub use expression::Expressions;
pub use expression::{
    BinaryOperator, CallNode, ExpressionKind, ExpressionNode, ForNode, ObjectItemNode, ObjectKey,
    UnaryOperator,
};
#[doc(hidden)]
pub use template::Parts;
pub use template::{ForDirectiveNode, IfDirectiveNode, Part, TemplateKind, TemplateNode, TextNode};
#[doc(hidden)]
pub use traversal::{StepKind, StepNode, TraversalNode};

use crate::{Document, NodeId, Span};

/// An identifier in the source: the name of an attribute, a label or a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameNode<'d> {
    /// The identifier.
    pub text: &'d str,
    /// Its span.
    pub span: Span,
}

impl<'d> NameNode<'d> {
    fn at(document: &'d Document, token: u32) -> Self {
        let span = document.tokens().span(token);
        Self { text: document.source().slice(span), span }
    }
}

impl std::fmt::Display for NameNode<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text)
    }
}

/// The methods that all views share.
macro_rules! view {
    ($name:ident) => {
        #[doc(hidden)]
        impl From<$name<'_>> for crate::NodeId {
            fn from(node: $name<'_>) -> Self {
                node.id
            }
        }

        impl<'d> $name<'d> {
            pub(crate) fn new(document: &'d crate::Document, id: crate::NodeId) -> Self {
                Self { document, id }
            }

            /// The document that contains it.
            #[doc(hidden)]
            pub fn document(self) -> &'d crate::Document {
                self.document
            }

            /// The node in the document's tree.
            #[doc(hidden)]
            pub fn id(self) -> crate::NodeId {
                self.id
            }

            /// Its span.
            pub fn span(self) -> crate::Span {
                self.document.span(self.id)
            }

            /// Its source text.
            pub fn text(self) -> &'d str {
                self.document.text(self.id)
            }
        }

        /// Its span. The document is left out.
        #[doc(hidden)]
        impl std::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let crate::Span { start, end } = self.span();
                write!(f, "{}({start}..{end})", stringify!($name))
            }
        }
    };
}
use view;

/// The first and the last token of a node.
fn tokens_of(document: &Document, id: NodeId) -> (u32, u32) {
    document.tree().token_range(id)
}
