//! The report as a single JSON document. The README of this crate describes its structure. While `version` is 1,
//! properties can be added, but none changes its meaning.

use hclkit::syntax::{Evidence, Fix, Related};
use hclkit::{Code, Range, Source, Span};
use serde::Serialize;
use serde_json::{Value, json};

use super::stream::{Entries, Entry};
use super::{Finding, Fixed, FixedError, Report, Totals};
use crate::input::Unreadable;

pub(super) fn report(report: &Report<'_>) -> impl Serialize {
    let late =
        |name, value: fn(&Totals) -> Value| (name, Entry::Late(Box::new(move || value(&report.totals()))));
    // Counts come last, because they are not known before.
    Entries([
        ("version", Entry::Value(json!(1))),
        ("diagnostics", Entry::Findings(Box::new(|visit| report.each(visit)), diagnostic)),
        late("fixed", |totals| totals.fixed.iter().map(fixed).collect()),
        late("unreadable", |totals| totals.unreadable.iter().map(unreadable).collect()),
        late("files", |totals| json!(totals.files)),
        late("errors", |totals| json!(totals.errors)),
        late("warnings", |totals| json!(totals.warnings)),
        late("unreported", |totals| json!(totals.unreported)),
    ])
}

fn unreadable(it: &Unreadable) -> Value {
    json!({"file": it.name, "action": it.action, "message": it.why})
}

fn diagnostic(finding: Finding<'_>) -> Value {
    let Finding { diagnostic, source } = finding;
    json!({
        "code": diagnostic.code().map(Code::as_str),
        "severity": diagnostic.severity().as_str(),
        "summary": diagnostic.summary(),
        "detail": diagnostic.note(),
        "file": source.name(),
        "range": range(source, diagnostic.span()),
        "context": diagnostic.context().map(|context| range(source, context)),
        "related": diagnostic.related().iter().map(|it| related(source, it)).collect::<Vec<_>>(),
        "evidence": diagnostic.evidence().iter().map(evidence).collect::<Vec<_>>(),
        "fix": diagnostic.fix().map(|it| fix(source, it)),
    })
}

fn related(source: &Source, related: &Related) -> Value {
    let source = related.source().map_or(source, AsRef::as_ref);
    json!({"message": related.text(), "file": source.name(), "range": range(source, related.span())})
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
        let code = error.code.map(Code::as_str);
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
