//! Renders all templates of a directory with the variables of a file, in the language of Terraform's `templatefile`:
//! `cargo run -p hclkit --example templates -- crates/hclkit/examples/templates production.tfvars`.

use std::{env, error::Error, fs, path::Path};

use hclkit::functions::{Directory, Grants, Library};
use hclkit::render::Renderer;
use hclkit::{Diagnostics, Expression, Loader, Source, StartSymbol};

/// The rendered templates by their names without `.tmpl`. Templates can read files of the directory with `file`.
pub(crate) fn render(directory: &Path, variables: &str) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let grants = Grants::new().with_directory(Directory::open(directory)?);
    let loader = Loader::new()
        .with_variables_file(directory.join(variables))
        .with_functions(Library::Terraform.functions(&grants));
    let context = loader.context()?;
    let (mut rendered, mut errors) = (Vec::new(), Diagnostics::new());
    let mut paths =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(output) = name.strip_suffix(".tmpl") else { continue };
        let template = Expression::read(Source::new(&*name, fs::read(&path)?), StartSymbol::Template);
        match template.and_then(|template| template.evaluate(&context)) {
            Ok(text) => rendered.push((output.to_owned(), text.as_str().unwrap_or_default().to_owned())),
            Err(found) => errors.append(found),
        }
    }
    if errors.has_errors() { Err(Renderer::plain().diagnostics(&errors).into()) } else { Ok(rendered) }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [directory, variables] = &arguments[..] else {
        return Err("usage: templates DIRECTORY VARIABLES".into());
    };
    for (name, text) in render(directory.as_ref(), variables)? {
        println!("==> {name}\n{text}");
    }
    Ok(())
}
