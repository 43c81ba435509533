//! Values that stay as they are: with their exact type, marks and refinements.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;

use crate::types::Type;
use crate::{error, to_python, to_value};

/// A value with its HCL type.
#[pyclass(frozen, eq, module = "hclkit")]
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

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        on_stack(&self.0, || self.0 == other.0)
    }
}

#[pymethods]
impl Value {
    /// Converts an object, to a type if there is one.
    #[new]
    #[pyo3(signature = (value, r#type=None))]
    fn new(value: &Bound<'_, PyAny>, r#type: Option<PyRef<'_, Type>>) -> PyResult<Self> {
        let value = to_value::value(value)?;
        match r#type {
            None => Ok(Self(value)),
            Some(ty) => Self(value).convert(&ty),
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
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python::value(py, &self.0)
    }

    /// The value converted to a type.
    fn convert(&self, r#type: &Type) -> PyResult<Self> {
        on_stack(&self.0, || self.0.convert(&r#type.0)).map(Self).map_err(error::plain)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        on_stack(&self.0, || self.0.hash(&mut hasher));
        hasher.finish()
    }

    /// HCL source. Sensitive values are hidden.
    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Value({})", self.0)
    }
}
