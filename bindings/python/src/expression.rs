//! Expressions and templates.

use hclkit::{Source, StartSymbol};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::context::Context;
use crate::limits::Limits;
use crate::place::Range;
use crate::value::Value;
use crate::{error, run};

/// An expression or a template, which can be evaluated.
#[pyclass(frozen, module = "hclkit")]
#[derive(Clone)]
pub(crate) struct Expression(pub(crate) hclkit::Expression);

#[pymethods]
impl Expression {
    /// The source text.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// Where it is.
    #[getter]
    fn range(&self) -> Range {
        self.0.place().into()
    }

    /// The references that it makes, such as `"var.name"`, in source order.
    #[getter]
    fn references(&self) -> Vec<String> {
        self.0.variables().iter().map(ToString::to_string).collect()
    }

    /// The expressions that it directly consists of.
    #[getter]
    fn parts(&self) -> Vec<Self> {
        self.0.parts().into_iter().map(Self).collect()
    }

    /// The name, if the expression is a single one.
    #[getter]
    fn keyword(&self) -> Option<String> {
        self.0.static_keyword().map(|name| name.as_str().to_owned())
    }

    /// Evaluates it to a Python object.
    #[pyo3(signature = (variables=None, *, functions=None, limits=None))]
    fn evaluate<'py>(
        slf: Bound<'py, Self>,
        variables: Option<Bound<'py, PyAny>>,
        functions: Option<Bound<'py, PyAny>>,
        limits: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let options = PyDict::new(py);
        options.set_item("functions", functions)?;
        options.set_item("limits", limits)?;
        py.import("hclkit._context")?.call_method("evaluate", (slf, variables), Some(&options))
    }

    /// Evaluates it to a Python object.
    fn _evaluate<'py>(&self, py: Python<'py>, context: &Context) -> PyResult<Bound<'py, PyAny>> {
        context.to_python(py, &context.evaluate(py, &self.0)?)
    }

    /// Evaluates it to a value with its type.
    fn _evaluate_value(&self, py: Python<'_>, context: &Context) -> PyResult<Value> {
        context.evaluate(py, &self.0).map(Value)
    }

    /// How its value is computed, as text.
    fn _explain(&self, py: Python<'_>, context: &Context, width: usize) -> PyResult<String> {
        let work = || {
            let explanation = self.0.explain(context.library());
            hclkit::render::Renderer::plain().with_width(width).explanation(&self.0, &explanation)
        };
        run::quick(py, context.limits(), work)
    }

    fn __str__(&self) -> &str {
        self.text()
    }

    /// Nothing can change it.
    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("<expression {}>", self.text())
    }
}

fn read(
    py: Python<'_>,
    text: &str,
    name: &str,
    entry: StartSymbol,
    limits: Option<&Limits>,
) -> PyResult<Expression> {
    let source = Source::new(name, text);
    let read = run::quick(py, limits, || hclkit::Expression::read(source, entry))?;
    read.map(Expression).map_err(|found| error::of(&found))
}

/// Parses an expression.
#[pyfunction]
#[pyo3(signature = (text, *, name="", limits=None))]
pub(crate) fn parse_expression(
    py: Python<'_>,
    text: &str,
    name: &str,
    limits: Option<PyRef<'_, Limits>>,
) -> PyResult<Expression> {
    read(py, text, name, StartSymbol::Expression, limits.as_deref())
}

/// Parses a template.
#[pyfunction]
#[pyo3(signature = (text, *, name="", limits=None))]
pub(crate) fn parse_template(
    py: Python<'_>,
    text: &str,
    name: &str,
    limits: Option<PyRef<'_, Limits>>,
) -> PyResult<Expression> {
    read(py, text, name, StartSymbol::Template, limits.as_deref())
}
