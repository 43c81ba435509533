//! Renaming in the files that call a Terraform module.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hclkit::Document;
use hclkit::module::Disk;
use hclkit::refactor::{ModuleCall, Symbol, mentions, rename_in_callers};

use super::Change;
use crate::args::Rename;
use crate::input::{Input, Selection, is_test, relative};
use crate::output::{Failure, Outcome, complain, note, print_diagnostics};

/// Renames in the files that call the module of the changed files, and adds them to the changes. Returns another outcome than
/// a fine one if a file was reported.
pub(super) fn rename(
    command: &Rename,
    symbol: &Symbol,
    changes: &mut Vec<Change>,
) -> Result<Outcome, Failure> {
    let modules: HashSet<PathBuf> = changes.iter().filter_map(|it| directory(&it.input)).collect();
    if modules.is_empty() {
        return Ok(Outcome::Fine);
    }
    let is_visible = is_visible_outside(symbol, changes);
    // Tests can refer to any name.
    let may_call = |path: &Path| is_test(path) || is_visible && is_terraform(path);
    let searched =
        if command.callers.is_empty() { searched(&modules, is_visible) } else { command.callers.clone() };
    let found = Selection::new(&command.modules.files)?.find(&searched);
    found.unreadable.iter().for_each(complain);
    let mut failed = if found.unreadable.is_empty() { Outcome::Fine } else { Outcome::Unreadable };
    let calls = |document: &Document, call: &ModuleCall<'_>| {
        let module = call.directory(document).and_then(|module| module.canonicalize().ok());
        module.is_some_and(|module| modules.contains(&module))
    };
    // The directories with calls, because the outputs of a module are used in other files.
    let mut directories: HashSet<PathBuf> = HashSet::new();
    let mut parsed: Vec<(Input, Document)> = Vec::new();
    for input in found.inputs.into_iter().filter(|input| input.path().is_some_and(may_call)) {
        match input.parse() {
            Ok(document) => {
                if ModuleCall::all(&document).iter().any(|call| calls(&document, call)) {
                    directories.extend(directory(&input));
                }
                parsed.push((input, document));
            }
            Err(unreadable) => {
                complain(unreadable);
                failed = Outcome::Unreadable;
            }
        }
    }
    let is_caller =
        |input: &Input| directory(input).is_some_and(|directory| directories.contains(&directory));
    for (_, document) in parsed.iter().filter(|(input, document)| is_caller(input) && document.has_errors()) {
        if mentions(document, symbol) {
            print_diagnostics(document.diagnostics())?;
            failed = failed.max(Outcome::of_errors(document.diagnostics()));
        }
    }
    parsed.retain(|(_, document)| !document.has_errors());
    let mut changed: HashSet<Option<PathBuf>> =
        changes.iter().map(|change| canonical(&change.input)).collect();
    for (input, document) in parsed {
        if is_caller(&input) && changed.insert(canonical(&input)) {
            changes.push(Change { input, before: document, after: None, count: 0 });
        }
    }
    let documents: Vec<Document> =
        changes.iter().map(|change| change.after.as_ref().unwrap_or(&change.before).clone()).collect();
    let renamed = rename_in_callers(&documents, symbol, &command.new, calls)
        .map_err(|error| Failure::new(error.to_string()))?;
    for (change, renamed) in changes.iter_mut().zip(renamed) {
        if let Some(renamed) = &renamed {
            change.count += changed_lines(change.after.as_ref().unwrap_or(&change.before), renamed);
        }
        change.after = renamed.or(change.after.take());
    }
    Ok(failed)
}

/// The root of the repository that contains a directory.
pub(super) fn repository(directory: &Path) -> Option<PathBuf> {
    Disk::repository(directory).ok().filter(|root| root.join(".git").exists())
}

/// The directories in which callers are searched: the repositories of modules, or else the current directory.
fn searched(modules: &HashSet<PathBuf>, is_visible: bool) -> Vec<PathBuf> {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let mut all: Vec<PathBuf> = Vec::new();
    let mut is_noted = !is_visible;
    for module in modules {
        let repository = repository(module);
        if repository.is_none() && !is_noted {
            is_noted = true;
            let above = here.components().count().saturating_sub(1);
            note(format_args!(
                "{above} directories above were not searched for callers, because there is no repository; specify them with \
                 --callers"
            ));
        }
        let root = repository.map(|root| relative(&here, &root)).unwrap_or_default();
        let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root };
        if !all.contains(&root) {
            all.push(root);
        }
    }
    all
}

/// The number of lines that differ in more than spacing. Names never add or remove lines.
fn changed_lines(before: &Document, after: &Document) -> usize {
    let (before, after) = (before.source().text().lines(), after.source().text().lines());
    let is_changed = |(before, after): &(&str, &str)| !before.split_whitespace().eq(after.split_whitespace());
    before.zip(after).filter(is_changed).count()
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
