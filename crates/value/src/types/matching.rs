//! Matching types against type specifications (information model, "Type Specifications").

use std::sync::Arc;

use super::{ObjectType, TupleType, Type};
use crate::pairs::{Pairs, Places, shared_place};

impl PartialEq for Type {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::String, Self::String)
            | (Self::Number, Self::Number)
            | (Self::Bool, Self::Bool)
            | (Self::Dynamic, Self::Dynamic) => true,
            _ => same(self, other, &mut Pairs::default()),
        }
    }
}

impl PartialEq for TupleType {
    fn eq(&self, other: &Self) -> bool {
        same_elements(self, other, &mut Pairs::default())
    }
}

impl PartialEq for ObjectType {
    fn eq(&self, other: &Self) -> bool {
        same_attributes(self, other, &mut Pairs::default())
    }
}

fn same(a: &Type, b: &Type, pairs: &mut Pairs<bool>) -> bool {
    match (a, b) {
        (Type::String, Type::String)
        | (Type::Number, Type::Number)
        | (Type::Bool, Type::Bool)
        | (Type::Dynamic, Type::Dynamic) => true,
        _ if a.is_one_with(b) => true,
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            same(a, b, pairs)
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            let places = places(a, b, &a.elements);
            pairs.found(places).is_some() || same_elements(a, b, pairs) && pairs.keep(places, true)
        }
        (Type::Object(a), Type::Object(b)) => {
            let places = places(a, b, &a.types);
            pairs.found(places).is_some() || same_attributes(a, b, pairs) && pairs.keep(places, true)
        }
        (Type::Capsule(a), Type::Capsule(b)) => a == b,
        _ => false,
    }
}

/// The addresses of both, if a comparison may meet the pair again and a lookup is cheaper than comparing them again.
fn places<T>(a: &Arc<T>, b: &Arc<T>, parts: &[Type]) -> Option<Places> {
    let shallow = parts.iter().all(|part| !part.is_structural() && !part.is_collection());
    if shallow { None } else { shared_place(a).zip(shared_place(b)) }
}

fn same_elements(a: &TupleType, b: &TupleType, pairs: &mut Pairs<bool>) -> bool {
    a.elements.len() == b.elements.len() && all_same(&a.elements, &b.elements, pairs)
}

fn same_attributes(a: &ObjectType, b: &ObjectType, pairs: &mut Pairs<bool>) -> bool {
    a.names == b.names && a.optional == b.optional && all_same(&a.types, &b.types, pairs)
}

fn all_same(a: &[Type], b: &[Type], pairs: &mut Pairs<bool>) -> bool {
    for (a, b) in a.iter().zip(b) {
        if !same(a, b, pairs) {
            return false;
        }
    }
    true
}

impl Type {
    /// Returns true if this type equals the specification, or differs only where the specification is
    /// [`Type::Dynamic`]. Attributes that are optional in the specification must be present.
    #[doc(hidden)]
    pub fn matches(&self, specification: &Self) -> bool {
        alike(self, specification, true, &mut Pairs::default())
    }

    /// Returns true if both are the same allocation, so that their parts need not be compared.
    pub(crate) fn is_one_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(a), Self::List(b)) | (Self::Set(a), Self::Set(b)) | (Self::Map(a), Self::Map(b)) => {
                Arc::ptr_eq(a, b)
            }
            (Self::Tuple(a), Self::Tuple(b)) => Arc::ptr_eq(a, b),
            (Self::Object(a), Self::Object(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Returns true if the types may turn out to be equal once the dynamic pseudo-types in them are known.
    pub(crate) fn could_equal(&self, other: &Self) -> bool {
        self.matches(other) || other.matches(self)
    }

    /// Returns true if the types are equal except for which attributes are optional.
    pub(crate) fn same_but_optional(&self, other: &Self) -> bool {
        alike(self, other, false, &mut Pairs::default())
    }
}

/// Returns true if two types are equal except for which attributes are optional. With `any`, they may also differ where
/// the second type is the dynamic pseudo-type.
fn alike(a: &Type, b: &Type, any: bool, pairs: &mut Pairs<bool>) -> bool {
    match (a, b) {
        _ if a.is_one_with(b) => true,
        (_, Type::Dynamic) if any => true,
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            alike(a, b, any, pairs)
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            let places = places(a, b, &a.elements);
            pairs.found(places).is_some()
                || a.elements.len() == b.elements.len()
                    && all_alike(&a.elements, &b.elements, any, pairs)
                    && pairs.keep(places, true)
        }
        (Type::Object(a), Type::Object(b)) => {
            let places = places(a, b, &a.types);
            pairs.found(places).is_some()
                || a.names == b.names && all_alike(&a.types, &b.types, any, pairs) && pairs.keep(places, true)
        }
        (a, b) => a == b,
    }
}

fn all_alike(a: &[Type], b: &[Type], any: bool, pairs: &mut Pairs<bool>) -> bool {
    for (a, b) in a.iter().zip(b) {
        if !alike(a, b, any, pairs) {
            return false;
        }
    }
    true
}
