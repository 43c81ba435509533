//! Human-readable reports: the diagnostics with source excerpts, the applied fixes and a summary.

use std::io::{self, Write};

use hclkit::render::Renderer;
use hclkit::syntax::visible_line;

use super::{files, plural};
use crate::report::{Report, Totals};

/// The maximum number of fixes to list for each file.
const MOST_FIXES: usize = 100;

pub(super) fn write(out: impl Write, report: &Report<'_>) -> io::Result<()> {
    let renderer = Renderer::colored();
    let mut out = io::BufWriter::new(out);
    let mut written = Ok(());
    report.each(&mut |diagnostics| {
        // Continue to visit the diagnostics, because files may be fixed at the same time.
        if written.is_ok() {
            written = writeln!(out, "{}\n", renderer.diagnostics(diagnostics));
        }
    });
    written?;
    let totals = report.totals();
    for fixed in &totals.fixed {
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
    writeln!(out, "{}", summary(&totals))?;
    out.flush()
}

/// `Checked 3 files: 2 errors in 1 file`
fn summary(totals: &Totals) -> String {
    let checked = if totals.files == 0 { "no files".to_owned() } else { files(totals.files) };
    let mut unreadable = String::new();
    for (action, what) in [("read", "not readable"), ("write", "not writable")] {
        let count = totals.unreadable.iter().filter(|unreadable| unreadable.action == action).count();
        if count > 0 {
            unreadable = format!("{unreadable}, {count} {what}");
        }
    }
    let kinds: Vec<String> = [(totals.errors, "error"), (totals.warnings, "warning")]
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, what)| plural(count, what))
        .collect();
    if kinds.is_empty() {
        let fine = if unreadable.is_empty() { "no problems found" } else { "no other problems found" };
        return match totals.files {
            0 => format!("Checked {checked}{unreadable}"),
            _ if unreadable.is_empty() => format!("Checked {checked}: {fine}"),
            _ => format!("Checked {checked}{unreadable}: {fine}"),
        };
    }
    let places = files(totals.places.len());
    format!("Checked {checked}{unreadable}: {} in {places}", kinds.join(" and "))
}
