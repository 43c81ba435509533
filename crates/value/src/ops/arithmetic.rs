//! Arithmetic on numbers and logic on bools.

use super::{check_operand, is_open, marks_of, null_operand, unknown_not_null};
use crate::error::Error;
use crate::number::integers;
use crate::refine::{Bound, Refinement, settled};
use crate::value::Repr;
use crate::{Number, NumberError, Type, Value};

type Operation = dyn Fn(&Number, &Number) -> Result<Number, NumberError>;

/// Applies an operation to numbers, with a fast path for integers whose result is an integer.
#[inline]
fn arithmetic(
    a: &Value,
    b: &Value,
    integers: impl FnOnce(i64, i64) -> Option<i64>,
    operation: &Operation,
    ranged: bool,
) -> Result<Value, Error> {
    match (&a.0, &b.0) {
        (Repr::Number(x), Repr::Number(y)) => match x.on_integers(y, integers) {
            Some(done) => Ok(Value::from(done)),
            None => of_numbers(x, y, operation),
        },
        _ => of_any(a, b, operation, ranged),
    }
}

#[inline(never)]
fn of_numbers(a: &Number, b: &Number, operation: &Operation) -> Result<Value, Error> {
    Ok(Value::from(operation(a, b)?))
}

#[inline(never)]
fn of_any(a: &Value, b: &Value, operation: &Operation, ranged: bool) -> Result<Value, Error> {
    let marks = marks_of(a, b);
    let (a, b) = (a.bare(), b.bare());
    check_operand(a, &Type::Number)?;
    check_operand(b, &Type::Number)?;
    let result = match (a.as_number(), b.as_number()) {
        (Some(x), Some(y)) => Value::from(operation(x, y)?),
        _ if !is_open(a) && !is_open(b) => return Err(null_operand(&Type::Number)),
        _ if ranged => settled(Type::Number, range_of(&a.refinement(), &b.refinement(), operation)),
        _ => unknown_not_null(Type::Number),
    };
    Ok(result.with_marks(&marks))
}

/// The range of the results, computed from the ends of the operands' ranges. Open ends count as
/// infinities. If there is no result for some ends, the range is unbounded.
fn range_of(a: &Refinement, b: &Refinement, operation: &Operation) -> Refinement {
    let mut range = Refinement { not_null: true, ..Refinement::default() };
    let ends = |range: &Refinement| {
        let number = |bound: &Option<Bound>| bound.as_ref().map(|bound| bound.number.clone());
        [
            number(&range.min).unwrap_or_else(Number::neg_infinity),
            number(&range.max).unwrap_or_else(Number::infinity),
        ]
    };
    let mut results = Vec::with_capacity(4);
    for x in ends(a) {
        for y in ends(b) {
            let Ok(number) = operation(&x, &y) else { return range };
            results.push(number);
        }
    }
    // An infinity at the open end is not a bound. One at the other end is: the result can be nothing else.
    let bound = |number: Option<&Number>, open: i8| {
        let number = number.filter(|number| !(number.is_infinite() && number.signum() == open))?.clone();
        Some(Bound { number, inclusive: true })
    };
    range.min = bound(results.iter().min_by(|x, y| x.compare(y)), -1);
    range.max = bound(results.iter().max_by(|x, y| x.compare(y)), 1);
    range
}

impl Value {
    /// The sum of two numbers.
    ///
    /// # Errors
    /// An operand is null or not a number, or the operands are infinities whose sum is undefined.
    #[inline]
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        arithmetic(self, other, i64::checked_add, &Number::add, true)
    }

    #[doc(hidden)]
    /// The difference of two numbers.
    ///
    /// # Errors
    /// Same as [`Value::add`].
    #[inline]
    pub fn subtract(&self, other: &Self) -> Result<Self, Error> {
        arithmetic(self, other, i64::checked_sub, &Number::subtract, true)
    }

    #[doc(hidden)]
    /// The product of two numbers.
    ///
    /// # Errors
    /// Same as [`Value::add`]; also zero times infinity.
    #[inline]
    pub fn multiply(&self, other: &Self) -> Result<Self, Error> {
        arithmetic(self, other, integers::product, &Number::multiply, true)
    }

    #[doc(hidden)]
    /// The quotient of two numbers. Division by zero gives an infinity.
    ///
    /// # Errors
    /// Same as [`Value::add`]; also zero divided by zero, and infinity divided by infinity.
    #[inline]
    pub fn divide(&self, other: &Self) -> Result<Self, Error> {
        arithmetic(self, other, integers::quotient, &Number::divide_inexactly, false)
    }

    #[doc(hidden)]
    /// The remainder of the division of two numbers that truncates toward zero.
    ///
    /// # Errors
    /// Same as [`Value::add`].
    #[inline]
    pub fn modulo(&self, other: &Self) -> Result<Self, Error> {
        arithmetic(self, other, |_, _| None, &Number::modulo, false)
    }

    #[doc(hidden)]
    /// The number with the opposite sign.
    ///
    /// # Errors
    /// The operand is null or not a number.
    pub fn negate(&self) -> Result<Self, Error> {
        self.on_number(Number::negate)
    }

    #[doc(hidden)]
    /// The absolute value of a number.
    ///
    /// # Errors
    /// The operand is null or not a number.
    pub fn abs(&self) -> Result<Self, Error> {
        let result = self.on_number(Number::abs)?;
        if result.is_known() {
            return Ok(result);
        }
        result.refine().with_min(Number::ZERO).finish()
    }

    fn on_number(&self, operation: fn(&Number) -> Number) -> Result<Self, Error> {
        if let Repr::Number(number) = &self.0 {
            return Ok(Self::from(operation(number)));
        }
        check_operand(self.bare(), &Type::Number)?;
        let result = match self.bare().as_number() {
            Some(number) => Self::from(operation(number)),
            None if is_open(self) => unknown_not_null(Type::Number),
            None => return Err(null_operand(&Type::Number)),
        };
        Ok(result.with_marks(&self.marks()))
    }

    /// Logical "and" of two bools.
    ///
    /// # Errors
    /// An operand is null or not a bool.
    pub fn and(&self, other: &Self) -> Result<Self, Error> {
        logic(self, other, false)
    }

    /// Logical "or" of two bools.
    ///
    /// # Errors
    /// An operand is null or not a bool.
    pub fn or(&self, other: &Self) -> Result<Self, Error> {
        logic(self, other, true)
    }

    /// Logical "not" of a bool.
    ///
    /// # Errors
    /// The operand is null or not a bool.
    pub fn not(&self) -> Result<Self, Error> {
        check_operand(self.bare(), &Type::Bool)?;
        let result = match self.bare().as_bool() {
            Some(flag) => Self::from(!flag),
            None if is_open(self) => unknown_not_null(Type::Bool),
            None => return Err(null_operand(&Type::Bool)),
        };
        Ok(result.with_marks(&self.marks()))
    }
}

/// A `decisive` operand determines the result even if the other one is unknown.
fn logic(a: &Value, b: &Value, decisive: bool) -> Result<Value, Error> {
    let marks = marks_of(a, b);
    let (a, b) = (a.bare(), b.bare());
    check_operand(a, &Type::Bool)?;
    check_operand(b, &Type::Bool)?;
    let result = match (a.as_bool(), b.as_bool()) {
        (Some(flag), _) if flag == decisive => Value::from(decisive),
        (None, _) if !is_open(a) && !is_open(b) => return Err(null_operand(&Type::Bool)),
        (_, Some(flag)) if flag == decisive => Value::from(decisive),
        (Some(_), Some(_)) => Value::from(!decisive),
        (_, None) if !is_open(a) && !is_open(b) => return Err(null_operand(&Type::Bool)),
        _ => unknown_not_null(Type::Bool),
    };
    Ok(result.with_marks(&marks))
}
