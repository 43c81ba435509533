//! A review as text for people, Markdown for a comment, JSON, annotations of GitHub, and a page.

mod github;
mod html;
mod json;
mod markdown;
mod text;

use std::fmt::Write as _;

use hclkit::Place;
use hclkit::syntax::visible_line;

pub use github::github;
pub use html::html;
pub use json::json;
pub use markdown::{MOST_MARKDOWN, markdown};
pub use text::text;

use crate::diff::{Action, AttributeChange, Certainty, Diff, InstanceChange, SettingChange, Totals};
use crate::rules::{RuleChanges, sentence};
use crate::shown::Shown;

/// The differences of two versions of some modules.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Review {
    /// What the old version is called.
    pub old: String,
    /// What the new version is called.
    pub new: String,
    /// The modules.
    pub roots: Vec<Root>,
    /// What rules find in both versions, if some were applied.
    pub rules: Option<RuleChanges>,
    /// What could not be compared, in sentences.
    pub problems: Vec<String>,
}

/// A module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Root {
    /// Its directory.
    pub directory: String,
    /// The difference.
    pub diff: Diff,
}

impl Root {
    /// The difference of the module in a directory.
    pub fn new(directory: impl Into<String>, diff: Diff) -> Self {
        Self { directory: directory.into(), diff }
    }
}

impl Review {
    /// Returns a review without modules.
    pub fn new(old: impl Into<String>, new: impl Into<String>) -> Self {
        Self { old: old.into(), new: new.into(), roots: Vec::new(), rules: None, problems: Vec::new() }
    }

    /// Returns true if all modules mean the same.
    pub fn is_empty(&self) -> bool {
        self.roots.iter().all(|root| root.diff.is_empty())
    }

    /// Returns true if something could not be compared: there are errors, or a limit ended some of the work.
    pub fn is_incomplete(&self) -> bool {
        let is_incomplete =
            |diff: &Diff| diff.is_incomplete || diff.findings.has_errors() || diff.old_errors.has_errors();
        !self.problems.is_empty() || self.roots.iter().any(|root| is_incomplete(&root.diff))
    }

    /// The modules with something to show.
    fn shown(&self) -> impl Iterator<Item = &Root> {
        self.roots.iter().filter(|root| !root.diff.instances.is_empty() || has_more(&root.diff))
    }
}

fn has_more(diff: &Diff) -> bool {
    !diff.is_empty() || !diff.findings.is_empty() || !diff.old_errors.is_empty() || diff.is_incomplete
}

/// `2 added, 1 changed`
fn in_words(totals: Totals) -> String {
    let plural = |count: usize, one: &str| if count == 1 { one.to_owned() } else { format!("{one}s") };
    let all = [
        (totals.added, "added".to_owned()),
        (totals.removed, "removed".to_owned()),
        (totals.moved, "moved".to_owned()),
        (totals.changed, "changed".to_owned()),
        (totals.may_change, "may change".to_owned()),
        (totals.outputs, plural(totals.outputs, "output")),
        (totals.settings, plural(totals.settings, "setting")),
    ];
    let parts = all.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}"));
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "no change in meaning".to_owned() } else { parts.join(", ") }
}

/// Instances with their new and old addresses.
fn heading(own: &InstanceChange) -> String {
    let mut text = visible_line(&own.address).into_owned();
    if let Some(previous) = &own.previous_address {
        let _ = write!(text, " (was {})", visible_line(previous));
    }
    text
}

/// A change on one line.
fn line(own: &AttributeChange) -> String {
    visible_line(&own.to_string()).into_owned()
}

/// A part of an instance that only one version has: `size: 1`.
fn one_sided(own: &AttributeChange, action: Action) -> String {
    let shown = if action == Action::Added { &own.new } else { &own.old };
    visible_line(&format!("{}: {shown}", own.path)).into_owned()
}

/// The lines about the attributes of an instance, each with whether it is a cause of the one before.
fn attribute_lines(own: &InstanceChange) -> Vec<(String, bool)> {
    let mut lines = Vec::new();
    for attribute in &own.attributes {
        match own.action {
            Action::Added => lines.push((one_sided(attribute, own.action), false)),
            // What is gone had all its values.
            Action::Removed => {}
            _ => lines.push((line(attribute), false)),
        }
        if own.action != Action::Removed {
            lines.extend(causes(attribute).map(|cause| (cause, true)));
        }
    }
    lines
}

/// The causes of a change, on a line each.
fn causes(own: &AttributeChange) -> impl Iterator<Item = String> {
    own.causes.iter().map(|cause| {
        let place = cause.place.as_ref().map(|place| format!(" at {}", location(place))).unwrap_or_default();
        let change = match (&cause.old, &cause.new) {
            (Shown::Absent, new) => new.to_string(),
            (old, Shown::Absent) => format!("{old}, gone"),
            (Shown::Sensitive, _) => "(sensitive)".to_owned(),
            (old, new) if old == new => new.to_string(),
            (old, new) => format!("{old} -> {new}"),
        };
        visible_line(&format!("because {}{place}: {change}", cause.address)).into_owned()
    })
}

/// A setting on one line.
fn setting(own: &SettingChange) -> String {
    let mut text = own.name();
    let is_block = |shown: &Shown| matches!(shown, Shown::Absent | Shown::Declared);
    if !(is_block(&own.old) && is_block(&own.new)) {
        text = match (&own.old, &own.new) {
            (Shown::Sensitive, Shown::Sensitive) => format!("{text}: (sensitive) changes"),
            (Shown::Absent, new) => format!("{text}: {new}"),
            (old, Shown::Absent) => format!("{text}: {old}, gone"),
            (old, new) => format!("{text}: {old} -> {new}"),
        };
    }
    if let Some(note) = &own.note {
        let _ = write!(text, " ({note})");
    }
    if own.others > 0 {
        let _ =
            write!(text, ", also in {} other {}", own.others, if own.others == 1 { "call" } else { "calls" });
    }
    visible_line(&text).into_owned()
}

fn setting_sign(own: &SettingChange) -> char {
    match (&own.old, &own.new) {
        (Shown::Absent, _) => '+',
        (_, Shown::Absent) => '-',
        _ => '~',
    }
}

fn part_sign(own: &AttributeChange) -> char {
    if own.certainty == Certainty::MayChange { '?' } else { '~' }
}

/// `main.tf:3`
fn location(place: &Place) -> String {
    let name = visible_line(place.source.name()).into_owned();
    format!("{name}:{}", place.source.range(place.span).start.line)
}

/// What rules find that is new or fixed: a sign, a sentence, and the location.
fn of_rules(rules: &RuleChanges) -> impl Iterator<Item = (char, String, String)> {
    rules.signed().map(|(sign, found)| {
        let place = found.place().map(|place| location(&place)).unwrap_or_default();
        (sign, sentence(found), place)
    })
}

/// The lines of the blocks that could state moves.
fn suggestions(diff: &Diff) -> impl Iterator<Item = String> {
    let blocks: Vec<String> = diff.suggestions.iter().map(crate::diff::MoveSuggestion::block).collect();
    let lines = |block: String| block.lines().map(|line| visible_line(line).into_owned()).collect::<Vec<_>>();
    blocks.into_iter().flat_map(lines)
}
