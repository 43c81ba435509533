//! Visitors for bodies and expressions of both syntaxes.

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
/// recurse, so nesting may be deep. The first error ends the visit.
///
/// ```
/// use std::convert::Infallible;
/// use hclkit_model::{Body, Descend, Expression, Visitor};
/// use hclkit_syntax::Source;
///
/// #[derive(Default)]
/// struct Calls(Vec<String>);
///
/// impl Visitor for Calls {
///     type Error = Infallible;
///
///     fn expression(&mut self, expression: &Expression) -> Result<Descend, Infallible> {
///         if let Ok(call) = expression.static_call() {
///             self.0.push(call.name);
///         }
///         Ok(Descend::Inside)
///     }
/// }
///
/// let native = Source::new("main.hcl", "a {\n  b = [\"x-${upper(lower(c))}\"]\n}\n");
/// let json = Source::new("main.hcl.json", r#"{"a": {"b": ["x-${upper(lower(c))}"]}}"#);
/// for source in [native, json] {
///     let (body, _) = Body::parse(source);
///     let mut calls = Calls::default();
///     let Ok(()) = body.visit(&mut calls);
///     assert_eq!(calls.0, ["upper", "lower"]);
/// }
/// ```
pub trait Visitor {
    /// What ends the visit before its end: [`Infallible`](std::convert::Infallible) if nothing does. It need not be a
    /// failure: a visitor that looks for one thing returns it as the error.
    type Error;

    /// How the properties of a body in the JSON syntax are read: see [`Body::items_by`]. `block` is the block whose body
    /// it is, or nothing for the outermost body.
    fn schema(&mut self, block: Option<&Block>) -> Schema {
        let _ = block;
        Schema::new()
    }

    /// An attribute. Inside is its expression.
    ///
    /// # Errors
    /// Those of the visitor, which end the visit. The same applies to the other methods.
    fn attribute(&mut self, attribute: &Attribute) -> Result<Descend, Self::Error> {
        let _ = attribute;
        Ok(Descend::Inside)
    }

    /// A block. Inside is its body.
    #[expect(clippy::missing_errors_doc)]
    fn block(&mut self, block: &Block) -> Result<Descend, Self::Error> {
        let _ = block;
        Ok(Descend::Inside)
    }

    /// The end of a block, after what is inside.
    #[expect(clippy::missing_errors_doc)]
    fn leave_block(&mut self, block: &Block) -> Result<(), Self::Error> {
        let _ = block;
        Ok(())
    }

    /// An expression. Inside are its [parts](Expression::parts).
    #[expect(clippy::missing_errors_doc)]
    fn expression(&mut self, expression: &Expression) -> Result<Descend, Self::Error> {
        let _ = expression;
        Ok(Descend::Inside)
    }

    /// The key of an item in an object, if it is an expression: `"${a}"` or `(a)`, but not the name `a`. Unless this method
    /// is implemented, keys are visited as any other [expression](Self::expression).
    #[expect(clippy::missing_errors_doc)]
    fn object_key(&mut self, key: &Expression) -> Result<Descend, Self::Error> {
        self.expression(key)
    }
}

enum Task {
    Item(BodyItem),
    Leave(Block),
    Expression(Expression),
    Key(Expression),
}

impl Task {
    fn of((expression, is_key): (Expression, bool)) -> Self {
        if is_key { Self::Key(expression) } else { Self::Expression(expression) }
    }
}

impl Body {
    /// Calls a visitor for everything in the body.
    ///
    /// # Errors
    /// The error of the visitor that ended the visit.
    pub fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<(), V::Error> {
        let schema = visitor.schema(None);
        run(self.items_by(&schema).into_iter().rev().map(Task::Item).collect(), visitor)
    }
}

impl Expression {
    /// Calls a visitor for the expression and everything in it.
    ///
    /// # Errors
    /// The error of the visitor that ended the visit.
    pub fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<(), V::Error> {
        run(vec![Task::Expression(self.clone())], visitor)
    }
}

/// Runs tasks, the last one first.
fn run<V: Visitor>(mut tasks: Vec<Task>, visitor: &mut V) -> Result<(), V::Error> {
    while let Some(task) = tasks.pop() {
        match task {
            Task::Item(BodyItem::Attribute(attribute)) => {
                if visitor.attribute(&attribute)? == Descend::Inside {
                    tasks.push(Task::Expression(attribute.expression));
                }
            }
            Task::Item(BodyItem::Block(block)) => {
                let items = match visitor.block(&block)? {
                    Descend::Inside => {
                        let schema = visitor.schema(Some(&block));
                        block.body.items_by(&schema)
                    }
                    Descend::Skip => Vec::new(),
                };
                tasks.push(Task::Leave(block));
                tasks.extend(items.into_iter().rev().map(Task::Item));
            }
            Task::Leave(block) => visitor.leave_block(&block)?,
            Task::Expression(expression) => {
                if visitor.expression(&expression)? == Descend::Inside {
                    tasks.extend(expression.keyed_parts().into_iter().rev().map(Task::of));
                }
            }
            Task::Key(key) => {
                if visitor.object_key(&key)? == Descend::Inside {
                    tasks.extend(key.keyed_parts().into_iter().rev().map(Task::of));
                }
            }
        }
    }
    Ok(())
}
