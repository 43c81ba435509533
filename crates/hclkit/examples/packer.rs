//! Checks a Packer template: the sources of a build must be declared, and the plugin of each source must be required:
//! `cargo run -p hclkit --example packer -- crates/hclkit/examples/packer/web.pkr.hcl`.

use std::{collections::BTreeMap, env, error::Error, path::Path, process::ExitCode};

use hclkit::render::Renderer;
use hclkit::{Body, Code, Context, Decode, Diagnostic, Diagnostics, Expression, Spanned, Value};

const UNDECLARED: Code = Code::custom("undeclared-source", "Undeclared source");
const NO_PLUGIN: Code = Code::custom("missing-plugin", "Missing plugin");

/// The parts of a template that are checked.
#[derive(Decode)]
struct Template {
    #[hcl(block)]
    packer: Option<Packer>,
    #[hcl(block)]
    source: Vec<Declared>,
    #[hcl(block)]
    build: Vec<Build>,
    #[hcl(remain)]
    _rest: Body,
}

#[derive(Decode)]
struct Packer {
    #[hcl(block)]
    required_plugins: Plugins,
    #[hcl(remain)]
    _rest: Body,
}

#[derive(Decode)]
struct Plugins {
    #[hcl(remain)]
    by_name: BTreeMap<String, Value>,
}

#[derive(Decode)]
struct Declared {
    #[hcl(label)]
    kind: Spanned<String>,
    #[hcl(label)]
    name: String,
    #[hcl(remain)]
    _rest: Body,
}

#[derive(Decode)]
struct Build {
    sources: Expression,
    #[hcl(remain)]
    _rest: Body,
}

pub(crate) fn check(path: &Path) -> Result<Diagnostics, Diagnostics> {
    let template: Template = hclkit::load(path, &Context::new())?;
    let mut found = Diagnostics::new();
    let plugins = template.packer.map(|packer| packer.required_plugins.by_name).unwrap_or_default();
    for source in &template.source {
        // The builder `amazon-ebs` belongs to the plugin `amazon`.
        let family = source.kind.split('-').next().unwrap_or_default();
        if !plugins.contains_key(family) && !plugins.contains_key(source.kind.get()) {
            let note = format!("The block `required_plugins` must contain the plugin `{family}`.");
            found.push(Diagnostic::error(NO_PLUGIN).at(source.kind.place().clone()).with_note(note));
        }
    }
    let declared: Vec<String> =
        template.source.iter().map(|source| format!("source.{}.{}", *source.kind, source.name)).collect();
    for build in template.build {
        for source in build.sources.static_list()? {
            let name = source.evaluate(&Context::new())?;
            if !declared.iter().any(|declared| name.as_str() == Some(declared)) {
                let note = format!("The declared sources are {}.", declared.join(" and "));
                found.push(Diagnostic::error(UNDECLARED).at(source.place()).with_note(note));
            }
        }
    }
    Ok(found)
}

pub(crate) fn main() -> Result<ExitCode, Box<dyn Error>> {
    let found =
        check(env::args().nth(1).ok_or("usage: packer FILE")?.as_ref()).unwrap_or_else(|errors| errors);
    println!("{}", Renderer::plain().diagnostics(&found));
    Ok(if found.has_errors() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
