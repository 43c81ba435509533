//! The error of reading and writing with serde: the message, the path in the Rust value, and the place in the source.

use std::fmt::{self, Write as _};

use hclkit_model::typed::unknown_name;
use hclkit_syntax::{Code, Diagnostic, Diagnostics, Place, did_you_mean, nearest_name};
use hclkit_value::{Path, Step};
use serde_core::{de, ser};

/// Why a value could not be read or written.
///
/// `Display` writes one line for each problem. [`SerdeError::diagnostics`] returns diagnostics, which
/// [`Renderer`](crate::render::Renderer) shows with the lines of the source; `?` converts to them.
///
/// ```
/// use hclkit::render::Renderer;
/// use std::collections::BTreeMap;
///
/// let error = hclkit::serde::from_str::<BTreeMap<String, Vec<u16>>>("ports = [80, 70000]\n").unwrap_err();
/// assert_eq!(error.path().to_string(), ".ports[1]");
/// assert_eq!(
///     Renderer::plain().diagnostics(&error.diagnostics()),
///     "\
/// error[invalid-value]: Invalid value
///  --> <text>:1:14
///   |
/// 1 | ports = [80, 70000]
///   |              ^^^^^
///   |
///   = note: Invalid value for `ports[1]`: expected a whole number from 0 to 65535, found 70000."
/// );
/// ```
#[derive(Clone)]
pub struct SerdeError(Box<Inner>);

#[derive(Clone)]
struct Inner {
    problem: Problem,
    place: Option<Place>,
    /// The innermost step first.
    reversed: Vec<Step>,
}

#[derive(Clone)]
pub(super) enum Problem {
    /// A clause without a capital letter and a period: the value is invalid.
    Invalid(String),
    /// A name in a struct that has no field for it, and the names of the fields.
    UnknownField(String, &'static [&'static str]),
    /// A field of a struct that is not set.
    Missing(&'static str),
    /// The block has labels, and this field of the struct is not set.
    MissingInLabels(&'static str),
    /// A sentence about the part at the place.
    Other(Code, String),
    /// The diagnostics of parsing or evaluation.
    Found(Diagnostics),
}

/// How labels are read.
const READ_LABELS: &str = "To read labels, use a map or `hclkit::serde::Labeled`.";

impl SerdeError {
    #[cold]
    pub(super) fn new(problem: Problem) -> Self {
        Self(Box::new(Inner { problem, place: None, reversed: Vec::new() }))
    }

    /// The error about a value. The message is a clause.
    #[cold]
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Problem::Invalid(message.into()))
    }

    #[cold]
    pub(super) fn other(code: Code, note: impl Into<String>) -> Self {
        Self::new(Problem::Other(code, note.into()))
    }

    /// The path to the part of the Rust value: fields, keys and indices. A label of a block is a key.
    pub fn path(&self) -> Path {
        self.0.reversed.iter().rev().cloned().collect::<Vec<_>>().into()
    }

    /// The place in the source, if the problem has one.
    pub fn place(&self) -> Option<Place> {
        match &self.0.problem {
            Problem::Found(found) => found.first().and_then(Diagnostic::place),
            _ => self.0.place.clone(),
        }
    }

    /// The problem as diagnostics: several if the source has syntax errors, otherwise one.
    pub fn diagnostics(&self) -> Diagnostics {
        let (code, note) = match &self.0.problem {
            Problem::Found(found) => return found.clone(),
            Problem::Invalid(message) => (Code::InvalidValue, self.invalid_note(message)),
            Problem::UnknownField(name, fields) => {
                let hint = did_you_mean(nearest_name(name, fields.iter().copied()));
                let note = format!("An argument named `{name}` is not expected here.{hint}");
                (Code::UnsupportedArgument, note)
            }
            Problem::Missing(name) => {
                (Code::MissingAttribute, format!("The argument `{name}` is required, but it is not set."))
            }
            Problem::MissingInLabels(name) => {
                let note = format!(
                    "The argument `{name}` is required, but it is not set. The block has labels. {READ_LABELS}"
                );
                (Code::MissingAttribute, note)
            }
            Problem::Other(code, note) => (*code, note.clone()),
        };
        let diagnostic = Diagnostic::error(code).with_note(note);
        let Some(place) = &self.0.place else { return diagnostic.into() };
        let diagnostic = diagnostic.at(place);
        match self.near_name(place.text()) {
            Some((near, text)) => diagnostic.with_edit(format!("Write `{near}`"), place.span, text).into(),
            None => diagnostic.into(),
        }
    }

    /// The name of the field that is closest to an unknown name, in the spelling that replaces this text.
    fn near_name(&self, text: &str) -> Option<(&'static str, String)> {
        let Problem::UnknownField(name, fields) = &self.0.problem else { return None };
        let near = nearest_name(name, fields.iter().copied())?;
        if text == name {
            return Some((near, near.to_owned()));
        }
        (text.strip_prefix('"')?.strip_suffix('"')? == name).then(|| (near, format!("\"{near}\"")))
    }

    fn invalid_note(&self, message: &str) -> String {
        let path = self.path().to_string();
        let mut note = match path.strip_prefix('.').unwrap_or(&path) {
            "" => {
                let mut characters = message.chars();
                let first = characters.next().map(|first| first.to_ascii_uppercase());
                first.into_iter().chain(characters).collect()
            }
            path => format!("Invalid value for `{path}`: {message}"),
        };
        if !note.ends_with(['.', '?', '!']) {
            note.push('.');
        }
        note
    }

    /// Adds a step at the front of the path.
    #[cold]
    pub(super) fn within(mut self, step: Step) -> Self {
        self.0.reversed.push(step);
        self
    }

    pub(super) fn has_place(&self) -> bool {
        self.0.place.is_some() || matches!(self.0.problem, Problem::Found(_))
    }

    pub(super) fn is_missing(&self) -> bool {
        matches!(self.0.problem, Problem::Missing(_) | Problem::MissingInLabels(_))
    }

    pub(super) fn is_duplicate(&self) -> bool {
        matches!(self.0.problem, Problem::Other(Code::DuplicateAttribute, _))
    }

    /// An error about a block whose labels were read as keys.
    pub(super) fn in_labels(mut self) -> Self {
        if self.0.reversed.is_empty() {
            match self.0.problem {
                Problem::Missing(name) => self.0.problem = Problem::MissingInLabels(name),
                Problem::UnknownField(..) => {
                    let note = format!("No label is expected here. {READ_LABELS}");
                    self.0.problem = Problem::Other(Code::ExtraLabel, note);
                }
                _ => {}
            }
        }
        self
    }

    /// Sets the place, unless it is known.
    #[cold]
    pub(super) fn at(mut self, place: Option<Place>) -> Self {
        if !self.has_place() {
            self.0.place = place;
        }
        self
    }
}

impl From<SerdeError> for Diagnostics {
    fn from(error: SerdeError) -> Self {
        match error.0.problem {
            Problem::Found(found) => found,
            _ => error.diagnostics(),
        }
    }
}

impl From<Diagnostics> for SerdeError {
    fn from(found: Diagnostics) -> Self {
        Self::new(Problem::Found(found))
    }
}

impl From<hclkit_value::Error> for SerdeError {
    fn from(error: hclkit_value::Error) -> Self {
        error
            .path()
            .steps()
            .iter()
            .rev()
            .fold(Self::invalid(error.message()), |whole, step| whole.within(step.clone()))
    }
}

impl fmt::Display for SerdeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostics().fmt(f)
    }
}

#[doc(hidden)]
impl fmt::Debug for SerdeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for SerdeError {}

impl ser::Error for SerdeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::invalid(message.to_string())
    }
}

/// Translates serde's description of what was found to HCL's terms.
fn found(unexpected: &de::Unexpected<'_>) -> String {
    use de::Unexpected as U;
    match unexpected {
        U::Bool(_) => "a bool".to_owned(),
        U::Unsigned(number) => format!("the number {number}"),
        U::Signed(number) => format!("the number {number}"),
        U::Float(number) => format!("the number {number}"),
        U::Char(_) | U::Str(_) | U::Bytes(_) => "a string".to_owned(),
        U::Unit | U::Option => "null".to_owned(),
        U::Seq => "a list".to_owned(),
        U::Map | U::NewtypeStruct | U::Enum => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// Translates serde's description of what was expected to HCL's terms.
fn expected(expected: &dyn de::Expected) -> String {
    let text = expected.to_string();
    match text.as_str() {
        "a boolean" => "a bool".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "unit" => "null".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => {
            "a whole number".to_owned()
        }
        "f32" | "f64" => "a number".to_owned(),
        _ => match text.split_once(' ') {
            Some(("struct", name)) => format!("an object ({name})"),
            Some(("tuple", _)) => format!("a list ({text})"),
            Some(("enum", name)) => format!("a variant of {name}"),
            _ => text,
        },
    }
}

impl de::Error for SerdeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::invalid(message.to_string())
    }

    fn invalid_type(unexpected: de::Unexpected<'_>, expectation: &dyn de::Expected) -> Self {
        Self::invalid(format!("expected {}, found {}", expected(expectation), found(&unexpected)))
    }

    fn invalid_value(unexpected: de::Unexpected<'_>, expectation: &dyn de::Expected) -> Self {
        let found = match unexpected {
            de::Unexpected::Str(text) => {
                let mut shown = String::new();
                let _ = write!(shown, "{text:?}");
                shown
            }
            other => found(&other),
        };
        Self::invalid(format!("expected {}, found {found}", expected(expectation)))
    }

    fn invalid_length(length: usize, expectation: &dyn de::Expected) -> Self {
        let found = if length == 1 { "1 element".to_owned() } else { format!("{length} elements") };
        Self::invalid(format!("expected {}, found {found}", expected(expectation)))
    }

    fn unknown_variant(variant: &str, variants: &'static [&'static str]) -> Self {
        Self::invalid(unknown_name(variant, variants).message())
    }

    fn unknown_field(field: &str, fields: &'static [&'static str]) -> Self {
        Self::new(Problem::UnknownField(field.to_owned(), fields))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Problem::Missing(field))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::other(Code::DuplicateAttribute, format!("The argument `{field}` is set twice."))
    }
}
