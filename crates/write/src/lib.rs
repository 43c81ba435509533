//! Writing HCL: the [`Formatter`], which works on the tokens of a [`Document`](hclkit_syntax::Document) and answers with
//! text edits against its source. It reads and writes no files.
//!
//! ```
//! let document = hclkit_syntax::parse("ports=[80,443]\n");
//! let formatted = hclkit_write::Formatter::plain().format(&document);
//! assert_eq!(formatted.text(), b"ports = [80, 443]\n".as_slice());
//! assert_eq!(formatted.edits().len(), 3);
//! ```

mod format;
mod profile;

pub use format::{Formatted, Formatter, format_source};
pub use profile::Profile;
