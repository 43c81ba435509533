//! From the JSON syntax to the native syntax. Specification: "HCL JSON Syntax Specification". This file has the
//! options. Bodies are converted in `native/body.rs`, values in `native/value.rs`.

mod body;
mod known;
mod value;

use std::borrow::Cow;
use std::sync::Arc;

use hclkit_dialect::Dialect;
use hclkit_model::Spec;
use hclkit_syntax::Diagnostics;
use hclkit_syntax::json::JsonDocument;
use hclkit_write::NewBody;

use super::statics::{Pattern, Statics};
use known::BodyKnowledge;

/// Converts the JSON syntax to the native syntax.
///
/// JSON does not distinguish attributes from blocks. One of these decides which properties are blocks:
///
/// - With a [spec](Self::with_spec), the result decodes to the same value. Properties that the spec does not accept are
///   errors.
/// - With a [language](Self::with_dialect), hclkit knows the blocks that the language defines, and their labels. For blocks of providers and plugins, the next rule applies.
/// - Otherwise an array of one or more objects is a block for each of them, an object in which all values are such
///   arrays, or such objects, is a level of labels, and everything else is an attribute. [`with_blocks`](Self::with_blocks)
///   and [`with_attributes`](Self::with_attributes) name exceptions. What [`ToJson`](super::ToJson) writes with
///   [`Shape::Arrays`](super::Shape::Arrays) is read as it was.
///
/// Strings are templates: `"${x}"` becomes `x`, other strings with sequences become quoted templates or heredocs. The
/// properties named `//` of bodies become comments.
///
/// ```
/// use hclkit::convert::ToNative;
/// use hclkit::syntax::json;
///
/// let document = json::parse(r#"{"//": "The shop.", "service": {"web": [{"port": "${var.port}", "tags": {"a": "b"}}]}}"#);
/// assert_eq!(
///     ToNative::new().convert(&document)?,
///     "# The shop.\nservice \"web\" {\n  port = var.port\n  tags = { a = \"b\" }\n}\n",
/// );
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ToNative {
    spec: Option<Spec>,
    dynamic: bool,
    dialect: Option<Arc<Dialect>>,
    statics: Statics,
    literal: bool,
    /// Blocks with their number of labels.
    blocks: Vec<(Pattern, usize)>,
    attributes: Vec<Pattern>,
}

impl ToNative {
    /// Blocks are recognized by the shape of their values, and strings are templates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the spec that defines which properties are blocks, so that nothing is guessed.
    #[must_use]
    pub fn with_spec(mut self, spec: Spec) -> Self {
        self.spec = Some(spec);
        self
    }

    /// Sets whether the application expands `dynamic` blocks, which a spec does not list.
    #[must_use]
    pub fn with_dynamic(mut self, dynamic: bool) -> Self {
        self.dynamic = dynamic;
        self
    }

    /// Sets the language of the configuration: its blocks, and its attributes that are references, types or keywords and
    /// not strings.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Arc<Dialect>) -> Self {
        self.statics.extend(dialect.static_patterns());
        self.dialect = Some(dialect);
        self
    }

    /// Adds types of blocks with the number of their labels, such as `("listen", 0)`. `block.name` matches those
    /// directly in blocks of that type.
    #[must_use]
    pub fn with_blocks<N: AsRef<str>>(mut self, blocks: impl IntoIterator<Item = (N, usize)>) -> Self {
        let blocks = blocks.into_iter().map(|(name, labels)| (Pattern::new(name.as_ref()), labels));
        self.blocks.extend(blocks);
        self
    }

    /// Adds names that are always attributes; see [`ToJson::with_static`](super::ToJson::with_static) for patterns.
    #[must_use]
    pub fn with_attributes(mut self, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.attributes.extend(names.into_iter().map(|name| Pattern::new(name.as_ref())));
        self
    }

    /// Adds attributes whose strings are source text of expressions, such as the type of a Terraform variable:
    /// `"list(string)"` becomes `list(string)`.
    #[must_use]
    pub fn with_static(mut self, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.statics.extend(names);
        self
    }

    /// Sets whether all properties are attributes with literal values, as in a file of values for variables.
    #[must_use]
    pub fn with_all_static(mut self, all: bool) -> Self {
        self.statics.all = all;
        self
    }

    /// Sets whether strings are plain text instead of templates, as in JSON that is not a configuration.
    #[must_use]
    pub fn with_literal_strings(mut self, literal: bool) -> Self {
        self.literal = literal;
        self
    }

    /// Converts a document to formatted source text.
    ///
    /// # Errors
    /// The errors of the document, properties that the spec does not accept, and everything that the native syntax cannot
    /// express, such as attributes whose names are not identifiers.
    pub fn convert(&self, document: &JsonDocument) -> Result<String, Diagnostics> {
        self.convert_merged(std::slice::from_ref(document))
    }

    /// Converts several documents of one configuration, one after the other.
    ///
    /// # Errors
    /// Same as [`convert`](Self::convert). An attribute of one document can also be set in another one.
    #[doc(hidden)]
    pub fn convert_merged(&self, documents: &[JsonDocument]) -> Result<String, Diagnostics> {
        let mut work = body::Work::new(self);
        let mut whole = NewBody::new();
        for document in documents {
            if document.has_errors() {
                work.problems.append(document.diagnostics().clone());
                continue;
            }
            whole = work.body(document.root(), &self.root(), whole);
        }
        work.finish(&whole)
    }

    /// What is known about the body of a file.
    fn root(&self) -> BodyKnowledge<'_> {
        match (&self.spec, &self.dialect) {
            (Some(spec), _) => BodyKnowledge::Spec(Cow::Borrowed(spec)),
            _ if self.statics.all => BodyKnowledge::Attributes,
            (None, Some(dialect)) => BodyKnowledge::Dialect(dialect, None),
            (None, None) => BodyKnowledge::Nothing,
        }
    }
}
