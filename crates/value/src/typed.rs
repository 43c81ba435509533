//! Conversion between Rust types and values: the traits, and their implementations for strings, bools, numbers and values.
//! Collections are in `typed/collection.rs` and `typed/map.rs`, other types of the standard library in `typed/standard.rs`.

/// Implements `Typed` for types without parameters.
macro_rules! plain_types {
    ($($rust:ty: $ty:expr),* $(,)?) => {$(
        #[doc(hidden)]
        impl Typed for $rust {
            fn value_type() -> Type {
                $ty
            }
        }
    )*};
}

mod collection;
mod duration;
mod function;
mod map;
mod standard;

pub use duration::parse_duration;
pub use function::{TypedArgument, TypedFunction, Variadic};

use std::borrow::Cow;
use std::fmt;

use crate::value::Repr;
use crate::{Error, Number, Str, Type, Value};

/// A Rust type that corresponds to an HCL type.
///
/// To use your own type in [typed functions](crate::Function::typed) and in `Vec`, `Option` and so on, implement this
/// trait and [`FromValue`], [`IntoValue`] or both:
///
/// ```
/// use hclkit_value::{Error, FromValue, Function, Type, Typed, Value};
///
/// struct Port(u16);
///
/// impl Typed for Port {
///     fn value_type() -> Type {
///         Type::Number
///     }
/// }
///
/// impl FromValue for Port {
///     fn from_value(value: &Value) -> Result<Port, Error> {
///         match u16::from_value(value)? {
///             0 => Err(Error::new("a port must not be 0")),
///             port => Ok(Port(port)),
///         }
///     }
/// }
///
/// let is_low = Function::typed("is_low", |port: Port| port.0 < 1024);
/// assert_eq!(is_low.call(&[Value::from(80)])?, Value::from(true));
/// assert_eq!(is_low.call(&[Value::from(0)]).unwrap_err().to_string(), "[0]: a port must not be 0");
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no type of values",
    note = "`#[derive(FromValue)]` implements `Typed`, too",
    note = "for a type that is only written, add `impl hclkit::value::Typed for … {{}}`"
)]
pub trait Typed {
    /// The corresponding HCL type. The default is [`Type::Dynamic`], for several types.
    fn value_type() -> Type {
        Type::Dynamic
    }

    /// The only strings that the type accepts, if it is an enum.
    #[doc(hidden)]
    fn names() -> &'static [&'static str] {
        &[]
    }

    /// Returns true if null can be converted to this type. The default is false.
    fn is_nullable() -> bool {
        false
    }
}

/// A Rust type that can be read from a value.
///
/// Values are not converted between HCL types: the string `"80"` is not a number. To accept it, call [`Value::convert`]
/// with [`Typed::value_type`] first.
///
/// | Rust | value |
/// | --- | --- |
/// | `bool` | a bool |
/// | integers, also `NonZero…`; `f32`, `f64`; [`Number`] | a number in the range |
/// | `String`, `Box<str>`, `Cow<str>`, [`Str`]; `char`; `PathBuf` | a string |
/// | `IpAddr`, `SocketAddr` and their variants; `Duration` in Go's format | a string |
/// | `Vec`, `VecDeque`, `Box<[T]>`, arrays, `BTreeSet`, `HashSet` | a list, set or tuple |
/// | `BTreeMap`, `HashMap`, with keys that are read from strings | a map or object |
/// | tuples of up to six types | a tuple |
/// | `Option` | null, or what `T` is read from |
/// | `Box`, `Rc`, `Arc` | what `T` is read from |
/// | [`Value`] | any value, also unknown and marked ones |
///
/// ```
/// use std::collections::BTreeMap;
/// use hclkit_value::{FromValue, Value};
///
/// let ports = Value::object([("web", Value::tuple([80, 443]))]);
/// let read = BTreeMap::<String, Vec<u16>>::from_value(&ports)?;
/// assert_eq!(read["web"], [80, 443]);
///
/// let error = BTreeMap::<String, Vec<u8>>::from_value(&ports).unwrap_err();
/// assert_eq!(error.to_string(), ".web[1]: expected a whole number from 0 to 255, found 443");
/// # Ok::<(), hclkit_value::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a value",
    label = "not a type of values",
    note = "if it is a struct or enum for the value of an attribute, add `#[derive(FromValue)]` to it",
    note = "if it is a struct or enum for a block, add `#[hcl(block)]` to the field and `#[derive(Decode)]` to the type",
    note = "if it implements `FromStr`, add `#[hcl(from_str)]` to the field",
    note = "`Expression` and `Spanned` are types of fields, and of the elements of their `Vec`s and maps, but not of parts of these"
)]
pub trait FromValue: Typed + Sized {
    /// Whether [`FromValue::from_value`] reads a tuple as it reads a list.
    #[doc(hidden)]
    const READS_TUPLES: bool = false;

    /// Reads a string literal without a value for it, if the type can do that. The text may have any normalization form.
    #[doc(hidden)]
    fn from_text<'t>(_: impl FnOnce() -> Option<Cow<'t, str>>) -> Option<Self> {
        None
    }

    /// Reads a tuple of string literals without values for them, if the type can do that.
    #[doc(hidden)]
    fn from_texts<'t, I: Iterator<Item = Cow<'t, str>>>(_: impl FnOnce() -> Option<I>) -> Option<Self> {
        None
    }

    /// Reads a value.
    ///
    /// # Errors
    /// The value does not match; the error says what was expected and what was found, with the path of the element. Null is
    /// an error except for `Option` and [`Value`]. Unknown and marked values are errors except for [`Value`].
    fn from_value(value: &Value) -> Result<Self, Error>;
}

/// A Rust type that can be converted to a value. The types are those of [`FromValue`], and references to them. Where the
/// conversion cannot fail, `Value::from` does the same.
///
/// ```
/// use std::path::Path;
/// use hclkit_value::{IntoValue, Type, Value};
///
/// assert_eq!(Value::from(vec![80, 443]).ty(), Type::list(Type::Number));
/// assert_eq!([Path::new("etc/web.hcl")].to_value()?.to_string(), "[\"etc/web.hcl\"]");
/// assert_eq!([0.5, f64::NAN].to_value().unwrap_err().to_string(), "[1]: NaN is not a number");
/// # Ok::<(), hclkit_value::Error>(())
/// ```
pub trait IntoValue: Typed {
    /// The value, of the type [`Typed::value_type`].
    ///
    /// # Errors
    /// There is no such value: a float is NaN, a path is not valid Unicode, or a `Result` is an error. The error has the
    /// path of the part.
    fn to_value(&self) -> Result<Value, Error>;
}

/// References are written like what they refer to.
impl<T: Typed + ?Sized> Typed for &T {
    fn value_type() -> Type {
        T::value_type()
    }

    fn is_nullable() -> bool {
        T::is_nullable()
    }
}

impl<T: IntoValue + ?Sized> IntoValue for &T {
    fn to_value(&self) -> Result<Value, Error> {
        (**self).to_value()
    }
}

/// The error for a value that is not what was expected. `expected` includes an article.
#[cold]
fn mismatch(expected: &str, value: &Value) -> Error {
    let found = match &value.0 {
        Repr::Null(_) => "null".to_owned(),
        Repr::UnknownDynamic | Repr::Open(_) | Repr::Unknown(_) => "an unknown value".to_owned(),
        Repr::Marked(_) => "a marked value".to_owned(),
        _ => with_article(&value.ty().friendly_name()),
    };
    Error::without_values(format!("expected {expected}, found {found}"))
}

fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}

macro_rules! into_value {
    ($($rust:ty),* $(,)?) => {$(
        #[doc(hidden)]
        impl IntoValue for $rust {
            fn to_value(&self) -> Result<Value, Error> {
                Ok(Value::from(self.clone()))
            }
        }
    )*};
}

plain_types! {
    bool: Type::Bool, String: Type::String, Str: Type::String, Number: Type::Number, f32: Type::Number, f64: Type::Number,
    i8: Type::Number, i16: Type::Number, i32: Type::Number, i64: Type::Number, i128: Type::Number, isize: Type::Number,
    u8: Type::Number, u16: Type::Number, u32: Type::Number, u64: Type::Number, u128: Type::Number, usize: Type::Number,
    std::time::Duration: Type::String,
}

into_value!(bool, Str, Number, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, Value);

#[doc(hidden)]
impl FromValue for bool {
    fn from_value(value: &Value) -> Result<Self, Error> {
        value.as_bool().ok_or_else(|| mismatch("a bool", value))
    }
}

#[doc(hidden)]
impl FromValue for String {
    fn from_text<'t>(text: impl FnOnce() -> Option<Cow<'t, str>>) -> Option<Self> {
        let text = text()?;
        Some(match Str::normalized(&text) {
            Cow::Borrowed(_) => text.into_owned(),
            Cow::Owned(normalized) => normalized,
        })
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        text(value).map(str::to_owned)
    }
}

#[doc(hidden)]
impl FromValue for Str {
    fn from_value(value: &Value) -> Result<Self, Error> {
        match &value.0 {
            Repr::String(text) => Ok(text.clone()),
            _ => Err(mismatch("a string", value)),
        }
    }
}

#[doc(hidden)]
impl Typed for str {
    fn value_type() -> Type {
        Type::String
    }
}

#[doc(hidden)]
impl IntoValue for str {
    fn to_value(&self) -> Result<Value, Error> {
        Ok(Value::from(self))
    }
}

#[doc(hidden)]
impl IntoValue for String {
    fn to_value(&self) -> Result<Value, Error> {
        Ok(Value::from(self.as_str()))
    }
}

/// The text of a string.
fn text(value: &Value) -> Result<&str, Error> {
    value.as_str().ok_or_else(|| mismatch("a string", value))
}

fn number(value: &Value) -> Result<&Number, Error> {
    value.as_number().ok_or_else(|| mismatch("a number", value))
}

#[doc(hidden)]
impl FromValue for Number {
    fn from_value(value: &Value) -> Result<Self, Error> {
        number(value).cloned()
    }
}

macro_rules! integers {
    ($($integer:ty: $read:ident),*) => {$(
        #[doc(hidden)]
        impl FromValue for $integer {
            fn from_value(value: &Value) -> Result<$integer, Error> {
                let number = number(value)?;
                let found = number.$read().and_then(|found| <$integer>::try_from(found).ok());
                found.ok_or_else(|| {
                    let (least, most) = (<$integer>::MIN, <$integer>::MAX);
                    let found = value.show().with_limit(40);
                    Error::new(format!("expected a whole number from {least} to {most}, found {found}"))
                })
            }
        }
    )*};
}

integers!(
    i8: to_i64, i16: to_i64, i32: to_i64, i64: to_i64, isize: to_i64, i128: to_i128,
    u8: to_u64, u16: to_u64, u32: to_u64, u64: to_u64, usize: to_u64, u128: to_u128
);

/// The nearest float. A finite number outside the range is an error.
#[doc(hidden)]
impl FromValue for f64 {
    fn from_value(value: &Value) -> Result<Self, Error> {
        let number = number(value)?;
        let float = number.to_f64().0;
        if float.is_infinite() && !number.is_infinite() {
            return Err(too_large("64", Self::MAX, value));
        }
        Ok(float)
    }
}

/// The nearest float. A finite number outside the range is an error.
#[doc(hidden)]
impl FromValue for f32 {
    #[allow(clippy::cast_possible_truncation, reason = "rounding is intended")]
    fn from_value(value: &Value) -> Result<Self, Error> {
        let number = number(value)?;
        let float = number.to_f64().0 as Self;
        if float.is_infinite() && !number.is_infinite() {
            return Err(too_large("32", Self::MAX, value));
        }
        Ok(float)
    }
}

fn too_large(bits: &str, most: impl fmt::LowerExp, value: &Value) -> Error {
    let found = value.show().with_limit(40);
    Error::new(format!("expected a number that fits {bits} bits, from -{most:e} to {most:e}, found {found}"))
}

macro_rules! floats {
    ($($float:ty),*) => {$(
        /// NaN is an error.
        #[doc(hidden)]
        impl IntoValue for $float {
            fn to_value(&self) -> Result<Value, Error> {
                let number = Number::try_from(*self).map_err(|_| Error::new("NaN is not a number"))?;
                Ok(Value::from(number))
            }
        }
    )*};
}

floats!(f32, f64);

/// Any value, unchanged, including null, unknown and marked values.
impl Typed for Value {
    fn is_nullable() -> bool {
        true
    }
}

impl FromValue for Value {
    fn from_value(value: &Value) -> Result<Self, Error> {
        Ok(value.clone())
    }
}

/// The value, or the error as an [`Error`]. An error of another type becomes an [`Error`] with its text, which is assumed
/// to contain values.
impl<T: Typed, E> Typed for Result<T, E> {
    fn value_type() -> Type {
        T::value_type()
    }

    fn is_nullable() -> bool {
        T::is_nullable()
    }
}

impl<T: IntoValue, E: std::fmt::Display + 'static> IntoValue for Result<T, E> {
    fn to_value(&self) -> Result<Value, Error> {
        match self {
            Ok(result) => result.to_value(),
            Err(error) => Err(match (error as &dyn std::any::Any).downcast_ref::<Error>() {
                Some(error) => error.clone(),
                None => Error::new(error.to_string()),
            }),
        }
    }
}
