//! `Deserialize` for values with places, expressions and bodies, which the deserializer of `hclkit` provides, and
//! `Serialize` for those that can be written.

use std::fmt;
use std::marker::PhantomData;

use hclkit_syntax::Place;
use hclkit_value::serde::handover::receive;
use serde_core::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::typed::Spanned;
use crate::{Body, Expression};

/// The names of the newtypes that request these types.
pub mod names {
    pub const SPANNED: &str = "$hclkit::Spanned";
    pub const EXPRESSION: &str = "$hclkit::Expression";
    pub const BODY: &str = "$hclkit::Body";
}

/// The value with its place. For formats other than HCL, and for data that serde buffers (`flatten`, untagged and
/// internally tagged enums), the place is [nowhere](Place::nowhere).
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(names::SPANNED, SpannedVisitor(PhantomData))
    }
}

struct SpannedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for SpannedVisitor<T> {
    type Value = Spanned<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Spanned<T>, D::Error> {
        let place = receive().unwrap_or_else(Place::nowhere);
        Ok(Spanned::new(T::deserialize(deserializer)?, place))
    }
}

/// The value, without its place.
impl<T: Serialize> Serialize for Spanned<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().serialize(serializer)
    }
}

/// The expression, unevaluated. It can be read only from HCL, and not from data that serde buffers.
impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = HandedVisitor("an expression", PhantomData);
        deserializer.deserialize_newtype_struct(names::EXPRESSION, visitor)
    }
}

/// The expression in HCL; in other formats its source text.
impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(names::EXPRESSION, self.text())
    }
}

/// The body of a block. It can be read only from HCL, and not from data that serde buffers.
impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = HandedVisitor("the body of a block", PhantomData);
        deserializer.deserialize_newtype_struct(names::BODY, visitor)
    }
}

struct HandedVisitor<T>(&'static str, PhantomData<T>);

impl<'de, T: 'static> Visitor<'de> for HandedVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, _: D) -> Result<T, D::Error> {
        receive().ok_or_else(|| D::Error::custom(format_args!("{} can be read only from HCL", self.0)))
    }
}
