#![cfg_attr(docsrs, feature(doc_cfg))]
//! hclkit: HCL 2 for Rust, the configuration language of Terraform, Packer, Nomad and many others. Programs depend on this
//! crate, which reexports those that it is built on.
//!
//! | you want to … | use |
//! | --- | --- |
//! | read a configuration into a struct | [`load`] or [`Loader`] with `#[derive(Decode)]`; see [`macro@Decode`] |
//! | the same for types that implement serde's traits | [`serde`](mod@serde) |
//! | decode a language that is defined at run time | [`decode`], with a [spec](model::Spec) |
//! | inspect files of any language | [`Body`], with a [`Schema`](model::Schema) or a [`Visitor`](model::Visitor) |
//! | evaluate expressions and templates | [`Expression`] and [`Context`] |
//! | offer functions to expressions | [`functions`], [`Function::typed`](value::Function::typed) |
//! | evaluate whole Terraform modules | [`module`](mod@module) |
//! | change, format and generate files | [`write`](mod@write), [`body!`], `#[derive(Encode)]` |
//! | convert between the native syntax, JSON and YAML | [`convert`] |
//! | document a language, or give it a JSON Schema | [`schema`] |
//! | document a module | `docs`, with the features `convert` and `module` |
//! | show errors to people and to other programs | [`render`], [`Diagnostics`] |
//! | read input that is not trusted | [`Limits`], [`Grants`](functions::Grants) |
//! | work on syntax: trees, tokens, comments | [`parse`], [`syntax`] |
//!
//! The [guide](https://github.com/hclkit/hclkit/blob/main/docs/book/src/introduction.md) has a chapter for each of these.
//!
//! # Configuration files
//!
//! With the feature `derive`, a configuration is a Rust type. All errors are reported at once, each at its location:
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use std::time::Duration;
//! use hclkit::render::Renderer;
//! use hclkit::{Context, Decode};
//!
//! #[derive(Decode)]
//! struct Config {
//!     name: String,
//!     timeout: Option<Duration>,
//!     #[hcl(block)]
//!     listen: Vec<Listen>,
//! }
//!
//! #[derive(Decode)]
//! struct Listen {
//!     #[hcl(label)]
//!     protocol: String,
//!     #[hcl(default = 80, range = 1..)]
//!     port: u16,
//! }
//!
//! let context = Context::new().with("region", "eu");
//! let text = "name    = \"shop-${region}\"\ntimeout = \"30s\"\n\nlisten \"http\" {}\n";
//! let config: Config = hclkit::load_str(text, &context)?;
//! assert_eq!((config.name.as_str(), config.listen[0].port), ("shop-eu", 80));
//!
//! if let Err(errors) = hclkit::load_str::<Config>("nmae = \"shop\"\n", &context) {
//!     eprintln!("{}", Renderer::plain().diagnostics(&errors));
//! }
//! # }
//! # Ok::<(), hclkit::Diagnostics>(())
//! ```
//!
//! # Specs
//!
//! A [spec](model::Spec) decodes a configuration into a value. Create it in code, or read it from a
//! [spec file](model::SpecFile); see [`decode`]. Errors have their place in the source:
//!
//! ```
//! use hclkit::decode::{self, Decoder};
//! use hclkit::model::{AttributeSpec, BlocksSpec, Spec};
//! use hclkit::render::Renderer;
//! use hclkit::{Source, Type};
//!
//! let listen = Spec::object([
//!     ("port", Spec::from(AttributeSpec::new("port", Type::Number).with_required())),
//!     ("protocol", Spec::from(AttributeSpec::new("protocol", Type::String)).or(Spec::literal("http"))),
//! ]);
//! let service = Decoder::of(Spec::object([
//!     ("name", Spec::from(AttributeSpec::new("name", Type::String).with_required())),
//!     ("listeners", Spec::BlockList(BlocksSpec::new("listen", listen).with_min_items(1))),
//! ]));
//!
//! let body = decode::read([Source::new("web.hcl", "name = \"web\"\nlisten {\n  port = 80\n}\n")])?;
//! let value = service.decode(&body)?;
//! assert_eq!(value.to_string(), r#"{ listeners = [{ port = 80, protocol = "http" }], name = "web" }"#);
//!
//! let body = decode::read([Source::new("web.hcl", "name = \"web\"\nlisten {\n  prot = 80\n}\n")])?;
//! let mistakes = service.decode(&body).unwrap_err();
//! println!("{}", Renderer::plain().diagnostics(&mistakes));
//! # Ok::<(), hclkit::Diagnostics>(())
//! ```
//!
//! # Expressions
//!
//! Expressions and templates are evaluated with variables and functions:
//!
//! ```
//! use hclkit::functions::{Grants, Library};
//! use hclkit::{Context, Expression, Value};
//!
//! let functions = Library::Terraform.functions(&Grants::new());
//! let context = Context::new().with("name", "web").with_functions(functions);
//! let value = Expression::parse(r#"upper("${name}-01")"#)?.evaluate(&context)?;
//! assert_eq!(value, Value::from("WEB-01"));
//! # Ok::<(), hclkit::Diagnostics>(())
//! ```
//!
//! # Edits
//!
//! Edits keep comments and layout, with the feature `write`:
//!
//! ```
//! # #[cfg(feature = "write")] {
//! use hclkit::write::{Edits, Selector};
//!
//! let document = hclkit::parse("service \"web\" {\n  port = 80 # public\n}\n");
//! let ports: Selector = "service.*.port".parse()?;
//! let mut edits = Edits::new(&document);
//! for port in ports.select(&document)? {
//!     edits.set(&port, 8080)?;
//! }
//! assert_eq!(edits.apply()?.source().text(), "service \"web\" {\n  port = 8080 # public\n}\n");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Syntax
//!
//! Tools work on the syntax. [`parse`] returns a document with its syntax tree, and never fails:
//!
//! ```
//! use hclkit::render::Renderer;
//!
//! let document = hclkit::parse("port = 'eighty'\n");
//! for diagnostic in document.diagnostics() {
//!     println!("{}", Renderer::plain().diagnostic(diagnostic));
//! }
//! ```
//!
//! [`render`] writes diagnostics as text, JSON, SARIF and GitHub annotations. Diagnostics also implement `Serialize`.
//!
//! # Features
//!
//! By default, hclkit parses, evaluates and decodes.
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `eval` | values, expressions, bodies and specs, with the functions of the spec language; on by default. Without it, hclkit only parses |
//! | `render` | diagnostics as text for people, JSON, SARIF and GitHub annotations, as [`render`]; values as plain JSON |
//! | `derive` | `#[derive(Decode)]`, `#[derive(FromValue)]`, `#[derive(IntoValue)]`, [`value!`]; with `write`, `#[derive(Encode)]`, [`expr!`], [`body!`] |
//! | `write` | the formatter, edits, paths, and source from values and builders, as [`write`](mod@write) |
//! | `convert` | conversion between the native syntax and the JSON syntax, [`convert`]; JSON Schema and Markdown from specs, [`schema`] |
//! | `functions` | the function libraries of cty, Terraform, Packer and Bake |
//! | `fs` | their functions that read a granted directory or random numbers of the system, such as `file` and `uuid` |
//! | `module` | whole directories, such as Terraform modules, as [`module`](mod@module) |
//! | `serde` | Rust types from HCL and back with serde, [`serde`](mod@serde); `Serialize` and `Deserialize` for values and types |
//! | `full` | all of these |
//! | `rsa` | `rsadecrypt`; its time depends on the key ([RUSTSEC-2023-0071](https://rustsec.org/advisories/RUSTSEC-2023-0071)) |
//! | `figment`, `garde`, `miette`, `schemars` | integrations with these libraries, `integrations` |
//!
//! A function library lists all of its functions whichever features are on. Calling a function whose feature is off is
//! an error that names the feature. All features except `fs` and `rsa` work on `wasm32-unknown-unknown`.

#[cfg(feature = "convert")]
pub mod convert;
#[cfg(feature = "eval")]
pub mod decode;
#[cfg(feature = "render")]
mod digits;
#[cfg(all(feature = "convert", feature = "module"))]
pub mod docs;
#[cfg(feature = "eval")]
pub mod functions;
#[cfg(any(feature = "figment", feature = "garde", feature = "miette", feature = "schemars"))]
pub mod integrations;
#[cfg(feature = "eval")]
mod load;
#[cfg(feature = "derive")]
mod macros;
#[cfg(feature = "eval")]
mod messages;
#[cfg(feature = "module")]
pub mod module;
#[cfg(all(feature = "functions", feature = "write"))]
#[doc(hidden)]
pub mod orders;
#[cfg(all(feature = "derive", feature = "functions"))]
mod patterns;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "convert")]
pub mod schema;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(feature = "eval")]
pub mod variables;

#[cfg(all(feature = "derive", feature = "write"))]
pub use hclkit_derive::Encode;
#[cfg(feature = "derive")]
pub use hclkit_derive::{Decode, FromValue, IntoValue};
#[cfg(any(feature = "module", feature = "write"))]
#[doc(inline)]
pub use hclkit_dialect as dialect;
#[doc(inline)]
pub use hclkit_limits as limits;
pub use hclkit_limits::{CancelToken, Limits};
#[cfg(feature = "eval")]
#[doc(inline)]
pub use hclkit_model as model;
#[cfg(feature = "eval")]
#[doc(inline)]
pub use hclkit_model::hcl1;
#[cfg(feature = "eval")]
pub use hclkit_model::typed::{Decode, Spanned};
#[cfg(feature = "eval")]
pub use hclkit_model::{Body, Context, Expression, Functions};
#[cfg(feature = "write")]
#[doc(hidden)]
pub use hclkit_refactor as refactor;
#[doc(inline)]
pub use hclkit_syntax as syntax;
pub use hclkit_syntax::{
    Code, Diagnostic, Diagnostics, Document, Fix, Place, Position, Range, Severity, Source, Span,
    StartSymbol, Syntax, apply_fixes, ast, parse, parse_expression, parse_template, parse_traversal,
};
#[cfg(feature = "eval")]
#[doc(inline)]
pub use hclkit_value as value;
#[cfg(feature = "eval")]
pub use hclkit_value::{FromValue, IntoValue, Type, Value};
#[cfg(feature = "write")]
#[doc(inline)]
pub use hclkit_write as write;
#[cfg(feature = "write")]
#[doc(hidden)]
pub use hclkit_write::layout;
#[cfg(feature = "write")]
pub use hclkit_write::{Encode, Layout};
#[cfg(feature = "eval")]
pub use load::{Loader, load, load_str};

/// What the macros expand to.
#[cfg(feature = "derive")]
#[doc(hidden)]
pub mod __private {
    pub use crate::macros::number;
    #[cfg(feature = "functions")]
    pub use crate::patterns::check_pattern;
    pub use hclkit_derive::{body, expr, value};
}

/// The examples of the README.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
