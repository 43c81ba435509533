//! The report as one JSON document, whose shape the README of this crate describes: while `version` is 1, properties may
//! be added to it and none changes its meaning.

use hclkit::syntax::{Evidence, Fix, Related};
use hclkit::{Diagnostics, Range, Source, Span};
use serde_json::{Value, json};

use super::{Finding, Fixed, FixedError, Report};

pub(super) fn report(report: &Report<'_>) -> Value {
    json!({
        "version": 1,
        "files": report.files,
        "errors": report.sum(Diagnostics::errors),
        "warnings": report.sum(Diagnostics::warnings),
        "unreported": report.sum(Diagnostics::unreported),
        "diagnostics": report.findings().map(diagnostic).collect::<Vec<_>>(),
        "fixed": report.fixed.iter().map(fixed).collect::<Vec<_>>(),
        "unreadable": report.unreadable.iter()
            .map(|it| json!({"file": it.name, "action": it.action, "message": it.why}))
            .collect::<Vec<_>>(),
    })
}

fn diagnostic(finding: Finding<'_>) -> Value {
    let Finding { diagnostic, source } = finding;
    json!({
        "code": diagnostic.code.as_str(),
        "severity": diagnostic.severity.as_str(),
        "summary": diagnostic.summary(),
        "detail": diagnostic.detail,
        "file": source.name(),
        "range": range(source, diagnostic.subject),
        "context": diagnostic.context.map(|context| range(source, context)),
        "related": diagnostic.related.iter().map(|it| related(source, it)).collect::<Vec<_>>(),
        "evidence": diagnostic.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "fix": diagnostic.fix.as_ref().map(|it| fix(source, it)),
    })
}

fn related(source: &Source, related: &Related) -> Value {
    let source = related.source.as_deref().unwrap_or(source);
    json!({"message": related.message, "file": source.name(), "range": range(source, related.span)})
}

fn evidence(evidence: &Evidence) -> Value {
    json!({"expression": evidence.expression, "value": evidence.value})
}

fn fix(source: &Source, fix: &Fix) -> Value {
    let edits = fix
        .edits
        .iter()
        .map(|edit| json!({"range": range(source, edit.span), "replacement": edit.replacement}));
    json!({"title": fix.title, "edits": edits.collect::<Vec<_>>()})
}

fn fixed(fixed: &Fixed) -> Value {
    let error = |error: &FixedError| {
        let code = error.code.as_str();
        json!({"code": code, "title": error.title, "range": lines(error.range)})
    };
    let mut file = json!({
        "file": fixed.name,
        "mistakes": fixed.errors.len(),
        "written": fixed.written,
        "errors": fixed.errors.iter().map(error).collect::<Vec<_>>(),
    });
    if let Some(diff) = &fixed.diff {
        file["diff"] = json!(diff);
    }
    file
}

fn range(source: &Source, span: Span) -> Value {
    lines(source.range(span))
}

/// Lines and columns from 1, columns in grapheme clusters; bytes from 0.
fn lines(range: Range) -> Value {
    let [start, end] =
        [range.start, range.end].map(|at| json!({"line": at.line, "column": at.column, "byte": at.byte}));
    json!({"start": start, "end": end})
}
