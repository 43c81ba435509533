//! The catalog of texts in diagnostics about syntax: notes by code, titles of fixes, and texts at related places. The
//! summary and the explanation of each code are in `code.rs`. What the JSON syntax reads as U+FFFD is a warning, everything
//! else an error. A text is a constant, or a function of its parts.

pub(crate) mod fix;
pub(crate) mod hcl1;
pub(crate) mod json;
pub(crate) mod lexical;
pub(crate) mod native;
pub(crate) mod related;
