//! The op `shape`: how expressions are built, without ranges.

use hclkit_syntax::ast::{
    Body, Expression, ExpressionKind as E, For, ForDirective, IfDirective, Item, ObjectItem, ObjectKey, Part,
    Parts, Template,
};
use hclkit_syntax::{Root, parse, parse_expression, parse_template};
use serde_json::{Value, json};

use crate::syntax_ops::{decimal, normalized, parse_diags};
use crate::{Answer, BadRequest, Op, Request};

pub(crate) const OPS: &[Op] = &[("shape", shape)];

fn shape(request: &Request) -> Answer {
    let src = request.text("src")?;
    let document = match request.text("as")? {
        "config" => parse(src),
        "expression" => parse_expression(src),
        "template" => parse_template(src),
        other => return Err(BadRequest::new(format!("a source cannot be read as {other:?}"))),
    };
    let mut answer = parse_diags(&document);
    if !document.has_errors() {
        let mut shapes = Vec::new();
        match document.root() {
            Root::Body(body) => in_body(body, &mut shapes),
            Root::Expression(expression) => shapes.push(of(expression)),
            Root::Template(template) => shapes.push(of_template(template)),
            Root::Traversal(_) => {}
        }
        answer.insert("shapes".to_owned(), shapes.into());
    }
    Ok(answer)
}

fn in_body(body: Body, shapes: &mut Vec<Value>) {
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => shapes.push(of(attribute.value())),
            Item::Block(block) => in_body(block.body(), shapes),
        }
    }
}

fn of(expression: Expression) -> Value {
    match expression.kind() {
        E::Missing => json!(["missing"]),
        E::Number(literal) => json!(["number", decimal(literal)]),
        E::Bool(value) => json!(["bool", value]),
        E::Null => json!(["null"]),
        E::Template(template) => of_template(template),
        E::Variable(name) => json!(["var", name.text]),
        E::GetAttr { object, name } => json!(["attr", of(object), name.map_or("", |name| name.text)]),
        E::Index { collection, key } => json!(["index", of(collection), of(key)]),
        E::LegacyIndex { collection, key } => json!(["index", of(collection), ["number", decimal(key.text)]]),
        E::Splat { source, each, .. } => json!(["splat", of(source), of(each)]),
        E::SplatItem => json!(["item"]),
        E::Call(call) => {
            json!(["call", call.name(), call.arguments().map(of).collect::<Value>(), call.expands_last()])
        }
        E::Tuple => json!(["tuple", expression.elements().map(of).collect::<Value>()]),
        E::Object => json!(["object", expression.items().map(item).collect::<Value>()]),
        E::For(each) => of_for(each),
        E::Conditional { condition, result, other } => json!(["if", of(condition), of(result), of(other)]),
        E::Binary { operator, left, right } => json!([operator.as_str(), of(left), of(right)]),
        E::Unary { operator, operand } => json!([operator.as_str(), of(operand)]),
        E::Parens(inner) => json!(["parens", of(inner)]),
    }
}

fn item(item: ObjectItem) -> Value {
    let key = match item.key() {
        ObjectKey::Name(name) => json!(["name", name.text]),
        ObjectKey::Expression(key) => of(key),
    };
    json!([key, of(item.value())])
}

fn of_for(each: For) -> Value {
    json!([
        "for",
        each.key_variable().map_or("", |name| name.text),
        each.value_variable().text,
        of(each.collection()),
        each.key().map(of),
        of(each.value()),
        each.condition().map(of),
        each.groups(),
    ])
}

fn of_template(template: Template) -> Value {
    match template.as_unwrapped() {
        Some(inner) => json!(["wrap", of(inner)]),
        None => of_parts(template.parts()),
    }
}

/// Adjacent literal texts are one, empty ones are none.
fn of_parts(parts: Parts) -> Value {
    let mut list = vec![json!("template")];
    for part in parts {
        let value = match part {
            Part::Text(text) => {
                let text = normalized(&text.value());
                match list[1..].last_mut() {
                    _ if text.is_empty() => {}
                    Some(Value::String(before)) => before.push_str(&text),
                    _ => list.push(text.into()),
                }
                continue;
            }
            Part::Interpolation(expression) => of(expression),
            Part::If(directive) => of_if(directive),
            Part::For(directive) => json!(["join", of_for_directive(directive)]),
        };
        list.push(value);
    }
    list.into()
}

fn of_if(directive: IfDirective) -> Value {
    json!([
        "if",
        of(directive.condition()),
        of_parts(directive.then_parts()),
        of_parts(directive.else_parts())
    ])
}

fn of_for_directive(directive: ForDirective) -> Value {
    json!([
        "for",
        directive.key_variable().map_or("", |name| name.text),
        directive.value_variable().text,
        of(directive.collection()),
        null,
        of_parts(directive.parts()),
        null,
        false,
    ])
}
