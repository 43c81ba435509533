//! The dictionaries of other packages: python-hcl2 8 and 7, bc-python-hcl2 and pygohcl. They were learned by asking the packages.
//! Where these corrupt data, the result is correct source instead; the guide lists the differences.

mod bc;
mod comments;
mod gohcl;
mod spaced;
mod v7;
mod v8;

use std::cell::RefCell;
use std::rc::Rc;

use hclkit::ast::{BlockNode, ExpressionKind, ExpressionNode, TemplateKind, UnaryOperator};
use hclkit::limits::Meter;
use hclkit::{Code, Document, Source, StartSymbol};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyString};

use crate::document::source;
use crate::expression::Expression;
use crate::limits::Limits;
use crate::parts::Turns;
use crate::to_python::digits;
use crate::{error, run};

/// Text in the shape of python-hcl2 8.
#[pyfunction]
pub(crate) fn loads_v8<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    options: v8::Options,
    limits: Option<PyRef<'py, Limits>>,
) -> PyResult<Bound<'py, PyDict>> {
    let limits = limits.as_deref();
    let document = read(py, text, limits, false)?;
    shaped(py, limits, |work| v8::Shape::new(work, &document, options).body(document.body(), None))
}

/// An expression in the shape of python-hcl2 8.
#[pyfunction]
pub(crate) fn value_v8<'py>(
    py: Python<'py>,
    expression: PyRef<'py, Expression>,
    options: v8::Options,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(node) = expression.0.ast() else { return Ok(py.None().into_bound(py)) };
    shaped(py, None, |work| v8::Shape::new(work, node.document(), options).value(node))
}

/// The parts of an expression as views of python-hcl2 8 name them.
type Parts<'py> = Vec<(Bound<'py, PyString>, Expression)>;

/// What an expression is for the views of python-hcl2 8: its kind, the name of a function, whether its last part is expanded, and its
/// parts. Those of an object have keys.
#[pyfunction]
pub(crate) fn view_v8<'py>(
    py: Python<'py>,
    expression: PyRef<'py, Expression>,
    options: v8::Options,
) -> PyResult<(&'static str, Option<String>, bool, Parts<'py>)> {
    let Some(node) = expression.0.ast() else { return Ok(("node", None, false, Vec::new())) };
    let part = |name: &str, node: ExpressionNode<'_>| {
        (key(py, name), Expression(hclkit::Expression::from_ast(node)))
    };
    Ok(match node.kind() {
        ExpressionKind::Tuple => ("tuple", None, false, node.elements().map(|it| part("", it)).collect()),
        ExpressionKind::Object => {
            let items = shaped(py, None, |work| {
                let shape = v8::Shape::new(work, node.document(), options);
                node.items().map(|it| Ok((shape.key(it)?, part("", it.value()).1))).collect::<PyResult<_>>()
            })?;
            ("object", None, false, items)
        }
        ExpressionKind::Call(call) => {
            let arguments = call.arguments().map(|it| part("", it)).collect();
            ("function_call", Some(call.name().into_owned()), call.expands_last(), arguments)
        }
        ExpressionKind::Conditional { condition, result, other } => {
            let parts =
                vec![part("condition", condition), part("true_val", result), part("false_val", other)];
            ("conditional", None, false, parts)
        }
        ExpressionKind::For(node) => {
            let kind = if node.makes_object() { "for_object" } else { "for_tuple" };
            let mut parts = vec![part("iterable", node.collection())];
            parts.extend(node.key().map(|it| part("key_expr", it)));
            parts.push(part("value_expr", node.value()));
            parts.extend(node.condition().map(|it| part("condition", it)));
            (kind, None, node.groups(), parts)
        }
        _ => {
            let parts = expression.0.parts().into_iter();
            ("node", None, false, parts.map(|it| (key(py, ""), Expression(it))).collect())
        }
    })
}

/// Text in the shape of python-hcl2 7.
#[pyfunction]
pub(crate) fn loads_v7<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    with_meta: bool,
    limits: Option<PyRef<'py, Limits>>,
) -> PyResult<Bound<'py, PyDict>> {
    let limits = limits.as_deref();
    let document = read(py, text, limits, false)?;
    shaped(py, limits, |work| v7::Shape { work, with_meta }.body(document.body()))
}

/// Text in the shape of bc-python-hcl2.
#[pyfunction]
pub(crate) fn loads_bc<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    limits: Option<PyRef<'py, Limits>>,
) -> PyResult<Bound<'py, PyDict>> {
    let limits = limits.as_deref();
    let document = read(py, text, limits, true)?;
    shaped(py, limits, |work| bc::Shape { work }.body(document.body()))
}

/// Text in the shape of pygohcl.
#[pyfunction]
pub(crate) fn loads_gohcl<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    keep_interpolations: bool,
    limits: Option<PyRef<'py, Limits>>,
) -> PyResult<Bound<'py, PyDict>> {
    let limits = limits.as_deref();
    let source: Source = source(py, text, None, limits)?;
    let document = run::quick(py, limits, || Document::parse(source, StartSymbol::Config))?;
    if document.has_errors() {
        return Err(error::of(py.detach(|| run::roomy(|| document.diagnostics()))));
    }
    shaped(py, limits, |work| {
        let shape = gohcl::Shape { work, document: &document, keeps_interpolations: keep_interpolations };
        shape.body(document.body())
    })
}

/// What making a dictionary takes.
struct Work<'py> {
    py: Python<'py>,
    turns: RefCell<Turns>,
    meter: Rc<Meter>,
}

impl Work<'_> {
    /// Counts an expression or an item.
    fn next(&self) -> PyResult<()> {
        self.turns.borrow_mut().next(self.py)
    }

    /// Counts text that these packages write for objects in expressions. They escape it again at each level, so it can double
    /// with each.
    fn take(&self, text: &str) -> PyResult<()> {
        self.meter.take_bytes(text.len()).map_err(error::exceeded)
    }
}

/// Makes a dictionary within limits, by default those of text that occurs several times.
fn shaped<'py, T>(
    py: Python<'py>,
    limits: Option<&Limits>,
    shape: impl FnOnce(Work<'py>) -> PyResult<T>,
) -> PyResult<T> {
    let default = Limits::default().with_bytes(64 << 20);
    run::converting(Some(limits.unwrap_or(&default)), || {
        shape(Work { py, turns: RefCell::default(), meter: Meter::current() })
    })
}

fn read(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    limits: Option<&Limits>,
    repeated: bool,
) -> PyResult<Document> {
    let mut source: Source = source(py, text, None, limits)?;
    // These packages add a line break, without which a heredoc has no end.
    if !source.bytes().ends_with(b"\n") {
        source = Source::new(source.name(), [source.bytes(), b"\n"].concat());
    }
    let document = run::quick(py, limits, || Document::parse(source, StartSymbol::Config))?;
    if document.has_errors() {
        let found = py.detach(|| run::roomy(|| document.diagnostics()));
        let is_fine = |code: Option<Code>| repeated && code == Some(Code::DuplicateAttribute);
        if found.total() > found.len() || found.iter().any(|it| it.is_error() && !is_fine(it.code())) {
            return Err(error::of(found));
        }
    }
    Ok(document)
}

/// A number as these packages read it: `int` without a point and an exponent, or else `float`.
fn number<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    if is_whole(text) {
        return digits(py, text);
    }
    Ok(PyFloat::new(py, text.parse().unwrap_or(f64::NAN)).into_any())
}

fn is_whole(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

fn has_exponent(text: &str) -> bool {
    text.contains(['e', 'E'])
}

/// The number of a literal with its sign.
fn negative(operator: UnaryOperator, operand: ExpressionNode<'_>) -> Option<&str> {
    match (operator, operand.kind()) {
        (UnaryOperator::Negate, ExpressionKind::Number(text)) => Some(text),
        _ => None,
    }
}

/// The text of a heredoc from its first line to its last: without the markers and the last line break.
fn heredoc_body(template: hclkit::ast::TemplateNode<'_>) -> &str {
    let text = template.text().trim_end();
    let start = text.find('\n').map_or(text.len(), |at| at + 1);
    let end = text.rfind('\n').map_or(0, |at| at);
    text.get(start..end.max(start)).unwrap_or_default()
}

fn is_heredoc(kind: TemplateKind) -> bool {
    matches!(kind, TemplateKind::Heredoc { .. })
}

/// The first and the last line of a block.
fn lines(block: BlockNode<'_>) -> (u32, u32) {
    let source = block.document().source();
    (source.line_of(block.type_span().start) + 1, source.line_of(block.close_span().start) + 1)
}

/// A key, of which there are many copies.
fn key<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyString> {
    PyString::intern(py, text)
}
