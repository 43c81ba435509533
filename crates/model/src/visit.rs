//! Visitors for bodies and expressions of both syntaxes.

use hclkit_syntax::NodeKind;

use crate::{Attribute, Block, Body, BodyItem, Expression, Schema};

/// Whether to visit the inside of an item or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descend {
    /// Visit the inside.
    Inside,
    /// Continue after it.
    Skip,
}

/// Receives every item and expression of a body or an expression, in source order, outer ones first. Visiting does not
/// recurse, so nesting may be deep.
///
/// ```
/// use hclkit_model::{Body, Descend, Expression, Visitor};
/// use hclkit_syntax::Source;
///
/// #[derive(Default)]
/// struct Calls(Vec<String>);
///
/// impl Visitor for Calls {
///     fn expression(&mut self, expression: &Expression) -> Descend {
///         if let Ok(call) = expression.static_call() {
///             self.0.push(call.name);
///         }
///         Descend::Inside
///     }
/// }
///
/// let native = Source::new("main.hcl", "a {\n  b = [\"x-${upper(lower(c))}\"]\n}\n");
/// let json = Source::new("main.hcl.json", r#"{"a": {"b": ["x-${upper(lower(c))}"]}}"#);
/// for source in [native, json] {
///     let (body, _) = Body::parse(source);
///     let mut calls = Calls::default();
///     body.visit(&mut calls);
///     assert_eq!(calls.0, ["upper", "lower"]);
/// }
/// ```
pub trait Visitor {
    /// How the properties of a body in the JSON syntax are read: see [`Body::items_by`]. `block` is the block whose body
    /// it is, or nothing for the outermost body.
    fn schema(&mut self, block: Option<&Block>) -> Schema {
        let _ = block;
        Schema::new()
    }

    /// An attribute. Inside is its expression.
    fn attribute(&mut self, attribute: &Attribute) -> Descend {
        let _ = attribute;
        Descend::Inside
    }

    /// A block. Inside is its body.
    fn block(&mut self, block: &Block) -> Descend {
        let _ = block;
        Descend::Inside
    }

    /// The end of a block, after what is inside.
    fn leave_block(&mut self, block: &Block) {
        let _ = block;
    }

    /// An expression. Inside are its [parts](Expression::parts).
    fn expression(&mut self, expression: &Expression) -> Descend {
        let _ = expression;
        Descend::Inside
    }
}

enum Task {
    Item(BodyItem),
    Leave(Block),
    Expression(Expression),
}

impl Body {
    /// Calls a visitor for everything in the body.
    pub fn visit(&self, visitor: &mut impl Visitor) {
        let schema = visitor.schema(None);
        run(self.items_by(&schema).into_iter().rev().map(Task::Item).collect(), visitor);
    }
}

impl Expression {
    /// Calls a visitor for the expression and everything in it.
    pub fn visit(&self, visitor: &mut impl Visitor) {
        run(vec![Task::Expression(self.clone())], visitor);
    }
}

/// Runs tasks, the last one first.
fn run(mut tasks: Vec<Task>, visitor: &mut impl Visitor) {
    while let Some(task) = tasks.pop() {
        match task {
            Task::Item(BodyItem::Attribute(attribute)) => {
                if visitor.attribute(&attribute) == Descend::Inside {
                    tasks.push(Task::Expression(attribute.expression));
                }
            }
            Task::Item(BodyItem::Block(block)) => {
                let items = match visitor.block(&block) {
                    Descend::Inside => {
                        let schema = visitor.schema(Some(&block));
                        block.body.items_by(&schema)
                    }
                    Descend::Skip => Vec::new(),
                };
                tasks.push(Task::Leave(block));
                tasks.extend(items.into_iter().rev().map(Task::Item));
            }
            Task::Leave(block) => visitor.leave_block(&block),
            Task::Expression(expression) => {
                if visitor.expression(&expression) == Descend::Inside {
                    tasks.extend(expression.parts().into_iter().rev().map(Task::Expression));
                }
            }
        }
    }
}

/// Returns true if a node is an expression of its own. The element of a splat is not, because it has no text.
pub(crate) fn is_expression(kind: NodeKind) -> bool {
    use NodeKind as K;
    matches!(
        kind,
        K::Number
            | K::True
            | K::False
            | K::Null
            | K::String
            | K::QuotedTemplate
            | K::Heredoc
            | K::Variable
            | K::GetAttr
            | K::Index
            | K::LegacyIndex
            | K::AttrSplat
            | K::FullSplat
            | K::Call
            | K::Tuple
            | K::Object
            | K::ForTuple
            | K::ForObject
            | K::Conditional
            | K::Binary
            | K::Unary
            | K::Parens
    )
}
