//! The report in the Static Analysis Results Interchange Format, version 2.1.0. The rules are the codes that were declared
//! or reported. The tool comes after its results, because it lists the rules.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use hclkit_syntax::{Code, Diagnostic, Severity, Source, Span};

use super::fingerprint::Fingerprints;
use super::stream::Stream;
use super::{FixedError, Tool, Totals};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What is remembered of earlier results.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// The codes that were declared or reported, each with its first severity.
    rules: Vec<(Code, Severity)>,
    fingerprints: Fingerprints,
}

impl Results {
    /// The index of a rule, which is added if it is new.
    pub(super) fn rule_index(&mut self, code: Code, severity: Severity) -> usize {
        let known = self.rules.iter().position(|&(known, _)| known == code);
        known.unwrap_or_else(|| {
            self.rules.push((code, severity));
            self.rules.len() - 1
        })
    }
}

pub(super) fn start(json: &mut Stream<impl Write>) -> io::Result<()> {
    json.open("{")?;
    json.entry("$schema", SCHEMA)?;
    json.entry("version", "2.1.0")?;
    json.name("runs")?;
    json.open("[")?;
    json.item()?;
    json.open("{")?;
    json.entry("columnKind", "utf16CodeUnits")?;
    json.name("results")?;
    json.open("[")
}

pub(super) fn result(
    json: &mut Stream<impl Write>,
    results: &mut Results,
    diagnostic: &Diagnostic,
) -> io::Result<()> {
    json.item()?;
    json.object(|json| {
        if let Some(code) = diagnostic.code() {
            json.entry("ruleId", &code)?;
            json.entry("ruleIndex", &results.rule_index(code, diagnostic.severity()))?;
        }
        json.entry("level", diagnostic.severity().as_str())?;
        message(json, "message", &text(diagnostic))?;
        let source = diagnostic.source().map(AsRef::as_ref);
        json.array_entry("locations", source, |json, source| location(json, source, diagnostic.span()))?;
        if let Some(source) = source {
            let fingerprint = results.fingerprints.of(diagnostic, source);
            json.object_entry("partialFingerprints", |json| {
                json.entry("primaryLocationLineHash", &fingerprint)
            })?;
        }
        if !diagnostic.related().is_empty() {
            // No two of them may be equal.
            let mut seen = HashSet::new();
            let related = diagnostic.related().iter().filter_map(|related| {
                let source: &Source = related.source().map(AsRef::as_ref).or(source)?;
                let span = related.span();
                seen.insert((source.name(), span.start, span.end, related.text()))
                    .then_some((related, source))
            });
            json.array_entry("relatedLocations", related, |json, (related, source)| {
                location(json, source, related.span())?;
                message(json, "message", related.text())
            })?;
        }
        let Some((fix, source)) = diagnostic.fix().zip(source) else { return Ok(()) };
        json.array_entry("fixes", [fix], |json, fix| {
            message(json, "description", &fix.title)?;
            json.array_entry("artifactChanges", [fix], |json, fix| {
                artifact(json, source.name())?;
                json.array_entry("replacements", &fix.edits, |json, edit| {
                    region(json, "deletedRegion", source, edit.span)?;
                    if edit.replacement.is_empty() {
                        return Ok(());
                    }
                    message(json, "insertedContent", &edit.replacement)
                })
            })
        })
    })
}

/// The summary and the note, as two sentences.
fn text(diagnostic: &Diagnostic) -> String {
    match (diagnostic.summary(), diagnostic.note()) {
        (summary, "") => summary.to_owned(),
        (summary, note) => format!("{summary}. {note}"),
    }
}

pub(super) fn end(
    json: &mut Stream<impl Write>,
    totals: &Totals,
    tool: &Tool,
    results: &mut Results,
) -> io::Result<()> {
    for code in totals.fixed.iter().flat_map(|file| &file.errors).filter_map(|error| error.code) {
        results.rule_index(code, Severity::Error);
    }
    json.close("]")?;
    json.array_entry("invocations", [totals], invocation)?;
    json.object_entry("tool", |json| json.object_entry("driver", |json| driver(json, tool, results)))?;
    json.close("}")?;
    json.close("]")?;
    json.close("}")?;
    json.out.write_all(b"\n")
}

fn driver<W: Write>(json: &mut Stream<W>, tool: &Tool, results: &Results) -> io::Result<()> {
    json.entry("name", &tool.name)?;
    if !tool.version.is_empty() {
        json.entry("semanticVersion", &tool.version)?;
    }
    if !tool.page.is_empty() {
        json.entry("informationUri", &tool.page)?;
    }
    json.array_entry("rules", &results.rules, |json, (code, severity)| {
        let explanation = if code.explanation().is_empty() { code.summary() } else { code.explanation() };
        json.entry("id", code)?;
        message(json, "shortDescription", code.summary())?;
        message(json, "fullDescription", explanation)?;
        message(json, "help", explanation)?;
        if !code.page().is_empty() {
            json.entry("helpUri", code.page())?;
        }
        json.object_entry("defaultConfiguration", |json| json.entry("level", severity.as_str()))
    })
}

/// The outcome of the run, with all that was not found at a place.
fn invocation<W: Write>(json: &mut Stream<W>, totals: &Totals) -> io::Result<()> {
    json.entry("executionSuccessful", &totals.failed.is_empty())?;
    let failed = totals.failed.iter().map(|file| ("error", file.to_string(), &file.name, None));
    let skipped = totals.skipped.iter().map(|file| ("note", file.to_string(), &file.name, None));
    let more = totals.more.iter().map(|(name, more)| ("note", more.clone(), name, None));
    let none = String::new();
    let infos = totals.infos.iter().map(|info| {
        let text = format!("{}: {}", info.rule, info.message);
        ("note", text, &none, None)
    });
    let fixed = totals.fixed.iter().flat_map(|file| {
        file.errors
            .iter()
            .map(|error| ("note", format!("{}: {}", file.verb(), error.title), &file.name, Some(error)))
    });
    json.array_entry(
        "toolExecutionNotifications",
        failed.chain(skipped).chain(more).chain(infos).chain(fixed),
        |json, (level, text, name, fixed): (_, _, _, Option<&FixedError>)| {
            json.entry("level", level)?;
            message(json, "message", &text)?;
            let named = Some(name).filter(|name| !name.is_empty());
            json.array_entry("locations", named, |json, name| {
                json.object_entry("physicalLocation", |json| {
                    artifact(json, name)?;
                    fixed.map_or(Ok(()), |error| {
                        json.object_entry("region", |json| json.entry("startLine", &error.range.start.line))
                    })
                })
            })?;
            match fixed.and_then(|error| error.code) {
                Some(code) => json.object_entry("associatedRule", |json| json.entry("id", &code)),
                None => Ok(()),
            }
        },
    )
}

fn message<W: Write>(json: &mut Stream<W>, name: &str, text: &str) -> io::Result<()> {
    json.object_entry(name, |json| json.entry("text", text))
}

fn location<W: Write>(json: &mut Stream<W>, source: &Source, span: Span) -> io::Result<()> {
    json.object_entry("physicalLocation", |json| {
        artifact(json, source.name())?;
        region(json, "region", source, span)
    })
}

fn artifact<W: Write>(json: &mut Stream<W>, name: &str) -> io::Result<()> {
    json.object_entry("artifactLocation", |json| json.entry("uri", &uri(name)))
}

fn region<W: Write>(json: &mut Stream<W>, name: &str, source: &Source, span: Span) -> io::Result<()> {
    let (start, end) = (source.utf16_position(span.start), source.utf16_position(span.end));
    json.object_entry(name, |json| {
        json.entry("startLine", &(start.line + 1))?;
        json.entry("startColumn", &(start.character + 1))?;
        json.entry("endLine", &(end.line + 1))?;
        json.entry("endColumn", &(end.character + 1))?;
        json.entry("byteOffset", &span.start)?;
        json.entry("byteLength", &span.len())
    })
}

/// A file as a URI: relative as it was named, or absolute.
fn uri(name: &str) -> String {
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
    uri
}
