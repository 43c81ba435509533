//! `hcl eval DIR --partial`: the files of a module with all known values inserted, on standard output or in a
//! directory.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use hclkit::dialect::Dialect;
use hclkit::model::PartialOptions;
use hclkit::module::{Module, PartialFile};
use hclkit::syntax::{Syntax, visible_line};
use hclkit::write::Formatter;
use hclkit::{Diagnostics, Document, Layout, Source, StartSymbol, Value};

use crate::args::{Eval, Output};
use crate::atomic_write::{self, OutputDirectory, refuse_input};
use crate::module::ModulePath;
use crate::outcome::{CommandError, Failure};
use crate::output::print_bytes;

/// Writes the files, and returns the warnings.
pub(super) fn write(
    command: &Eval,
    place: &ModulePath,
    module: &Module,
    is_whole: bool,
) -> Result<Diagnostics, CommandError> {
    if !is_whole {
        return Err(Failure::new("--partial writes whole modules; leave out the addresses").into());
    }
    if command.output().is_some_and(|output| output != Output::Hcl) {
        return Err(Failure::new("--partial of a module writes its files, so --output must be hcl").into());
    }
    let options =
        PartialOptions::new().with_impure(command.impure).with_reveal_marked(command.show_sensitive);
    let (files, warnings) = module.partial(options, &literal)?;
    let files: Vec<(String, Vec<u8>)> =
        files.into_iter().map(|file| (file.path.clone(), formatted(file))).collect();
    match atomic_write::file(command.destination.out.as_ref()) {
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
        Some(directory) => write_all(directory, &place.directory, &files)?,
    }
    Ok(warnings)
}

/// Creates a directory with the files of a module. If some are outside of the module, as those of `../network`, it has the
/// files below a directory that contains all of them.
fn write_all(directory: &Path, root: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    let ups = |path: &str| path.split('/').take_while(|part| *part == "..").count();
    let most = files.iter().map(|(path, _)| ups(path)).max().unwrap_or_default();
    let inside = inside(root, most)?;
    let target = |path: &str| {
        let up = ups(path);
        let above: PathBuf = inside[..most - up].iter().collect();
        above.join(path.get(3 * up..).unwrap_or_default())
    };
    files.iter().try_for_each(|(path, _)| refuse_input(&directory.join(target(path))))?;
    let directory = OutputDirectory::create(directory)?;
    files.iter().try_for_each(|(path, content)| directory.write(&target(path), content))
}

/// The last names in the path of a directory.
fn inside(directory: &Path, count: usize) -> Result<Vec<OsString>, Failure> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let failed =
        |why: &dyn std::fmt::Display| Failure::new(format!("cannot read {}: {why}", directory.display()));
    let path = directory.canonicalize().map_err(|error| failed(&error))?;
    let names = path.components().filter(|part| matches!(part, Component::Normal(_)));
    let names: Vec<OsString> = names.map(|part| part.as_os_str().to_owned()).collect();
    let first = names
        .len()
        .checked_sub(count)
        .ok_or_else(|| failed(&"a module is above the root of the file system"))?;
    Ok(names[first..].to_vec())
}

/// The source of a value, on several lines if it is long. There are no heredocs, because no comment can follow them.
pub(in crate::eval) fn literal(value: &Value) -> String {
    let text = Layout::new().value(value);
    if text.contains("<<") { value.to_string() } else { text }
}

fn formatted(file: PartialFile) -> Vec<u8> {
    if Syntax::of(&file.path) == Syntax::Json {
        return file.text.into_bytes();
    }
    let document = Document::parse(Source::new(file.path.as_str(), file.text.as_str()), StartSymbol::Config);
    Formatter::new(Dialect::terraform()).format(&document).bytes().into_owned()
}
