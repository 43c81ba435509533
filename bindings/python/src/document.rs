//! Parsing, and documents: text with its syntax tree and diagnostics.

use std::path::PathBuf;
use std::sync::Arc;

use hclkit::model::ParseOptions;
use hclkit::syntax::json::JsonDocument;
use hclkit::{Diagnostics, Source, StartSymbol, Syntax};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

use crate::body::Body;
use crate::diagnostic::{self, Diagnostic};
use crate::edit::Editor;
use crate::limits::Limits;
use crate::{error, run};

/// What a document is made of anew: its name, its text, and whether it is JSON.
type Pickled<'py> = (String, Bound<'py, PyBytes>, bool);

/// A parsed file. A file with errors is a document, too.
#[pyclass(frozen, weakref, module = "hclkit")]
#[derive(Clone)]
pub(crate) struct Document(pub(crate) Parsed);

/// The document in one of the syntaxes.
#[derive(Clone)]
pub(crate) enum Parsed {
    Native(hclkit::Document),
    Json(JsonDocument),
}

impl Parsed {
    pub(crate) fn new(source: Source, syntax: Syntax) -> Self {
        match syntax {
            Syntax::Native => Self::Native(hclkit::Document::parse(source, StartSymbol::Config)),
            Syntax::Json => Self::Json(JsonDocument::parse(source)),
            Syntax::Hcl1 => {
                let document = hclkit::Document::parse_hcl1(source);
                match document.json() {
                    Some(json) => Self::Json(json.clone()),
                    None => Self::Native(document),
                }
            }
        }
    }

    pub(crate) fn source(&self) -> &Arc<Source> {
        match self {
            Self::Native(document) => document.shared_source(),
            Self::Json(document) => document.shared_source(),
        }
    }

    pub(crate) fn diagnostics(&self) -> &Diagnostics {
        match self {
            Self::Native(document) => document.diagnostics(),
            Self::Json(document) => document.diagnostics(),
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        match self {
            Self::Native(document) => document.has_errors(),
            Self::Json(document) => document.has_errors(),
        }
    }

    pub(crate) fn body(&self) -> hclkit::Body {
        match self {
            Self::Native(document) => hclkit::Body::from_ast(document.body()),
            Self::Json(document) => hclkit::Body::from_json(document.root()),
        }
    }

    /// The document for editing and queries, which read both syntaxes in one way.
    pub(crate) fn editable(&self) -> hclkit::Document {
        match self {
            Self::Native(document) => document.clone(),
            Self::Json(document) => hclkit::Document::parse_json(document.shared_source().clone()),
        }
    }
}

#[pymethods]
impl Document {
    /// The text. Bytes that are not UTF-8 are replaced.
    #[getter]
    fn text(&self) -> &str {
        self.0.source().text()
    }

    /// The name of the source.
    #[getter]
    fn name(&self) -> &str {
        self.0.source().name()
    }

    /// `"native"` or `"json"`.
    #[getter]
    fn syntax(&self) -> &'static str {
        match self.0 {
            Parsed::Native(_) => "native",
            Parsed::Json(_) => "json",
        }
    }

    /// The errors and warnings.
    #[getter]
    fn diagnostics(&self, py: Python<'_>) -> Vec<Diagnostic> {
        // The first call parses again, to try the fixes.
        diagnostic::list(py.detach(|| run::roomy(|| self.0.diagnostics())))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let (py, parsed) = (slf.py(), &slf.get().0);
        let make = py.import("hclkit._hclkit")?.getattr("unpickled_document")?;
        let source = parsed.source();
        let text = PyBytes::new(py, source.bytes());
        Ok((make, (source.name().to_owned(), text, matches!(parsed, Parsed::Json(_)))))
    }

    /// Whether there are errors.
    #[getter]
    fn has_errors(&self) -> bool {
        self.0.has_errors()
    }

    /// The attributes and blocks of the file. If there are errors, those that could be read.
    #[getter]
    fn body(&self) -> Body {
        Body::new(self.0.body(), self.0.clone())
    }

    /// Raises `HclError` if there are errors. Returns the document.
    fn check(slf: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        if slf.0.has_errors() {
            let document = slf.0.clone();
            return Err(error::of(slf.py().detach(|| run::roomy(|| document.diagnostics()))));
        }
        Ok(slf)
    }

    /// Begins to edit the document: `document.edit().set("web.port", 8080).apply()` returns the new one.
    fn edit(&self, py: Python<'_>) -> PyResult<Editor> {
        Editor::new(py, self)
    }

    /// Nothing can change it.
    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __repr__(&self) -> String {
        let total = if self.0.has_errors() { run::roomy(|| self.0.diagnostics().errors()) } else { 0 };
        format!("<Document {:?}: {} bytes, {total} errors>", self.name(), self.0.source().len())
    }
}

/// Text from Python, with its name.
pub(crate) fn source(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    name: Option<String>,
    limits: Option<&Limits>,
) -> PyResult<Source> {
    if let Ok(text) = text.cast::<PyString>() {
        let text = text.to_str()?;
        return Ok(py.detach(|| Source::new(name.unwrap_or_default(), text)));
    }
    if let Ok(bytes) = text.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        return Ok(py.detach(|| Source::new(name.unwrap_or_default(), bytes)));
    }
    if let Ok(bytes) = text.cast::<PyByteArray>() {
        return Ok(Source::new(name.unwrap_or_default(), bytes.to_vec()));
    }
    let path: PathBuf = text.extract().map_err(|_| {
        pyo3::exceptions::PyTypeError::new_err("expected text, bytes or a path such as pathlib.Path")
    })?;
    let read = run::quick(py, limits, || ParseOptions::new().read(&path))?;
    let source = read.map_err(|why| error::unreadable(&why))?;
    Ok(match name {
        Some(name) => Source::new(name, source.bytes()),
        None => source,
    })
}

/// The syntax with a name, or else that of the name of a source.
pub(crate) fn syntax_of(syntax: Option<&str>, source: &Source) -> PyResult<Syntax> {
    match syntax {
        None => Ok(Syntax::of(source.name())),
        Some("native") => Ok(Syntax::Native),
        Some("json") => Ok(Syntax::Json),
        Some("hcl1") => Ok(Syntax::Hcl1),
        Some(_) => Err(error::plain("the syntax must be \"native\", \"json\" or \"hcl1\"")),
    }
}

/// Parses a configuration: text, bytes, or the file at a path.
#[pyfunction]
#[pyo3(signature = (text, *, name=None, syntax=None, limits=None))]
pub(crate) fn parse(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    name: Option<String>,
    syntax: Option<&str>,
    limits: Option<PyRef<'_, Limits>>,
) -> PyResult<Document> {
    let limits = limits.as_deref();
    let source = source(py, text, name, limits)?;
    let syntax = syntax_of(syntax, &source)?;
    run::quick(py, limits, || Parsed::new(source, syntax)).map(Document)
}
