//! Values that stay as they are: with their exact type, marks and refinements.

use pyo3::prelude::*;

use crate::types::Type;
use crate::{error, to_python, to_value};

/// A value with its HCL type.
#[pyclass(frozen, eq, module = "hclkit")]
#[derive(Clone, PartialEq)]
pub(crate) struct Value(pub(crate) hclkit::Value);

#[pymethods]
impl Value {
    /// Converts an object, to a type if there is one.
    #[new]
    #[pyo3(signature = (value, r#type=None))]
    fn new(value: &Bound<'_, PyAny>, r#type: Option<PyRef<'_, Type>>) -> PyResult<Self> {
        let value = to_value::value(value)?;
        match r#type {
            None => Ok(Self(value)),
            Some(ty) => value.convert(&ty.0).map(Self).map_err(error::plain),
        }
    }

    /// The type.
    #[getter]
    fn r#type(&self) -> Type {
        Type(self.0.ty())
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
        self.0.convert(&r#type.0).map(Self).map_err(error::plain)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
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
