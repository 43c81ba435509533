//! Ops that evaluate expressions or analyze them without evaluation: `expr`, `template`, `refs` and `static`.

use hclkit_functions::Grants;
use hclkit_model::{Context, Diagnostics, Expression, Functions, TypeConstraint, constraint_of, type_of};
use hclkit_syntax::ast::ExpressionNode;
use hclkit_syntax::{Diagnostic, Document, parse_expression, parse_template};
use hclkit_value::Value;
use serde_json::{Map, Value as Json, json};

use crate::place::{diagnostics_json, traversal_json};
use crate::syntax_ops::{parse_diags, range};
use crate::value_json::{read_value, type_json, value_json};
use crate::{Answer, BadRequest, Op, Request};

pub(crate) const OPS: &[Op] = &[
    ("expr", |request| evaluate(request, &parse_expression(request.text("src")?))),
    ("template", |request| evaluate(request, &parse_template(request.text("src")?))),
    ("refs", refs),
    ("static", analyse),
];

/// Errors differ between a missing context and an empty one.
pub(crate) fn context(request: &Request) -> Result<Context, BadRequest> {
    let mut context = Context::new();
    if let Some(variables) = request.field("vars") {
        let variables = variables.as_object().ok_or_else(|| BadRequest::new("vars is no object"))?;
        let read = |(name, value): (&String, &Json)| Ok((name.clone(), read_value(value)?));
        context.set_all(variables.iter().map(read).collect::<Result<Vec<_>, BadRequest>>()?);
    }
    if let Some(table) = request.field("funcs") {
        context.set_functions(functions(table.as_str().unwrap_or_default())?);
    }
    Ok(context)
}

/// The function table with this name. It has no grants.
pub(crate) fn functions(name: &str) -> Result<Functions, BadRequest> {
    let (table, special): (_, &[&str]) = match name {
        "std" => (hclkit_functions::cty(), &["try", "can", "convert"]),
        "spec" => (hclkit_functions::spec(), &[]),
        "terraform" => (hclkit_functions::terraform(&Grants::new()), &["try", "can"]),
        "packer" => (hclkit_functions::packer(&Grants::new()), &["try", "can", "convert"]),
        "evaluation" => return Ok(Functions::evaluation(Functions::from(hclkit_functions::spec()))),
        _ => return Err(BadRequest::new(format!("there is no function table {name:?}"))),
    };
    let mut functions = Functions::from(table);
    let wanted = Functions::special();
    let wanted = wanted.iter().filter(|(name, _)| special.contains(name));
    functions.extend(wanted.map(|(name, function)| (name, function.clone())));
    Ok(functions)
}

fn evaluate(request: &Request, document: &Document) -> Answer {
    let context = context(request)?;
    Ok(answer(document, |document, answer| {
        let mut diagnostics = Diagnostics::new();
        let value = diagnostics.absorb(Expression::from_document(document).evaluate_lenient(&context));
        answer.insert("value".to_owned(), value_json(&value));
        diagnostics
    }))
}

/// The errors in the text or, if there are none, the result of a closure with its diagnostics.
fn answer(
    document: &Document,
    say: impl FnOnce(&Document, &mut Map<String, Json>) -> Diagnostics,
) -> Map<String, Json> {
    let mut answer = parse_diags(document);
    if !document.has_errors() {
        let diagnostics = say(document, &mut answer);
        let place = |diagnostic: &Diagnostic| Some(range(document, diagnostic.span()));
        answer.insert("diags".to_owned(), diagnostics_json(&diagnostics, place));
    }
    answer
}

fn refs(request: &Request) -> Answer {
    let document = parse_expression(request.text("src")?);
    let mut answer = parse_diags(&document);
    if !document.has_errors() {
        let found = Expression::from_document(&document).variables();
        let refs = found.iter().map(|found| traversal_json(found, |span| range(&document, span)));
        answer.insert("refs".to_owned(), refs.collect());
    }
    Ok(answer)
}

fn analyse(request: &Request) -> Answer {
    const KNOWN: &[&str] =
        &["list", "map", "call", "traversal", "keyword", "type", "bare-constraint", "constraint", "defaults"];
    let kind = request.text("as")?;
    if !KNOWN.contains(&kind) {
        return Err(BadRequest::new(format!("unknown static analysis {kind:?}")));
    }
    let value = if kind == "defaults" { Some(read_value(request.required("value")?)?) } else { None };
    Ok(answer(&parse_expression(request.text("src")?), |document, answer| {
        match analysed(kind, &Expression::from_document(document), value.as_ref()) {
            Ok(found) => {
                answer.extend(found.into_iter().map(|(name, json)| (name.to_owned(), json)));
                Diagnostics::new()
            }
            Err(diagnostics) => diagnostics,
        }
    }))
}

/// The result of an analysis. `value` is the value that defaults are applied to.
fn analysed(
    kind: &str,
    expression: &Expression,
    value: Option<&Value>,
) -> Result<Vec<(&'static str, Json)>, Diagnostics> {
    let Some(document) = expression.ast().map(ExpressionNode::document) else { return Ok(Vec::new()) };
    let place = |expression: &Expression| range(document, expression.span());
    Ok(match kind {
        "list" => vec![("items", expression.static_list()?.iter().map(place).collect())],
        "map" => {
            let items = expression.static_map()?;
            vec![("items", items.iter().map(|(key, value)| json!([place(key), place(value)])).collect())]
        }
        "call" => {
            let call = expression.static_call()?;
            vec![("name", call.name.into()), ("items", call.arguments.iter().map(place).collect())]
        }
        "traversal" => {
            let found = expression.static_traversal()?;
            vec![("traversal", traversal_json(&found, |span| range(document, span)))]
        }
        "keyword" => vec![("keyword", expression.static_keyword().unwrap_or_default().as_str().into())],
        "type" => vec![("type", type_json(&type_of(expression)?))],
        "bare-constraint" => vec![("type", type_json(&constraint_of(expression)?))],
        "constraint" => vec![("type", type_json(&TypeConstraint::of(expression)?.ty))],
        _ => {
            let TypeConstraint { ty, defaults } = TypeConstraint::of(expression)?;
            let value = value.map_or(&Value::DYNAMIC, |value| value);
            let applied = defaults.map_or_else(|| value.clone(), |defaults| defaults.apply(value));
            let converted = match applied.convert(&ty) {
                Ok(converted) => ("value", value_json(&converted)),
                Err(_) => ("error", true.into()),
            };
            vec![("applied", value_json(&applied)), converted]
        }
    })
}
