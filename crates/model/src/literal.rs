//! Values of literals, read from their nodes without lowering them. They depend on no context.

use std::borrow::Cow;

use hclkit_limits::Meter;
use hclkit_syntax::ast::{ExpressionKind, ExpressionNode};
use hclkit_syntax::{Hcl1Number, Syntax};
use hclkit_value::{FromValue, Number, Value};

/// The value of a number, a bool, null, a string without sequences, or a tuple of them. `None` for anything else, and if
/// a limit is exceeded, which the evaluation then reports.
pub(crate) fn value(node: ExpressionNode) -> Option<Value> {
    let meter = Meter::current();
    if let Some(value) = scalar(node) {
        return meter.take_steps(1).is_ok().then_some(value);
    }
    if !matches!(node.kind(), ExpressionKind::Tuple) {
        return None;
    }
    let _operation = meter.begin();
    let elements: Vec<Value> = node.elements().map(scalar).collect::<Option<_>>()?;
    meter.take_steps(elements.len() as u64 + 1).ok()?;
    meter.take_elements(elements.len()).ok()?;
    Some(Value::tuple(elements))
}

/// Reads a string without sequences, without creating a value.
pub(crate) fn read_text<T: FromValue>(node: ExpressionNode) -> Option<T> {
    let read = T::from_text(|| text(node))?;
    Meter::current().take_steps(1).is_ok().then_some(read)
}

/// Reads a tuple of strings without sequences.
pub(crate) fn read_texts<T: FromValue>(node: ExpressionNode) -> Option<T> {
    let (mut count, mut others) = (0, false);
    let read = T::from_texts(|| {
        matches!(node.kind(), ExpressionKind::Tuple).then(|| {
            node.elements().map_while(|element| {
                let text = text(element);
                count += 1;
                others |= text.is_none();
                text
            })
        })
    })?;
    if others {
        return None;
    }
    let meter = Meter::current();
    let _operation = meter.begin();
    meter.take_steps(count + 1).ok()?;
    meter.take_elements(usize::try_from(count).ok()?).ok()?;
    Some(read)
}

/// Returns true if it is a number, a bool or a string without sequences, and therefore not null.
pub(crate) fn is_scalar(node: ExpressionNode) -> bool {
    match node.kind() {
        ExpressionKind::Number(_) | ExpressionKind::Bool(_) => true,
        _ => text(node).is_some(),
    }
}

/// The value of a number, whose text means something else in HCL 1.
pub(crate) fn number(node: ExpressionNode, text: &str) -> Option<Value> {
    if node.document().syntax() == Syntax::Hcl1 {
        return Some(match Hcl1Number::read(text)? {
            Hcl1Number::Integer(number) => number.into(),
            Hcl1Number::Float(number) => number.into(),
        });
    }
    text.parse::<Number>().ok().map(Value::from)
}

/// The value of a literal that is not a collection.
fn scalar(node: ExpressionNode) -> Option<Value> {
    match node.kind() {
        ExpressionKind::Number(text) => number(node, text),
        ExpressionKind::Bool(flag) => Some(Value::from(flag)),
        ExpressionKind::Null => Some(Value::NULL),
        ExpressionKind::Template(template) => template.as_literal().map(|text| Value::from(&*text)),
        _ => None,
    }
}

/// The text of a string without sequences.
fn text(node: ExpressionNode<'_>) -> Option<Cow<'_, str>> {
    match node.kind() {
        ExpressionKind::Template(template) => template.as_literal(),
        _ => None,
    }
}
