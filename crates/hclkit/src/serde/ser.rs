//! Writing with serde: any `Serialize` becomes a [`Written`], which becomes a value or, in `ser/body.rs`, the text of
//! a body.

#[cfg(feature = "write")]
mod body;

use std::fmt::Display;

use hclkit_limits::with_room;
use hclkit_model::serde::names::EXPRESSION;
use hclkit_value::{Number, Str, Value};
use serde_core::ser::{self, Serialize};

use super::SerdeError;
use super::labeled::{WrittenAs, written_as};

/// What serde wrote.
#[derive(Debug, Clone)]
#[cfg_attr(
    not(feature = "write"),
    allow(dead_code, reason = "expressions and blocks can be written only as text")
)]
pub(super) enum Written {
    /// `None`, which structs omit.
    None,
    Value(Value),
    /// The source text of an expression.
    Expression(String),
    Tuple(Vec<Self>),
    Object(Vec<(String, Self)>),
    /// The variant of an enum with its content.
    Variant(&'static str, Box<Self>),
    /// A block with labels.
    Labeled(Vec<String>, Box<Self>),
    /// Blocks, whose bodies are below this number of levels of labels.
    Blocks(usize, Box<Self>),
}

impl Written {
    /// The value, without blocks.
    pub(super) fn into_value(self) -> Result<Value, SerdeError> {
        with_room(|| {
            Ok(match self {
                Self::None => Value::NULL,
                Self::Value(value) => value,
                Self::Expression(_) => return Err(SerdeError::invalid("an expression is not a value")),
                Self::Tuple(elements) => {
                    let values = elements
                        .into_iter()
                        .enumerate()
                        .map(|(at, element)| element.into_value().map_err(|error| error.within(at.into())));
                    Value::tuple(values.collect::<Result<Vec<_>, _>>()?)
                }
                Self::Object(entries) => {
                    let values = entries.into_iter().map(|(name, entry)| {
                        let value = entry.into_value().map_err(|error| within(error, &name))?;
                        Ok((Str::from(name), value))
                    });
                    Value::object(values.collect::<Result<Vec<_>, SerdeError>>()?)
                }
                Self::Variant(name, content) => {
                    let value = content.into_value().map_err(|error| within(error, name))?;
                    Value::object([(Str::from(name), value)])
                }
                Self::Blocks(_, content) => content.into_value()?,
                Self::Labeled(labels, body) => {
                    let body = body.into_value()?;
                    labels
                        .into_iter()
                        .rev()
                        .fold(body, |body, label| Value::object([(Str::from(label), body)]))
                }
            })
        })
    }
}

pub(super) fn within(error: SerdeError, name: &str) -> SerdeError {
    error.within(hclkit_value::Step::Attribute(name.into()))
}

/// The result of a [`Writer`]. It is public only because [`Writer`] is.
pub trait Target {
    /// The result.
    #[doc(hidden)]
    type Made;
    #[doc(hidden)]
    fn make(self, written: Opaque) -> Result<Self::Made, SerdeError>;
}

/// What serde wrote, outside of this module.
#[derive(Debug)]
pub struct Opaque(Written);

/// A part of the written text.
#[derive(Clone, Copy, Debug)]
struct Fragment;

impl Target for Fragment {
    type Made = Opaque;

    fn make(self, written: Opaque) -> Result<Opaque, SerdeError> {
        Ok(written)
    }
}

/// A [`Value`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ToValue;

impl Target for ToValue {
    type Made = Value;

    fn make(self, written: Opaque) -> Result<Value, SerdeError> {
        written.0.into_value()
    }
}

/// A serde serializer for [`Value`]s or texts: see [`ValueSerializer`] and [`Serializer`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Writer<K>(K);

/// Writes a Rust value as a [`Value`]. [`to_value`](super::to_value) is shorter.
///
/// ```
/// use hclkit::serde::ValueSerializer;
/// use serde::Serialize;
///
/// assert_eq!([80, 443].serialize(ValueSerializer::new())?.to_string(), "[80, 443]");
/// # Ok::<(), hclkit::serde::SerdeError>(())
/// ```
pub type ValueSerializer = Writer<ToValue>;

impl ValueSerializer {
    /// A serializer for values.
    pub const fn new() -> Self {
        Self(ToValue)
    }
}

/// Writes a Rust value as a file in the native syntax. [`to_string`](super::to_string) is shorter.
///
/// ```
/// use std::collections::BTreeMap;
/// use hclkit::serde::Serializer;
/// use serde::Serialize;
///
/// let config = BTreeMap::from([("ports", [80, 443])]);
/// assert_eq!(config.serialize(Serializer::new())?, "ports = [80, 443]\n");
/// # Ok::<(), hclkit::serde::SerdeError>(())
/// ```
#[cfg(feature = "write")]
pub type Serializer = Writer<body::ToText>;

pub(super) fn written<T: Serialize + ?Sized>(value: &T) -> Result<Written, SerdeError> {
    with_room(|| value.serialize(Writer(Fragment))).map(|written| written.0)
}

impl<K: Target> Writer<K> {
    fn make(self, written: Written) -> Result<K::Made, SerdeError> {
        self.0.make(Opaque(written))
    }

    fn float(self, text: impl Display, is_nan: bool, is_infinite: bool) -> Result<K::Made, SerdeError> {
        if is_nan || is_infinite {
            let what = if is_nan { "a float that is not a number" } else { "an infinity" };
            return Err(SerdeError::invalid(format!("{what} cannot be written as HCL")));
        }
        // The shortest decimal that is read as the same float.
        let number =
            text.to_string().parse::<Number>().map_err(|error| SerdeError::invalid(error.to_string()))?;
        self.make(Written::Value(number.into()))
    }
}

macro_rules! values {
    ($($method:ident: $ty:ty),*) => {$(
        fn $method(self, value: $ty) -> Result<K::Made, SerdeError> {
            self.make(Written::Value(Value::from(value)))
        }
    )*};
}

impl<K: Target> ser::Serializer for Writer<K> {
    type Ok = K::Made;
    type Error = SerdeError;
    type SerializeSeq = Elements<K>;
    type SerializeTuple = Elements<K>;
    type SerializeTupleStruct = Elements<K>;
    type SerializeTupleVariant = Elements<K>;
    type SerializeMap = Entries<K>;
    type SerializeStruct = Entries<K>;
    type SerializeStructVariant = Entries<K>;

    values! {
        serialize_bool: bool, serialize_str: &str,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128
    }

    fn serialize_f32(self, float: f32) -> Result<K::Made, SerdeError> {
        self.float(float, float.is_nan(), float.is_infinite())
    }

    fn serialize_f64(self, float: f64) -> Result<K::Made, SerdeError> {
        self.float(float, float.is_nan(), float.is_infinite())
    }

    fn serialize_char(self, character: char) -> Result<K::Made, SerdeError> {
        self.serialize_str(character.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<K::Made, SerdeError> {
        self.make(Written::Tuple(bytes.iter().map(|byte| Written::Value(Value::from(*byte))).collect()))
    }

    fn serialize_none(self) -> Result<K::Made, SerdeError> {
        self.make(Written::None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<K::Made, SerdeError> {
        self.make(written(value)?)
    }

    fn serialize_unit(self) -> Result<K::Made, SerdeError> {
        self.make(Written::Value(Value::NULL))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<K::Made, SerdeError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<K::Made, SerdeError> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<K::Made, SerdeError> {
        let content = written(value)?;
        if name == EXPRESSION
            && let Written::Value(text) = &content
            && let Some(text) = text.as_str()
        {
            return self.make(Written::Expression(text.to_owned()));
        }
        let content = match (written_as(name), content) {
            (Some(WrittenAs::Blocks(levels)), content) => Written::Blocks(levels, Box::new(content)),
            (Some(WrittenAs::Labeled), Written::Tuple(parts)) => {
                let [labels, body] = <[Written; 2]>::try_from(parts)
                    .map_err(|_| SerdeError::invalid("a block must consist of labels and a body"))?;
                let Written::Tuple(labels) = labels else {
                    return Err(SerdeError::invalid("the labels of a block must be strings"));
                };
                let labels = labels.iter().map(key).collect::<Result<_, _>>()?;
                Written::Labeled(labels, Box::new(body))
            }
            (_, content) => content,
        };
        self.make(content)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<K::Made, SerdeError> {
        let content = written(value).map_err(|error| within(error, variant))?;
        self.make(Written::Variant(variant, Box::new(content)))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Elements<K>, SerdeError> {
        // The length is only a hint.
        let parts = Vec::with_capacity(len.unwrap_or(0).min(1024));
        Ok(Elements { target: self, variant: None, parts })
    }

    fn serialize_tuple(self, len: usize) -> Result<Elements<K>, SerdeError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Elements<K>, SerdeError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Elements<K>, SerdeError> {
        Ok(Elements { variant: Some(variant), ..self.serialize_seq(Some(len))? })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<K>, SerdeError> {
        Ok(Entries::new(self))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries<K>, SerdeError> {
        Ok(Entries::new(self))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries<K>, SerdeError> {
        Ok(Entries { variant: Some(variant), ..Entries::new(self) })
    }
}

/// The text of a key or label.
fn key(written: &Written) -> Result<String, SerdeError> {
    match written {
        Written::Value(value) => match value.convert(&hclkit_value::Type::String) {
            Ok(text) if !value.is_null() => Ok(text.as_str().unwrap_or_default().to_owned()),
            _ => Err(SerdeError::invalid("keys and labels must be strings, numbers or bools")),
        },
        _ => Err(SerdeError::invalid("keys and labels must be strings, numbers or bools")),
    }
}

fn variant(name: Option<&'static str>, content: Written) -> Written {
    match name {
        Some(name) => Written::Variant(name, Box::new(content)),
        None => content,
    }
}

/// The elements of a sequence.
#[derive(Debug)]
pub struct Elements<K> {
    target: Writer<K>,
    variant: Option<&'static str>,
    parts: Vec<Written>,
}

impl<K: Target> Elements<K> {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerdeError> {
        let index = self.parts.len();
        let element = written(value).map_err(|error| error.within(index.into()))?;
        self.parts.push(element);
        Ok(())
    }

    fn finish(self) -> Result<K::Made, SerdeError> {
        self.target.make(variant(self.variant, Written::Tuple(self.parts)))
    }
}

macro_rules! elements {
    ($($of:ident: $push:ident),*) => {$(
        impl<K: Target> ser::$of for Elements<K> {
            type Ok = K::Made;
            type Error = SerdeError;

            fn $push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerdeError> {
                self.push(value)
            }

            fn end(self) -> Result<K::Made, SerdeError> {
                self.finish()
            }
        }
    )*};
}

elements!(
    SerializeSeq: serialize_element, SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field, SerializeTupleVariant: serialize_field
);

/// The entries of a map or struct.
#[derive(Debug)]
pub struct Entries<K> {
    target: Writer<K>,
    variant: Option<&'static str>,
    key: Option<String>,
    parts: Vec<(String, Written)>,
}

impl<K: Target> Entries<K> {
    fn new(target: Writer<K>) -> Self {
        Self { target, variant: None, key: None, parts: Vec::new() }
    }

    fn push<T: Serialize + ?Sized>(&mut self, name: String, value: &T) -> Result<(), SerdeError> {
        let entry = written(value).map_err(|error| within(error, &name))?;
        self.parts.push((name, entry));
        Ok(())
    }

    /// A field of a struct. `None` is omitted.
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), SerdeError> {
        self.push(name.to_owned(), value)?;
        if let Some((_, Written::None)) = self.parts.last() {
            self.parts.pop();
        }
        Ok(())
    }

    fn finish(self) -> Result<K::Made, SerdeError> {
        self.target.make(variant(self.variant, Written::Object(self.parts)))
    }
}

impl<K: Target> ser::SerializeMap for Entries<K> {
    type Ok = K::Made;
    type Error = SerdeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerdeError> {
        self.key = Some(key(&written(value)?)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SerdeError> {
        let name =
            self.key.take().ok_or_else(|| SerdeError::invalid("a value was written before its key"))?;
        self.push(name, value)
    }

    fn end(self) -> Result<K::Made, SerdeError> {
        self.finish()
    }
}

macro_rules! fields {
    ($($of:ident),*) => {$(
        impl<K: Target> ser::$of for Entries<K> {
            type Ok = K::Made;
            type Error = SerdeError;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), SerdeError> {
                self.field(name, value)
            }

            fn end(self) -> Result<K::Made, SerdeError> {
                self.finish()
            }
        }
    )*};
}

fields!(SerializeStruct, SerializeStructVariant);
