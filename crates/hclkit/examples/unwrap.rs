//! Writes `"${x}"` as `x`, also where they are nested, and keeps everything else:
//! `cargo run -p hclkit --example unwrap -- crates/hclkit/examples/unwrap/*.tf`.

use std::{env, error::Error, fs};

use hclkit::Document;
use hclkit::ast::ExpressionKind;
use hclkit::syntax::{NodeId, NodeKind, Visit};
use hclkit::write::{EditError, Edits, raw};

pub(crate) fn unwrap(mut document: Document) -> Result<Document, EditError> {
    loop {
        let mut edits = Edits::new(&document);
        let (tree, mut key) = (document.tree(), None);
        let mut walk = tree.walk(NodeId::ROOT);
        while let Some(visit) = walk.next() {
            let Visit::Enter(node) = visit else { continue };
            if tree.kind(node) == NodeKind::ObjectItem {
                key = tree.children(node).next();
            }
            if let ExpressionKind::Template(template) = document.expression_at(node).kind()
                && let Some(inner) = template.as_unwrapped()
            {
                let text = inner.text();
                edits
                    .set(node, raw(if key == Some(node) { format!("({text})") } else { text.to_owned() }))?;
                walk.skip_children();
            }
        }
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
