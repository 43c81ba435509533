//! The report as one JSON document. A diagnostic is what it serializes to. While `version` is 1, properties can be added,
//! but none changes its meaning.

use std::io::{self, Write};

use hclkit_syntax::Diagnostic;

use super::stream::Stream;
use super::{FixedError, FixedFile, Totals};

pub(super) fn start(json: &mut Stream<impl Write>) -> io::Result<()> {
    json.open("{")?;
    json.entry("version", &1)?;
    json.name("diagnostics")?;
    json.open("[")
}

pub(super) fn diagnostic(json: &mut Stream<impl Write>, diagnostic: &Diagnostic) -> io::Result<()> {
    json.item()?;
    json.value(diagnostic)
}

/// Writes what is known only at the end: files and counts.
pub(super) fn end(json: &mut Stream<impl Write>, totals: &Totals) -> io::Result<()> {
    json.close("]")?;
    json.array_entry("fixed", &totals.fixed, fixed)?;
    json.array_entry("unreadable", &totals.failed, |json, file| {
        json.entry("file", &file.name)?;
        json.entry("action", file.action)?;
        json.entry("message", &file.reason)
    })?;
    if !totals.skipped.is_empty() {
        json.array_entry("skipped", &totals.skipped, |json, file| {
            json.entry("file", &file.name)?;
            json.entry("message", &file.reason)
        })?;
    }
    if !totals.infos.is_empty() {
        json.array_entry("infos", &totals.infos, |json, info| {
            json.entry("rule", &info.rule)?;
            json.entry("message", &info.message)
        })?;
    }
    json.entry("files", &totals.files)?;
    json.entry("errors", &totals.errors)?;
    json.entry("warnings", &totals.warnings)?;
    json.entry("unreported", &totals.unreported)?;
    json.close("}")?;
    json.out.write_all(b"\n")
}

fn fixed<W: Write>(json: &mut Stream<W>, file: &FixedFile) -> io::Result<()> {
    json.entry("file", &file.name)?;
    json.entry("mistakes", &file.errors.len())?;
    json.entry("written", &file.written)?;
    json.array_entry("errors", &file.errors, |json, error: &FixedError| {
        json.entry("code", &error.code)?;
        json.entry("title", &error.title)?;
        json.entry("range", &error.range)
    })?;
    file.diff.as_ref().map_or(Ok(()), |diff| json.entry("diff", diff))
}
