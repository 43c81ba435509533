//! From the native syntax to the JSON syntax, the meaning kept. Specification: "HCL JSON Syntax Specification".
//! Here: what can be set and what can go wrong; the work is done in `convert/`.

mod body;
mod expression;
mod json;
mod profile;
mod template;

use std::borrow::Cow;

use hclkit_syntax::{Document, Severity, Span, ast};

use crate::render::{Place, Report};
pub use json::Json;
pub use profile::Profile;

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
    statics: Vec<profile::Pattern>,
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
        self.statics.extend(names.into_iter().map(|name| profile::Pattern::new(name.as_ref())));
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
    pub fn with_profile(self, profile: Profile) -> Self {
        self.with_static(profile.statics())
    }

    /// Converts a configuration.
    ///
    /// # Errors
    /// The document has errors of its own, or names that cannot stand beside each other in JSON.
    pub fn convert(&self, document: &Document) -> Result<Json, Vec<Problem>> {
        self.convert_merged(&[document])
    }

    /// Converts a body of a document, with values for its attributes that are made otherwise than from their source,
    /// such as by evaluation.
    ///
    /// ```
    /// use hclkit::convert::{Converter, Json};
    ///
    /// let document = hclkit::parse("service \"web\" {\n  port = 8000 + var.offset\n}\n");
    /// let mut values = |_: hclkit::ast::Expression<'_>| Json::Number("8080".to_owned());
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
        body: ast::Body<'d>,
        values: &mut dyn FnMut(ast::Expression<'d>) -> Json,
    ) -> Result<Json, Vec<Problem>> {
        if let Some(problem) = Problem::syntax(0, document) {
            return Err(vec![problem]);
        }
        body::convert(self, &[body], Some(values))
    }

    /// Converts an expression, as that of an attribute is; `None` where the JSON would be nested too deep.
    pub fn convert_expression(&self, expression: ast::Expression<'_>) -> Option<Json> {
        expression::convert(expression, self.all_static, body::MAX_DEPTH)
    }

    /// Converts several files of one configuration as one body, in the order given.
    ///
    /// # Errors
    /// As [`convert`](Self::convert); names of different files can clash too.
    pub fn convert_merged(&self, documents: &[&Document]) -> Result<Json, Vec<Problem>> {
        let refused: Vec<_> =
            (0..).zip(documents).filter_map(|(file, it)| Problem::syntax(file, it)).collect();
        if !refused.is_empty() {
            return Err(refused);
        }
        let bodies: Vec<ast::Body<'_>> = documents.iter().map(|document| document.body()).collect();
        body::convert(self, &bodies, None)
    }

    fn is_static(&self, block: Option<&str>, name: &str) -> bool {
        self.all_static || self.statics.iter().any(|pattern| pattern.matches(block, name))
    }
}

/// Which kind of problem it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The document has errors.
    Syntax,
    /// An attribute is set twice, or in two files.
    DuplicateAttribute,
    /// An attribute and a block have the same name.
    AttributeAndBlock,
    /// Blocks of one type have different numbers of labels.
    LabelCount,
    /// Nested so deep that readers of JSON give up.
    TooDeep,
}

/// Why a document cannot be converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which kind it is.
    pub kind: ProblemKind,
    /// Which of the documents it is in, from 0.
    pub document: usize,
    /// Where it is.
    pub span: Span,
    /// The explanation.
    pub detail: String,
    /// The document, place and role of what it clashes with.
    pub other: Option<(usize, Span, &'static str)>,
}

impl ProblemKind {
    /// Its stable text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::DuplicateAttribute => "duplicate-attribute",
            Self::AttributeAndBlock => "attribute-and-block",
            Self::LabelCount => "label-count",
            Self::TooDeep => "too-deep",
        }
    }

    /// The problem in a few words.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Syntax => "Invalid source file",
            Self::DuplicateAttribute => "Attribute redefined",
            Self::AttributeAndBlock => "Attribute and block with the same name",
            Self::LabelCount => "Inconsistent number of labels",
            Self::TooDeep => "Nesting too deep for JSON",
        }
    }
}

impl Problem {
    fn syntax(file: usize, document: &Document) -> Option<Self> {
        let error = document.diagnostics().iter().find(|diagnostic| diagnostic.is_error())?;
        Some(Self {
            kind: ProblemKind::Syntax,
            document: file,
            span: error.subject,
            detail: format!("{}. {}", error.summary(), error.detail),
            other: None,
        })
    }

    /// The problem as it can be rendered; `documents` are those that were converted.
    pub fn report<'a>(&'a self, documents: &[&'a Document]) -> Report<'a> {
        let source = |file: usize| documents[file].source();
        let other = self.other.map(|(file, span, message)| Place::new(source(file), span).saying(message));
        Report {
            severity: Severity::Error,
            code: Some(self.kind.as_str()),
            summary: Cow::Borrowed(self.kind.summary()),
            place: Place::new(source(self.document), self.span),
            related: Vec::from_iter(other),
            detail: Cow::Borrowed(&self.detail),
            evidence: &[],
            fix: None,
        }
    }
}
