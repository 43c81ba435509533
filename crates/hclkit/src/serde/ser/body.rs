//! Converts what serde wrote to the text of a body: attributes, and blocks if a type or an attribute requires them.

use hclkit_value::Value;
use hclkit_write::{Layout, NewBody, NewValue, raw};

use super::{Opaque, Serializer, Target, Written, within};
use crate::serde::SerdeError;

/// The text of a file in the native syntax.
#[derive(Clone, Copy, Debug)]
pub struct ToText(Layout);

impl Target for ToText {
    type Made = String;

    fn make(self, written: Opaque) -> Result<String, SerdeError> {
        let body = body(written.0)?;
        body.source_in(&self.0).map_err(|error| SerdeError::invalid(error.to_string()))
    }
}

impl Serializer {
    /// Writes each value on one line.
    pub const fn new() -> Self {
        Self(ToText(Layout::new().with_one_line(true)))
    }

    /// Writes long values with an element on each line, and multi-line text as heredocs.
    pub const fn pretty() -> Self {
        Self(ToText(Layout::new()))
    }
}

impl Default for Serializer {
    fn default() -> Self {
        Self::new()
    }
}

fn body(written: Written) -> Result<NewBody, SerdeError> {
    hclkit_limits::with_room(|| match written {
        Written::Object(entries) => {
            entries.into_iter().try_fold(NewBody::new(), |body, (name, entry)| item(body, name, entry))
        }
        Written::Variant(name, content) => item(NewBody::new(), name.to_owned(), *content),
        Written::None => Ok(NewBody::new()),
        Written::Value(value) if value.is_null() => Ok(NewBody::new()),
        Written::Blocks(_, content) => body(*content),
        _ => Err(SerdeError::invalid("a body must be a struct, a map or an enum with content")),
    })
}

/// Adds an attribute or blocks.
fn item(body: NewBody, name: String, written: Written) -> Result<NewBody, SerdeError> {
    let is_block = |element: &Written| matches!(element, Written::Labeled(..) | Written::Blocks(..));
    match written {
        Written::Blocks(..) | Written::Labeled(..) => blocks(body, &name, 0, &[], written),
        Written::Tuple(elements) if !elements.is_empty() && elements.iter().all(is_block) => {
            blocks(body, &name, 0, &[], Written::Tuple(elements))
        }
        written => {
            let value = value(written).map_err(|error| within(error, &name))?;
            Ok(body.attribute(name, value))
        }
    }
}

/// Adds blocks, whose bodies are below this number of levels of labels.
fn blocks(
    into: NewBody,
    name: &str,
    levels: usize,
    labels: &[String],
    written: Written,
) -> Result<NewBody, SerdeError> {
    let below = |into: NewBody, label: String, content: Written| {
        let labels = [labels, &[label]].concat();
        blocks(into, name, levels - 1, &labels, content)
    };
    match written {
        Written::None => Ok(into),
        Written::Tuple(elements) => {
            elements.into_iter().try_fold(into, |into, element| blocks(into, name, levels, labels, element))
        }
        Written::Blocks(inner, content) => blocks(into, name, levels + inner, labels, *content),
        Written::Labeled(own, content) => {
            let labels = [labels, &own].concat();
            blocks(into, name, levels, &labels, *content)
        }
        Written::Object(entries) if levels > 0 => {
            entries.into_iter().try_fold(into, |into, (label, content)| below(into, label, content))
        }
        Written::Variant(variant, content) if levels > 0 => below(into, variant.to_owned(), *content),
        // A variant without content.
        Written::Value(value) if levels > 0 && value.as_str().is_some() => {
            let label = value.as_str().unwrap_or_default().to_owned();
            below(into, label, Written::Value(Value::NULL))
        }
        content if levels == 0 => {
            let content = body(content).map_err(|error| within(error, name))?;
            Ok(into.with_block(name, labels.iter().cloned(), content))
        }
        _ => Err(within(SerdeError::invalid("blocks with labels must be a map or an enum"), name)),
    }
}

fn value(written: Written) -> Result<NewValue, SerdeError> {
    hclkit_limits::with_room(|| {
        Ok(match written {
            Written::Expression(text) => raw(text),
            Written::Tuple(elements) => {
                let elements = elements.into_iter().map(value).collect::<Result<Vec<_>, _>>()?;
                NewValue::tuple(elements)
            }
            Written::Object(entries) => {
                let entries =
                    entries.into_iter().map(|(name, entry)| Ok((NewValue::from(name), value(entry)?)));
                NewValue::object(entries.collect::<Result<Vec<_>, SerdeError>>()?)
            }
            Written::Variant(name, content) => NewValue::object([(NewValue::from(name), value(*content)?)]),
            Written::Blocks(_, content) => value(*content)?,
            Written::Labeled(labels, content) => {
                let body = value(*content)?;
                labels
                    .into_iter()
                    .rev()
                    .fold(body, |body, label| NewValue::object([(NewValue::from(label), body)]))
            }
            written => written.into_value()?.into(),
        })
    })
}
