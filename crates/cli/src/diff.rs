//! Unified diffs of changed texts.

use std::time::Duration;

use hclkit::syntax::visible_line;
use similar::TextDiff;

/// The changes to a file as a unified diff.
pub(crate) fn unified(name: &str, before: &str, after: &str) -> String {
    named([name, name], before, after)
}

/// The changes as a unified diff, with `old/` and `new/` before the name, as other formatters print them.
pub(crate) fn old_and_new(name: &str, before: &str, after: &str) -> String {
    named([&format!("old/{name}"), &format!("new/{name}")], before, after)
}

fn named([old, new]: [&str; 2], before: &str, after: &str) -> String {
    let diff = TextDiff::configure().timeout(Duration::from_secs(1)).diff_lines(before, after);
    diff.unified_diff().header(&visible_line(old), &visible_line(new)).to_string()
}
