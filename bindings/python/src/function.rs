//! Functions that are Python callables.

use std::cell::RefCell;

use hclkit::value::{Error, Parameter};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::types::Type;
use crate::{to_python, to_value};

thread_local! {
    /// The last exception of a callable during the evaluation on this thread.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Forgets exceptions of earlier evaluations.
pub(crate) fn forget() {
    RAISED.take();
}

/// The last exception that a callable raised in this evaluation.
pub(crate) fn raised() -> Option<PyErr> {
    RAISED.take()
}

/// Whether an exception must reach the caller, such as `KeyboardInterrupt`, even if the expression catches errors.
pub(crate) fn is_fatal(py: Python<'_>, error: &PyErr) -> bool {
    !error.is_instance_of::<PyException>(py)
}

/// A function for expressions that calls a Python callable.
#[pyclass(frozen, module = "hclkit")]
#[derive(Clone)]
pub(crate) struct Function(pub(crate) hclkit::value::Function);

#[pymethods]
impl Function {
    #[new]
    #[pyo3(signature = (name, callable, parameters, variadic, result, description, impure))]
    fn new(
        name: String,
        callable: Py<PyAny>,
        parameters: Vec<(String, PyRef<'_, Type>, bool)>,
        variadic: Option<(String, PyRef<'_, Type>, bool)>,
        result: PyRef<'_, Type>,
        description: String,
        impure: bool,
    ) -> Self {
        let function = hclkit::value::Function::unnamed(result.0.clone(), move |arguments, ty| {
            Python::attach(|py| {
                call(py, &callable, arguments, ty).map_err(|error| {
                    let text = error.value(py).str();
                    let message = text.map_or_else(|_| String::new(), |it| start_of(&it.to_string_lossy()));
                    let name = error.get_type(py).name().map_or_else(|_| String::new(), |it| it.to_string());
                    RAISED.set(Some(error));
                    Error::new(if message.is_empty() { name } else { format!("{name}: {message}") })
                })
            })
        });
        let parameter = |(name, ty, nullable): &(String, PyRef<'_, Type>, bool)| {
            let parameter = Parameter::new(name.as_str(), ty.0.clone());
            if *nullable { parameter.with_nulls().with_dynamic() } else { parameter }
        };
        let function = function.with_name(name).with_description(description);
        let function = parameters.iter().fold(function, |it, one| it.with_parameter(parameter(one)));
        let function = match &variadic {
            Some(one) => function.with_variadic(parameter(one)),
            None => function,
        };
        Self(if impure { function.with_impure() } else { function })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        format!("<function {}>", self.0.name())
    }
}

/// The start of a message. One of an evaluation in an evaluation has those of the inner ones in it, which can be hundreds.
fn start_of(message: &str) -> String {
    const MOST: usize = 2_000;
    match message.char_indices().nth(MOST) {
        None => message.to_owned(),
        Some((end, _)) => format!("{}…", &message[..end]),
    }
}

fn call(
    py: Python<'_>,
    callable: &Py<PyAny>,
    arguments: &[hclkit::Value],
    ty: &hclkit::Type,
) -> PyResult<hclkit::Value> {
    // After an exception that must end the program, such as one for Ctrl-C, nothing else is called.
    if let Some(error) =
        RAISED.with_borrow(|it| it.as_ref().filter(|it| is_fatal(py, it)).map(|it| it.clone_ref(py)))
    {
        return Err(error);
    }
    // The limits of the evaluation count the objects that calls make.
    let mut converter = to_python::Converter::new(py).with_limits();
    let arguments = arguments.iter().map(|argument| converter.value(argument));
    let arguments = PyTuple::new(py, arguments.collect::<PyResult<Vec<_>>>()?)?;
    let result = callable.bind(py).call1(arguments)?;
    to_value::value(&result)?.convert(ty).map_err(|why| crate::error::of_value(&why))
}
