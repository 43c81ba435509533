//! `hcl rename`: renames a name in all files that belong together. If that fails in one file, none is written.

mod callers;

use hclkit::Document;
use hclkit::write::{OccurrenceKind, RenameError, Symbol};

use crate::args::{Modules, Rename};
use crate::edit::{finish_all, symbol};
use crate::inner;
use crate::input::{Found, Input, Selection, or_here};
use crate::output::{Failure, Outcome, complain, print_diagnostics, warn};
use crate::replace;

pub(crate) fn run(command: &Rename) -> Result<Outcome, Failure> {
    let symbol = symbol(&command.address)?;
    if symbol.is_instance() {
        let why = format!("{} is an instance; its name is {symbol}", command.address);
        return Err(Failure::new(why));
    }
    if let Some(inner) = inner::find(&symbol, &command.modules.files, &command.modules.paths)? {
        let mut within = command.clone();
        within.address = inner.address;
        within.new = String::from(command.new.rsplit('.').next().unwrap_or_default());
        if within.callers.is_empty() {
            within.callers = or_here(&command.modules.paths).to_vec();
        }
        within.modules.paths = vec![inner.directory];
        return run(&within);
    }
    let Some((inputs, documents)) = read(&command.modules)? else {
        return Ok(Outcome::Unreadable);
    };
    let failure = |error: RenameError| Failure::new(error.to_string());
    let renamed =
        hclkit::write::rename(&documents, &symbol, &command.new, !command.no_moved).map_err(failure)?;
    if renamed.iter().all(Option::is_none) {
        complain(format_args!("{symbol} was not found"));
        return Ok(Outcome::Problems);
    }
    if !is_declared(&symbol, &documents) {
        warn(format_args!("no file declares {symbol}; only references to it are renamed"));
    }
    let mut changes: Vec<Change> = inputs
        .into_iter()
        .zip(documents)
        .zip(renamed)
        .map(|((input, before), after)| Change { input, before, after })
        .collect();
    if !callers::rename(command, &symbol, &mut changes)? {
        return Ok(Outcome::Unreadable);
    }
    changes.retain(|change| change.after.is_some());
    if command.write {
        replace::clean_beside(&changes.iter().map(|change| change.input.clone()).collect::<Vec<_>>());
    }
    let changed = changes.iter().filter_map(|it| Some((&it.input, &it.before, it.after.as_ref()?)));
    finish_all(command.write, changed)
}

/// A file, and its new text if it changes.
struct Change {
    input: Input,
    before: Document,
    after: Option<Document>,
}

fn is_declared(symbol: &Symbol, documents: &[Document]) -> bool {
    let is_declaration = |document: &Document| {
        symbol.occurrences(document).iter().any(|reference| reference.kind == OccurrenceKind::Declaration)
    };
    documents.iter().any(is_declaration)
}

/// Files and their contents.
type Parsed = (Vec<Input>, Vec<Document>);

/// Finds the files of modules, with their tests.
pub(crate) fn find(modules: &Modules) -> Result<Found, Failure> {
    let selection = Selection::new(&modules.files)?.without_subdirectories(!modules.recursive).with_tests();
    Ok(selection.find(&modules.paths))
}

/// Reads files that belong together. If any cannot be read, reports them and returns no files.
pub(crate) fn read(modules: &Modules) -> Result<Option<Parsed>, Failure> {
    let found = find(modules)?;
    found.unreadable.iter().for_each(complain);
    let mut failed = !found.unreadable.is_empty();
    let mut documents = Vec::with_capacity(found.inputs.len());
    for input in &found.inputs {
        match input.parse() {
            Ok(document) if document.has_errors() => {
                print_diagnostics(document.diagnostics())?;
                failed = true;
            }
            Ok(document) => documents.push(document),
            Err(unreadable) => {
                complain(unreadable);
                failed = true;
            }
        }
    }
    Ok((!failed).then_some((found.inputs, documents)))
}
