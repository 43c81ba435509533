//! Errors in values, with the path to the invalid part.

use std::borrow::Cow;
use std::fmt;

use hclkit_limits::Exceeded;

use crate::Type;
use crate::path::{Path, Step};

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
    /// A value that is not of a type, if there is nothing more specific to say.
    pub(crate) fn required(to: &Type) -> Self {
        let name = to.required_name();
        let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        match to {
            Type::Dynamic => Self::new("any type is required"),
            _ => Self::without_values(format!("{article} {name} is required")),
        }
    }

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

    pub(crate) fn each(mut self, change: &impl Fn(Self) -> Self) -> Self {
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
        Path::from(self.0.reversed.iter().rev().cloned().collect::<Vec<_>>())
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
