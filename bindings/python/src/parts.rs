//! The parts of Python objects, which may change while they are read: by code of the user that reading calls, or by other threads.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

/// Deeper objects contain themselves, or cannot be read back.
pub(crate) const MAX_DEPTH: u32 = 900;

/// A name and its value.
type Item<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The items of a dictionary as they are now.
pub(crate) fn of_dict<'py>(dict: &Bound<'py, PyDict>) -> PyResult<impl Iterator<Item = Item<'py>>> {
    Ok(dict.copy()?.into_iter())
}

/// The items of any other mapping.
pub(crate) fn of_mapping<'py>(mapping: &Bound<'py, PyMapping>) -> PyResult<impl Iterator<Item = Item<'py>>> {
    let pair = |item: Bound<'py, PyAny>| {
        item.extract().map_err(|_| PyTypeError::new_err("the items of a mapping must be pairs"))
    };
    Ok(mapping.items()?.iter().map(pair).collect::<PyResult<Vec<Item<'py>>>>()?.into_iter())
}

/// The elements of a set as they are now.
pub(crate) fn of_set<'py>(set: &Bound<'py, PyAny>) -> PyResult<impl Iterator<Item = Bound<'py, PyAny>>> {
    Ok(set.try_iter()?.collect::<PyResult<Vec<_>>>()?.into_iter())
}
