//! Diagnostics for applications that report errors with `miette`.

use std::fmt;

use hclkit_syntax::{Diagnostic, Diagnostics, Severity, Source};
use miette::{LabeledSpan, NamedSource, SourceCode};

use crate::messages;

/// Diagnostics as one miette error: the first diagnostic, with the others as related errors.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use hclkit::integrations::miette::Problems;
/// use hclkit::{Context, Decode};
///
/// #[derive(Decode)]
/// struct Server {
///     port: u16,
/// }
///
/// fn read(text: &str) -> miette::Result<Server> {
///     Ok(hclkit::load_str(text, &Context::new()).map_err(Problems::from)?)
/// }
///
/// let report = read("port = \"http\"\n").err().unwrap();
/// assert_eq!(report.to_string(), "Incorrect attribute value type");
/// assert_eq!(report.code().unwrap().to_string(), "invalid-attribute-value");
/// # }
/// ```
#[derive(Debug)]
pub struct Problems {
    first: Problem,
    others: Vec<Problem>,
    unreported: usize,
}

/// One diagnostic.
#[derive(Debug)]
struct Problem {
    diagnostic: Diagnostic,
    source: Option<NamedSource<String>>,
}

impl From<Diagnostics> for Problems {
    fn from(diagnostics: Diagnostics) -> Self {
        let unreported = diagnostics.unreported();
        let mut problems = diagnostics.into_iter().map(Problem::new);
        let first = problems.next().unwrap_or_else(|| Problem::new(messages::no_problems()));
        Self { first, others: problems.collect(), unreported }
    }
}

#[cfg(feature = "serde")]
impl From<crate::serde::SerdeError> for Problems {
    fn from(error: crate::serde::SerdeError) -> Self {
        Diagnostics::from(error).into()
    }
}

impl Problem {
    fn new(diagnostic: Diagnostic) -> Self {
        let named = |source: &Source| NamedSource::new(source.name(), source.text().to_owned());
        let source = diagnostic.source().map(|source| named(source));
        Self { diagnostic, source }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.diagnostic.summary())
    }
}

impl std::error::Error for Problem {}

impl miette::Diagnostic for Problem {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.diagnostic.code()?.as_str()))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity() {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let note = self.diagnostic.note();
        if note.is_empty() { None } else { Some(Box::new(note)) }
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.source.as_ref()?;
        let span = |span: hclkit_syntax::Span| (span.start as usize, span.len() as usize);
        let own = LabeledSpan::new_primary_with_span(None, span(self.diagnostic.span()));
        // Related places in other sources have no labels here.
        let related = self.diagnostic.related().iter().filter(|related| related.source().is_none());
        let related = related.map(move |related| {
            LabeledSpan::new_with_span(Some(related.text().to_owned()), span(related.span()))
        });
        Some(Box::new(std::iter::once(own).chain(related)))
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)?;
        if self.unreported > 0 { write!(f, " ({} more are not shown)", self.unreported) } else { Ok(()) }
    }
}

impl std::error::Error for Problems {}

impl miette::Diagnostic for Problems {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.first.code()
    }

    fn severity(&self) -> Option<miette::Severity> {
        self.first.severity()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.first.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.first.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.first.labels()
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        if self.others.is_empty() {
            return None;
        }
        Some(Box::new(self.others.iter().map(|problem| problem as &dyn miette::Diagnostic)))
    }
}
