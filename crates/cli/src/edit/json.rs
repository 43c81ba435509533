//! Source text for files in the JSON syntax: JSON is used unchanged, and other source text as `hcl convert` writes it.

use hclkit::ast::{ExpressionKind, ExpressionNode, ObjectKey};
use hclkit::convert::ToJson;
use hclkit::parse_expression;
use hclkit::syntax::Root;
use serde::de::IgnoredAny;

/// A value.
pub(super) fn value(source: &str) -> String {
    if is_json(source) {
        return source.to_owned();
    }
    parsed(source, converted).unwrap_or_else(|| source.to_owned())
}

/// Properties of an object, or elements of an array, separated by commas.
pub(super) fn items(source: &str) -> String {
    if is_json(&format!("{{{source}}}")) || is_json(&format!("[{source}]")) {
        return source.to_owned();
    }
    let properties = |object: ExpressionNode<'_>| {
        let items = object.items().map(|item| {
            let name = match item.key() {
                ObjectKey::Name(name) => name.text.to_owned(),
                ObjectKey::Expression(key) => match key.without_parens().kind() {
                    ExpressionKind::Template(template) => template.as_literal()?.into_owned(),
                    ExpressionKind::Number(number) => number.to_owned(),
                    _ => return None,
                },
            };
            let name = serde_json::to_string(&name).ok()?;
            Some(format!("{name}: {}", converted(item.value())?))
        });
        Some(items.collect::<Option<Vec<String>>>()?.join(",\n"))
    };
    let elements = |tuple: ExpressionNode<'_>| {
        let elements = tuple.elements().map(converted);
        Some(elements.collect::<Option<Vec<String>>>()?.join(",\n"))
    };
    parsed(&format!("{{\n{source}\n}}"), properties)
        .or_else(|| parsed(&format!("[\n{source}\n]"), elements))
        .unwrap_or_else(|| source.to_owned())
}

fn is_json(source: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(source).is_ok()
}

fn converted(expression: ExpressionNode<'_>) -> Option<String> {
    let json = ToJson::new().convert_expression(expression)?;
    serde_json::to_string_pretty(&json).ok()
}

fn parsed<T>(source: &str, read: impl Fn(ExpressionNode<'_>) -> Option<T>) -> Option<T> {
    // A heredoc ends with a line break.
    let document = parse_expression(format!("{source}\n"));
    match document.root() {
        Root::Expression(expression) if !document.has_errors() => read(expression),
        _ => None,
    }
}
