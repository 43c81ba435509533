//! The values of literals as JSON: text, numbers, bools, null, and tuples and objects of these, without anything to evaluate.

use hclkit::ast::{ExpressionKind, ExpressionNode, ObjectKey, UnaryOperator};
use hclkit::dialect::Strings;
use hclkit::syntax::Root;
use hclkit::syntax::json::{JsonKind, JsonValue};
use hclkit::{Source, StartSymbol};

use hclkit::dialect::tree::Node;

/// The JSON of a value, if it is literal.
pub(crate) fn json(node: Node<'_>) -> Option<String> {
    let mut out = String::new();
    let is_literal = match node {
        Node::Native(node) => native(node, &mut out),
        Node::Json(value, strings) => of_json(value, strings, &mut out),
    };
    is_literal.then_some(out)
}

/// The text of a literal string.
pub(crate) fn string(node: Node<'_>) -> Option<String> {
    match node {
        Node::Native(node) => match node.without_parens().kind() {
            ExpressionKind::Template(template) => template.as_literal().map(Into::into),
            _ => None,
        },
        Node::Json(value, strings) => {
            let text = value.as_string()?.value();
            if strings == Strings::Templates { template(&text) } else { Some(text.into_owned()) }
        }
    }
}

/// The value of a literal bool. As Terraform does, also in a string.
pub(crate) fn bool(node: Node<'_>) -> Option<bool> {
    let literal = match node {
        Node::Native(node) => match node.without_parens().kind() {
            ExpressionKind::Bool(value) => Some(value),
            _ => None,
        },
        Node::Json(value, _) => value.as_bool(),
    };
    literal.or_else(|| string(node)?.parse().ok())
}

/// The items of an object, or of a literal one: names and values.
pub(crate) fn items(node: Node<'_>) -> Vec<(String, Node<'_>, hclkit::Span)> {
    match node {
        Node::Native(node) => {
            let item = |item: hclkit::ast::ObjectItemNode<'_>| match item.key() {
                ObjectKey::Name(name) => Some(name.text.to_owned()),
                ObjectKey::Expression(key) => string(Node::Native(key)),
            };
            let all = node.without_parens();
            if !matches!(all.kind(), ExpressionKind::Object) {
                return Vec::new();
            }
            all.items().filter_map(|it| Some((item(it)?, Node::Native(it.value()), it.span()))).collect()
        }
        Node::Json(value, strings) => value
            .properties()
            .map(|it| (it.name().value().into_owned(), Node::Json(it.value(), strings), it.span()))
            .collect(),
    }
}

fn native(node: ExpressionNode<'_>, out: &mut String) -> bool {
    match node.kind() {
        ExpressionKind::Null => out.push_str("null"),
        ExpressionKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        ExpressionKind::Number(_) => return node.number_text().is_some_and(|digits| number(&digits, out)),
        ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
            return match operand.kind() {
                ExpressionKind::Number(digits) => {
                    out.push('-');
                    number(digits, out)
                }
                _ => false,
            };
        }
        ExpressionKind::Parens(inner) => return native(inner, out),
        ExpressionKind::Template(template) => match template.as_literal() {
            Some(text) => quote(&text, out),
            None => return false,
        },
        ExpressionKind::Tuple => {
            out.push('[');
            for (at, element) in node.elements().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                if !native(element, out) {
                    return false;
                }
            }
            out.push(']');
        }
        ExpressionKind::Object => return object(node, out),
        _ => return false,
    }
    true
}

/// The last of equal keys counts, as in HCL.
fn object(node: ExpressionNode<'_>, out: &mut String) -> bool {
    let mut last = std::collections::HashMap::new();
    let mut items = Vec::new();
    for (at, item) in node.items().enumerate() {
        let key = match item.key() {
            ObjectKey::Name(name) => Some(name.text.to_owned()),
            ObjectKey::Expression(key) => key_text(key),
        };
        let Some(key) = key else { return false };
        last.insert(key.clone(), at);
        items.push((key, item.value()));
    }
    out.push('{');
    let mut is_first = true;
    for (at, (key, value)) in items.into_iter().enumerate() {
        if last.get(&key) != Some(&at) {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            out.push(',');
        }
        quote(&key, out);
        out.push(':');
        if !native(value, out) {
            return false;
        }
    }
    out.push('}');
    true
}

/// A key that is a literal: a string, a number or a bool.
fn key_text(key: ExpressionNode<'_>) -> Option<String> {
    match key.without_parens().kind() {
        ExpressionKind::Template(template) => template.as_literal().map(Into::into),
        ExpressionKind::Bool(value) => Some(value.to_string()),
        ExpressionKind::Number(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            let digits = digits.trim_start_matches('0');
            Some(if digits.is_empty() { "0" } else { digits }.to_owned())
        }
        _ => None,
    }
}

/// Digits as JSON has them, without zeros at the start.
fn number(digits: &str, out: &mut String) -> bool {
    let whole = digits.find(['.', 'e', 'E']).unwrap_or(digits.len());
    if digits.is_empty() || !digits[..whole].bytes().all(|byte| byte.is_ascii_digit()) || whole == 0 {
        return false;
    }
    let (before, rest) = digits.split_at(whole);
    let before = before.trim_start_matches('0');
    out.push_str(if before.is_empty() { "0" } else { before });
    out.push_str(rest);
    true
}

fn of_json(value: JsonValue<'_>, strings: Strings, out: &mut String) -> bool {
    match value.kind() {
        JsonKind::Object(object) => {
            let mut last = std::collections::HashMap::new();
            for (at, property) in object.properties().enumerate() {
                last.insert(property.name().value(), at);
            }
            out.push('{');
            let mut is_first = true;
            for (at, property) in object.properties().enumerate() {
                let name = property.name().value();
                if last.get(&name) != Some(&at) {
                    continue;
                }
                if !std::mem::take(&mut is_first) {
                    out.push(',');
                }
                let name =
                    if strings == Strings::Templates { template(&name) } else { Some(name.into_owned()) };
                let Some(name) = name else { return false };
                quote(&name, out);
                out.push(':');
                if !of_json(property.value(), strings, out) {
                    return false;
                }
            }
            out.push('}');
        }
        JsonKind::Array(array) => {
            out.push('[');
            for (at, element) in array.elements().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                if !of_json(element, strings, out) {
                    return false;
                }
            }
            out.push(']');
        }
        JsonKind::String(text) => {
            let text = text.value();
            let text = if strings == Strings::Templates { template(&text) } else { Some(text.into_owned()) };
            match text {
                Some(text) => quote(&text, out),
                None => return false,
            }
        }
        JsonKind::Number(digits) => out.push_str(digits),
        JsonKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        JsonKind::Null => out.push_str("null"),
        JsonKind::Missing => return false,
    }
    true
}

/// The text of a string of the JSON syntax, which is a template, if that is literal.
fn template(text: &str) -> Option<String> {
    if !text.contains("${") && !text.contains("%{") {
        return Some(text.to_owned());
    }
    let document = hclkit::Document::parse(Source::new("", text), StartSymbol::Template);
    match document.root() {
        Root::Template(template) if !document.has_errors() => template.as_literal().map(Into::into),
        _ => None,
    }
}

/// Text as JSON.
pub(crate) fn quote(text: &str, out: &mut String) {
    if text.bytes().any(|byte| byte < 0x20 || matches!(byte, b'"' | b'\\')) {
        // Writing to a string cannot fail.
        return out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }
    // Most texts are as they are, and the allocation would be most of the time.
    out.push('"');
    out.push_str(text);
    out.push('"');
}
