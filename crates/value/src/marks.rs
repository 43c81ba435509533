//! Marks: tags, such as "sensitive", that callers put on values and that operations pass on.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use hclkit_limits::Meter;

use crate::path::{Path, Step};
use crate::value::Repr;
use crate::{Str, Value};

/// A tag that a value can carry: a name, or any comparable Rust value.
///
/// ```
/// use hclkit_value::{Mark, Value};
///
/// let secret = Value::from("hunter2").mark(Mark::sensitive());
/// let list = Value::tuple([secret.clone(), Value::from(1)]);
/// assert!(!list.is_marked() && list.contains_marked());
/// assert!(secret.equals(&Value::from("x")).is_marked());
/// assert_eq!(secret.to_string(), "(sensitive)");
/// ```
#[derive(Clone)]
pub struct Mark {
    /// The displayed text of the tag, which orders marks.
    text: Str,
    tag: Arc<dyn Tag>,
}

/// The tag of [`Mark::hidden`].
#[derive(PartialEq, Eq)]
struct HiddenTag;

impl fmt::Display for HiddenTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sensitive")
    }
}

trait Tag: Any + Send + Sync {
    fn equals(&self, other: &dyn Any) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<T: Any + Eq + Send + Sync> Tag for T {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Mark {
    /// Creates a mark from a name.
    pub fn new(name: impl Into<Str>) -> Self {
        let text = name.into();
        Self { tag: Arc::new(text.clone()), text }
    }

    /// The mark named "sensitive", which the functions `sensitive` and `nonsensitive` use, for values that must not be
    /// shown. Messages never show values with any mark.
    ///
    /// ```
    /// use hclkit_value::{Mark, Value};
    ///
    /// let password = Value::from("hunter2").mark(Mark::sensitive());
    /// assert!(password.has_mark(&Mark::sensitive()));
    /// assert_eq!(password.to_string(), "(sensitive)");
    /// ```
    pub fn sensitive() -> Self {
        Self::new("sensitive")
    }

    /// A mark for values that must not be shown, but that functions and checks do not treat as sensitive: in Terraform, the
    /// result of a module is only hidden if it is declared as sensitive. It is also displayed as "sensitive", but is
    /// another mark than [`Mark::sensitive`].
    ///
    /// ```
    /// use hclkit_value::{Mark, Value};
    ///
    /// let password = Value::from("hunter2").mark(Mark::hidden());
    /// assert!(!password.has_mark(&Mark::sensitive()));
    /// assert_eq!(password.to_string(), "(sensitive)");
    /// ```
    pub fn hidden() -> Self {
        Self::of(HiddenTag)
    }

    /// Creates a mark from a Rust value. Two such marks are equal if the values are.
    pub fn of<T: Any + Eq + fmt::Display + Send + Sync>(tag: T) -> Self {
        Self { text: Str::from(tag.to_string()), tag: Arc::new(tag) }
    }

    /// The name, or the displayed text of the tag.
    pub fn name(&self) -> &str {
        &self.text
    }

    /// The tag, if it is of this Rust type. The tag of a named mark is a [`Str`].
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.tag.as_any().downcast_ref()
    }
}

impl PartialEq for Mark {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.tag.equals(other.tag.as_any())
    }
}

impl Eq for Mark {}

impl Hash for Mark {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

#[doc(hidden)]
impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A set of marks, ordered by name.
#[derive(Clone, Default)]
pub struct Marks(Option<Arc<Set>>);

/// Marks in runs, each sorted by name and at least twice as long as the next, so that a union shares the long ones: a chain
/// of n operands with a mark each takes `n log n` time, and not the square of n.
struct Set {
    longest: Arc<[Mark]>,
    more: Vec<Arc<[Mark]>>,
    /// All of them in order, once they were asked for.
    sorted: OnceLock<Box<[Mark]>>,
}

impl Set {
    fn runs(&self) -> impl DoubleEndedIterator<Item = &Arc<[Mark]>> {
        std::iter::once(&self.longest).chain(&self.more)
    }

    fn is_single(&self) -> bool {
        self.more.is_empty() && self.longest.len() == 1
    }

    fn in_order(&self) -> &[Mark] {
        if self.more.is_empty() {
            return &self.longest;
        }
        self.sorted.get_or_init(|| sorted(self.runs().flat_map(|run| run.iter()).cloned()).into())
    }

    fn contains(&self, mark: &Mark) -> bool {
        self.runs().any(|run| named(run, &mark.text).any(|own| own == mark))
    }
}

fn sorted(marks: impl Iterator<Item = Mark>) -> Vec<Mark> {
    let mut marks: Vec<Mark> = marks.collect();
    marks.sort_by(|a, b| a.text.cmp(&b.text));
    marks
}

impl Marks {
    /// Collects marks into a set.
    pub fn new(marks: impl IntoIterator<Item = Mark>) -> Self {
        let all = sorted(marks.into_iter());
        let mut distinct: Vec<Mark> = Vec::with_capacity(all.len());
        for mark in all {
            if !named(&distinct, &mark.text).any(|known| *known == mark) {
                distinct.push(mark);
            }
        }
        Self::of_runs(if distinct.is_empty() { Vec::new() } else { vec![distinct.into()] })
    }

    fn of_runs(mut runs: Vec<Arc<[Mark]>>) -> Self {
        if runs.is_empty() {
            return Self(None);
        }
        let longest = runs.remove(0);
        Self(Some(Arc::new(Set { longest, more: runs, sorted: OnceLock::new() })))
    }

    /// The marks in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Mark> {
        self.0.as_deref().map(Set::in_order).unwrap_or_default().iter()
    }

    /// The names of the marks in order, each of them once.
    #[doc(hidden)]
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.iter().map(Mark::name).collect();
        names.dedup();
        names
    }

    /// The number of marks.
    pub fn len(&self) -> usize {
        self.0.iter().flat_map(|set| set.runs()).map(|run| run.len()).sum()
    }

    /// Returns true if there are no marks.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns true if the set contains a mark.
    pub fn contains(&self, mark: &Mark) -> bool {
        self.0.as_ref().is_some_and(|set| set.contains(mark))
    }

    /// The union of both sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let (Some(own), Some(others)) = (&self.0, &other.0) else {
            return if self.is_empty() { other.clone() } else { self.clone() };
        };
        if Arc::ptr_eq(own, others) {
            return self.clone();
        }
        let (large, small) = if self.len() < other.len() { (other, self) } else { (self, other) };
        let new: Vec<Mark> = small.iter().filter(|mark| !large.contains(mark)).cloned().collect();
        if new.is_empty() {
            return large.clone();
        }
        let mut runs: Vec<Arc<[Mark]>> = large.0.iter().flat_map(|set| set.runs()).cloned().collect();
        runs.push(new.into());
        while let [.., before, last] = &runs[..]
            && before.len() < 2 * last.len()
        {
            let merged = sorted(before.iter().chain(last.iter()).cloned());
            runs.truncate(runs.len() - 2);
            runs.push(merged.into());
        }
        Self::of_runs(runs)
    }
}

/// Collects the marks of many values. This is faster than repeated calls of [`Marks::union`].
///
/// ```
/// use hclkit_value::{Mark, Marks, MarksBuilder};
///
/// let mut builder = MarksBuilder::default();
/// for name in ["a", "b", "a"] {
///     builder.add(&Marks::new([Mark::new(name)]));
/// }
/// assert_eq!(builder.finish(), Marks::new([Mark::new("a"), Mark::new("b")]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct MarksBuilder {
    /// The union of the first sets.
    first: Marks,
    /// The sets added after that, and the total number of marks in them.
    rest: Vec<Marks>,
    count: usize,
}

impl MarksBuilder {
    /// Adds marks.
    pub fn add(&mut self, marks: &Marks) {
        // The marks are usually the same on all values.
        if marks.is_empty()
            || same(marks, &self.first)
            || self.rest.last().is_some_and(|last| same(marks, last))
        {
            return;
        }
        if self.first.is_empty() {
            self.first = marks.clone();
            return;
        }
        self.count += marks.len();
        self.rest.push(marks.clone());
        if self.count > 64 + self.first.len() {
            self.first = std::mem::take(self).finish();
        }
    }

    /// Returns all marks that were added.
    #[inline]
    pub fn finish(self) -> Marks {
        if self.rest.is_empty() { self.first } else { self.merged() }
    }

    #[cold]
    fn merged(self) -> Marks {
        self.first.iter().chain(self.rest.iter().flatten()).cloned().collect()
    }
}

impl From<Marks> for MarksBuilder {
    fn from(first: Marks) -> Self {
        Self { first, ..Self::default() }
    }
}

/// Returns true if both are certainly equal. Checks only what is fast.
fn same(a: &Marks, b: &Marks) -> bool {
    match (&a.0, &b.0) {
        (Some(own), Some(others)) => Arc::ptr_eq(own, others) || (own.is_single() && a == b),
        _ => false,
    }
}

/// The marks with a name, among marks sorted by name.
fn named<'a>(marks: &'a [Mark], name: &'a Str) -> impl Iterator<Item = &'a Mark> {
    let start = marks.partition_point(|mark| mark.text < *name);
    marks[start..].iter().take_while(move |mark| mark.text == *name)
}

impl PartialEq for Marks {
    fn eq(&self, other: &Self) -> bool {
        let shared = matches!((&self.0, &other.0), (Some(own), Some(others)) if Arc::ptr_eq(own, others));
        shared || (self.len() == other.len() && self.iter().all(|mark| other.contains(mark)))
    }
}

impl Eq for Marks {}

#[doc(hidden)]
impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        Self::new(marks)
    }
}

impl<'a> IntoIterator for &'a Marks {
    type Item = &'a Mark;
    type IntoIter = std::slice::Iter<'a, Mark>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A value with marks. The inner value is not marked itself.
pub(crate) struct Marked {
    pub(crate) marks: Marks,
    pub(crate) value: Value,
}

impl Value {
    /// Adds a mark to the value.
    #[must_use]
    pub fn mark(&self, mark: Mark) -> Self {
        self.clone().with_marks(&Marks::new([mark]))
    }

    /// Adds marks to the value.
    #[must_use]
    pub fn with_marks(self, marks: &Marks) -> Self {
        if marks.is_empty() {
            return self;
        }
        let (value, marks) = match &self.0 {
            Repr::Marked(marked) => (marked.value.clone(), marked.marks.union(marks)),
            _ => (self, marks.clone()),
        };
        Self(Repr::Marked(Arc::new(Marked { marks, value })))
    }

    /// The marks on the value itself.
    pub fn marks(&self) -> Marks {
        match &self.0 {
            Repr::Marked(marked) => marked.marks.clone(),
            _ => Marks::default(),
        }
    }

    /// Returns true if the value itself has marks.
    #[inline]
    pub fn is_marked(&self) -> bool {
        matches!(self.0, Repr::Marked(_))
    }

    /// Returns true if the value or any part of it has marks.
    #[inline]
    #[doc(hidden)]
    pub fn contains_marked(&self) -> bool {
        self.summary().has_marks()
    }

    /// Returns true if the value itself has this mark.
    pub fn has_mark(&self, mark: &Mark) -> bool {
        matches!(&self.0, Repr::Marked(marked) if marked.marks.contains(mark))
    }

    #[doc(hidden)]
    /// Returns true if the value itself has marks other than this one.
    pub fn has_other_marks(&self, mark: &Mark) -> bool {
        matches!(&self.0, Repr::Marked(marked) if marked.marks.iter().any(|own| own != mark))
    }

    /// The value without its own marks, and these marks. Marks on its parts remain.
    pub fn unmark(&self) -> (Self, Marks) {
        match &self.0 {
            Repr::Marked(marked) => (marked.value.clone(), marked.marks.clone()),
            _ => (self.clone(), Marks::default()),
        }
    }

    /// A reference to the value without its own marks.
    #[inline]
    pub(crate) fn bare(&self) -> &Self {
        match &self.0 {
            Repr::Marked(marked) => &marked.value,
            _ => self,
        }
    }

    /// The value without marks at any depth, and all marks that were removed.
    pub fn unmark_deep(&self) -> (Self, Marks) {
        if !self.contains_marked() {
            return (self.clone(), Marks::default());
        }
        let mut stripping = Stripping::default();
        let bare = stripping.bare(self);
        (bare, stripping.marks.iter().flatten().cloned().collect())
    }

    /// The value without marks at any depth, and the removed marks with their paths. [`Value::mark_paths`] puts them back.
    /// A shared part has a path for each place; if a limit is exceeded, the paths end above the marks.
    ///
    /// ```
    /// use hclkit_value::{Mark, Value};
    ///
    /// let value = Value::object([("password", Value::from("x").mark(Mark::sensitive()))]);
    /// let (bare, marks) = value.unmark_deep_with_paths();
    /// assert_eq!(marks[0].0.to_string(), ".password");
    /// assert_eq!(bare.mark_paths(&marks), value);
    /// ```
    #[doc(hidden)]
    pub fn unmark_deep_with_paths(&self) -> (Self, Vec<(Path, Marks)>) {
        if !self.contains_marked() {
            return (self.clone(), Vec::new());
        }
        let meter = Meter::current();
        let _operation = meter.begin();
        let mut found = Vec::new();
        let bare = strip(self, &mut Vec::new(), &mut |path, marks| {
            found.push((Path::from(path.to_vec()), marks.clone()));
        });
        (bare, found)
    }

    /// Adds marks to the parts at these paths. Paths that lead nowhere are ignored. If a limit is exceeded, all marks are
    /// added to the value itself.
    #[must_use]
    #[allow(
        clippy::mutable_key_type,
        reason = "only the lazily computed type changes, and the hash does not depend on it"
    )]
    #[doc(hidden)]
    pub fn mark_paths(&self, marks: &[(Path, Marks)]) -> Self {
        if marks.is_empty() {
            return self.clone();
        }
        let mut places: HashMap<&[Step], Vec<&Marks>> = HashMap::with_capacity(marks.len());
        for (path, marks) in marks {
            places.entry(path.steps()).or_default().push(marks);
        }
        self.transform(&mut |path, value: Self| {
            let marks = places.get(path).into_iter().flatten();
            Ok(marks.fold(value, |value, marks| value.with_marks(marks)))
        })
        .unwrap_or_else(|_: crate::Error| {
            let all = marks.iter().flat_map(|(_, marks)| marks).cloned().collect();
            self.clone().with_marks(&all)
        })
    }
}

/// Rebuilds a value without marks, and reports the marks, outermost first.
fn strip(value: &Value, path: &mut Vec<Step>, report: &mut impl FnMut(&[Step], &Marks)) -> Value {
    if !value.contains_marked() {
        return value.clone();
    }
    if let Repr::Marked(marked) = &value.0 {
        report(path, &marked.marks);
        return strip(&marked.value, path, report);
    }
    if value.known_parts().is_some() || Meter::current().take_steps(1).is_err() {
        // Nothing can be marked inside, so the marks go to the value itself.
        let (bare, marks) = value.unmark_deep();
        report(path, &marks);
        return bare;
    }
    let mut parts = Vec::with_capacity(value.parts().len());
    for (step, part) in value.children() {
        path.push(step);
        parts.push(strip(part, path, report));
        path.pop();
    }
    value.with_parts(parts)
}

/// Removes marks at all depths. A shared part is visited only once, because a value can contain it exponentially many
/// times.
#[derive(Default)]
struct Stripping {
    marks: Vec<Marks>,
    done: HashMap<*const (), Value>,
}

impl Stripping {
    fn bare(&mut self, value: &Value) -> Value {
        if !value.contains_marked() {
            return value.clone();
        }
        let place = value.shared_place();
        if let Some(bare) = place.and_then(|place| self.done.get(&place)) {
            return bare.clone();
        }
        let bare = match &value.0 {
            Repr::Marked(marked) => {
                // The marks are usually the same on all values.
                if self.marks.last() != Some(&marked.marks) {
                    self.marks.push(marked.marks.clone());
                }
                self.bare(&marked.value)
            }
            Repr::Open(known) => Value::open(self.bare(known)),
            _ => self.rebuilt(value),
        };
        if let Some(place) = place {
            self.done.insert(place, bare.clone());
        }
        bare
    }

    fn rebuilt(&mut self, value: &Value) -> Value {
        let mut parts = Vec::with_capacity(value.parts().len());
        for part in value.parts() {
            parts.push(self.bare(part));
        }
        value.with_parts(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(at: usize) -> Mark {
        Mark::new(at.to_string())
    }

    /// How many marks a union holds in memory of its own.
    fn copied(union: &Marks, before: &Marks) -> usize {
        let shared = |run: &&Arc<[Mark]>| {
            before.0.iter().flat_map(|set| set.runs()).any(|other| Arc::ptr_eq(run, other))
        };
        union.0.iter().flat_map(|set| set.runs()).filter(|run| !shared(run)).map(|run| run.len()).sum()
    }

    #[test]
    fn successive_unions_share_marks() {
        const COUNT: usize = 4_096;
        for from_left in [true, false] {
            let (mut all, mut steps) = (Marks::default(), 0);
            for at in 0..COUNT {
                let one = Marks::new([mark(at)]);
                let union = if from_left { all.union(&one) } else { one.union(&all) };
                steps += copied(&union, &all);
                all = union;
                assert_eq!(all.len(), at + 1);
            }
            assert!(steps <= COUNT * 13, "{steps}");
            assert_eq!(all, (0..COUNT).map(mark).collect());
            let mut names: Vec<String> = (0..COUNT).map(|at| at.to_string()).collect();
            names.sort();
            assert!(all.iter().map(Mark::name).eq(names.iter().map(String::as_str)));
            assert!(all.contains(&mark(77)) && !all.contains(&mark(COUNT)));
        }
    }

    #[test]
    fn unions_of_random_marks_are_those_of_sets() {
        let mut random = 1u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from((random >> 33) % below).unwrap()
        };
        let mut sets = vec![(Marks::default(), std::collections::BTreeSet::new())];
        for _ in 0..2_000 {
            let (a, b) = (sets[next(sets.len() as u64)].clone(), sets[next(sets.len() as u64)].clone());
            let one = next(60);
            let marks = a.0.union(&b.0).union(&Marks::new([mark(one)]));
            let names: std::collections::BTreeSet<String> =
                a.1.iter().chain(&b.1).cloned().chain([one.to_string()]).collect();
            assert!(marks.iter().map(Mark::name).eq(names.iter().map(String::as_str)));
            assert_eq!(marks, Marks::new(names.iter().map(|name| Mark::new(name.clone()))));
            if sets.len() < 50 {
                sets.push((marks, names));
            } else {
                sets[1 + next(49)] = (Marks::new([mark(one)]), [one.to_string()].into());
            }
        }
    }
}
