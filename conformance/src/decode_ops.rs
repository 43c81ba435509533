//! The op `decode`: files decoded with a spec.

use std::collections::BTreeMap;

use hclkit_model::{Body, Diagnostics, Dynamic, Functions, Reference, SpecFile};
use hclkit_syntax::{Diagnostic, Source, Syntax};
use serde_json::{Map, Value as Json};

use crate::eval_ops::context;
use crate::json_ops::up_to_first_error;
use crate::place::{diagnostics_json, range_json, traversal_json};
use crate::value_json::value_json;
use crate::{Answer, BadRequest, Op, Request};

pub(crate) const OPS: &[Op] = &[("decode", decode)];

fn decode(request: &Request) -> Answer {
    let spec_name = request.field("spec_name").and_then(Json::as_str).unwrap_or("spec.hcldec");
    let source = Source::new(spec_name, request.text("spec")?);
    let (_, mut found) = read(source.clone());
    let mut spec = None;
    if !found.has_errors() {
        match SpecFile::read(source, &Functions::from(hclkit_functions::spec())) {
            Ok(file) => spec = Some(file),
            Err(mistakes) => found = mistakes,
        }
    }
    let mut bodies = Vec::new();
    for file in request.required("files")?.as_array().into_iter().flatten() {
        let field = |name: &str| file.get(name).and_then(Json::as_str);
        let (Some(name), Some(src)) = (field("name"), field("src")) else {
            return Err(BadRequest::new("a file has a name and a src"));
        };
        let (body, mistakes) = read(Source::new(name, src));
        found.extend(mistakes);
        bodies.push(body);
    }
    let mut answer = Map::from_iter([("parse_diags".to_owned(), distinct_json(&found))]);
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
    let value = diagnostics.absorb(spec.spec.decode(&body, &context));
    answer.insert("value".to_owned(), value_json(&value));
    answer.insert("diags".to_owned(), distinct_json(&diagnostics));
    Ok(answer)
}

/// A file's body, with only the first error in its text; the ops `config` and `json` compare the others.
fn read(source: Source) -> (Body, Diagnostics) {
    let is_json = Syntax::of(source.name()) == Syntax::Json;
    let (body, mistakes) = Body::parse(source);
    let first = if is_json {
        up_to_first_error(&mistakes).last()
    } else {
        mistakes.iter().min_by_key(|mistake| (mistake.span().start, mistake.span().end))
    };
    let first = first.cloned().into_iter().collect();
    (body, first)
}

/// The references, without duplicates and sorted by their text, because the reference visits objects in random order.
fn distinct_refs(found: &[Reference]) -> Json {
    let mut refs = BTreeMap::new();
    for reference in found {
        let place = |span| range_json(reference.source.range(span));
        let steps = traversal_json(&reference.traversal, place);
        refs.insert(steps.to_string(), steps);
    }
    refs.into_values().collect()
}

/// Each is reported once, as by the oracle.
fn distinct_json(diagnostics: &[Diagnostic]) -> Json {
    let place = |diagnostic: &Diagnostic| {
        diagnostic.source().map(|source| range_json(source.range(diagnostic.span())))
    };
    let same = |one: &Diagnostic, other: &Diagnostic| {
        let of = |it: &Diagnostic| (it.severity(), it.summary().to_owned(), place(it));
        of(one) == of(other)
    };
    let mut distinct: Vec<&Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        if !distinct.iter().any(|known| same(known, diagnostic)) {
            distinct.push(diagnostic);
        }
    }
    diagnostics_json(distinct, place)
}
