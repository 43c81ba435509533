//! HCL 1, the syntax of older configuration: Consul's, Vault's and Nomad's agents, policies, and Terraform before 0.12.
//! There is no specification; the reference is github.com/hashicorp/hcl v1.0.0. The text becomes the
//! tokens and the tree of the native syntax, so that views, walks and positions are the same. `hcl1/lexer.rs` has the
//! tokens, `hcl1/parser.rs` the tree and `hcl1/literal.rs` what literals mean; `hcl1/character.rs` has its characters.
//!
//! What is different from the native syntax:
//! - Line breaks are white space: several items can be on one line, and commas can be between them.
//! - Names can be quoted, and contain dots: `"a.b" = 1`, `a.b = 1`.
//! - `name = { … }` and `name { … }` mean the same, and so does a block inside of an object.
//! - Only literals, lists and objects are values. `${ … }` in a string is part of its text.
//! - `0644` is octal and `0x1F` hexadecimal.

mod character;
mod lexer;
mod literal;
mod parser;

use std::sync::Arc;

use hclkit_limits::Meter;

#[doc(hidden)]
pub use character::fold_case;
pub use literal::Hcl1Number;
#[doc(hidden)]
pub use literal::sequence_len;
pub(crate) use literal::{heredoc_text, quoted_text};

use crate::document::Shape;
use crate::fix::Findings;
use crate::lexer::not_text;
use crate::{Diagnostic, Source, Span};

/// Returns true if a source is JSON, as the reference decides: its first character after white space is a brace.
pub(crate) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Reads the tokens and the tree of a source.
pub(crate) fn read(source: Source) -> (Shape, Arc<Source>, Findings) {
    let meter = Meter::current();
    let (tokens, diagnostics, unread) = lexer::lex(&source, &meter);
    let parser::Parsed { tree, diagnostics: found, unread: unparsed } =
        parser::parse(&source, &tokens, meter.nesting(), &meter);
    let mut diagnostics = diagnostics.merge(found);
    if let Some((at, exceeded)) = unparsed.or(unread) {
        diagnostics.retain(|diagnostic| diagnostic.span().start < at);
        diagnostics.push(Diagnostic::exceeded(exceeded).at(Span::empty(at)));
    } else if !diagnostics.is_empty()
        && let Some(not_text) = not_text(&source)
    {
        diagnostics = not_text.into();
    }
    let source = Arc::new(source);
    let findings = Findings::new(diagnostics.with_source(&source), meter.nesting());
    (Shape { tokens, tree }, source, findings)
}
