//! The op `json`: a file in the JSON syntax, read as attributes of any name, and evaluated.

use hclkit_model::{Body, Diagnostics};
use hclkit_syntax::{Diagnostic, json};
use serde_json::{Map, json};

use crate::eval_ops::context;
use crate::place::{diagnostics_json, range_json};
use crate::value_json::value_json;
use crate::{Answer, Op, Request};

pub(crate) const OPS: &[Op] = &[("json", attributes)];

fn attributes(request: &Request) -> Answer {
    let context = context(request)?;
    let document = json::parse(request.text("src")?);
    let place = |diagnostic: &Diagnostic| Some(range_json(document.range(diagnostic.span())));
    let told = up_to_first_error(document.diagnostics());
    let mut answer = Map::from_iter([("parse_diags".to_owned(), diagnostics_json(told, place))]);
    if document.has_errors() {
        return Ok(answer);
    }
    let mut diagnostics = Diagnostics::new();
    let attributes = diagnostics.absorb(Body::from_json(document.root()).attributes());
    let values = attributes.iter().map(|attribute| {
        let mut found = Diagnostics::new();
        let value = found.absorb(attribute.expression.evaluate_lenient(&context));
        let fields = json!({ "value": value_json(&value), "diags": diagnostics_json(&found, place) });
        (attribute.name.to_string(), fields)
    });
    answer.insert("attrs".to_owned(), values.collect::<Map<_, _>>().into());
    answer.insert("diags".to_owned(), diagnostics_json(&diagnostics, place));
    Ok(answer)
}

/// The errors of JSON text. Those of the reference after the first one only follow from it.
pub(crate) fn up_to_first_error(told: &[Diagnostic]) -> &[Diagnostic] {
    let first = told.iter().position(Diagnostic::is_error);
    first.map_or(told, |first| &told[first..=first])
}
