//! Patterns that select addresses: paths whose steps are names in addresses and parts of values. `pattern/states.rs` matches
//! them with addresses, `pattern/parts.rs` with values, and `pattern/predicate.rs` evaluates predicates.

mod parts;
mod predicate;
mod states;

use std::fmt;
use std::str::FromStr;

use hclkit_model::path::{Path, PathError, Position, Step as PathStep};
use hclkit_value::{Name, Value};

use crate::step::{Step, written};
pub(crate) use parts::parts;
pub(crate) use predicate::{hidden, is_true};
pub(crate) use states::{Node, State, States};

/// A path of the path language that selects addresses of a module, everything below them, and parts of values:
/// `local.a.b` is the attribute `b` of `local.a`.
///
/// `*` in a name matches any characters. `..name` matches a name at any depth, also in called modules and in values. `~`
/// skips the remaining names of a block and the key of an instance. `[-1]` is the last instance or element, and `[*]`
/// each of them. An expression in brackets is a predicate: it keeps the values for which it is true. Its variables are the
/// attributes of the value or the results of a called module, and `self` is the value.
///
/// ```
/// use hclkit_module::Pattern;
///
/// assert!("module.net[\"a\"].*".parse::<Pattern>().is_ok());
/// assert!("aws_instance~[tags.Env == \"prod\"].id".parse::<Pattern>().is_ok());
/// assert!("..zones[-1]".parse::<Pattern>().is_ok());
/// let error = "local.a(0)".parse::<Pattern>().unwrap_err();
/// assert_eq!(error.to_string(), "a value has no arguments of calls: unexpected `(0)` at character 8");
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    path: Path,
}

/// The text determines the steps.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.path.to_string() == other.path.to_string()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)
    }
}

impl FromStr for Pattern {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let path: Path = text.parse()?;
        for (at, step) in path.steps().iter().enumerate() {
            match step {
                PathStep::Argument(_) => return Err(path.unexpected(at, "a value has no arguments of calls")),
                PathStep::Part(_) => return Err(path.unexpected(at, "a value has no parts of templates")),
                _ => {}
            }
        }
        Ok(Self { path })
    }
}

impl Pattern {
    fn steps(&self) -> &[PathStep] {
        self.path.steps()
    }

    /// Returns true if the pattern can select only one address, so that it must select something.
    pub(crate) fn is_exact(&self) -> bool {
        !self.steps().is_empty() && self.steps().iter().all(is_exact)
    }

    /// Returns the address, if the pattern can select only one.
    pub(crate) fn address(&self) -> Option<Vec<Step>> {
        if self.is_exact() { self.steps().iter().map(exact).collect() } else { None }
    }

    /// The error of a pattern where one address is required.
    pub(crate) fn not_one_address(&self) -> PathError {
        let at = self.steps().iter().position(|step| !is_exact(step)).unwrap_or_default();
        self.path.unexpected(at, "an address is that of one value")
    }

    /// Returns the pattern as the address that it selects, if there can be only one.
    pub(crate) fn written(&self) -> String {
        self.address().map_or_else(|| self.to_string(), |steps| written(&steps))
    }
}

/// Returns true if a step selects at most one part: a name without stars, or a number.
fn is_exact(step: &PathStep) -> bool {
    exact(step).is_some()
}

/// Returns the step of an address that a step without stars selects. Negative numbers stay as they are.
fn exact(step: &PathStep) -> Option<Step> {
    match step {
        PathStep::Name(name) if name.is_quoted() => {
            name.as_literal().map(|name| Step::Key(Value::from(name)))
        }
        PathStep::Name(name) => name.as_literal().map(|name| Step::Name(Name::from(name))),
        PathStep::Index(Position::At(at)) => Some(Step::Key(Value::from(*at))),
        _ => None,
    }
}
