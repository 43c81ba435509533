//! The JSON syntax: parses text into a [`JsonDocument`] of JSON values with their spans and all diagnostics. Specification:
//! "HCL JSON Syntax Specification". The conversion of values to bodies and expressions is in another crate.
//!
//! The text is JSON (RFC 8259) as configuration: the order of properties and duplicate names are kept, and numbers
//! remain text. Parsing never fails: as in the native syntax, a file with errors is a document too.
//!
//! ```
//! use hclkit_syntax::json::{self, JsonKind};
//!
//! let document = json::parse(r#"{"service": {"web": {"port": 80}}}"#);
//! assert!(document.diagnostics().is_empty());
//! for property in document.root().properties() {
//!     assert_eq!(property.name().value(), "service");
//!     assert!(matches!(property.value().kind(), JsonKind::Object(_)));
//! }
//! ```
//!
//! Errors have a location, and often an edit that fixes them:
//!
//! ```
//! use hclkit_syntax::{apply_fixes, json};
//!
//! let text = "{'port': 80,}";
//! let document = json::parse(text);
//! let fixes = document.diagnostics().iter().filter_map(|diagnostic| diagnostic.fix());
//! assert_eq!(apply_fixes(text, fixes), (r#"{"port": 80}"#.to_owned(), 2));
//! ```
//!
//! # Templates in strings
//! A string can contain a template. The template is the decoded text, and [`JsonText::map`] maps its offsets back to the
//! file, even after escape sequences. The reference adds the offset in the decoded text to the start of the string, so
//! that its ranges are wrong after the first escape sequence; ours refer to the file.

mod document;
mod node;
mod number;
mod parser;
mod recovery;
mod separator;
mod string;
mod text;
mod view;
mod word;
mod wrong;

pub use document::{JsonDocument, parse};
#[doc(hidden)]
pub use text::{JsonText, TextMap};
#[doc(hidden)]
pub use view::{Elements, JsonArray, JsonKind, JsonObject, JsonProperty, JsonValue, Properties};
