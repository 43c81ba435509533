//! Converts expressions to JSON values. Expressions without a JSON form become source text in `"${…}"`. The strings of
//! static attributes, which are not evaluated, are not templates; their source text is written without `${…}`.

use hclkit_syntax::TokenKind;
use hclkit_syntax::ast::{ExpressionKind, ExpressionNode, ObjectItemNode, ObjectKey, UnaryOperator};
use indexmap::IndexMap;

use super::json::{Json, is_number};
use super::template;

/// The value of an attribute. `None` if it would be nested deeper than `depth`.
pub(super) fn convert(expression: ExpressionNode<'_>, is_static: bool, depth: usize) -> Option<Json> {
    let depth = depth.checked_sub(1)?;
    Some(match expression.kind() {
        ExpressionKind::Null => Json::Null,
        ExpressionKind::Bool(value) => Json::Bool(value),
        ExpressionKind::Number(digits) if is_number(digits) => Json::Number(digits.to_owned()),
        ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => match operand.kind() {
            ExpressionKind::Number(digits) if is_number(digits) && !is_zero(digits) => {
                Json::Number(format!("-{digits}"))
            }
            _ => source(expression, is_static),
        },
        ExpressionKind::Template(template) => Json::String(match template.as_literal() {
            Some(text) if is_static => text.into_owned(),
            _ => template::convert(template),
        }),
        ExpressionKind::Tuple => {
            let elements = expression.elements().map(|element| convert(element, is_static, depth));
            Json::Array(elements.collect::<Option<_>>()?)
        }
        ExpressionKind::Object => object(expression, is_static, depth)?,
        _ => source(expression, is_static),
    })
}

/// An object. If two keys are equal, the last one wins in the native syntax, but JSON rejects them, so the object becomes
/// source text.
fn object(expression: ExpressionNode<'_>, is_static: bool, depth: usize) -> Option<Json> {
    let mut properties = IndexMap::new();
    for item in expression.items() {
        let Some(key) = key(item, is_static) else { return Some(source(expression, is_static)) };
        if properties.insert(key, convert(item.value(), is_static, depth)?).is_some() {
            return Some(source(expression, is_static));
        }
    }
    Some(Json::Object(properties))
}

/// The key of an item, which is a template in JSON, like values. `None` if the native syntax rejects the key only during
/// evaluation.
fn key(item: ObjectItemNode<'_>, is_static: bool) -> Option<String> {
    let key = match item.key() {
        ObjectKey::Name(name) => return Some(name.text.to_owned()),
        ObjectKey::Expression(key) => key,
    };
    match key.kind() {
        ExpressionKind::Template(template) => match template.as_literal() {
            Some(text) if is_static => Some(text.into_owned()),
            _ => Some(template::convert(template)),
        },
        // The native syntax requires parentheses, because such a key could also be a name.
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

fn source(expression: ExpressionNode<'_>, is_static: bool) -> Json {
    Json::String(source_text(expression, is_static))
}

fn source_text(expression: ExpressionNode<'_>, is_static: bool) -> String {
    if is_static { expression.text().to_owned() } else { interpolation(expression) }
}

/// A template that evaluates to the value of an expression.
fn interpolation(expression: ExpressionNode<'_>) -> String {
    let document = expression.document();
    let (_, last) = document.tree().token_range(expression.id());
    // The name that closes a heredoc must be alone on its line.
    let end = if document.tokens().kind(last) == TokenKind::CloseHeredoc { "\n}" } else { "}" };
    format!("${{{}{end}", expression.text())
}

/// Negative zero is zero in HCL, but JSON readers may keep the sign.
fn is_zero(digits: &str) -> bool {
    !digits.bytes().take_while(|byte| !matches!(byte, b'e' | b'E')).any(|byte| (b'1'..=b'9').contains(&byte))
}
