//! The order of numbers.

use std::cmp::Ordering;

use super::{check_operand, is_open, marks_of, null_operand, unknown_not_null};
use crate::error::Error;
use crate::refine::Bound;
use crate::{Type, Value};

impl Value {
    #[doc(hidden)]
    /// Whether a number is less than another one. The ranges of unknown numbers may determine the result.
    ///
    /// # Errors
    /// An operand is null or not a number.
    pub fn less_than(&self, other: &Self) -> Result<Self, Error> {
        ordered(self, other, Ordering::is_lt)
    }

    #[doc(hidden)]
    /// Whether a number is less than or equal to another one.
    ///
    /// # Errors
    /// Same as [`Value::less_than`].
    pub fn less_or_equal(&self, other: &Self) -> Result<Self, Error> {
        or_equal(self, other, Self::less_than)
    }

    #[doc(hidden)]
    /// Whether a number is greater than another one.
    ///
    /// # Errors
    /// Same as [`Value::less_than`].
    pub fn greater_than(&self, other: &Self) -> Result<Self, Error> {
        ordered(self, other, Ordering::is_gt)
    }

    #[doc(hidden)]
    /// Whether a number is greater than or equal to another one.
    ///
    /// # Errors
    /// Same as [`Value::less_than`].
    pub fn greater_or_equal(&self, other: &Self) -> Result<Self, Error> {
        or_equal(self, other, Self::greater_than)
    }
}

/// The strict comparison, or equality. Nulls are equal; the equality of two unknown numbers is unknown, even if the
/// strict comparison is known. Numbers of different precisions can be equal although one is less.
fn or_equal(
    a: &Value,
    b: &Value,
    strictly: fn(&Value, &Value) -> Result<Value, Error>,
) -> Result<Value, Error> {
    let result = strictly(a, b)?;
    match result.as_bool() {
        Some(true) if a.as_number().is_some() && b.as_number().is_some() => Ok(result),
        _ => result.or(&a.equals(b)),
    }
}

fn ordered(a: &Value, b: &Value, holds: fn(Ordering) -> bool) -> Result<Value, Error> {
    if let (Some(x), Some(y)) = (a.as_number(), b.as_number()) {
        return Ok(Value::from(holds(x.compare(y))));
    }
    let marks = marks_of(a, b);
    let (a, b) = (a.bare(), b.bare());
    check_operand(a, &Type::Number)?;
    check_operand(b, &Type::Number)?;
    let result = match (a.as_number(), b.as_number()) {
        (Some(x), Some(y)) => Value::from(holds(x.compare(y))),
        _ if !is_open(a) && !is_open(b) => return Err(null_operand(&Type::Number)),
        _ => {
            let (x, y) = (a.refinement(), b.refinement());
            let below = all_below(x.max.as_ref(), y.min.as_ref());
            let above = all_below(y.max.as_ref(), x.min.as_ref());
            match (below, above) {
                (true, _) => Value::from(holds(Ordering::Less)),
                (_, true) => Value::from(holds(Ordering::Greater)),
                _ => unknown_not_null(Type::Bool),
            }
        }
    };
    Ok(result.with_marks(&marks))
}

/// Returns true if all numbers up to `max` are less than all numbers from `min`.
fn all_below(max: Option<&Bound>, min: Option<&Bound>) -> bool {
    max.zip(min).is_some_and(|(max, min)| max.number.compare(&min.number) == Ordering::Less)
}
