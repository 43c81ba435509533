//! Fields for collections whose elements are not read from values: expressions, values with places, and strings that
//! `FromStr` reads.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use hclkit_value::{Error, FromValue, Step, Type, Value};

use super::attribute::{DecodeAttribute, Given, parse_default};
use crate::{Attribute, Diagnostics, Expression};

/// Reads a list of strings with `FromStr`.
///
/// # Errors
/// The value is not a list of strings, or a string is invalid.
pub fn from_str_each<C, T>(given: &Given<'_>) -> Result<C, Diagnostics>
where
    C: FromIterator<T>,
    T: FromStr<Err: fmt::Display>,
{
    given.read(&Type::list(Type::String), parse_each)
}

/// The default of a field that is read by [`from_str_each`].
///
/// # Errors
/// The value is not a list of strings, or a string is invalid.
pub fn parse_each<C, T>(value: &Value) -> Result<C, Error>
where
    C: FromIterator<T>,
    T: FromStr<Err: fmt::Display>,
{
    let texts = Vec::<Value>::from_value(value)?;
    let parse = |(at, text)| parse_default(text).map_err(|error: Error| error.within(Step::from(at)));
    texts.iter().enumerate().map(parse).collect()
}

/// The type of a collection, or the dynamic pseudo-type if its elements can have any type.
pub fn collection_type(collection: fn(Type) -> Type, element: Type) -> Type {
    if element.has_dynamic() { Type::Dynamic } else { collection(element) }
}

/// Reads the elements of a list, each as an attribute of its own.
///
/// # Errors
/// The value is not a list, or an element is invalid. If elements are not evaluated, the list must be written with brackets.
pub fn elements<C, T>(given: &Given<'_>) -> Result<C, Diagnostics>
where
    C: FromIterator<T>,
    T: DecodeAttribute,
{
    let expression = &given.attribute().expression;
    let parts: Vec<Element> = match expression.static_list() {
        Ok(parts) => parts.into_iter().map(Element::from).collect(),
        Err(not_static) if !T::EVALUATES => return Err(not_static),
        Err(_) => {
            let values: Vec<Value> = given.read(&Type::Dynamic, Vec::from_value)?;
            values
                .into_iter()
                .map(|value| Element { expression: expression.clone(), value: Some(value) })
                .collect()
        }
    };
    all(parts.iter().map(|part| part.read(given)))
}

/// Reads the elements of a map or object, each as an attribute of its own.
///
/// # Errors
/// The value is not a map or object, or a key or an element is invalid. If elements are not evaluated, the object must be
/// written with braces.
pub fn entries<C, K, T>(given: &Given<'_>) -> Result<C, Diagnostics>
where
    C: FromIterator<(K, T)>,
    K: DecodeAttribute,
    T: DecodeAttribute,
{
    let expression = &given.attribute().expression;
    let parts: Vec<(Element, Element)> = match expression.static_map() {
        Ok(parts) => parts.into_iter().map(|(key, part)| (key.into(), part.into())).collect(),
        Err(not_static) if !T::EVALUATES => return Err(not_static),
        Err(_) => {
            let part = |value| Element { expression: expression.clone(), value: Some(value) };
            let values = given.read(&Type::Dynamic, BTreeMap::<String, Value>::from_value)?;
            values.into_iter().map(|(key, value)| (part(key.into()), part(value))).collect()
        }
    };
    all(parts.iter().map(|(key, part)| match (key.read(given), part.read(given)) {
        (Ok(key), Ok(part)) => Ok((key, part)),
        (Err(mut errors), Err(others)) => {
            errors.append(others);
            Err(errors)
        }
        (Err(errors), _) | (_, Err(errors)) => Err(errors),
    }))
}

/// An element of the value of an attribute.
struct Element {
    /// Its expression. If the value is computed, this is the expression of the attribute.
    expression: Expression,
    /// Its value, if the value of the attribute is computed.
    value: Option<Value>,
}

impl From<Expression> for Element {
    fn from(expression: Expression) -> Self {
        Self { expression, value: None }
    }
}

impl Element {
    fn read<T: DecodeAttribute>(&self, given: &Given<'_>) -> Result<T, Diagnostics> {
        let attribute = Attribute { expression: self.expression.clone(), ..given.attribute().clone() };
        T::decode_attribute(&given.of_part(&attribute, self.value.clone()))
    }
}

/// All parts, or all errors.
fn all<T, C: FromIterator<T>>(parts: impl Iterator<Item = Result<T, Diagnostics>>) -> Result<C, Diagnostics> {
    let mut errors = Diagnostics::new();
    let read: C = parts.filter_map(|part| part.map_err(|found| errors.append(found)).ok()).collect();
    if errors.has_errors() { Err(errors) } else { Ok(read) }
}
