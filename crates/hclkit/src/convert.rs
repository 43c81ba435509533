//! From the native syntax to the JSON syntax, the meaning kept. Specification: "HCL JSON Syntax Specification".
//! Here: what can be set and what can go wrong; the work is done in `convert/`.

mod application;
mod body;
mod expression;
mod json;
mod template;

use hclkit_syntax::{Diagnostics, Document, ast};

pub use application::Application;
pub use json::Json;

/// How to convert.
///
/// A body is an object. An attribute is a property with its value; a block is a property with its type for a name,
/// then an object for each label, then its body. Blocks inside a block keep their order, if need be by an array of such
/// objects; those of a whole configuration are put together by their labels. Blocks of different types have no order among
/// each other, and so neither have `dynamic` blocks and those of the type that they stand for. In values, literals become
/// JSON's own, templates become strings that are templates, and every other expression becomes `"${…}"` with its source
/// text.
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

/// How the bodies of blocks are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Shape {
    /// Each body lies in an array, also where there is one only.
    #[default]
    Arrays,
    /// A body lies in an array only where there are several of the same type and labels.
    Compact,
}

impl Converter {
    /// The usual way: bodies in arrays, nothing read statically.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how the bodies of blocks are written.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// Adds attributes that the application reads without evaluating them, such as the type of a Terraform variable.
    /// They keep their bare text: `type = list(string)` becomes `"list(string)"`, not `"${list(string)}"`.
    ///
    /// A name stands for all attributes of that name, `block.name` for those directly in blocks of that type, and
    /// `block.*` for all of those.
    #[must_use]
    pub fn with_static(mut self, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.statics.extend(names.into_iter().map(|name| application::Pattern::new(name.as_ref())));
        self
    }

    /// Sets whether all attributes are read without being evaluated, as in a file of nothing but values for variables.
    #[must_use]
    pub fn all_static(mut self, all: bool) -> Self {
        self.all_static = all;
        self
    }

    /// Adds types of blocks that the application takes in order whatever their labels. Where objects for each label
    /// would change the order of such blocks, an array of objects keeps it. Blocks inside others keep theirs anyway.
    #[must_use]
    pub fn with_ordered(mut self, types: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.ordered.extend(types.into_iter().map(Into::into));
        self
    }

    /// Adds what is known of an application's attributes.
    #[must_use]
    pub fn with_application(self, application: Application) -> Self {
        self.with_static(application.statics())
    }

    /// Converts a configuration.
    ///
    /// # Errors
    /// The errors of the document itself, or everything in it that JSON cannot express.
    pub fn convert(&self, document: &Document) -> Result<Json, Diagnostics> {
        self.convert_merged(&[document])
    }

    /// Converts a body of a document, with values for its attributes that are made otherwise than from their source,
    /// such as by evaluation.
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
    /// As [`Converter::convert`].
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

    /// Converts an expression, as that of an attribute is; `None` where the JSON would be nested too deep.
    pub fn convert_expression(&self, expression: ast::ExpressionNode<'_>) -> Option<Json> {
        expression::convert(expression, self.all_static, body::MAX_DEPTH)
    }

    /// Converts several files of one configuration as one body, in the order given.
    ///
    /// # Errors
    /// As [`convert`](Self::convert). Names of different files can clash too.
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
