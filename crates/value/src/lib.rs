//! Dynamic values and types for configuration: the type system of HCL 2, which behaves like that of the
//! reference implementation (go-cty).
//!
//! A [`Value`] has a [`Type`]: a string, number or bool, a list, set or map with one element type, a tuple
//! or object, or a [capsule](CapsuleType) that the application defines. It may be null, or unknown with
//! some facts known about it ([`Refinement`]), and carry [marks](Mark). Values can be converted between
//! types ([`Value::convert`]), types can be unified ([`unify`]), [functions](Function) can be called with
//! values, and values can be read and written as JSON and MessagePack. Values do not refer to source text:
//! an [`Error`] carries a [`Path`] into the value.
//!
//! ```
//! use hclkit_value::{Type, Value};
//!
//! let server = Value::object([
//!     ("name", Value::from("web")),
//!     ("ports", Value::tuple([Value::from(80), Value::from("443")])),
//! ]);
//! let wanted = Type::object([("name", Type::String), ("ports", Type::set(Type::Number))]);
//! let server = server.convert(&wanted)?;
//! assert_eq!(server.to_string(), r#"{ name = "web", ports = toset([80, 443]) }"#);
//! assert_eq!(server.to_json(&wanted)?, r#"{"name":"web","ports":[80,443]}"#);
//! # Ok::<(), hclkit_value::Error>(())
//! ```
//!
//! # Limits
//! Decoders reject text nested deeper than 1,000 levels. Values of any depth can be built by hand, cloned
//! and dropped. Other operations are recursive; a stack of 2 MiB is enough for 1,000 levels even without
//! optimization. [`Value::depth`] returns the number of levels without visiting them.
//!
//! # Features
//! - `serde`: `Serialize` and `Deserialize` for values, `Serialize` for types and numbers. Fractions are rounded to
//!   doubles; [`Value::to_json`] and [`Value::from_plain_json`] keep all digits.
#![forbid(unsafe_code)]
#![allow(clippy::doc_markdown, reason = "MessagePack is a name like JSON")]

mod convert;
mod diff;
mod display;
mod error;
mod function;
mod json;
mod marks;
#[allow(clippy::cast_sign_loss, reason = "each cast follows a check of the range")]
mod msgpack;
mod name;
#[allow(
    clippy::cast_lossless,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "lengths in memory and binary exponents fit an i64, and signs are checked first"
)]
#[allow(clippy::inline_always, reason = "limbs passed through memory between steps are slow")]
mod number;
mod ops;
mod pairs;
mod path;
#[cfg(test)]
mod random;
mod refine;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod serde;
mod set;
mod size;
mod text;
#[allow(
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "fractions of durations are computed as Go does"
)]
mod typed;
mod types;
mod value;
mod walk;
mod work;
mod written;
pub use convert::unify;
#[doc(hidden)]
pub use convert::unify_unsafely;
#[doc(hidden)]
pub use diff::Difference;
#[doc(hidden)]
pub use display::Show;
#[doc(hidden)]
pub use error::Errors;
pub use error::{Capability, Error, ErrorKind};
#[doc(hidden)]
pub use function::ParameterName;
pub use function::{Example, Function, Parameter};
#[doc(hidden)]
pub use marks::MarksBuilder;
pub use marks::{Mark, Marks};
pub use name::Name;
pub use number::{Number, NumberError};
pub use path::{Path, Step};
#[doc(hidden)]
pub use refine::Bound;
pub use refine::{Refinement, RefinementBuilder};
#[doc(hidden)]
pub use set::SetElement;
pub use text::Str;
pub use typed::{FromValue, IntoValue, Typed, Variadic};
#[doc(hidden)]
pub use typed::{TypedArgument, TypedFunction, parse_duration};
pub use types::{Capsule, CapsuleType, CapsuleTypeBuilder, ObjectType, TupleType, Type};
#[doc(hidden)]
pub use value::Entries;
pub use value::{BuildError, Kind, List, Map, Object, Set, Tuple, Value};
#[doc(hidden)]
pub use value::{NotPlain, ObjectShape, Plain};
