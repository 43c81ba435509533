//! Keys, heredocs and aligned lines.

use std::collections::HashSet;

use hclkit_model::{Context, Expression};
use hclkit_syntax::{is_identifier, is_visible};
use hclkit_value::Value;

/// The last column in which equals signs are aligned, so that one long name does not pad the lines of many others.
pub const MAX_COLUMN: usize = 60;

/// The width to which names are aligned: that of the longest name of at most [`MAX_COLUMN`] characters.
pub fn name_width<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    let widths = names.map(|name| name.chars().take(MAX_COLUMN + 1).count());
    widths.filter(|&width| width <= MAX_COLUMN).max().unwrap_or_default()
}

/// Lines of the form `name = text`. The equals signs of consecutive items with one line each are in one column, except
/// for names longer than [`MAX_COLUMN`].
pub fn align(items: &[(String, String)]) -> Vec<String> {
    let one_line = |(_, text): &&(String, String)| !text.contains('\n');
    let mut lines = Vec::with_capacity(items.len());
    let mut rest = items;
    while !rest.is_empty() {
        let run = rest.iter().take_while(one_line).count();
        let (aligned, others) = rest.split_at(run);
        let width = name_width(aligned.iter().map(|(name, _)| name.as_str()));
        lines.extend(aligned.iter().map(|(name, text)| format!("{name:width$} = {text}")));
        let several = others.len().min(1);
        lines.extend(others[..several].iter().map(|(name, text)| format!("{name} = {text}")));
        rest = &others[several..];
    }
    lines
}

pub(super) fn new_line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// The key of an object item, without quotes if that means the same text.
pub(crate) fn key(name: &str) -> String {
    // At the start of an object, `for` begins a `for` expression.
    let is_bare = is_identifier(name) && name != "for" && name.chars().all(is_visible);
    if is_bare { name.to_owned() } else { Value::from(name).to_string() }
}

/// Returns true if text has several lines and ends with a line break, so that it can be a heredoc.
pub(super) fn has_lines(text: &str) -> bool {
    text.trim_end_matches('\n').contains('\n') && text.ends_with('\n')
}

/// Multi-line text as a heredoc, if that needs no escape sequences.
pub(super) fn heredoc(text: &str, indent: usize) -> Option<String> {
    if !has_lines(text) || text.contains(|c: char| !is_visible(c) && c != '\n' && c != '\t') {
        return None;
    }
    let content = text.strip_suffix('\n')?;
    let flush = if indent == 0 { "" } else { "-" };
    let taken: HashSet<&str> =
        content.lines().map(str::trim).filter(|line| line.starts_with("EOT")).collect();
    let mut ends = (0..).map(|n| if n == 0 { "EOT".to_owned() } else { format!("EOT{n}") });
    let end = ends.find(|end| !taken.contains(end.as_str()))?;
    let mut out = format!("<<{flush}{end}");
    for line in content.split('\n') {
        new_line(if indent == 0 || line.is_empty() { 0 } else { indent + 2 }, &mut out);
        out.push_str(&line.replace("${", "$${").replace("%{", "%%{"));
    }
    new_line(indent, &mut out);
    out.push_str(&end);
    // Parse it to check that it means the text.
    let read = Expression::parse(format!("{out}\n")).ok()?.evaluate(&Context::new()).ok()?;
    (read.as_str() == Some(text)).then_some(out)
}
