//! hclkit: HCL 2 for Rust. This crate is what programs depend on: it reads files by name, renders diagnostics for
//! people and converts to JSON; the rest it hands on from the crates beneath it.
//!
//! ```
//! use hclkit::render::Renderer;
//!
//! let document = hclkit::parse("port = 'eighty'\n");
//! for diagnostic in document.diagnostics() {
//!     println!("{}", Renderer::plain().diagnostic(&document, diagnostic));
//! }
//! ```

pub mod convert;
mod file;
pub mod render;

pub use file::{FileError, Syntax, parse_file, parse_file_with};
pub use hclkit_syntax as syntax;
pub use hclkit_syntax::{
    Code, Diagnostic, Document, Entry, ParseOptions, Position, Range, Severity, Source, Span, apply_fixes,
    ast, parse, parse_expression, parse_template, parse_traversal,
};
