//! Renders diagnostics for people, with source excerpts and suggested changes, in color or not. `render/excerpt.rs` selects
//! the excerpts, `render/explanation.rs` and `render/derivation.rs` render how a value was computed, and `render/report.rs` writes reports.

#[cfg(feature = "module")]
mod derivation;
mod excerpt;
mod explanation;
#[cfg(feature = "module")]
pub mod graph;
mod json;
mod report;

use std::borrow::Cow;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer as Drawer};
use hclkit_model::{Explanation, Expression};
#[cfg(feature = "module")]
use hclkit_module::Derivations;
use hclkit_syntax::{Diagnostic, Diagnostics, Evidence, Severity, Source, visible, visible_line};

#[cfg(feature = "module")]
use derivation::derivations;
use explanation::explanation;
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
    width: usize,
    color: bool,
}

const WIDTH: usize = 140;

impl Renderer {
    /// Renders text without control sequences.
    pub fn plain() -> Self {
        Self { drawer: Drawer::plain(), width: WIDTH, color: false }
    }

    /// Renders text with ANSI colors.
    pub fn colored() -> Self {
        Self { drawer: Drawer::styled(), width: WIDTH, color: true }
    }

    /// Sets the width in columns. Longer source lines are truncated. The default is 140.
    #[must_use]
    pub fn with_width(mut self, columns: usize) -> Self {
        self.drawer = self.drawer.term_width(columns);
        self.width = columns;
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

    /// Renders how the value of an expression was computed, as a tree of its subexpressions. Every line ends with a line
    /// break. Parts that are nested more than 16 levels deep are shown as separate trees, which are numbered.
    ///
    /// ```
    /// use hclkit::render::Renderer;
    /// use hclkit::{Context, Expression};
    ///
    /// let expression = Expression::parse("\"${size}-${name}\"")?;
    /// let context = Context::new().with("size", 3).with("name", "small");
    /// let tree = Renderer::plain().explanation(&expression, &expression.explain(&context));
    /// assert_eq!(tree, "\
    /// \"${size}-${name}\"  → \"3-small\"
    /// ├─ size            → 3
    /// └─ name            → \"small\"
    /// ");
    /// # Ok::<(), hclkit::Diagnostics>(())
    /// ```
    pub fn explanation(&self, expression: &Expression, explained: &Explanation) -> String {
        explanation(expression, explained, self.width, self.color)
    }

    /// Renders where values come from: for each address, its value, its origin, and the tree of its expression as rendered
    /// by [`explanation`](Self::explanation). Sensitive values are not shown.
    ///
    /// ```
    /// use hclkit::module::{Dialect, ModuleLoader, Memory};
    /// use hclkit::render::Renderer;
    ///
    /// let files = Memory::from_iter([("main.tf", "locals {\n  a = 1\n  b = local.a + 1\n}\n")]);
    /// let module = ModuleLoader::new(Dialect::terraform()).with_files(files).load();
    /// let text = Renderer::plain().derivations(&module.explain(&["local.b".parse()?]));
    /// assert_eq!(text, "\
    /// local.b = 2
    ///   main.tf:3:7
    ///   local.a + 1  → 2
    ///   └─ local.a   → 1
    ///
    /// local.a = 1
    ///   main.tf:2:7
    /// ");
    /// # Ok::<(), hclkit::module::PathError>(())
    /// ```
    #[cfg(feature = "module")]
    pub fn derivations(&self, explained: &Derivations) -> String {
        derivations(explained, self.width, self.color)
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
