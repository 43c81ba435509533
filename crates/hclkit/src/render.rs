//! Renders diagnostics for people, with source excerpts and suggested changes, in color or not. `render/excerpt.rs` selects
//! the excerpts, `render/explanation.rs` and `render/derivation.rs` render how a value was computed, and `render/report.rs` writes reports.

#[cfg(feature = "module")]
mod derivation;
mod excerpt;
mod explanation;
mod json;
mod report;

use std::borrow::Cow;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer as Drawer};
use hclkit_syntax::{Diagnostic, Diagnostics, Evidence, Severity, Source, visible, visible_line};

#[cfg(feature = "module")]
pub use derivation::derivations;
pub use explanation::explanation;
#[doc(hidden)]
pub use json::VisibleJson;
#[doc(hidden)]
pub use report::{FailedFile, FixedError, FixedFile, SkippedFile};
pub use report::{Format, ReportWriter, Totals, github, json, sarif};

/// Renders diagnostics.
///
/// ```
/// use hclkit::render::Renderer;
/// let document = hclkit::parse("port = 'eighty'\n");
/// let text = Renderer::plain().diagnostic(&document.diagnostics()[0]);
/// assert!(text.starts_with("error[wrong-character]: Invalid character\n"));
/// ```
#[derive(Debug, Clone)]
pub struct Renderer {
    drawer: Drawer,
}

impl Renderer {
    /// Renders text without control sequences.
    pub fn plain() -> Self {
        Self { drawer: Drawer::plain() }
    }

    /// Renders text with ANSI colors.
    pub fn colored() -> Self {
        Self { drawer: Drawer::styled() }
    }

    /// Sets the width in columns. Longer source lines are truncated. The default is 140.
    #[must_use]
    pub fn with_width(mut self, columns: usize) -> Self {
        self.drawer = self.drawer.term_width(columns);
        self
    }

    /// Renders diagnostics, separated by blank lines, without a line break at the end. If some were not kept, a note says
    /// how many.
    ///
    /// ```
    /// use hclkit::{Context, Expression, render::Renderer};
    ///
    /// let errors = Expression::parse("a + b")?.evaluate(&Context::new().with("a", 1).with("b", "x")).unwrap_err();
    /// assert!(Renderer::plain().diagnostics(&errors).contains("= where: b is \"x\""));
    /// # Ok::<(), hclkit::Diagnostics>(())
    /// ```
    pub fn diagnostics(&self, diagnostics: &Diagnostics) -> String {
        let texts = diagnostics.iter().map(|diagnostic| self.diagnostic(diagnostic));
        let more = unreported(diagnostics).map(|more| self.note(&more));
        texts.chain(more).collect::<Vec<_>>().join("\n\n")
    }

    /// A note without a place.
    fn note(&self, note: &str) -> String {
        self.drawer.render(&[Group::with_title(Level::NOTE.primary_title(note))])
    }

    /// Renders a diagnostic, without a line break at the end. Related locations in other sources are shown with the name
    /// of their source.
    pub fn diagnostic(&self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut title = level.primary_title(visible_line(diagnostic.summary()));
        if let Some(code) = diagnostic.code() {
            title = title.id(visible_line(code.as_str()));
        }
        let excerpts = excerpt::of_diagnostic(diagnostic);
        let mut group = Group::with_title(title);
        for excerpt in &excerpts {
            group = group.element(excerpt.snippet());
        }
        if !diagnostic.note().is_empty() {
            group = group.element(Level::NOTE.message(shown(diagnostic.note())));
        }
        if !diagnostic.evidence().is_empty() {
            group = group.element(Level::NOTE.with_name("where").message(described(diagnostic.evidence())));
        }
        let fix = diagnostic.fix().zip(diagnostic.source());
        let change = fix.map(|(fix, source)| excerpt::Change::of(source, fix));
        let mut groups = vec![group];
        if let Some((change, (fix, _))) = change.as_ref().zip(fix) {
            let help = Group::with_title(Level::HELP.secondary_title(visible_line(&fix.title)));
            groups.push(match change.snippet() {
                Some(snippet) => help.element(snippet),
                None => help,
            });
        }
        let mut text = self.drawer.render(&groups);
        for excerpt in &excerpts {
            excerpt.correct_place(&mut text);
        }
        text
    }
}

/// The message about diagnostics that were not kept, if there are any: `4000 more errors are not shown. Fix these first, then run again.`
pub fn unreported(diagnostics: &Diagnostics) -> Option<String> {
    let shown = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let errors = diagnostics.errors() - shown;
    let warnings = diagnostics.unreported() - errors;
    let (count, what) = match (errors, warnings) {
        (0, 0) => return None,
        (errors, 0) => (errors, "error"),
        (0, warnings) => (warnings, "warning"),
        (errors, warnings) => (errors + warnings, "problem"),
    };
    Some(if count == 1 {
        format!("1 more {what} is not shown. Fix these first, then run again.")
    } else {
        format!("{count} more {what}s are not shown. Fix these first, then run again.")
    })
}

/// The name of a source, on one line and without control characters.
fn shown_name(source: &Source) -> Cow<'_, str> {
    if source.name().is_empty() { "<text>".into() } else { visible_line(source.name()) }
}

/// A text without control characters. Line breaks are kept, and tabs become spaces, because there are no tab stops.
fn shown(text: &str) -> String {
    visible(text).replace('\t', "    ").replace("\r\n", "\n")
}

/// The values of expressions, one per line.
fn described(evidence: &[Evidence]) -> String {
    let line = |evidence: &Evidence| {
        let words: Vec<&str> = evidence.expression.split_whitespace().collect();
        visible_line(&format!("{} is {}", words.join(" "), evidence.value)).into_owned()
    };
    evidence.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The style of a location: that of the diagnostic, or a related one.
fn annotation_kind(primary: bool) -> AnnotationKind {
    if primary { AnnotationKind::Primary } else { AnnotationKind::Context }
}
