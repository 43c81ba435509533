//! Fields that can be written in two ways: as blocks or as an attribute, as one value or as a list.

use hclkit_syntax::json::JsonValue;
use hclkit_value::{Error, FromValue, Typed, Value};

use super::attribute::Given;
use super::blocks::{Count, DecodeBlocks};
use super::fields::{Field, Fields};
use super::problems::{Problems, joined, read_as};
use crate::messages::{self, typed as texts};
use crate::{Diagnostics, Spec};

/// The spec of blocks that can also be written as an attribute.
pub fn either_spec(blocks: Spec, attribute: Spec) -> Spec {
    blocks.or(attribute)
}

/// Reads an attribute whose value is a collection, or one element of it.
///
/// # Errors
/// The value is neither of them.
pub fn one_or_many<C: FromValue>(given: &Given<'_>) -> Result<C, Diagnostics> {
    let value = given.value()?;
    if is_many(&value) {
        return given.read_value(&value, &C::value_type(), C::from_value);
    }
    let read = read_as(&Value::tuple([value]), &C::value_type(), C::from_value);
    let of_elements = |problems: Problems| -> Problems {
        problems.into_iter().map(|(message, error)| (message, of_element(error))).collect()
    };
    read.map_err(|problems| given.problems(&of_elements(problems)))
}

/// Reads a value that is a collection, or one element of it.
///
/// # Errors
/// The value is neither of them.
pub fn read_one_or_many<C: FromValue>(value: &Value) -> Result<C, Error> {
    let ty = <C as Typed>::value_type();
    if is_many(value) {
        return read_as(value, &ty, C::from_value).map_err(joined);
    }
    let read = read_as(&Value::tuple([value.clone()]), &ty, C::from_value);
    read.map_err(|problems| {
        joined(problems.into_iter().map(|(message, error)| (message, of_element(error))).collect())
    })
}

fn is_many(value: &Value) -> bool {
    value.is_null() || value.as_slice().is_some()
}

/// An error about the only element, without the step to it.
#[cold]
fn of_element(error: Error) -> Error {
    error.split_first().1
}

impl Fields<'_> {
    /// Blocks, or an attribute of the same name. The result is `None` if an error was reported.
    pub fn either<T: DecodeBlocks>(
        &mut self,
        name: &'static str,
        count: Count,
        field: &Field<'_, T>,
    ) -> Option<T> {
        let Some(attribute) = self.attributes.get(name) else {
            return T::decode_blocks(self, name, count);
        };
        if attribute.json().is_some_and(is_blocks) {
            // The schema has the name as an attribute, too, which takes precedence in the JSON syntax.
            let schema = T::spec(name, count, None).implied_schema();
            let (content, _) = self.body().partial_content_into(&schema, &mut self.diagnostics);
            return self.with_content(content, |fields| T::decode_blocks(fields, name, count));
        }
        if let Some(first) = self.blocks.indices(|block_type| block_type == name).next() {
            let block = self.blocks.get(first);
            let message = texts::argument_and_block(name);
            let diagnostic = message.in_source(block.source(), block.definition_span());
            let (source, first) = (attribute.source(), attribute.name_span());
            self.diagnostics.push(diagnostic.with_related(source, first, messages::related::FIRST_SET));
            return None;
        }
        match self.optional(field)? {
            Some(value) => Some(value),
            None => T::decode_blocks(self, name, count),
        }
    }
}

/// Returns true if a value in the JSON syntax can be blocks, and not only an attribute.
fn is_blocks(value: JsonValue) -> bool {
    value.is_object() || (value.is_array() && value.elements().all(JsonValue::is_object))
}
