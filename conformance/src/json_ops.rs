//! The op `json`: a file in the JSON syntax, read in the dynamic attributes mode and evaluated.

use std::sync::Arc;

use hclkit_model::{Body, Diagnostics};
use hclkit_syntax::json::{self, Document};
use hclkit_syntax::{Diagnostic, Span};
use serde_json::{Map, Value as Json, json};

use crate::eval_ops::context;
use crate::value_json::value_json;
use crate::{Answer, Op, Request};

pub(crate) const OPS: &[Op] = &[("json", attributes)];

fn attributes(request: &Request) -> Answer {
    let context = context(request)?;
    let document = Arc::new(json::parse(request.text("src")?));
    let told = document.diagnostics();
    let first = told.iter().position(Diagnostic::is_error);
    let told = first.map_or(told, |first| &told[first..=first]);
    let mut answer = Map::from_iter([("parse_diags".to_owned(), diagnostics_json(&document, told))]);
    if first.is_some() {
        return Ok(answer);
    }
    let mut diagnostics = Diagnostics::new();
    let attributes = Body::of_json(&document).attributes(&mut diagnostics);
    let values = attributes.iter().map(|attribute| {
        let mut found = Diagnostics::new();
        let value = attribute.expression.evaluate_into(&context, &mut found);
        let fields = json!({ "value": value_json(&value), "diags": diagnostics_json(&document, &found) });
        (attribute.name.to_string(), fields)
    });
    answer.insert("attrs".to_owned(), values.collect::<Map<_, _>>().into());
    answer.insert("diags".to_owned(), diagnostics_json(&document, &diagnostics));
    Ok(answer)
}

fn diagnostics_json(document: &Document, diagnostics: &[Diagnostic]) -> Json {
    let list = diagnostics.iter().map(|diagnostic| {
        json!({
            "severity": diagnostic.severity.as_str(), "range": range(document, diagnostic.subject),
            "summary": diagnostic.summary(), "detail": diagnostic.detail,
        })
    });
    list.collect()
}

fn range(document: &Document, span: Span) -> Json {
    let range = document.range(span);
    let (start, end) = (range.start, range.end);
    json!([start.byte, end.byte, start.line, start.column, end.line, end.column])
}
