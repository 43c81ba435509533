//! Python objects as values of the library.

use hclkit::limits::with_room;
use hclkit::value::{Kind, Mark, Marks, Number, Type, unify};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};

use crate::error;
use crate::parts::{self, MAX_DEPTH, Met, SHORT, Turns};
use crate::to_python::decimal_class;
use crate::unknown::{Sensitive, Unknown};
use crate::value::{self, Value};

/// Converts an object: `list` and `tuple` become tuples, `set` and `frozenset` sets, mappings and dataclasses objects.
pub(crate) fn value(object: &Bound<'_, PyAny>) -> PyResult<hclkit::Value> {
    Converter::default().value(object)
}

/// Converts objects. Those that occur several times become shared values, because an object can contain another one
/// exponentially many times. Each is read once, even if code that reading calls changes it.
#[derive(Default)]
pub(crate) struct Converter<'py> {
    met: Met<'py, hclkit::Value>,
    turns: Turns,
}

impl<'py> Converter<'py> {
    pub(crate) fn value(&mut self, object: &Bound<'py, PyAny>) -> PyResult<hclkit::Value> {
        self.at_depth(object, 0)
    }

    /// The same for a part of an object.
    pub(crate) fn at_depth(&mut self, object: &Bound<'py, PyAny>, depth: u32) -> PyResult<hclkit::Value> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        self.turns.next(object.py())?;
        if let Some(value) = atom(object, depth)? {
            return Ok(value);
        }
        if let Some(value) = self.met.get(object) {
            return fits(value, depth);
        }
        let value = self.unmet(object, depth)?;
        self.met.keep(object, value.clone());
        Ok(value)
    }

    /// An object that is long, or has parts.
    fn unmet(&mut self, object: &Bound<'py, PyAny>, depth: u32) -> PyResult<hclkit::Value> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(text.to_str()?.into());
        }
        if let Ok(list) = object.cast::<PyList>() {
            return self.tuple(list.iter(), depth);
        }
        if let Ok(elements) = object.cast::<PyTuple>() {
            return self.tuple(elements.iter(), depth);
        }
        if let Ok(dict) = object.cast::<PyDict>() {
            return self.map(parts::of_dict(dict)?, depth);
        }
        if let Ok(sensitive) = object.cast::<Sensitive>() {
            let sensitive = sensitive.get();
            let inner = with_room(|| self.at_depth(&sensitive.inner(object.py()), depth + 1))?;
            return Ok(inner.with_marks(&sensitive.marks));
        }
        if object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
            return self.set(parts::of_set(object)?, depth);
        }
        if let Some(items) = parts::of_mapping(object)? {
            return self.map(items, depth);
        }
        let is_object = !object.is_instance_of::<pyo3::types::PyType>();
        if is_object && object.hasattr("get_secret_value")? {
            // A secret of pydantic.
            let inner = object.call_method0("get_secret_value")?;
            let inner = with_room(|| self.at_depth(&inner, depth + 1))?;
            return Ok(inner.with_marks(&Marks::new([Mark::sensitive()])));
        }
        if is_object && object.hasattr("__dataclass_fields__")? {
            let names = object.getattr("__dataclass_fields__")?.cast_into::<PyDict>()?;
            let fields = names.keys().iter().map(|name| {
                let field = object.getattr(name.cast::<PyString>()?)?;
                Ok((name, field))
            });
            return self.map(fields.collect::<PyResult<Vec<_>>>()?.into_iter(), depth);
        }
        Err(PyTypeError::new_err(format!(
            "{} cannot be converted to an HCL value",
            object.get_type().name()?
        )))
    }

    fn parts(
        &mut self,
        elements: impl Iterator<Item = Bound<'py, PyAny>>,
        depth: u32,
    ) -> PyResult<Vec<hclkit::Value>> {
        elements.map(|element| with_room(|| self.at_depth(&element, depth + 1))).collect()
    }

    fn tuple(
        &mut self,
        elements: impl Iterator<Item = Bound<'py, PyAny>>,
        depth: u32,
    ) -> PyResult<hclkit::Value> {
        Ok(hclkit::Value::tuple(self.parts(elements, depth)?))
    }

    fn set(
        &mut self,
        elements: impl Iterator<Item = Bound<'py, PyAny>>,
        depth: u32,
    ) -> PyResult<hclkit::Value> {
        let elements = self.parts(elements, depth)?;
        let types: Vec<_> = elements.iter().map(hclkit::Value::ty).collect();
        let element = if types.is_empty() {
            Type::Dynamic
        } else {
            unify(&types).ok_or_else(|| error::plain("the elements of a set must have one type"))?
        };
        let set = hclkit::Value::tuple(elements).convert(&Type::set(element));
        set.map_err(|why| error::of_value(&why))
    }

    fn map(
        &mut self,
        items: impl Iterator<Item = (Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        depth: u32,
    ) -> PyResult<hclkit::Value> {
        let items = items.map(|(name, element)| {
            let name = name.cast::<PyString>().map_err(|_| {
                PyTypeError::new_err("the keys of a mapping must be strings to be converted to an HCL value")
            })?;
            let name = self.name(name)?;
            Ok((name, with_room(|| self.at_depth(&element, depth + 1))?))
        });
        Ok(hclkit::Value::object(items.collect::<PyResult<Vec<_>>>()?))
    }

    /// A key. A long one can be that of many mappings.
    fn name(&mut self, name: &Bound<'py, PyString>) -> PyResult<hclkit::value::Str> {
        let text = name.to_str()?;
        if text.len() <= SHORT {
            return Ok(text.into());
        }
        match self.at_depth(name, 0)?.kind() {
            Kind::String(text) => Ok(text.clone()),
            _ => Ok(text.into()),
        }
    }
}

/// A value that is short, or was converted before.
fn atom(object: &Bound<'_, PyAny>, depth: u32) -> PyResult<Option<hclkit::Value>> {
    if object.is_none() {
        return Ok(Some(hclkit::Value::NULL));
    }
    if let Ok(text) = object.cast::<PyString>() {
        let text = text.to_str()?;
        return Ok((text.len() <= SHORT).then(|| text.into()));
    }
    if let Ok(flag) = object.cast::<PyBool>() {
        return Ok(Some(flag.is_true().into()));
    }
    if object.is_instance_of::<PyInt>() || object.is_instance_of::<PyFloat>() {
        return Ok(Some(number(object)?.into()));
    }
    if let Ok(value) = object.cast::<Value>() {
        return fits(&value.get().0, depth).map(Some);
    }
    if let Ok(unknown) = object.cast::<Unknown>() {
        return Ok(Some(unknown.get().0.clone()));
    }
    if object.is_instance(decimal_class(object.py())?)? {
        return Ok(Some(number(object)?.into()));
    }
    Ok(None)
}

/// A value, unless it is too deep at this place.
fn fits(value: &hclkit::Value, depth: u32) -> PyResult<hclkit::Value> {
    if depth as usize + value.depth() > value::MAX_DEPTH {
        return Err(too_deep());
    }
    Ok(value.clone())
}

fn too_deep() -> PyErr {
    error::plain("the value is nested too deeply, or contains itself")
}

/// Converts `int`, `float` and `Decimal` without loss, or fails.
pub(crate) fn number(object: &Bound<'_, PyAny>) -> PyResult<Number> {
    let inexact = || error::plain("the number has more digits than an HCL number can hold");
    if let Ok(float) = object.cast::<PyFloat>() {
        return Number::try_from(float.value()).map_err(error::plain);
    }
    if object.is_instance_of::<PyInt>() {
        if let Ok(small) = object.extract::<i64>() {
            return Ok(small.into());
        }
        // `str` fails for thousands of digits. Subclasses may have other methods.
        let class = object.py().get_type::<PyInt>();
        let bits: u64 = class.call_method1("bit_length", (object,))?.extract()?;
        if bits > 4_096 {
            return Err(inexact());
        }
        let text = class.call_method1("__repr__", (object,))?.cast_into::<PyString>()?;
        let number: Number = text.to_str()?.parse().map_err(error::plain)?;
        let same = number.to_string() == text.to_str()?;
        return if same { Ok(number) } else { Err(inexact()) };
    }
    let py = object.py();
    if !object.is_instance(decimal_class(py)?)? {
        return Err(PyTypeError::new_err("a number is required"));
    }
    if object.call_method0("is_nan")?.extract::<bool>()? {
        return Err(error::plain("the number is not a number"));
    }
    if object.call_method0("is_infinite")?.extract::<bool>()? {
        let is_negative: bool = object.call_method0("is_signed")?.extract()?;
        return Ok(if is_negative { Number::neg_infinity() } else { Number::infinity() });
    }
    // Large exponents would take memory without end.
    let exponent: i64 = object.call_method0("adjusted")?.extract()?;
    if !(-5_000..=5_000).contains(&exponent) {
        return Err(inexact());
    }
    let text = object.str()?;
    let number: Number = text.to_str()?.parse().map_err(error::plain)?;
    let back = decimal_class(py)?.call1((number.to_string(),))?;
    if back.eq(object)? { Ok(number) } else { Err(inexact()) }
}
