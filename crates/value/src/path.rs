//! Paths into values.

use std::fmt;

use crate::error::Error;
use crate::types::names::is_identifier;
use crate::written::quoted;
use crate::{Number, Str, Type, Value};

/// One step into a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A step to an attribute of an object.
    Attribute(Str),
    /// A step to an element of a collection or tuple. The key is a number or string, or in a set the element itself.
    Index(Value),
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self::Index(Value::from(index))
    }
}

/// The path from a value to a part of it.
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
    /// The empty path, which leads to the value itself.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a step to an attribute.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<Str>) -> Self {
        self.0.push(Step::Attribute(name.into()));
        self
    }

    /// Adds a step to an element.
    #[must_use]
    pub fn index(mut self, key: impl Into<Value>) -> Self {
        self.0.push(Step::Index(key.into()));
        self
    }

    /// The steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Returns true if the path has no steps.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The part of the value that the path leads to, with the marks of all values on the way. The key of an element in a
    /// set is the element itself. The result is unknown if the set may or may not contain the element, or if a value on the
    /// way is unknown.
    ///
    /// # Errors
    /// The value has no such part, or a value on the way is null or of unknown type.
    #[doc(hidden)]
    pub fn apply(&self, value: &Value) -> Result<Value, Error> {
        let mut current = value.clone();
        for (i, step) in self.0.iter().enumerate() {
            let next = match step {
                _ if current.is_null() => Err(Error::new("a null value has no attributes or elements")),
                Step::Attribute(_) if current.bare().has_type(&Type::Dynamic) => {
                    Err(Error::new("the attributes of the value are unknown"))
                }
                Step::Attribute(name) => current.attribute(name),
                Step::Index(key) => element(&current, key),
            };
            current = next.map_err(|error| error.at(&self.0[..i]))?;
        }
        Ok(current)
    }
}

impl Value {
    /// An error about the value or a part of it, without anything that is marked: steps into marked values are removed, and
    /// so is a message that may contain marked values.
    #[cold]
    pub(crate) fn shown(&self, error: Error) -> Error {
        if self.contains_marked() { error.each(&|error| self.shown_alone(error)) } else { error }
    }

    fn shown_alone(&self, error: Error) -> Error {
        let path = error.path();
        let mut part = self;
        for (depth, step) in path.steps().iter().enumerate() {
            // A marked value has no visible parts.
            match part.children().into_iter().find(|(own, _)| own == step) {
                Some((_, child)) => part = child,
                None => return error.redacted().at(&path.steps()[..depth]),
            }
        }
        if part.contains_marked() { error.redacted().at(path.steps()) } else { error }
    }
}

/// The element with a key, which must have the type that the value's type requires.
fn element(value: &Value, key: &Value) -> Result<Value, Error> {
    let wanted = match &value.bare().ty() {
        Type::Set(element) => return set_element(value, element, key),
        Type::List(_) | Type::Tuple(_) => Type::Number,
        Type::Map(_) => Type::String,
        _ => return Err(Error::new("only a list, set, map or tuple can be indexed")),
    };
    if !key.bare().has_type(&wanted) {
        return Err(Error::new(format!("a {} key is required", wanted.friendly_name())));
    }
    value.index(key)
}

fn set_element(set: &Value, element: &Type, key: &Value) -> Result<Value, Error> {
    let found = match set.bare().has_element(&key.unmark_deep().0)?.bare().as_bool() {
        Some(true) => key.clone(),
        Some(false) => return Err(Error::new("the set does not contain this element")),
        None => Value::unknown(element.clone()).with_marks(&key.marks()),
    };
    Ok(found.with_marks(&set.marks()))
}

impl From<Vec<Step>> for Path {
    fn from(steps: Vec<Step>) -> Self {
        Self(steps)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            match step {
                Step::Attribute(name) if is_identifier(name) => write!(f, ".{name}")?,
                Step::Attribute(name) => write!(f, "[{}]", quoted(name))?,
                Step::Index(key) => match key.bare().as_number() {
                    Some(number) => write!(f, "[{number}]")?,
                    None => write!(f, "[{key}]")?,
                },
            }
        }
        Ok(())
    }
}

/// The number as an index: a whole number from zero to the maximum of an `i64`.
pub(crate) fn position(number: &Number) -> Option<usize> {
    usize::try_from(number.to_i64()?).ok()
}
