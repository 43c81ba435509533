//! Edits, queries, formatting and renaming.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use hclkit::limits::{Meter, with_room};
use hclkit::model::Partial;
use hclkit::orders::{Order, OrderError, edited, predicates, select};
use hclkit::refactor::{Names, RenameError, Symbol, rename};
use hclkit::write::{Formatter, NewValue, Style, evaluate, raw};
use hclkit::{Source, StartSymbol, Syntax};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyString, PyTuple};

use crate::data::dialect;
use crate::document::{Document, Parsed, source, syntax_of};
use crate::expression::Expression;
use crate::limits::Limits;
use crate::parts::{self, MAX_DEPTH, SHORT, Written};
use crate::place::Range;
use crate::{error, run, to_python, to_value};

/// Source text of an expression, for edits.
#[pyclass(frozen, eq, hash, module = "hclkit.edit")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Raw {
    /// The source text.
    #[pyo3(get)]
    source: String,
}

#[pymethods]
impl Raw {
    #[new]
    fn new(source: String) -> Self {
        Self { source }
    }

    fn __repr__(&self) -> String {
        format!("Raw({:?})", self.source)
    }
}

/// A part of a document that a path selects.
#[pyclass(frozen, module = "hclkit.edit")]
pub(crate) struct Match {
    /// The path that selects only this part.
    #[pyo3(get)]
    address: String,
    /// The source text of the expression, or of the part if it has none.
    #[pyo3(get)]
    text: String,
    /// Where it is.
    #[pyo3(get)]
    range: Range,
    /// The expression, or `None`. In the JSON syntax, strings are not read as templates.
    #[pyo3(get)]
    expression: Option<Expression>,
}

#[pymethods]
impl Match {
    fn __repr__(&self) -> String {
        format!("<{}: {}>", self.address, self.text)
    }
}

/// The parts of a document that a path selects.
#[pyfunction]
pub(crate) fn select_parts(py: Python<'_>, document: &Document, path: &str) -> PyResult<Vec<Match>> {
    let parsed = document.0.clone();
    run::writing(py, || {
        let document = parsed.editable();
        let found = select(&document, path).map_err(of_order)?;
        let matches = found.iter().map(|found| {
            // Matches can contain each other.
            let bytes = found.address().len() + found.text().len();
            Meter::current().take_bytes(bytes).map_err(error::exceeded)?;
            Ok(Match {
                address: found.address().to_owned(),
                text: found.text().to_owned(),
                range: Range::new(document.source(), found.span()),
                expression: found.expression().map(|it| Expression(hclkit::Expression::from_ast(it))),
            })
        });
        matches.collect()
    })?
}

/// Evaluates an expression whose variables are the contents of a document.
#[pyfunction]
pub(crate) fn query_value<'py>(
    py: Python<'py>,
    document: &Document,
    expression: &str,
    limits: Option<PyRef<'py, Limits>>,
) -> PyResult<Bound<'py, PyAny>> {
    let parsed = document.0.clone();
    let limits = limits.map(|limits| limits.clone());
    let work = || {
        let expression = hclkit::Expression::parse(expression)?;
        evaluate(&parsed.editable(), &expression, &predicates())
    };
    let found = run::long(py, limits.as_ref(), false, work, |result| result.as_ref().err())?;
    match found.map_err(|found| error::of(&found))? {
        Partial::Value(value) => to_python::limited(py, limits.as_ref(), &value),
        Partial::Rest(rest) => to_python::limited(py, limits.as_ref(), &rest.value),
    }
}

/// Edits of a document, which are made all at once.
#[pyclass(frozen, module = "hclkit.edit")]
pub(crate) struct Editor {
    document: Parsed,
    orders: Mutex<Vec<Order>>,
}

#[pymethods]
impl Editor {
    #[new]
    pub(crate) fn new(py: Python<'_>, document: &Document) -> PyResult<Self> {
        if document.0.has_errors() {
            return Err(error::of(py.detach(|| run::roomy(|| document.0.diagnostics()))));
        }
        Ok(Self { document: document.0.clone(), orders: Mutex::default() })
    }

    /// Sets the value of what a path selects. If it selects nothing, adds the last name where the rest of it selects.
    fn set<'py>(
        slf: PyRef<'py, Self>,
        path: String,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<PyRef<'py, Self>> {
        let value = new_value(value)?;
        Ok(slf.with(Order::Set(path, value)))
    }

    /// Adds an attribute to a body, or an item to an object.
    fn add<'py>(
        slf: PyRef<'py, Self>,
        path: String,
        name: String,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<PyRef<'py, Self>> {
        let value = new_value(value)?;
        Ok(slf.with(Order::Add(path, name, value)))
    }

    /// Removes what a path selects.
    fn remove(slf: PyRef<'_, Self>, path: String) -> PyRef<'_, Self> {
        slf.with(Order::Remove(path))
    }

    /// Adds source text at the end of bodies, objects, lists and calls.
    fn append(slf: PyRef<'_, Self>, path: String, source: String) -> PyRef<'_, Self> {
        slf.with(Order::Append(path, source))
    }

    /// Adds source text at the start of bodies, objects, lists and calls.
    fn prepend(slf: PyRef<'_, Self>, path: String, source: String) -> PyRef<'_, Self> {
        slf.with(Order::Prepend(path, source))
    }

    /// Adds source text before what a path selects.
    fn insert_before(slf: PyRef<'_, Self>, path: String, source: String) -> PyRef<'_, Self> {
        slf.with(Order::Before(path, source))
    }

    /// Adds source text after what a path selects.
    fn insert_after(slf: PyRef<'_, Self>, path: String, source: String) -> PyRef<'_, Self> {
        slf.with(Order::After(path, source))
    }

    /// Renames attributes, block types, labels and items. References keep the old name; see `hclkit.rename`.
    fn rename(slf: PyRef<'_, Self>, path: String, name: String) -> PyRef<'_, Self> {
        slf.with(Order::Rename(path, name))
    }

    /// Moves what a path selects to the end of a body, an object or a list.
    fn r#move(slf: PyRef<'_, Self>, path: String, to: String) -> PyRef<'_, Self> {
        slf.with(Order::Move(path, to))
    }

    /// Makes all edits, or none, and returns the new document.
    fn apply(&self, py: Python<'_>) -> PyResult<Document> {
        run::writing(py, || self.edited())?
    }
}

impl Editor {
    fn edited(&self) -> PyResult<Document> {
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let edited = edited(&self.document.editable(), &orders).map_err(of_order)?;
        Ok(Document(match edited.syntax() {
            Syntax::Native | Syntax::Hcl1 => Parsed::Native(edited),
            Syntax::Json => {
                Parsed::new(Source::new(edited.source().name(), edited.source().bytes()), Syntax::Json)
            }
        }))
    }

    fn push(&self, order: Order) {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).push(order);
    }
}

/// Methods return the editor, so that calls can be chained.
trait With {
    fn with(self, order: Order) -> Self;
}

impl With for PyRef<'_, Editor> {
    fn with(self, order: Order) -> Self {
        self.push(order);
        self
    }
}

fn of_order(error: OrderError) -> PyErr {
    match error {
        OrderError::Path(text) => error::plain(text),
        OrderError::Predicate(found) => error::of(&found),
        OrderError::Edit(path, why) => error::of_edit(&path, &why),
    }
}

/// A Python object as source.
fn new_value(object: &Bound<'_, PyAny>) -> PyResult<NewValue> {
    run::roomy(|| Writer::default().new_value(object, 0, false))
}

/// Reads Python objects as source, which cannot share the parts that occur several times.
#[derive(Default)]
struct Writer<'py> {
    written: Written<'py>,
    values: to_value::Converter<'py>,
}

impl<'py> Writer<'py> {
    /// A Python object as source. The order of the items of a `dict` is kept. `again` says whether it is in one that was read before.
    fn new_value(&mut self, object: &Bound<'py, PyAny>, depth: u32, again: bool) -> PyResult<NewValue> {
        if depth > MAX_DEPTH {
            return Err(error::plain("the value is nested too deeply, or contains itself"));
        }
        let py = object.py();
        if let Ok(source) = object.cast::<Raw>() {
            let source = source.get().source.as_str();
            self.written.text(object, source, again)?;
            return Ok(raw(source));
        }
        if let Ok(expression) = object.cast::<Expression>() {
            let source = expression.get().0.text();
            self.written.text(object, source, again)?;
            return Ok(raw(source));
        }
        let elements: Vec<Bound<'py, PyAny>> = if let Ok(dict) = object.cast::<PyDict>() {
            let again = self.written.is_again(object, again);
            self.written.take(py, 0, again)?;
            let items = parts::of_dict(dict)?.map(|(name, value)| {
                let text = name.cast::<PyString>()?.to_str()?;
                self.written.text(&name, text, again)?;
                let value = with_room(|| self.new_value(&value, depth + 1, again))?;
                Ok((NewValue::from(text), value))
            });
            return Ok(NewValue::object(items.collect::<PyResult<Vec<_>>>()?));
        } else if let Ok(list) = object.cast::<PyList>() {
            list.iter().collect()
        } else if let Ok(tuple) = object.cast::<PyTuple>() {
            tuple.iter().collect()
        } else {
            let value = self.values.at_depth(object, depth)?;
            // It is an estimate.
            let bytes = usize::try_from(value.text_size()).unwrap_or(usize::MAX);
            let is_shared = value.depth() > 0 || bytes > SHORT;
            let again = if is_shared { self.written.is_again(object, again) } else { again };
            // Values can share parts and texts, too.
            self.written.take(py, bytes, again || value.depth() > 0)?;
            return Ok(value.into());
        };
        let again = self.written.is_again(object, again);
        self.written.take(py, 0, again)?;
        let elements = elements.iter().map(|element| with_room(|| self.new_value(element, depth + 1, again)));
        Ok(NewValue::tuple(elements.collect::<PyResult<Vec<_>>>()?))
    }
}

/// Formats text as the program of its language does.
#[pyfunction]
#[pyo3(signature = (text, *, name=None, language=None, align=true, blank_lines=false, trailing_commas=false, meta_arguments=false, sort_attributes=false, join=false, width=None))]
#[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "each is an option")]
pub(crate) fn format(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    name: Option<String>,
    language: Option<&str>,
    align: bool,
    blank_lines: bool,
    trailing_commas: bool,
    meta_arguments: bool,
    sort_attributes: bool,
    join: bool,
    width: Option<u32>,
) -> PyResult<String> {
    let source = source(py, text, name, None)?;
    if syntax_of(None, &source)? == Syntax::Json {
        return Err(error::plain("only the native syntax can be formatted"));
    }
    let formatter = match language {
        None => Formatter::of_path(Path::new(source.name())),
        Some(_) => dialect(language, "")?.map_or_else(Formatter::plain, Formatter::new),
    };
    let mut style = Style::new()
        .with_alignment(align)
        .with_blank_lines(blank_lines)
        .with_trailing_commas(trailing_commas)
        .with_meta_arguments(meta_arguments)
        .with_sorted_attributes(sort_attributes)
        .with_joined_lists(join);
    if let Some(width) = width {
        style = style.with_width(width);
    }
    let formatted = run::quick(py, None, || {
        let document = hclkit::Document::parse(source, StartSymbol::Config);
        if document.has_errors() {
            return Err(document.diagnostics().clone());
        }
        Ok(formatter.with_style(style).format(&document).bytes().into_owned())
    })?;
    let formatted = formatted.map_err(|found| error::of(&found))?;
    String::from_utf8(formatted).map_err(error::plain)
}

/// Renames a name in files that belong together. Returns the new text of the files that change.
#[pyfunction]
#[pyo3(name = "rename", signature = (files, address, name, *, moved=false))]
pub(crate) fn rename_in<'py>(
    py: Python<'py>,
    files: &Bound<'py, PyMapping>,
    address: &str,
    name: &str,
    moved: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let symbol: Symbol = address.parse().map_err(error::plain)?;
    let all = PyDict::new(py);
    all.update(files)?;
    let mut documents = Vec::with_capacity(all.len());
    for (name, text) in all {
        let source = source(py, &text, Some(name.extract()?), None)?;
        let syntax = syntax_of(None, &source)?;
        let document = run::quick(py, None, || {
            let document = Parsed::new(source, syntax);
            if document.has_errors() { Err(document.diagnostics().clone()) } else { Ok(document.editable()) }
        })?;
        documents.push(document.map_err(|found| error::of(&found))?);
    }
    let renamed = run::writing(py, || {
        let names: Vec<Names> = documents.iter().map(Names::of).collect();
        rename(&names, &symbol, name, moved)
    })?;
    let changed = PyDict::new(py);
    let failed = |why: RenameError| match why {
        RenameError::Edit(why) => error::of_edit("", &why),
        why => error::plain(why),
    };
    for (before, after) in documents.iter().zip(renamed.map_err(failed)?) {
        if let Some(after) = after {
            changed.set_item(before.source().name(), after.source().text())?;
        }
    }
    Ok(changed)
}
