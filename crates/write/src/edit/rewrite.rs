//! Edits of everything in a document that is of some kind.

use hclkit_model::Descend;
use hclkit_syntax::ast::{AttributeNode, BlockNode, ExpressionNode, ObjectItemNode};
use hclkit_syntax::{NodeId, Visit};

use super::{EditError, Edits};

/// Edits the attributes, blocks, object items and expressions of a document, each of which it receives in source order, outer
/// ones first. See [`Edits::rewrite_with`].
///
/// In the JSON syntax, attributes and blocks are items of objects. Which ones are blocks depends on the application.
///
/// ```
/// use hclkit_model::Descend;
/// use hclkit_syntax::ast::{AttributeNode, BlockNode, ExpressionKind, ExpressionNode};
/// use hclkit_write::{EditError, Edits, Rewriter, raw};
///
/// /// Renames a type of resources, and drops an argument that it no longer has.
/// struct Upgrade;
///
/// impl<'d> Rewriter<'d> for Upgrade {
///     fn block(&mut self, block: BlockNode<'d>, edits: &mut Edits<'d>) -> Result<Descend, EditError> {
///         let mut labels = block.labels();
///         if let Some(label) = labels.next().filter(|label| label.value() == "aws_old") {
///             edits.set(label, "aws_new")?;
///         }
///         Ok(Descend::Inside)
///     }
///
///     fn attribute(&mut self, attribute: AttributeNode<'d>, edits: &mut Edits<'d>) -> Result<Descend, EditError> {
///         if attribute.name() != "legacy" {
///             return Ok(Descend::Inside);
///         }
///         edits.remove(attribute)?;
///         Ok(Descend::Skip)
///     }
///
///     fn expression(&mut self, expression: ExpressionNode<'d>, edits: &mut Edits<'d>) -> Result<Descend, EditError> {
///         match expression.kind() {
///             ExpressionKind::Variable(name) if name.text == "aws_old" => {
///                 edits.set(expression, raw("aws_new"))?;
///                 Ok(Descend::Skip)
///             }
///             _ => Ok(Descend::Inside),
///         }
///     }
/// }
///
/// let source = "resource \"aws_old\" \"a\" {\n  legacy = true\n  next   = [aws_old.b.id]\n}\n";
/// let document = hclkit_syntax::parse(source);
/// let mut edits = Edits::new(&document);
/// edits.rewrite_with(&mut Upgrade)?;
/// let new = "resource \"aws_new\" \"a\" {\n  next = [aws_new.b.id]\n}\n";
/// assert_eq!(edits.apply()?.source().text(), new);
/// # Ok::<(), EditError>(())
/// ```
pub trait Rewriter<'d> {
    /// An attribute. Inside is its expression.
    ///
    /// # Errors
    /// Those of the edits, which end the visit. The same applies to the other methods.
    fn attribute(
        &mut self,
        attribute: AttributeNode<'d>,
        edits: &mut Edits<'d>,
    ) -> Result<Descend, EditError> {
        let _ = (attribute, edits);
        Ok(Descend::Inside)
    }

    /// A block. Inside is its body.
    #[expect(clippy::missing_errors_doc)]
    fn block(&mut self, block: BlockNode<'d>, edits: &mut Edits<'d>) -> Result<Descend, EditError> {
        let _ = (block, edits);
        Ok(Descend::Inside)
    }

    /// An item of an object. Inside are its key, if that is an expression, and its value.
    #[expect(clippy::missing_errors_doc)]
    fn item(&mut self, item: ObjectItemNode<'d>, edits: &mut Edits<'d>) -> Result<Descend, EditError> {
        let _ = (item, edits);
        Ok(Descend::Inside)
    }

    /// An expression. Inside are its parts. Keys of objects are visited if they are expressions, but not names; in the
    /// JSON syntax, all keys are names.
    #[expect(clippy::missing_errors_doc)]
    fn expression(
        &mut self,
        expression: ExpressionNode<'d>,
        edits: &mut Edits<'d>,
    ) -> Result<Descend, EditError> {
        let _ = (expression, edits);
        Ok(Descend::Inside)
    }
}

struct ByExpression<F>(F);

/// Edits expressions with a function.
pub(super) fn by<'d, F>(function: F) -> impl Rewriter<'d>
where
    F: FnMut(ExpressionNode<'d>, &mut Edits<'d>) -> Result<Descend, EditError>,
{
    ByExpression(function)
}

impl<'d, F> Rewriter<'d> for ByExpression<F>
where
    F: FnMut(ExpressionNode<'d>, &mut Edits<'d>) -> Result<Descend, EditError>,
{
    fn expression(
        &mut self,
        expression: ExpressionNode<'d>,
        edits: &mut Edits<'d>,
    ) -> Result<Descend, EditError> {
        (self.0)(expression, edits)
    }
}

impl<'d> Edits<'d> {
    /// Calls a rewriter for everything in the document, so that it can edit it. It sees the document as it was, without the
    /// edits that were made on the way. Visiting does not recurse, so nesting may be deep.
    ///
    /// # Errors
    /// The error of the rewriter that ended the visit.
    pub fn rewrite_with<R: Rewriter<'d>>(&mut self, rewriter: &mut R) -> Result<(), EditError> {
        let (document, tree) = (self.document, self.document.tree());
        let mut walk = tree.walk(NodeId::ROOT);
        while let Some(visit) = walk.next() {
            let Visit::Enter(node) = visit else { continue };
            let next = if let Some(attribute) = document.attribute_at(node) {
                rewriter.attribute(attribute, self)?
            } else if let Some(block) = document.block_at(node) {
                rewriter.block(block, self)?
            } else if let Some(item) = document.item_at(node) {
                rewriter.item(item, self)?
            } else if self.is_rewritten(node) {
                rewriter.expression(document.expression_at(node), self)?
            } else {
                Descend::Inside
            };
            if next == Descend::Skip {
                walk.skip_children();
            }
        }
        Ok(())
    }

    /// Whether a node is an expression of its own, and not a name or a part of another one.
    fn is_rewritten(&self, node: NodeId) -> bool {
        self.document.tree().kind(node).is_expression()
            && !self.is_label(node)
            && !self.is_json_key(node)
            && !self.is_of_element(node)
    }
}
