//! The shape of pygohcl: literals as their values, and other expressions as their source, without comments and on one line.

use hclkit::ast::{
    BodyNode, ExpressionKind, ExpressionNode, Item, ObjectItemNode, ObjectKey, Part, Parts, TemplateNode,
    UnaryOperator,
};
use hclkit::limits::with_room;
use hclkit::{Diagnostic, Diagnostics, Document, Span};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};

use super::{Work, key, number};
use crate::error;

pub(super) struct Shape<'py, 'd> {
    pub(super) work: Work<'py>,
    pub(super) document: &'d Document,
    /// Whether `${` and `}` around expressions in strings are kept.
    pub(super) keeps_interpolations: bool,
}

impl<'py, 'd> Shape<'py, 'd> {
    pub(super) fn body(&self, body: BodyNode<'d>) -> PyResult<Bound<'py, PyDict>> {
        let py = self.work.py;
        let dict = PyDict::new(py);
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => {
                    let value = with_room(|| self.value(attribute.value()))?;
                    self.add(&dict, attribute.name(), value)?;
                }
                Item::Block(block) => {
                    let content = with_room(|| self.body(block.body()))?.into_any();
                    let labels: Vec<String> = block.labels().map(|it| it.value().into_owned()).collect();
                    let Some((last, outer)) = labels.split_last() else {
                        self.add(&dict, block.block_type(), content)?;
                        continue;
                    };
                    let mut inner = dict.clone();
                    for name in std::iter::once(block.block_type()).chain(outer.iter().map(String::as_str)) {
                        inner = self.nested(&inner, name)?;
                    }
                    self.add(&inner, last, content)?;
                }
            }
        }
        Ok(dict)
    }

    /// The dictionary below a name, which is the last one if there are several.
    fn nested(&self, dict: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let name = key(self.work.py, name);
        let new = PyDict::new(self.work.py);
        match dict.get_item(&name)? {
            None => dict.set_item(name, &new)?,
            Some(found) => {
                if let Ok(found) = found.cast_into::<PyDict>() {
                    return Ok(found);
                }
                self.add(dict, name.to_str()?, new.clone().into_any())?;
            }
        }
        Ok(new)
    }

    /// Adds a value. Several of one name are a list.
    fn add(&self, dict: &Bound<'py, PyDict>, name: &str, value: Bound<'py, PyAny>) -> PyResult<()> {
        let name = key(self.work.py, name);
        match dict.get_item(&name)? {
            None => dict.set_item(name, value),
            Some(found) => match found.cast_into::<PyList>() {
                Ok(list) => list.append(value),
                Err(found) => {
                    let list = PyList::new(self.work.py, [found.into_inner(), value])?;
                    dict.set_item(name, list)
                }
            },
        }
    }

    fn value(&self, node: ExpressionNode<'d>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.work.py;
        self.work.next()?;
        Ok(match node.kind() {
            ExpressionKind::Null => py.None().into_bound(py),
            ExpressionKind::Bool(flag) => PyBool::new(py, flag).to_owned().into_any(),
            ExpressionKind::Number(text) => self.number(text, "")?,
            ExpressionKind::Unary { operator, operand } => match (operator, operand.kind()) {
                (UnaryOperator::Negate, ExpressionKind::Number(text)) => self.number(text, "-")?,
                (UnaryOperator::Not, ExpressionKind::Bool(flag)) => {
                    PyBool::new(py, !flag).to_owned().into_any()
                }
                _ => self.source(node)?,
            },
            ExpressionKind::Template(template) => self.template(template)?,
            ExpressionKind::Tuple => {
                let elements = node.elements().map(|element| with_room(|| self.value(element)));
                PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
            ExpressionKind::Object => {
                let dict = PyDict::new(py);
                for item in node.items() {
                    dict.set_item(self.name(item)?, with_room(|| self.value(item.value()))?)?;
                }
                dict.into_any()
            }
            _ => self.source(node)?,
        })
    }

    /// A number as JSON has it: without an exponent or a point if it is whole.
    fn number(&self, text: &str, sign: &str) -> PyResult<Bound<'py, PyAny>> {
        let digits = text.parse::<hclkit::value::Number>().map(|it| it.to_string());
        number(self.work.py, &format!("{sign}{}", digits.as_deref().unwrap_or(text)))
    }

    fn name(&self, item: ObjectItemNode<'d>) -> PyResult<Bound<'py, PyString>> {
        let node = match item.key() {
            ObjectKey::Name(name) => return Ok(key(self.work.py, name.text)),
            ObjectKey::Expression(node) => node,
        };
        match node.kind() {
            ExpressionKind::Template(template) => {
                let mut text = String::new();
                self.parts(template.parts(), &mut text)?;
                Ok(key(self.work.py, &text))
            }
            _ => Ok(key(self.work.py, &self.one_line(node.span()))),
        }
    }

    fn template(&self, template: TemplateNode<'d>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(only) = template.as_unwrapped() {
            return with_room(|| self.value(only));
        }
        let mut text = String::new();
        self.parts(template.parts(), &mut text)?;
        Ok(PyString::new(self.work.py, &text).into_any())
    }

    fn parts(&self, parts: Parts<'d>, out: &mut String) -> PyResult<()> {
        for part in parts {
            self.work.next()?;
            match part {
                Part::Text(text) => out.push_str(&text.value()),
                Part::Interpolation(node) => with_room(|| self.interpolation(node, out))?,
                Part::If(part) => {
                    out.extend(["%{if ", &self.one_line(part.condition().span()), "}"]);
                    with_room(|| self.parts(part.then_parts(), out))?;
                    if part.has_else() {
                        out.push_str("%{else}");
                        with_room(|| self.parts(part.else_parts(), out))?;
                    }
                    out.push_str("%{endif}");
                }
                Part::For(part) => {
                    let names = part.key_variable().map(|it| format!("{}, ", it.text)).unwrap_or_default();
                    let names = names + part.value_variable().text;
                    out.extend(["%{for ", &names, " in ", &self.one_line(part.collection().span()), "}"]);
                    with_room(|| self.parts(part.parts(), out))?;
                    out.push_str("%{endfor}");
                }
            }
        }
        Ok(())
    }

    fn interpolation(&self, node: ExpressionNode<'d>, out: &mut String) -> PyResult<()> {
        match node.kind() {
            ExpressionKind::Null => Err(self.null(node)),
            ExpressionKind::Conditional { result, other, .. }
                if [result, other].iter().any(|it| matches!(it.kind(), ExpressionKind::Null)) =>
            {
                Err(self.null(node))
            }
            // As the directive of the same meaning.
            ExpressionKind::Conditional { condition, result, other } => {
                out.extend(["%{if ", &self.one_line(condition.span()), "}"]);
                with_room(|| self.interpolation(result, out))?;
                out.push_str("%{else}");
                with_room(|| self.interpolation(other, out))?;
                out.push_str("%{endif}");
                Ok(())
            }
            ExpressionKind::Number(_) | ExpressionKind::Bool(_) => {
                out.push_str(node.text());
                Ok(())
            }
            ExpressionKind::Template(template) => self.parts(template.parts(), out),
            _ => {
                let text = self.one_line(node.span());
                self.work.take(&text)?;
                let (open, close) = if self.keeps_interpolations { ("${", "}") } else { ("", "") };
                out.extend([open, &text, close]);
                Ok(())
            }
        }
    }

    /// The error for a part of a string that is null.
    fn null(&self, node: ExpressionNode<'d>) -> PyErr {
        let source = self.document.shared_source().clone();
        let place = hclkit::Place { source, span: node.span() };
        let mut found = Diagnostics::new();
        found.push(
            Diagnostic::error("value is null").at(place).with_note("A part of a string must not be null."),
        );
        error::of(&found)
    }

    fn source(&self, node: ExpressionNode<'d>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.one_line(node.span());
        self.work.take(&text)?;
        Ok(PyString::new(self.work.py, &text).into_any())
    }

    /// The source, in which comments and spaces are one space.
    fn one_line(&self, span: Span) -> String {
        let (tokens, source) = (self.document.tokens(), self.document.source());
        let (mut out, mut at) = (String::new(), tokens.at(span.start));
        let mut end = span.start;
        while at < tokens.len() as u32 && tokens.start(at) < span.end {
            if !tokens.kind(at).is_trivia() {
                let own = tokens.span(at);
                if own.start > end && !out.is_empty() {
                    out.push(' ');
                }
                out.push_str(source.slice(own));
                end = own.end;
            }
            at += 1;
        }
        out
    }
}
