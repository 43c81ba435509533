//! Sets a version wherever a path selects it, and keeps comments and layout: `cargo run -p hclkit --example bump --
//! 'module~[source == "./network"].version' 2.1.0 crates/hclkit/examples/bump/*.tf`.

use std::{env, error::Error, fs};

use hclkit::write::{Edits, Selector};

/// Returns the new text of a file.
pub(crate) fn bump(text: Vec<u8>, path: &Selector, version: &str) -> Result<String, Box<dyn Error>> {
    let document = hclkit::parse(text);
    let mut edits = Edits::new(&document);
    for found in path.select(&document)? {
        edits.set(&found, version)?;
    }
    Ok(edits.apply()?.source().text().to_owned())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [path, version, files @ ..] = &arguments[..] else {
        return Err("usage: bump PATH VERSION FILE…".into());
    };
    for file in files {
        fs::write(file, bump(fs::read(file)?, &path.parse()?, version)?)?;
    }
    Ok(())
}
