//! `hcl eval DIR --partial`: the files of a module with all known values inserted, on standard output or in a
//! directory.

use std::fs;
use std::path::Path;

use hclkit::model::PartialOptions;
use hclkit::module::{Module, PartialFile};
use hclkit::syntax::{Syntax, visible_line};
use hclkit::write::{Formatter, Profile};
use hclkit::{Diagnostics, Document, Entry, Layout, Source, Value};

use crate::args::{Eval, Output};
use crate::output::{Failure, print_bytes};
use crate::replace;
use crate::scope::Halt;

/// Writes the files, and returns the warnings.
pub(super) fn write(command: &Eval, module: &Module) -> Result<Diagnostics, Halt> {
    if !command.addresses.is_empty() {
        return Err(Failure::new("--partial writes whole modules; leave out the addresses").into());
    }
    if command.output.is_some_and(|output| output != Output::Hcl) {
        return Err(Failure::new("--partial of a module writes its files, so --output must be hcl").into());
    }
    let options =
        PartialOptions::new().with_impure(command.impure).with_reveal_marked(command.show_sensitive);
    let (files, warnings) = module.partial(options, &literal)?;
    let files: Vec<(String, Vec<u8>)> =
        files.into_iter().map(|file| (file.path.clone(), formatted(file))).collect();
    match replace::file(command.out.as_ref()) {
        None => {
            let mut text = Vec::new();
            for (path, content) in &files {
                if !text.is_empty() {
                    text.push(b'\n');
                }
                text.extend(format!("# {}\n", visible_line(path)).into_bytes());
                text.extend(content);
            }
            print_bytes(&text)?;
        }
        Some(directory) => write_all(directory, &files)?,
    }
    Ok(warnings)
}

/// Creates a directory with the files.
fn write_all(directory: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    if let Some((path, _)) = files.iter().find(|(path, _)| path.starts_with("..")) {
        let path = visible_line(path);
        return Err(Failure::new(format!(
            "{path} is outside of the module; write to standard output instead"
        )));
    }
    for (path, content) in files {
        let path = directory.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| replace::unwritable(&path, error))?;
        }
        replace::write(&path, content)?;
    }
    Ok(())
}

/// The source of a value, on several lines if it is long. There are no heredocs, because no comment can follow them.
fn literal(value: &Value) -> String {
    let text = Layout::new().value(value);
    if text.contains("<<") { value.to_string() } else { text }
}

fn formatted(file: PartialFile) -> Vec<u8> {
    if Syntax::of(&file.path) == Syntax::Json {
        return file.text.into_bytes();
    }
    let document = Document::parse(Source::new(file.path.as_str(), file.text.as_str()), Entry::Config);
    Formatter::new(Profile::Terraform).format(&document).text().into_owned()
}
