//! The difference of two values, for messages and tests.

use std::collections::HashSet;
use std::fmt;

use crate::path::{Path, Step};
use crate::value::Repr;
use crate::{Set, Str, Value};

/// One difference between two values.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The path to the differing parts in both values.
    pub path: Path,
    /// The part of the first value, or `None` if only the second has one.
    pub before: Option<Value>,
    /// The part of the second value, or `None` if only the first has one.
    pub after: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => write!(f, "{before} → {after}"),
            (Some(before), None) => write!(f, "removed {before}"),
            (None, Some(after)) => write!(f, "added {after}"),
            (None, None) => Ok(()),
        }
    }
}

impl Value {
    /// The differences between this value and another one, in order. Empty if the two are identical.
    ///
    /// ```
    /// use hclkit_value::Value;
    ///
    /// let before = Value::object([("a", Value::from(1)), ("b", Value::from(2))]);
    /// let after = Value::object([("a", Value::from(1)), ("b", Value::from(3))]);
    /// let differences: Vec<_> = before.diff(&after).iter().map(ToString::to_string).collect();
    /// assert_eq!(differences, [".b: 2 → 3"]);
    /// ```
    pub fn diff(&self, other: &Value) -> Vec<Difference> {
        let mut found = Vec::new();
        compare(Some(self), Some(other), &mut Vec::new(), &mut found);
        found
    }
}

fn compare(before: Option<&Value>, after: Option<&Value>, path: &mut Vec<Step>, found: &mut Vec<Difference>) {
    let mut within = |step: Step, before: Option<&Value>, after: Option<&Value>| {
        path.push(step);
        compare(before, after, path, found);
        path.pop();
    };
    if let (Some(a), Some(b)) = (before, after) {
        match (&a.0, &b.0) {
            _ if a.is_one_with(b) => return,
            (Repr::List(_), Repr::List(_)) | (Repr::Tuple(_), Repr::Tuple(_)) => {
                let (a, b) = (a.as_slice().unwrap_or_default(), b.as_slice().unwrap_or_default());
                // If both are empty, only the types differ, and no part does.
                if !(a.is_empty() && b.is_empty()) {
                    for at in 0..a.len().max(b.len()) {
                        within(Step::from(at), a.get(at), b.get(at));
                    }
                    return;
                }
            }
            (Repr::Object(x), Repr::Object(y)) => {
                let names = merged(x.iter().map(|(name, _)| name), y.iter().map(|(name, _)| name));
                for name in names {
                    let (x, y) = (x.get(&name), y.get(&name));
                    within(Step::Attribute(name), x, y);
                }
                return;
            }
            (Repr::Map(x), Repr::Map(y)) if !(x.is_empty() && y.is_empty()) => {
                for key in merged(x.iter().map(|(key, _)| key), y.iter().map(|(key, _)| key)) {
                    let (x, y) = (x.get(&key), y.get(&key));
                    within(Step::Index(Value::from(key)), x, y);
                }
                return;
            }
            (Repr::Set(x), Repr::Set(y)) if x.element_type() == y.element_type() => {
                for element in only_in(x, y) {
                    within(Step::Index(element.clone()), Some(element), None);
                }
                for element in only_in(y, x) {
                    within(Step::Index(element.clone()), None, Some(element));
                }
                return;
            }
            _ if a == b => return,
            _ => {}
        }
    }
    if before == after {
        return;
    }
    found.push(Difference { path: Path::from(path.clone()), before: before.cloned(), after: after.cloned() });
}

/// The elements of a set that another one does not contain.
#[allow(
    clippy::mutable_key_type,
    reason = "only the lazily computed type changes, and the hash does not depend on it"
)]
fn only_in<'a>(set: &'a Set, other: &Set) -> Vec<&'a Value> {
    let other: HashSet<&Value> = other.iter().collect();
    set.iter().filter(|element| !other.contains(element)).collect()
}

/// The names from both, sorted, without duplicates.
fn merged<'a>(a: impl Iterator<Item = &'a Str>, b: impl Iterator<Item = &'a Str>) -> Vec<Str> {
    let mut names: Vec<Str> = a.chain(b).cloned().collect();
    names.sort_unstable();
    names.dedup();
    names
}
