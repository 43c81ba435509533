//! The op `decode`: files read by a spec.

use std::collections::BTreeMap;

use hclkit_model::{Body, Diagnostics, Dynamic, Functions, Reference, SpecFile, Target, Traversal};
use hclkit_syntax::{Source, Span};
use serde_json::{Map, Value as Json, json};

use crate::eval_ops::context;
use crate::value_json::value_json;
use crate::{Answer, BadRequest, Op, Request};

pub(crate) const OPS: &[Op] = &[("decode", decode)];

fn decode(request: &Request) -> Answer {
    let spec_name = request.field("spec_name").and_then(Json::as_str).unwrap_or("spec.hcldec");
    let spec = Source::new(spec_name, request.text("spec")?);
    let (mut found, mut bodies) = (Diagnostics::new(), Vec::new());
    let spec = SpecFile::read(spec, &Functions::from(hclkit_functions::spec()));
    let spec = spec.map_err(|mistakes| found.extend(mistakes)).ok();
    for file in request.required("files")?.as_array().into_iter().flatten() {
        let field = |name: &str| file.get(name).and_then(Json::as_str);
        let (Some(name), Some(src)) = (field("name"), field("src")) else {
            return Err(BadRequest::new("a file has a name and a src"));
        };
        let (body, mistakes) = Body::parse(Source::new(name, src));
        found.extend(mistakes);
        bodies.push(body);
    }
    let mut answer = Map::from_iter([("parse_diags".to_owned(), diagnostics_json(&found))]);
    let Some(spec) = spec.filter(|_| !found.has_errors()) else { return Ok(answer) };
    let mut body = Body::merge(bodies);
    let given = context(request)?;
    let mut context = spec.context(given.variables().map(|(name, value)| (name.clone(), value.clone())));
    if let Some(more) = given.functions() {
        let mut functions = spec.functions.clone();
        functions.extend(more.iter().map(|(name, function)| (name, function.clone())));
        context.set_functions(functions);
    }
    let dynamic = request.field("dynamic").and_then(Json::as_bool) == Some(true);
    let found = if dynamic { spec.spec.references_with_dynamic(&body) } else { spec.spec.references(&body) };
    answer.insert("refs".to_owned(), distinct_refs(&found));
    if dynamic {
        body = Dynamic::new(&context).expand(&body);
    }
    let mut diagnostics = Diagnostics::new();
    let value = spec.spec.decode(&body, &context, &mut diagnostics);
    answer.insert("value".to_owned(), value_json(&value));
    answer.insert("diags".to_owned(), diagnostics_json(&diagnostics));
    Ok(answer)
}

/// The references, each told once, in the order of their text: the reference goes through objects in no certain order.
fn distinct_refs(found: &[Reference]) -> Json {
    let mut refs = BTreeMap::new();
    for reference in found {
        let steps = traversal_json(&reference.source, &reference.traversal);
        refs.insert(steps.to_string(), steps);
    }
    refs.into_values().collect()
}

fn traversal_json(source: &Source, traversal: &Traversal) -> Json {
    let root = json!({ "range": range(source, traversal.root_span), "root": traversal.root.as_str() });
    let steps = traversal.steps.iter().map(|step| match &step.target {
        Target::Attribute(name) => json!({ "attr": name.as_str(), "range": range(source, step.span) }),
        Target::Element(key) => json!({ "index": value_json(key), "range": range(source, step.span) }),
    });
    std::iter::once(root).chain(steps).collect()
}

/// Each told once, as in the answer of the oracle.
fn diagnostics_json(diagnostics: &Diagnostics) -> Json {
    let mut list: Vec<Json> = Vec::new();
    for diagnostic in diagnostics {
        let mut item = json!({
            "severity": diagnostic.severity.as_str(),
            "summary": diagnostic.summary(), "detail": diagnostic.detail,
        });
        if let Some(source) = &diagnostic.source {
            item["range"] = range(source, diagnostic.subject);
        }
        let told = |known: &Json| {
            ["severity", "summary", "range"].iter().all(|name| known.get(name) == item.get(name))
        };
        if !list.iter().any(told) {
            list.push(item);
        }
    }
    list.into()
}

fn range(source: &Source, span: Span) -> Json {
    let range = source.range(span);
    let (start, end) = (range.start, range.end);
    json!([start.byte, end.byte, start.line, start.column, end.line, end.column])
}
