//! Paths into values, and errors that carry one.

use std::fmt;

use crate::types::names::is_identifier;
use crate::{Number, Str, Type, Value};

/// One step into a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Into an attribute of an object.
    Attribute(Str),
    /// Into an element of a collection or tuple: a number or a string, or of a set the element itself.
    Index(Value),
}

impl From<usize> for Step {
    fn from(index: usize) -> Step {
        Step::Index(Value::from(index))
    }
}

/// The way from a value to a part of it.
///
/// ```
/// use hclkit_value::{Path, Value};
///
/// let path = Path::new().attribute("ports").index(2);
/// assert_eq!(path.to_string(), ".ports[2]");
/// let value = Value::object([("ports", Value::tuple([1, 2, 3].map(Value::from)))]);
/// assert_eq!(path.apply(&value).unwrap(), Value::from(3));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Path(Vec<Step>);

impl Path {
    /// The path that leads nowhere else.
    pub fn new() -> Path {
        Path::default()
    }

    /// With a step into an attribute.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<Str>) -> Path {
        self.0.push(Step::Attribute(name.into()));
        self
    }

    /// With a step into an element.
    #[must_use]
    pub fn index(mut self, key: impl Into<Value>) -> Path {
        self.0.push(Step::Index(key.into()));
        self
    }

    /// The steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The part of the value that the path leads to, with the marks of all that it goes through. A set has its
    /// elements under themselves; what may be among them, or lies in what is not known yet, is unknown.
    ///
    /// # Errors
    /// A step that the value does not have: one into null, or into a value whose type is not known, too.
    pub fn apply(&self, value: &Value) -> Result<Value, Error> {
        let mut current = value.clone();
        for (i, step) in self.0.iter().enumerate() {
            let next = match step {
                _ if current.is_null() => Err(Error::new("a null value has no parts")),
                Step::Attribute(_) if current.bare().has_type(&Type::Dynamic) => {
                    Err(Error::new("the value's attributes are not known yet"))
                }
                Step::Attribute(name) => current.attribute(name),
                Step::Index(key) => element(&current, key),
            };
            current = next.map_err(|error| error.at(&self.0[..i]))?;
        }
        Ok(current)
    }
}

/// The element under a key of the type that the value's type asks for.
fn element(value: &Value, key: &Value) -> Result<Value, Error> {
    let wanted = match &value.bare().ty() {
        Type::Set(element) => return set_element(value, element, key),
        Type::List(_) | Type::Tuple(_) => Type::Number,
        Type::Map(_) => Type::String,
        _ => return Err(Error::new("only a list, set, map or tuple has elements under keys")),
    };
    if !key.bare().has_type(&wanted) {
        return Err(Error::new(format!("a {} is required as key", wanted.friendly_name())));
    }
    value.index(key)
}

fn set_element(set: &Value, element: &Type, key: &Value) -> Result<Value, Error> {
    let found = match set.bare().has_element(&key.unmark_deep().0)?.bare().as_bool() {
        Some(true) => key.clone(),
        Some(false) => return Err(Error::new("the set does not have this element")),
        None => Value::unknown(element.clone()).with_marks(&key.marks()),
    };
    Ok(found.with_marks(&set.marks()))
}

impl From<Vec<Step>> for Path {
    fn from(steps: Vec<Step>) -> Path {
        Path(steps)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            match step {
                Step::Attribute(name) if is_identifier(name) => write!(f, ".{name}")?,
                Step::Attribute(name) => write!(f, "[{:?}]", name.as_str())?,
                Step::Index(key) => match key.bare().as_number() {
                    Some(number) => write!(f, "[{number}]")?,
                    None => write!(f, "[{key}]")?,
                },
            }
        }
        Ok(())
    }
}

/// What went wrong, and in which part of a value.
///
/// ```
/// use hclkit_value::{Type, Value};
///
/// let value = Value::object([("ports", Value::tuple([Value::from(1), Value::from("x")]))]);
/// let wanted = Type::object([("ports", Type::list(Type::Number))]);
/// let error = value.convert(&wanted).unwrap_err();
/// assert_eq!(error.to_string(), ".ports[1]: a number is required");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

/// What kind of error it is, for callers that treat some of them in their own way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The values are not what is required.
    #[default]
    Invalid,
    /// A function needs something that the caller did not grant, such as a folder or a clock.
    NotGranted,
}

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    /// The steps from the part up to the value: each caller adds its own on the way out.
    reversed: Vec<Step>,
}

impl Error {
    /// An error about the value itself.
    pub fn new(message: impl Into<String>) -> Error {
        Error::of_kind(ErrorKind::Invalid, message)
    }

    /// An error of a function that needs what the caller did not grant.
    pub fn not_granted(message: impl Into<String>) -> Error {
        Error::of_kind(ErrorKind::NotGranted, message)
    }

    fn of_kind(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error(Box::new(Inner { kind, message: message.into(), reversed: Vec::new() }))
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The same error, seen from a value that has the erroneous one as this part.
    #[must_use]
    pub fn within(mut self, step: Step) -> Error {
        self.0.reversed.push(step);
        self
    }

    /// The same error under all these steps.
    #[must_use]
    pub fn at(mut self, steps: &[Step]) -> Error {
        self.0.reversed.extend(steps.iter().rev().cloned());
        self
    }

    /// What went wrong, as a sentence without its end.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where.
    pub fn path(&self) -> Path {
        Path(self.0.reversed.iter().rev().cloned().collect())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.reversed.is_empty() {
            return f.write_str(&self.0.message);
        }
        write!(f, "{}: {}", self.path(), self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

impl From<crate::BuildError> for Error {
    fn from(error: crate::BuildError) -> Error {
        Error::new(error.to_string())
    }
}

impl From<crate::NumberError> for Error {
    fn from(error: crate::NumberError) -> Error {
        Error::new(error.to_string())
    }
}

/// The place that a number means in a sequence: a whole number that is not negative, nor above what 63 bits hold.
pub(crate) fn position(number: &Number) -> Option<usize> {
    usize::try_from(number.to_i64()?).ok()
}
