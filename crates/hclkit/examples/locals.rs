//! Evaluates the `locals` of all files in a directory, and prints them in dependency order:
//! `cargo run -p hclkit --example locals -- crates/hclkit/examples/locals`.

use std::{env, error::Error, fs, path::Path};

use hclkit::model::{Schema, Scope};
use hclkit::{Context, Diagnostics, Source, decode, render::Renderer};

pub(crate) fn run(directory: &Path) -> Result<String, Box<dyn Error>> {
    let (mut scope, mut errors, mut sources) = (Scope::new(), Diagnostics::new(), Vec::new());
    for file in fs::read_dir(directory)? {
        let path = file?.path();
        sources.push(Source::new(path.file_name().unwrap_or_default().to_string_lossy(), fs::read(&path)?));
    }
    sources.sort_by(|one, other| one.name().cmp(other.name()));
    let body = decode::read(sources)?;
    for block in errors.absorb(body.partial_content(&Schema::new().with_block("locals", &[]))).0.blocks {
        for local in errors.absorb(block.body.attributes()) {
            let defined = scope.define(["local", &local.name], local.expression);
            errors.append(defined.err().unwrap_or_default());
        }
    }
    let (locals, found) = Context::new().with_scope(scope).resolve();
    errors.append(found);
    let lines = locals.iter().map(|local| format!("{} = {}", local.name, local.value));
    Ok(lines.chain([Renderer::plain().diagnostics(&errors)]).collect::<Vec<_>>().join("\n"))
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    run(env::args().nth(1).ok_or("usage: locals DIRECTORY")?.as_ref()).map(|text| println!("{text}"))
}
