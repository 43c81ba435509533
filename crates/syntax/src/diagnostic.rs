//! Diagnostics as data: what is wrong, where, and how to fix it. The caller renders them
//! (the `hclkit` crate has renderers). The codes are in `code.rs`.

use std::borrow::Cow;
use std::sync::Arc;

use hclkit_limits::{Exceeded, Limit};

use crate::{Code, Edit, Fix, Source, Span};

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

/// Another location that a diagnostic refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub span: Span,
    /// The message about the location.
    pub message: Cow<'static, str>,
    /// The source of the location, if it differs from the diagnostic's.
    pub source: Option<Arc<Source>>,
}

/// The value of an expression when an error occurred.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The expression as written.
    pub expression: String,
    /// Its value, shortened. Never a sensitive value.
    pub value: String,
}

/// One error or warning about a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of diagnostic. Its text form is stable.
    pub code: Code,
    /// The severity of a diagnostic.
    pub severity: Severity,
    /// The explanation, in one or two sentences.
    pub detail: Cow<'static, str>,
    /// The exact span of the problem.
    pub subject: Span,
    /// The construct around the subject, where that helps.
    pub context: Option<Span>,
    /// Related locations, such as the bracket that was never closed.
    pub related: Vec<Related>,
    /// The suggested change, if there is a clear one.
    pub fix: Option<Fix>,
    /// The values that led to the problem, if it was found during evaluation.
    pub evidence: Vec<Evidence>,
    /// The source of the spans. `None` only while the diagnostic is being built.
    pub source: Option<Arc<Source>>,
}

impl Diagnostic {
    /// Creates an error about `subject`.
    pub fn error(code: Code, subject: Span, detail: impl Into<Cow<'static, str>>) -> Self {
        let detail = detail.into();
        Self {
            code,
            severity: Severity::Error,
            detail,
            subject,
            context: None,
            related: Vec::new(),
            fix: None,
            evidence: Vec::new(),
            source: None,
        }
    }

    /// Creates the error that a limit was exceeded while `subject` was parsed or evaluated.
    pub fn exceeded(exceeded: Exceeded, subject: Span) -> Self {
        let code = match exceeded.limit {
            Limit::SourceBytes => Code::SourceTooLarge,
            Limit::Nesting => Code::NestingTooDeep,
            Limit::Steps => Code::TooManySteps,
            Limit::Elements => Code::TooManyElements,
            Limit::Bytes => Code::TooManyBytes,
            Limit::Depth => Code::EvaluationTooDeep,
            Limit::ValueDepth => Code::ValueTooDeep,
            Limit::Deadline => Code::DeadlineExceeded,
            Limit::Cancelled => Code::Cancelled,
        };
        let message = exceeded.to_string();
        let rest = message.get(1..).unwrap_or_default();
        Self::error(code, subject, format!("{}{rest}.", message[..1].to_uppercase()))
    }

    /// The summary of its code.
    pub const fn summary(&self) -> &'static str {
        self.code.summary()
    }

    /// Sets the construct around the subject.
    #[must_use]
    pub fn with_context(mut self, context: Span) -> Self {
        self.context = Some(context);
        self
    }

    /// Sets the source.
    #[must_use]
    pub fn in_source(mut self, source: &Arc<Source>) -> Self {
        self.source = Some(source.clone());
        self
    }

    /// Adds a related location, possibly in another source.
    #[must_use]
    pub fn with_related_in(
        mut self,
        source: &Arc<Source>,
        span: Span,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        let other = self.source.as_ref().is_none_or(|own| !Arc::ptr_eq(own, source));
        self.related.push(Related { span, message: message.into(), source: other.then(|| source.clone()) });
        self
    }

    /// Adds a related location.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<Cow<'static, str>>) -> Self {
        self.related.push(Related { span, message: message.into(), source: None });
        self
    }

    /// Suggests a change that consists of one edit.
    #[must_use]
    pub fn with_edit(
        self,
        title: impl Into<Cow<'static, str>>,
        span: Span,
        replacement: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.with_fix(title, vec![Edit { span, replacement: replacement.into() }])
    }

    /// Suggests a change.
    #[must_use]
    pub fn with_fix(mut self, title: impl Into<Cow<'static, str>>, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix { title: title.into(), edits });
        self
    }

    /// Whether the diagnostic is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
