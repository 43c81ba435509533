//! Operations on values (information model, "Values and Value Types"). Unknown operands give unknown
//! results, refined as far as the operands allow. Results get the marks of the operands. Null operands
//! and operands of other types are errors.

mod access;
mod arithmetic;
mod equality;
mod order;

use crate::error::Error;
use crate::refine::Refinement;
use crate::{Marks, Type, Value};

/// An unknown value of a type that is known not to be null.
fn unknown_not_null(ty: Type) -> Value {
    Value::from_unknown(ty, Refinement { not_null: true, ..Refinement::default() })
}

/// The marks of both operands.
fn marks_of(a: &Value, b: &Value) -> Marks {
    a.marks().union(&b.marks())
}

/// Checks that an operand has a type, or the dynamic pseudo-type.
fn check_operand(value: &Value, ty: &Type) -> Result<(), Error> {
    if value.has_type(ty) || value.has_type(&Type::Dynamic) {
        return Ok(());
    }
    Err(Error::without_values(format!("a {} is required", ty.friendly_name())))
}

/// The error for a null operand, if no other operand makes the result unknown.
fn null_operand(ty: &Type) -> Error {
    Error::without_values(format!("a {} is required, not null", ty.friendly_name()))
}

/// Returns true if the operand, or at least its type, is unknown.
fn is_open(value: &Value) -> bool {
    !value.is_known() || value.has_type(&Type::Dynamic)
}
