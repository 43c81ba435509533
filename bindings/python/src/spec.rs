//! The spec language: decoding with a spec file.

use hclkit::decode::Decoder;
use hclkit::functions::{Grants, Library};
use pyo3::prelude::*;

use crate::document::{Document, source};
use crate::limits::Limits;
use crate::module::pairs;
use crate::value::Value;
use crate::{error, run};

/// A spec: what a language accepts, and the shape of its data.
#[pyclass(frozen, subclass, module = "hclkit._hclkit")]
pub(crate) struct Spec(Decoder);

#[pymethods]
impl Spec {
    #[new]
    #[pyo3(signature = (spec, *, name=None))]
    fn new(py: Python<'_>, spec: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Self> {
        let source = source(py, spec, name, None)?;
        let read = run::quick(py, None, || Decoder::new(source))?;
        read.map(Self).map_err(|found| error::of(&found))
    }

    /// Decodes a document.
    #[allow(clippy::too_many_arguments, reason = "each is an option")]
    fn _decode(
        &self,
        py: Python<'_>,
        document: &Document,
        variables: Option<&Bound<'_, PyAny>>,
        library: Option<&str>,
        dynamic: bool,
        unknown_variables: bool,
        limits: Option<PyRef<'_, Limits>>,
    ) -> PyResult<Value> {
        if document.0.has_errors() {
            return Err(error::of(py.detach(|| run::roomy(|| document.0.diagnostics()))));
        }
        let mut decoder = self
            .0
            .clone()
            .with_variables(pairs(variables)?)
            .with_dynamic(dynamic)
            .with_unknown_variables(unknown_variables);
        if let Some(library) = library {
            let library: Library = library.parse().map_err(error::plain)?;
            decoder = decoder.with_functions(library.functions(&Grants::new()));
        }
        let body = document.0.body();
        let limits = limits.map(|limits| limits.clone());
        let decoded =
            run::long(py, limits.as_ref(), false, || decoder.decode(&body), |result| result.as_ref().err())?;
        decoded.map(Value).map_err(|found| error::of(&found))
    }

    /// The spec as a JSON Schema for the JSON syntax, as text. With `dynamic`, it accepts `dynamic` blocks, too.
    #[pyo3(signature = (title="", *, dynamic=false))]
    fn json_schema(&self, title: &str, dynamic: bool) -> PyResult<String> {
        let options = hclkit::schema::JsonSchemaOptions::new(title);
        let options = if dynamic { options.with_dynamic() } else { options };
        let schema = hclkit::schema::json_schema(self.0.spec_file(), &options);
        serde_json::to_string_pretty(&schema).map_err(error::plain)
    }

    /// Documentation of the language in Markdown.
    #[pyo3(signature = (title=""))]
    fn markdown(&self, title: &str) -> String {
        hclkit::schema::markdown(self.0.spec_file(), title)
    }
}
