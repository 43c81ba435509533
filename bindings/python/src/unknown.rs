//! Values that Python does not have: unknown and sensitive ones.

use std::collections::HashSet;

use hclkit::limits::with_room;
use hclkit::value::{Mark, Marks, Number};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::parts::{self, Turns};
use crate::types::Type;
use crate::{error, to_python, to_value};

/// A value that is not known yet.
#[pyclass(frozen, eq, module = "hclkit")]
#[derive(Clone, PartialEq)]
pub(crate) struct Unknown(pub(crate) hclkit::Value);

#[pymethods]
impl Unknown {
    #[new]
    #[pyo3(signature = (r#type=None, *, not_null=false, prefix=None, min=None, max=None, min_length=None, max_length=None))]
    #[allow(clippy::too_many_arguments, reason = "each is a refinement")]
    fn new(
        r#type: Option<PyRef<'_, Type>>,
        not_null: bool,
        prefix: Option<&str>,
        min: Option<&Bound<'_, PyAny>>,
        max: Option<&Bound<'_, PyAny>>,
        min_length: Option<u64>,
        max_length: Option<u64>,
    ) -> PyResult<Self> {
        let ty = r#type.map_or(hclkit::Type::Dynamic, |ty| ty.0.clone());
        let mut refined = hclkit::Value::unknown(ty).refine();
        if not_null {
            refined = refined.with_not_null();
        }
        if let Some(prefix) = prefix {
            refined = refined.with_full_prefix(prefix);
        }
        if let Some(min) = min {
            refined = refined.with_min(to_value::number(min)?);
        }
        if let Some(max) = max {
            refined = refined.with_max(to_value::number(max)?);
        }
        if let Some(length) = min_length {
            refined = refined.with_min_len(length);
        }
        if let Some(length) = max_length {
            refined = refined.with_max_len(length);
        }
        refined.finish().map(Self).map_err(error::plain)
    }

    /// Its type: `any` if not even that is known.
    #[getter]
    fn r#type(&self) -> Type {
        Type(self.0.ty())
    }

    /// Whether it is known not to be null.
    #[getter]
    fn not_null(&self) -> bool {
        self.0.refinement().is_not_null()
    }

    /// What a string is known to begin with.
    #[getter]
    fn prefix(&self) -> String {
        self.0.refinement().prefix().to_owned()
    }

    /// The least number that it can be, or `None`.
    #[getter]
    fn min<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        bound(py, self.0.refinement().min().map(|it| &it.number))
    }

    /// The greatest number that it can be, or `None`.
    #[getter]
    fn max<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        bound(py, self.0.refinement().max().map(|it| &it.number))
    }

    /// The least length of a collection.
    #[getter]
    fn min_length(&self) -> u64 {
        self.0.refinement().min_len()
    }

    /// The greatest length of a collection, or `None`.
    #[getter]
    fn max_length(&self) -> Option<u64> {
        self.0.refinement().max_len()
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("an unknown value is neither true nor false"))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("Unknown({:?})", self.0.ty())
    }
}

fn bound<'py>(py: Python<'py>, number: Option<&Number>) -> PyResult<Option<Bound<'py, PyAny>>> {
    number.map(|number| to_python::number(py, number)).transpose()
}

/// A value with marks, such as a secret.
#[pyclass(frozen, module = "hclkit")]
pub(crate) struct Sensitive {
    /// The value itself.
    #[pyo3(get)]
    value: Py<PyAny>,
    pub(crate) marks: Marks,
}

#[pymethods]
impl Sensitive {
    #[new]
    #[pyo3(signature = (value, marks=None))]
    fn new(value: &Bound<'_, PyAny>, marks: Option<Vec<String>>) -> Self {
        let mark = |name: String| if name == "sensitive" { Mark::sensitive() } else { Mark::new(name) };
        let marks = match marks {
            None => Marks::new([Mark::sensitive()]),
            Some(names) => names.into_iter().map(mark).collect(),
        };
        // Marks of marks are marks of the value.
        match value.cast::<Self>() {
            Ok(inner) => {
                let inner = inner.get();
                Self { value: inner.value.clone_ref(value.py()), marks: marks.union(&inner.marks) }
            }
            Err(_) => Self { value: value.clone().unbind(), marks },
        }
    }

    /// A list may contain itself with marks.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.value)
    }

    /// The names of the marks.
    #[getter]
    fn marks(&self) -> Vec<String> {
        self.marks.names().into_iter().map(str::to_owned).collect()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => {
                let other = other.get();
                let (one, other_one) = (self.value.bind(py), other.value.bind(py));
                Ok(self.marks == other.marks && Comparison::default().are_equal(one, other_one)?)
            }
            Err(_) => Ok(false),
        }
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("a sensitive value is not shown; use .value"))
    }

    fn __repr__(&self) -> String {
        format!("({})", self.marks.names().join(", "))
    }

    fn __str__(&self) -> String {
        self.__repr__()
    }
}

impl Sensitive {
    pub(crate) fn of(value: Py<PyAny>, marks: Marks) -> Self {
        Self { value, marks }
    }

    pub(crate) fn inner<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.value.bind(py).clone()
    }
}

/// A comparison as `==` makes it, but each pair of objects is compared once: objects that share parts would take exponential time.
#[derive(Default)]
struct Comparison<'py> {
    /// The pairs that are equal, or are being compared.
    met: HashSet<(usize, usize)>,
    /// They keep their addresses.
    kept: Vec<Bound<'py, PyAny>>,
    turns: Turns,
}

impl<'py> Comparison<'py> {
    fn are_equal(&mut self, one: &Bound<'py, PyAny>, other: &Bound<'py, PyAny>) -> PyResult<bool> {
        self.turns.next(one.py())?;
        if one.is(other) {
            return Ok(true);
        }
        if let (Ok(one), Ok(other)) = (one.cast_exact::<PyList>(), other.cast_exact::<PyList>()) {
            let is_met = self.is_met(one, other);
            return Ok(is_met || one.len() == other.len() && self.all_equal(one.iter(), other.iter())?);
        }
        if let (Ok(one), Ok(other)) = (one.cast_exact::<PyTuple>(), other.cast_exact::<PyTuple>()) {
            let is_met = self.is_met(one, other);
            return Ok(is_met || one.len() == other.len() && self.all_equal(one.iter(), other.iter())?);
        }
        if let (Ok(one), Ok(other)) = (one.cast_exact::<PyDict>(), other.cast_exact::<PyDict>()) {
            if self.is_met(one, other) {
                return Ok(true);
            }
            if one.len() != other.len() {
                return Ok(false);
            }
            for (name, value) in parts::of_dict(one)? {
                match other.get_item(name)? {
                    Some(other) if with_room(|| self.are_equal(&value, &other))? => {}
                    _ => return Ok(false),
                }
            }
            return Ok(true);
        }
        if let (Ok(one), Ok(other)) = (one.cast::<Sensitive>(), other.cast::<Sensitive>()) {
            let py = one.py();
            let (one, other) = (one.get(), other.get());
            return Ok(
                one.marks == other.marks && with_room(|| self.are_equal(&one.inner(py), &other.inner(py)))?
            );
        }
        one.eq(other)
    }

    fn is_met(&mut self, one: &Bound<'py, PyAny>, other: &Bound<'py, PyAny>) -> bool {
        self.kept.extend([one.clone(), other.clone()]);
        !self.met.insert((one.as_ptr() as usize, other.as_ptr() as usize))
    }

    fn all_equal(
        &mut self,
        mut one: impl Iterator<Item = Bound<'py, PyAny>>,
        mut other: impl Iterator<Item = Bound<'py, PyAny>>,
    ) -> PyResult<bool> {
        while let (Some(one), Some(other)) = (one.next(), other.next()) {
            if !with_room(|| self.are_equal(&one, &other))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
