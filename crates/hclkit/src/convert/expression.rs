//! Expressions as JSON values. Expressions that JSON cannot express are written as source text in `"${…}"`. Static
//! attributes are read without being evaluated: their strings are not templates, and source text is bare.

use std::borrow::Cow;

use hclkit_syntax::ast::{ExpressionKind, ExpressionNode, ObjectItemNode, ObjectKey, UnaryOperator};
use hclkit_syntax::{NodeKind, TokenKind};

use super::json::is_number;
use super::sink::Sink;
use super::template;
use crate::convert::body::is_unique;

/// Returns true if the value of an attribute is nested at most `depth` levels deep.
pub(super) fn fits(expression: ExpressionNode<'_>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    // Each level has a bracket.
    let (first, last) = expression.document().tree().token_range(expression.id());
    if ((last - first) as usize) < depth {
        return true;
    }
    match expression.kind() {
        ExpressionKind::Tuple => expression.elements().all(|element| fits(element, depth)),
        ExpressionKind::Object => expression.items().all(|item| fits(item.value(), depth)),
        _ => true,
    }
}

/// Writes the value of an attribute.
pub(super) fn write<S: Sink>(
    expression: ExpressionNode<'_>,
    is_static: bool,
    sink: &mut S,
) -> Result<(), S::Error> {
    // Most expressions are references or plain strings.
    if let Some(text) = template::plain_string(expression) {
        return sink.string(text);
    }
    if !matches!(
        expression.document().tree().kind(expression.id()),
        NodeKind::Null
            | NodeKind::True
            | NodeKind::False
            | NodeKind::Number
            | NodeKind::Unary
            | NodeKind::String
            | NodeKind::QuotedTemplate
            | NodeKind::Heredoc
            | NodeKind::Tuple
            | NodeKind::Object
    ) {
        return source(expression, is_static, sink);
    }
    match expression.kind() {
        ExpressionKind::Null => sink.null(),
        ExpressionKind::Bool(value) => sink.bool(value),
        ExpressionKind::Number(_) if expression.number_text().is_some_and(|digits| is_number(&digits)) => {
            sink.number(false, &expression.number_text().unwrap_or_default())
        }
        ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => match operand.kind() {
            ExpressionKind::Number(digits) if is_number(digits) && !is_zero(digits) => {
                sink.number(true, digits)
            }
            _ => source(expression, is_static, sink),
        },
        ExpressionKind::Template(template) => match template.as_literal() {
            Some(text) if is_static => sink.string(&text),
            _ => sink.string(&template::convert(template)),
        },
        ExpressionKind::Tuple => {
            sink.begin_array()?;
            for element in expression.elements() {
                write(element, is_static, sink)?;
            }
            sink.end_array()
        }
        ExpressionKind::Object => object(expression, is_static, sink),
        _ => source(expression, is_static, sink),
    }
}

/// The source text of an expression: as a template with the same value or, in a static attribute, bare.
fn source<S: Sink>(expression: ExpressionNode<'_>, is_static: bool, sink: &mut S) -> Result<(), S::Error> {
    if is_static {
        sink.string(expression.text())
    } else {
        sink.string_of(&["${", expression.text(), end_of_interpolation(expression)])
    }
}

/// An object. If two keys are equal, the last one counts in the native syntax, but JSON does not allow it. Such an
/// object is written as source text.
fn object<S: Sink>(expression: ExpressionNode<'_>, is_static: bool, sink: &mut S) -> Result<(), S::Error> {
    let keys: Option<Vec<Cow<'_, str>>> = expression.items().map(|item| key(item, is_static)).collect();
    let Some(keys) = keys.filter(|keys| is_unique(keys)) else {
        return source(expression, is_static, sink);
    };
    sink.begin_object()?;
    for (key, item) in keys.iter().zip(expression.items()) {
        sink.key(key)?;
        write(item.value(), is_static, sink)?;
    }
    sink.end_object()
}

/// The key of an item; in JSON, it is a template, like values. Returns `None` if the native syntax rejects the key only
/// during evaluation.
fn key(item: ObjectItemNode<'_>, is_static: bool) -> Option<Cow<'_, str>> {
    let key = match item.key() {
        ObjectKey::Name(name) => return Some(Cow::Borrowed(name.text)),
        ObjectKey::Expression(key) => key,
    };
    match key.kind() {
        ExpressionKind::Template(template) => match template.as_literal() {
            Some(text) if is_static => Some(text),
            _ => Some(template::convert(template)),
        },
        // As a key, this could be read as plain text, so the native syntax requires parentheses.
        ExpressionKind::GetAttr { .. }
        | ExpressionKind::Index { .. }
        | ExpressionKind::LegacyIndex { .. }
            if !is_static =>
        {
            None
        }
        _ => Some(source_text(key, is_static)),
    }
}

fn source_text(expression: ExpressionNode<'_>, is_static: bool) -> Cow<'_, str> {
    if is_static { Cow::Borrowed(expression.text()) } else { Cow::Owned(interpolation(expression)) }
}

/// An expression as a template with the same value.
fn interpolation(expression: ExpressionNode<'_>) -> String {
    ["${", expression.text(), end_of_interpolation(expression)].concat()
}

/// The end of the interpolation of an expression. The name that closes a heredoc must be alone on its line.
fn end_of_interpolation(expression: ExpressionNode<'_>) -> &'static str {
    let document = expression.document();
    let (_, last) = document.tree().token_range(expression.id());
    if document.tokens().kind(last) == TokenKind::CloseHeredoc { "\n}" } else { "}" }
}

/// Negative zero is zero in HCL, but a JSON parser may keep the sign.
fn is_zero(digits: &str) -> bool {
    !digits.bytes().take_while(|byte| !matches!(byte, b'e' | b'E')).any(|byte| (b'1'..=b'9').contains(&byte))
}
