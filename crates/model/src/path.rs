//! The path language, which selects parts of documents and of modules. `docs/paths.md` has the grammar. What the steps
//! mean is up to the crates that select. `path/parse.rs` parses paths, and `path/predicate.rs` evaluates predicates.

mod parse;
mod predicate;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::Expression;

pub use predicate::{is_true, with_variables};

/// A parsed path: a list of steps.
///
/// ```
/// use hclkit_model::path::{Path, Position, Step};
///
/// let path: Path = "resource.aws_*~.ports[-1]".parse()?;
/// let [Step::Name(first), Step::Name(second), Step::Labels, Step::Name(_), Step::Index(position)] = path.steps() else {
///     panic!()
/// };
/// assert_eq!(first.as_literal(), Some("resource"));
/// assert!(second.matches("aws_instance") && !second.matches("google_instance"));
/// assert_eq!(position.of(3), 2..3);
/// # Ok::<(), hclkit_model::path::PathError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Path {
    text: String,
    steps: Vec<Step>,
    /// The offset of each step in the text.
    starts: Vec<usize>,
}

/// A step of a path.
#[derive(Debug, Clone)]
pub enum Step {
    /// `.name` or `["name"]`: attributes, block types, labels and object items.
    Name(NamePattern),
    /// `..`: everything below, at any depth.
    Deep,
    /// `~`: the remaining labels.
    Labels,
    /// `[0]`: an element, or a block among those with the same type and labels.
    Index(Position),
    /// `(0)`: an argument of a call.
    Argument(Position),
    /// `{0}`: a part of a template.
    Part(Position),
    /// `[expression]`: only matches for which it is true.
    Predicate(Expression),
}

/// Which of several parts a step selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// All parts.
    Every,
    /// Counted from 0; negative numbers count from the end.
    At(i64),
}

impl Position {
    /// Returns the selected indexes of `count` parts.
    pub fn of(self, count: usize) -> Range<usize> {
        match self {
            Self::Every => 0..count,
            Self::At(at) => {
                let at = if at < 0 { at + i64::try_from(count).unwrap_or(i64::MAX) } else { at };
                match usize::try_from(at) {
                    Ok(at) if at < count => at..at + 1,
                    _ => 0..0,
                }
            }
        }
    }
}

/// A name, in which `*` matches any characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern {
    /// The parts around each star.
    parts: Vec<String>,
    is_quoted: bool,
}

impl NamePattern {
    /// A pattern for a text without quotes and escapes.
    #[doc(hidden)]
    pub fn of(text: &str) -> Self {
        Self { parts: text.split('*').map(str::to_owned).collect(), is_quoted: false }
    }

    /// Returns the name if it has no stars.
    pub fn as_literal(&self) -> Option<&str> {
        if let [name] = &self.parts[..] { Some(name) } else { None }
    }

    /// Returns true if the name is a string in brackets.
    pub fn is_quoted(&self) -> bool {
        self.is_quoted
    }

    /// Returns true if a name has the parts around each star, in order.
    pub fn matches(&self, name: &str) -> bool {
        let [first, rest @ ..] = &self.parts[..] else { return false };
        let [middle @ .., last] = rest else { return name == first };
        let inner = name.strip_prefix(first.as_str()).and_then(|name| name.strip_suffix(last.as_str()));
        let Some(mut inner) = inner else { return false };
        middle.iter().all(|part| match inner.find(part.as_str()) {
            Some(at) => {
                inner = &inner[at + part.len()..];
                true
            }
            None => false,
        })
    }
}

impl Path {
    /// Returns the steps. The path `.` has none.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the error for a step that has no meaning where the path is used.
    ///
    /// ```
    /// use hclkit_model::path::Path;
    ///
    /// let path: Path = "local.name(0)".parse()?;
    /// let error = path.unexpected(2, "there are no arguments");
    /// assert_eq!(error.to_string(), "there are no arguments: unexpected `(0)` at character 11");
    /// # Ok::<(), hclkit_model::path::PathError>(())
    /// ```
    pub fn unexpected(&self, step: usize, why: &str) -> PathError {
        let offset = |step: usize| self.starts.get(step).copied().unwrap_or(self.text.len());
        let text = &self.text[offset(step)..offset(step + 1)];
        PathError::new(&self.text, offset(step), format!("{why}: unexpected `{text}`"))
    }

    /// Returns true if a name in the path contains a character that is typical of expressions, such as a space or `+`,
    /// so that an expression may be meant.
    pub fn may_be_expression(&self) -> bool {
        let is_odd = |name: &String| name.contains([' ', '+', '<', '>', '!', '?', '&', '|', ',', '%', '\n']);
        self.steps.iter().any(|step| match step {
            Step::Name(name) => !name.is_quoted && name.parts.iter().any(is_odd),
            _ => false,
        })
    }

    /// Returns the path without its predicates, or `None` if it has none.
    ///
    /// ```
    /// use hclkit_model::path::Path;
    ///
    /// let path: Path = "module.*[version == null].source".parse()?;
    /// assert_eq!(path.without_predicates().unwrap().to_string(), "module.*.source");
    /// # Ok::<(), hclkit_model::path::PathError>(())
    /// ```
    pub fn without_predicates(&self) -> Option<Self> {
        let end = |at: usize| self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        let others = self.steps.iter().enumerate().filter(|(_, step)| !matches!(step, Step::Predicate(_)));
        let text: String = others.map(|(at, _)| &self.text[self.starts[at]..end(at)]).collect();
        if text.len() == self.text.len() { None } else { text.parse().ok() }
    }

    /// Returns the path without its last step, and the name in that step. Returns `None` if the last step is not a name
    /// without stars, or if `..` is before it.
    ///
    /// ```
    /// use hclkit_model::path::Path;
    ///
    /// let path: Path = r"service.web.tags.a\.b".parse()?;
    /// let (parent, name) = path.split_last().unwrap();
    /// assert_eq!((parent.to_string().as_str(), name), ("service.web.tags", "a.b"));
    /// # Ok::<(), hclkit_model::path::PathError>(())
    /// ```
    pub fn split_last(&self) -> Option<(Self, &str)> {
        let (Step::Name(name), rest) = self.steps.split_last()? else { return None };
        if matches!(rest.last(), Some(Step::Deep)) {
            return None;
        }
        let (end, starts) = self.starts.split_last()?;
        let text = self.text[..*end].to_owned();
        Some((Self { text, steps: rest.to_vec(), starts: starts.to_vec() }, name.as_literal()?))
    }

    /// The name in the first step. `None` if it is not a plain name.
    pub fn first_name(&self) -> Option<&str> {
        match self.steps.first()? {
            Step::Name(name) => name.as_literal(),
            _ => None,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.text.is_empty() { "." } else { &self.text })
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let (starts, steps) = parse::parse(text)?.into_iter().unzip();
        Ok(Self { text: text.to_owned(), steps, starts })
    }
}

/// Why a text is not a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathError {
    offset: usize,
    /// The number of characters before the offset.
    characters: usize,
    message: String,
}

impl PathError {
    fn new(text: &str, offset: usize, message: String) -> Self {
        let characters = text.get(..offset).map_or(offset, |before| before.chars().count());
        Self { offset, characters, message }
    }

    /// Returns the offset in the text, in bytes.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {}", self.message, self.characters + 1)
    }
}

impl std::error::Error for PathError {}
