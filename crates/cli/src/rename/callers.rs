//! Renaming in the files that call a Terraform module.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hclkit::Document;
use hclkit::write::{ModuleCall, Symbol, rename_in_callers};

use super::Change;
use crate::args::Rename;
use crate::input::{Input, Selection, is_test, or_here};
use crate::output::{Failure, complain, print_diagnostics};

/// Renames in the files that call the module of the changed files, and adds them to the changes. Returns false if a file
/// was reported that cannot be read.
pub(super) fn rename(command: &Rename, symbol: &Symbol, changes: &mut Vec<Change>) -> Result<bool, Failure> {
    let modules: HashSet<PathBuf> = changes.iter().filter_map(|it| directory(&it.input)).collect();
    if modules.is_empty() {
        return Ok(true);
    }
    let is_visible = is_visible_outside(symbol, changes);
    // Tests can refer to any name.
    let may_call = |path: &Path| is_test(path) || is_visible && is_terraform(path);
    let found = Selection::new(&command.modules.files)?.find(or_here(&command.callers));
    found.unreadable.iter().for_each(complain);
    let mut is_complete = found.unreadable.is_empty();
    let calls = |document: &Document, call: &ModuleCall<'_>| {
        let module = call.directory(document).and_then(|module| module.canonicalize().ok());
        module.is_some_and(|module| modules.contains(&module))
    };
    // The directories with calls, because the outputs of a module are used in other files.
    let mut directories: HashSet<PathBuf> = HashSet::new();
    let mut parsed: Vec<(Input, Document)> = Vec::new();
    for input in found.inputs.into_iter().filter(|input| input.path().is_some_and(may_call)) {
        let Some(document) = parse(&input)? else {
            is_complete = false;
            continue;
        };
        if ModuleCall::all(&document).iter().any(|call| calls(&document, call)) {
            directories.extend(directory(&input));
        }
        parsed.push((input, document));
    }
    let mut changed: HashSet<Option<PathBuf>> =
        changes.iter().map(|change| canonical(&change.input)).collect();
    for (input, document) in parsed {
        let is_caller = directory(&input).is_some_and(|directory| directories.contains(&directory));
        if is_caller && changed.insert(canonical(&input)) {
            changes.push(Change { input, before: document, after: None });
        }
    }
    let documents: Vec<Document> =
        changes.iter().map(|change| change.after.as_ref().unwrap_or(&change.before).clone()).collect();
    let renamed = rename_in_callers(&documents, symbol, &command.new, calls)
        .map_err(|error| Failure::new(error.to_string()))?;
    for (change, renamed) in changes.iter_mut().zip(renamed) {
        change.after = renamed.or(change.after.take());
    }
    Ok(is_complete)
}

/// Returns true if callers can refer to a name: a variable, an output, or a provider that they pass.
fn is_visible_outside(symbol: &Symbol, changes: &[Change]) -> bool {
    let name = symbol.to_string();
    let passes = |change: &Change| {
        let text = change.before.source().text();
        text.contains("configuration_aliases") && text.contains(&name)
    };
    name.starts_with("var.") || name.starts_with("output.") || changes.iter().any(passes)
}

/// A file without errors. Errors of other files are reported.
fn parse(input: &Input) -> Result<Option<Document>, Failure> {
    match input.parse() {
        Ok(document) if document.has_errors() => {
            print_diagnostics(document.diagnostics())?;
            Ok(None)
        }
        Ok(document) => Ok(Some(document)),
        Err(unreadable) => {
            complain(unreadable);
            Ok(None)
        }
    }
}

fn canonical(input: &Input) -> Option<PathBuf> {
    input.path()?.canonicalize().ok()
}

fn directory(input: &Input) -> Option<PathBuf> {
    Some(canonical(input)?.parent()?.to_owned())
}

fn is_terraform(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".json").unwrap_or(&name);
    [".tf", ".tofu"].iter().any(|ending| name.ends_with(ending))
}
