//! What a call throws: JSON with diagnostics. `../../src/errors.js` makes an exception of it.

use std::fmt::Display;

#[cfg(feature = "full")]
use hclkit::limits::Exceeded;
use hclkit::{Diagnostic, Diagnostics};
use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::place::{Places, Ranged};

#[derive(Serialize)]
struct Failure {
    message: String,
    diagnostics: Vec<DiagnosticJson>,
    /// Whether a limit ended the work.
    limit: bool,
    /// How many diagnostics are left out.
    unreported: usize,
}

/// One error or warning. `DiagnosticJson` of `../../src/types.d.ts` describes it.
#[derive(Serialize)]
pub(crate) struct DiagnosticJson {
    code: Option<String>,
    severity: &'static str,
    message: String,
    note: String,
    range: Option<Ranged>,
    address: Option<String>,
    fix: Option<FixJson>,
    related: Vec<RelatedJson>,
    evidence: Vec<(String, String)>,
    /// What the program `hcl` prints.
    #[cfg(feature = "full")]
    text: String,
}

#[derive(Serialize)]
struct FixJson {
    title: String,
    edits: Vec<(Ranged, String)>,
}

#[derive(Serialize)]
struct RelatedJson {
    message: String,
    range: Option<Ranged>,
}

/// Diagnostics as JSON, with positions.
pub(crate) fn list(diagnostics: &Diagnostics) -> Vec<DiagnosticJson> {
    let mut places = Places::default();
    diagnostics.iter().map(|one| diagnostic(one, &mut places)).collect()
}

fn diagnostic(one: &Diagnostic, places: &mut Places) -> DiagnosticJson {
    let fix = one.fix().zip(one.source()).map(|(fix, source)| FixJson {
        title: fix.title.to_string(),
        edits: fix
            .edits
            .iter()
            .map(|edit| (places.range(source, edit.span), edit.replacement.to_string()))
            .collect(),
    });
    let related = one.related().iter().map(|related| RelatedJson {
        message: related.text().to_owned(),
        range: related.source().or_else(|| one.source()).map(|source| places.range(source, related.span())),
    });
    let related = related.collect();
    DiagnosticJson {
        code: one.code().map(|code| code.to_string()),
        severity: one.severity().as_str(),
        message: one.summary().to_owned(),
        note: one.note().to_owned(),
        range: one.place().map(|place| places.range(&place.source, place.span)),
        address: one.address().map(str::to_owned),
        fix,
        related,
        evidence: one.evidence().iter().map(|it| (it.expression.clone(), it.value.clone())).collect(),
        #[cfg(feature = "full")]
        text: hclkit::render::Renderer::plain().diagnostic(one),
    }
}

/// Throws diagnostics.
pub(crate) fn of(diagnostics: &Diagnostics) -> JsValue {
    let message = match diagnostics.iter().find(|it| it.is_error()).or_else(|| diagnostics.iter().next()) {
        Some(first) if first.note().is_empty() => first.summary().to_owned(),
        Some(first) => format!("{}: {}", first.summary(), first.note()),
        None => String::new(),
    };
    thrown(&Failure {
        message,
        diagnostics: list(diagnostics),
        limit: diagnostics.has_limit(),
        unreported: diagnostics.unreported(),
    })
}

/// Throws an error without a place.
pub(crate) fn plain(message: impl Display) -> JsValue {
    thrown(&Failure { message: message.to_string(), diagnostics: Vec::new(), limit: false, unreported: 0 })
}

/// Throws the error for an exceeded limit.
#[cfg(feature = "full")]
pub(crate) fn exceeded(exceeded: Exceeded) -> JsValue {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(Diagnostic::exceeded(exceeded));
    of(&diagnostics)
}

fn thrown(failure: &Failure) -> JsValue {
    let text = serde_json::to_string(failure).unwrap_or_else(|why| format!("{{\"message\":\"{why}\"}}"));
    JsValue::from_str(&text)
}
