//! The shape of bc-python-hcl2: every attribute in a list, lines of blocks, and expressions with the texts of Python objects.

use std::fmt::Write;

use hclkit::ast::{BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item, ObjectKey, TemplateKind};
use hclkit::limits::with_room;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};

use super::spaced::Spaced;
use super::{Work, heredoc_body, is_heredoc, key, lines, negative, number};

pub(super) struct Shape<'py> {
    pub(super) work: Work<'py>,
}

/// What an expression is on the way up: source text, the text of a heredoc, or an object.
enum Node<'py> {
    Text(String),
    Heredoc(String),
    Object(Bound<'py, PyAny>),
}

/// The text in an expression around it.
impl Spaced for Shape<'_> {
    fn text(&self, node: ExpressionNode<'_>, out: &mut String) -> PyResult<()> {
        with_room(|| self.text_inside(node, out))
    }
}

impl<'py> Shape<'py> {
    pub(super) fn body(&self, body: BodyNode<'_>) -> PyResult<Bound<'py, PyDict>> {
        let py = self.work.py;
        let dict = PyDict::new(py);
        let add = |name: Bound<'py, PyString>, value: Bound<'py, PyAny>| match dict.get_item(&name)? {
            None => dict.set_item(name, PyList::new(py, [value])?),
            Some(list) => match (list.cast_into::<PyList>()?, value.cast::<PyList>()) {
                (list, Ok(more)) => list.call_method1("extend", (more,)).map(drop),
                (list, Err(_)) => list.append(value),
            },
        };
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => {
                    let value = with_room(|| self.value(attribute.value()))?;
                    add(key(py, attribute.name()), value)?;
                }
                Item::Block(block) => {
                    let content = with_room(|| self.block(block))?;
                    add(key(py, block.block_type()), content.into_any())?;
                }
            }
        }
        Ok(dict)
    }

    /// A block within its labels, with its lines where they are expected.
    fn block(&self, block: BlockNode<'_>) -> PyResult<Bound<'py, PyDict>> {
        let py = self.work.py;
        let labels: Vec<_> = block.labels().collect();
        let level = match block.block_type() {
            "data" | "resource" => Some(2),
            "module" | "provider" | "variable" => Some(1),
            "locals" | "terraform" => Some(0),
            _ => None,
        };
        let mut content = self.body(block.body())?;
        for at in (0..=labels.len()).rev() {
            if level == Some(at) {
                let (start, end) = lines(block);
                content.set_item(key(py, "__start_line__"), start)?;
                content.set_item(key(py, "__end_line__"), end)?;
            }
            if let Some(label) = at.checked_sub(1).and_then(|at| labels.get(at)) {
                let outer = PyDict::new(py);
                outer.set_item(key(py, strip_quotes(label.text())), content)?;
                content = outer;
            }
        }
        Ok(content)
    }

    fn value(&self, node: ExpressionNode<'_>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.node(node)? {
            Node::Object(object) => object,
            Node::Heredoc(text) => PyString::new(self.work.py, strip_quotes(&text)).into_any(),
            Node::Text(text) => PyString::new(self.work.py, &with_dollar(&text)).into_any(),
        })
    }

    fn text_inside(&self, node: ExpressionNode<'_>, out: &mut String) -> PyResult<()> {
        self.work.next()?;
        match node.kind() {
            ExpressionKind::Parens(inner) => self.text(inner, out)?,
            ExpressionKind::Call(call) => {
                let _ = write!(out, "{}(", call.name());
                let separator = if call.name().contains("::") { ", " } else { "," };
                for (at, argument) in call.arguments().enumerate() {
                    out.push_str(if at == 0 { "" } else { separator });
                    self.text(argument, out)?;
                }
                out.push(')');
            }
            ExpressionKind::Unary { operator, operand } => {
                if let Some(text) = negative(operator, operand) {
                    let _ = write!(out, "-{}", number(self.work.py, text)?);
                } else {
                    out.push_str(operator.as_str());
                    self.text(operand, out)?;
                }
            }
            ExpressionKind::Variable(name) => out.push_str(name.text),
            ExpressionKind::SplatItem | ExpressionKind::Missing => {}
            _ if self.spaced(node, out)? => {}
            _ => match self.node(node)? {
                Node::Text(text) | Node::Heredoc(text) => out.push_str(&text),
                Node::Object(object) => {
                    let text = object.str()?;
                    self.work.take(text.to_str()?)?;
                    out.push_str(text.to_str()?);
                }
            },
        }
        Ok(())
    }

    fn node(&self, node: ExpressionNode<'_>) -> PyResult<Node<'py>> {
        with_room(|| self.node_inside(node))
    }

    fn node_inside(&self, node: ExpressionNode<'_>) -> PyResult<Node<'py>> {
        let py = self.work.py;
        self.work.next()?;
        Ok(match node.kind() {
            ExpressionKind::Null => Node::Object(py.None().into_bound(py)),
            ExpressionKind::Bool(flag) => Node::Object(PyBool::new(py, flag).to_owned().into_any()),
            ExpressionKind::Number(text) => Node::Object(number(py, text)?),
            ExpressionKind::Parens(inner) => self.node(inner)?,
            ExpressionKind::Template(template) => {
                let kind = template.template_kind();
                if !is_heredoc(kind) {
                    return Ok(Node::Text(template.text().to_owned()));
                }
                let body = heredoc_body(template);
                let flush = kind == TemplateKind::Heredoc { flush: true };
                let body = if flush { dedented(body) } else { body.to_owned() };
                Node::Heredoc(format!("\"{body}\""))
            }
            ExpressionKind::Tuple => {
                let elements = node.elements().map(|element| self.value(element));
                let list = PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?;
                Node::Object(list.into_any())
            }
            ExpressionKind::Object => {
                let dict = PyDict::new(py);
                for item in node.items() {
                    let value = self.value(item.value())?;
                    match item.key() {
                        ObjectKey::Name(name) => dict.set_item(key(py, name.text), value)?,
                        ObjectKey::Expression(name) => match self.node(name)? {
                            Node::Object(name) => dict.set_item(name, value)?,
                            Node::Text(name) | Node::Heredoc(name) => {
                                dict.set_item(key(py, strip_quotes(&name)), value)?;
                            }
                        },
                    }
                }
                Node::Object(dict.into_any())
            }
            _ => {
                let mut text = String::new();
                self.text(node, &mut text)?;
                Node::Text(text)
            }
        })
    }
}

fn strip_quotes(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or(text)
}

/// An expression in `${…}`; a string without its quotes.
fn with_dollar(text: &str) -> String {
    if text.len() > 1 && text.starts_with('"') && text.ends_with('"') {
        let inner = strip_quotes(text);
        if inner.starts_with("${") && inner.ends_with('}') {
            return inner.to_owned();
        }
        let escaped = text.matches("\\\"").count() - usize::from(text.ends_with("\\\""));
        if text.matches('"').count() - escaped == 2 {
            return inner.to_owned();
        }
    }
    format!("${{{text}}}")
}

/// The lines without the least indentation, of which empty lines have none.
fn dedented(body: &str) -> String {
    let indentation = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let least = body.split('\n').map(indentation).min().unwrap_or(0);
    let cut: Vec<&str> = body.split('\n').map(|line| line.get(least..).unwrap_or_default()).collect();
    cut.join("\n")
}
