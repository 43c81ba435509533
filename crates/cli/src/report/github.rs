//! The report as workflow commands, which GitHub displays as annotations: `::error file=…,line=…::message`.

use std::io::{self, Write};

use hclkit::syntax::{visible, visible_line};

use hclkit::Code;

use super::{Finding, Report};

pub(super) fn write(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let mut written = Ok(());
    report.each(&mut |diagnostics| {
        for finding in diagnostics.iter().filter_map(Finding::of) {
            // Continue to visit the diagnostics, because files may be fixed at the same time.
            if written.is_ok() {
                written = write_finding(out, finding);
            }
        }
    });
    written?;
    let totals = report.totals();
    for (file, message) in &totals.unreported_in {
        writeln!(out, "::notice file={}::{}", property(file), data(message))?;
    }
    for fixed in &totals.fixed {
        let title = if fixed.written { "Fixed" } else { "Would fix" };
        for error in &fixed.errors {
            let (start, file) = (error.range.start, property(&fixed.name));
            write!(out, "::notice file={file},line={},col={},", start.line, start.column)?;
            writeln!(out, "title={title} [{}]::{}", error.code.map_or("", Code::as_str), data(&error.title))?;
        }
    }
    for unreadable in &totals.unreadable {
        let (action, message) = (unreadable.action, data(&unreadable.why));
        writeln!(
            out,
            "::error file={},title=Cannot {action} the file::{message}",
            property(&unreadable.name)
        )?;
    }
    Ok(())
}

fn write_finding(out: &mut impl Write, finding: Finding<'_>) -> io::Result<()> {
    let diagnostic = finding.diagnostic;
    let range = finding.source.range(diagnostic.span());
    let (start, end) = (range.start, range.end);
    write!(out, "::{} ", diagnostic.severity().as_str())?;
    write!(out, "file={},", property(finding.source.name()))?;
    write!(out, "line={},endLine={},col={},", start.line, end.line, start.column)?;
    if start.line == end.line {
        // GitHub expects the last column, not the one after it.
        write!(out, "endColumn={},", end.column.saturating_sub(1).max(start.column))?;
    }
    let title = format!("{} [{}]", diagnostic.summary(), diagnostic.code().map_or("", Code::as_str));
    let mut message = diagnostic.note().to_string();
    for evidence in diagnostic.evidence() {
        message = format!("{message}\n{} is {}", evidence.expression, evidence.value);
    }
    if let Some(fix) = diagnostic.fix() {
        message = format!("{message}\nSuggested fix: {}.", fix.title);
    }
    writeln!(out, "title={}::{}", property(&title), data(&message))
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
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(data("100%\r\nx: y, z"), "100%25%0D%0Ax: y, z");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25␊");
        assert_eq!(data("\u{1b}[31m\u{202e}"), "␛[31m�");
    }
}
