//! The difference of two values, for messages and tests.

use std::collections::HashSet;
use std::fmt;

use hclkit_limits::Meter;

use crate::pairs::Pairs;
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
    /// A difference in a shared part is reported at each of its places. Each comparison takes a step of the
    /// [limits](hclkit_limits::Limits): at the limit the list ends, and the next check reports it.
    ///
    /// ```
    /// use hclkit_value::Value;
    ///
    /// let before = Value::object([("a", Value::from(1)), ("b", Value::from(2))]);
    /// let after = Value::object([("a", Value::from(1)), ("b", Value::from(3))]);
    /// let differences: Vec<_> = before.diff(&after).iter().map(ToString::to_string).collect();
    /// assert_eq!(differences, [".b: 2 → 3"]);
    /// ```
    #[doc(hidden)]
    pub fn diff(&self, other: &Self) -> Vec<Difference> {
        let meter = Meter::current();
        let _operation = meter.begin();
        let mut comparison =
            Comparison { meter: &meter, path: Vec::new(), equal: Pairs::default(), found: Vec::new() };
        comparison.compare(Some(self), Some(other));
        comparison.found
    }
}

struct Comparison<'m> {
    meter: &'m Meter,
    path: Vec<Step>,
    /// The pairs without differences.
    equal: Pairs<()>,
    found: Vec<Difference>,
}

impl Comparison<'_> {
    fn within(&mut self, step: Step, before: Option<&Value>, after: Option<&Value>) {
        self.path.push(step);
        self.compare(before, after);
        self.path.pop();
    }

    fn compare(&mut self, before: Option<&Value>, after: Option<&Value>) {
        if self.meter.take_steps(1).is_err() {
            return;
        }
        if let (Some(a), Some(b)) = (before, after) {
            let (places, count) = (a.places_with(b), self.found.len());
            if a.is_one_with(b) || self.equal.found(places).is_some() {
                return;
            }
            if self.compare_parts(a, b) {
                if self.found.len() == count {
                    self.equal.keep(places, ());
                }
                return;
            }
        }
        if before != after {
            let path = Path::from(self.path.clone());
            self.found.push(Difference { path, before: before.cloned(), after: after.cloned() });
        }
    }

    /// Compares two values of the same kind part by part. Returns false if they must be compared as a whole.
    fn compare_parts(&mut self, a: &Value, b: &Value) -> bool {
        match (&a.0, &b.0) {
            (Repr::List(_), Repr::List(_)) | (Repr::Tuple(_), Repr::Tuple(_)) => {
                let (a, b) = (a.as_slice().unwrap_or_default(), b.as_slice().unwrap_or_default());
                for at in 0..a.len().max(b.len()) {
                    self.within(Step::from(at), a.get(at), b.get(at));
                }
                // If both are empty, only the types differ, and no part does.
                !(a.is_empty() && b.is_empty())
            }
            (Repr::Object(x), Repr::Object(y)) => {
                let names = merged(x.iter().map(|(name, _)| name), y.iter().map(|(name, _)| name));
                for name in names {
                    let (x, y) = (x.get(&name), y.get(&name));
                    self.within(Step::Attribute(name), x, y);
                }
                true
            }
            (Repr::Map(x), Repr::Map(y)) => {
                for key in merged(x.iter().map(|(key, _)| key), y.iter().map(|(key, _)| key)) {
                    let (x, y) = (x.get(&key), y.get(&key));
                    self.within(Step::Index(Value::from(key)), x, y);
                }
                !(x.is_empty() && y.is_empty())
            }
            (Repr::Set(x), Repr::Set(y)) if x.element_type() == y.element_type() => {
                for element in only_in(x, y) {
                    self.within(Step::Index(element.clone()), Some(element), None);
                }
                for element in only_in(y, x) {
                    self.within(Step::Index(element.clone()), None, Some(element));
                }
                true
            }
            _ => false,
        }
    }
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
