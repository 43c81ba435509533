//! The functions that derived implementations of `FromValue` and `IntoValue` call: attributes of objects, and names of
//! variants.

use std::collections::BTreeMap;

use hclkit_syntax::nearest_name;
use hclkit_value::{Error, Errors, FromValue, Function, Step, Type, Typed, Value};

use super::fields::Check;
use super::problems::{joined, read_as};
use crate::messages::typed as messages;
use crate::{AttributeSpec, BlockLabelSpec, Diagnostics, Place, Spec};

/// The text of a string.
///
/// # Errors
/// The value is not a string.
pub fn text(value: &Value) -> Result<String, Error> {
    String::from_value(value)
}

/// The error about a string that is not the name of a variant.
#[cold]
pub fn unknown_name(found: &str, names: &[&str]) -> Error {
    Error::new(messages::expected_names(found, names))
}

/// The error about a block type, a label or an attribute that is not the name of a variant.
#[cold]
pub fn unknown_variant(found: &str, place: &Place, names: &[&str]) -> Diagnostics {
    messages::unknown_variant(found, names).at(place).into()
}

/// The spec of a body that has one of several forms, which the first label chooses.
pub fn any_of<const N: usize>(label: &'static str, labels: &[&'static str], specs: [Spec; N]) -> Spec {
    let mut all = united(specs);
    // The labels of the variants follow the one that chooses the variant.
    for (index, name) in labels.iter().enumerate() {
        let key = if index == 0 { label } else { name };
        let mut spec = BlockLabelSpec::new(index, *name);
        spec.optional = index > 0 && matches!(all.get(key), Some(Spec::BlockLabel(own)) if own.optional);
        all.insert(key.to_owned(), spec.into());
    }
    Spec::object(all)
}

/// The spec of a body that has one of several forms, which an attribute chooses.
pub fn any_of_tagged<const N: usize>(tag: &'static str, specs: [Spec; N]) -> Spec {
    let mut all = united(specs);
    all.insert(tag.to_owned(), AttributeSpec::new(tag, Type::String).with_required().into());
    Spec::object(all)
}

/// The attributes of all specs, none of them required.
fn united<const N: usize>(specs: [Spec; N]) -> BTreeMap<String, Spec> {
    let mut all: BTreeMap<String, Spec> = BTreeMap::new();
    for (name, spec) in specs.into_iter().flat_map(super::flattened_optional) {
        match all.get_mut(name.as_str()) {
            // Attributes with the same name and different types can have any type.
            Some(Spec::Attribute(first)) => {
                if let Spec::Attribute(second) = &spec
                    && first.ty != second.ty
                {
                    first.ty = Type::Dynamic;
                }
            }
            Some(_) => {}
            None => {
                all.insert(name.to_string(), spec);
            }
        }
    }
    all
}

/// The type of an object with these attributes: name, type, whether it is optional.
pub fn object_type(attributes: &[(&'static str, Type, bool)]) -> Type {
    let types = attributes.iter().map(|(name, ty, _)| (*name, ty.clone()));
    let optional = attributes.iter().filter(|(_, _, optional)| *optional).map(|(name, ..)| *name);
    Type::object_with_optional(types, optional)
}

/// Whether a string has a match of a regular expression. `find` is the function that returns all matches.
///
/// # Errors
/// The expression is invalid.
pub fn has_match(pattern: &str, find: &Function, text: &Value) -> Result<bool, Error> {
    let found = find.call(&[Value::from(pattern), text.clone()])?;
    Ok(!found.as_slice().unwrap_or_default().is_empty())
}

/// A part of a value without errors.
///
/// # Errors
/// There is none, which was reported before.
pub fn valid<T>(part: Option<T>) -> Result<T, Error> {
    part.ok_or_else(|| Error::new("the value is invalid"))
}

/// Rejects values that are not objects, and keeps the errors about unknown attributes.
///
/// # Errors
/// The value is not an object or map.
pub fn check_object(value: &Value, known: &[&str], errors: &mut Errors) -> Result<(), Error> {
    let Some(entries) = value.entries() else {
        // The description of what was found.
        BTreeMap::<String, Value>::from_value(value)?;
        return Ok(());
    };
    for (name, _) in entries {
        if !known.contains(&name.as_str()) {
            let near = nearest_name(name, known.iter().copied());
            let error = Error::new(messages::unexpected_attribute(name, near));
            errors.push(error.within(Step::Attribute(name.clone())));
        }
    }
    Ok(())
}

/// Reads an attribute of an object by one of its names. It is `None` if it is missing or null.
///
/// # Errors
/// The attribute is invalid, or set by two names.
pub fn part<T>(
    object: &Value,
    names: &[&str],
    read: &dyn Fn(&Value) -> Result<T, Error>,
    checks: &[Check<'_, T>],
) -> Result<Option<T>, Error> {
    let mut found: Option<(&str, Value)> = None;
    for name in names {
        let set = object.entries().into_iter().flatten().find(|(key, _)| key.as_str() == *name);
        let Some((_, value)) = set.filter(|(_, value)| !value.is_null()) else { continue };
        if let Some((first, _)) = found {
            let error = Error::new(messages::same_attribute(first, name));
            return Err(error.within(Step::Attribute((*name).into())));
        }
        found = Some((name, value.clone()));
    }
    let Some((name, value)) = found else { return Ok(None) };
    let within = |error: Error| error.within(Step::Attribute(name.into()));
    let part = read(&value).map_err(within)?;
    for check in checks {
        check(&part).map_err(|message| within(Error::new(message)))?;
    }
    Ok(Some(part))
}

/// Converts a value to a type and reads it.
///
/// # Errors
/// The value does not match the type.
pub fn read_part<T: FromValue>(value: &Value) -> Result<T, Error> {
    read_as(value, &T::value_type(), T::from_value).map_err(joined)
}

/// The value of a missing attribute.
///
/// # Errors
/// The attribute is required.
pub fn missing_part<T: FromValue>(name: &'static str) -> Result<T, Error> {
    if T::is_nullable() { T::from_value(&Value::NULL) } else { Err(is_required(name)) }
}

/// The error about a missing attribute.
#[cold]
pub fn is_required(name: &'static str) -> Error {
    Error::without_values(messages::required_attribute(name))
}

/// Reads an object without one of its attributes.
///
/// # Errors
/// The rest does not match the type.
pub fn read_rest<T: FromValue>(value: &Value, without: &str) -> Result<T, Error> {
    read_part(&self::without(value, without))
}

/// An object without one of its attributes.
pub fn without(value: &Value, name: &str) -> Value {
    let rest = value.entries().into_iter().flatten().filter(|(own, _)| own.as_str() != name);
    Value::object(rest.map(|(name, part)| (name.clone(), part.clone())))
}

/// An object, with the name of a variant as another attribute.
///
/// # Errors
/// The value is not an object.
pub fn tagged(value: &Value, tag: &'static str, name: &'static str) -> Result<Value, Error> {
    let parts = BTreeMap::<String, Value>::from_value(value)?;
    Ok(Value::object(parts.into_iter().chain([(tag.to_owned(), Value::from(name))])))
}

/// An object without attributes: the content of a variant that has none.
#[derive(Clone, Copy, Debug)]
pub struct NoAttributes;

impl Typed for NoAttributes {}

impl FromValue for NoAttributes {
    fn from_value(value: &Value) -> Result<Self, Error> {
        let mut errors = Errors::default();
        check_object(value, &[], &mut errors)?;
        errors.finish(Self)
    }
}
