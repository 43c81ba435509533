//! Writes `"${x}"` as `x`, also where they are nested, and keeps everything else:
//! `cargo run -p hclkit --example unwrap -- crates/hclkit/examples/unwrap/*.tf`.

use std::{env, error::Error, fs};

use hclkit::Document;
use hclkit::ast::ExpressionKind;
use hclkit::write::{EditError, Edits, raw};

pub(crate) fn unwrap(mut document: Document) -> Result<Document, EditError> {
    loop {
        let mut edits = Edits::new(&document);
        edits.rewrite(|expression| match expression.kind() {
            ExpressionKind::Template(template) => template.as_unwrapped().map(|inner| raw(inner.text())),
            _ => None,
        })?;
        if edits.is_empty() {
            return Ok(document);
        }
        document = edits.apply()?;
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for file in env::args().skip(1) {
        let document = unwrap(hclkit::parse(fs::read(&file)?))?;
        fs::write(file, document.source().text())?;
    }
    Ok(())
}
