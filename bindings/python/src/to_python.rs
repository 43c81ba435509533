//! Values of the library as Python objects.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::rc::Rc;

use hclkit::limits::{Meter, with_room};
use hclkit::value::{Kind, Number};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyType};

use crate::limits::Limits;
use crate::parts::{SHORT, Turns};
use crate::unknown::{Sensitive, Unknown};
use crate::value::Value;
use crate::{error, run};

/// Converts a value within limits, if there are any. Whole numbers are `int`, others `Decimal`; lists, sets and tuples are
/// `list`, maps and objects `dict`.
pub(crate) fn limited<'py>(
    py: Python<'py>,
    limits: Option<&Limits>,
    value: &hclkit::Value,
) -> PyResult<Bound<'py, PyAny>> {
    run::converting(limits, || match limits {
        Some(_) => Converter::new(py).with_limits().value(value),
        None => Converter::new(py).value(value),
    })
}

/// Converts values, of which equal parts may be shared. A value can contain a shared part exponentially many times, so each is
/// one object, also if several values share it.
pub(crate) struct Converter<'py, 'v> {
    py: Python<'py>,
    /// The limits that count the objects.
    meter: Option<Rc<Meter>>,
    /// The objects of shared parts by their addresses, which stay the same as long as the values live.
    shared: HashMap<*const (), Bound<'py, PyAny>>,
    /// Those of long texts.
    texts: HashMap<*const u8, Bound<'py, PyString>>,
    turns: Turns,
    values: PhantomData<&'v hclkit::Value>,
}

impl<'py, 'v> Converter<'py, 'v> {
    /// A conversion that takes as much as the values have parts.
    pub(crate) fn new(py: Python<'py>) -> Self {
        let (shared, texts, turns) = (HashMap::new(), HashMap::new(), Turns::default());
        Self { py, meter: None, shared, texts, turns, values: PhantomData }
    }

    /// The same under the limits of the current run, which count the objects as elements.
    pub(crate) fn with_limits(mut self) -> Self {
        self.meter = Some(Meter::current());
        self
    }

    pub(crate) fn value(&mut self, value: &'v hclkit::Value) -> PyResult<Bound<'py, PyAny>> {
        let place = value.shared_place();
        if let Some(found) = place.and_then(|place| self.shared.get(&place)) {
            return Ok(found.clone());
        }
        self.turns.next(self.py)?;
        self.meter.as_ref().map_or(Ok(()), |meter| meter.take_elements(1)).map_err(error::exceeded)?;
        let converted = self.unshared(value)?;
        if let Some(place) = place {
            self.shared.insert(place, converted.clone());
        }
        Ok(converted)
    }

    fn take_text(&mut self, text: &str) -> PyResult<()> {
        self.turns.text(self.py, text)?;
        self.meter.as_ref().map_or(Ok(()), |meter| meter.take_bytes(text.len())).map_err(error::exceeded)
    }

    fn unshared(&mut self, value: &'v hclkit::Value) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        Ok(match value.kind() {
            Kind::Null(_) => py.None().into_bound(py),
            Kind::Bool(flag) => PyBool::new(py, flag).to_owned().into_any(),
            Kind::Number(found) => {
                if let Some(small) = found.to_i64() {
                    small.into_pyobject(py)?.into_any()
                } else {
                    let text = found.to_string();
                    self.take_text(&text)?;
                    long_number(py, found, &text)?
                }
            }
            Kind::String(text) => self.text(text)?.into_any(),
            Kind::List(_) | Kind::Tuple(_) | Kind::Set(_) => {
                let elements = value.parts().iter().map(|element| with_room(|| self.value(element)));
                PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
            Kind::Map(_) | Kind::Object(_) => {
                let dict = PyDict::new(py);
                for (name, element) in value.entries().into_iter().flatten() {
                    let element = with_room(|| self.value(element))?;
                    dict.set_item(self.text(name)?, element)?;
                }
                dict.into_any()
            }
            Kind::Unknown(..) => Bound::new(py, Unknown(value.clone()))?.into_any(),
            Kind::Marked(marks, inner) => {
                let inner = with_room(|| self.value(inner))?;
                Bound::new(py, Sensitive::of(inner.unbind(), marks.clone()))?.into_any()
            }
            Kind::Capsule(_) => Bound::new(py, Value(value.clone()))?.into_any(),
        })
    }

    /// A text. A long one is one object, because many parts may share it.
    fn text(&mut self, text: &'v str) -> PyResult<Bound<'py, PyString>> {
        if text.len() <= SHORT {
            self.take_text(text)?;
            return Ok(PyString::new(self.py, text));
        }
        if let Some(found) = self.texts.get(&text.as_ptr()) {
            return Ok(found.clone());
        }
        self.take_text(text)?;
        // Unlike `new`, it raises `MemoryError`.
        let converted = PyString::from_bytes(self.py, text.as_bytes())?;
        self.texts.insert(text.as_ptr(), converted.clone());
        Ok(converted)
    }
}

/// Converts a number without loss.
pub(crate) fn number<'py>(py: Python<'py>, number: &Number) -> PyResult<Bound<'py, PyAny>> {
    if let Some(small) = number.to_i64() {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    long_number(py, number, &number.to_string())
}

/// A number with its text.
fn long_number<'py>(py: Python<'py>, number: &Number, text: &str) -> PyResult<Bound<'py, PyAny>> {
    // Very large numbers have few digits, and then zeros.
    let digits = text.trim_end_matches('0');
    if number.is_integer() && text.len() > MOST_DIGITS && digits.len() < text.len() {
        return decimal(py, &format!("{digits}e{}", text.len() - digits.len()));
    }
    self::digits(py, text)
}

/// Whole numbers with more digits are `Decimal`: making an `int` from digits takes quadratic time.
const MOST_DIGITS: usize = 10_000;

/// Digits as a number: `int` if they are a whole number without a point and an exponent, or else `Decimal`.
pub(crate) fn digits<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(small) = text.parse::<i64>() {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    let is_whole = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    if is_whole && text.len() <= MOST_DIGITS { integer(py, text) } else { decimal(py, text) }
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
