//! The spec language: decoding with a spec file.

use hclkit::decode::Decoder;
use hclkit::model::Dynamic;
use hclkit::value::Path;
use hclkit::{Body, Diagnostics, Source};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString, PyTuple};

use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::document::{Document, Parsed, source};
use crate::value::Value;
use crate::{error, run};

/// A spec: what a language accepts, and the shape of its data.
#[pyclass(frozen, subclass, module = "hclkit._hclkit")]
pub(crate) struct Spec {
    decoder: Decoder,
    source: Source,
}

#[pymethods]
impl Spec {
    #[new]
    #[pyo3(signature = (spec, *, name=None))]
    fn new(py: Python<'_>, spec: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Self> {
        let source = source(py, spec, name, None)?;
        let read = run::quick(py, None, || Decoder::new(source.clone()))?;
        Ok(Self { decoder: read.map_err(|found| error::of(&found))?, source })
    }

    /// What decodes documents, which are merged. Each of `overrides` replaces arguments of them.
    fn _decoding(
        &self,
        py: Python<'_>,
        documents: Vec<PyRef<'_, Document>>,
        overrides: Vec<PyRef<'_, Document>>,
        context: Py<Context>,
        dynamic: bool,
        unknown_variables: bool,
    ) -> PyResult<Decoding> {
        let parsed: Vec<_> = documents.iter().chain(&overrides).map(|it| it.0.clone()).collect();
        if parsed.iter().any(Parsed::has_errors) {
            let mut found = Diagnostics::new();
            for one in parsed {
                found.append(py.detach(|| run::roomy(|| one.diagnostics().clone())));
            }
            return Err(error::of(&found));
        }
        let mut body = Body::merge(documents.iter().map(|it| it.0.body()));
        for one in &overrides {
            body = body.with_override(one.0.body());
        }
        let library = context.get().library();
        let variables: Vec<_> =
            library.variables().map(|(name, value)| (name.clone(), value.clone())).collect();
        let functions = library.functions().cloned().unwrap_or_default();
        let decoder = self
            .decoder
            .clone()
            .with_variables(variables)
            .with_functions(functions)
            .with_dynamic(dynamic)
            .with_unknown_variables(unknown_variables);
        Ok(Decoding { decoder, body, context, dynamic })
    }

    /// The spec as a JSON Schema for the JSON syntax, as text. With `dynamic`, it accepts `dynamic` blocks, too.
    #[pyo3(signature = (title="", *, dynamic=false))]
    fn json_schema(&self, title: &str, dynamic: bool) -> PyResult<String> {
        let options = hclkit::schema::JsonSchemaOptions::new(title);
        let options = if dynamic { options.with_dynamic() } else { options };
        let schema = hclkit::schema::json_schema(self.decoder.spec_file(), &options);
        serde_json::to_string_pretty(&schema).map_err(error::plain)
    }

    /// Documentation of the language in Markdown.
    #[pyo3(signature = (title=""))]
    fn markdown(&self, title: &str) -> String {
        hclkit::schema::markdown(self.decoder.spec_file(), title)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let source = &slf.get().source;
        // The name says which syntax it is.
        let make = slf.py().import("hclkit._pickle")?.getattr("spec")?;
        let arguments = (slf.get_type(), source.text(), source.name()).into_pyobject(slf.py())?;
        Ok((make, arguments))
    }
}

/// Documents that a spec decodes, with the variables and functions for them.
#[pyclass(frozen, module = "hclkit._hclkit")]
pub(crate) struct Decoding {
    decoder: Decoder,
    body: Body,
    context: Py<Context>,
    dynamic: bool,
}

#[pymethods]
impl Decoding {
    /// The decoded value.
    fn value(&self, py: Python<'_>) -> PyResult<Value> {
        let work = || self.decoder.decode(&self.body);
        self.context.get().run(py, work).map(Value)
    }

    /// An error that code of Python found in the value at a path, at the place that the part comes from.
    fn problem(&self, message: String, path: &Bound<'_, PyList>) -> PyResult<Diagnostic> {
        let mut steps = Path::new();
        for step in path {
            steps = if let Ok(name) = step.cast::<PyString>() {
                steps.attribute(name.to_str()?)
            } else if step.is_instance_of::<PyInt>() {
                steps.index(step.extract::<usize>()?)
            } else {
                break;
            };
        }
        let context = self.decoder.context();
        let expanded;
        let body = if self.dynamic {
            expanded = Dynamic::new(&context).expand(&self.body);
            &expanded
        } else {
            &self.body
        };
        let place = run::roomy(|| self.decoder.spec_file().spec.place_of(body, &steps));
        Ok(Diagnostic(hclkit::Diagnostic::error(message).at(place)))
    }
}
