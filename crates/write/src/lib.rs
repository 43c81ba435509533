//! Writing HCL: the [`Formatter`] and [`Edits`], which work on the tokens of a [`Document`](hclkit_syntax::Document) and
//! return changes to its source, new source text from values and from [`NewBody`], and the [`Merge`] of three versions of a
//! file. This crate reads and writes no files.
//!
//! ```
//! let document = hclkit_syntax::parse("ports=[80,443]\n");
//! let formatted = hclkit_write::Formatter::plain().format(&document);
//! assert_eq!(formatted.text(), "ports = [80, 443]\n");
//! assert_eq!(formatted.edits().len(), 3);
//! ```

mod build;
mod edit;
mod encode;
mod format;
#[doc(hidden)]
pub mod layout;
mod merge;
mod path;

pub use build::{NewBody, NewValue, SourceError, raw};
#[doc(hidden)]
pub use build::{attribute_name, splice};
pub use edit::{EditError, Edits, Rewriter};
#[doc(hidden)]
pub use edit::{property_name, source_of};
pub use encode::Encode;
#[doc(hidden)]
pub use encode::{EncodeBlocks, encode_attribute, encode_keyed_block, encode_rest};
pub use format::{Formatted, Formatter, Style, format_source};
#[doc(hidden)]
pub use hclkit_value::Error;
pub use layout::Layout;
pub use merge::{ConflictStyle, LinesOnly, Merge, Merged, Method, Version};
pub use path::{Match, PathError, Selector};
#[doc(hidden)]
pub use path::{evaluate, evaluate_merged};
