//! Reading a value as a Rust type, with the errors of all of its parts: of the conversion to the type, and of reading the
//! parts that can be converted.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use hclkit_syntax::nearest_name;
use hclkit_value::{Error, Errors, Path, Step, Str, Type, Value};

use crate::messages::{Message, typed as messages};

/// A message about the value of an argument, by the name of the argument.
pub(super) type AboutValue = fn(&str, &Error) -> Message;

/// Errors about parts of a value, each with its message.
pub(super) type Problems = Vec<(AboutValue, Error)>;

/// All problems as one error.
#[cold]
pub(super) fn joined(problems: Problems) -> Error {
    let mut errors = Errors::default();
    for (_, error) in problems {
        errors.push(error);
    }
    errors.finish(()).err().unwrap_or_else(|| Error::new(""))
}

/// Converts a value to a type and reads it.
///
/// # Errors
/// The errors of all parts.
pub(super) fn read_as<T>(
    value: &Value,
    ty: &Type,
    read: impl FnOnce(&Value) -> Result<T, Error>,
) -> Result<T, Problems> {
    if *ty == Type::Dynamic || value.has_type(ty) {
        return read(value).map_err(|error| each(messages::rejected_argument, &error));
    }
    let mut unexpected_attributes = Vec::new();
    if names_attributes(ty) {
        unexpected(value, ty, &mut Vec::new(), &mut unexpected_attributes);
    }
    match value.convert(ty) {
        Ok(converted) if unexpected_attributes.is_empty() => {
            read(&converted).map_err(|error| each(messages::rejected_argument, &error))
        }
        converted => {
            Err(all_problems(value, ty, unexpected_attributes, converted, |value| read(value).err()))
        }
    }
}

#[cold]
pub(super) fn each(message: AboutValue, error: &Error) -> Problems {
    error.all().map(|error| (message, error.clone())).collect()
}

/// The problems of a value of which at least one is known. Parts that are not invalid are read, too.
/// The problems of a value of which at least one is known. Parts that are not invalid are read, too.
#[cold]
fn all_problems(
    value: &Value,
    ty: &Type,
    unexpected: Vec<Error>,
    converted: Result<Value, Error>,
    read: impl FnOnce(&Value) -> Option<Error>,
) -> Problems {
    let (mut problems, mut invalid) = (Problems::new(), Invalid::default());
    invalid.add(messages::unconvertible_argument, unexpected, &mut problems);
    let converted = match converted {
        Ok(converted) => Some(converted),
        Err(error) => {
            invalid.add(messages::unconvertible_argument, error.all().cloned(), &mut problems);
            invalid.replaced_in(value).and_then(|rest| rest.convert(ty).ok())
        }
    };
    if let Some(error) = converted.and_then(|converted| read(&converted)) {
        invalid.add(messages::rejected_argument, error.all().cloned(), &mut problems);
    }
    problems
}

/// The invalid parts of a value, as hashes of their paths.
#[derive(Default)]
struct Invalid {
    parts: HashSet<u64>,
    /// These parts, and all values around them.
    around: HashSet<u64>,
}

impl Invalid {
    /// Adds the errors that are not about an invalid part, or what contains one: those are consequences.
    fn add(&mut self, message: AboutValue, errors: impl IntoIterator<Item = Error>, problems: &mut Problems) {
        let errors: Vec<Error> = errors.into_iter().collect();
        let new: Problems =
            errors.iter().filter(|error| self.is_new(error)).map(|error| (message, error.clone())).collect();
        for error in &errors {
            let path = error.path();
            self.parts.extend(hashes(path.steps()).last());
            self.around.extend(hashes(path.steps()));
        }
        problems.extend(new);
    }

    fn is_new(&self, error: &Error) -> bool {
        let path = error.path();
        // The key of an element of a set is the element, which may be an unknown one that replaces an invalid one.
        let is_unknown = |step: &Step| matches!(step, Step::Index(key) if !key.is_wholly_known());
        if path.steps().iter().any(is_unknown) {
            return false;
        }
        let whole = hashes(path.steps()).last();
        !whole.is_some_and(|whole| self.around.contains(&whole))
            && !hashes(path.steps()).any(|part| self.parts.contains(&part))
    }

    /// The value with unknown parts instead of the invalid ones.
    fn replaced_in(&self, value: &Value) -> Option<Value> {
        let mut change = |path: &[Step], part: Value| {
            let is_invalid = hashes(path).last().is_some_and(|whole| self.parts.contains(&whole));
            Ok::<_, Error>(if is_invalid { Value::DYNAMIC } else { part })
        };
        value.transform(&mut change).ok()
    }
}

/// The hashes of a path and of the paths to all values around it, outermost first. Attributes are keys, because conversion
/// changes objects to maps.
fn hashes(path: &[Step]) -> impl Iterator<Item = u64> {
    let mut hasher = DefaultHasher::new();
    let whole = hasher.finish();
    let parts = path.iter().map(move |step| {
        match step {
            Step::Attribute(name) => name.as_str().hash(&mut hasher),
            Step::Index(key) => match key.as_str() {
                Some(text) => text.hash(&mut hasher),
                None => key.hash(&mut hasher),
            },
        }
        hasher.finish()
    });
    std::iter::once(whole).chain(parts)
}

/// Returns true if an object is part of a type.
fn names_attributes(ty: &Type) -> bool {
    match ty {
        Type::Object(_) => true,
        Type::List(element) | Type::Set(element) | Type::Map(element) => names_attributes(element),
        Type::Tuple(tuple) => tuple.elements().iter().any(names_attributes),
        _ => false,
    }
}

/// Conversion drops the attributes of an object that its type does not name. In a configuration, they are mistakes.
fn unexpected(value: &Value, ty: &Type, path: &mut Vec<Step>, found: &mut Vec<Error>) {
    let mut part = |step: Step, part: &Value, ty: &Type| {
        path.push(step);
        unexpected(part, ty, path, found);
        path.pop();
    };
    match ty {
        Type::Object(object) if value.as_object().is_some() || value.as_map().is_some() => {
            let mut extras = Vec::new();
            for (name, attribute) in value.entries().into_iter().flatten() {
                match object.get(name) {
                    Some(expected) => part(Step::Attribute(name.clone()), attribute, expected),
                    None => extras.push(extra(name, object.names())),
                }
            }
            found.extend(extras.into_iter().map(|error| error.at(path)));
        }
        Type::Map(element) => {
            for (name, attribute) in value.entries().into_iter().flatten() {
                part(Step::Attribute(name.clone()), attribute, element);
            }
        }
        Type::List(element) | Type::Set(element) => {
            for (at, item) in value.as_slice().into_iter().flatten().enumerate() {
                part(Step::from(at), item, element);
            }
        }
        Type::Tuple(tuple) => {
            let items = value.as_slice().into_iter().flatten().zip(tuple.elements());
            items.enumerate().for_each(|(at, (item, ty))| part(Step::from(at), item, ty));
        }
        _ => {}
    }
}

#[cold]
fn extra(name: &Str, known: &[Str]) -> Error {
    let near = nearest_name(name, known.iter().map(Str::as_str));
    Error::new(messages::unexpected_attribute(name, near)).at(Path::new().attribute(name.clone()).steps())
}
