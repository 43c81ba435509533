//! Converts the native syntax to the JSON syntax without changing its meaning. Specification: "HCL JSON Syntax
//! Specification". This file contains the options; the conversion is in `convert/`.

mod application;
mod body;
mod expression;
mod json;
mod template;

use hclkit_syntax::{Diagnostics, Document, ast};

pub use application::Application;
pub use json::Json;

/// Converts configurations to the JSON syntax.
///
/// A body becomes an object, and an attribute a property. A block becomes a property named after its type, with an object
/// for each label, and then its body. Nested blocks keep their order, if necessary in an array of such objects. Blocks at
/// the top level are grouped by their labels. The order of blocks of different types is lost, including that of `dynamic`
/// blocks and the blocks that they generate. Literals become JSON literals, templates become strings, and all other
/// expressions become `"${…}"` with their source text.
///
/// ```
/// use hclkit::convert::Converter;
///
/// let document = hclkit::parse("service \"web\" {\n  port = 8000 + var.offset\n}\n");
/// let json = Converter::new().convert(&document).unwrap();
/// assert_eq!(serde_json::to_string(&json)?, r#"{"service":{"web":[{"port":"${8000 + var.offset}"}]}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Converter {
    shape: Shape,
    all_static: bool,
    statics: Vec<application::Pattern>,
    ordered: Vec<String>,
}

/// The form of block bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Shape {
    /// Each body is in an array, even if there is only one.
    #[default]
    Arrays,
    /// Bodies are in an array only if several blocks have the same type and labels.
    Compact,
}

impl Converter {
    /// The default: bodies are in arrays, and no attributes are static.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the form of block bodies.
    #[must_use]
    pub fn with_shape(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// Adds attributes that the application reads without evaluating them, such as the type of a Terraform variable.
    /// They keep their text: `type = list(string)` becomes `"list(string)"`, not `"${list(string)}"`.
    ///
    /// `name` matches all attributes of that name, `block.name` only those directly in blocks of that type, and `block.*`
    /// all attributes in such blocks.
    #[must_use]
    pub fn with_static(mut self, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.statics.extend(names.into_iter().map(|name| application::Pattern::new(name.as_ref())));
        self
    }

    /// Sets whether all attributes are static, as in a file that sets variables.
    #[must_use]
    pub fn with_all_static(mut self, all: bool) -> Self {
        self.all_static = all;
        self
    }

    /// Adds block types whose order matters to the application. If grouping by labels would change the order of such
    /// blocks, they are written as an array of objects. Nested blocks always keep their order.
    #[must_use]
    pub fn with_ordered(mut self, types: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.ordered.extend(types.into_iter().map(Into::into));
        self
    }

    /// Adds the static attributes and ordered blocks of an application.
    #[must_use]
    pub fn with_application(self, application: Application) -> Self {
        self.with_static(application.statics())
    }

    /// Converts a configuration.
    ///
    /// # Errors
    /// If the document has errors, or contains anything that JSON cannot express.
    pub fn convert(&self, document: &Document) -> Result<Json, Diagnostics> {
        self.convert_merged(&[document])
    }

    /// Converts a body of a document, with a function for the values of its attributes, for example to evaluate them.
    ///
    /// ```
    /// use hclkit::convert::{Converter, Json};
    ///
    /// let document = hclkit::parse("service \"web\" {\n  port = 8000 + var.offset\n}\n");
    /// let mut values = |_: hclkit::ast::ExpressionNode<'_>| Json::Number("8080".to_owned());
    /// let json = Converter::new().convert_with(&document, document.body(), &mut values).unwrap();
    /// assert_eq!(serde_json::to_string(&json)?, r#"{"service":{"web":[{"port":8080}]}}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Converter::convert`].
    pub fn convert_with<'d>(
        &self,
        document: &'d Document,
        body: ast::BodyNode<'d>,
        values: &mut dyn FnMut(ast::ExpressionNode<'d>) -> Json,
    ) -> Result<Json, Diagnostics> {
        if document.has_errors() {
            return Err(document.diagnostics().clone());
        }
        body::convert(self, &[(document.shared_source(), body)], Some(values))
    }

    /// Converts an expression like that of an attribute. `None` if the JSON would be nested too deep.
    pub fn convert_expression(&self, expression: ast::ExpressionNode<'_>) -> Option<Json> {
        expression::convert(expression, self.all_static, body::MAX_DEPTH)
    }

    /// Converts several files of one configuration to one body, in this order.
    ///
    /// # Errors
    /// As for [`convert`](Self::convert). Names in different files can also conflict.
    pub fn convert_merged(&self, documents: &[&Document]) -> Result<Json, Diagnostics> {
        let mut refused = Diagnostics::new();
        for document in documents.iter().filter(|document| document.has_errors()) {
            refused.append(document.diagnostics().clone());
        }
        if refused.has_errors() {
            return Err(refused);
        }
        let bodies: Vec<_> =
            documents.iter().map(|document| (document.shared_source(), document.body())).collect();
        body::convert(self, &bodies, None)
    }

    fn is_static(&self, block: Option<&str>, name: &str) -> bool {
        self.all_static || self.statics.iter().any(|pattern| pattern.matches(block, name))
    }
}
