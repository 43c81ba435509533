//! The adapter for the public HCL conformance suite: one call in, one JSON document out. Trees, values, contexts and
//! schemas are in separate files; the program is `bin/hclkit-adapter.rs`.

mod context;
mod schema;
mod tree;
mod value;

use std::fs;

use hclkit_model::{Body, Context, Diagnostics, Expression};
use hclkit_syntax::ast::{self, Item};
use hclkit_syntax::{Diagnostic, Document, Source, StartSymbol, Syntax};
use serde_json::{Map, Value as Json, json};

use context::{Prepared, Setup};

/// Why the adapter could not answer.
pub type Failure = String;

/// Answers a call: `capabilities`, `parse FILE`, `eval FILE [CONTEXT]`, `decode FILE CONTEXT` or `validate FILE`.
///
/// # Errors
/// There is no such call, or a file cannot be read. Errors in HCL are part of the answer.
pub fn answer(arguments: &[&str]) -> Result<Json, Failure> {
    match arguments {
        ["capabilities"] => Ok(capabilities()),
        ["parse", file] => Ok(parse(&native(file)?)),
        ["eval", file] => Ok(eval(&native(file)?, &Context::new())),
        ["eval", file, context] => Ok(eval(&native(file)?, &Setup::read(&text(context)?)?.context)),
        ["decode", file, context] => decode(source(file)?, &Setup::read(&text(context)?)?),
        ["validate", file] => Ok(validate(source(file)?)),
        _ => Err("usage: capabilities | parse FILE | eval FILE [CONTEXT.json] | decode FILE CONTEXT.json | \
                  validate FILE"
            .into()),
    }
}

fn capabilities() -> Json {
    json!({
        "implementation": "hclkit",
        "version": env!("CARGO_PKG_VERSION"),
        "operations": ["parse", "eval", "decode", "validate"],
        "features": [
            "typed-values", "unknown-values", "functions", "json-syntax", "static-analysis", "type-expressions",
            "try-functions", "dynamic-blocks", "user-functions",
        ],
    })
}

fn text(path: &str) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| format!("{path}: {error}"))
}

fn source(path: &str) -> Result<Source, Failure> {
    Ok(Source::new(path, text(path)?))
}

/// A parsed file in the native syntax.
fn native(path: &str) -> Result<Document, Failure> {
    if Syntax::of(path) == Syntax::Json {
        return Err(format!("{path}: the JSON syntax is for `decode` only"));
    }
    Ok(Document::parse(source(path)?, StartSymbol::Config))
}

fn parse(document: &Document) -> Json {
    if document.has_errors() {
        return parse_errors(document);
    }
    let body = body(document.body(), &mut |attribute| tree::expression(attribute.value()));
    json!({ "valid": true, "body": body })
}

fn eval(document: &Document, context: &Context) -> Json {
    if document.has_errors() {
        return parse_errors(document);
    }
    let mut diagnostics = Diagnostics::new();
    let body = body(document.body(), &mut |attribute| {
        let expression = Expression::from_ast(attribute.value());
        value::to_json(&diagnostics.absorb(expression.evaluate_lenient(context)))
    });
    if diagnostics.has_errors() {
        invalid("eval", &diagnostics)
    } else {
        json!({ "valid": true, "body": body })
    }
}

/// A body with a result for each of its attributes.
fn body(items: ast::BodyNode, attribute: &mut impl FnMut(ast::AttributeNode) -> Json) -> Json {
    let (mut attributes, mut blocks) = (Map::new(), Vec::new());
    for item in items.items() {
        match item {
            Item::Attribute(found) => {
                attributes.insert(found.name().to_owned(), attribute(found));
            }
            Item::Block(block) => blocks.push(json!({
                "type": block.block_type(),
                "labels": block.label_texts(),
                "body": body(block.body(), attribute),
            })),
        }
    }
    json!({ "attributes": attributes, "blocks": blocks })
}

fn decode(source: Source, setup: &Setup) -> Result<Json, Failure> {
    let wanted = setup.schema.as_ref().ok_or("the context has no schema")?;
    let (body, diagnostics) = Body::parse(source);
    if diagnostics.has_errors() {
        return Ok(invalid("parse", &diagnostics));
    }
    let mut diagnostics = Diagnostics::new();
    let Prepared { body, context, .. } = &setup.prepare(body, &mut diagnostics);
    let selected = wanted.select(body, &mut diagnostics);
    if diagnostics.has_errors() {
        return Ok(invalid("schema", &diagnostics));
    }
    let analysed = selected.analysed(&mut diagnostics);
    if diagnostics.has_errors() {
        return Ok(invalid("analysis", &diagnostics));
    }
    let body = analysed.evaluated(context, &mut diagnostics);
    Ok(if diagnostics.has_errors() {
        invalid("eval", &diagnostics)
    } else {
        json!({ "valid": true, "body": body })
    })
}

/// Returns true if a file in either syntax has no errors.
fn validate(source: Source) -> Json {
    let (_, diagnostics) = Body::parse(source);
    if diagnostics.has_errors() { invalid("parse", &diagnostics) } else { json!({ "valid": true }) }
}

fn parse_errors(document: &Document) -> Json {
    let errors = document.diagnostics().iter().filter(|diagnostic| diagnostic.is_error());
    let errors: Vec<Json> = errors.map(|diagnostic| error(diagnostic, Some(document.source()))).collect();
    json!({ "valid": false, "phase": "parse", "errors": errors })
}

fn invalid(phase: &str, diagnostics: &Diagnostics) -> Json {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let errors: Vec<Json> =
        errors.map(|diagnostic| error(diagnostic, diagnostic.source().map(AsRef::as_ref))).collect();
    json!({ "valid": false, "phase": phase, "errors": errors })
}

fn error(diagnostic: &Diagnostic, source: Option<&Source>) -> Json {
    let range = source.map(|source| source.range(diagnostic.span())).unwrap_or_default();
    let position =
        |at: hclkit_syntax::Position| json!({ "line": at.line, "column": at.column, "byte": at.byte });
    json!({
        "message": format!("{}: {}", diagnostic.summary(), diagnostic.note()),
        "range": { "start": position(range.start), "end": position(range.end) },
    })
}
