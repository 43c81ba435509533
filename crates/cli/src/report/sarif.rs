//! The report in the Static Analysis Results Interchange Format, version 2.1.0, with all codes as rules.

use std::fmt::Write as _;
use std::path::Path;

use hclkit::syntax::{Edit, Related};
use hclkit::{Code, Source, Span};
use serde::Serialize;
use serde_json::{Value, json};

use super::stream::{Entries, Entry};
use super::{Finding, Report, Totals};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(super) fn report(report: &Report<'_>) -> impl Serialize {
    let tool = json!({"driver": {
        "name": "hcl",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": Code::ALL.iter().copied().map(rule).collect::<Vec<_>>(),
    }});
    let run = Entries([
        ("tool", Entry::Value(tool)),
        ("columnKind", Entry::Value(json!("utf16CodeUnits"))),
        ("results", Entry::Findings(Box::new(|visit| report.each(visit)), result)),
        // Invocations come last, because they depend on all files.
        ("invocations", Entry::Late(Box::new(|| invocations(&report.totals())))),
    ]);
    Entries([
        ("$schema", Entry::Value(json!(SCHEMA))),
        ("version", Entry::Value(json!("2.1.0"))),
        ("runs", Entry::One(Box::new(run))),
    ])
}

fn invocations(totals: &Totals) -> Value {
    let unreadable = totals.unreadable.iter().map(|it| notification("error", &it.to_string(), &it.name));
    let unreported = totals.unreported_in.iter().map(|(file, message)| notification("note", message, file));
    let fixes = totals.fixed.iter().flat_map(|fixed| {
        let verb = if fixed.written { "Fixed" } else { "Would fix" };
        fixed.errors.iter().map(move |error| {
            let mut note = notification("note", &format!("{verb}: {}", error.title), &fixed.name);
            note["associatedRule"] = json!({"id": error.code.map(Code::as_str)});
            note["locations"][0]["physicalLocation"]["region"] = json!({"startLine": error.range.start.line});
            note
        })
    });
    json!([{
        "executionSuccessful": totals.unreadable.is_empty(),
        "toolExecutionNotifications": unreadable.chain(unreported).chain(fixes).collect::<Vec<_>>(),
    }])
}

fn notification(level: &str, message: &str, file: &str) -> Value {
    json!({
        "level": level,
        "message": {"text": message},
        "locations": [{"physicalLocation": {"artifactLocation": artifact(file)}}],
    })
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "shortDescription": {"text": code.summary()},
        "fullDescription": {"text": code.explanation()},
        "help": {"text": code.explanation()},
        "defaultConfiguration": {"level": "error"},
    })
}

fn result(finding: Finding<'_>) -> Value {
    let Finding { diagnostic, source } = finding;
    let mut result = json!({
        "ruleId": diagnostic.code().map(Code::as_str),
        "ruleIndex": Code::ALL.iter().position(|&code| diagnostic.has_code(code)),
        "level": diagnostic.severity().as_str(),
        "message": {"text": format!("{}. {}", diagnostic.summary(), diagnostic.note())},
        "locations": [location(source, diagnostic.span())],
    });
    if !diagnostic.related().is_empty() {
        let related = diagnostic.related().iter().map(|it| related(source, it));
        result["relatedLocations"] = related.collect();
    }
    if let Some(fix) = diagnostic.fix() {
        let edits: Vec<Value> = fix.edits.iter().map(|edit| replacement(source, edit)).collect();
        let file = artifact(source.name());
        result["fixes"] = json!([{
            "description": {"text": fix.title},
            "artifactChanges": [{"artifactLocation": file, "replacements": edits}],
        }]);
    }
    result
}

fn location(source: &Source, span: Span) -> Value {
    let file = artifact(source.name());
    json!({"physicalLocation": {"artifactLocation": file, "region": region(source, span)}})
}

fn related(source: &Source, related: &Related) -> Value {
    let mut location = location(related.source().map_or(source, AsRef::as_ref), related.span());
    location["message"] = json!({"text": related.text()});
    location
}

fn replacement(source: &Source, edit: &Edit) -> Value {
    let mut replacement = json!({"deletedRegion": region(source, edit.span)});
    if !edit.replacement.is_empty() {
        replacement["insertedContent"] = json!({"text": edit.replacement});
    }
    replacement
}

fn region(source: &Source, span: Span) -> Value {
    let (start, end) = (source.utf16_position(span.start), source.utf16_position(span.end));
    json!({
        "startLine": start.line + 1,
        "startColumn": start.character + 1,
        "endLine": end.line + 1,
        "endColumn": end.character + 1,
        "byteOffset": span.start,
        "byteLength": span.len(),
    })
}

/// A file as a URI: relative as it was named, or absolute.
fn artifact(name: &str) -> Value {
    let path = if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() };
    let mut uri = String::new();
    if Path::new(name).is_absolute() {
        uri.push_str(if path.starts_with('/') { "file://" } else { "file:///" });
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => _ = write!(uri, "%{byte:02X}"),
        }
    }
    json!({"uri": uri})
}
