//! Matching types against type specifications (information model, "Type Specifications").

use std::sync::Arc;

use super::{ObjectType, Type};

impl Type {
    /// Whether this type is the specification, or differs only where the specification says
    /// [`Type::Dynamic`]. Optional attributes of the specification must be there.
    pub fn matches(&self, specification: &Type) -> bool {
        match (self, specification) {
            _ if self.is_one_with(specification) => true,
            (_, Type::Dynamic) => true,
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
                a.matches(b)
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.elements.len() == b.elements.len()
                    && a.elements.iter().zip(&b.elements).all(|(a, b)| a.matches(b))
            }
            (Type::Object(a), Type::Object(b)) => {
                a.names == b.names && a.types.iter().zip(&b.types).all(|(a, b)| a.matches(b))
            }
            (a, b) => a == b,
        }
    }

    /// Whether both are one and the same in memory, so that their parts need not be compared.
    pub(crate) fn is_one_with(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
                Arc::ptr_eq(a, b)
            }
            (Type::Tuple(a), Type::Tuple(b)) => Arc::ptr_eq(a, b),
            (Type::Object(a), Type::Object(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Whether two types could be one, whatever the dynamic pseudo-types in them turn out to be.
    pub(crate) fn could_equal(&self, other: &Type) -> bool {
        self.matches(other) || other.matches(self)
    }

    /// Whether the types are the same but for which attributes are optional.
    pub(crate) fn same_but_optional(&self, other: &Type) -> bool {
        match (self, other) {
            _ if self.is_one_with(other) => true,
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
                a.same_but_optional(b)
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.elements.len() == b.elements.len()
                    && a.elements.iter().zip(&b.elements).all(|(a, b)| a.same_but_optional(b))
            }
            (Type::Object(a), Type::Object(b)) => same_attributes(a, b),
            (a, b) => a == b,
        }
    }
}

fn same_attributes(a: &ObjectType, b: &ObjectType) -> bool {
    a.names == b.names && a.types.iter().zip(&b.types).all(|(a, b)| a.same_but_optional(b))
}
