//! The shape of bc-python-hcl2: every attribute in a list, lines of blocks, and expressions with the texts of Python objects.

use hclkit::ast::{BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item, ObjectKey, TemplateKind};
use hclkit::limits::with_room;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};

use super::{heredoc_body, is_heredoc, key, lines, negative, number};

pub(super) struct Shape<'py> {
    pub(super) py: Python<'py>,
}

/// What an expression is on the way up: source text, the text of a heredoc, or an object.
enum Node<'py> {
    Text(String),
    Heredoc(String),
    Object(Bound<'py, PyAny>),
}

impl Node<'_> {
    /// The text in an expression around it: that of the Python object.
    fn text(&self) -> PyResult<String> {
        Ok(match self {
            Self::Text(text) | Self::Heredoc(text) => text.clone(),
            Self::Object(object) => object.str()?.to_str()?.to_owned(),
        })
    }
}

impl<'py> Shape<'py> {
    pub(super) fn body(&self, body: BodyNode<'_>) -> PyResult<Bound<'py, PyDict>> {
        let py = self.py;
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
        let py = self.py;
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
            Node::Heredoc(text) => PyString::new(self.py, strip_quotes(&text)).into_any(),
            Node::Text(text) => PyString::new(self.py, &with_dollar(&text)).into_any(),
        })
    }

    fn text(&self, node: ExpressionNode<'_>) -> PyResult<String> {
        self.node(node)?.text()
    }

    fn node(&self, node: ExpressionNode<'_>) -> PyResult<Node<'py>> {
        with_room(|| self.node_inside(node))
    }

    fn node_inside(&self, node: ExpressionNode<'_>) -> PyResult<Node<'py>> {
        let py = self.py;
        let text = match node.kind() {
            ExpressionKind::Null => return Ok(Node::Object(py.None().into_bound(py))),
            ExpressionKind::Bool(flag) => {
                return Ok(Node::Object(PyBool::new(py, flag).to_owned().into_any()));
            }
            ExpressionKind::Number(text) => return Ok(Node::Object(number(py, text)?)),
            ExpressionKind::Parens(inner) => return self.node(inner),
            ExpressionKind::Template(template) => {
                let kind = template.template_kind();
                if !is_heredoc(kind) {
                    return Ok(Node::Text(template.text().to_owned()));
                }
                let body = heredoc_body(template);
                let flush = kind == TemplateKind::Heredoc { flush: true };
                let body = if flush { dedented(body) } else { body.to_owned() };
                return Ok(Node::Heredoc(format!("\"{body}\"")));
            }
            ExpressionKind::Tuple => {
                let elements = node.elements().map(|element| self.value(element));
                let list = PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?;
                return Ok(Node::Object(list.into_any()));
            }
            ExpressionKind::Object => {
                let dict = PyDict::new(py);
                for item in node.items() {
                    let value = self.value(item.value())?;
                    match item.key() {
                        ObjectKey::Name(name) => dict.set_item(key(py, name.text), value)?,
                        ObjectKey::Expression(name) => match self.node(name)? {
                            Node::Object(name) => dict.set_item(name, value)?,
                            name => dict.set_item(key(py, strip_quotes(&name.text()?)), value)?,
                        },
                    }
                }
                return Ok(Node::Object(dict.into_any()));
            }
            ExpressionKind::Call(call) => {
                let arguments = call.arguments().map(|argument| self.text(argument));
                let separator = if call.name().contains("::") { ", " } else { "," };
                let arguments = arguments.collect::<PyResult<Vec<_>>>()?.join(separator);
                format!("{}({arguments})", call.name())
            }
            ExpressionKind::For(node) => {
                let mut parts = vec!["for".to_owned()];
                if let Some(name) = node.key_variable() {
                    parts.extend([name.text.to_owned(), ",".to_owned()]);
                }
                parts.extend([node.value_variable().text.to_owned(), "in".to_owned()]);
                parts.extend([self.text(node.collection())?, ":".to_owned()]);
                if let Some(key) = node.key() {
                    parts.extend([self.text(key)?, "=>".to_owned()]);
                }
                parts.push(self.text(node.value())?);
                if node.groups() {
                    parts.push("...".to_owned());
                }
                if let Some(condition) = node.condition() {
                    parts.extend(["if".to_owned(), self.text(condition)?]);
                }
                let inner = parts.join(" ");
                if node.makes_object() { format!("{{{inner}}}") } else { format!("[{inner}]") }
            }
            ExpressionKind::GetAttr { object, name } => {
                format!("{}.{}", self.text(object)?, name.map_or("", |name| name.text))
            }
            ExpressionKind::LegacyIndex { collection, key } => {
                format!("{}[{}]", self.text(collection)?, key.text)
            }
            ExpressionKind::Index { collection, key } => {
                format!("{}[{}]", self.text(collection)?, self.text(key)?)
            }
            ExpressionKind::Splat { source, each, full } => {
                let star = if full { "[*]" } else { ".*" };
                format!("{}{star}{}", self.text(source)?, self.text(each)?)
            }
            ExpressionKind::Conditional { condition, result, other } => {
                format!("{} ? {} : {}", self.text(condition)?, self.text(result)?, self.text(other)?)
            }
            ExpressionKind::Binary { left, operator, right } => {
                format!("{} {} {}", self.text(left)?, operator.as_str(), self.text(right)?)
            }
            ExpressionKind::Unary { operator, operand } => match negative(operator, operand) {
                Some(text) => format!("-{}", number(py, text)?),
                None => format!("{}{}", operator.as_str(), self.text(operand)?),
            },
            ExpressionKind::SplatItem | ExpressionKind::Missing => String::new(),
            ExpressionKind::Variable(name) => name.text.to_owned(),
        };
        Ok(Node::Text(text))
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
