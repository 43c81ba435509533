//! The last line of a report for people: how many files were checked, and what was found.

use hclkit::render::Totals;

use super::{files, plural};

/// `Checked 3 files: 2 errors in 1 file`, and the blank line before it.
pub(super) fn summary(totals: &Totals) -> String {
    let blank = if totals.errors + totals.warnings > 0 && totals.fixed.is_empty() { "\n" } else { "" };
    format!("{blank}{}\n", counts(totals))
}

fn counts(totals: &Totals) -> String {
    let checked = if totals.files == 0 { "no files".to_owned() } else { files(totals.files) };
    let mut unreadable = String::new();
    for (action, what) in [("read", "not readable"), ("write", "not writable")] {
        let count = totals.failed.iter().filter(|file| file.action == action).count();
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
    let places = files(totals.sources.len());
    format!("Checked {checked}{unreadable}: {} in {places}", kinds.join(" and "))
}
