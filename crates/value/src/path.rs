//! Paths into values, and errors with a path.

use std::borrow::Cow;
use std::fmt;

use hclkit_limits::Exceeded;

use crate::display::quoted;
use crate::types::names::is_identifier;
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

/// An error in a value, with the path to the invalid part.
///
/// ```
/// use hclkit_value::{Type, Value};
///
/// let value = Value::object([("ports", Value::tuple([Value::from(1), Value::from("x")]))]);
/// let wanted = Type::object([("ports", Type::list(Type::Number))]);
/// let error = value.convert(&wanted).unwrap_err();
/// assert_eq!(error.to_string(), ".ports[1]: a number is required");
/// ```
///
/// If several parts are invalid, the error is about the first one, and [`Error::all`] returns all.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

/// The maximum number of errors that an error contains.
const MOST: usize = 1_000;

/// Collects the errors of several parts of a value.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Errors(Option<Error>);

impl Errors {
    /// Keeps an error. One about a limit replaces all others, because it ends the work.
    #[cold]
    pub fn push(&mut self, mut error: Error) {
        let is_limit = |error: &Error| matches!(error.kind(), ErrorKind::Limit(_));
        match &mut self.0 {
            Some(first) if is_limit(first) => {}
            Some(first) if !is_limit(&error) => {
                let more = std::mem::take(&mut error.0.others);
                let room = MOST.saturating_sub(first.0.others.len() + 1);
                first.0.others.extend(std::iter::once(error).chain(more).take(room));
            }
            _ => self.0 = Some(error),
        }
    }

    /// Returns true if no more errors are kept, so that other parts need not be read.
    pub fn is_full(&self) -> bool {
        let full =
            |first: &Error| first.0.others.len() + 1 >= MOST || matches!(first.kind(), ErrorKind::Limit(_));
        self.0.as_ref().is_some_and(full)
    }

    /// The result for a part, if there is one. An error is kept.
    pub fn take<T>(&mut self, part: Result<T, Error>) -> Option<T> {
        part.map_err(|error| self.push(error)).ok()
    }

    /// A result that is only valid if there are no errors.
    ///
    /// # Errors
    /// There are errors.
    pub fn finish<T>(self, result: T) -> Result<T, Error> {
        self.0.map_or(Ok(result), Err)
    }
}

/// The kind of an error, for callers that handle some kinds differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The values are invalid.
    #[default]
    Invalid,
    /// A function requires something that the caller did not grant, such as a directory or a clock.
    NotGranted(Capability),
    /// A limit is exceeded.
    Limit(Exceeded),
}

/// What a function requires and only the caller can grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// Reading files.
    Files,
    /// Reading environment variables.
    Environment,
    /// Reading the clock.
    Clock,
    /// Random results.
    Random,
    /// Rendering templates.
    Templates,
    /// Reading secrets.
    Secrets,
    /// A feature of the library that is off.
    Feature,
}

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    /// The message for places where values must not be shown.
    public: Public,
    /// The steps from the part up to the value. Each caller adds its own step on the way out.
    reversed: Vec<Step>,
    /// Errors in other parts. They have no others themselves.
    others: Vec<Error>,
}

#[derive(Clone, PartialEq, Eq)]
enum Public {
    /// The same message, because it contains nothing from any value.
    Message,
    /// Another message.
    Instead(Cow<'static, str>),
}

/// Replaces a message that may contain a sensitive value.
const WITHHELD: &str = "the reason is withheld because it may contain a sensitive value";

impl Error {
    /// Creates an error about the value itself. A message that is an owned `String` may contain parts of values, so
    /// [`Error::redacted`] replaces it. A `&'static str` cannot.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of_kind(ErrorKind::Invalid, message)
    }

    /// Creates an error whose message contains nothing from any value, even if it is an owned `String`.
    #[doc(hidden)]
    pub fn without_values(message: impl Into<Cow<'static, str>>) -> Self {
        let mut error = Self::new(message);
        error.0.public = Public::Message;
        error
    }

    /// Creates an error of a function that requires something that the caller did not grant. The message must contain
    /// nothing from any value.
    #[doc(hidden)]
    pub fn not_granted(capability: Capability, message: impl Into<Cow<'static, str>>) -> Self {
        let mut error = Self::of_kind(ErrorKind::NotGranted(capability), message);
        error.0.public = Public::Message;
        error
    }

    fn of_kind(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        let message = message.into();
        let public = match &message {
            Cow::Borrowed(_) => Public::Message,
            Cow::Owned(_) => Public::Instead(WITHHELD.into()),
        };
        Self(Box::new(Inner { kind, message, public, reversed: Vec::new(), others: Vec::new() }))
    }

    #[doc(hidden)]
    /// Sets the message that [`Error::redacted`] uses instead.
    #[must_use]
    pub fn with_redacted(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.0.public = Public::Instead(message.into());
        self
    }

    #[doc(hidden)]
    /// The error in a form that is safe to show if the values are sensitive: without its path, and without a message that
    /// may contain a part of a value.
    ///
    /// ```
    /// use hclkit_value::Error;
    ///
    /// let key = "hunter2";
    /// let error = Error::new(format!("unknown key {key}")).within(0.into());
    /// assert!(!error.redacted().to_string().contains(key));
    /// assert_eq!(Error::new("a number is required").redacted().to_string(), "a number is required");
    /// ```
    #[must_use]
    pub fn redacted(self) -> Self {
        self.each(&|mut error| {
            error.0.reversed.clear();
            if let Public::Instead(message) = std::mem::replace(&mut error.0.public, Public::Message) {
                error.0.message = message;
            }
            error
        })
    }

    #[doc(hidden)]
    /// Splits off the first step of the path, if there is one. Errors in other parts are dropped.
    pub fn split_first(mut self) -> (Option<Step>, Self) {
        self.0.others.clear();
        (self.0.reversed.pop(), self)
    }

    /// The errors in all invalid parts, at most 1,000, in the order of the parts.
    ///
    /// ```
    /// use hclkit_value::{FromValue, Value};
    ///
    /// let ports = Value::tuple([80, 300, -1].map(Value::from));
    /// let error = Vec::<u8>::from_value(&ports).unwrap_err();
    /// let paths: Vec<String> = error.all().map(|error| error.path().to_string()).collect();
    /// assert_eq!(paths, ["[1]", "[2]"]);
    /// ```
    #[doc(hidden)]
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.0.others)
    }

    fn each(mut self, change: &impl Fn(Self) -> Self) -> Self {
        let others = std::mem::take(&mut self.0.others);
        let mut first = change(self);
        first.0.others = others.into_iter().map(change).collect();
        first
    }

    /// The kind of error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Adds a step at the front of the path, for a value that contains the invalid one.
    #[must_use]
    pub fn within(mut self, step: Step) -> Self {
        for other in &mut self.0.others {
            other.0.reversed.push(step.clone());
        }
        self.0.reversed.push(step);
        self
    }

    /// Adds several steps at the front of the path.
    #[must_use]
    pub fn at(mut self, steps: &[Step]) -> Self {
        for other in &mut self.0.others {
            other.0.reversed.extend(steps.iter().rev().cloned());
        }
        self.0.reversed.extend(steps.iter().rev().cloned());
        self
    }

    /// The message: a clause without a capital letter and a period.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The path to the invalid part.
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

#[doc(hidden)]
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

impl From<Exceeded> for Error {
    fn from(exceeded: Exceeded) -> Self {
        let mut error = Self::of_kind(ErrorKind::Limit(exceeded), exceeded.to_string());
        error.0.public = Public::Message;
        error
    }
}

impl From<crate::BuildError> for Error {
    fn from(error: crate::BuildError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<crate::NumberError> for Error {
    fn from(error: crate::NumberError) -> Self {
        Self::without_values(error.to_string())
    }
}

/// The number as an index: a whole number from zero to the maximum of an `i64`.
pub(crate) fn position(number: &Number) -> Option<usize> {
    usize::try_from(number.to_i64()?).ok()
}
