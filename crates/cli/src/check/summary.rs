//! The last line of a report for people: how many files were checked, what was found, and what was skipped.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hclkit::dialect::{Dialect, syntax_of_path};
use hclkit::limits::path_on_disk;
use hclkit::render::Totals;
use hclkit::syntax::visible_line;

use super::files;
use crate::input::{Input, Skipped, Why};
use crate::output::plural;
use crate::terragrunt;

/// `Checked 3 files: 2 errors in 1 file`, the blank line before it, and what was skipped in parentheses.
pub(super) fn summary(totals: &Totals, skipped: &str) -> String {
    let blank = if totals.errors + totals.warnings > 0 && totals.fixed.is_empty() { "\n" } else { "" };
    let skipped = if skipped.is_empty() { String::new() } else { format!(" ({skipped})") };
    format!("{blank}{}{skipped}\n", counts(totals))
}

/// The number of directories that are named.
const NAMED: usize = 3;

/// `2 files ignored by .gitignore: modules in a and b were checked without them; use --no-ignore to check them`
pub(super) fn skipped(all: &[Skipped], modules: &[PathBuf]) -> String {
    let mut counts: BTreeMap<Why, (usize, usize)> = BTreeMap::new();
    for skipped in all {
        let (files, folders) = counts.entry(skipped.why).or_default();
        *if skipped.is_folder { folders } else { files } += 1;
    }
    let kinds = counts.iter().map(|(why, &(files, folders))| {
        let folders = if folders == 1 { "1 directory".to_owned() } else { format!("{folders} directories") };
        match files {
            0 => format!("{folders} {why}"),
            _ if folders.starts_with("0 ") => format!("{} {why}", super::files(files)),
            _ => format!("{} and {folders} {why}", super::files(files)),
        }
    });
    let mut text = kinds.collect::<Vec<_>>().join(", ");
    let name = |path: &PathBuf| visible_line(&path_on_disk(path).to_string_lossy()).into_owned();
    let names: Vec<String> = modules.iter().take(NAMED).map(name).collect();
    let them = match modules.len() {
        0 => String::new(),
        1 => format!(": the module in {} was checked without them", names[0]),
        count if count > NAMED => {
            let others = count - NAMED;
            let others = if others == 1 { "1 other".to_owned() } else { format!("{others} others") };
            format!(": modules in {} and {others} were checked without them", names.join(", "))
        }
        _ => format!(": modules in {} were checked without them", names.join(" and ")),
    };
    text.push_str(&them);
    if counts.keys().any(|why| matches!(why, Why::Ignored(_))) {
        text.push_str("; use --no-ignore to check them");
    }
    text
}

/// `2 files of Nomad: only their syntax`, for files whose language has no check of names and values. `has_spec` is true for those
/// that a spec of the project describes, and `has_language` if an option names the language of all files.
pub(super) fn only_syntax(
    inputs: &[Input],
    has_language: bool,
    has_spec: impl Fn(&Path) -> bool,
) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for path in inputs.iter().filter_map(Input::path).filter(|path| !has_spec(path)) {
        let dialect = Dialect::of_path(path);
        let dialect = dialect.filter(|dialect| !dialect.has_modules() && !terragrunt::is_unit_file(path));
        // Any language can be in files of HCL itself.
        if let Some(dialect) = dialect.filter(|dialect| !matches!(dialect.name(), "bake" | "hcl")) {
            *counts.entry(dialect.title().to_owned()).or_default() += 1;
        }
    }
    let texts = counts.into_iter().map(|(title, count)| {
        let their = if count == 1 { "its" } else { "their" };
        format!("{} of {title}: only {their} syntax", super::files(count))
    });
    let unknown = inputs
        .iter()
        .filter_map(Input::path)
        .filter(|path| !has_spec(path) && syntax_of_path(path).is_none());
    // A known language has been chosen for them.
    let unknown = if has_language { 0 } else { unknown.count() };
    let unnamed = (unknown > 0).then(|| {
        let their = if unknown == 1 { "its" } else { "their" };
        let names = if unknown == 1 { "a name" } else { "names" };
        format!(
            "{} with {names} of no known language: only {their} syntax; name the language with --language",
            super::files(unknown)
        )
    });
    texts.chain(unnamed).collect()
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
    let kinds = found(totals);
    if kinds.is_empty() {
        let fine = if unreadable.is_empty() { "no problems found" } else { "no other problems found" };
        return match totals.files {
            0 => format!("Checked {checked}{unreadable}"),
            _ if unreadable.is_empty() => format!("Checked {checked}: {fine}"),
            _ => format!("Checked {checked}{unreadable}: {fine}"),
        };
    }
    let places = files(totals.sources.len());
    format!("Checked {checked}{unreadable}: {kinds} in {places}")
}

/// `1 error and 2 warnings`, or nothing.
pub(crate) fn found(totals: &Totals) -> String {
    let counts = [(totals.errors, "error"), (totals.warnings, "warning")];
    let kinds = counts.into_iter().filter(|&(count, _)| count > 0).map(|(count, what)| plural(count, what));
    kinds.collect::<Vec<_>>().join(" and ")
}
