//! Diagnostics: what is wrong, where, and what to write instead, as data. Rendering them is left to the caller
//! (the `hclkit` crate renders for people). The codes are in `code.rs`.

use std::borrow::Cow;
use std::sync::Arc;

use hclkit_limits::{Exceeded, Limit};

use crate::{Code, Edit, Fix, Source, Span};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// The input is accepted, but probably not meant so.
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

/// A further place that a diagnostic speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub span: Span,
    /// What is to be said of it.
    pub message: Cow<'static, str>,
    /// The source that it is in, if that is another one than the diagnostic's.
    pub source: Option<Arc<Source>>,
}

/// What an expression was worth when something went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The expression, as it is written.
    pub expression: String,
    /// Its value, shortened; never one that is to be kept from sight.
    pub value: String,
}

/// One finding about a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind of finding; its text form is stable.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// The explanation: a sentence or two.
    pub detail: Cow<'static, str>,
    /// What exactly is wrong.
    pub subject: Span,
    /// The larger construct that the subject stands in, where that helps.
    pub context: Option<Span>,
    /// Other places that matter, such as the bracket that was never closed.
    pub related: Vec<Related>,
    /// What to change, where that is clear.
    pub fix: Option<Fix>,
    /// The values that led there, where the finding is one of evaluation.
    pub evidence: Vec<Evidence>,
    /// The source that the places are in; none only while it is being made.
    pub source: Option<Arc<Source>>,
}

impl Diagnostic {
    /// An error about `subject`.
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

    /// That a limit was exceeded while `subject` was read or evaluated.
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

    /// The finding in a few words, the same for all of its code.
    pub const fn summary(&self) -> &'static str {
        self.code.summary()
    }

    /// The same with the construct around it.
    #[must_use]
    pub fn with_context(mut self, context: Span) -> Self {
        self.context = Some(context);
        self
    }

    /// The same with the source that it is about.
    #[must_use]
    pub fn in_source(mut self, source: &Arc<Source>) -> Self {
        self.source = Some(source.clone());
        self
    }

    /// The same with one more related place, in a source that may be another one.
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

    /// The same with one more related place.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<Cow<'static, str>>) -> Self {
        self.related.push(Related { span, message: message.into(), source: None });
        self
    }

    /// The same with a suggested change of one edit.
    #[must_use]
    pub fn with_edit(
        self,
        title: impl Into<Cow<'static, str>>,
        span: Span,
        replacement: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.with_fix(title, vec![Edit { span, replacement: replacement.into() }])
    }

    /// The same with a suggested change.
    #[must_use]
    pub fn with_fix(mut self, title: impl Into<Cow<'static, str>>, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix { title: title.into(), edits });
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
