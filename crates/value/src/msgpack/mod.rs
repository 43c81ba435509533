//! MessagePack, byte for byte as the reference writes it, unknown values and what is known of them
//! included: the form in which Terraform and its plugins exchange values.

mod decode;
mod encode;

use crate::path::Error;
use crate::{Type, Value};

/// Extension type of an unknown value about which something is known.
const REFINED: u8 = 12;

// Keys of what is known of an unknown value.
const NULLNESS: i64 = 1;
const PREFIX: i64 = 2;
const NUMBER_MIN: i64 = 3;
const NUMBER_MAX: i64 = 4;
const LENGTH_MIN: i64 = 5;
const LENGTH_MAX: i64 = 6;

impl Value {
    /// The value as MessagePack, converted to the given type if its own does not match that. Where the given type
    /// says [`Type::Dynamic`], the value's type is written before it.
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
    /// A value that cannot be converted to the type, and parts that have marks or are capsules.
    pub fn to_msgpack(&self, ty: &Type) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        encode::value(&*self.to_encode(ty)?, ty, &mut out)?;
        Ok(out)
    }

    /// The value of a type that MessagePack holds, as [`Value::to_msgpack`] writes it.
    ///
    /// # Errors
    /// Bytes that are no MessagePack, are nested deeper than 1,000 levels, or hold something else than
    /// the type says; the path leads to the part.
    pub fn from_msgpack(bytes: &[u8], ty: &Type) -> Result<Value, Error> {
        decode::value(&mut decode::Reader::new(bytes), ty)
    }
}

impl Type {
    /// The type that MessagePack implies: objects and tuples, never collections.
    ///
    /// # Errors
    /// Bytes that are no MessagePack, have more behind the value, or are nested deeper than 1,000 levels.
    pub fn implied_by_msgpack(bytes: &[u8]) -> Result<Type, Error> {
        let mut reader = decode::Reader::new(bytes);
        let ty = decode::implied(&mut reader)?;
        reader.finish()?;
        Ok(ty)
    }
}
