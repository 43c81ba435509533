//! The exceptions of the package: `HclError` and its subclasses, which are Python classes.

use hclkit::limits::Exceeded;
use hclkit::render::Renderer;
use hclkit::value::ErrorKind;
use hclkit::write::EditError;
use hclkit::{Code, Diagnostic, Diagnostics};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::diagnostic;

static ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static LIMIT_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

fn class<'py>(py: Python<'py>, kept: &PyOnceLock<Py<PyType>>, name: &str) -> PyResult<Bound<'py, PyType>> {
    let found = kept.get_or_try_init(py, || {
        let class = py.import("hclkit._errors")?.getattr(name)?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(found.bind(py).clone())
}

/// Creates an `HclError`, or a `LimitError` if a limit was exceeded.
pub(crate) fn of(diagnostics: &Diagnostics) -> PyErr {
    let text = Renderer::plain().diagnostics(diagnostics);
    Python::attach(|py| {
        let (kept, name) =
            if diagnostics.has_limit() { (&LIMIT_ERROR, "LimitError") } else { (&ERROR, "HclError") };
        match class(py, kept, name) {
            Ok(class) => PyErr::from_type(class, (text.trim_end().to_owned(), diagnostic::list(diagnostics))),
            Err(error) => error,
        }
    })
}

/// Creates an `HclError` without a place.
pub(crate) fn plain(message: impl std::fmt::Display) -> PyErr {
    let message = message.to_string();
    Python::attach(|py| match class(py, &ERROR, "HclError") {
        Ok(class) => PyErr::from_type(class, (message, Vec::<diagnostic::Diagnostic>::new())),
        Err(error) => error,
    })
}

/// Creates a `LimitError` without a place.
pub(crate) fn exceeded(exceeded: Exceeded) -> PyErr {
    of_one(Diagnostic::exceeded(exceeded))
}

/// Creates the `LimitError` for objects that occur several times, and that would be written each time.
pub(crate) fn repeated(code: Code, most: &str) -> PyErr {
    of_one(Diagnostic::error(code).with_note(format!(
        "Objects that occur several times are written each time, which would add more than {most}."
    )))
}

fn of_one(diagnostic: Diagnostic) -> PyErr {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(diagnostic);
    of(&diagnostics)
}

/// Creates an `HclError` for an operation on a value, or a `LimitError`.
pub(crate) fn of_value(error: &hclkit::value::Error) -> PyErr {
    match error.kind() {
        ErrorKind::Limit(limit) => exceeded(limit),
        _ => plain(error),
    }
}

/// Creates an `HclError` for an edit of what a path selects, or a `LimitError`.
pub(crate) fn of_edit(path: &str, error: &EditError) -> PyErr {
    match error {
        EditError::Exceeded(limit) => exceeded(*limit),
        _ if path.is_empty() => plain(error),
        _ => plain(format!("{path}: {error}")),
    }
}

/// The error for a file that cannot be read: an `OSError`, as from `open`.
pub(crate) fn unreadable(error: &std::io::Error) -> PyErr {
    use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyPermissionError};
    let message = error.to_string();
    match error.kind() {
        std::io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
        std::io::ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}
