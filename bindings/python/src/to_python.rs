//! Values of the library as Python objects.

use hclkit::limits::with_room;
use hclkit::value::{Kind, Number};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyType};

use crate::special::{Sensitive, Unknown};
use crate::value::Value;

/// Converts a value. Whole numbers are `int`, others `Decimal`; lists, sets and tuples are `list`, maps and objects `dict`.
pub(crate) fn value<'py>(py: Python<'py>, value: &hclkit::Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value.kind() {
        Kind::Null(_) => py.None().into_bound(py),
        Kind::Bool(flag) => PyBool::new(py, flag).to_owned().into_any(),
        Kind::Number(found) => number(py, found)?,
        Kind::String(text) => PyString::new(py, text).into_any(),
        Kind::List(list) => sequence(py, list.iter())?,
        Kind::Tuple(tuple) => sequence(py, tuple.iter())?,
        Kind::Set(set) => sequence(py, set.iter())?,
        Kind::Map(map) => mapping(py, map.iter())?,
        Kind::Object(object) => mapping(py, object.iter())?,
        Kind::Unknown(..) => Bound::new(py, Unknown(value.clone()))?.into_any(),
        Kind::Marked(marks, inner) => {
            let inner = with_room(|| self::value(py, inner))?;
            Bound::new(py, Sensitive::of(inner.unbind(), marks.clone()))?.into_any()
        }
        Kind::Capsule(_) => Bound::new(py, Value(value.clone()))?.into_any(),
    })
}

fn sequence<'py, 'v>(
    py: Python<'py>,
    elements: impl Iterator<Item = &'v hclkit::Value>,
) -> PyResult<Bound<'py, PyAny>> {
    let elements = elements.map(|element| with_room(|| value(py, element)));
    Ok(PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

fn mapping<'py>(py: Python<'py>, entries: hclkit::value::Entries<'_>) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    for (name, element) in entries {
        dict.set_item(PyString::new(py, name), with_room(|| value(py, element))?)?;
    }
    Ok(dict.into_any())
}

/// Converts a number without loss.
pub(crate) fn number<'py>(py: Python<'py>, number: &Number) -> PyResult<Bound<'py, PyAny>> {
    if let Some(small) = number.to_i64() {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    let text = number.to_string();
    if number.is_integer() { integer(py, &text) } else { decimal(py, &text) }
}

/// Digits as a number: `int` if they are a whole number without a point and an exponent, or else `Decimal`.
pub(crate) fn digits<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(small) = text.parse::<i64>() {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    let is_whole = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    if is_whole { integer(py, text) } else { decimal(py, text) }
}

/// A whole number of any size. Python limits the number of digits that `int` reads.
fn integer<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    const MOST: usize = 4_000;
    let class = py.get_type::<PyInt>();
    if text.len() <= MOST {
        return class.call1((text,));
    }
    // `Decimal` has no such limit.
    class.call1((decimal(py, text)?,))
}

fn decimal<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    decimal_class(py)?.call1((text,))
}

/// The class `decimal.Decimal`.
pub(crate) fn decimal_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "decimal", "Decimal")
}
