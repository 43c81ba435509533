//! One diagnostic as data: what is wrong, where, and how to fix it. The `hclkit` crate renders diagnostics. The codes are
//! in `code.rs`; lists of diagnostics are in `diagnostics.rs`.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use hclkit_limits::{Exceeded, Limit};

use crate::{Code, Edit, Fix, Place, Source, Span};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// The input is accepted, but is probably a mistake.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The first line of a diagnostic: a code, whose summary it shows, or a text without a code.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Title {
    /// A code, built in or [custom](Code::custom).
    Code(Code),
    /// A short summary, such as `Port in use`.
    Text(Cow<'static, str>),
}

impl From<Code> for Title {
    fn from(code: Code) -> Self {
        Self::Code(code)
    }
}

impl From<&'static str> for Title {
    fn from(summary: &'static str) -> Self {
        Self::Text(summary.into())
    }
}

impl From<String> for Title {
    fn from(summary: String) -> Self {
        Self::Text(summary.into())
    }
}

/// Where a diagnostic is: a span, or a span in a known source.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum At {
    /// A span in the source that [`Diagnostic::with_source`] sets.
    Span(Span),
    /// A span and its source.
    Place(Place),
}

impl From<Span> for At {
    fn from(span: Span) -> Self {
        Self::Span(span)
    }
}

impl From<Place> for At {
    fn from(place: Place) -> Self {
        Self::Place(place)
    }
}

impl From<&Place> for At {
    fn from(place: &Place) -> Self {
        Self::Place(place.clone())
    }
}

/// Another location that a diagnostic refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    pub(crate) span: Span,
    pub(crate) text: Cow<'static, str>,
    /// `None` if it is that of the diagnostic.
    pub(crate) source: Option<Arc<Source>>,
}

impl Related {
    /// The span of the location.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The message about the location.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The source of the location, or `None` if it is the source of the diagnostic.
    pub const fn source(&self) -> Option<&Arc<Source>> {
        self.source.as_ref()
    }
}

/// The value of an expression when an error occurred.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// The expression as written.
    pub expression: String,
    /// Its value, shortened. Never a sensitive value.
    pub value: String,
}

impl Evidence {
    /// The value of an expression.
    pub fn new(expression: impl Into<String>, value: impl Into<String>) -> Self {
        Self { expression: expression.into(), value: value.into() }
    }
}

/// One error or warning about a source.
///
/// Applications report their own findings with custom codes:
///
/// ```
/// use std::sync::Arc;
/// use hclkit_syntax::{Code, Diagnostic, Source, Span};
///
/// const PORT: Code = Code::custom("port-range", "Port out of range");
///
/// let source = Arc::new(Source::new("web.hcl", "port = 123456\n"));
/// let error = Diagnostic::error(PORT)
///     .at(Span::new(7, 13))
///     .with_source(&source)
///     .with_note("The maximum is 65535.")
///     .with_edit("Use port 8080", Span::new(7, 13), "8080");
/// assert_eq!(error.to_string(), "web.hcl:1:8: error: Port out of range: The maximum is 65535.");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub(crate) title: Title,
    pub(crate) severity: Severity,
    pub(crate) note: Cow<'static, str>,
    pub(crate) span: Span,
    pub(crate) context: Option<Span>,
    pub(crate) related: Vec<Related>,
    pub(crate) fix: Option<Fix>,
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) source: Option<Arc<Source>>,
    pub(crate) address: Option<Box<str>>,
}

impl Diagnostic {
    /// Creates an error from a code or a summary.
    pub fn error(title: impl Into<Title>) -> Self {
        Self::new(Severity::Error, title)
    }

    /// Creates a warning from a code or a summary.
    pub fn warning(title: impl Into<Title>) -> Self {
        Self::new(Severity::Warning, title)
    }

    /// Creates a diagnostic from a code or a summary.
    pub fn new(severity: Severity, title: impl Into<Title>) -> Self {
        Self {
            title: title.into(),
            severity,
            note: Cow::Borrowed(""),
            span: Span::default(),
            context: None,
            related: Vec::new(),
            fix: None,
            evidence: Vec::new(),
            source: None,
            address: None,
        }
    }

    /// Creates the error that a limit was exceeded.
    #[doc(hidden)]
    pub fn exceeded(exceeded: Exceeded) -> Self {
        let code = match exceeded.limit {
            Limit::SourceBytes => Code::SourceTooLarge,
            Limit::Nesting => Code::NestingTooDeep,
            Limit::Steps => Code::TooManySteps,
            Limit::Elements => Code::TooManyElements,
            Limit::Bytes => Code::TooManyBytes,
            Limit::Depth => Code::EvaluationTooDeep,
            Limit::ValueDepth => Code::ValueTooDeep,
            Limit::Deadline => Code::DeadlineExceeded,
            // `Cancelled`. A test finds limits without a code.
            _ => Code::Cancelled,
        };
        let message = exceeded.to_string();
        let rest = message.get(1..).unwrap_or_default();
        Self::error(code).with_note(format!("{}{rest}.", message[..1].to_uppercase()))
    }

    /// Sets where the diagnostic is. A [`Place`] also sets the source.
    #[must_use]
    pub fn at(mut self, at: impl Into<At>) -> Self {
        match at.into() {
            At::Span(span) => self.span = span,
            At::Place(place) => {
                self.span = place.span;
                self.source = Some(place.source);
            }
        }
        self
    }

    /// Sets the explanation: one or two sentences.
    #[must_use]
    pub fn with_note<'t>(mut self, note: impl Into<Cow<'t, str>>) -> Self {
        self.note = Cow::Owned(note.into().into_owned());
        self
    }

    /// Sets the severity.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the construct around the span.
    #[must_use]
    #[doc(hidden)]
    pub fn with_context(mut self, context: Span) -> Self {
        self.context = Some(context);
        self
    }

    /// Sets the source of the spans.
    #[must_use]
    pub fn with_source(mut self, source: &Arc<Source>) -> Self {
        self.source = Some(source.clone());
        self
    }

    /// Adds a related location, possibly in another source.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use hclkit_syntax::{Code, Diagnostic, Source, Span};
    ///
    /// let [one, other] = ["a.tf", "b.tf"].map(|name| Arc::new(Source::new(name, "x = 1\n")));
    /// let error = Diagnostic::error(Code::DuplicateAttribute)
    ///     .at(Span::new(0, 1))
    ///     .with_source(&other)
    ///     .with_related(&one, Span::new(0, 1), "first defined here");
    /// assert_eq!(error.related()[0].source().unwrap().name(), "a.tf");
    /// ```
    #[must_use]
    pub fn with_related<'t>(
        mut self,
        source: &Arc<Source>,
        span: Span,
        text: impl Into<Cow<'t, str>>,
    ) -> Self {
        let other = self.source.as_ref().is_none_or(|own| !Arc::ptr_eq(own, source));
        let text = Cow::Owned(text.into().into_owned());
        self.related.push(Related { span, text, source: other.then(|| source.clone()) });
        self
    }

    /// Adds a related location in the source of the diagnostic.
    #[must_use]
    #[doc(hidden)]
    pub fn with_related_span(mut self, span: Span, text: impl Into<Cow<'static, str>>) -> Self {
        self.related.push(Related { span, text: text.into(), source: None });
        self
    }

    /// Suggests a change that consists of one edit. The texts can be parts of a source, as in
    ///
    /// ```
    /// use hclkit_syntax::{Code, Diagnostic, parse};
    ///
    /// let document = parse("a = \"${b}\"\n");
    /// let value = document.body().attribute("a").unwrap().value();
    /// let inner = value.text().trim_matches(|sign| "\"${}".contains(sign));
    /// let found = Diagnostic::warning(Code::custom("wrapped", "Needless template"))
    ///     .at(value.span())
    ///     .with_note(inner)
    ///     .with_edit("Unwrap it", value.span(), inner);
    /// assert_eq!(found.fix().unwrap().edits[0].replacement, "b");
    /// ```
    #[must_use]
    pub fn with_edit<'t, 'r>(
        self,
        title: impl Into<Cow<'t, str>>,
        span: Span,
        replacement: impl Into<Cow<'r, str>>,
    ) -> Self {
        self.with_fix(Fix::new(title, [Edit::new(span, replacement)]))
    }

    /// Suggests a change in the source of the diagnostic.
    #[must_use]
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Adds values that led to the problem.
    #[must_use]
    pub fn with_evidence(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Self {
        self.evidence.extend(evidence);
        self
    }

    /// The code, if it has one.
    pub const fn code(&self) -> Option<Code> {
        match &self.title {
            Title::Code(code) => Some(*code),
            Title::Text(_) => None,
        }
    }

    /// Returns true if it has this code.
    pub fn has_code(&self, code: Code) -> bool {
        self.code() == Some(code)
    }

    /// The severity.
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns true if the diagnostic is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The summary: that of its code, if it has one.
    pub fn summary(&self) -> &str {
        match &self.title {
            Title::Code(code) => code.summary(),
            Title::Text(text) => text,
        }
    }

    /// The explanation. Empty if there is none.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The exact span of the problem.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The construct around the span, if showing it helps.
    #[doc(hidden)]
    pub const fn context(&self) -> Option<Span> {
        self.context
    }

    /// The source of the spans. `None` if it was not set; all diagnostics that this library returns have one.
    pub const fn source(&self) -> Option<&Arc<Source>> {
        self.source.as_ref()
    }

    /// The address of the block, attribute or item that it is about, as a path (`docs/paths.md`). Decoding sets it.
    pub fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// Sets the address.
    ///
    /// ```
    /// use hclkit_syntax::Diagnostic;
    ///
    /// let diagnostic = Diagnostic::error("Port in use").with_address("listen[1].port");
    /// assert_eq!(diagnostic.address(), Some("listen[1].port"));
    /// ```
    #[must_use]
    pub fn with_address(mut self, address: impl Into<Box<str>>) -> Self {
        self.address = Some(address.into());
        self
    }

    /// The span and its source.
    pub fn place(&self) -> Option<Place> {
        self.source.as_ref().map(|source| Place::new(source, self.span))
    }

    /// Related locations, such as the bracket that was never closed.
    pub fn related(&self) -> &[Related] {
        &self.related
    }

    /// The suggested change, if there is a clear one.
    pub const fn fix(&self) -> Option<&Fix> {
        self.fix.as_ref()
    }

    /// The values that led to the problem, if it was found during evaluation.
    pub fn evidence(&self) -> &[Evidence] {
        &self.evidence
    }
}

/// One line: `web.hcl:1:8: error: Port out of range: The maximum is 65535.`
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.source {
            let start = source.position(self.span.start);
            let name = source.name();
            let colon = if name.is_empty() { "" } else { ":" };
            write!(f, "{name}{colon}{}:{}: ", start.line, start.column)?;
        }
        write!(f, "{}: {}", self.severity, self.summary())?;
        if self.note.is_empty() { Ok(()) } else { write!(f, ": {}", self.note) }
    }
}

impl std::error::Error for Diagnostic {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics_are_open_and_owned() {
        fn check<T: Send + Sync + Clone + 'static>() {}
        check::<Diagnostic>();
        check::<crate::Diagnostics>();
    }

    #[test]
    fn each_limit_has_a_code() {
        let code = |limit| Diagnostic::exceeded(Exceeded { limit, most: 1 }).code().map(Code::as_str);
        let codes: std::collections::BTreeSet<_> = Limit::ALL.map(code).into_iter().collect();
        assert_eq!(codes.len(), Limit::ALL.len());
    }

    #[test]
    fn display_leaves_out_what_is_missing() {
        let error = Diagnostic::error("Port in use");
        assert_eq!(error.to_string(), "error: Port in use");
        assert_eq!((error.code(), error.place()), (None, None));
        let source = Arc::new(Source::new("", "port = 80\n"));
        let warning = Diagnostic::warning(Code::InvalidValue).at(Place::new(&source, Span::new(7, 9)));
        assert_eq!(warning.to_string(), format!("1:8: warning: {}", Code::InvalidValue.summary()));
    }
}
