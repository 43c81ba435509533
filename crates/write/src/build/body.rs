//! Bodies to write: attributes, blocks and comments.

use std::collections::HashSet;

use hclkit_limits::with_room;
use hclkit_syntax::{Source, is_identifier, parse};
use hclkit_value::Value;

use super::error::Problem;
use super::{Checked, NewValue, SourceError};
use crate::format_source;
use crate::layout::{Layout, Node, name_width};

/// A body to write as source text.
///
/// Attributes, blocks and comments are written in the order in which they are added, with blank lines around blocks, as
/// the formatter formats them.
///
/// ```
/// use hclkit_write::{NewBody, raw};
///
/// let service = NewBody::new()
///     .comment("The shop.")
///     .block("service", ["web"], |service| {
///         service.attribute("image", raw("var.image")).attribute("ports", [80, 443].as_slice()).block(
///             "check",
///             ["alive"],
///             |check| check.attribute("path", "/healthz"),
///         )
///     });
/// assert_eq!(
///     service.source()?,
///     r#"# The shop.
/// service "web" {
///   image = var.image
///   ports = [80, 443]
///
///   check "alive" {
///     path = "/healthz"
///   }
/// }
/// "#,
/// );
/// # Ok::<(), hclkit_write::SourceError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct NewBody {
    items: Vec<Item>,
}

#[derive(Debug, Clone)]
enum Item {
    Comment(String),
    Attribute(String, NewValue),
    Block(String, Vec<String>, NewBody),
}

impl NewBody {
    /// An empty body.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an attribute. Names that are not identifiers or are used twice are errors when the body is written.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<String>, value: impl Into<NewValue>) -> Self {
        self.items.push(Item::Attribute(name.into(), value.into()));
        self
    }

    /// Adds a block. Types that are not identifiers are errors when the body is written. Labels are always quoted.
    #[must_use]
    pub fn block<L: Into<String>>(
        self,
        block_type: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
        fill: impl FnOnce(Self) -> Self,
    ) -> Self {
        self.with_block(block_type, labels, fill(Self::new()))
    }

    /// Adds a block with an existing body.
    #[must_use]
    pub fn with_block<L: Into<String>>(
        mut self,
        block_type: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
        body: Self,
    ) -> Self {
        let labels = labels.into_iter().map(Into::into).collect();
        self.items.push(Item::Block(block_type.into(), labels, body));
        self
    }

    /// Adds a comment above the next attribute or block. Each line of the text gets a `#`.
    #[must_use]
    pub fn comment(mut self, text: impl Into<String>) -> Self {
        self.items.push(Item::Comment(text.into()));
        self
    }

    /// Returns true if nothing was added.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The source text, formatted.
    ///
    /// # Errors
    /// Names that are not identifiers or are used twice, labels that a quoted string cannot express, and values that
    /// [`NewValue::source`] rejects.
    pub fn source(&self) -> Result<String, SourceError> {
        self.source_in(&Layout::new())
    }

    /// The source text, formatted, with values in a layout. The colors of the layout are not used.
    ///
    /// # Errors
    /// Same as [`NewBody::source`].
    #[doc(hidden)]
    pub fn source_in(&self, layout: &Layout) -> Result<String, SourceError> {
        let mut text = String::new();
        self.write(0, &layout.with_color(false), &mut text)?;
        let source = Source::new("", text);
        let formatted = format_source(&source).bytes().into_owned();
        let document = parse(formatted);
        if document.has_errors() {
            return Err(SourceError::new(Problem::Text(document.diagnostics().clone())));
        }
        Ok(document.source().text().to_owned())
    }

    fn write(&self, indent: usize, layout: &Layout, out: &mut String) -> Result<(), SourceError> {
        let names = self.items.iter().filter_map(|item| match item {
            Item::Attribute(name, _) => Some(name.as_str()),
            _ => None,
        });
        let width = name_width(names);
        let mut used = HashSet::new();
        // True if the previous item is a block, and true if it is a comment that belongs to this item.
        let (mut after_block, mut after_comment) = (None, false);
        for (index, item) in self.items.iter().enumerate() {
            let next = self.items[index..].iter().find(|item| !matches!(item, Item::Comment(_)));
            let is_block = matches!(next, Some(Item::Block(..)));
            if after_block.is_some_and(|after_block| after_block || is_block) && !after_comment {
                out.push('\n');
            }
            after_comment = matches!(item, Item::Comment(_));
            after_block = Some(matches!(item, Item::Block(..)));
            match item {
                Item::Comment(text) => write_comment(text, indent, out),
                Item::Attribute(name, value) => {
                    if !is_identifier(name) {
                        return Err(SourceError::new(Problem::Name(
                            "the name of an attribute",
                            name.clone(),
                        )));
                    }
                    if !used.insert(name) {
                        return Err(SourceError::new(Problem::Duplicate(name.clone())));
                    }
                    let value: Checked = value.check().map_err(|error| error.within(name))?;
                    pad(indent, out);
                    out.push_str(name);
                    out.push_str(" = ");
                    let column = indent + width + " = ".len();
                    layout.write_item(Node::New(&value), indent, column, out);
                    out.push('\n');
                }
                Item::Block(block_type, labels, body) => {
                    write_head(block_type, labels, indent, out)?;
                    if body.is_empty() {
                        out.push_str("}\n");
                        continue;
                    }
                    out.push('\n');
                    with_room(|| body.write(indent + 2, layout, out)).map_err(|error| {
                        let error = labels.iter().rev().fold(error, SourceError::within);
                        error.within(block_type)
                    })?;
                    pad(indent, out);
                    out.push_str("}\n");
                }
            }
        }
        Ok(())
    }
}

fn pad(indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
}

fn write_comment(text: &str, indent: usize, out: &mut String) {
    for line in text.lines() {
        pad(indent, out);
        // A lone carriage return would be an error.
        let line = line.replace('\r', " ");
        out.push_str(if line.trim().is_empty() { "#" } else { "# " });
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

fn write_head(
    block_type: &str,
    labels: &[String],
    indent: usize,
    out: &mut String,
) -> Result<(), SourceError> {
    if !is_identifier(block_type) {
        return Err(SourceError::new(Problem::Name("the type of a block", block_type.to_owned())));
    }
    pad(indent, out);
    out.push_str(block_type);
    for label in labels {
        let quoted = Value::from(label.as_str()).to_string();
        let means_label = || {
            let document = parse(format!("a {quoted} {{}}\n"));
            let texts = document.body().blocks().next().map(|block| block.label_texts().concat());
            !document.has_errors() && texts.as_deref() == Some(label)
        };
        let is_simple = label.bytes().all(|byte| matches!(byte, b' '..=b'~') && !b"$%\"\\".contains(&byte));
        if !is_simple && !means_label() {
            return Err(SourceError::new(Problem::Label(label.clone())).within(block_type));
        }
        out.push(' ');
        out.push_str(&quoted);
    }
    out.push_str(" {");
    Ok(())
}
