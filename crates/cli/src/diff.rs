//! Unified diffs of changed texts.

use std::time::Duration;

use hclkit::syntax::visible_line;
use similar::TextDiff;

/// The changes to a file as a unified diff.
pub(crate) fn unified(name: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::configure().timeout(Duration::from_secs(1)).diff_lines(before, after);
    let name = visible_line(name).into_owned();
    diff.unified_diff().header(&name, &name).to_string()
}
