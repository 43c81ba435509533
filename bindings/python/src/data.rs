//! Plain data: `loads` and `dumps`, with the JSON of `hcl convert`.

use std::rc::Rc;
use std::sync::Arc;

use hclkit::convert::{Json, Shape, ToJson, ToNative};
use hclkit::dialect::{Dialect, FileKind};
use hclkit::limits::{Meter, with_room};
use hclkit::syntax::json::JsonDocument;
use hclkit::value::Plain;
use hclkit::{Source, StartSymbol, Syntax};
use indexmap::IndexMap;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::document::{source, syntax_of};
use crate::limits::Limits;
use crate::parts::{self, MAX_DEPTH, Turns, Written};
use crate::to_python::{decimal_class, digits};
use crate::{error, run};

/// The language with a name, or else the one of a file name.
pub(crate) fn dialect(language: Option<&str>, name: &str) -> PyResult<Option<Arc<Dialect>>> {
    match language {
        None => Ok(Dialect::of_path(name)),
        Some(language) => Dialect::named(language)
            .map(Some)
            .ok_or_else(|| error::plain(format!("{language} is not a known language, such as terraform"))),
    }
}

/// Text as plain data: the JSON that `hcl convert` writes.
#[pyfunction]
#[pyo3(signature = (text, *, name=None, syntax=None, language=None, compact=false, r#static=Vec::new(), parse_float=None, limits=None))]
#[allow(clippy::too_many_arguments, reason = "each is an option")]
pub(crate) fn loads<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    name: Option<String>,
    syntax: Option<&str>,
    language: Option<&str>,
    compact: bool,
    r#static: Vec<String>,
    parse_float: Option<Bound<'py, PyAny>>,
    limits: Option<PyRef<'py, Limits>>,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = limits.as_deref();
    let source = source(py, text, name, limits)?;
    let syntax = syntax_of(syntax, &source)?;
    let dialect = dialect(language, source.name())?;
    let converted = run::quick(py, limits, || match syntax {
        Syntax::Json => plain(source),
        Syntax::Hcl1 => {
            let value = hclkit::hcl1::decode(&hclkit::Document::parse_hcl1(source))?;
            Ok(of_value(&value))
        }
        Syntax::Native => {
            let values =
                dialect.as_ref().and_then(|it| it.file_kind(source.name())) == Some(FileKind::Values);
            let mut converter = ToJson::new().with_static(&r#static).with_all_static(values);
            if compact {
                converter = converter.with_shape(Shape::Compact);
            }
            if let Some(dialect) = &dialect {
                converter = converter.with_dialect(dialect);
            }
            let document = hclkit::Document::parse(source, StartSymbol::Config);
            converter.convert(&document)
        }
    })?;
    let converted = converted.map_err(|found| error::of(&found))?;
    // Dropping it takes stack, too.
    run::converting(limits, move || to_python(py, &converted, parse_float.as_ref(), &mut Turns::default()))
}

/// JSON as it is.
fn plain(source: Source) -> Result<Json, hclkit::Diagnostics> {
    let document = JsonDocument::parse(source);
    if document.has_errors() {
        return Err(document.diagnostics().clone());
    }
    Ok(json(document.root()))
}

fn json(value: hclkit::syntax::json::JsonValue<'_>) -> Json {
    use hclkit::syntax::json::JsonKind;
    match value.kind() {
        JsonKind::Null | JsonKind::Missing => Json::Null,
        JsonKind::Bool(flag) => Json::Bool(flag),
        JsonKind::Number(digits) => Json::Number(digits.to_owned()),
        JsonKind::String(text) => Json::String(text.value().into_owned()),
        JsonKind::Array(array) => Json::Array(array.elements().map(|it| with_room(|| json(it))).collect()),
        JsonKind::Object(object) => {
            let properties = object.properties();
            let properties =
                properties.map(|it| (it.name().value().into_owned(), with_room(|| json(it.value()))));
            Json::Object(properties.collect())
        }
    }
}

/// A value of HCL 1, which has no nulls, unknown values and marks.
fn of_value(value: &hclkit::Value) -> Json {
    match value.plain() {
        Ok(Plain::Bool(flag)) => Json::Bool(flag),
        Ok(Plain::Number(number)) => Json::Number(number.to_string()),
        Ok(Plain::String(text)) => Json::String(text.to_string()),
        Ok(Plain::Sequence(items)) => {
            Json::Array(items.iter().map(|it| with_room(|| of_value(it))).collect())
        }
        Ok(Plain::Map(entries)) => Json::Object(
            entries.map(|(name, it)| (name.as_str().to_owned(), with_room(|| of_value(it)))).collect(),
        ),
        Ok(Plain::Null) | Err(_) => Json::Null,
    }
}

/// JSON as objects. `parse_float` gets the text of numbers that are not whole.
fn to_python<'py>(
    py: Python<'py>,
    json: &Json,
    parse_float: Option<&Bound<'py, PyAny>>,
    turns: &mut Turns,
) -> PyResult<Bound<'py, PyAny>> {
    turns.next(py)?;
    Ok(match json {
        Json::Null => py.None().into_bound(py),
        Json::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Json::Number(number) => match parse_float {
            Some(parse) if number.contains(['.', 'e', 'E']) => parse.call1((number,))?,
            _ => digits(py, number)?,
        },
        Json::String(text) => PyString::new(py, text).into_any(),
        Json::Array(elements) => {
            let elements =
                elements.iter().map(|element| with_room(|| to_python(py, element, parse_float, turns)));
            PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Json::Object(properties) => {
            let dict = PyDict::new(py);
            for (name, value) in properties {
                dict.set_item(
                    PyString::new(py, name),
                    with_room(|| to_python(py, value, parse_float, turns))?,
                )?;
            }
            dict.into_any()
        }
    })
}

/// Plain data as text in the native syntax.
#[pyfunction]
#[pyo3(signature = (data, *, language=None, blocks=Vec::new(), attributes=Vec::new(), r#static=Vec::new(), literal=false, limits=None))]
#[allow(clippy::too_many_arguments, reason = "each is an option")]
pub(crate) fn dumps(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    language: Option<&str>,
    blocks: Vec<(String, usize)>,
    attributes: Vec<String>,
    r#static: Vec<String>,
    literal: bool,
    limits: Option<PyRef<'_, Limits>>,
) -> PyResult<String> {
    let limits = limits.as_deref();
    let dialect = dialect(language, "")?;
    // Dropping the data takes stack, too.
    let (text, values) = run::converting(limits, || {
        let mut reader = Reader::new(limits);
        let data = reader.json(data, 0, false)?;
        if !matches!(data, Json::Object(_)) {
            return Err(PyTypeError::new_err("a configuration is a mapping"));
        }
        let text = py.detach(|| serde_json::to_vec(&data).map_err(|why| why.to_string()));
        Ok((text, reader.written.turns.parts()))
    })?;
    let work = || {
        let text = text?;
        let mut converter = ToNative::new()
            .with_blocks(blocks)
            .with_attributes(attributes)
            .with_static(r#static)
            .with_literal_strings(literal);
        if let Some(dialect) = dialect {
            converter = converter.with_dialect(dialect);
        }
        Ok::<_, String>(converter.convert(&JsonDocument::parse(Source::new("", text))))
    };
    let written = run::sized(py, limits, values, work)?;
    written.map_err(error::plain)?.map_err(|found| error::of(&found))
}

/// Plain data as JSON, in which numbers keep their digits.
#[pyfunction]
pub(crate) fn to_json(data: &Bound<'_, PyAny>, is_pretty: bool) -> PyResult<String> {
    run::roomy(|| {
        let data = Reader::new(None).json(data, 0, false)?;
        let text = if is_pretty { serde_json::to_string_pretty(&data) } else { serde_json::to_string(&data) };
        text.map_err(error::plain)
    })
}

/// A copy of plain data without objects that occur several times, so that code that is called later neither changes it nor visits
/// it without an end.
#[pyfunction]
pub(crate) fn expanded<'py>(data: &Bound<'py, PyAny>, deepest: u32) -> PyResult<Bound<'py, PyAny>> {
    run::roomy(|| Copier { written: Written::default(), deepest }.copy(data, 0, false))
}

struct Copier<'py> {
    written: Written<'py>,
    deepest: u32,
}

impl<'py> Copier<'py> {
    fn copy(&mut self, object: &Bound<'py, PyAny>, depth: u32, again: bool) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        if depth > self.deepest {
            return Err(error::plain("the data is nested too deeply, or contains itself"));
        }
        if let Ok(text) = object.cast::<PyString>() {
            let text = text.to_str()?;
            self.written.text(object, text, again)?;
            // Subclasses may have another text.
            return Ok(PyString::new(py, text).into_any());
        }
        let elements: Vec<_> = if let Ok(list) = object.cast::<PyList>() {
            list.iter().collect()
        } else if let Ok(tuple) = object.cast::<PyTuple>() {
            tuple.iter().collect()
        } else if let Some(items) = parts::of_mapping(object)? {
            let again = self.written.is_again(object, again);
            self.written.take(py, 0, again)?;
            let copy = PyDict::new(py);
            for (name, value) in items {
                let text =
                    name.cast::<PyString>().map_err(|_| PyTypeError::new_err("keys must be strings"))?;
                self.written.text(&name, text.to_str()?, again)?;
                let value = with_room(|| self.copy(&value, depth + 1, again))?;
                copy.set_item(PyString::new(py, text.to_str()?), value)?;
            }
            return Ok(copy.into_any());
        } else {
            self.written.take(py, 0, again)?;
            return Ok(object.clone());
        };
        let again = self.written.is_again(object, again);
        self.written.take(py, 0, again)?;
        let elements = elements.iter().map(|element| with_room(|| self.copy(element, depth + 1, again)));
        Ok(PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?.into_any())
    }
}

/// Reads Python objects as JSON, which cannot share the parts that occur several times.
pub(crate) struct Reader<'py> {
    pub(crate) written: Written<'py>,
    /// The limits of the caller, if there are any.
    meter: Option<Rc<Meter>>,
}

impl<'py> Reader<'py> {
    pub(crate) fn new(limits: Option<&Limits>) -> Self {
        Self { written: Written::default(), meter: limits.map(|_| Meter::current()) }
    }

    /// An object as JSON. `again` says whether it is in one that was read before.
    pub(crate) fn json(&mut self, object: &Bound<'py, PyAny>, depth: u32, again: bool) -> PyResult<Json> {
        if depth > MAX_DEPTH {
            return Err(error::plain("the data is nested too deeply, or contains itself"));
        }
        if let Ok(text) = object.cast::<PyString>() {
            let text = text.to_str()?;
            self.written.text(object, text, again)?;
            self.take(text.len())?;
            return Ok(Json::String(text.to_owned()));
        }
        if let Some(atom) = atom(object)? {
            let bytes = if let Json::Number(digits) = &atom { digits.len() } else { 4 };
            self.written.take(object.py(), bytes, again)?;
            self.take(bytes)?;
            return Ok(atom);
        }
        let again = self.written.is_again(object, again);
        self.written.take(object.py(), 0, again)?;
        self.take(0)?;
        if let Ok(dict) = object.cast::<PyDict>() {
            return self.properties(parts::of_dict(dict)?, depth, again);
        }
        if let Ok(elements) = object.cast::<PyList>() {
            return self.array(elements.iter(), depth, again);
        }
        if let Ok(elements) = object.cast::<PyTuple>() {
            return self.array(elements.iter(), depth, again);
        }
        if let Some(items) = parts::of_mapping(object)? {
            return self.properties(items, depth, again);
        }
        if !object.is_instance_of::<pyo3::types::PyType>() && object.hasattr("__dataclass_fields__")? {
            let fields = object.getattr("__dataclass_fields__")?.cast_into::<PyDict>()?;
            let fields = fields
                .keys()
                .iter()
                .map(|name| Ok((name.clone(), object.getattr(name.cast::<PyString>()?)?)));
            // What is not set is left out.
            let fields =
                fields.collect::<PyResult<Vec<_>>>()?.into_iter().filter(|(_, value)| !value.is_none());
            return self.properties(fields, depth, again);
        }
        Err(PyTypeError::new_err(format!("{} cannot be written as HCL", object.get_type().name()?)))
    }

    /// Counts a value with its own text for the limits of the caller.
    pub(crate) fn take(&self, bytes: usize) -> PyResult<()> {
        let Some(meter) = &self.meter else { return Ok(()) };
        meter.take_elements(1).and_then(|()| meter.take_bytes(bytes)).map_err(error::exceeded)
    }

    fn array(
        &mut self,
        elements: impl Iterator<Item = Bound<'py, PyAny>>,
        depth: u32,
        again: bool,
    ) -> PyResult<Json> {
        let elements = elements.map(|element| with_room(|| self.json(&element, depth + 1, again)));
        elements.collect::<PyResult<_>>().map(Json::Array)
    }

    fn properties(
        &mut self,
        items: impl Iterator<Item = (Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        depth: u32,
        again: bool,
    ) -> PyResult<Json> {
        let items = items.map(|(name, value)| {
            let text = name
                .cast::<PyString>()
                .map_err(|_| PyTypeError::new_err("keys must be strings"))?
                .to_str()?;
            self.written.text(&name, text, again)?;
            self.take(text.len())?;
            Ok((text.to_owned(), with_room(|| self.json(&value, depth + 1, again))?))
        });
        items.collect::<PyResult<IndexMap<_, _>>>().map(Json::Object)
    }
}

/// What is neither text nor has parts.
fn atom(object: &Bound<'_, PyAny>) -> PyResult<Option<Json>> {
    if object.is_none() {
        return Ok(Some(Json::Null));
    }
    if let Ok(flag) = object.cast::<PyBool>() {
        return Ok(Some(Json::Bool(flag.is_true())));
    }
    let py = object.py();
    let is_float = object.is_instance_of::<PyFloat>();
    if !is_float && !object.is_instance_of::<PyInt>() && !object.is_instance(decimal_class(py)?)? {
        return Ok(None);
    }
    if is_float || !object.is_instance_of::<PyInt>() {
        // `math.isfinite` makes a float of a `Decimal`, which may be too large for one.
        let finite = if is_float {
            py.import("math")?.call_method1("isfinite", (object,))?
        } else {
            decimal_class(py)?.call_method1("is_finite", (object,))?
        };
        if !finite.is_truthy()? {
            return Err(error::plain("the number is not finite"));
        }
    }
    // Subclasses, such as enumerations, may have another text.
    let number = if is_float {
        py.get_type::<PyFloat>().call_method1("__repr__", (object,))?
    } else if object.is_instance_of::<PyInt>() {
        let class = py.get_type::<PyInt>();
        let bits: u64 = class.call_method1("bit_length", (object,))?.extract()?;
        // Python limits the number of digits that `int` writes. `Decimal` has no such limit.
        if bits < 13_000 {
            class.call_method1("__repr__", (object,))?
        } else {
            decimal_class(py)?.call1((object,))?.str()?.into_any()
        }
    } else {
        decimal_class(py)?.call_method1("__str__", (object,))?
    };
    Ok(Some(Json::Number(number.extract()?)))
}
