//! Types as objects.

use hclkit::model::constraint_of;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error;

/// The type of a value.
#[pyclass(frozen, eq, hash, module = "hclkit")]
#[derive(Clone, PartialEq)]
pub(crate) struct Type(pub(crate) hclkit::Type);

impl std::hash::Hash for Type {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_string().hash(state);
    }
}

#[pymethods]
#[allow(non_snake_case, reason = "names of Python constants")]
impl Type {
    /// The type of strings.
    #[classattr]
    fn STRING() -> Self {
        Self(hclkit::Type::String)
    }

    /// The type of numbers.
    #[classattr]
    fn NUMBER() -> Self {
        Self(hclkit::Type::Number)
    }

    /// The type of booleans.
    #[classattr]
    fn BOOL() -> Self {
        Self(hclkit::Type::Bool)
    }

    /// Any type.
    #[classattr]
    fn ANY() -> Self {
        Self(hclkit::Type::Dynamic)
    }

    /// The type of lists whose elements have a type.
    #[staticmethod]
    fn list(element: &Self) -> Self {
        Self(hclkit::Type::list(element.0.clone()))
    }

    /// The type of sets whose elements have a type.
    #[staticmethod]
    fn set(element: &Self) -> Self {
        Self(hclkit::Type::set(element.0.clone()))
    }

    /// The type of maps whose elements have a type.
    #[staticmethod]
    fn map(element: &Self) -> Self {
        Self(hclkit::Type::map(element.0.clone()))
    }

    /// The type of tuples.
    #[staticmethod]
    fn tuple(elements: Vec<PyRef<'_, Self>>) -> Self {
        Self(hclkit::Type::tuple(elements.iter().map(|it| it.0.clone())))
    }

    /// The type of objects.
    #[staticmethod]
    fn object(attributes: &Bound<'_, PyDict>) -> PyResult<Self> {
        let attributes = attributes.iter().map(|(name, ty)| {
            let ty: PyRef<'_, Self> = ty.extract()?;
            Ok((name.extract::<String>()?, ty.0.clone()))
        });
        Ok(Self(hclkit::Type::object(attributes.collect::<PyResult<Vec<_>>>()?)))
    }

    /// `"string"`, `"number"`, `"bool"`, `"any"`, `"list"`, `"set"`, `"map"`, `"tuple"`, `"object"` or `"capsule"`.
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.0 {
            hclkit::Type::Bool => "bool",
            hclkit::Type::Capsule(_) => "capsule",
            hclkit::Type::Dynamic => "any",
            hclkit::Type::List(_) => "list",
            hclkit::Type::Map(_) => "map",
            hclkit::Type::Number => "number",
            hclkit::Type::Object(_) => "object",
            hclkit::Type::Set(_) => "set",
            hclkit::Type::String => "string",
            hclkit::Type::Tuple(_) => "tuple",
        }
    }

    /// The type of the elements of a list, set or map; `None` for other types.
    #[getter]
    fn element(&self) -> Option<Self> {
        self.0.element().cloned().map(Self)
    }

    /// The types of the elements of a tuple; `None` for other types.
    #[getter]
    fn elements(&self) -> Option<Vec<Self>> {
        self.0.tuple_elements().map(|elements| elements.iter().cloned().map(Self).collect())
    }

    /// The types of the attributes of an object; `None` for other types.
    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(object) = self.0.as_object() else { return Ok(None) };
        let attributes = PyDict::new(py);
        for name in object.names() {
            if let Some(ty) = object.get(name) {
                attributes.set_item(name.as_str(), Self(ty.clone()))?;
            }
        }
        Ok(Some(attributes))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Type({})", self.0)
    }
}

/// Reads a type expression such as `list(string)`.
#[pyfunction]
pub(crate) fn parse_type(text: &str) -> PyResult<Type> {
    let expression = hclkit::Expression::parse(text).map_err(|found| error::of(&found))?;
    constraint_of(&expression).map(Type).map_err(|found| error::of(&found))
}
