//! Lists what a Terraform module and the modules that it calls declare, with the values that are known:
//! `cargo run -p hclkit --example modules -- examples/infrastructure environment=staging database_password=x services={}`.

use std::{env, error::Error, fmt::Write, path::Path};

use hclkit::module::{Dialect, loader};
use hclkit::render::Renderer;

pub(crate) fn list(directory: &Path, variables: &[(&str, &str)]) -> String {
    let loader = loader(Dialect::terraform(), directory);
    let set = |loader: hclkit::module::ModuleLoader, (name, text): &(&str, &str)| {
        loader.with_variable_text(*name, *text)
    };
    let module = variables.iter().fold(loader, set).load();
    let found = module.evaluate(&[]);
    let mut text = Renderer::plain().diagnostics(&found.diagnostics);
    for own in found.values {
        let shown = if own.sensitive { "(sensitive)".to_owned() } else { own.value.to_string() };
        let _ = writeln!(text, "{} = {shown}", own.address);
    }
    text
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [directory, variables @ ..] = &arguments[..] else {
        return Err("usage: modules DIRECTORY [NAME=VALUE…]".into());
    };
    let variables = variables.iter().map(|variable| variable.split_once('='));
    let variables: Vec<(&str, &str)> = variables.collect::<Option<_>>().ok_or("expected NAME=VALUE")?;
    print!("{}", list(directory.as_ref(), &variables));
    Ok(())
}
