//! The derive macros of hclkit. Use them through the feature `derive` of `hclkit`, which also documents the traits.
//!
//! | macro | for |
//! | --- | --- |
//! | [`macro@Decode`] | a struct or enum that is decoded from the body of a file or block |
//! | [`macro@Encode`] | the same, written as HCL |
//! | [`macro@FromValue`] | a struct or enum that is read from the value of an attribute |
//! | [`macro@IntoValue`] | the same as a value |
//!
//! `value!`, `expr!` and `body!` of `hclkit` are here, too.

mod attributes;
mod decode;
mod encode;
mod fields;
mod meta;
mod names;
mod quoted;
mod source;
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
/// | `label` | a label of the block, in the order of the fields; any type that implements `FromStr`, which includes enums that derive `FromValue`. The last ones may be missing if they are `Option`s |
/// | `block` | blocks: `T` (exactly one), `Option<T>`, `Vec<T>`, `Option<Vec<T>>`. As a `T`, a `Body` accepts anything |
/// | `block, attribute` | blocks, or an attribute with an object (for a `Vec`, a list of objects) as its value; the type also implements `FromValue` |
/// | `block, key = label` | blocks by their first label: any map, or `Vec<(K, T)>` |
/// | `min = 1`, `max = 3` | how many blocks a `Vec` may have |
/// | `flatten` | the fields of another type `T`, in the same body. An `Option<T>` is `None` if none of them is set |
/// | `remain` | what no other field reads: a `Body`, or a map of attributes |
/// | `skip` | nothing; the field is `Default::default()` |
/// | `rename = "name"` | the name in HCL |
/// | `alias = "name"` | another name; may be repeated |
/// | `default`, `default = 80` | the value if the attribute is missing or null: `Default::default()`, a value, a Rust expression, or an array for a collection |
/// | `from_str` | the value is a string, which `FromStr` reads; for a `Vec` or a set, a list of strings |
/// | `one_or_many` | for a collection: the value is a list, or one element without brackets |
/// | `with = path` | a function `fn(&Value) -> Result<T, E>` reads the value |
/// | `range = 1..=10` | the value must be in the range |
/// | `pattern = "^[a-z]+$"` | the text must match the regular expression, in the syntax of the function `regex`; needs the feature `functions` |
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
///
/// # Names
///
/// `rename`, `rename_all` and `alias` change the names in HCL. It is an error if an attribute is set by two of its names,
/// and an unknown name is an error with the nearest known one:
///
/// ```
/// use hclkit::{Context, Decode};
///
/// #[derive(Decode)]
/// #[hcl(rename_all = "kebab-case")]
/// struct Server {
///     #[hcl(rename = "type")]
///     kind: String,
///     #[hcl(alias = "workers")]
///     worker_count: Option<u32>,
///     #[hcl(deprecated = "use `worker-count`")]
///     threads: Option<u32>,
///     #[hcl(skip)]
///     started: bool,
/// }
///
/// let server: Server = hclkit::load_str("type = \"web\"\nworkers = 4\n", &Context::new())?;
/// assert_eq!((server.kind.as_str(), server.worker_count, server.threads), ("web", Some(4), None));
/// assert!(!server.started);
///
/// let error = |text: &str| hclkit::load_str::<Server>(text, &Context::new()).err().unwrap().to_string();
/// assert_eq!(
///     error("type = \"web\"\nworker-cuont = 4\n"),
///     "2:1: error: Unsupported argument: An argument named `worker-cuont` is not expected here. Did you mean `worker-count`?",
/// );
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
///
/// # Values
///
/// `default` replaces a missing or null value. `from_str`, `with` and `one_or_many` change how a value is read, and `range`,
/// `pattern` and `validate` check it. An error is reported at the expression:
///
/// ```
/// use hclkit::{Context, Decode, FromValue, Value};
///
/// #[derive(Decode)]
/// struct Server {
///     #[hcl(default = 8080, range = 1024..)]
///     port: u16,
///     #[hcl(default = std::thread::available_parallelism().map_or(1, usize::from))]
///     threads: usize,
///     #[hcl(from_str)]
///     version: Version,
///     #[hcl(with = seconds)]
///     timeout: u64,
///     #[hcl(one_or_many, default)]
///     hosts: Vec<String>,
///     #[hcl(validate = is_path)]
///     root: String,
/// }
///
/// #[derive(PartialEq, Debug)]
/// struct Version(u32, u32);
///
/// impl std::str::FromStr for Version {
///     type Err = String;
///
///     fn from_str(text: &str) -> Result<Version, String> {
///         let parts = text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
///         parts.map(|(major, minor)| Version(major, minor)).ok_or_else(|| "expected a version such as 1.2".to_owned())
///     }
/// }
///
/// fn seconds(value: &Value) -> Result<u64, hclkit::value::Error> {
///     Ok(60 * u64::from_value(value)?)
/// }
///
/// fn is_path(path: &String) -> Result<(), &'static str> {
///     if path.starts_with('/') { Ok(()) } else { Err("the path must be absolute") }
/// }
///
/// let text = "version = \"1.2\"\ntimeout = 2\nhosts = \"a\"\nroot = \"/srv\"\n";
/// let server: Server = hclkit::load_str(text, &Context::new())?;
/// assert_eq!((server.port, server.version, server.timeout), (8080, Version(1, 2), 120));
/// assert_eq!((server.hosts, server.root), (vec!["a".to_owned()], "/srv".to_owned()));
/// assert!(server.threads > 0);
///
/// let errors = hclkit::load_str::<Server>("port = 80\nversion = \"1\"\ntimeout = 2\nroot = \"srv\"\n", &Context::new());
/// let errors: Vec<String> = errors.err().unwrap().iter().map(ToString::to_string).collect();
/// assert_eq!(errors, [
///     "1:8: error: Invalid value: Invalid value for the argument `port`: the value must be at least 1024.",
///     "2:11: error: Invalid value: Invalid value for the argument `version`: expected a version such as 1.2.",
///     "4:8: error: Invalid value: Invalid value for the argument `root`: the path must be absolute.",
/// ]);
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
///
/// # Blocks and labels
///
/// The type of a field with `block` says how many blocks there can be, and `min` and `max` limit a `Vec`. `key = label`
/// makes a map, in which two blocks with the same label are an error. `flatten` reads another type from the same body, and
/// `remain` keeps what no field reads:
///
/// ```
/// use std::collections::BTreeMap;
///
/// use hclkit::{Context, Decode, Value};
///
/// #[derive(Decode)]
/// struct Cluster {
///     #[hcl(block, min = 1)]
///     node: Vec<Node>,
///     #[hcl(block, key = label)]
///     volume: BTreeMap<String, Volume>,
/// }
///
/// #[derive(Decode)]
/// struct Node {
///     #[hcl(label)]
///     zone: String,
///     #[hcl(flatten)]
///     size: Size,
///     #[hcl(remain)]
///     tags: BTreeMap<String, Value>,
/// }
///
/// #[derive(Decode)]
/// struct Size {
///     cpus: u32,
/// }
///
/// #[derive(Decode)]
/// struct Volume {
///     gigabytes: u64,
/// }
///
/// let text = "node \"a\" {\n  cpus = 4\n  team = \"shop\"\n}\nvolume \"logs\" {\n  gigabytes = 9\n}\n";
/// let cluster: Cluster = hclkit::load_str(text, &Context::new())?;
/// assert_eq!((cluster.node[0].zone.as_str(), cluster.node[0].size.cpus), ("a", 4));
/// assert_eq!(cluster.node[0].tags["team"], Value::from("shop"));
/// assert_eq!(cluster.volume["logs"].gigabytes, 9);
///
/// let text = "node {\n  cpus = 4\n}\nvolume \"logs\" {\n  gigabytes = 9\n}\nvolume \"logs\" {\n  gigabytes = 8\n}\n";
/// let errors = hclkit::load_str::<Cluster>(text, &Context::new()).err().unwrap();
/// let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
/// assert_eq!(errors, [
///     "1:1: error: Insufficient blocks: A block of type `node` is required here.",
///     "1:6: error: Missing block label: The label `zone` is missing. `node` blocks must have one label.",
///     "7:1: error: Duplicate block: A block of type `volume` with the label `logs` already exists.",
/// ]);
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
///
/// # Enums
///
/// `tag = label` chooses the variant by the first label, and `tag = "type"` by an attribute. A name that is not a variant
/// is an error with the nearest one:
///
/// ```
/// use hclkit::{Context, Decode};
///
/// #[derive(Decode)]
/// struct Config {
///     #[hcl(block)]
///     storage: Storage,
///     #[hcl(block)]
///     auth: Auth,
/// }
///
/// #[derive(Decode, PartialEq, Debug)]
/// #[hcl(tag = label)]
/// enum Storage {
///     Memory,
///     File { path: String },
/// }
///
/// #[derive(Decode, PartialEq, Debug)]
/// #[hcl(tag = "type")]
/// enum Auth {
///     None,
///     #[hcl(rename = "jwt")]
///     Token { issuer: String },
/// }
///
/// let text = "storage \"file\" {\n  path = \"/var\"\n}\nauth {\n  type = \"jwt\"\n  issuer = \"me\"\n}\n";
/// let config: Config = hclkit::load_str(text, &Context::new())?;
/// assert_eq!(config.storage, Storage::File { path: "/var".into() });
/// assert_eq!(config.auth, Auth::Token { issuer: "me".into() });
///
/// let text = "storage \"flie\" {\n  path = \"/var\"\n}\nauth {\n  type = \"none\"\n}\n";
/// let error = hclkit::load_str::<Config>(text, &Context::new()).err().unwrap().to_string();
/// assert_eq!(
///     error,
///     "1:9: error: Invalid value: Expected \"memory\" or \"file\", found \"flie\"; did you mean \"file\"?",
/// );
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
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
/// A struct is read from an object, and a newtype like the type inside it. An enum without data is read from a string, and
/// also implements `FromStr`, so that it can be a label and a key. An enum with `#[hcl(tag = "type")]` is read from an
/// object whose attribute `type` chooses the variant; a variant contains nothing, one type or named fields.
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
/// The attributes of fields are `skip`, `rename`, `alias`, `default`, `from_str`, `one_or_many`, `with`, `range`, `pattern` and
/// `validate`, as in [`macro@Decode`].
#[proc_macro_derive(FromValue, attributes(hcl))]
pub fn derive_from_value(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    value::derive_from(&input).unwrap_or_else(|error| value::failed(&input, &error)).into()
}

/// Derives `IntoValue`, with the attributes of [`macro@FromValue`]. The type must also implement `Typed`, which
/// deriving `FromValue` does. An enum without data also implements `Display`, which writes it as a label or a key.
#[proc_macro_derive(IntoValue, attributes(hcl))]
pub fn derive_into_value(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    value::derive_into(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// `hclkit::value!`.
#[doc(hidden)]
#[proc_macro]
pub fn value(tokens: TokenStream) -> TokenStream {
    source::expand(source::Kind::Value, tokens).into()
}

/// `hclkit::expr!`.
#[doc(hidden)]
#[proc_macro]
pub fn expr(tokens: TokenStream) -> TokenStream {
    source::expand(source::Kind::Expression, tokens).into()
}

/// `hclkit::body!`.
#[doc(hidden)]
#[proc_macro]
pub fn body(tokens: TokenStream) -> TokenStream {
    source::expand(source::Kind::Body, tokens).into()
}
