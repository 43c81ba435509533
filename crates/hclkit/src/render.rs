//! Diagnostics for people: the place in its source, what belongs to it, and the suggested change, in colour or not.
//! What is shown of a source is chosen in `render/excerpt.rs`; how a value came about is drawn in `render/explanation.rs`.

mod excerpt;
mod explanation;
mod json;

use std::borrow::Cow;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer as Drawer};
use hclkit_syntax::{
    Diagnostic, Diagnostics, Document, Evidence, Fix, Severity, Source, Span, visible, visible_line,
};

pub use explanation::explanation;
pub use json::VisibleJson;

/// Renders diagnostics.
///
/// ```
/// use hclkit::render::Renderer;
/// let document = hclkit::parse("port = 'eighty'\n");
/// let text = Renderer::plain().diagnostic(&document, &document.diagnostics()[0]);
/// assert!(text.starts_with("error[wrong-character]: Invalid character\n"));
/// ```
#[derive(Debug, Clone)]
pub struct Renderer {
    drawer: Drawer,
}

/// A finding that is about to be rendered: a [`Diagnostic`], or one of the caller's own making.
///
/// ```
/// use hclkit::render::{Place, Renderer, Report};
/// let document = hclkit::parse("port = 80\n");
/// let attribute = document.body().attribute("port").unwrap();
/// let place = Place::new(document.source(), attribute.value().span());
/// let report = Report::error("Port in use", place.saying("another service has it"));
/// assert!(Renderer::plain().report(&report).contains("^^ another service has it"));
/// ```
#[derive(Debug, Clone)]
pub struct Report<'a> {
    /// How bad it is.
    pub severity: Severity,
    /// A short name that can be looked up.
    pub code: Option<&'a str>,
    /// The finding in a few words.
    pub summary: Cow<'a, str>,
    /// Where it is.
    pub place: Place<'a>,
    /// Other places that matter, in this source or others.
    pub related: Vec<Place<'a>>,
    /// The explanation.
    pub detail: Cow<'a, str>,
    /// The values that led there.
    pub evidence: &'a [Evidence],
    /// What to change, in the source of `place`.
    pub fix: Option<&'a Fix>,
}

/// A place in a source, and what is to be said of it.
#[derive(Debug, Clone)]
pub struct Place<'a> {
    /// The source; its name is shown.
    pub source: &'a Source,
    /// The part of its text.
    pub span: Span,
    /// A few words that are shown beside it; none where empty.
    pub message: Cow<'a, str>,
}

impl<'a> Place<'a> {
    /// A place of which nothing is said.
    pub fn new(source: &'a Source, span: Span) -> Self {
        Self { source, span, message: Cow::Borrowed("") }
    }

    /// The same with a few words.
    #[must_use]
    pub fn saying(mut self, message: impl Into<Cow<'a, str>>) -> Self {
        self.message = message.into();
        self
    }
}

impl<'a> Report<'a> {
    /// An error with nothing but a summary and a place.
    pub fn error(summary: impl Into<Cow<'a, str>>, place: Place<'a>) -> Self {
        Self {
            severity: Severity::Error,
            code: None,
            summary: summary.into(),
            place,
            related: Vec::new(),
            detail: Cow::Borrowed(""),
            evidence: &[],
            fix: None,
        }
    }

    /// What a diagnostic of a document says.
    pub fn of(document: &'a Document, diagnostic: &'a Diagnostic) -> Self {
        Self::about(document.source(), diagnostic)
    }

    /// What a diagnostic says of its own source, or where it has none of this one.
    pub fn about(source: &'a Source, diagnostic: &'a Diagnostic) -> Self {
        let source = diagnostic.source.as_deref().unwrap_or(source);
        let place = |span| Place::new(source, span);
        Self {
            severity: diagnostic.severity,
            code: Some(diagnostic.code.as_str()),
            summary: Cow::Borrowed(diagnostic.summary()),
            place: place(diagnostic.subject),
            related: diagnostic
                .related
                .iter()
                .map(|related| {
                    let source = related.source.as_deref().unwrap_or(source);
                    Place::new(source, related.span).saying(&*related.message)
                })
                .collect(),
            detail: Cow::Borrowed(&diagnostic.detail),
            evidence: &diagnostic.evidence,
            fix: diagnostic.fix.as_ref(),
        }
    }
}

impl Renderer {
    /// Text without any control sequences.
    pub fn plain() -> Self {
        Self { drawer: Drawer::plain() }
    }

    /// Text with ANSI colours.
    pub fn coloured() -> Self {
        Self { drawer: Drawer::styled() }
    }

    /// The same, made for lines of this many columns; longer lines of source are cut. 140 unless set.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.drawer = self.drawer.term_width(columns);
        self
    }

    /// A diagnostic as text, without a line break at its end.
    pub fn diagnostic(&self, document: &Document, diagnostic: &Diagnostic) -> String {
        self.report(&Report::of(document, diagnostic))
    }

    /// Diagnostics as text, a blank line between them, without a line break at the end. Where there are too many, a last
    /// line says how many more there are.
    ///
    /// ```
    /// use hclkit::{Context, Expression, render::Renderer};
    ///
    /// let errors = Expression::parse("a + b")?.evaluate(&Context::new().with("a", 1).with("b", "x")).unwrap_err();
    /// assert!(Renderer::plain().diagnostics(&errors).contains("= where: b is \"x\""));
    /// # Ok::<(), hclkit::Diagnostics>(())
    /// ```
    pub fn diagnostics(&self, diagnostics: &Diagnostics) -> String {
        let nowhere = Source::new("", "");
        let texts = diagnostics.iter().map(|diagnostic| self.report(&Report::about(&nowhere, diagnostic)));
        let more = unreported(diagnostics).map(|more| {
            let note = Group::with_title(Level::NOTE.primary_title(more));
            self.drawer.render(&[note])
        });
        texts.chain(more).collect::<Vec<_>>().join("\n\n")
    }

    /// A report as text, without a line break at its end.
    pub fn report(&self, report: &Report<'_>) -> String {
        let level = match report.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut title = level.primary_title(visible_line(&report.summary));
        if let Some(code) = report.code {
            title = title.id(visible_line(code));
        }
        let excerpts = excerpt::of_report(report);
        let mut group = Group::with_title(title);
        for excerpt in &excerpts {
            group = group.element(excerpt.snippet());
        }
        if !report.detail.is_empty() {
            group = group.element(Level::NOTE.message(shown(&report.detail)));
        }
        if !report.evidence.is_empty() {
            group = group.element(Level::NOTE.with_name("where").message(described(report.evidence)));
        }
        let change = report.fix.map(|fix| excerpt::Change::of(report.place.source, fix));
        let mut groups = vec![group];
        if let Some((change, fix)) = change.as_ref().zip(report.fix) {
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

/// What to say where more was found than is kept: `4000 more errors are not shown. Fix these first, then run again.`
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

/// The name of a source as it is shown, on one line.
fn shown_name(source: &Source) -> Cow<'_, str> {
    visible_line(source.name())
}

/// A text as it is shown, on several lines if it has them. Tabs have no stops between words.
fn shown(text: &str) -> String {
    visible(text).replace('\t', "    ").replace("\r\n", "\n")
}

/// What expressions were worth, a line each.
fn described(evidence: &[Evidence]) -> String {
    let line = |evidence: &Evidence| {
        let words: Vec<&str> = evidence.expression.split_whitespace().collect();
        visible_line(&format!("{} is {}", words.join(" "), evidence.value)).into_owned()
    };
    evidence.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// How a mark is drawn: the finding itself or something that belongs to it.
fn annotation_kind(primary: bool) -> AnnotationKind {
    if primary { AnnotationKind::Primary } else { AnnotationKind::Context }
}
