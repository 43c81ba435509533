//! What makes objects anew that were pickled: the functions that `__reduce__` names.

use std::sync::Arc;

use hclkit::syntax::{Edit, Fix};
use hclkit::{Code, Source, Span, Syntax};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::diagnostic::Diagnostic;
use crate::document::{Document, Parsed};
use crate::place::{Position, Range};
use crate::types::Type;
use crate::unknown::Unknown;
use crate::{error, run, to_python, to_value};

#[pyfunction]
pub(crate) fn unpickled_position(line: u32, column: u32, byte: u32) -> Position {
    Position::new(line, column, byte)
}

#[pyfunction]
pub(crate) fn unpickled_range(name: String, start: PyRef<'_, Position>, end: PyRef<'_, Position>) -> Range {
    Range::of(name, start.clone(), end.clone())
}

/// A document, parsed again without limits.
#[pyfunction]
pub(crate) fn unpickled_document(
    py: Python<'_>,
    name: String,
    text: &Bound<'_, PyBytes>,
    is_json: bool,
) -> PyResult<Document> {
    let source = Source::new(name, text.as_bytes().to_vec());
    let syntax = if is_json { Syntax::Json } else { Syntax::Native };
    run::quick(py, None, || hclkit::Limits::trusted().run(|| Document(Parsed::new(source, syntax))))
}

/// A bound of a number, and whether it is included.
type Bounded<'py> = Option<(Bound<'py, PyAny>, bool)>;

/// What is known of an unknown value, for [`unpickled_unknown`].
type Refined<'py> = (Type, bool, String, Bounded<'py>, Bounded<'py>, u64, Option<u64>);

#[pyfunction]
pub(crate) fn pickled_unknown<'py>(py: Python<'py>, unknown: &Unknown) -> PyResult<Refined<'py>> {
    let refined = unknown.0.refinement();
    let bound =
        |it: &hclkit::value::Bound| Ok::<_, PyErr>((to_python::number(py, &it.number)?, it.inclusive));
    let (min, max) = (refined.min().map(bound).transpose()?, refined.max().map(bound).transpose()?);
    let prefix = refined.prefix().to_owned();
    Ok((Type(unknown.0.ty()), refined.is_not_null(), prefix, min, max, refined.min_len(), refined.max_len()))
}

#[pyfunction]
pub(crate) fn unpickled_unknown(
    r#type: PyRef<'_, Type>,
    not_null: bool,
    prefix: &str,
    min: Bounded<'_>,
    max: Bounded<'_>,
    min_length: u64,
    max_length: Option<u64>,
) -> PyResult<Unknown> {
    let mut refined = hclkit::Value::unknown(r#type.0.clone()).refine();
    if not_null {
        refined = refined.with_not_null();
    }
    if !prefix.is_empty() {
        refined = refined.with_full_prefix(prefix);
    }
    if let Some((number, inclusive)) = min {
        refined = refined.with_min_bound(to_value::number(&number)?, inclusive);
    }
    if let Some((number, inclusive)) = max {
        refined = refined.with_max_bound(to_value::number(&number)?, inclusive);
    }
    if min_length > 0 {
        refined = refined.with_min_len(min_length);
    }
    if let Some(length) = max_length {
        refined = refined.with_max_len(length);
    }
    refined.finish().map(Unknown).map_err(error::plain)
}

/// A source with its name, of which diagnostics of one file share one.
#[pyclass(frozen, module = "hclkit._hclkit")]
#[derive(Clone)]
pub(crate) struct PickledSource(pub(crate) Arc<Source>);

#[pymethods]
impl PickledSource {
    #[new]
    fn new(name: String, text: &Bound<'_, PyBytes>) -> Self {
        Self(Arc::new(Source::new(name, text.as_bytes().to_vec())))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, Bound<'py, PyBytes>)) {
        let source = &slf.get().0;
        let text = PyBytes::new(slf.py(), source.bytes());
        (slf.get_type().into_any(), (source.name().to_owned(), text))
    }
}

/// Two offsets in a source.
type Bytes = (u32, u32);
/// A title, and the edits of a fix.
type Change = (String, Vec<(Bytes, String)>);
/// Another location: its source, unless it is that of the diagnostic.
type Other = (String, Bytes, Option<Py<PickledSource>>);
/// All of a diagnostic but its code: severity, summary, note, source, span, context, address, related locations, evidence, fix.
type Parts = (
    (Option<String>, bool, String, String),
    (Option<Py<PickledSource>>, Bytes, Option<Bytes>, Option<String>),
    (Vec<Other>, Vec<(String, String)>, Option<Change>),
);

fn bytes(span: Span) -> Bytes {
    (span.start, span.end)
}

fn span((start, end): Bytes) -> Span {
    Span::new(start, end)
}

/// The parts of a diagnostic. `sources` has the sources that were pickled before.
fn parts(
    py: Python<'_>,
    diagnostic: &hclkit::Diagnostic,
    sources: &mut Vec<(Arc<Source>, Py<PickledSource>)>,
) -> PyResult<Parts> {
    let mut shared = |source: &Arc<Source>| -> PyResult<Py<PickledSource>> {
        if let Some((_, kept)) = sources.iter().find(|(own, _)| Arc::ptr_eq(own, source)) {
            return Ok(kept.clone_ref(py));
        }
        let kept = Py::new(py, PickledSource(source.clone()))?;
        sources.push((source.clone(), kept.clone_ref(py)));
        Ok(kept)
    };
    let source = diagnostic.source().map(&mut shared).transpose()?;
    let related = diagnostic
        .related()
        .iter()
        .map(|it| Ok((it.text().to_owned(), bytes(it.span()), it.source().map(&mut shared).transpose()?)));
    let related = related.collect::<PyResult<Vec<Other>>>()?;
    let evidence = diagnostic.evidence().iter().map(|it| (it.expression.clone(), it.value.clone()));
    let fix = diagnostic.fix().map(|fix| {
        let edits = fix.edits.iter().map(|it| (bytes(it.span), it.replacement.to_string()));
        (fix.title.to_string(), edits.collect())
    });
    let head = (
        diagnostic.code().map(|code| code.to_string()),
        diagnostic.is_error(),
        diagnostic.summary().to_owned(),
        diagnostic.note().to_owned(),
    );
    let place = (
        source,
        bytes(diagnostic.span()),
        diagnostic.context().map(bytes),
        diagnostic.address().map(str::to_owned),
    );
    Ok((head, place, (related, evidence.collect(), fix)))
}

/// The parts of diagnostics, which share their sources.
#[pyfunction]
pub(crate) fn pickled_diagnostics(
    py: Python<'_>,
    diagnostics: Vec<PyRef<'_, Diagnostic>>,
) -> PyResult<Vec<Parts>> {
    let mut sources = Vec::new();
    diagnostics.iter().map(|it| parts(py, &it.0, &mut sources)).collect()
}

#[pyfunction]
pub(crate) fn unpickled_diagnostic(py: Python<'_>, parts: Parts) -> Diagnostic {
    let ((code, is_error, summary, note), (source, at, context, address), (related, evidence, fix)) = parts;
    let severity = if is_error { hclkit::Severity::Error } else { hclkit::Severity::Warning };
    let mut made = match code.and_then(|code| code.parse::<Code>().ok()) {
        Some(code) => hclkit::Diagnostic::new(severity, code),
        None => hclkit::Diagnostic::new(severity, summary),
    };
    made = made.at(span(at)).with_note(note);
    if let Some(source) = source {
        made = made.with_source(&source.borrow(py).0);
    }
    for (text, at, source) in related {
        made = match source {
            Some(source) => made.with_related(&source.borrow(py).0, span(at), text),
            None => made.with_related_span(span(at), text),
        };
    }
    if let Some(context) = context {
        made = made.with_context(span(context));
    }
    if let Some(address) = address {
        made = made.with_address(address);
    }
    if let Some((title, edits)) = fix {
        made = made.with_fix(Fix::new(title, edits.into_iter().map(|(at, text)| Edit::new(span(at), text))));
    }
    let evidence =
        evidence.into_iter().map(|(expression, value)| hclkit::syntax::Evidence::new(expression, value));
    Diagnostic(made.with_evidence(evidence))
}
