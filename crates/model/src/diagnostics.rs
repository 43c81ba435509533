//! The diagnostics of an evaluation: collected in a list of limited length, and an error as a whole.

use std::fmt;
use std::ops::Deref;

use hclkit_syntax::{Code, Diagnostic, Span};

/// How many are kept: an expression that is wrong may be evaluated for each of a million elements.
const MOST: usize = 1_000;

/// Findings in the order in which they were made; of a thousand and more the first thousand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// No findings.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.is_error());
        // That it went no further is told in any case.
        let stops = |finding: &Diagnostic| matches!(finding.code, Code::LimitExceeded | Code::Cancelled);
        if self.list.len() < MOST || (stops(&diagnostic) && !self.list.last().is_some_and(stops)) {
            self.list.push(diagnostic);
        }
    }

    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors were found that are not among the findings, because there are too many.
    ///
    /// ```
    /// use hclkit_model::{Body, Diagnostics, Schema};
    /// use hclkit_syntax::Source;
    ///
    /// let text: String = (0..3_000).map(|number| format!("a{number} = 1\n")).collect();
    /// let (body, mut diagnostics) = Body::parse(Source::new("main.hcl", text));
    /// body.content(&Schema::new(), &mut diagnostics);
    /// assert_eq!(diagnostics.unreported(), 2_000);
    /// ```
    pub fn unreported(&self) -> usize {
        self.errors - self.list.iter().filter(|finding| finding.is_error()).count()
    }

    /// The findings.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }

    /// What was found about one place is told of another.
    pub(crate) fn replace_subject(&mut self, from: Span, to: Span) {
        for diagnostic in self.list.iter_mut().filter(|diagnostic| diagnostic.subject == from) {
            diagnostic.subject = to;
        }
    }

    /// Moves what was found since there were so many into a list of its own.
    pub(crate) fn split_off(&mut self, since: Mark) -> Diagnostics {
        if self.list.len() <= since.kept && self.errors == since.errors {
            return Diagnostics::new();
        }
        let list = self.list.split_off(since.kept.min(self.list.len()));
        let errors = self.errors - since.errors;
        self.errors = since.errors;
        Diagnostics { list, errors }
    }

    /// Forgets what was found since.
    pub(crate) fn truncate(&mut self, since: Mark) {
        self.list.truncate(since.kept);
        self.errors = since.errors;
    }

    /// Forgets what was found between two times.
    pub(crate) fn remove_between(&mut self, from: Mark, to: Mark) {
        self.list.drain(from.kept..to.kept);
        self.errors -= to.errors - from.errors;
    }

    /// Whether there were errors since.
    pub(crate) fn failed_since(&self, mark: Mark) -> bool {
        self.errors > mark.errors
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { kept: self.list.len(), errors: self.errors }
    }
}

/// How much had been found at some time.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    kept: usize,
    errors: usize,
}

impl Mark {
    /// Whether there were errors between two times.
    pub(crate) fn failed_until(self, later: Mark) -> bool {
        later.errors > self.errors
    }
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.list
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        diagnostics.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Diagnostics {
        let mut all = Diagnostics::new();
        all.extend(diagnostics);
        all
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl fmt::Display for Diagnostics {
    /// One line for each: its place, where the source is known, and what it says.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, diagnostic) in self.list.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            if let Some(source) = &diagnostic.source {
                let start = source.position(diagnostic.subject.start);
                let name = source.name();
                let colon = if name.is_empty() { "" } else { ":" };
                write!(f, "{name}{colon}{}:{}: ", start.line, start.column)?;
            }
            write!(f, "{}: {}", diagnostic.summary(), diagnostic.detail)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
