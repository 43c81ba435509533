//! For people, in a terminal or in a log. Colors are ANSI sequences, which the caller can remove.

use std::fmt::Write as _;

use super::{
    Review, attribute_lines, causes, heading, in_words, line, location, of_rules, part_sign, setting,
    setting_sign, suggestions,
};

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const CYAN: &str = "\x1b[36m";
const RESET: &str = "\x1b[0m";

/// Returns a review as text with colors. Lines are cut at a number of columns.
pub fn text(review: &Review, width: usize) -> String {
    let mut out = Lines { text: String::new(), width: width.max(20) };
    for root in review.shown() {
        out.line(BOLD, &format!("{}: {}", root.directory, in_words(root.diff.totals())));
        let diff = &root.diff;
        for own in &diff.instances {
            let color = color(own.action.sign());
            let place = own.place.as_ref().map(|place| format!("  {}", location(place))).unwrap_or_default();
            out.line(color, &format!("  {} {}{place}", own.action.sign(), heading(own)));
            for (text, is_cause) in attribute_lines(own) {
                out.line(
                    if is_cause { DIM } else { "" },
                    &format!("{}{text}", if is_cause { "          " } else { "      " }),
                );
            }
        }
        for own in &diff.outputs {
            for part in &own.parts {
                let sign = part_sign(part);
                let dot = if part.path.is_empty() || part.path.starts_with('[') { "" } else { "." };
                let space = if part.path.is_empty() { ": " } else { "" };
                out.line(color(sign), &format!("  {sign} output.{}{space}{dot}{}", own.name, line(part)));
                causes(part).for_each(|cause| out.line(DIM, &format!("          {cause}")));
            }
        }
        for own in &diff.settings {
            let sign = setting_sign(own);
            out.line(color(sign), &format!("  {sign} {}  {}", setting(own), location(&own.place)));
        }
        let suggested: Vec<String> = suggestions(diff).collect();
        if !suggested.is_empty() {
            out.line(CYAN, "  These look the same. To keep them, add:");
            for own in &suggested {
                out.line("", &format!("      {own}"));
            }
        }
        out.line("", "");
    }
    if let Some(rules) = &review.rules {
        out.line(BOLD, &format!("rules: {}", rules.in_words()));
        for (sign, text, place) in of_rules(rules) {
            out.line(if sign == '+' { RED } else { GREEN }, &format!("  {sign} {text}  {place}"));
        }
        out.line("", "");
    }
    for problem in &review.problems {
        out.line(RED, problem);
    }
    if review.is_empty() && !review.is_incomplete() {
        out.line("", &format!("No change in meaning from {} to {}.", review.old, review.new));
    }
    out.text
}

fn color(sign: char) -> &'static str {
    match sign {
        '+' => GREEN,
        '-' => RED,
        '>' | '?' => CYAN,
        _ => YELLOW,
    }
}

struct Lines {
    text: String,
    width: usize,
}

impl Lines {
    fn line(&mut self, color: &str, text: &str) {
        let cut = text.char_indices().nth(self.width).map(|_| {
            let end = text.char_indices().nth(self.width - 1).map_or(text.len(), |(at, _)| at);
            format!("{}…", &text[..end])
        });
        let shown = cut.as_deref().unwrap_or(text);
        let _ = if color.is_empty() || text.is_empty() {
            writeln!(self.text, "{shown}")
        } else {
            writeln!(self.text, "{color}{shown}{RESET}")
        };
    }
}
