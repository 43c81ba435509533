//! Unified diffs of changed texts.

use std::time::Duration;

use hclkit::syntax::visible_line;
use similar::TextDiff;

/// The changes to a file as a unified diff, which `git apply` and `patch -p1` read.
pub(crate) fn unified(name: &str, before: &str, after: &str) -> String {
    named([&in_tree("a", name), &in_tree("b", name)], before, after)
}

/// A new file as a unified diff.
pub(crate) fn created(name: &str, after: &str) -> String {
    named(["/dev/null", &in_tree("b", name)], "", after)
}

/// A file that is removed as a unified diff.
pub(crate) fn removed(name: &str, before: &str) -> String {
    named([&in_tree("a", name), "/dev/null"], before, "")
}

fn in_tree(tree: &str, name: &str) -> String {
    format!("{tree}/{}", name.strip_prefix("./").unwrap_or(name).trim_start_matches('/'))
}

/// The changes as a unified diff, with `old/` and `new/` before the name, as other formatters print them.
pub(crate) fn old_and_new(name: &str, before: &str, after: &str) -> String {
    named([&format!("old/{name}"), &format!("new/{name}")], before, after)
}

fn named([old, new]: [&str; 2], before: &str, after: &str) -> String {
    let diff = TextDiff::configure().timeout(Duration::from_secs(1)).diff_lines(before, after);
    diff.unified_diff().header(&visible_line(old), &visible_line(new)).to_string()
}
