//! Types as objects.

use std::collections::HashSet;

use hclkit::model::constraint_of;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::{error, parts, run};

/// The type of a value.
#[pyclass(frozen, eq, hash, module = "hclkit")]
#[derive(Clone, PartialEq, Hash)]
pub(crate) struct Type(pub(crate) hclkit::Type);

impl Type {
    /// A type, unless it has so many levels that dropping or comparing it would take too much stack.
    pub(crate) fn new(ty: hclkit::Type) -> PyResult<Self> {
        const MAX_DEPTH: usize = 1_000;
        let mut level = vec![&ty];
        for _ in 0..MAX_DEPTH {
            let mut seen = HashSet::new();
            // The same part may occur many times.
            let inner =
                level.into_iter().flat_map(parts_of).filter(|it| seen.insert(std::ptr::from_ref(*it)));
            level = inner.collect();
            if level.is_empty() {
                return Ok(Self(ty));
            }
        }
        Err(error::plain("the type is nested too deeply"))
    }
}

/// The types in a type.
fn parts_of(ty: &hclkit::Type) -> Vec<&hclkit::Type> {
    if let Some(element) = ty.element() {
        return vec![element];
    }
    if let Some(elements) = ty.tuple_elements() {
        return elements.iter().collect();
    }
    let object = ty.as_object();
    object.map_or_else(Vec::new, |it| it.attributes().map(|(_, ty)| ty).collect())
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
    fn list(element: &Self) -> PyResult<Self> {
        Self::new(hclkit::Type::list(element.0.clone()))
    }

    /// The type of sets whose elements have a type.
    #[staticmethod]
    fn set(element: &Self) -> PyResult<Self> {
        Self::new(hclkit::Type::set(element.0.clone()))
    }

    /// The type of maps whose elements have a type.
    #[staticmethod]
    fn map(element: &Self) -> PyResult<Self> {
        Self::new(hclkit::Type::map(element.0.clone()))
    }

    /// The type of tuples.
    #[staticmethod]
    fn tuple(elements: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        Self::new(hclkit::Type::tuple(elements.iter().map(|it| it.0.clone())))
    }

    /// The type of objects.
    #[staticmethod]
    fn object(attributes: &Bound<'_, PyDict>) -> PyResult<Self> {
        let attributes = parts::of_dict(attributes)?.map(|(name, ty)| {
            let ty: PyRef<'_, Self> = ty.extract()?;
            Ok((name.extract::<String>()?, ty.0.clone()))
        });
        Self::new(hclkit::Type::object(attributes.collect::<PyResult<Vec<_>>>()?))
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

    /// HCL source. Raises `LimitError` if parts that occur several times make it too long.
    fn __str__(&self) -> PyResult<String> {
        run::written(self.0.text_size(), &self.0)
    }

    /// A very long text ends with `…`.
    fn __repr__(&self) -> String {
        format!("Type({:?})", self.0)
    }
}

/// Reads a type expression such as `list(string)`.
#[pyfunction]
pub(crate) fn parse_type(py: Python<'_>, text: &str) -> PyResult<Type> {
    let parsed = run::quick(py, None, || constraint_of(&hclkit::Expression::parse(text)?))?;
    Type::new(parsed.map_err(|found| error::of(&found))?)
}
