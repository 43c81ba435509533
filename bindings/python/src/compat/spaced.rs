//! What python-hcl2 7 and bc-python-hcl2 write alike: loops, operators and references, with spaces of their own.

use std::fmt::Write;

use hclkit::ast::{ExpressionKind, ExpressionNode};
use pyo3::prelude::*;

pub(super) trait Spaced {
    /// Writes an expression.
    fn text(&self, node: ExpressionNode<'_>, out: &mut String) -> PyResult<()>;

    /// Writes an expression of one of the kinds that both write alike. Returns false for others.
    fn spaced(&self, node: ExpressionNode<'_>, out: &mut String) -> PyResult<bool> {
        match node.kind() {
            ExpressionKind::For(node) => {
                out.push_str(if node.makes_object() { "{for " } else { "[for " });
                if let Some(name) = node.key_variable() {
                    let _ = write!(out, "{} , ", name.text);
                }
                let _ = write!(out, "{} in ", node.value_variable().text);
                self.text(node.collection(), out)?;
                out.push_str(" : ");
                if let Some(key) = node.key() {
                    self.text(key, out)?;
                    out.push_str(" => ");
                }
                self.text(node.value(), out)?;
                out.push_str(if node.groups() { " ..." } else { "" });
                if let Some(condition) = node.condition() {
                    out.push_str(" if ");
                    self.text(condition, out)?;
                }
                out.push(if node.makes_object() { '}' } else { ']' });
            }
            ExpressionKind::GetAttr { object, name } => {
                self.text(object, out)?;
                let _ = write!(out, ".{}", name.map_or("", |name| name.text));
            }
            ExpressionKind::LegacyIndex { collection, key } => {
                self.text(collection, out)?;
                let _ = write!(out, "[{}]", key.text);
            }
            ExpressionKind::Index { collection, key } => {
                self.text(collection, out)?;
                out.push('[');
                self.text(key, out)?;
                out.push(']');
            }
            ExpressionKind::Splat { source, each, full } => {
                self.text(source, out)?;
                out.push_str(if full { "[*]" } else { ".*" });
                self.text(each, out)?;
            }
            ExpressionKind::Conditional { condition, result, other } => {
                self.text(condition, out)?;
                out.push_str(" ? ");
                self.text(result, out)?;
                out.push_str(" : ");
                self.text(other, out)?;
            }
            ExpressionKind::Binary { left, operator, right } => {
                self.text(left, out)?;
                let _ = write!(out, " {} ", operator.as_str());
                self.text(right, out)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
