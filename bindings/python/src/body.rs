//! Bodies, blocks and attributes, of both syntaxes.

use hclkit::Span;
use hclkit::model::{self, BodyItem};
use hclkit::syntax::json::JsonKind;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};

use crate::comments;
use crate::document::Parsed;
use crate::expression::Expression;
use crate::place::Range;

/// The attributes and blocks of a file or a block.
#[pyclass(frozen, module = "hclkit")]
#[derive(Clone)]
pub(crate) struct Body {
    body: hclkit::Body,
    document: Parsed,
}

impl Body {
    pub(crate) fn new(body: hclkit::Body, document: Parsed) -> Self {
        Self { body, document }
    }

    fn item<'py>(&self, py: Python<'py>, item: BodyItem) -> PyResult<Bound<'py, PyAny>> {
        let document = self.document.clone();
        match item {
            BodyItem::Attribute(attribute) => Attribute { attribute, document }.into_bound_py_any(py),
            BodyItem::Block(block) => Block { block, document }.into_bound_py_any(py),
        }
    }
}

#[pymethods]
impl Body {
    /// All attributes and blocks, in source order.
    #[getter]
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let items = self.body.items().into_iter().map(|item| self.item(py, item));
        PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)
    }

    /// The attributes by name.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = PyDict::new(py);
        for item in self.body.items() {
            if let BodyItem::Attribute(attribute) = item {
                let name = attribute.name.as_str().to_owned();
                attributes.set_item(name, Attribute { attribute, document: self.document.clone() })?;
            }
        }
        Ok(attributes)
    }

    /// The blocks, of one type if there is one. With labels, those with as many; `"*"` matches every label.
    #[pyo3(signature = (r#type=None, *labels))]
    fn blocks(&self, r#type: Option<&str>, labels: Vec<String>) -> Vec<Block> {
        let found: Vec<model::Block> = match r#type {
            Some(name) if !labels.is_empty() || matches!(self.document, Parsed::Json(_)) => {
                let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
                self.body.blocks(name, &labels)
            }
            _ => {
                let blocks = self.body.items().into_iter().filter_map(|item| match item {
                    BodyItem::Block(block) => Some(block),
                    BodyItem::Attribute(_) => None,
                });
                blocks.filter(|block| r#type.is_none_or(|name| block.block_type == *name)).collect()
            }
        };
        found.into_iter().map(|block| Block { block, document: self.document.clone() }).collect()
    }

    /// The attribute with a name, or `None`.
    fn get(&self, name: &str) -> Option<Attribute> {
        let attribute = self.body.attribute(name)?;
        Some(Attribute { attribute, document: self.document.clone() })
    }

    fn __getitem__(&self, name: &str) -> PyResult<Attribute> {
        self.get(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __contains__(&self, name: &str) -> bool {
        self.body.attribute(name).is_some()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.items(py)?.try_iter()
    }

    fn __len__(&self) -> usize {
        self.body.items().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// Nothing can change it.
    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __repr__(&self) -> String {
        let names: Vec<String> = self.body.items().iter().map(|item| item.name().to_owned()).collect();
        format!("<Body {}>", names.join(", "))
    }
}

/// A block.
#[pyclass(frozen, module = "hclkit")]
#[derive(Clone)]
pub(crate) struct Block {
    block: model::Block,
    document: Parsed,
}

impl Block {
    fn span(&self) -> Span {
        self.block.definition_span.cover(self.block.close_span)
    }

    fn range_of(&self, span: Span) -> Range {
        Range::new(&self.block.source, span)
    }
}

#[pymethods]
impl Block {
    /// The type, such as `"resource"`.
    #[getter]
    fn r#type(&self) -> &str {
        &self.block.block_type
    }

    /// The labels.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.block.labels.iter().map(|label| label.as_str().to_owned()).collect()
    }

    /// The attributes and blocks in it.
    #[getter]
    fn body(&self) -> Body {
        Body::new(self.block.body.clone(), self.document.clone())
    }

    /// The whole block.
    #[getter]
    fn range(&self) -> Range {
        self.range_of(self.span())
    }

    /// The type and the labels.
    #[getter]
    fn definition_range(&self) -> Range {
        self.range_of(self.block.definition_span)
    }

    /// Each label.
    #[getter]
    fn label_ranges(&self) -> Vec<Range> {
        self.block.label_spans.iter().map(|&span| self.range_of(span)).collect()
    }

    /// The source text of the block.
    #[getter]
    fn text(&self) -> &str {
        self.block.source.slice(self.span())
    }

    /// The comments directly above it and behind it, without their markers. In the JSON syntax, its property `//`.
    #[getter]
    fn comments(&self) -> Vec<String> {
        match &self.document {
            Parsed::Native(document) => comments::of(document, self.span()),
            Parsed::Json(_) => {
                let comment = self.block.body.attribute("//");
                let text = comment.as_ref().and_then(|it| it.expression.json());
                text.map_or_else(Vec::new, json_comments)
            }
        }
    }

    /// Nothing can change it.
    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __repr__(&self) -> String {
        let labels: Vec<String> =
            self.block.labels.iter().map(|label| format!(" {:?}", label.as_str())).collect();
        format!("<block {}{}>", self.block.block_type, labels.concat())
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("type", "labels", "body")
    }
}

/// An attribute.
#[pyclass(frozen, module = "hclkit")]
#[derive(Clone)]
pub(crate) struct Attribute {
    attribute: model::Attribute,
    document: Parsed,
}

#[pymethods]
impl Attribute {
    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.attribute.name
    }

    /// The expression after `=`.
    #[getter]
    fn expression(&self) -> Expression {
        Expression(self.attribute.expression.clone())
    }

    /// The whole attribute.
    #[getter]
    fn range(&self) -> Range {
        Range::new(&self.attribute.source, self.attribute.span)
    }

    /// The name.
    #[getter]
    fn name_range(&self) -> Range {
        Range::new(&self.attribute.source, self.attribute.name_span)
    }

    /// The source text of the attribute.
    #[getter]
    fn text(&self) -> &str {
        self.attribute.source.slice(self.attribute.span)
    }

    /// The comments directly above it and behind it, without their markers. The JSON syntax has none.
    #[getter]
    fn comments(&self) -> Vec<String> {
        match &self.document {
            Parsed::Native(document) => comments::of(document, self.attribute.span),
            Parsed::Json(_) => Vec::new(),
        }
    }

    /// Nothing can change it.
    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("<attribute {}>", self.attribute.name)
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("name", "expression")
    }
}

/// A comment in the JSON syntax: a string, or one for each line.
fn json_comments(value: hclkit::syntax::json::JsonValue<'_>) -> Vec<String> {
    match value.kind() {
        JsonKind::String(text) => vec![text.value().into_owned()],
        JsonKind::Array(array) => array.elements().flat_map(json_comments).collect(),
        _ => Vec::new(),
    }
}
