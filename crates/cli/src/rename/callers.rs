//! Renaming in the files that call a Terraform module.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hclkit::Document;
use hclkit::dialect::Dialect;
use hclkit::module::Disk;
use hclkit::refactor::{
    ModuleCall, Symbol, can_call, is_unit, is_visible_to_callers, mentions, rename_in_callers,
    unfollowed_in_callers,
};
use hclkit::syntax::visible_line;

use super::Change;
use crate::args::{Files, Rename};
use crate::documents::Documents;
use hclkit_files::is_test;

use crate::input::{Find, Input, relative, selection};
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, note, print_diagnostics};

/// The files that call the modules of some files, or test them.
pub(crate) struct Callers {
    /// The directories of the modules.
    modules: HashSet<PathBuf>,
    /// The files of the directories with calls, because the outputs of a module are used in other files than the call. Those with
    /// errors are left out.
    pub(crate) files: Vec<(Input, Document)>,
    /// Another outcome than a fine one if a file was reported.
    pub(crate) outcome: Outcome,
}

impl Callers {
    /// Finds the files below some directories, or else in the repository.
    pub(crate) fn find(
        files: &Files,
        below: &[PathBuf],
        symbol: &Symbol,
        own: &[&Input],
        is_visible: bool,
        known: &Documents,
    ) -> Result<Self, Failure> {
        let modules: HashSet<PathBuf> = own.iter().filter_map(|input| directory(input)).collect();
        let mut callers = Self { modules, files: Vec::new(), outcome: Outcome::Fine };
        if callers.modules.is_empty() {
            return Ok(callers);
        }
        // Any file can be included by one of Terragrunt.
        let is_local = symbol.names()[0] == "local";
        let may_include = |path: &Path| {
            is_local && Dialect::of_path(path).is_none() && path.extension().is_some_and(|end| end == "hcl")
        };
        // Tests can refer to any name.
        let may_call = |path: &Path| is_test(path) || is_visible && (can_call(path) || may_include(path));
        let searched = if below.is_empty() { searched(own, is_visible) } else { below.to_vec() };
        let found = selection(files)?.find(&searched);
        found.unreadable.iter().for_each(complain);
        if !found.unreadable.is_empty() {
            callers.outcome = Outcome::Incomplete;
        }
        let mut directories: HashSet<PathBuf> = HashSet::new();
        let mut parsed: Vec<(Input, Document)> = Vec::new();
        for input in found.inputs.into_iter().filter(|input| input.path().is_some_and(may_call)) {
            match known.parse(&input) {
                Ok(document) => {
                    if ModuleCall::all(&document).iter().any(|call| callers.is_call(&document, call)) {
                        directories.extend(directory(&input));
                    }
                    parsed.push((input, document));
                }
                Err(unreadable) => {
                    complain(unreadable);
                    callers.outcome = Outcome::Incomplete;
                }
            }
        }
        // Units of Terragrunt depend on others by their paths, and tests below a directory see its calls.
        let is_beside = |input: &Input| {
            let own = directory(input)?;
            let tested = own.parent().filter(|_| own.ends_with("tests") && input.path().is_some_and(is_test));
            Some(directories.contains(&own) || tested.is_some_and(|tested| directories.contains(tested)))
        };
        parsed.retain(|(input, _)| is_beside(input) == Some(true) || input.path().is_some_and(is_unit));
        for (_, document) in parsed.iter().filter(|(_, document)| document.has_errors()) {
            if mentions(document, symbol) {
                print_diagnostics(document.diagnostics())?;
                callers.outcome = callers.outcome.max(Outcome::of_errors(document.diagnostics()));
            }
        }
        parsed.retain(|(_, document)| !document.has_errors());
        callers.files = parsed;
        Ok(callers)
    }

    /// Returns true for calls of the modules.
    pub(crate) fn is_call(&self, document: &Document, call: &ModuleCall<'_>) -> bool {
        let module = call.directory(document).and_then(|module| module.canonicalize().ok());
        module.is_some_and(|module| self.modules.contains(&module))
    }
}

/// Renames in the files that call the module of the changed files, and adds them to the changes. Returns another outcome than
/// a fine one if a file was reported.
pub(super) fn rename(
    command: &Rename,
    symbol: &Symbol,
    parsed: &Documents,
    changes: &mut Vec<Change>,
) -> Result<Outcome, Failure> {
    let is_visible = changes.iter().any(|change| is_visible_to_callers(&change.before, symbol));
    let own: Vec<&Input> = changes.iter().map(|change| &change.input).collect();
    let mut callers = Callers::find(
        &command.modules.files,
        &command.callers.directories,
        symbol,
        &own,
        is_visible,
        parsed,
    )?;
    let mut changed: HashSet<Option<PathBuf>> =
        changes.iter().map(|change| change.input.canonical()).collect();
    for (input, document) in std::mem::take(&mut callers.files) {
        if changed.insert(input.canonical()) {
            changes.push(Change { input, before: document, after: None, count: 0 });
        }
    }
    let documents: Vec<Document> =
        changes.iter().map(|change| change.after.as_ref().unwrap_or(&change.before).clone()).collect();
    let calls = |document: &Document, call: &ModuleCall<'_>| callers.is_call(document, call);
    if !command.force {
        let unfollowed = unfollowed_in_callers(&documents, symbol, calls);
        let places = documents.iter().zip(unfollowed).flat_map(|(document, spans)| {
            spans.into_iter().map(|span| {
                let (file, start) = (document.source().name(), document.position(span.start));
                let text = document.source().slice(span);
                format!("{}:{}:{}: `{}`", visible_line(file), start.line, start.column, visible_line(text))
            })
        });
        let places: Vec<String> = places.collect();
        for place in &places {
            complain(format_args!("{place} is used as a whole, so that uses of {symbol} cannot be followed"));
        }
        if !places.is_empty() {
            note(format_args!("nothing was renamed; --force renames all other uses"));
            return Ok(Outcome::Problems);
        }
    }
    let renamed = super::limited(|| rename_in_callers(&documents, symbol, &command.new, calls))?;
    for (change, renamed) in changes.iter_mut().zip(renamed) {
        if let Some(renamed) = &renamed {
            change.count += changed_lines(change.after.as_ref().unwrap_or(&change.before), renamed);
        }
        change.after = renamed.or(change.after.take());
    }
    Ok(callers.outcome)
}

/// The root of the repository that contains a directory.
pub(super) fn repository(directory: &Path) -> Option<PathBuf> {
    Disk::repository(directory).ok().filter(|root| root.join(".git").exists())
}

/// The directories in which the callers of the modules of some files are searched: the repositories, or else the current directory.
fn searched(own: &[&Input], is_visible: bool) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = Vec::new();
    let mut is_noted = !is_visible;
    let folders: HashSet<&Path> = own.iter().filter_map(|input| input.path()?.parent()).collect();
    for folder in folders {
        let repository = repository(folder);
        if repository.is_none() && !is_noted {
            is_noted = true;
            let here = Path::new(".").canonicalize().unwrap_or_default();
            let above = here.components().count().saturating_sub(1);
            note(format_args!(
                "{above} directories above were not searched for callers, because there is no repository; specify them with \
                 --callers"
            ));
        }
        let root = repository.map_or_else(|| PathBuf::from("."), |root| as_given(folder, &root));
        if !all.contains(&root) {
            all.push(root);
        }
    }
    all
}

/// The path of a directory around another one, with as much of the path of that one as possible.
fn as_given(folder: &Path, around: &Path) -> PathBuf {
    let or_here =
        |path: &Path| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_owned() };
    let is_same = |path: &&Path| or_here(path).canonicalize().is_ok_and(|path| path == around);
    if let Some(found) = folder.ancestors().find(is_same) {
        return or_here(found);
    }
    or_here(&relative(&Path::new(".").canonicalize().unwrap_or_default(), around))
}

/// The number of lines that differ in more than spacing. Names never add or remove lines.
fn changed_lines(before: &Document, after: &Document) -> usize {
    let (before, after) = (before.source().text().lines(), after.source().text().lines());
    let is_changed = |(before, after): &(&str, &str)| !before.split_whitespace().eq(after.split_whitespace());
    before.zip(after).filter(is_changed).count()
}

fn directory(input: &Input) -> Option<PathBuf> {
    Some(input.canonical()?.parent()?.to_owned())
}
