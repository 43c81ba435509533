//! Marks: tags of the caller's that values carry through operations, such as "sensitive".

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::path::{Path, Step};
use crate::value::Repr;
use crate::{Str, Value};

/// A tag that a value can carry: any comparable thing of the caller's.
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
    /// How the tag prints, by which marks are ordered.
    text: Str,
    tag: Arc<dyn Tag>,
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
    /// A mark that is a name.
    pub fn new(name: impl Into<Str>) -> Mark {
        let text = name.into();
        Mark { tag: Arc::new(text.clone()), text }
    }

    /// The mark of values that must not be shown: that of the functions `sensitive` and `nonsensitive`. It is the one named
    /// "sensitive". No message shows a value with a mark, whichever it is.
    ///
    /// ```
    /// use hclkit_value::{Mark, Value};
    ///
    /// let password = Value::from("hunter2").mark(Mark::sensitive());
    /// assert!(password.has_mark(&Mark::sensitive()));
    /// assert_eq!(password.to_string(), "(sensitive)");
    /// ```
    pub fn sensitive() -> Mark {
        Mark::new("sensitive")
    }

    /// A mark that is a value of some Rust type; two are the same if those are equal.
    pub fn of<T: Any + Eq + fmt::Display + Send + Sync>(tag: T) -> Mark {
        Mark { text: Str::from(tag.to_string()), tag: Arc::new(tag) }
    }

    /// The name, or how the tag prints.
    pub fn name(&self) -> &str {
        &self.text
    }

    /// The tag, where it is of that Rust type; that of a named mark is a [`Str`].
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.tag.as_any().downcast_ref()
    }
}

impl PartialEq for Mark {
    fn eq(&self, other: &Mark) -> bool {
        self.text == other.text && self.tag.equals(other.tag.as_any())
    }
}

impl Eq for Mark {}

impl Hash for Mark {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Distinct marks, ordered by name.
#[derive(Clone, Default, Eq)]
pub struct Marks(Option<Arc<[Mark]>>);

impl Marks {
    /// Collects marks.
    pub fn new(marks: impl IntoIterator<Item = Mark>) -> Marks {
        let mut all: Vec<Mark> = marks.into_iter().collect();
        all.sort_by(|a, b| a.text.cmp(&b.text));
        let mut distinct: Vec<Mark> = Vec::with_capacity(all.len());
        for mark in all {
            if !named(&distinct, &mark.text).any(|known| *known == mark) {
                distinct.push(mark);
            }
        }
        if distinct.is_empty() { Marks(None) } else { Marks(Some(distinct.into())) }
    }

    /// The marks in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Mark> {
        self.0.as_deref().unwrap_or_default().iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.as_deref().unwrap_or_default().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether a mark is among them.
    pub fn contains(&self, mark: &Mark) -> bool {
        named(self.iter().as_slice(), &mark.text).any(|own| own == mark)
    }

    /// All marks of both.
    #[must_use]
    pub fn union(&self, other: &Marks) -> Marks {
        if other.iter().all(|mark| self.contains(mark)) {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        Marks::new(self.iter().chain(other.iter()).cloned())
    }
}

/// Marks of many values, one after the other: [`Marks::union`] of each with all before it would take time in the square
/// of their number.
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
    /// The union of what came first.
    first: Marks,
    /// What came after that, and how many marks there are in it.
    rest: Vec<Marks>,
    count: usize,
}

impl MarksBuilder {
    /// Adds marks.
    pub fn add(&mut self, marks: &Marks) {
        // Mostly it is one mark all over.
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

    /// All marks that were added.
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
    fn from(first: Marks) -> MarksBuilder {
        MarksBuilder { first, ..MarksBuilder::default() }
    }
}

/// Whether both are the same, as far as that is quick to see.
fn same(a: &Marks, b: &Marks) -> bool {
    match (&a.0, &b.0) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b) || (a.len() == 1 && a == b),
        _ => false,
    }
}

/// The marks of a name, among marks sorted by name.
fn named<'a>(marks: &'a [Mark], name: &'a Str) -> impl Iterator<Item = &'a Mark> {
    let start = marks.partition_point(|mark| mark.text < *name);
    marks[start..].iter().take_while(move |mark| mark.text == *name)
}

impl PartialEq for Marks {
    fn eq(&self, other: &Marks) -> bool {
        self.len() == other.len() && self.iter().all(|mark| other.contains(mark))
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Marks {
        Marks::new(marks)
    }
}

impl<'a> IntoIterator for &'a Marks {
    type Item = &'a Mark;
    type IntoIter = std::slice::Iter<'a, Mark>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A value under its marks; the value itself is not marked again.
pub(crate) struct Marked {
    pub(crate) marks: Marks,
    pub(crate) value: Value,
}

impl Value {
    /// The value with one more mark on it.
    #[must_use]
    pub fn mark(&self, mark: Mark) -> Value {
        self.clone().with_marks(&Marks::new([mark]))
    }

    /// The value with these marks on it, beside those that it has.
    #[must_use]
    pub fn with_marks(self, marks: &Marks) -> Value {
        if marks.is_empty() {
            return self;
        }
        let (value, marks) = match &self.0 {
            Repr::Marked(marked) => (marked.value.clone(), marked.marks.union(marks)),
            _ => (self, marks.clone()),
        };
        Value(Repr::Marked(Arc::new(Marked { marks, value })))
    }

    /// The marks on the value itself.
    pub fn marks(&self) -> Marks {
        match &self.0 {
            Repr::Marked(marked) => marked.marks.clone(),
            _ => Marks::default(),
        }
    }

    /// Whether the value itself has marks.
    #[inline]
    pub fn is_marked(&self) -> bool {
        matches!(self.0, Repr::Marked(_))
    }

    /// Whether the value or any part of it has marks.
    #[inline]
    pub fn contains_marked(&self) -> bool {
        self.summary().has_marks()
    }

    /// Whether the value itself has this mark.
    pub fn has_mark(&self, mark: &Mark) -> bool {
        matches!(&self.0, Repr::Marked(marked) if marked.marks.contains(mark))
    }

    /// The value without its own marks, and those; marks on its parts stay.
    pub fn unmark(&self) -> (Value, Marks) {
        match &self.0 {
            Repr::Marked(marked) => (marked.value.clone(), marked.marks.clone()),
            _ => (self.clone(), Marks::default()),
        }
    }

    /// The value under its own marks, without a copy.
    #[inline]
    pub(crate) fn bare(&self) -> &Value {
        match &self.0 {
            Repr::Marked(marked) => &marked.value,
            _ => self,
        }
    }

    /// The value without any mark at any depth, and all that there were.
    pub fn unmark_deep(&self) -> (Value, Marks) {
        if !self.contains_marked() {
            return (self.clone(), Marks::default());
        }
        let mut stripping = Stripping::default();
        let bare = stripping.bare(self);
        (bare, stripping.marks.iter().flatten().cloned().collect())
    }

    /// The value without any mark at any depth, and where each was. [`Value::mark_paths`] undoes it.
    ///
    /// ```
    /// use hclkit_value::{Mark, Value};
    ///
    /// let value = Value::object([("password", Value::from("x").mark(Mark::sensitive()))]);
    /// let (bare, marks) = value.unmark_deep_with_paths();
    /// assert_eq!(marks[0].0.to_string(), ".password");
    /// assert_eq!(bare.mark_paths(&marks), value);
    /// ```
    pub fn unmark_deep_with_paths(&self) -> (Value, Vec<(Path, Marks)>) {
        if !self.contains_marked() {
            return (self.clone(), Vec::new());
        }
        let mut found = Vec::new();
        let bare = strip(self, &mut Vec::new(), &mut |path, marks| {
            found.push((Path::from(path.to_vec()), marks.clone()));
        });
        (bare, found)
    }

    /// Puts marks on the parts at these paths; a path that leads nowhere counts for nothing.
    #[must_use]
    #[allow(
        clippy::mutable_key_type,
        reason = "what changes inside is a type made late, which has no part in the hash"
    )]
    pub fn mark_paths(&self, marks: &[(Path, Marks)]) -> Value {
        if marks.is_empty() {
            return self.clone();
        }
        let mut places: HashMap<&[Step], Vec<&Marks>> = HashMap::with_capacity(marks.len());
        for (path, marks) in marks {
            places.entry(path.steps()).or_default().push(marks);
        }
        self.transform(&mut |path, value: Value| {
            let marks = places.get(path).into_iter().flatten();
            Ok(marks.fold(value, |value, marks| value.with_marks(marks)))
        })
        .unwrap_or_else(|_: crate::Error| self.clone())
    }
}

/// Rebuilds a value without marks, and reports them outermost first.
fn strip(value: &Value, path: &mut Vec<Step>, report: &mut impl FnMut(&[Step], &Marks)) -> Value {
    if !value.contains_marked() {
        return value.clone();
    }
    if let Repr::Marked(marked) = &value.0 {
        report(path, &marked.marks);
        return strip(&marked.value, path, report);
    }
    let mut parts = Vec::with_capacity(value.parts().len());
    for (step, part) in value.children() {
        path.push(step);
        parts.push(strip(part, path, report));
        path.pop();
    }
    value.with_parts(parts)
}

/// Takes marks off at all depths. Parts that are held several times are gone through once, for a value of few parts
/// can hold each of them in more places than can be counted.
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
                // Mostly it is one mark all over.
                if self.marks.last() != Some(&marked.marks) {
                    self.marks.push(marked.marks.clone());
                }
                self.bare(&marked.value)
            }
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
