//! Writes Rust values as attributes.

use hclkit_value::{Error, IntoValue, Value};

use super::{MaybeUnknown, Spanned};
use crate::Expression;

/// The value or source of an attribute.
#[derive(Clone, Debug)]
pub enum Encoded {
    /// A value.
    Value(Value),
    /// An expression, as it was written.
    Expression(Expression),
}

/// A Rust type that an attribute can be set to. Every type that implements [`IntoValue`] is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as an attribute",
    note = "add `#[derive(IntoValue)]` to the type, or `#[hcl(block)]` to the field"
)]
pub trait EncodeAttribute {
    /// Returns the value or source for the attribute.
    ///
    /// # Errors
    /// HCL cannot express the value.
    fn encode_attribute(&self) -> Result<Encoded, Error>;
}

impl<T: IntoValue> EncodeAttribute for T {
    fn encode_attribute(&self) -> Result<Encoded, Error> {
        self.to_value().map(Encoded::Value)
    }
}

impl EncodeAttribute for Expression {
    fn encode_attribute(&self) -> Result<Encoded, Error> {
        Ok(Encoded::Expression(self.clone()))
    }
}

impl<T: EncodeAttribute> EncodeAttribute for Spanned<T> {
    fn encode_attribute(&self) -> Result<Encoded, Error> {
        self.get().encode_attribute()
    }
}

impl<T: EncodeAttribute> EncodeAttribute for MaybeUnknown<T> {
    fn encode_attribute(&self) -> Result<Encoded, Error> {
        match self {
            Self::Known(value) => value.encode_attribute(),
            Self::Unknown(value) => Ok(Encoded::Value(value.clone())),
        }
    }
}
