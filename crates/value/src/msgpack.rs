//! MessagePack, byte for byte as the reference writes it, including unknown values and their refinements.
//! Terraform and its plugins exchange values in this format.

mod decode;
mod encode;

use crate::error::Error;
use crate::{Type, Value};

/// The extension type of an unknown value with refinements.
const REFINED: u8 = 12;

// Keys of the refinements of an unknown value.
const NULLNESS: i64 = 1;
const PREFIX: i64 = 2;
const NUMBER_MIN: i64 = 3;
const NUMBER_MAX: i64 = 4;
const LENGTH_MIN: i64 = 5;
const LENGTH_MAX: i64 = 6;

impl Value {
    /// The value as MessagePack, converted to the given type if its own type does not match. Where the given type
    /// is [`Type::Dynamic`], the value's type is written before it.
    ///
    /// ```
    /// use hclkit_value::{Type, Value};
    ///
    /// let list = Value::list([Value::from("a"), Value::unknown(Type::String)])?;
    /// let bytes = list.to_msgpack(&list.ty())?;
    /// assert_eq!(bytes, [0x92, 0xa1, b'a', 0xd4, 0, 0]);
    /// assert_eq!(Value::from_msgpack(&bytes, &list.ty())?, list);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The value cannot be converted to the type, or contains a marked value or a capsule, or there are more bytes than the limit
    /// allows.
    pub fn to_msgpack(&self, ty: &Type) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        encode::value(&*self.to_encode(ty)?, ty, &mut out)?;
        Ok(out)
    }

    /// Reads a value of a given type from MessagePack in the form that [`Value::to_msgpack`] writes.
    ///
    /// # Errors
    /// The bytes are not MessagePack, are nested deeper than 1,000 levels, or do not match the type. The path
    /// of the error leads to the part that does not match.
    pub fn from_msgpack(bytes: &[u8], ty: &Type) -> Result<Self, Error> {
        decode::value(&mut decode::Reader::new(bytes), ty)
    }
}

impl Type {
    #[doc(hidden)]
    /// The type that MessagePack implies: objects and tuples, never collections.
    ///
    /// # Errors
    /// The bytes are not MessagePack, continue after the value, or are nested deeper than 1,000 levels.
    pub fn implied_by_msgpack(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = decode::Reader::new(bytes);
        let ty = decode::implied(&mut reader)?;
        reader.finish()?;
        Ok(ty)
    }
}
