//! Variables and functions for evaluation.

use std::path::PathBuf;

use hclkit::functions::{Directory, Grants, Library};
use hclkit::{Diagnostics, Functions};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::function::Function;
use crate::limits::Limits;
use crate::{error, function, run, to_python, to_value};

/// Variables and functions for evaluation.
#[pyclass(frozen, subclass, module = "hclkit._hclkit")]
pub(crate) struct Context {
    inner: hclkit::Context,
    calls_python: bool,
    limits: Option<Limits>,
}

#[pymethods]
impl Context {
    #[new]
    #[pyo3(signature = (variables, library, functions, directory, environment, clock, random, limits))]
    #[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "each is an option")]
    fn new(
        variables: Option<&Bound<'_, PyAny>>,
        library: Option<&str>,
        functions: Vec<PyRef<'_, Function>>,
        directory: Option<PathBuf>,
        environment: bool,
        clock: bool,
        random: bool,
        limits: Option<PyRef<'_, Limits>>,
    ) -> PyResult<Self> {
        let mut context = hclkit::Context::new();
        if let Some(variables) = variables {
            let dict = PyDict::new(variables.py());
            dict.update(variables.cast()?)?;
            run::converting(limits.as_deref(), || {
                let mut converter = to_value::Converter::default();
                for (name, value) in dict {
                    let name = name.cast::<PyString>()?.to_str()?.to_owned();
                    context.set(name, converter.value(&value)?);
                }
                Ok::<_, PyErr>(())
            })?;
        }
        let mut grants = Grants::new();
        if let Some(directory) = directory {
            let opened = Directory::open(&directory);
            grants =
                grants
                    .with_directory(opened.map_err(|why| {
                        error::plain(format!("cannot open {}: {why}", directory.display()))
                    })?);
        }
        if environment {
            grants = grants.with_environment();
        }
        if clock {
            grants = grants.with_clock();
        }
        if random {
            grants = grants.with_random();
        }
        let calls_python = !functions.is_empty();
        let mut all = match library {
            Some(name) => name.parse::<Library>().map_err(error::plain)?.functions(&grants),
            None => Functions::new(),
        };
        all.extend(functions.into_iter().map(|it| it.0.clone()));
        context.set_functions(all);
        Ok(Self { inner: context, calls_python, limits: limits.map(|limits| limits.clone()) })
    }

    /// The names of the functions.
    fn function_names(&self) -> Vec<String> {
        let functions = self.inner.functions();
        functions.map(|it| it.names().map(str::to_owned).collect()).unwrap_or_default()
    }
}

impl Context {
    /// Evaluates an expression in this context.
    pub(crate) fn evaluate(
        &self,
        py: Python<'_>,
        expression: &hclkit::Expression,
    ) -> PyResult<hclkit::Value> {
        self.run(py, || expression.evaluate(&self.inner))
    }

    /// Runs an evaluation, whose functions may raise exceptions.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl Fn() -> Result<T, Diagnostics> + Send + Sync,
    ) -> PyResult<T> {
        function::forget();
        let result =
            run::long(py, self.limits.as_ref(), self.calls_python, work, |result| result.as_ref().err());
        let raised = function::raised();
        match (result?, raised) {
            (_, Some(raised)) if function::is_fatal(py, &raised) => Err(raised),
            (Ok(value), _) => Ok(value),
            (Err(found), raised) => {
                let error = error::of(&found);
                error.set_cause(py, raised);
                Err(error)
            }
        }
    }

    /// A result as a Python object, within the limits.
    pub(crate) fn to_python<'py>(
        &self,
        py: Python<'py>,
        value: &hclkit::Value,
    ) -> PyResult<Bound<'py, PyAny>> {
        to_python::limited(py, self.limits.as_ref(), value)
    }

    pub(crate) fn library(&self) -> &hclkit::Context {
        &self.inner
    }

    pub(crate) fn limits(&self) -> Option<&Limits> {
        self.limits.as_ref()
    }
}
