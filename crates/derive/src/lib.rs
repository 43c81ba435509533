//! The derive macros of hclkit. Use them through the feature `derive` of `hclkit`, which also documents the traits.
//!
//! | macro | for |
//! | --- | --- |
//! | [`macro@Decode`] | a struct or enum that is decoded from the body of a file or block |
//! | [`macro@Encode`] | the same, written as HCL |
//! | [`macro@FromValue`] | a struct or enum that is read from the value of an attribute |
//! | [`macro@IntoValue`] | the same as a value |

mod attributes;
mod decode;
mod encode;
mod fields;
mod meta;
mod names;
mod value;
mod variants;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `Decode`, so that the type can be decoded from the body of a file or block, in both syntaxes.
///
/// ```
/// use std::time::Duration;
/// use hclkit::{Context, Decode};
///
/// #[derive(Decode)]
/// struct File {
///     #[hcl(block)]
///     service: Vec<Service>,
/// }
///
/// #[derive(Decode)]
/// struct Service {
///     #[hcl(label)]
///     name: String,
///     /// The number of processes.
///     #[hcl(default = 1, range = 1..=64)]
///     replicas: u32,
///     timeout: Option<Duration>,
///     #[hcl(block)]
///     listen: Vec<Listen>,
/// }
///
/// #[derive(Decode)]
/// struct Listen {
///     port: u16,
/// }
///
/// let text = "service \"web\" {\n  timeout = \"30s\"\n  listen {\n    port = 80\n  }\n}\n";
/// let file: File = hclkit::load_str(text, &Context::new())?;
/// assert_eq!((file.service[0].name.as_str(), file.service[0].replicas), ("web", 1));
/// assert_eq!((file.service[0].timeout, file.service[0].listen[0].port), (Some(Duration::from_secs(30)), 80));
///
/// let errors = hclkit::load_str::<File>("service \"web\" {\n  replicas = 100\n}\n", &Context::new()).err().unwrap();
/// assert_eq!(
///     errors.to_string(),
///     "2:14: error: Invalid value: Invalid value for the argument `replicas`: the value must be between 1 and 64.",
/// );
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
///
/// A field without attributes is read from an attribute of the body. It is required, unless its type is an `Option`.
/// Doc comments become the descriptions of the type's spec.
///
/// # Attributes of fields
///
/// | attribute | meaning |
/// | --- | --- |
/// | `label` | a label of the block, in the order of the fields; any type that implements `FromStr`. The last ones may be missing if they are `Option`s |
/// | `block` | blocks: `T` (exactly one), `Option<T>`, `Vec<T>`, `Option<Vec<T>>`. As a `T`, a `Body` accepts anything |
/// | `block, attribute` | blocks, or an attribute with an object (for a `Vec`, a list of objects) as its value; the type also implements `FromValue` |
/// | `block, key = label` | blocks by their first label: any map, or `Vec<(K, T)>` |
/// | `min = 1`, `max = 3` | how many blocks a `Vec` may have |
/// | `flatten` | the fields of another type, in the same body |
/// | `remain` | what no other field reads: a `Body`, or a map of attributes |
/// | `skip` | nothing; the field is `Default::default()` |
/// | `rename = "name"` | the name in HCL |
/// | `alias = "name"` | another name; may be repeated |
/// | `default`, `default = 80` | the value if the attribute is missing or null: `Default::default()`, a value, or a Rust expression |
/// | `from_str` | the value is a string, which `FromStr` reads; for a `Vec` or a set, a list of strings |
/// | `one_or_many` | for a collection: the value is a list, or one element without brackets |
/// | `with = path` | a function `fn(&Value) -> Result<T, E>` reads the value |
/// | `range = 1..=10` | the value must be in the range |
/// | `validate = path` | a function `fn(&T) -> Result<(), E>` checks the value |
/// | `deprecated`, `deprecated = "use \`x\`"` | a warning if the attribute is set |
/// | `sensitive` | the value may have marks, and the notes of errors never show it |
///
/// # Attributes of types
///
/// | attribute | meaning |
/// | --- | --- |
/// | `rename_all = "kebab-case"` | the case of names |
/// | `validate = path` | a function `fn(&Self) -> Result<(), E>` checks the decoded value |
/// | `tag = label` | on an enum: the first label of the block chooses the variant |
/// | `tag = "type"` | on an enum: the value of this attribute chooses the variant |
/// | `crate = path` | where hclkit is, if not at `::hclkit` |
///
/// Without a tag, each variant of an enum is a block type, and a field `#[hcl(block)] steps: Vec<Step>` contains the
/// blocks of all these types in source order.
#[proc_macro_derive(Decode, attributes(hcl))]
pub fn derive_decode(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    decode::derive(&input).unwrap_or_else(|error| decode::failed(&input, &error)).into()
}

/// Derives `Encode`, so that the type can be written as the body of a file or block. Requires the feature `write`.
///
/// ```
/// use hclkit::{Decode, Encode};
///
/// #[derive(Decode, Encode)]
/// struct Listen {
///     port: u16,
///     host: Option<String>,
/// }
///
/// assert_eq!(Listen { port: 80, host: None }.to_hcl()?, "port = 80\n");
/// # Ok::<(), hclkit::write::SourceError>(())
/// ```
///
/// The attributes are those of [`macro@Decode`], so that the written text decodes to the same value. `None` is
/// omitted. A field with `from_str` is written with `Display`, a field with `with` through `IntoValue`, a field with
/// `block, attribute` as blocks, and a field with `one_or_many` as a list.
#[proc_macro_derive(Encode, attributes(hcl))]
pub fn derive_encode(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    encode::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Derives `Typed` and `FromValue`, so that the type can be read from the value of an attribute.
///
/// A struct is read from an object, and a newtype like the type inside it. An enum without data is read from a string.
/// An enum with `#[hcl(tag = "type")]` is read from an object whose attribute `type` chooses the variant.
///
/// ```
/// use hclkit::{Decode, FromValue};
///
/// #[derive(Decode)]
/// struct Service {
///     health: Health,
/// }
///
/// #[derive(FromValue)]
/// struct Health {
///     path: String,
///     #[hcl(default = "http")]
///     scheme: Scheme,
/// }
///
/// #[derive(FromValue, Debug, PartialEq)]
/// enum Scheme {
///     Http,
///     Https,
/// }
///
/// let service: Service = hclkit::load_str("health = { path = \"/\" }\n", &hclkit::Context::new())?;
/// assert_eq!((service.health.path.as_str(), service.health.scheme), ("/", Scheme::Http));
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
///
/// An attribute without a matching field is an error.
///
/// The attributes of fields are `skip`, `rename`, `alias`, `default`, `from_str`, `one_or_many`, `with`, `range` and `validate`, as in
/// [`macro@Decode`].
#[proc_macro_derive(FromValue, attributes(hcl))]
pub fn derive_from_value(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    value::derive_from(&input).unwrap_or_else(|error| value::failed(&input, &error)).into()
}

/// Derives `IntoValue`, with the attributes of [`macro@FromValue`]. The type must also implement `Typed`, which
/// deriving `FromValue` does.
#[proc_macro_derive(IntoValue, attributes(hcl))]
pub fn derive_into_value(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    value::derive_into(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
