//! Conversion between the native syntax and the JSON syntax that keeps the meaning. Specification: "HCL JSON Syntax
//! Specification". This file has the options of the conversion to JSON; `convert/native.rs` has those of the conversion
//! to the native syntax.

mod body;
mod expression;
mod hcl1;
mod json;
mod native;
mod sink;
mod statics;
mod template;

use std::io;

use hclkit_dialect::Dialect;
use hclkit_syntax::{Diagnostics, Document, ast};

use sink::{Builder, Layout, Sink, Text};
use statics::Statics;

pub use hcl1::{FromHcl1, FromHcl1Result};
#[doc(hidden)]
#[cfg(feature = "functions")]
pub use hclkit_functions::{YamlTree, yaml_to_json_with_places};
#[cfg(feature = "functions")]
pub use hclkit_functions::{to_yaml, yaml_to_json};
pub use json::Json;
pub use native::ToNative;

/// Converts configurations to the JSON syntax.
///
/// A body becomes an object, and an attribute a property. A block becomes a property named after its type, with an object
/// for each label, and then its body. Nested blocks keep their order, if necessary in an array of such objects. Blocks at
/// the top level are grouped by their labels. The order of blocks of different types is lost, including that of `dynamic`
/// blocks and the blocks that they generate. Literals become JSON literals, templates become strings, and all other
/// expressions become `"${…}"` with their source text.
///
/// ```
/// use hclkit::convert::ToJson;
///
/// let document = hclkit::parse("service \"web\" {\n  port = 8000 + var.offset\n}\n");
/// let json = ToJson::new().convert(&document).unwrap();
/// assert_eq!(serde_json::to_string(&json)?, r#"{"service":{"web":[{"port":"${8000 + var.offset}"}]}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ToJson {
    shape: Shape,
    statics: Statics,
    ordered: Vec<String>,
}

/// The form of block bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Shape {
    /// Each body is in an array, even if there is only one.
    #[default]
    Arrays,
    /// Bodies are in an array only if several blocks have the same type and labels.
    Compact,
}

impl ToJson {
    /// The default: bodies are in arrays, and no attributes are static.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the form of block bodies.
    #[must_use]
    #[doc(hidden)]
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
        self.statics.extend(names);
        self
    }

    /// Sets whether all attributes are static, as in a file that sets variables.
    #[must_use]
    pub fn with_all_static(mut self, all: bool) -> Self {
        self.statics.all = all;
        self
    }

    /// Adds block types whose order matters to the application. If grouping by labels would change the order of such
    /// blocks, they are written as an array of objects. Nested blocks always keep their order.
    #[must_use]
    #[doc(hidden)]
    pub fn with_ordered(mut self, types: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.ordered.extend(types.into_iter().map(Into::into));
        self
    }

    /// Adds the static attributes of a language.
    #[must_use]
    pub fn with_dialect(self, dialect: &Dialect) -> Self {
        self.with_static(dialect.static_patterns())
    }

    /// Converts a configuration.
    ///
    /// # Errors
    /// The errors of the document itself, or everything in it that JSON cannot express.
    pub fn convert(&self, document: &Document) -> Result<Json, Diagnostics> {
        self.convert_merged(&[document])
    }

    /// Converts several files of one configuration as one body, in the order given.
    ///
    /// # Errors
    /// Same as [`convert`](Self::convert). Names of different files can clash too.
    pub fn convert_merged(&self, documents: &[&Document]) -> Result<Json, Diagnostics> {
        Ok(self.check(documents)?.to_json())
    }

    /// Checks that one or more files of a configuration can be converted, without converting them. The result can write
    /// the JSON to a writer without keeping it in memory.
    ///
    /// ```
    /// use hclkit::convert::ToJson;
    ///
    /// let document = hclkit::parse("ports = [80, 443]\n");
    /// let mut text = Vec::new();
    /// ToJson::new().check(&[&document])?.write(&mut text)?;
    /// assert_eq!(text, b"{\"ports\":[80,443]}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`convert_merged`](Self::convert_merged).
    #[doc(hidden)]
    pub fn check<'d>(&self, documents: &[&'d Document]) -> Result<Conversion<'_, 'd>, Diagnostics> {
        let mut problems = Diagnostics::new();
        for document in documents.iter().filter(|document| document.has_errors()) {
            problems.append(document.diagnostics().clone());
        }
        let bodies: Vec<_> = documents.iter().map(|document| document.body()).collect();
        if !problems.has_errors() {
            problems = body::check(&bodies);
        }
        if problems.has_errors() { Err(problems) } else { Ok(Conversion { converter: self, bodies }) }
    }

    /// Converts a body of a document. The values of its attributes come from a closure instead of their source, for
    /// example from evaluation.
    ///
    /// ```
    /// use hclkit::convert::{ToJson, Json};
    ///
    /// let document = hclkit::parse("service \"web\" {\n  port = 8000 + var.offset\n}\n");
    /// let mut values = |_: hclkit::ast::ExpressionNode<'_>| Json::Number("8080".to_owned());
    /// let json = ToJson::new().convert_with(&document, document.body(), &mut values).unwrap();
    /// assert_eq!(serde_json::to_string(&json)?, r#"{"service":{"web":[{"port":8080}]}}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`ToJson::convert`].
    #[doc(hidden)]
    pub fn convert_with<'d>(
        &self,
        document: &'d Document,
        body: ast::BodyNode<'d>,
        values: &mut dyn FnMut(ast::ExpressionNode<'d>) -> Json,
    ) -> Result<Json, Diagnostics> {
        if document.has_errors() {
            return Err(document.diagnostics().clone());
        }
        let problems = body::check(&[body]);
        if problems.has_errors() {
            return Err(problems);
        }
        let mut sink = Builder::default();
        let value = |sink: &mut Builder, expression, _: bool| {
            sink.push(values(expression));
            Ok(())
        };
        let Ok(()) = body::Writer { converter: self, sink: &mut sink, value, open: Vec::new(), top: None }
            .object(&[body], None);
        Ok(sink.finish())
    }

    /// Converts an expression like that of an attribute. Returns `None` if the JSON would be nested too deeply.
    #[doc(hidden)]
    pub fn convert_expression(&self, expression: ast::ExpressionNode<'_>) -> Option<Json> {
        if !expression::fits(expression, body::MAX_DEPTH) {
            return None;
        }
        let mut sink = Builder::default();
        let Ok(()) = expression::write(expression, self.statics.all, &mut sink);
        Some(sink.finish())
    }

    fn is_static(&self, top: Option<&str>, block: Option<&str>, name: &str) -> bool {
        self.statics.all || self.statics.contains(top, block, name)
    }
}

/// A conversion without errors; see [`ToJson::check`].
#[derive(Debug)]
pub struct Conversion<'c, 'd> {
    converter: &'c ToJson,
    bodies: Vec<ast::BodyNode<'d>>,
}

impl Conversion<'_, '_> {
    /// The JSON as a value.
    pub fn to_json(&self) -> Json {
        let mut sink = Builder::default();
        let Ok(()) = self.write_to(&mut sink);
        sink.finish()
    }

    /// Writes the JSON on one line.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        let mut sink = Text::new(out, Layout::Compact, 0, self.source_len());
        self.write_to(&mut sink)?;
        sink.finish()
    }

    /// Writes the JSON with each value on its own line. The writer receives whole characters.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_pretty(&self, out: impl io::Write) -> io::Result<()> {
        self.write_nested(out, 0)
    }

    /// The same, indented as if it were nested in this number of objects.
    #[doc(hidden)]
    pub fn write_nested(&self, out: impl io::Write, level: usize) -> io::Result<()> {
        let mut sink = Text::new(out, Layout::Pretty, level, 2 * self.source_len());
        self.write_to(&mut sink)?;
        sink.finish()
    }

    fn source_len(&self) -> usize {
        self.bodies.iter().map(|body| body.document().source().len() as usize).sum()
    }

    fn write_to<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let value = |sink: &mut S, node, is_static| expression::write(node, is_static, sink);
        body::Writer { converter: self.converter, sink, value, open: Vec::new(), top: None }
            .object(&self.bodies, None)
    }
}
