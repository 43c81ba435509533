//! The op `shape`: the structure of expressions, without ranges.

use hclkit_syntax::ast::{
    BodyNode, ExpressionKind as E, ExpressionNode, ForDirectiveNode, ForNode, IfDirectiveNode, Item,
    ObjectItemNode, ObjectKey, Part, Parts, TemplateNode,
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

fn in_body(body: BodyNode, shapes: &mut Vec<Value>) {
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => shapes.push(of(attribute.value())),
            Item::Block(block) => in_body(block.body(), shapes),
        }
    }
}

/// Assembled without the macro for JSON, which copies its arguments at every level.
fn list<const N: usize>(kind: &str, parts: [Value; N]) -> Value {
    std::iter::once(kind.into()).chain(parts).collect()
}

fn of(expression: ExpressionNode) -> Value {
    match expression.kind() {
        E::Missing => json!(["missing"]),
        E::Number(literal) => json!(["number", decimal(literal)]),
        E::Bool(value) => json!(["bool", value]),
        E::Null => json!(["null"]),
        E::Template(template) => of_template(template),
        E::Variable(name) => json!(["var", name.text]),
        E::GetAttr { object, name } => list("attr", [of(object), name.map_or("", |name| name.text).into()]),
        E::Index { collection, key } => list("index", [of(collection), of(key)]),
        E::LegacyIndex { collection, key } => {
            list("index", [of(collection), json!(["number", decimal(key.text)])])
        }
        E::Splat { source, each, .. } => list("splat", [of(source), of(each)]),
        E::SplatItem => json!(["item"]),
        E::Call(call) => {
            let arguments = call.arguments().map(of).collect();
            list("call", [call.name().into(), arguments, call.expands_last().into()])
        }
        E::Tuple => list("tuple", [expression.elements().map(of).collect()]),
        E::Object => list("object", [expression.items().map(item).collect()]),
        E::For(each) => of_for(each),
        E::Conditional { condition, result, other } => list("if", [of(condition), of(result), of(other)]),
        E::Binary { operator, left, right } => list(operator.as_str(), [of(left), of(right)]),
        E::Unary { operator, operand } => list(operator.as_str(), [of(operand)]),
        E::Parens(inner) => list("parens", [of(inner)]),
    }
}

fn item(item: ObjectItemNode) -> Value {
    let key = match item.key() {
        ObjectKey::Name(name) => json!(["name", name.text]),
        ObjectKey::Expression(key) => of(key),
    };
    vec![key, of(item.value())].into()
}

fn of_for(each: ForNode) -> Value {
    let parts = [
        each.key_variable().map_or("", |name| name.text).into(),
        each.value_variable().text.into(),
        of(each.collection()),
        each.key().map_or(Value::Null, of),
        of(each.value()),
        each.condition().map_or(Value::Null, of),
        each.groups().into(),
    ];
    list("for", parts)
}

fn of_template(template: TemplateNode) -> Value {
    match template.as_unwrapped() {
        Some(inner) => list("wrap", [of(inner)]),
        None => of_parts(template.parts()),
    }
}

/// Adjacent literals are joined, and empty ones omitted.
fn of_parts(parts: Parts) -> Value {
    let mut shape = vec![json!("template")];
    for part in parts {
        let value = match part {
            Part::Text(text) => {
                let text = normalized(&text.value());
                match shape[1..].last_mut() {
                    _ if text.is_empty() => {}
                    Some(Value::String(before)) => before.push_str(&text),
                    _ => shape.push(text.into()),
                }
                continue;
            }
            Part::Interpolation(expression) => of(expression),
            Part::If(directive) => of_if(directive),
            Part::For(directive) => list("join", [of_for_directive(directive)]),
        };
        shape.push(value);
    }
    shape.into()
}

fn of_if(directive: IfDirectiveNode) -> Value {
    let condition = of(directive.condition());
    list("if", [condition, of_parts(directive.then_parts()), of_parts(directive.else_parts())])
}

fn of_for_directive(directive: ForDirectiveNode) -> Value {
    let parts = [
        directive.key_variable().map_or("", |name| name.text).into(),
        directive.value_variable().text.into(),
        of(directive.collection()),
        Value::Null,
        of_parts(directive.parts()),
        Value::Null,
        false.into(),
    ];
    list("for", parts)
}
