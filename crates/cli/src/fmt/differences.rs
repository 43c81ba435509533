//! Where a file is not formatted: a diagnostic for each run of lines with changes, with the changes as its fix.

use hclkit::syntax::{Edit, Fix};
use hclkit::write::Formatted;
use hclkit::{Code, Diagnostic, Diagnostics, Document, Span};

/// The title of the fixes.
pub(super) const TITLE: &str = "Format these lines";

/// The places of a document that formatting changes.
pub(super) fn of(document: &Document, formatted: &Formatted<'_>) -> Diagnostics {
    let source = document.shared_source();
    let mut found = Diagnostics::new();
    let mut push = |edits: &mut Vec<Edit>| {
        let (Some(first), Some(last)) = (edits.first(), edits.last()) else { return };
        let span = Span::new(first.span.start, last.span.end);
        found.push(difference(span, std::mem::take(edits)).with_source(source));
    };
    let mut together: Vec<Edit> = Vec::new();
    for edit in formatted.edits() {
        let is_next = |last: &Edit| source.line_of(edit.span.start) <= source.line_of(last.span.end) + 1;
        if !together.last().is_none_or(is_next) {
            push(&mut together);
        }
        together.push(edit);
    }
    push(&mut together);
    found
}

fn difference(span: Span, edits: Vec<Edit>) -> Diagnostic {
    Diagnostic::error(Code::Unformatted)
        .at(span)
        .with_note("The layout is not that of `hcl fmt`.")
        .with_fix(Fix::new(TITLE, edits))
}
