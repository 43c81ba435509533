//! A decoded value with its place in the source.

use std::fmt;
use std::ops::{Deref, DerefMut};

use hclkit_syntax::Place;

/// A decoded value with its place: the expression of an attribute, a label, or the header of a block.
///
/// It can be the type of a field, or of the elements of a field's `Vec`, `Option` or map. Elements of a list or an object
/// that is written in the file have their own places; those of a computed value, such as `var.names`, have the place of the
/// whole expression. Parts deeper inside a value have no places; use [`Expression`](crate::Expression) and
/// [`Expression::place_of`](crate::Expression::place_of) for these.
///
/// Two of them are equal if their values are equal, regardless of their places.
#[derive(Clone)]
pub struct Spanned<T> {
    value: T,
    place: Place,
}

impl<T> Spanned<T> {
    /// A value and its place.
    pub fn new(value: T, place: Place) -> Self {
        Self { value, place }
    }

    /// The value.
    pub fn get(&self) -> &T {
        &self.value
    }

    /// The value, without its place.
    pub fn into_inner(self) -> T {
        self.value
    }

    /// The place, for diagnostics of the application: `Diagnostic::error(code).at(place.span).with_source(&place.source)`.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Another value at the same place.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: change(self.value), place: self.place }
    }
}

/// The value and its span. The text of the source is left out.
#[doc(hidden)]
impl<T: fmt::Debug> fmt::Debug for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spanned")
            .field("value", &self.value)
            .field("span", &self.place.span)
            .finish_non_exhaustive()
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Spanned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: PartialOrd> PartialOrd for Spanned<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl<T: Ord> Ord for Spanned<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.value.cmp(&other.value)
    }
}

impl<T: std::hash::Hash> std::hash::Hash for Spanned<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl<T: fmt::Display> fmt::Display for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}
