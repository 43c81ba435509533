//! The interpolation of Terraform 0.11 in HCL 2: `"${var.x}"` is `var.x`, as far as it is certain to mean the same.

use hclkit_syntax::ast::{AttributeNode, ExpressionKind, ExpressionNode, TemplateKind};
use hclkit_syntax::{Root, parse_expression, sequence_len};
use hclkit_value::Value;

use super::Conversion;
use super::literal::{quoted, reads_as, type_named};
use crate::messages;

/// Functions that Terraform 0.12 and later do not have.
const REMOVED: [&str; 2] = ["list", "map"];

impl<'d> Conversion<'d> {
    /// `type = "list"` of a variable. Returns true if it was written.
    pub(super) fn terraform_type(&mut self, attribute: AttributeNode<'d>, within: &str) -> bool {
        if within != "variable" || attribute.name() != "type" {
            return false;
        }
        let ExpressionKind::Template(template) = attribute.value().kind() else { return false };
        let Some(new) = template.as_literal().and_then(|text| type_named(&Value::from(&*text))) else {
            return false;
        };
        self.replace(attribute.value().span(), new);
        true
    }

    /// A string or a heredoc with interpolations.
    pub(super) fn interpolated(&mut self, value: ExpressionNode<'d>, text: &str) {
        let ExpressionKind::Template(template) = value.kind() else { return };
        let span = value.span();
        if matches!(template.template_kind(), TemplateKind::Heredoc { .. }) {
            let source = value.text();
            let (bare, literal) = (source.replace("${", "$${"), text);
            if !reads_as(&bare, literal) || !is_valid(source) {
                self.note(span, messages::HEREDOC_TO_CHECK.to_owned());
            }
            return;
        }
        let source = template_of(text);
        let expression = unwrapped(&source).filter(|inner| is_valid(inner));
        if !is_valid(&source) {
            self.note(span, messages::INTERPOLATION_TO_CHECK.to_owned());
            // It stays text, so that the file can be read.
            return self.replace(span, quoted(text));
        }
        if let Some(name) = REMOVED.iter().find(|name| source.contains(&format!("{name}("))) {
            self.note(span, messages::removed_function(name));
        }
        let new = expression.map_or_else(|| source.clone(), str::to_owned);
        if new != value.text() {
            self.replace(span, new);
        }
    }
}

/// A quoted template of HCL 2 with the interpolations of a text. Quotes in them are not escaped.
fn template_of(text: &str) -> String {
    let (mut out, mut rest) = (String::from("\""), text);
    while let Some(start) = rest.find("${") {
        let (before, from) = rest.split_at(start);
        let escaped = before.ends_with('$');
        push_literal(&mut out, before);
        let end = if escaped { 2 } else { sequence_len(from) };
        if escaped {
            // `$${` is text in both.
            out.push_str("${");
        } else {
            out.push_str(&from[..end].replace("\\\"", "\""));
        }
        rest = &from[end..];
    }
    push_literal(&mut out, rest);
    out.push('"');
    out
}

fn push_literal(out: &mut String, text: &str) {
    let quoted = quoted(text);
    out.push_str(&quoted[1..quoted.len() - 1]);
}

/// The expression of a template that is only one interpolation.
fn unwrapped(source: &str) -> Option<&str> {
    let inside = source.strip_prefix("\"${")?.strip_suffix("}\"")?;
    let document = parse_expression(source);
    let Root::Expression(expression) = document.root() else { return None };
    let ExpressionKind::Template(template) = expression.kind() else { return None };
    template.as_unwrapped().is_some().then(|| inside.trim()).filter(|inside| !inside.contains('\n'))
}

/// Returns true if HCL 2 can read an expression.
fn is_valid(source: &str) -> bool {
    !parse_expression(format!("{source}\n")).has_errors()
}
