//! The shape of python-hcl2 8: strings with their quotes, comments, and marks of blocks.

use std::borrow::Cow;
use std::fmt::Write;

use hclkit::ast::{
    BodyNode, ExpressionKind, ExpressionNode, Item, LabelNode, ObjectItemNode, ObjectKey, Part, TemplateNode,
};
use hclkit::limits::with_room;
use hclkit::{Document, Span};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};

use super::comments::Comments;
use super::{Work, has_exponent, heredoc_body, is_heredoc, is_whole, key, negative, number};

/// `SerializationOptions`.
#[derive(Clone, FromPyObject)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the package")]
pub(crate) struct Options {
    with_comments: bool,
    wrap_objects: bool,
    wrap_tuples: bool,
    explicit_blocks: bool,
    preserve_heredocs: bool,
    force_operation_parentheses: bool,
    preserve_scientific_notation: bool,
    strip_string_quotes: bool,
}

pub(super) struct Shape<'py, 'd> {
    work: Work<'py>,
    options: Options,
    comments: Option<Comments<'d>>,
}

/// What surrounds an expression: whether parentheses do, and whether it is an operand.
#[derive(Clone, Copy)]
struct Within {
    parens: bool,
    operand: bool,
}

const ALONE: Within = Within { parens: false, operand: false };

impl Within {
    fn operand(self) -> Self {
        Self { operand: true, ..self }
    }

    fn element(self) -> Self {
        Self { operand: false, ..self }
    }
}

impl<'py, 'd> Shape<'py, 'd> {
    pub(super) fn new(work: Work<'py>, document: &'d Document, options: Options) -> Self {
        let comments = options.with_comments.then(|| Comments::new(document));
        Self { work, options, comments }
    }

    /// A body; that of a block with the span between its braces.
    pub(super) fn body(&self, body: BodyNode<'d>, inside: Option<Span>) -> PyResult<Bound<'py, PyDict>> {
        let py = self.work.py;
        let dict = PyDict::new(py);
        let (mut own, mut inline): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        let inside = inside.unwrap_or(Span::new(0, u32::MAX));
        let mut at = inside.start;
        let mut absorbs = false;
        for item in body.items() {
            let span = item.span();
            self.between(Span::new(at, span.start), absorbs, &mut own, &mut inline);
            absorbs = false;
            at = span.end;
            match item {
                Item::Attribute(attribute) => {
                    let value = with_room(|| self.value(attribute.value()))?;
                    dict.set_item(key(py, attribute.name()), value)?;
                    if let Some(comments) = &self.comments {
                        absorbs = ends_with_operation(attribute.value());
                        for &group in comments.within(span) {
                            inline.extend(comments.texts(group));
                        }
                    }
                }
                Item::Block(block) => {
                    let inside = Span::new(block.open_span().end, block.close_span().start);
                    let mut content = with_room(|| self.body(block.body(), Some(inside)))?;
                    if self.options.explicit_blocks {
                        content.set_item(key(py, "__is_block__"), true)?;
                    }
                    let labels: Vec<LabelNode<'_>> = block.labels().collect();
                    for label in labels.iter().rev() {
                        let outer = PyDict::new(py);
                        outer.set_item(self.label(*label), content)?;
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
        self.between(Span::new(at, inside.end), absorbs, &mut own, &mut inline);
        for (name, texts) in [("__comments__", own), ("__inline_comments__", inline)] {
            if !texts.is_empty() {
                let one = |text: &&str| {
                    let comment = PyDict::new(py);
                    comment.set_item(key(py, "value"), *text)?;
                    Ok::<_, PyErr>(comment)
                };
                let comments = texts.iter().map(one).collect::<PyResult<Vec<_>>>()?;
                dict.set_item(name, PyList::new(py, comments)?)?;
            }
        }
        Ok(dict)
    }

    /// The comments between two items. Those behind an operation on its line count as part of it.
    fn between(&self, span: Span, absorbs: bool, own: &mut Vec<&'d str>, inline: &mut Vec<&'d str>) {
        let Some(comments) = &self.comments else { return };
        for &group in comments.within(span) {
            let is_inline = absorbs && comments.is_inline(group);
            let to = if is_inline { &mut *inline } else { &mut *own };
            to.extend(comments.texts(group));
        }
    }

    fn label(&self, label: LabelNode<'d>) -> Bound<'py, PyString> {
        if self.options.strip_string_quotes {
            return PyString::new(self.work.py, &label.value());
        }
        key(self.work.py, label.text())
    }

    /// An expression as data, or as `"${…}"` if it is none.
    pub(super) fn value(&self, node: ExpressionNode<'d>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.work.py;
        self.work.next()?;
        let options = &self.options;
        Ok(match node.kind() {
            ExpressionKind::Null => py.None().into_bound(py),
            ExpressionKind::Bool(flag) => PyBool::new(py, flag).to_owned().into_any(),
            ExpressionKind::Number(text) if has_exponent(text) && options.preserve_scientific_notation => {
                self.dollar(text)
            }
            ExpressionKind::Number(text) => number(py, text)?,
            ExpressionKind::Unary { operator, operand } => {
                // The sign is part of a number with a point.
                let is_number = |text: &str| {
                    !options.force_operation_parentheses
                        || !is_whole(text) && operand.span().start == node.span().start + 1
                };
                match negative(operator, operand).filter(|text| is_number(text)) {
                    Some(text) if !(has_exponent(text) && options.preserve_scientific_notation) => {
                        number(py, &format!("-{text}"))?
                    }
                    _ => self.wrapped(node)?,
                }
            }
            ExpressionKind::Variable(name) => key(py, name.text).into_any(),
            ExpressionKind::Template(template) => {
                // Most are literals, which need no other text.
                let is_literal = !options.strip_string_quotes
                    && matches!(template.parts().next(), Some(Part::Text(text)) if text.id() == template.id());
                let text: Cow<'_, str> =
                    if is_literal { template.text().into() } else { self.string(template)?.into() };
                PyString::new(py, &text).into_any()
            }
            ExpressionKind::Tuple if !options.wrap_tuples => {
                let elements = node.elements().map(|element| with_room(|| self.value(element)));
                PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
            ExpressionKind::Object if !options.wrap_objects => {
                let dict = PyDict::new(py);
                for item in node.items() {
                    dict.set_item(self.key(item)?, with_room(|| self.value(item.value()))?)?;
                }
                dict.into_any()
            }
            _ => self.wrapped(node)?,
        })
    }

    fn dollar(&self, text: &str) -> Bound<'py, PyAny> {
        PyString::new(self.work.py, &dollar(text)).into_any()
    }

    fn wrapped(&self, node: ExpressionNode<'d>) -> PyResult<Bound<'py, PyAny>> {
        let mut text = String::new();
        self.text(node, ALONE, &mut text)?;
        Ok(self.dollar(&text))
    }

    pub(super) fn key(&self, item: ObjectItemNode<'d>) -> PyResult<Bound<'py, PyString>> {
        Ok(match item.key() {
            ObjectKey::Name(name) => key(self.work.py, name.text),
            ObjectKey::Expression(node) => match node.kind() {
                ExpressionKind::Template(template) => PyString::new(self.work.py, &self.string(template)?),
                ExpressionKind::Number(_) | ExpressionKind::Variable(_) => {
                    let mut text = String::new();
                    self.text(node, ALONE, &mut text)?;
                    key(self.work.py, &text)
                }
                ExpressionKind::Null | ExpressionKind::Bool(_) => key(self.work.py, node.text()),
                _ => {
                    let mut text = String::new();
                    self.text(node, ALONE, &mut text)?;
                    PyString::new(self.work.py, &dollar(&text))
                }
            },
        })
    }

    /// A string that is not part of an expression.
    fn string(&self, template: TemplateNode<'d>) -> PyResult<String> {
        let options = &self.options;
        let mut text = String::new();
        if !options.strip_string_quotes {
            self.template(template, &mut text)?;
            return Ok(text);
        }
        if is_heredoc(template.template_kind()) {
            text.push_str(if options.preserve_heredocs {
                template.text().trim_end()
            } else {
                heredoc_body(template)
            });
            return Ok(if options.preserve_heredocs { text } else { dedented(template, &text) });
        }
        for part in template.parts() {
            match part {
                Part::Text(part) => text.push_str(&text_of(part.text(), &part.value())),
                part => self.part(template, part, &mut text)?,
            }
        }
        Ok(text)
    }

    /// A string as source.
    fn template(&self, template: TemplateNode<'d>, out: &mut String) -> PyResult<()> {
        out.push('"');
        if is_heredoc(template.template_kind()) {
            if self.options.preserve_heredocs {
                out.push_str(template.text().trim_end());
            } else {
                let body = dedented(template, heredoc_body(template));
                out.push_str(&body.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
            }
        } else {
            for part in template.parts() {
                self.part(template, part, out)?;
            }
        }
        out.push('"');
        Ok(())
    }

    fn part(&self, template: TemplateNode<'d>, part: Part<'d>, out: &mut String) -> PyResult<()> {
        match part {
            // A literal is one text with its quotes.
            Part::Text(text) if text.id() == template.id() => {
                let text = template.text();
                out.push_str(text.get(1..text.len().saturating_sub(1)).unwrap_or_default());
            }
            Part::Text(text) => out.push_str(text.text()),
            Part::Interpolation(node) => {
                let source = node.document().source();
                let before = source.text().as_bytes().get(..node.span().start as usize).unwrap_or_default();
                let after = source.text().as_bytes().get(node.span().end as usize..).unwrap_or_default();
                let strips = |byte: Option<&u8>| byte == Some(&b'~');
                let is_blank = |byte: &&u8| !byte.is_ascii_whitespace();
                let mut inner = String::new();
                self.text(node, ALONE, &mut inner)?;
                let open = if strips(before.iter().rev().find(is_blank)) { "${~ " } else { "${" };
                let close = if strips(after.iter().find(is_blank)) { " ~}" } else { "}" };
                out.push_str(open);
                out.push_str(&inner);
                out.push_str(close);
            }
            Part::If(part) => out.push_str(part.text()),
            Part::For(part) => out.push_str(part.text()),
        }
        Ok(())
    }

    /// An expression as source, in the layout of the package.
    fn text(&self, node: ExpressionNode<'d>, within: Within, out: &mut String) -> PyResult<()> {
        with_room(|| self.text_inside(node, within, out))
    }

    fn text_inside(&self, node: ExpressionNode<'d>, within: Within, out: &mut String) -> PyResult<()> {
        let start = out.len();
        self.work.next()?;
        match node.kind() {
            ExpressionKind::Number(text) if is_whole(text) => {
                let digits = text.trim_start_matches('0');
                out.push_str(if digits.is_empty() { "0" } else { digits });
            }
            ExpressionKind::Number(text)
                if has_exponent(text) && self.options.preserve_scientific_notation =>
            {
                out.push_str(text);
            }
            ExpressionKind::Number(text) => out.push_str(number(self.work.py, text)?.repr()?.to_str()?),
            ExpressionKind::Template(template) => self.template(template, out)?,
            ExpressionKind::Parens(inner) => {
                out.push('(');
                self.text(inner, Within { parens: true, operand: true }, out)?;
                out.push(')');
            }
            ExpressionKind::Tuple => {
                out.push('[');
                for (at, element) in node.elements().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    self.text(element, within.element(), out)?;
                }
                out.push(']');
            }
            ExpressionKind::Object => {
                out.push('{');
                for (at, item) in node.items().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    match item.key() {
                        ObjectKey::Name(name) => out.push_str(name.text),
                        ObjectKey::Expression(key) => self.text(key, within.element(), out)?,
                    }
                    out.push_str(" = ");
                    self.text(item.value(), within.element(), out)?;
                }
                out.push('}');
            }
            ExpressionKind::Call(call) => {
                let _ = write!(out, "{}(", call.name());
                for (at, argument) in call.arguments().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    self.text(argument, within.element(), out)?;
                }
                out.push_str(if call.expands_last() { " ...)" } else { ")" });
            }
            ExpressionKind::For(node) => {
                out.push_str(if node.makes_object() { "{for " } else { "[for " });
                if let Some(name) = node.key_variable() {
                    let _ = write!(out, "{}, ", name.text);
                }
                let _ = write!(out, "{} in ", node.value_variable().text);
                self.text(node.collection(), within.element(), out)?;
                out.push_str(" : ");
                if let Some(key) = node.key() {
                    self.text(key, within.operand(), out)?;
                    out.push_str(" => ");
                }
                self.text(node.value(), within.operand(), out)?;
                out.push_str(if node.groups() { "..." } else { "" });
                if let Some(condition) = node.condition() {
                    out.push_str(" if ");
                    self.text(condition, within.element(), out)?;
                }
                out.push(if node.makes_object() { '}' } else { ']' });
            }
            ExpressionKind::GetAttr { object, name } => {
                self.text(object, within.operand(), out)?;
                let _ = write!(out, ".{}", name.map_or("", |name| name.text));
            }
            ExpressionKind::LegacyIndex { collection, key } => {
                self.text(collection, within.operand(), out)?;
                let _ = write!(out, ".{}", key.text);
            }
            ExpressionKind::Index { collection, key } => {
                self.text(collection, within.operand(), out)?;
                out.push('[');
                self.text(key, within.element(), out)?;
                out.push(']');
            }
            ExpressionKind::Splat { source, each, full } => {
                self.text(source, within.operand(), out)?;
                out.push_str(if full { "[*]" } else { ".*" });
                self.text(each, within, out)?;
            }
            ExpressionKind::Conditional { condition, result, other } => {
                self.text(condition, within.operand(), out)?;
                out.push_str(" ? ");
                self.text(result, within.operand(), out)?;
                out.push_str(" : ");
                self.text(other, within.operand(), out)?;
                self.in_parens(within, start, out);
            }
            ExpressionKind::Binary { left, operator, right } => {
                self.text(left, within.operand(), out)?;
                let _ = write!(out, " {} ", operator.as_str());
                self.text(right, within.operand(), out)?;
                self.in_parens(within, start, out);
            }
            ExpressionKind::Unary { operator, operand } => {
                out.push_str(operator.as_str());
                self.text(operand, within.operand(), out)?;
                if negative(operator, operand).is_none() {
                    self.in_parens(within, start, out);
                }
            }
            ExpressionKind::SplatItem | ExpressionKind::Missing => {}
            ExpressionKind::Null | ExpressionKind::Bool(_) | ExpressionKind::Variable(_) => {
                out.push_str(node.text());
            }
        }
        Ok(())
    }

    fn in_parens(&self, within: Within, start: usize, out: &mut String) {
        if self.options.force_operation_parentheses && within.operand && !within.parens {
            out.insert(start, '(');
            out.push(')');
        }
    }
}

fn dollar(text: &str) -> String {
    if text.starts_with("${") && text.ends_with('}') { text.to_owned() } else { format!("${{{text}}}") }
}

/// The text of a part of a string: with its escape sequences resolved, but `$${` as it is written.
fn text_of(source: &str, value: &str) -> String {
    if source.contains("$${") || source.contains("%%{") {
        return value.replace("${", "$${").replace("%{", "%%{");
    }
    value.to_owned()
}

/// The body of a heredoc without the indentation that `<<-` removes.
fn dedented(template: TemplateNode<'_>, body: &str) -> String {
    if template.template_kind() != (hclkit::ast::TemplateKind::Heredoc { flush: true }) {
        return body.to_owned();
    }
    let indentation = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let lines = body.split('\n');
    let least = lines.clone().filter(|line| !line.trim().is_empty()).map(indentation).min().unwrap_or(0);
    let cut: Vec<&str> = lines.map(|line| line.get(least..).unwrap_or_default()).collect();
    cut.join("\n")
}

/// Whether an operation with two operands is the last part of an expression.
fn ends_with_operation(node: ExpressionNode<'_>) -> bool {
    let mut node = node;
    loop {
        node = match node.kind() {
            ExpressionKind::Binary { .. } => return true,
            ExpressionKind::Conditional { other, .. } => other,
            ExpressionKind::Unary { operand, .. } => operand,
            _ => return false,
        }
    }
}
