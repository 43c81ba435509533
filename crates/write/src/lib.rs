//! Writing HCL: the [`Formatter`] and [`Edits`], which work on the tokens of a [`Document`](hclkit_syntax::Document) and
//! return changes to its source, and new source text from values and from [`NewBody`]. This crate reads and writes no
//! files.
//!
//! ```
//! let document = hclkit_syntax::parse("ports=[80,443]\n");
//! let formatted = hclkit_write::Formatter::plain().format(&document);
//! assert_eq!(formatted.text(), b"ports = [80, 443]\n".as_slice());
//! assert_eq!(formatted.edits().len(), 3);
//! ```

mod build;
mod edit;
mod format;
pub mod layout;
mod path;
mod profile;
mod refactor;

pub use build::{NewBody, NewValue, SourceError, raw};
pub use edit::{EditError, Edits, source_of};
pub use format::{Formatted, Formatter, format_source};
pub use layout::Layout;
pub use path::{Match, Selector, SelectorError, evaluate};
pub use profile::Profile;
pub use refactor::{Reference, ReferenceKind, RenameError, Symbol, SymbolError, rename};
