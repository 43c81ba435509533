//! Lists what each Terraform module below a directory declares and calls, and which variables are not used:
//! `cargo run -p hclkit --example scanner -- crates/hclkit/examples/scanner`.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, error::Error, fs};

use hclkit::model::{Descend, Target, Visitor};
use hclkit::{Body, Expression, Loader};

/// The names of the variables that a module refers to.
#[derive(Default)]
struct Used(BTreeSet<String>);

impl Visitor for Used {
    type Error = Infallible;

    fn expression(&mut self, expression: &Expression) -> Result<Descend, Infallible> {
        for variable in expression.variables().iter().filter(|variable| variable.root == "var") {
            if let Some(Target::Attribute(name)) = variable.steps.first().map(|step| &step.target) {
                self.0.insert(name.to_string());
            }
        }
        Ok(Descend::Skip)
    }
}

/// A directory and all directories in it, in order.
pub(crate) fn directories(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut found, mut at) = (vec![root.to_owned()], 0);
    while let Some(directory) = found.get(at) {
        let entries = fs::read_dir(directory)?.collect::<Result<Vec<_>, _>>()?;
        found.extend(entries.iter().map(fs::DirEntry::path).filter(|path| path.is_dir()));
        at += 1;
    }
    found.sort();
    Ok(found)
}

fn scan(module: &Body, report: &mut String) -> fmt::Result {
    let mut resources = BTreeMap::<String, usize>::new();
    for resource in module.blocks("resource", &["*", "*"]) {
        *resources.entry(resource.labels[0].to_string()).or_default() += 1;
    }
    for (name, count) in resources {
        writeln!(report, "  {count} × {name}")?;
    }
    for call in module.blocks("module", &["*"]) {
        let source = call.body.attribute("source").map(|source| source.expression.text().to_owned());
        writeln!(report, "  module {} from {}", call.labels[0], source.unwrap_or_default())?;
    }
    let mut used = Used::default();
    let Ok(()) = module.visit(&mut used);
    for variable in module.blocks("variable", &["*"]) {
        if !used.0.contains(&*variable.labels[0]) {
            writeln!(report, "  variable {} is not used", variable.labels[0])?;
        }
    }
    Ok(())
}

pub(crate) fn run(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut report = String::new();
    for directory in directories(root)? {
        let (module, _) = Loader::new().with_directory(&directory, ["tf", "tf.json"]).body()?;
        if !module.items().is_empty() {
            let name = directory.strip_prefix(root)?.display().to_string();
            writeln!(report, "{}", if name.is_empty() { "." } else { &name })?;
            scan(&module, &mut report)?;
        }
    }
    Ok(report)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run(env::args().nth(1).ok_or("usage: scanner DIRECTORY")?.as_ref())?);
    Ok(())
}
