//! Markdown for the comment of a pull request. Comments have a limit, so that what is too much is left out and counted.

use std::fmt::Write as _;

use super::{
    Review, attribute_lines, causes, heading, in_words, line, of_rules, part_sign, setting, setting_sign,
    suggestions,
};

/// The maximum number of characters. Comments of GitHub have at most 65,536.
pub const MOST_MARKDOWN: usize = 60_000;

/// What is kept for the end, which says what is missing.
const END: usize = 500;
/// The maximum number of characters of a line.
const MOST_LINE: usize = 400;

/// Returns a review as Markdown, of at most [`MOST_MARKDOWN`] characters.
pub fn markdown(review: &Review) -> String {
    let mut out = Page { text: String::new(), left: MOST_MARKDOWN - END, omitted: 0 };
    out.add("### What this change does\n\n");
    if review.is_empty() && !review.is_incomplete() {
        out.add("No change in meaning.\n");
    }
    let (mut omitted_roots, roots) = (0, review.shown());
    for root in roots {
        let head = format!(
            "<details><summary><code>{}</code>: {}</summary>\n\n```diff\n",
            escaped(&cut(&root.directory)),
            in_words(root.diff.totals())
        );
        let end = "```\n\n</details>\n\n";
        if !out.add_if_room(&head, end) {
            omitted_roots += 1;
            continue;
        }
        for text in lines(root) {
            out.line(&text);
        }
        out.close(end);
    }
    if let Some(rules) = &review.rules {
        let head = format!("<details><summary>Rules: {}</summary>\n\n```diff\n", rules.in_words());
        let end = "```\n\n</details>\n\n";
        if out.add_if_room(&head, end) {
            for (sign, text, place) in of_rules(rules) {
                // What is new is bad, and red.
                let sign = if sign == '+' { "- new:" } else { "+ fixed:" };
                out.line(&format!("{sign} {text} ({place})"));
            }
            out.close(end);
        } else {
            out.omitted += rules.new.len() + rules.fixed.len();
        }
    }
    for problem in &review.problems {
        out.line(&format!("> {}", escaped(problem)));
    }
    if out.omitted > 0 || omitted_roots > 0 {
        let lines = format!("{} more {}", out.omitted, if out.omitted == 1 { "line" } else { "lines" });
        let roots =
            if omitted_roots > 0 { format!(" and {omitted_roots} more directories") } else { String::new() };
        let _ = writeln!(out.text, "\n{lines}{roots} left out, because a comment has a limit.");
    }
    out.text
}

/// The lines of a module in a block of the kind `diff`.
fn lines(root: &super::Root) -> Vec<String> {
    let diff = &root.diff;
    let mut lines = Vec::new();
    for own in &diff.instances {
        let sign = sign(own.action.sign());
        lines.push(format!("{sign} {}", heading(own)));
        for (text, is_cause) in attribute_lines(own) {
            lines.push(format!("{sign}     {}{text}", if is_cause { "    " } else { "" }));
        }
    }
    for own in &diff.outputs {
        for part in &own.parts {
            let sign = sign(part_sign(part));
            lines.push(format!("{sign} output.{}: {}", own.name, line(part)));
            lines.extend(causes(part).map(|cause| format!("{sign}         {cause}")));
        }
    }
    lines.extend(diff.settings.iter().map(|own| format!("{} {}", sign(setting_sign(own)), setting(own))));
    let suggested: Vec<String> = suggestions(diff).collect();
    if !suggested.is_empty() {
        lines.push("# These look the same. To keep them, add:".to_owned());
        lines.extend(suggested.iter().map(|own| format!("#     {own}")));
    }
    let findings = diff.findings.iter().chain(diff.old_errors.iter());
    lines.extend(
        findings.map(|found| {
            format!("# {}: {}", found.severity().as_str(), super::visible_line(found.summary()))
        }),
    );
    lines
}

/// The signs that such a block colors.
fn sign(sign: char) -> char {
    match sign {
        '~' | '>' => '!',
        '?' => '#',
        other => other,
    }
}

struct Page {
    text: String,
    /// The number of characters that are left.
    left: usize,
    omitted: usize,
}

impl Page {
    fn add(&mut self, text: &str) {
        self.left = self.left.saturating_sub(text.chars().count());
        self.text.push_str(text);
    }

    /// Adds a text if there is room for it and for what ends it.
    fn add_if_room(&mut self, text: &str, end: &str) -> bool {
        let needed = text.chars().count() + end.len() + MOST_LINE;
        if needed > self.left {
            return false;
        }
        self.add(text);
        self.left -= end.len();
        true
    }

    fn line(&mut self, text: &str) {
        let text = cut(text);
        if text.chars().count() + 1 > self.left {
            self.omitted += 1;
            return;
        }
        self.add(&text);
        self.add("\n");
    }

    /// Adds an end for which there is room.
    fn close(&mut self, end: &str) {
        self.text.push_str(end);
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_LINE - 1) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    let text = super::visible_line(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
