//! Paths that select parts of a document. `docs/paths.md` explains them.

mod predicate;
mod select;

use std::fmt;
use std::str::FromStr;

use hclkit_model::path::Path;
use hclkit_model::{Context, Expression, Partial, PartialOptions};
use hclkit_syntax::ast::ExpressionNode;
use hclkit_syntax::{Diagnostics, Document, NodeId, Span};

pub use hclkit_model::path::PathError;

/// A path, which selects attributes, blocks, labels, object items, elements, arguments and parts of templates.
///
/// ```
/// use hclkit_write::Selector;
///
/// let text = "resource \"aws_instance\" \"web\" {\n  tags = { Env = \"prod\" }\n}\n";
/// let document = hclkit_syntax::parse(text);
/// let path: Selector = "resource.aws_instance.web.tags.Env".parse()?;
/// let matches = path.select(&document).unwrap();
/// assert_eq!(matches.len(), 1);
/// assert_eq!(matches[0].text(), "\"prod\"");
///
/// let path: Selector = "resource.*.*[tags.Env == \"prod\"]".parse()?;
/// assert_eq!(path.select(&document).unwrap()[0].address(), "resource.aws_instance.web");
/// # Ok::<(), hclkit_write::PathError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Selector {
    path: Path,
}

impl Selector {
    /// The selector without its predicates, or `None` if it has none.
    #[doc(hidden)]
    pub fn without_predicates(&self) -> Option<Self> {
        Some(Self { path: self.path.without_predicates()? })
    }

    /// The selected parts of a document in source order, without duplicates.
    ///
    /// # Errors
    /// Same as [`Selector::select_with`]. No functions are defined.
    pub fn select<'d>(&self, document: &'d Document) -> Result<Vec<Match<'d>>, Diagnostics> {
        self.select_with(document, &Context::new())
    }

    /// The selected parts, with a context for predicates, which usually has functions.
    ///
    /// ```
    /// use hclkit_model::Context;
    /// use hclkit_write::Selector;
    /// let document = hclkit_syntax::parse("a {\n  b = 1\n}\n");
    /// let path: Selector = "a~[b > 0]".parse()?;
    /// assert_eq!(path.select_with(&document, &Context::new()).unwrap().len(), 1);
    /// let path: Selector = "a~[undefined(b)]".parse()?;
    /// assert!(path.select_with(&document, &Context::new()).is_err());
    /// # Ok::<(), hclkit_write::PathError>(())
    /// ```
    ///
    /// # Errors
    /// A predicate exceeds a limit, or calls a function that is undefined or not granted, or with another number of
    /// arguments. Other errors of a predicate mean that the part is not selected.
    pub fn select_with<'d>(
        &self,
        document: &'d Document,
        context: &Context,
    ) -> Result<Vec<Match<'d>>, Diagnostics> {
        select::select(document, self.path.steps(), context)
    }

    /// The parts that the path selects within the matches of another path.
    ///
    /// ```
    /// use hclkit_model::Context;
    /// use hclkit_write::Selector;
    /// let document = hclkit_syntax::parse("a {\n  b = 1\n}\nb = 2\n");
    /// let (block, name): (Selector, Selector) = ("a".parse()?, "b".parse()?);
    /// let block = &block.select(&document).unwrap()[0];
    /// assert_eq!(name.select_in(block, &Context::new()).unwrap()[0].address(), "a.b");
    /// # Ok::<(), hclkit_write::PathError>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Selector::select_with`].
    #[doc(hidden)]
    pub fn select_in<'d>(
        &self,
        within: &Match<'d>,
        context: &Context,
    ) -> Result<Vec<Match<'d>>, Diagnostics> {
        select::select_in(within, self.path.steps(), context)
    }

    /// Returns true if a name in the path contains a character that is typical of expressions, such as a space or `+`,
    /// so that an expression may be meant.
    #[doc(hidden)]
    pub fn may_be_expression(&self) -> bool {
        self.path.may_be_expression()
    }

    /// The path without its last step, and the name in that step: the place and the name of a new attribute or item.
    /// Returns `None` if the last step is not a plain name.
    ///
    /// ```
    /// use hclkit_write::Selector;
    /// let path: Selector = "service.web.tags.\"a.b\"".replace("\"a.b\"", "a\\.b").parse()?;
    /// let (parent, name) = path.split_last().unwrap();
    /// assert_eq!((parent.to_string().as_str(), name.as_str()), ("service.web.tags", "a.b"));
    /// # Ok::<(), hclkit_write::PathError>(())
    /// ```
    #[doc(hidden)]
    pub fn split_last(&self) -> Option<(Self, String)> {
        let (path, name) = self.path.split_last()?;
        Some((Self { path }, name.to_owned()))
    }

    /// The name in the first step of the path. `None` if it is not a plain name.
    #[doc(hidden)]
    pub fn first_name(&self) -> Option<&str> {
        self.path.first_name()
    }
}

/// Evaluates an expression whose variables are the contents of a file, as far as they are known without the variables
/// of the file's application. The variables are attributes and block types: objects by label, or tuples of blocks
/// without labels. Undefined names are null.
///
/// ```
/// use hclkit_model::{Context, Expression, Partial};
///
/// let document = hclkit_syntax::parse("service \"web\" {\n  port = 80\n  name = var.name\n}\n");
/// let expression = Expression::parse("service.web.port + 1")?;
/// let Ok(Partial::Value(port)) = hclkit_write::evaluate(&document, &expression, &Context::new()) else { panic!() };
/// assert_eq!(port.to_string(), "81");
/// # Ok::<(), hclkit_syntax::Diagnostics>(())
/// ```
///
/// # Errors
/// The evaluation fails regardless of the unknown values.
pub fn evaluate(
    document: &Document,
    expression: &Expression,
    context: &Context,
) -> Result<Partial, Diagnostics> {
    let context = predicate::with_variables(document, select::root(document), expression, context);
    PartialOptions::new().evaluate(expression, &context)
}

/// Evaluates an expression whose variables are the contents of several files, as [`evaluate`] does for one. Blocks of one
/// type are those of all files. If several files have an attribute, the first one counts.
///
/// ```
/// use hclkit_model::{Context, Expression, Partial};
///
/// let files = ["variable \"a\" {\n}\n", "variable \"b\" {\n}\n"].map(hclkit_syntax::parse);
/// let expression = Expression::parse("[for name, it in variable : name]")?;
/// let found = hclkit_write::evaluate_merged(&files.each_ref(), &expression, &Context::new());
/// let Ok(Partial::Value(names)) = found else { panic!() };
/// assert_eq!(names.to_string(), "[\"a\", \"b\"]");
/// # Ok::<(), hclkit_syntax::Diagnostics>(())
/// ```
///
/// # Errors
/// The evaluation fails regardless of the unknown values.
pub fn evaluate_merged(
    documents: &[&Document],
    expression: &Expression,
    context: &Context,
) -> Result<Partial, Diagnostics> {
    let context = predicate::with_merged_variables(documents, expression, context);
    PartialOptions::new().evaluate(expression, &context)
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)
    }
}

impl FromStr for Selector {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Ok(Self { path: text.parse()? })
    }
}

/// A part of a document that a path selects. [`Edits`](crate::Edits) change it.
#[derive(Debug, Clone)]
pub struct Match<'d> {
    document: &'d Document,
    node: NodeId,
    named: NodeId,
    address: String,
    /// For blocks: how many labels were matched.
    labels: usize,
    /// The node that contains it.
    parent: NodeId,
    /// The address without labels that were not matched.
    from: String,
}

impl<'d> Match<'d> {
    /// The document.
    pub fn document(&self) -> &'d Document {
        self.document
    }

    /// The node: a body, an attribute, a block, an object item, an expression or a part of a template.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// The node whose name the last step matched: a label, or the node itself.
    pub fn named(&self) -> NodeId {
        self.named
    }

    /// The node that contains it: a body, an object, a tuple, a call or a template.
    pub fn parent(&self) -> NodeId {
        self.parent
    }

    /// The path that selects only this part of the document. It has all labels, and an index after a block if several
    /// blocks have the same type and labels.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The span of the node in the source.
    pub fn span(&self) -> Span {
        self.document.span(self.node)
    }

    /// The source text of the expression, or of the node if it has none.
    pub fn text(&self) -> &'d str {
        self.expression().map_or_else(|| self.document.text(self.node), ExpressionNode::text)
    }

    /// The expression: the value of an attribute or an object item, an element, or an argument.
    pub fn expression(&self) -> Option<ExpressionNode<'d>> {
        select::expression_of(self.document, self.node).map(|id| self.document.expression_at(id))
    }
}

impl From<&Match<'_>> for NodeId {
    fn from(found: &Match<'_>) -> Self {
        found.node
    }
}
