//! Literals of HCL 1 as HCL 2 writes them: numbers, strings and heredocs.

use hclkit_syntax::ast::{ExpressionKind, ExpressionNode, TemplateKind};
use hclkit_syntax::{Root, parse_expression};
use hclkit_value::{Number, Value};

use super::Conversion;
use crate::messages;

impl<'d> Conversion<'d> {
    pub(super) fn number(&mut self, value: ExpressionNode<'d>, text: &str) {
        let Some(number) = value.number_text() else { return };
        let digits = text.trim_start_matches('-');
        let is_other = digits.len() > 1 && digits.starts_with('0') && !digits.contains(['.', 'e', 'E']);
        if is_other {
            self.note(value.span(), messages::number_in_hcl_2(text, &number));
        }
        // A point needs digits on both sides, and a whole number no zeros before it.
        let is_plain = digits.starts_with(|first: char| first.is_ascii_digit())
            && !digits.ends_with('.')
            && !digits.contains(".e")
            && !digits.contains(".E")
            && digits.parse::<Number>().is_ok();
        if is_other || !is_plain {
            self.replace(value.span(), number.as_ref());
        }
    }

    /// A string or a heredoc.
    pub(super) fn text(&mut self, value: ExpressionNode<'d>) {
        let ExpressionKind::Template(template) = value.kind() else { return };
        let Some(text) = template.as_literal() else { return };
        if self.interpolation && text.contains("${") {
            return self.interpolated(value, &text);
        }
        let is_heredoc = matches!(template.template_kind(), TemplateKind::Heredoc { .. });
        if reads_as(value.text(), &text) {
            return;
        }
        if text.contains("${") || text.contains("%{") {
            self.note(value.span(), messages::SEQUENCE_IN_HCL_2.to_owned());
        } else if is_heredoc {
            self.note(value.span(), messages::HEREDOC_IN_HCL_2.to_owned());
        }
        // A heredoc of HCL 2 keeps the carriage returns of its file.
        let keeps_returns = self.document.source().text().contains("\r\n");
        let new = if is_heredoc && !keeps_returns { heredoc(&text) } else { None };
        self.replace(value.span(), new.unwrap_or_else(|| quoted(&text)));
    }
}

/// Returns true if HCL 2 reads the source of a string as this text.
pub(super) fn reads_as(source: &str, text: &str) -> bool {
    let document = parse_expression(format!("{source}\n"));
    let Root::Expression(expression) = document.root() else { return false };
    let ExpressionKind::Template(template) = expression.kind() else { return false };
    !document.has_errors() && template.as_literal().is_some_and(|literal| *literal == *text)
}

/// Returns true if a quoted string is the same in HCL 2.
pub(super) fn is_plain(source: &str) -> bool {
    !source.contains(['\\', '$', '%', '\r'])
}

/// A text as a string of HCL 2.
pub(super) fn quoted(text: &str) -> String {
    // Values are in a normal form of Unicode, and the text is not.
    let pieces = text.chars().map(|character| match character {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        other if other.is_control() => format!("\\u{:04x}", u32::from(other)),
        other => other.to_string(),
    });
    format!("\"{}\"", without_sequences(&pieces.collect::<String>()))
}

/// Escapes what would begin an interpolation or a directive.
pub(super) fn without_sequences(text: &str) -> String {
    text.replace("${", "$${").replace("%{", "%%{")
}

/// A text as a heredoc of HCL 2. `None` if it has no line break at its end, or characters that heredocs do not show.
fn heredoc(text: &str) -> Option<String> {
    let lines = text.strip_suffix('\n')?;
    if text.contains(|character: char| character.is_control() && !matches!(character, '\n' | '\t')) {
        return None;
    }
    let name = ["EOT", "EOF", "END_OF_TEXT"];
    let name = name.into_iter().find(|name| lines.lines().all(|line| line.trim() != *name))?;
    let source = format!("<<{name}\n{}\n{name}", without_sequences(lines));
    reads_as(&source, text).then_some(source)
}

/// A string of a type, such as `"list"`, which is a type of HCL 2.
pub(super) fn type_named(value: &Value) -> Option<&'static str> {
    match value.as_str()? {
        "string" => Some("string"),
        "list" => Some("list(any)"),
        "map" => Some("map(any)"),
        _ => None,
    }
}
