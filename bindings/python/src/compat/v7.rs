//! The shape of python-hcl2 7: strings without their quotes, and objects in expressions as JSON.

use std::fmt::Write;

use hclkit::ast::{
    BodyNode, ExpressionKind, ExpressionNode, Item, ObjectItemNode, ObjectKey, Part, TemplateNode,
};
use hclkit::limits::with_room;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};

use super::spaced::Spaced;
use super::{Work, has_exponent, heredoc_body, is_heredoc, is_whole, key, lines, negative, number};

pub(super) struct Shape<'py> {
    pub(super) work: Work<'py>,
    pub(super) with_meta: bool,
}

/// An expression as source, in the layout of the package.
impl Spaced for Shape<'_> {
    fn text(&self, node: ExpressionNode<'_>, out: &mut String) -> PyResult<()> {
        with_room(|| self.text_inside(node, out))
    }
}

impl<'py> Shape<'py> {
    pub(super) fn body(&self, body: BodyNode<'_>) -> PyResult<Bound<'py, PyDict>> {
        let py = self.work.py;
        let dict = PyDict::new(py);
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => {
                    dict.set_item(key(py, attribute.name()), with_room(|| self.value(attribute.value()))?)?;
                }
                Item::Block(block) => {
                    let mut content = with_room(|| self.body(block.body()))?;
                    if self.with_meta {
                        let (start, end) = lines(block);
                        content.set_item(key(py, "__start_line__"), start)?;
                        content.set_item(key(py, "__end_line__"), end)?;
                    }
                    let labels: Vec<_> = block.labels().collect();
                    for label in labels.iter().rev() {
                        let outer = PyDict::new(py);
                        outer.set_item(key(py, &unquoted(label.text())), content)?;
                        content = outer;
                    }
                    let name = key(py, block.block_type());
                    match dict.get_item(&name)? {
                        Some(list) => list.cast_into::<PyList>()?.append(content)?,
                        None => dict.set_item(name, PyList::new(py, [content])?)?,
                    }
                }
            }
        }
        Ok(dict)
    }

    fn value(&self, node: ExpressionNode<'_>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.work.py;
        self.work.next()?;
        Ok(match node.kind() {
            ExpressionKind::Null => py.None().into_bound(py),
            ExpressionKind::Bool(flag) => PyBool::new(py, flag).to_owned().into_any(),
            ExpressionKind::Number(text) if !has_exponent(text) => number(py, text)?,
            ExpressionKind::Unary { operator, operand } => match negative(operator, operand) {
                // The sign is part of the number if nothing is between them.
                Some(text) if !has_exponent(text) && operand.span().start == node.span().start + 1 => {
                    number(py, &format!("-{text}"))?
                }
                _ => self.dollar(node)?,
            },
            ExpressionKind::Template(template) => {
                let text = self.string(template)?;
                let text = if is_heredoc(template.template_kind()) { text } else { resolved(&text) };
                PyString::new(py, &text).into_any()
            }
            ExpressionKind::Tuple => {
                let elements = node.elements().map(|element| with_room(|| self.value(element)));
                PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
            ExpressionKind::Object => self.object(node)?.into_any(),
            ExpressionKind::Variable(name) if matches!(name.text, "bool" | "number" | "string") => {
                key(py, name.text).into_any()
            }
            _ => self.dollar(node)?,
        })
    }

    fn dollar(&self, node: ExpressionNode<'_>) -> PyResult<Bound<'py, PyAny>> {
        let mut text = String::from("${");
        self.text(node, &mut text)?;
        text.push('}');
        Ok(PyString::new(self.work.py, &text).into_any())
    }

    fn object(&self, node: ExpressionNode<'_>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.work.py);
        for item in node.items() {
            dict.set_item(self.key(item)?, with_room(|| self.value(item.value()))?)?;
        }
        Ok(dict)
    }

    fn key(&self, item: ObjectItemNode<'_>) -> PyResult<Bound<'py, PyString>> {
        let node = match item.key() {
            ObjectKey::Name(name) => return Ok(key(self.work.py, name.text)),
            ObjectKey::Expression(node) => node,
        };
        let mut text = String::new();
        match node.kind() {
            ExpressionKind::Template(template) if !is_heredoc(template.template_kind()) => {
                let inner = self.string(template)?;
                // Quotes stay around strings with sequences.
                text = if inner.contains("${") { format!("\"{inner}\"") } else { resolved(&inner) };
            }
            ExpressionKind::Parens(_) => {
                text.push_str("${");
                self.text(node, &mut text)?;
                text.push('}');
            }
            _ => self.text(node, &mut text)?,
        }
        Ok(key(self.work.py, &text))
    }

    /// The text of a string, without quotes, with its escape sequences as they are written.
    fn string(&self, template: TemplateNode<'_>) -> PyResult<String> {
        let kind = template.template_kind();
        if is_heredoc(kind) {
            let body = heredoc_body(template).trim_end_matches(['\n', '\t', ' ']);
            if kind == (hclkit::ast::TemplateKind::Heredoc { flush: true }) {
                let indentation = |line: &str| line.len() - line.trim_start_matches(' ').len();
                let least = body.split('\n').map(indentation).min().unwrap_or(0);
                let cut: Vec<&str> =
                    body.split('\n').map(|line| line.get(least..).unwrap_or_default()).collect();
                return Ok(cut.join("\n"));
            }
            return Ok(body.to_owned());
        }
        let mut out = String::new();
        for part in template.parts() {
            match part {
                Part::Text(text) if text.id() == template.id() => {
                    let text = template.text();
                    out.push_str(text.get(1..text.len().saturating_sub(1)).unwrap_or_default());
                }
                Part::Text(text) => out.push_str(text.text()),
                Part::Interpolation(node) => {
                    out.push_str("${");
                    self.text(node, &mut out)?;
                    out.push('}');
                }
                Part::If(part) => out.push_str(part.text()),
                Part::For(part) => out.push_str(part.text()),
            }
        }
        Ok(out)
    }

    fn list<'d>(&self, elements: impl Iterator<Item = ExpressionNode<'d>>, out: &mut String) -> PyResult<()> {
        for (at, element) in elements.enumerate() {
            out.push_str(if at == 0 { "" } else { ", " });
            self.text(element, out)?;
        }
        Ok(())
    }

    fn text_inside(&self, node: ExpressionNode<'_>, out: &mut String) -> PyResult<()> {
        self.work.next()?;
        match node.kind() {
            ExpressionKind::Number(text) if is_whole(text) => {
                let digits = text.trim_start_matches('0');
                out.push_str(if digits.is_empty() { "0" } else { digits });
            }
            ExpressionKind::Number(text) if has_exponent(text) => out.push_str(text),
            ExpressionKind::Number(text) => out.push_str(number(self.work.py, text)?.repr()?.to_str()?),
            ExpressionKind::Template(template) => {
                let _ = write!(out, "\"{}\"", self.string(template)?);
            }
            ExpressionKind::Parens(inner) => {
                out.push('(');
                self.text(inner, out)?;
                out.push(')');
            }
            ExpressionKind::Tuple => {
                out.push('[');
                self.list(node.elements(), out)?;
                out.push(']');
            }
            ExpressionKind::Object => {
                let json = self.work.py.import("json")?.call_method1("dumps", (self.object(node)?,))?;
                let json = json.cast::<PyString>()?.to_str()?;
                self.work.take(json)?;
                out.push_str(&without_escaped_quotes(json));
            }
            ExpressionKind::Call(call) => {
                let _ = write!(out, "{}(", call.name());
                self.list(call.arguments(), out)?;
                out.push_str(if call.expands_last() { "...)" } else { ")" });
            }
            ExpressionKind::Unary { operator, operand } => {
                out.push_str(operator.as_str());
                self.text(operand, out)?;
            }
            ExpressionKind::Null | ExpressionKind::Bool(_) | ExpressionKind::Variable(_) => {
                out.push_str(node.text());
            }
            _ => drop(self.spaced(node, out)?),
        }
        Ok(())
    }
}

fn unquoted(label: &str) -> String {
    let inner = label.strip_prefix('"').and_then(|label| label.strip_suffix('"'));
    inner.map_or_else(|| label.to_owned(), resolved)
}

/// Resolves escape sequences as the package does; those of Unicode stay.
fn resolved(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some(other @ ('"' | '\\')) => out.push(other),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

/// JSON with plain quotes within `${…}`.
fn without_escaped_quotes(json: &str) -> String {
    let (Some(start), Some(end)) = (json.find("${"), json.rfind('}')) else { return json.to_owned() };
    if start > end {
        return json.to_owned();
    }
    format!("{}{}{}", &json[..start], json[start..end].replace("\\\"", "\""), &json[end..])
}
