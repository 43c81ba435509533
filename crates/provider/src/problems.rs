//! Errors for Terraform: the location in the short form `<expr_src>:1,9-15`, then the text.

use std::fmt::Write as _;

use hclkit::syntax::visible_line;
use hclkit::value::{Error, Step};
use hclkit::{Diagnostic, Diagnostics};

/// How many errors are listed.
const LISTED: usize = 10;

/// The error about an argument, from the errors in its text.
pub(crate) fn at(argument: usize, problems: &Diagnostics) -> Error {
    Error::without_values(text(problems)).within(Step::from(argument))
}

/// An error about an argument.
pub(crate) fn plain(argument: usize, message: impl Into<String>) -> Error {
    Error::without_values(message.into()).within(Step::from(argument))
}

fn text(problems: &Diagnostics) -> String {
    let mut text = String::new();
    let errors = problems.iter().filter(|problem| problem.is_error());
    for (at, problem) in errors.take(LISTED).enumerate() {
        if at > 0 {
            text.push('\n');
        }
        write(&mut text, problem);
    }
    if let more @ 1.. = problems.errors().saturating_sub(LISTED) {
        let _ = write!(text, "\n{more} more");
    }
    // Terraform adds a period.
    text.truncate(text.trim_end_matches('.').len());
    text
}

fn write(text: &mut String, problem: &Diagnostic) {
    if let Some(place) = problem.place() {
        let range = place.range();
        let (start, end) = (range.start, range.end);
        let _ = write!(text, "{}:{},{}-", visible_line(place.source.name()), start.line, start.column);
        if start.line != end.line {
            let _ = write!(text, "{},", end.line);
        }
        let _ = write!(text, "{}: ", end.column);
    }
    let _ = write!(text, "{}", visible_line(problem.summary()));
    if !problem.note().is_empty() {
        let _ = write!(text, ": {}", visible_line(problem.note()));
    }
}
