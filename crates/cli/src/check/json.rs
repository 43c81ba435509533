//! The report as one JSON document, whose shape the README of this crate describes: while `version` is 1, properties may
//! be added to it and none changes its meaning.

use hclkit::syntax::{Fix, Related};
use hclkit::{Diagnostic, Document, Span};
use serde_json::{Value, json};

use super::Findings;

pub(super) fn report(findings: &Findings) -> Value {
    let diagnostics = findings.documents.iter().flat_map(|document| {
        document.diagnostics().iter().map(move |diagnostic| self::diagnostic(document, diagnostic))
    });
    json!({
        "version": 1,
        "files": findings.checked,
        "errors": findings.errors,
        "warnings": findings.warnings,
        "diagnostics": diagnostics.collect::<Vec<_>>(),
        "fixed": findings.fixed.iter()
            .map(|fixed| json!({"file": fixed.name, "mistakes": fixed.mistakes}))
            .collect::<Vec<_>>(),
        "unreadable": findings.unreadable.iter()
            .map(|unreadable| json!({"file": unreadable.name, "message": unreadable.why}))
            .collect::<Vec<_>>(),
    })
}

fn diagnostic(document: &Document, diagnostic: &Diagnostic) -> Value {
    json!({
        "code": diagnostic.code.as_str(),
        "severity": diagnostic.severity.as_str(),
        "summary": diagnostic.summary(),
        "detail": diagnostic.detail,
        "file": document.source().name(),
        "range": range(document, diagnostic.subject),
        "context": diagnostic.context.map(|context| range(document, context)),
        "related": diagnostic.related.iter().map(|it| related(document, it)).collect::<Vec<_>>(),
        "fix": diagnostic.fix.as_ref().map(|it| fix(document, it)),
    })
}

fn related(document: &Document, related: &Related) -> Value {
    json!({"message": related.message, "range": range(document, related.span)})
}

fn fix(document: &Document, fix: &Fix) -> Value {
    let edits = fix
        .edits
        .iter()
        .map(|edit| json!({"range": range(document, edit.span), "replacement": edit.replacement}));
    json!({"title": fix.title, "edits": edits.collect::<Vec<_>>()})
}

/// Lines and columns from 1, columns in grapheme clusters; bytes from 0.
pub(crate) fn range(document: &Document, span: Span) -> Value {
    let range = document.range(span);
    let [start, end] =
        [range.start, range.end].map(|at| json!({"line": at.line, "column": at.column, "byte": at.byte}));
    json!({"start": start, "end": end})
}
