//! A review as JSON. docs/review.md describes it.

use hclkit::{Diagnostics, Place};
use serde_json::{Value as Json, json};

use super::{Review, Root};
use crate::diff::{AttributeChange, SettingChange};
use hclkit::module::SettingKind;

/// Returns a review as JSON.
pub fn json(review: &Review) -> Json {
    let mut all = json!({
        "format_version": "1.0",
        "old": review.old,
        "new": review.new,
        "changed": !review.is_empty(),
        "complete": !review.is_incomplete(),
        "roots": review.roots.iter().map(root).collect::<Vec<_>>(),
        "problems": review.problems,
    });
    if let Some(rules) = &review.rules {
        all["rules"] = json!({
            "new": findings(&rules.new),
            "fixed": findings(&rules.fixed),
            "unchanged": rules.unchanged,
        });
    }
    all
}

fn root(root: &Root) -> Json {
    let (diff, totals) = (&root.diff, root.diff.totals());
    let instances = diff.instances.iter().map(|own| {
        json!({
            "action": own.action.as_str(),
            "address": own.address,
            "previous_address": own.previous_address,
            "attributes": own.attributes.iter().map(attribute).collect::<Vec<_>>(),
            "place": place(own.place.as_ref()),
        })
    });
    let outputs = diff.outputs.iter().map(|own| {
        let parts: Vec<Json> = own.parts.iter().map(attribute).collect();
        json!({"name": own.name, "parts": parts, "place": place(own.place.as_ref())})
    });
    let suggestions = diff.suggestions.iter().map(|own| json!({"from": own.from, "to": own.to}));
    json!({
        "directory": root.directory,
        "changed": !diff.is_empty(),
        "complete": !diff.is_incomplete,
        "totals": {
            "added": totals.added,
            "removed": totals.removed,
            "moved": totals.moved,
            "changed": totals.changed,
            "may_change": totals.may_change,
            "outputs": totals.outputs,
            "settings": totals.settings,
        },
        "instances": instances.collect::<Vec<_>>(),
        "outputs": outputs.collect::<Vec<_>>(),
        "settings": diff.settings.iter().map(setting).collect::<Vec<_>>(),
        "suggested_moves": suggestions.collect::<Vec<_>>(),
        "findings": findings(&diff.findings),
        "old_errors": findings(&diff.old_errors),
    })
}

fn attribute(own: &AttributeChange) -> Json {
    let causes = own.causes.iter().map(|cause| {
        json!({"address": cause.address, "old": cause.old, "new": cause.new, "place": place(cause.place.as_ref())})
    });
    json!({
        "path": own.path,
        "change": own.certainty.as_str(),
        "old": own.old,
        "new": own.new,
        "because": own.because,
        "causes": causes.collect::<Vec<_>>(),
    })
}

fn setting(own: &SettingChange) -> Json {
    let kind = match own.kind {
        SettingKind::Variable => "variable",
        SettingKind::Output => "output",
        SettingKind::Call => "call",
        SettingKind::Object => "object",
        SettingKind::Statement => "statement",
        _ => "settings",
    };
    json!({
        "kind": kind,
        "module": own.module,
        "subject": own.subject,
        "path": own.path,
        "old": own.old,
        "new": own.new,
        "note": own.note,
        "place": place(Some(&own.place)),
        "other_calls": own.others,
    })
}

fn place(place: Option<&Place>) -> Json {
    let Some(place) = place else { return Json::Null };
    let range = place.source.range(place.span);
    json!({"file": place.source.name(), "line": range.start.line, "column": range.start.column})
}

fn findings(all: &Diagnostics) -> Vec<Json> {
    let one = |found: &hclkit::Diagnostic| {
        let at = found.source().map(|source| Place::new(source, found.span()));
        json!({
            "code": found.code().map(hclkit::Code::as_str),
            "severity": found.severity().as_str(),
            "summary": found.summary(),
            "message": found.note(),
            "place": place(at.as_ref()),
        })
    };
    all.iter().map(one).collect()
}
