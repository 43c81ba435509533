//! The report as one JSON document, whose shape the README of this crate describes: while `version` is 1, properties may
//! be added to it and none changes its meaning.

use hclkit::Span;
use hclkit::syntax::{Evidence, Fix, Related};
use serde_json::{Value, json};

use super::{Finding, Report};

pub(super) fn report(report: &Report<'_>) -> Value {
    let errors = report.errors();
    json!({
        "version": 1,
        "files": report.files,
        "errors": errors,
        "warnings": report.findings.len() - errors,
        "diagnostics": report.findings.iter().map(diagnostic).collect::<Vec<_>>(),
        "fixed": report.fixed.iter()
            .map(|(file, mistakes)| json!({"file": file, "mistakes": mistakes}))
            .collect::<Vec<_>>(),
        "unreadable": report.unreadable.iter()
            .map(|it| json!({"file": it.name, "action": it.action, "message": it.why}))
            .collect::<Vec<_>>(),
    })
}

fn diagnostic(finding: &Finding<'_>) -> Value {
    let diagnostic = finding.diagnostic;
    json!({
        "code": diagnostic.code.as_str(),
        "severity": diagnostic.severity.as_str(),
        "summary": diagnostic.summary(),
        "detail": diagnostic.detail,
        "file": finding.source.name(),
        "range": range(finding, diagnostic.subject),
        "context": diagnostic.context.map(|context| range(finding, context)),
        "related": diagnostic.related.iter().map(|it| related(finding, it)).collect::<Vec<_>>(),
        "evidence": diagnostic.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "fix": diagnostic.fix.as_ref().map(|it| fix(finding, it)),
    })
}

fn related(finding: &Finding<'_>, related: &Related) -> Value {
    json!({"message": related.message, "range": range(finding, related.span)})
}

fn evidence(evidence: &Evidence) -> Value {
    json!({"expression": evidence.expression, "value": evidence.value})
}

fn fix(finding: &Finding<'_>, fix: &Fix) -> Value {
    let edits = fix
        .edits
        .iter()
        .map(|edit| json!({"range": range(finding, edit.span), "replacement": edit.replacement}));
    json!({"title": fix.title, "edits": edits.collect::<Vec<_>>()})
}

/// Lines and columns from 1, columns in grapheme clusters; bytes from 0.
fn range(finding: &Finding<'_>, span: Span) -> Value {
    let range = finding.range(span);
    let [start, end] =
        [range.start, range.end].map(|at| json!({"line": at.line, "column": at.column, "byte": at.byte}));
    json!({"start": start, "end": end})
}
