//! The HCL 2 front end: reads text into one [`Document`] with the source, its tokens, its syntax tree and all
//! [`Diagnostic`]s. Parsing never fails: a file with errors is a document too, and its tree contains everything that could
//! be read.
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
//! let mistake = &document.diagnostics()[0];
//! assert_eq!(mistake.code.as_str(), "wrong-character");
//! assert_eq!(document.range(mistake.subject).start.column, 8);
//! assert!(mistake.fix.is_some());
//! ```
//!
//! Overview: text and positions are in [`Source`], [`Span`] and [`Range`]; then [`Tokens`]; the [`Tree`], which [`ast`] reads
//! by the grammar's names; [`Diagnostic`] and [`Code`]. Values and evaluation are not here.

pub mod ast;
mod code;
mod columns;
mod diagnostic;
mod diagnostics;
mod document;
mod file_name;
mod fix;
pub mod json;
mod lexer;
mod names;
mod number;
mod parser;
mod source;
mod span;
mod text;
mod token;
mod tree;
mod visible;

pub use code::Code;
pub use columns::Positions;
pub use diagnostic::{Diagnostic, Evidence, Related, Severity};
pub use diagnostics::{Diagnostics, DiagnosticsMark};
pub use document::{Document, Root, parse, parse_expression, parse_template, parse_traversal};
pub use file_name::Syntax;
pub use fix::{Change, Edit, Edited, Fix, Fixed, Moves, apply_fixes, fix_all};
pub use hclkit_limits::is_visible;
pub use names::{KnownNames, is_identifier, nearest_name, nearest_names};
pub use parser::Entry;
pub use source::Source;
pub use span::{Position, Range, Span, Utf16Position};
pub use token::{Token, TokenKind, Tokens};
pub use tree::{Children, NodeId, NodeKind, Tree, Visit, Walk};
pub use visible::{visible, visible_line};
