//! Reads and writes Rust types with [serde](https://serde.rs), for types that already implement its traits.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize, Serialize)]
//! struct Config {
//!     region: String,
//!     #[serde(default)]
//!     ports: Vec<u16>,
//! }
//!
//! let config: Config = hclkit::serde::from_str("region = \"eu\"\nports = [80, 443]\n")?;
//! assert_eq!((config.region.as_str(), config.ports.len()), ("eu", 2));
//! assert_eq!(hclkit::serde::to_string(&config)?, "region = \"eu\"\nports  = [80, 443]\n");
//! # Ok::<(), hclkit::serde::SerdeError>(())
//! ```
//!
//! [`Decode`](crate::Decode) does more: it reports all errors at once instead of only the first, it supports labels,
//! defaults and ranges, and each type has a spec, from which JSON Schema and documentation are generated.
//!
//! # How HCL is read
//!
//! | HCL | Rust |
//! | --- | --- |
//! | a body, an object | a struct, a map, an enum by its only name |
//! | `name = expression` | the field `name`; the expression is evaluated |
//! | a block | the same as an object; with labels, a map by its labels, or a [`Labeled`] |
//! | several blocks of a type | a `Vec`; a `Vec` can also have one block |
//! | a number | any integer or float that can represent it: `80.5` is not a `u16`, and `300` is not a `u8` |
//! | a string | `String`, `char`, an enum without content, bytes; `&str` if it is written without escape sequences |
//! | a list, tuple or set | `Vec`, a tuple, a set |
//! | null | `None`, `()` |
//!
//! As everywhere in HCL, values are converted: `"80"` is a number if a number is expected, `"true"` a bool, and `80` a
//! string. If serde buffers data before it knows the type (`flatten`, untagged and internally tagged enums), values
//! are not converted, one block is a map, and several blocks are a sequence. Therefore an internally tagged enum cannot
//! be read from a JSON array of one block, which serde sees as a sequence; a derived `Decode` can read it.
//!
//! A block with two labels is `{ label = { label = body } }`, as in the JSON syntax and in hcl-rs. The types of fields
//! determine how many labels there are:
//!
//! ```
//! use std::collections::BTreeMap;
//! use hclkit::serde::Labeled;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct ByLabel {
//!     service: BTreeMap<String, Service>,
//! }
//!
//! #[derive(Deserialize)]
//! struct InOrder {
//!     service: Vec<Labeled<String, Service>>,
//! }
//!
//! #[derive(Deserialize)]
//! struct Service {
//!     image: String,
//! }
//!
//! let text = "service \"web\" {\n  image = \"nginx\"\n}\n";
//! assert_eq!(hclkit::serde::from_str::<ByLabel>(text)?.service["web"].image, "nginx");
//! assert_eq!(hclkit::serde::from_str::<InOrder>(text)?.service[0].labels, "web");
//! # Ok::<(), hclkit::serde::SerdeError>(())
//! ```
//!
//! Fields can also be a [`Spanned`](crate::Spanned) for the place in the source, an [`Expression`](crate::Expression),
//! which is not evaluated, a [`Value`], or a [`Body`]. In buffered data, a `Spanned` has no place, and an `Expression`
//! or `Body` is an error.
//!
//! # What is evaluated
//!
//! Expressions are evaluated when their field is read: operators, templates, conditionals and `for` always work;
//! variables and functions are those of a [`Context`]. [`from_str`], [`from_slice`] and [`from_path`] have none:
//! `var.region` is an error there. [`from_body`] and [`Deserializer::with_context`] have a context. In the JSON
//! syntax, strings are templates only if there is a context with variables or functions. Attributes without a field
//! are not evaluated. `dynamic` blocks are expanded if the body comes from [`Dynamic`](crate::model::Dynamic). Unknown
//! values and values with marks are errors, except in a `Value`.
//!
//! # How Rust types are written
//!
//! A struct is written as a body, its fields as attributes. Fields are written as blocks if their type is [`Labeled`]
//! or [`AsBlock`], or with `#[serde(with = "hclkit::serde::block")]` ([`block`], [`labeled_block`],
//! [`doubly_labeled_block`]). A field that is `None` is omitted.

mod de;
mod error;
mod labeled;
mod ser;

use std::path::Path;

use hclkit_model::Context;
use hclkit_syntax::Source;
use hclkit_value::Value;
use serde_core::de::{Deserialize, DeserializeOwned};
use serde_core::ser::Serialize;

pub use de::Deserializer;
pub use error::SerdeError;
pub use labeled::{AsBlock, Labeled, block, doubly_labeled_block, labeled_block};
#[doc(hidden)]
pub use labeled::{Labels, WriteLabels};
#[cfg(feature = "write")]
pub use ser::Serializer;
pub use ser::ValueSerializer;

use crate::Body;

/// Reads text in the native syntax. Strings that are written without escape sequences can be borrowed from it.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Config<'t> {
///     name: &'t str,
/// }
///
/// let text = String::from("name = \"web\"\n");
/// let config: Config = hclkit::serde::from_str(&text)?;
/// assert_eq!(config.name, "web");
/// # Ok::<(), hclkit::serde::SerdeError>(())
/// ```
///
/// # Errors
/// The syntax errors, or the first part that cannot be read as its type. There are no variables or functions.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, SerdeError> {
    T::deserialize(Deserializer::from_str(text)?)
}

/// Reads text in the native syntax from bytes, like [`from_str`].
///
/// # Errors
/// As for [`from_str`]. Bytes that are not UTF-8 are syntax errors.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, SerdeError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => from_str(text),
        Err(_) => T::deserialize(Deserializer::from_source(Source::new("", bytes))?),
    }
}

/// Reads a file, in the JSON syntax if its name ends in `.json`.
///
/// # Errors
/// The file cannot be read, or as for [`from_str`].
pub fn from_path<T: DeserializeOwned>(path: impl AsRef<Path>) -> Result<T, SerdeError> {
    let (body, _) = crate::load::open(path.as_ref(), &hclkit_model::ParseOptions::new())?;
    T::deserialize(Deserializer::from_body(body))
}

/// Reads a body in either syntax, with the variables and functions of a context.
///
/// ```
/// use std::collections::BTreeMap;
/// use hclkit::{Body, Context, Source};
///
/// let (body, errors) = Body::parse(Source::new("main.hcl.json", r#"{"greeting": "Hello ${name}"}"#));
/// assert!(errors.is_empty());
/// let config: BTreeMap<String, String> = hclkit::serde::from_body(&body, &Context::new().with("name", "world"))?;
/// assert_eq!(config["greeting"], "Hello world");
/// # Ok::<(), hclkit::serde::SerdeError>(())
/// ```
///
/// # Errors
/// The first part that cannot be evaluated, or cannot be read as its type.
pub fn from_body<T: DeserializeOwned>(body: &Body, context: &Context) -> Result<T, SerdeError> {
    context.run(|| T::deserialize(Deserializer::from_body(body.clone()).with_context(context.clone())))
}

/// Reads a value. Strings can be borrowed from it.
///
/// ```
/// use hclkit::Value;
///
/// let ports = Value::tuple([80, 443].map(Value::from));
/// assert_eq!(hclkit::serde::from_value::<Vec<u16>>(&ports)?, [80, 443]);
/// # Ok::<(), hclkit::serde::SerdeError>(())
/// ```
///
/// # Errors
/// The first part that cannot be read as its type. The value as text exceeds the limit on bytes.
pub fn from_value<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<T, SerdeError> {
    value.check_text_size().map_err(|error| SerdeError::invalid(error.to_string()))?;
    T::deserialize(Deserializer::from_value(value))
}

/// Converts a Rust value to an HCL value, for example for a variable.
///
/// ```
/// use hclkit::{Context, Expression};
///
/// let context = Context::new().with("ports", hclkit::serde::to_value(&[80, 443])?);
/// assert_eq!(Expression::parse("ports[1]")?.evaluate(&context)?.to_string(), "443");
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
///
/// # Errors
/// HCL cannot express the Rust value, such as a float that is not a number.
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, SerdeError> {
    value.serialize(ValueSerializer::new())
}

/// Writes a Rust value as a file in the native syntax, with each value on one line.
///
/// # Errors
/// The Rust value is not a struct or a map, a name is not an identifier, or HCL cannot express a part of it, such as a
/// float that is not a number.
#[cfg(feature = "write")]
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, SerdeError> {
    value.serialize(Serializer::new())
}

/// Writes a Rust value like [`to_string`], but with long lists and objects on several lines, and multi-line text as
/// heredocs.
///
/// ```
/// use std::collections::BTreeMap;
///
/// let script = BTreeMap::from([("run", "make\nmake install\n")]);
/// assert_eq!(hclkit::serde::to_string(&script)?, "run = \"make\\nmake install\\n\"\n");
/// assert_eq!(hclkit::serde::to_string_pretty(&script)?, "run = <<EOT\nmake\nmake install\nEOT\n");
/// # Ok::<(), hclkit::serde::SerdeError>(())
/// ```
///
/// # Errors
/// Same as [`to_string`].
#[cfg(feature = "write")]
pub fn to_string_pretty<T: Serialize + ?Sized>(value: &T) -> Result<String, SerdeError> {
    value.serialize(Serializer::pretty())
}
