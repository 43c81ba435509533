//! The report as workflow commands, which GitHub shows as annotations: `::error file=…,line=…::message`.

use std::fmt::Write as _;
use std::io::{self, Write};

use hclkit_syntax::{Code, Diagnostic, visible, visible_line};

use super::Totals;
use crate::Place;

pub(super) fn diagnostic(out: &mut impl Write, diagnostic: &Diagnostic) -> io::Result<()> {
    write!(out, "::{} ", diagnostic.severity().as_str())?;
    if let Some(source) = diagnostic.source() {
        let range = source.range(diagnostic.span());
        let (start, end) = (range.start, range.end);
        if !source.name().is_empty() {
            write!(out, "file={},", property(source.name()))?;
        }
        write!(out, "line={},endLine={},col={},", start.line, end.line, start.column)?;
        if start.line == end.line {
            // GitHub expects the last column, not the one after it.
            write!(out, "endColumn={},", end.column.saturating_sub(1).max(start.column))?;
        }
    }
    writeln!(
        out,
        "title={}::{}",
        property(&title(diagnostic.summary(), diagnostic.code())),
        data(&message(diagnostic))
    )
}

/// A notice without a place.
pub(super) fn info(out: &mut impl Write, rule: &str, message: &str) -> io::Result<()> {
    writeln!(out, "::notice title={}::{}", property(rule), data(message))
}

/// `Invalid character [wrong-character]`
fn title(summary: &str, code: Option<Code>) -> String {
    code.map_or_else(|| summary.to_owned(), |code| format!("{summary} [{code}]"))
}

/// The parts of a diagnostic besides its title, each on its own line. GitHub requires a message.
fn message(diagnostic: &Diagnostic) -> String {
    let note = if diagnostic.note().is_empty() { diagnostic.summary() } else { diagnostic.note() };
    let mut message = note.to_owned();
    for related in diagnostic.related() {
        if let Some(source) = related.source().or(diagnostic.source()) {
            let _ = write!(message, "\n{}: {}", Place::new(source, related.span()), related.text());
        }
    }
    for evidence in diagnostic.evidence() {
        let _ = write!(message, "\n{} is {}", evidence.expression, evidence.value);
    }
    if let Some(fix) = diagnostic.fix() {
        let _ = write!(message, "\nSuggested fix: {}.", fix.title);
    }
    message
}

pub(super) fn end(out: &mut impl Write, totals: &Totals) -> io::Result<()> {
    for (file, message) in &totals.more {
        writeln!(out, "::notice file={}::{}", property(file), data(message))?;
    }
    for fixed in &totals.fixed {
        for error in &fixed.errors {
            let (start, file) = (error.range.start, property(&fixed.name));
            write!(out, "::notice file={file},line={},col={},", start.line, start.column)?;
            let title = title(fixed.verb(), error.code);
            writeln!(out, "title={}::{}", property(&title), data(&error.title))?;
        }
    }
    for failed in &totals.failed {
        let (file, reason) = (property(&failed.name), data(&failed.reason));
        writeln!(out, "::error file={file},title=Cannot {} the file::{reason}", failed.action)?;
    }
    Ok(())
}

/// Escapes line breaks in a message.
fn data(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(&visible_line(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_end_a_command_are_escaped() {
        assert_eq!(data("100%\r\nx: y, z"), "100%25%0D%0Ax: y, z");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25␊");
        assert_eq!(data("\u{1b}[31m\u{202e}"), "␛[31m�");
    }
}
