//! Conversion between values and types of the standard library that are written as strings or numbers, and pointers.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16,
    NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::{FromValue, IntoValue, Typed, text};
use crate::{Error, Type, Value};

plain_types! {
    char: Type::String, PathBuf: Type::String, Box<str>: Type::String, Rc<str>: Type::String, Arc<str>: Type::String,
    Box<Path>: Type::String,
}

#[doc(hidden)]
impl FromValue for char {
    fn from_value(value: &Value) -> Result<Self, Error> {
        let text = text(value)?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(Error::new(format!("expected one character, found {}", value.show().with_limit(40)))),
        }
    }
}

#[doc(hidden)]
impl IntoValue for char {
    fn to_value(&self) -> Result<Value, Error> {
        Ok(Value::from(*self))
    }
}

#[doc(hidden)]
impl From<char> for Value {
    fn from(character: char) -> Self {
        Self::from(&*character.encode_utf8(&mut [0; 4]))
    }
}

/// Types that are made from a `String`.
macro_rules! from_strings {
    ($($rust:ty),*) => {$(
        #[doc(hidden)]
        impl FromValue for $rust {
            fn from_text<'t>(text: impl FnOnce() -> Option<Cow<'t, str>>) -> Option<Self> {
                String::from_text(text).map(Into::into)
            }

            fn from_value(value: &Value) -> Result<Self, Error> {
                String::from_value(value).map(Into::into)
            }
        }
    )*};
}

from_strings!(PathBuf, Box<str>, Rc<str>, Arc<str>, Cow<'_, str>);

#[doc(hidden)]
impl FromValue for Box<Path> {
    fn from_value(value: &Value) -> Result<Self, Error> {
        PathBuf::from_value(value).map(Into::into)
    }
}

macro_rules! text_into_value {
    ($($rust:ty),*) => {$(
        #[doc(hidden)]
        impl IntoValue for $rust {
            fn to_value(&self) -> Result<Value, Error> {
                Ok(Value::from(&**self))
            }
        }
    )*};
}

text_into_value!(Box<str>, Rc<str>, Arc<str>, Cow<'_, str>);

#[doc(hidden)]
impl Typed for Cow<'_, str> {
    fn value_type() -> Type {
        Type::String
    }
}

#[doc(hidden)]
impl Typed for Path {
    fn value_type() -> Type {
        Type::String
    }
}

/// A path that is not valid Unicode is an error.
#[doc(hidden)]
impl IntoValue for Path {
    fn to_value(&self) -> Result<Value, Error> {
        match self.to_str() {
            Some(text) => Ok(Value::from(text)),
            None => Err(Error::new(format!("the path {} is not valid Unicode", self.display()))),
        }
    }
}

/// A path that is not valid Unicode is an error.
#[doc(hidden)]
impl IntoValue for PathBuf {
    fn to_value(&self) -> Result<Value, Error> {
        self.as_path().to_value()
    }
}

/// A path that is not valid Unicode is an error.
#[doc(hidden)]
impl IntoValue for Box<Path> {
    fn to_value(&self) -> Result<Value, Error> {
        self.as_ref().to_value()
    }
}

macro_rules! addresses {
    ($($rust:ty: $expected:literal),*) => {$(
        plain_types!($rust: Type::String);

        #[doc(hidden)]
        impl FromValue for $rust {
            fn from_value(value: &Value) -> Result<$rust, Error> {
                text(value)?.parse().map_err(|_| {
                    Error::new(format!("expected {}, found {}", $expected, value.show().with_limit(40)))
                })
            }
        }

        #[doc(hidden)]
        impl IntoValue for $rust {
            fn to_value(&self) -> Result<Value, Error> {
                Ok(Value::from(*self))
            }
        }

        #[doc(hidden)]
        impl From<$rust> for Value {
            fn from(address: $rust) -> Value {
                Value::from(address.to_string())
            }
        }
    )*};
}

addresses! {
    IpAddr: "an IP address",
    Ipv4Addr: "an IPv4 address",
    Ipv6Addr: "an IPv6 address",
    SocketAddr: "an IP address and a port, such as \"127.0.0.1:80\"",
    SocketAddrV4: "an IPv4 address and a port, such as \"127.0.0.1:80\"",
    SocketAddrV6: "an IPv6 address and a port, such as \"[::1]:80\""
}

macro_rules! non_zero {
    ($($rust:ty: $integer:ty),*) => {$(
        plain_types!($rust: Type::Number);

        #[doc(hidden)]
        impl FromValue for $rust {
            fn from_value(value: &Value) -> Result<$rust, Error> {
                <$rust>::new(<$integer>::from_value(value)?).ok_or_else(|| Error::new("the number must not be 0"))
            }
        }

        #[doc(hidden)]
        impl IntoValue for $rust {
            fn to_value(&self) -> Result<Value, Error> {
                Ok(Value::from(self.get()))
            }
        }
    )*};
}

non_zero! {
    NonZeroI8: i8, NonZeroI16: i16, NonZeroI32: i32, NonZeroI64: i64, NonZeroI128: i128, NonZeroIsize: isize,
    NonZeroU8: u8, NonZeroU16: u16, NonZeroU32: u32, NonZeroU64: u64, NonZeroU128: u128, NonZeroUsize: usize
}

/// Pointers are read and written like what they point to.
macro_rules! pointers {
    ($($pointer:ident),*) => {$(
        #[doc(hidden)]
        impl<T: Typed> Typed for $pointer<T> {
            fn value_type() -> Type {
                T::value_type()
            }

            fn names() -> &'static [&'static str] {
                T::names()
            }

            fn is_nullable() -> bool {
                T::is_nullable()
            }
        }

        #[doc(hidden)]
        impl<T: FromValue> FromValue for $pointer<T> {
            const READS_TUPLES: bool = T::READS_TUPLES;

            fn from_text<'t>(text: impl FnOnce() -> Option<Cow<'t, str>>) -> Option<Self> {
                T::from_text(text).map($pointer::new)
            }

            fn from_texts<'t, I: Iterator<Item = Cow<'t, str>>>(
                texts: impl FnOnce() -> Option<I>,
            ) -> Option<Self> {
                T::from_texts(texts).map($pointer::new)
            }

            fn from_value(value: &Value) -> Result<Self, Error> {
                T::from_value(value).map($pointer::new)
            }
        }

        #[doc(hidden)]
        impl<T: IntoValue> IntoValue for $pointer<T> {
            fn to_value(&self) -> Result<Value, Error> {
                (**self).to_value()
            }
        }
    )*};
}

pointers!(Box, Rc, Arc);
