//! Values as source text: on one line if they are short, otherwise with each element on its own line.

mod text;
mod types;

use hclkit_value::{Kind, Type, Value};

use crate::build::Checked;
pub(crate) use text::key;
use text::new_line;
pub use text::{MAX_COLUMN, align, name_width};

/// How to write values for people.
///
/// For marked values, the names of the marks are shown; for unknown values, what is known about them; both in
/// parentheses. Everything else is source text in the native syntax. Text of several lines becomes a heredoc if it is
/// the whole value or an item of an object. To write source text that evaluates to the value, use
/// [`NewValue`](crate::NewValue), which returns an error if there is none.
///
/// ```
/// use hclkit_value::Value;
/// use hclkit_write::Layout;
///
/// let server = Value::object([("name", Value::from("web")), ("ports", Value::tuple([80, 443]))]);
/// assert_eq!(Layout::new().value(&server), r#"{ name = "web", ports = [80, 443] }"#);
/// assert_eq!(
///     Layout::new().with_width(20).value(&server),
///     "{\n  name  = \"web\"\n  ports = [80, 443]\n}",
/// );
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    width: usize,
    color: bool,
    one_line: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self::new()
    }
}

impl Layout {
    /// Without colors, and with lines of at most 80 characters where possible.
    pub const fn new() -> Self {
        Self { width: 80, color: false, one_line: false }
    }

    /// Sets the number of characters that a line should not exceed.
    #[must_use]
    pub const fn with_width(mut self, characters: usize) -> Self {
        self.width = characters;
        self
    }

    /// Sets whether to use ANSI colors.
    #[must_use]
    pub const fn with_color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    /// Sets whether to write each value on one line, however long it is.
    #[must_use]
    pub const fn with_one_line(mut self, one_line: bool) -> Self {
        self.one_line = one_line;
        self
    }

    /// The source text of a value, without a line break at its end. Text beyond the limit on bytes is cut off with an
    /// ellipsis, and the next check of limits reports it.
    pub fn value(&self, value: &Value) -> String {
        self.value_at(value, 0, 0)
    }

    /// The source text of a value on a line with this indentation, and with this number of characters between the
    /// indentation and the value.
    pub fn value_at(&self, value: &Value, indent: usize, before: usize) -> String {
        if value.check_text_size().is_err() {
            return value.to_string();
        }
        let mut out = String::new();
        self.write_item(Node::Value(value), indent, indent + before, &mut out);
        out
    }

    /// A type expression, without a line break at its end.
    ///
    /// ```
    /// use hclkit_value::Type;
    /// use hclkit_write::Layout;
    ///
    /// let ty = Type::list(Type::object([("name", Type::String), ("ports", Type::set(Type::Number))]));
    /// assert_eq!(
    ///     Layout::new().with_width(20).ty(&ty),
    ///     "list(object({\n  name  = string\n  ports = set(number)\n}))",
    /// );
    /// ```
    pub fn ty(&self, ty: &Type) -> String {
        if ty.check_text_size().is_err() {
            return ty.to_string();
        }
        let mut out = String::new();
        self.write_type(ty, 0, 0, &mut out);
        out
    }

    /// Writes the value of an attribute or of an object's item, which can be a heredoc.
    pub(crate) fn write_item(&self, node: Node<'_>, indent: usize, column: usize, out: &mut String) {
        if self.one_line {
            return self.write_leaf(node, indent, out);
        }
        match node.text().and_then(|text| text::heredoc(text, indent)) {
            Some(text) if self.color => {
                out.push_str("\x1b[32m");
                out.push_str(&text);
                out.push_str("\x1b[0m");
            }
            Some(text) => out.push_str(&text),
            None => self.write(node, indent, column, out),
        }
    }

    fn write(&self, node: Node<'_>, indent: usize, column: usize, out: &mut String) {
        if !node.has_parts() {
            return self.write_leaf(node, indent, out);
        }
        let left = self.width.saturating_sub(column);
        match node.line(left).filter(|_| !node.holds_heredoc()) {
            Some(line) if !self.color => return out.push_str(&line),
            Some(_) => return self.write_leaf(node, indent, out),
            None => {}
        }
        match node.parts() {
            Parts::None => self.write_leaf(node, indent, out),
            Parts::Elements(open, elements, close) => {
                out.push_str(open);
                for element in elements {
                    new_line(indent + 2, out);
                    self.write(element, indent + 2, indent + 3, out);
                    if element.ends_with_heredoc() {
                        new_line(indent + 2, out);
                    }
                    out.push(',');
                }
                new_line(indent, out);
                out.push_str(close);
            }
            Parts::Items(items) => {
                out.push('{');
                let width = name_width(items.iter().map(|(key, _)| key.as_str()));
                let items = items.into_iter().map(|(key, item)| {
                    let mut text = String::new();
                    self.write_item(item, indent + 2, indent + 2 + width + " = ".len(), &mut text);
                    (key, text)
                });
                for line in align(&items.collect::<Vec<_>>()) {
                    new_line(indent + 2, out);
                    out.push_str(&line);
                }
                new_line(indent, out);
                out.push('}');
            }
        }
    }

    fn write_leaf(&self, node: Node<'_>, indent: usize, out: &mut String) {
        match node {
            Node::Value(value) | Node::New(Checked::Value(value)) => {
                out.push_str(&value.show().with_color(self.color).to_string());
            }
            Node::New(Checked::Source(source)) => out.push_str(&source.indented(indent)),
            Node::New(_) => out.push_str(&node.line(usize::MAX).unwrap_or_default()),
        }
    }
}

/// The thing to lay out.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Node<'n> {
    Value(&'n Value),
    New(&'n Checked),
}

/// A value that can be written with a line for each part.
enum Parts<'n> {
    None,
    /// Elements between brackets.
    Elements(&'static str, Vec<Node<'n>>, &'static str),
    /// The items of an object, with the source text of their keys.
    Items(Vec<(String, Node<'n>)>),
}

impl<'n> Node<'n> {
    fn parts(self) -> Parts<'n> {
        let value = match self {
            Self::Value(value) | Self::New(Checked::Value(value)) => value,
            Self::New(Checked::Source(_)) => return Parts::None,
            Self::New(Checked::Tuple(elements)) => {
                return Parts::Elements("[", elements.iter().map(Self::New).collect(), "]");
            }
            Self::New(Checked::Object(items)) => {
                return Parts::Items(
                    items.iter().map(|(key, item)| (key.clone(), Self::New(item))).collect(),
                );
            }
        };
        let (open, close) = match value.kind() {
            Kind::List(_) | Kind::Tuple(_) => ("[", "]"),
            Kind::Set(_) => ("toset([", "])"),
            Kind::Map(_) | Kind::Object(_) => {
                let entries = value.entries().into_iter().flatten();
                return Parts::Items(entries.map(|(name, item)| (key(name), Self::Value(item))).collect());
            }
            _ => return Parts::None,
        };
        let elements = value.as_slice().unwrap_or_default().iter().map(Self::Value);
        Parts::Elements(open, elements.collect(), close)
    }

    /// Returns true for brackets with something in them.
    fn has_parts(self) -> bool {
        match self {
            Self::Value(value) | Self::New(Checked::Value(value)) => match value.kind() {
                Kind::List(_) | Kind::Tuple(_) | Kind::Set(_) => {
                    value.as_slice().is_some_and(|elements| !elements.is_empty())
                }
                Kind::Map(_) | Kind::Object(_) => {
                    value.entries().is_some_and(|mut entries| entries.next().is_some())
                }
                _ => false,
            },
            Self::New(Checked::Source(_)) => false,
            Self::New(Checked::Tuple(elements)) => !elements.is_empty(),
            Self::New(Checked::Object(items)) => !items.is_empty(),
        }
    }

    /// Returns it on one line of at most this many characters, if possible.
    fn line(self, limit: usize) -> Option<String> {
        match self {
            Self::Value(value) | Self::New(Checked::Value(value)) => {
                // If the text is cut off, the ellipsis is the last character.
                let line = value.show().with_limit(limit.saturating_add(1)).to_string();
                (line.chars().count() <= limit).then_some(line)
            }
            Self::New(Checked::Source(source)) => {
                source.line().filter(|line| line.chars().count() <= limit).map(str::to_owned)
            }
            Self::New(_) => {
                let mut line = String::new();
                let mut left = limit;
                let mut put = |text: &str| {
                    left = left.checked_sub(text.chars().count())?;
                    line.push_str(text);
                    Some(left)
                };
                match self.parts() {
                    Parts::None => {}
                    Parts::Elements(open, elements, close) => {
                        let mut left = put(open)?;
                        for (index, element) in elements.into_iter().enumerate() {
                            left = if index > 0 { put(", ")? } else { left };
                            left = put(&element.line(left)?)?;
                        }
                        put(close)?;
                    }
                    Parts::Items(items) if items.is_empty() => _ = put("{}")?,
                    Parts::Items(items) => {
                        for (index, (key, item)) in items.into_iter().enumerate() {
                            put(if index > 0 { ", " } else { "{ " })?;
                            put(&key)?;
                            let left = put(" = ")?;
                            put(&item.line(left)?)?;
                        }
                        put(" }")?;
                    }
                }
                Some(line)
            }
        }
    }

    /// Returns the text of a known string.
    fn text(self) -> Option<&'n str> {
        match self {
            Self::Value(value) | Self::New(Checked::Value(value)) => value.as_str(),
            Self::New(_) => None,
        }
    }

    /// Returns true if an object in it has an item with multi-line text, which is more readable as a heredoc.
    fn holds_heredoc(self) -> bool {
        let has = |item: Self| item.text().is_some_and(text::has_lines) || item.holds_heredoc();
        match self {
            Self::Value(value) | Self::New(Checked::Value(value)) => match value.kind() {
                Kind::Map(_) | Kind::Object(_) => {
                    value.entries().into_iter().flatten().any(|(_, item)| has(Self::Value(item)))
                }
                Kind::List(_) | Kind::Tuple(_) | Kind::Set(_) => {
                    value.as_slice().unwrap_or_default().iter().any(|item| Self::Value(item).holds_heredoc())
                }
                _ => false,
            },
            Self::New(Checked::Source(_)) => false,
            Self::New(Checked::Tuple(elements)) => {
                elements.iter().any(|item| Self::New(item).holds_heredoc())
            }
            Self::New(Checked::Object(items)) => items.iter().any(|(_, item)| has(Self::New(item))),
        }
    }

    fn ends_with_heredoc(self) -> bool {
        matches!(self, Self::New(Checked::Source(source)) if source.ends_with_heredoc())
    }
}

#[cfg(test)]
mod tests {
    use hclkit_model::{Context, Expression};

    use super::*;

    fn value(text: &str) -> Value {
        Expression::parse(text).unwrap().evaluate(&Context::new()).unwrap()
    }

    #[test]
    fn laid_out_text_has_the_same_value() {
        for text in [
            r#"{ "for" = 1, "a b" = [], c = { d = [[1, 2], {}], "${1}" = null } }"#,
            r#"["a\nb\n", "${true}\t\n\n", "$${x} %%{y}\nz\n"]"#,
            r#""a\n  b\n\nc\n""#,
            r#""  EOT\n$${x} %%{y}\nEOT1\n""#,
            r#""a\r\nb\n""#,
            r#""\\\n\u0007\n""#,
            r#""\n\n""#,
        ] {
            let value = value(text);
            for (width, indent) in [(0, 0), (20, 4), (200, 2)] {
                let laid_out = Layout::new().with_width(width).value_at(&value, indent, 0);
                assert_eq!(self::value(&format!("{laid_out}\n")), value, "{laid_out}");
            }
        }
    }

    #[test]
    fn lines_use_the_allowed_width() {
        let value = value(r#"{ ab = [1000000, 2000000], c = { d = "e" }, f = ["one", ["two", "three"]] }"#);
        let expected = r#"{
  ab = [1000000, 2000000]
  c  = { d = "e" }
  f = [
    "one",
    ["two", "three"],
  ]
}"#;
        assert_eq!(Layout::new().with_width(26).value(&value), expected);
    }

    #[test]
    fn heredocs_are_for_text_of_several_lines() {
        let show = |text: &str, indent| Layout::new().value_at(&Value::from(text), indent, 0);
        assert_eq!(show("one\n", 0), "\"one\\n\"");
        assert_eq!(show("one\ntwo", 0), "\"one\\ntwo\"");
        assert_eq!(show("one\n two\n", 0), "<<EOT\none\n two\nEOT");
        assert_eq!(show("one\n two\n", 2), "<<-EOT\n    one\n     two\n  EOT");
        assert_eq!(show("EOT\n${x}\n", 0), "<<EOT1\nEOT\n$${x}\nEOT1");
    }
}
