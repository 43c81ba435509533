//! The equality operator of the language, whose result may be unknown.

use crate::pairs::Pairs;
use crate::value::Repr;
use crate::work::{count_parts, equal_texts};
use crate::{SetElement, Type, Value};

use super::unknown_not_null;

/// The result of a comparison, before it becomes a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Unknown,
}

impl From<bool> for Answer {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

impl Value {
    /// Whether two values have the same type and equal content. Null equals null of any type. The result is an
    /// unknown bool if it depends on unknown values, and has the marks of both values.
    ///
    /// ```
    /// use hclkit_value::{Type, Value};
    ///
    /// assert_eq!(Value::from(1).equals(&Value::from("1")), Value::from(false));
    /// assert!(!Value::from(1).equals(&Value::unknown(Type::Number)).is_known());
    /// ```
    #[must_use]
    #[inline]
    pub fn equals(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Repr::Number(a), Repr::Number(b)) => Self::from(a == b),
            _ => self.equals_any(other),
        }
    }

    #[inline(never)]
    fn equals_any(&self, other: &Self) -> Self {
        let (bare, other_bare) = (self.bare(), other.bare());
        // If only one is null, the parts of the other do not affect the answer, so their marks are not added.
        if (bare.is_null() && definitely_not_null(other_bare)
            || other_bare.is_null() && definitely_not_null(bare))
            && !(bare.is_null() && other_bare.is_null())
        {
            return Self::FALSE.with_marks(&super::marks_of(self, other));
        }
        if self.contains_marked() || other.contains_marked() {
            let (a, marks) = self.unmark_deep();
            let (b, more) =
                if self.is_one_with(other) { (a.clone(), marks.clone()) } else { other.unmark_deep() };
            return a.equals(&b).with_marks(&marks.union(&more));
        }
        match equal(self, other, false, &mut Pairs::default()) {
            Answer::Yes => Self::TRUE,
            Answer::No => Self::FALSE,
            Answer::Unknown => unknown_not_null(Type::Bool),
        }
    }

    #[doc(hidden)]
    /// The opposite of [`Value::equals`].
    #[must_use]
    pub fn not_equals(&self, other: &Self) -> Self {
        let equal = self.equals(other);
        match equal.bare().as_bool() {
            Some(answer) => Self::from(!answer).with_marks(&equal.marks()),
            None => equal,
        }
    }
}

/// Compares two values. With `typed`, their types are known to be equal.
fn equal(a: &Value, b: &Value, typed: bool, pairs: &mut Pairs<Answer>) -> Answer {
    match (&a.0, &b.0) {
        (Repr::Number(a), Repr::Number(b)) => return (a == b).into(),
        (Repr::String(a), Repr::String(b)) => return equal_texts(a, b).into(),
        (Repr::Bool(a), Repr::Bool(b)) => return (a == b).into(),
        _ => {}
    }
    match (a.is_null(), b.is_null()) {
        (true, true) => return Answer::Yes,
        (true, false) if definitely_not_null(b) => return Answer::No,
        (false, true) if definitely_not_null(a) => return Answer::No,
        _ => {}
    }
    match (a.is_known(), b.is_known()) {
        (true, false) => return against_unknown(a, b),
        (false, true) => return against_unknown(b, a),
        (false, false) => return Answer::Unknown,
        (true, true) => {}
    }
    if a.is_one_with(b) && a.is_wholly_known() {
        return Answer::Yes;
    }
    if a.has_dynamic_type() || b.has_dynamic_type() {
        return if a.ty().could_equal(&b.ty()) { Answer::Unknown } else { Answer::No };
    }
    count_parts(a.parts().len());
    if !typed && a.ty() != b.ty() {
        return Answer::No;
    }
    let places = a.places_with(b);
    if let Some(found) = pairs.found(places) {
        return found;
    }
    let found = equal_parts(a, b, pairs);
    pairs.keep(places, found)
}

/// Compares known values of one type.
fn equal_parts(a: &Value, b: &Value, pairs: &mut Pairs<Answer>) -> Answer {
    match (&a.0, &b.0) {
        (Repr::List(_), Repr::List(_)) | (Repr::Tuple(_), Repr::Tuple(_)) => {
            in_order(a.parts(), b.parts(), pairs)
        }
        (Repr::Map(x), Repr::Map(y)) if x.keys() != y.keys() => Answer::No,
        (Repr::Map(_), Repr::Map(_)) | (Repr::Object(_), Repr::Object(_)) => {
            named(a.parts(), b.parts(), pairs)
        }
        (Repr::Set(x), Repr::Set(y)) => {
            if x.iter().chain(y.iter()).any(|element| !element.is_known()) {
                return Answer::Unknown;
            }
            // An element with unknown parts equals no other element.
            let known = a.is_wholly_known() && b.is_wholly_known();
            (known
                && x.len() == y.len()
                && x.iter().zip(y.iter()).all(|(x, y)| SetElement(x) == SetElement(y)))
            .into()
        }
        (Repr::Capsule(x), Repr::Capsule(y)) => (x == y).into(),
        _ => Answer::No,
    }
}

/// The answer of the first pair that is not certainly equal.
fn in_order(a: &[Value], b: &[Value], pairs: &mut Pairs<Answer>) -> Answer {
    if a.len() != b.len() {
        return Answer::No;
    }
    for (a, b) in a.iter().zip(b) {
        let answer = equal(a, b, true, pairs);
        if answer != Answer::Yes {
            return answer;
        }
    }
    Answer::Yes
}

/// `No` if any pair certainly differs, whichever comes first.
fn named(a: &[Value], b: &[Value], pairs: &mut Pairs<Answer>) -> Answer {
    let mut answer = Answer::Yes;
    for (a, b) in a.iter().zip(b) {
        match equal(a, b, true, pairs) {
            Answer::Yes => {}
            Answer::No => return Answer::No,
            Answer::Unknown => answer = Answer::Unknown,
        }
    }
    answer
}

fn definitely_not_null(value: &Value) -> bool {
    value.is_known() || value.refinement().is_not_null()
}

fn against_unknown(known: &Value, unknown: &Value) -> Answer {
    let range = unknown.refinement();
    let ty = unknown.ty();
    let other_type = !known.is_null() && !known.ty().matches(&ty);
    if other_type || (ty != Type::Dynamic && !range.admits(known)) {
        return Answer::No;
    }
    Answer::Unknown
}
