//! Values that stay as they are: with their exact type, marks and refinements.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;

use crate::limits::Limits;
use crate::types::Type;
use crate::{error, run, to_python, to_value};

/// A value with its HCL type.
#[pyclass(frozen, module = "hclkit")]
#[derive(Clone)]
pub(crate) struct Value(pub(crate) hclkit::Value);

/// The levels that values from Python may have, as evaluation has them. It creates deeper ones only if its limits say so.
pub(crate) const MAX_DEPTH: usize = hclkit::Limits::VALUE_DEPTH as usize;

/// Runs what visits a value level by level, on a stack that is large enough for it.
fn on_stack<T>(value: &hclkit::Value, work: impl FnOnce() -> T) -> T {
    /// Threads may have little stack.
    const SHALLOW: usize = 100;
    const LEVEL: usize = 2 << 10;
    match value.depth() {
        0..SHALLOW => work(),
        levels => stacker::grow((256 << 10) + levels * LEVEL, work),
    }
}

#[pymethods]
impl Value {
    /// Converts an object, to a type if there is one.
    #[new]
    #[pyo3(signature = (value, r#type=None))]
    fn new(py: Python<'_>, value: &Bound<'_, PyAny>, r#type: Option<PyRef<'_, Type>>) -> PyResult<Self> {
        let value = to_value::value(value)?;
        match r#type {
            None => Ok(Self(value)),
            Some(ty) => Self(value).convert(py, &ty),
        }
    }

    /// The type.
    #[getter]
    fn r#type(&self) -> PyResult<Type> {
        Type::new(on_stack(&self.0, || self.0.ty()))
    }

    /// Whether nothing in it is unknown.
    #[getter]
    fn is_known(&self) -> bool {
        self.0.is_wholly_known()
    }

    /// The Python object.
    #[pyo3(signature = (*, limits=None))]
    fn to_python<'py>(
        &self,
        py: Python<'py>,
        limits: Option<PyRef<'py, Limits>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        to_python::limited(py, limits.as_deref(), &self.0)
    }

    /// The value converted to a type.
    fn convert(&self, py: Python<'_>, r#type: &Type) -> PyResult<Self> {
        // Each value has at least some bytes.
        let converted = run::sized(py, Some(&Limits::default()), self.0.text_size() / 8, || {
            on_stack(&self.0, || self.0.convert(&r#type.0))
        })?;
        converted.map(Self).map_err(|why| error::of_value(&why))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<Self>() {
            Ok(other) => {
                let other = other.get();
                py.detach(|| on_stack(&self.0, || self.0 == other.0))
            }
            Err(_) => false,
        }
    }

    fn __hash__(&self, py: Python<'_>) -> u64 {
        py.detach(|| {
            let mut hasher = DefaultHasher::new();
            on_stack(&self.0, || self.0.hash(&mut hasher));
            hasher.finish()
        })
    }

    /// HCL source. Sensitive values are hidden. Raises `LimitError` if parts that occur several times make it too long.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| on_stack(&self.0, || run::written(self.0.text_size(), &self.0)))
    }

    /// A very long text ends with `…`.
    fn __repr__(&self) -> String {
        format!("Value({:?})", self.0)
    }
}
