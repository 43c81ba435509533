//! Ranges, diagnostics and traversals in the form of the protocol.

use hclkit_model::{Target, Traversal};
use hclkit_syntax::{Diagnostic, Range, Span};
use serde_json::{Value as Json, json};

use crate::value_json::value_json;

pub(crate) fn range_json(range: Range) -> Json {
    let (start, end) = (range.start, range.end);
    json!([start.byte, end.byte, start.line, start.column, end.line, end.column])
}

/// Diagnostics with their places, if they have one.
pub(crate) fn diagnostics_json<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    place: impl Fn(&Diagnostic) -> Option<Json>,
) -> Json {
    let list = diagnostics.into_iter().map(|diagnostic| {
        let mut item = json!({
            "severity": diagnostic.severity().as_str(),
            "summary": diagnostic.summary(), "detail": diagnostic.note(),
        });
        if let Some(range) = place(diagnostic) {
            item["range"] = range;
        }
        item
    });
    list.collect()
}

pub(crate) fn traversal_json(traversal: &Traversal, place: impl Fn(Span) -> Json) -> Json {
    let root = json!({ "range": place(traversal.root_span), "root": traversal.root.as_str() });
    let steps = traversal.steps.iter().map(|step| match &step.target {
        Target::Attribute(name) => json!({ "attr": name.as_str(), "range": place(step.span) }),
        Target::Element(key) => json!({ "index": value_json(key), "range": place(step.span) }),
    });
    std::iter::once(root).chain(steps).collect()
}
