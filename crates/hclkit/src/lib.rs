//! hclkit: HCL 2 for Rust. This crate is what programs depend on: it reads files by name, renders diagnostics for
//! people, links the function libraries and converts to JSON; the rest it hands on from the crates beneath it.
//!
//! ```
//! use hclkit::render::Renderer;
//!
//! let document = hclkit::parse("port = 'eighty'\n");
//! for diagnostic in document.diagnostics() {
//!     println!("{}", Renderer::plain().diagnostic(&document, diagnostic));
//! }
//! ```

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

pub mod convert;
pub mod decode;
mod file;
pub mod functions;
pub mod layout;
pub mod render;
pub mod schema;
pub mod variables;

pub use file::{FileError, Syntax, diagnostics_of, located, parse_file, parse_file_with};
pub use hclkit_model as model;
pub use hclkit_model::{Context, Diagnostics, Expression, Functions, Limits};
pub use hclkit_syntax as syntax;
pub use hclkit_syntax::{
    Code, Diagnostic, Document, Entry, ParseOptions, Position, Range, Severity, Source, Span, apply_fixes,
    ast, parse, parse_expression, parse_template, parse_traversal,
};
pub use hclkit_value as value;
pub use hclkit_value::{Type, Value};
pub use layout::Layout;
