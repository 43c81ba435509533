//! Diagnostics, and how they are rendered.

use hclkit::Diagnostics;
use hclkit::render::{self as library, Renderer};
use pyo3::prelude::*;

use crate::error;
use crate::place::Range;

/// One error or warning about a source.
#[pyclass(frozen, eq, module = "hclkit")]
#[derive(Clone, PartialEq)]
pub(crate) struct Diagnostic(pub(crate) hclkit::Diagnostic);

#[pymethods]
impl Diagnostic {
    /// The stable name of the problem, such as `"invalid-expression"`, or `None`.
    #[getter]
    fn code(&self) -> Option<String> {
        self.0.code().map(|code| code.to_string())
    }

    /// `"error"` or `"warning"`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity().as_str()
    }

    /// A short summary.
    #[getter]
    fn message(&self) -> &str {
        self.0.summary()
    }

    /// The explanation. Empty if there is none.
    #[getter]
    fn note(&self) -> &str {
        self.0.note()
    }

    /// Where the problem is, or `None`.
    #[getter]
    fn range(&self) -> Option<Range> {
        self.0.place().map(Range::from)
    }

    /// The address of the block, attribute or item that it is about, or `None`.
    #[getter]
    fn address(&self) -> Option<&str> {
        self.0.address()
    }

    /// The title of the suggested change, or `None`.
    #[getter]
    fn fix(&self) -> Option<&str> {
        self.0.fix().map(|fix| &*fix.title)
    }

    /// Other locations, each with a message.
    #[getter]
    fn related(&self) -> Vec<(String, Option<Range>)> {
        let one = |related: &hclkit::syntax::Related| {
            let source = related.source().or_else(|| self.0.source());
            (related.text().to_owned(), source.map(|source| Range::new(source, related.span())))
        };
        self.0.related().iter().map(one).collect()
    }

    /// Expressions and their values when the error occurred. Never sensitive values.
    #[getter]
    fn evidence(&self) -> Vec<(String, String)> {
        self.0.evidence().iter().map(|it| (it.expression.clone(), it.value.clone())).collect()
    }

    /// The text that the program `hcl` prints.
    fn render(&self) -> String {
        Renderer::plain().diagnostic(&self.0)
    }

    fn __str__(&self) -> String {
        self.render()
    }

    fn __repr__(&self) -> String {
        let place = self.range().map(|range| format!(" at {}", range.repr())).unwrap_or_default();
        let code = self.code().unwrap_or_else(|| "no code".to_owned());
        format!("<{} {code}{place}: {}>", self.severity(), self.message())
    }

    fn _repr_html_(&self) -> String {
        let text = self.render().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("<pre>{text}</pre>")
    }
}

/// The diagnostics as Python objects.
pub(crate) fn list(diagnostics: &Diagnostics) -> Vec<Diagnostic> {
    diagnostics.iter().cloned().map(Diagnostic).collect()
}

/// Renders diagnostics in a format of `hcl check --report`.
#[pyfunction]
pub(crate) fn render(diagnostics: Vec<PyRef<'_, Diagnostic>>, format: &str) -> PyResult<String> {
    let diagnostics: Diagnostics = diagnostics.iter().map(|it| it.0.clone()).collect();
    Ok(match format {
        "text" => Renderer::plain().diagnostics(&diagnostics),
        "json" => library::json(&diagnostics),
        "sarif" => library::sarif(&diagnostics),
        "github" => library::github(&diagnostics),
        _ => return Err(error::plain("the format must be \"text\", \"json\", \"sarif\" or \"github\"")),
    })
}
