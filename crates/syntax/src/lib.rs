//! The HCL 2 front end: parses text into a [`Document`] with the source, its tokens, its syntax tree and all
//! [`Diagnostic`]s. Parsing never fails: a file with errors is a document too, and its tree contains everything that
//! could be parsed.
//!
//! ```
//! use hclkit_syntax::ast::Item;
//!
//! let document = hclkit_syntax::parse("service \"web\" {\n  port = 80\n}\n");
//! assert!(document.diagnostics().is_empty());
//! for item in document.body().items() {
//!     match item {
//!         Item::Attribute(attribute) => println!("{} = …", attribute.name()),
//!         Item::Block(block) => println!("{} {:?}", block.block_type(), block.label_texts()),
//!     }
//! }
//! ```
//!
//! Errors are data, each with a stable code, its location, and often an edit that fixes it:
//!
//! ```
//! let document = hclkit_syntax::parse("port = 'eighty'\n");
//! let error = &document.diagnostics()[0];
//! assert_eq!(error.code(), Some(hclkit_syntax::Code::WrongCharacter));
//! assert_eq!(document.range(error.span()).start.column, 8);
//! assert!(error.fix().is_some());
//! ```
//!
//! Text and positions are in [`Source`], [`Span`] and [`Range`]. [`Tokens`] and the [`Tree`] follow; [`ast`] provides
//! typed views of the tree with the names of the grammar. Errors are [`Diagnostic`]s with a [`Code`]. Values and
//! evaluation are in other crates.
//!
//! The feature `serde` adds `Serialize` for diagnostics and what they consist of.

mod address;
pub mod ast;
mod code;
mod columns;
mod diagnostic;
mod diagnostics;
mod document;
mod file_name;
mod fix;
mod hcl1;
pub mod json;
mod lexer;
mod messages;
mod names;
mod number;
mod parser;
mod place;
#[cfg(feature = "serde")]
mod serde;
mod source;
mod span;
mod text;
mod token;
mod tree;
mod visible;

#[doc(hidden)]
pub use address::{Addresses, JsonAddresses, push_name};
pub use code::Code;
#[doc(hidden)]
pub use code::{CustomCode, UnknownCode};
#[doc(hidden)]
pub use columns::Positions;
#[doc(hidden)]
pub use diagnostic::{At, Title};
pub use diagnostic::{Diagnostic, Evidence, Related, Severity};
pub use diagnostics::Diagnostics;
#[doc(hidden)]
pub use diagnostics::DiagnosticsMark;
pub use document::{Document, Root, parse, parse_expression, parse_template, parse_traversal};
pub use file_name::Syntax;
#[doc(hidden)]
pub use fix::{Change, Edited, Fixed, PositionMap, fix_all};
pub use fix::{Edit, Fix, apply_fixes};
pub use hcl1::Hcl1Number;
#[doc(hidden)]
pub use hcl1::{fold_case, sequence_len};
#[doc(hidden)]
pub use hclkit_limits::is_visible;
pub use names::is_identifier;
#[doc(hidden)]
pub use names::{KnownNames, did_you_mean, nearest_name, nearest_names, or_did_you_mean};
pub use parser::StartSymbol;
pub use place::Place;
pub use source::Source;
#[doc(hidden)]
pub use span::Utf16Position;
pub use span::{Position, Range, Span};
pub use token::{Token, TokenKind, Tokens};
#[doc(hidden)]
pub use tree::Children;
pub use tree::{NodeId, NodeKind, Tree, Visit, Walk};
pub use visible::{visible, visible_line};
