//! Operations on values (information model, "Values and Value Types"): unknown operands give unknown
//! results, refined as far as the operands tell; marks of operands are on the result; null operands
//! and operands of other types are errors.

mod access;
mod arithmetic;
mod equality;
mod order;

use crate::path::Error;
use crate::refine::Refinement;
use crate::{Marks, Type, Value};

/// An unknown value of the type that is known not to be null.
fn unknown_not_null(ty: Type) -> Value {
    Value::from_unknown(ty, Refinement { not_null: true, ..Refinement::default() })
}

/// The marks of both operands.
fn marks_of(a: &Value, b: &Value) -> Marks {
    a.marks().union(&b.marks())
}

/// An operand is of a type, or of the dynamic pseudo-type.
fn check_operand(value: &Value, ty: &Type) -> Result<(), Error> {
    if value.has_type(ty) || value.has_type(&Type::Dynamic) {
        return Ok(());
    }
    Err(Error::without_values(format!("a {} is required", ty.friendly_name())))
}

/// What an operation says of a null operand, where no other operand made its result unknown before.
fn null_operand(ty: &Type) -> Error {
    Error::without_values(format!("a {} is required, not null", ty.friendly_name()))
}

/// Whether there is nothing to compute with: the operand is not known, or its type is not.
fn is_open(value: &Value) -> bool {
    !value.is_known() || value.has_type(&Type::Dynamic)
}
