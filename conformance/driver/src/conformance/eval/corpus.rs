//! Expressions of real files: each attribute's value, by itself.

use std::collections::BTreeSet;

use hclkit_syntax::ast::{BodyNode, ExpressionNode, Item};
use hclkit_syntax::{NodeKind, Root, Visit, parse, parse_expression};
use serde_json::{Map, Value, json};

/// The longest expression that is used.
const LONGEST: usize = 20_000;

/// Each expression with functions, and with everything that it refers to unknown.
pub(super) fn evaluated(text: &str) -> Vec<Value> {
    let request = |src: String| {
        let unknown = json!({ "unknown": "any" });
        let vars: Map<_, _> = names(&src).into_iter().map(|name| (name, unknown.clone())).collect();
        json!({ "src": src, "vars": vars, "funcs": "std" })
    };
    expressions(text).into_iter().map(request).collect()
}

/// Each expression.
pub(super) fn sources(text: &str) -> Vec<Value> {
    expressions(text).into_iter().map(|src| json!({ "src": src })).collect()
}

/// Each expression, analyzed as what it looks like.
pub(super) fn analysed(text: &str) -> Vec<Value> {
    let request = |src: String| {
        let kind = match src.chars().next() {
            Some('[') => "list",
            Some('{') => "map",
            _ if src.ends_with(')') => "constraint",
            _ => "traversal",
        };
        json!({ "src": src, "as": kind })
    };
    expressions(text).into_iter().map(request).collect()
}

fn expressions(text: &str) -> Vec<String> {
    let document = parse(text);
    let mut found = Vec::new();
    if let Root::Body(body) = document.root() {
        collect(body, &mut |value| {
            let mut src = value.text().to_owned();
            // The newline after the closing name belongs to the heredoc.
            if src.contains("<<") {
                src.push('\n');
            }
            if src.len() < LONGEST {
                found.push(src);
            }
        });
    }
    found
}

fn collect(body: BodyNode, found: &mut impl FnMut(ExpressionNode)) {
    for item in body.items() {
        match item {
            Item::Attribute(attribute) => found(attribute.value()),
            Item::Block(block) => collect(block.body(), found),
        }
    }
}

/// All names of variables, including those that the expression itself declares.
fn names(src: &str) -> BTreeSet<String> {
    let document = parse_expression(src);
    let Root::Expression(expression) = document.root() else { return BTreeSet::new() };
    let variables = document.tree().walk(expression.id()).filter_map(|visit| match visit {
        Visit::Enter(id) if document.tree().kind(id) == NodeKind::Variable => {
            Some(document.text(id).to_owned())
        }
        _ => None,
    });
    variables.collect()
}
