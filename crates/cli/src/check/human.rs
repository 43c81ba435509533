//! Reports for people: each diagnostic with its excerpt, then what was fixed, then the sum.

use std::collections::HashSet;
use std::io::{self, Write};

use hclkit::render::Renderer;
use hclkit::syntax::visible_line;

use super::{Findings, files, plural};
use crate::report::Finding;

/// How many fixes of a file are listed.
const MOST_FIXES: usize = 100;

pub(super) fn write(out: &mut impl Write, findings: &Findings) -> io::Result<()> {
    let renderer = Renderer::coloured();
    let mut out = io::BufWriter::new(out);
    for diagnostics in &findings.problems {
        writeln!(out, "{}\n", renderer.diagnostics(diagnostics))?;
    }
    for fixed in &findings.fixed {
        let verb = if fixed.written { "Fixed" } else { "Would fix" };
        let name = visible_line(&fixed.name);
        writeln!(out, "{verb} {} in {name}:", plural(fixed.errors.len(), "error"))?;
        for error in fixed.errors.iter().take(MOST_FIXES) {
            let start = error.range.start;
            writeln!(out, "  {name}:{}:{}: {}", start.line, start.column, visible_line(&error.title))?;
        }
        if let Some(more @ 1..) = fixed.errors.len().checked_sub(MOST_FIXES) {
            writeln!(out, "  and {more} more")?;
        }
    }
    writeln!(out, "{}", summary(findings))?;
    out.flush()
}

/// `Checked 3 files: 2 errors in 1 file`
fn summary(findings: &Findings) -> String {
    let checked = if findings.checked == 0 { "no files".to_owned() } else { files(findings.checked) };
    let mut unreadable = String::new();
    for (action, what) in [("read", "not readable"), ("write", "not writable")] {
        let count = findings.unreadable.iter().filter(|unreadable| unreadable.action == action).count();
        if count > 0 {
            unreadable = format!("{unreadable}, {count} {what}");
        }
    }
    let (errors, warnings) = findings.counts();
    let kinds: Vec<String> = [(errors, "error"), (warnings, "warning")]
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, what)| plural(count, what))
        .collect();
    if kinds.is_empty() {
        let fine = if unreadable.is_empty() { "all fine" } else { "the rest is fine" };
        return match findings.checked {
            0 => format!("Checked {checked}{unreadable}"),
            _ if unreadable.is_empty() => format!("Checked {checked}: {fine}"),
            _ => format!("Checked {checked}{unreadable}: {fine}"),
        };
    }
    let found = findings.problems.iter().flat_map(|diagnostics| diagnostics.iter());
    let places = files(found.filter_map(Finding::of).map(|found| found.file()).collect::<HashSet<_>>().len());
    format!("Checked {checked}{unreadable}: {} in {places}", kinds.join(" and "))
}
