//! `hcl rename`: renames a name in all files that belong together. If that fails in one file, none is written.

pub(crate) mod callers;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use hclkit::Document;
use hclkit::limits::Meter;
use hclkit::module::Dialect;
use hclkit::refactor::{Names, OccurrenceKind, RenameError, Symbol, mentions};
use hclkit::syntax::or_did_you_mean;
use hclkit::write::Selector;

use crate::args::{Modules, Rename};
use crate::atomic_write;
use crate::documents::{Documents, Keep};
use crate::edit::{self, finish_all, symbol};
use crate::host::Host;
use crate::input::{Find, FoundInputs, Input, or_here, selection};
use crate::module_address;
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, print_diagnostics, warn};

pub(crate) fn run(command: &Rename) -> Result<Outcome, Failure> {
    command.callers.check()?;
    let parsed = Documents::new(Keep::All);
    let symbol = symbol(&command.address)?;
    if symbol.is_instance() {
        let why = format!("{} is an instance; its name is {symbol}", command.address);
        return Err(Failure::new(why));
    }
    let Some(inner) = module_address::find(&symbol, &command.modules, &parsed)? else {
        return rename(command, &symbol, &parsed);
    };
    // The name is one of the module that is called.
    let mut within = command.clone();
    within.new = String::from(command.new.rsplit('.').next().unwrap_or_default());
    // Without a repository, the callers are among the given files.
    if within.callers.directories.is_empty() && callers::repository(&inner.directory).is_none() {
        within.callers.directories = or_here(&command.modules.paths).to_vec();
    }
    within.modules.paths = vec![inner.directory];
    rename(&within, &inner.symbol, &parsed)
}

/// Renames a name that the files of the command declare.
fn rename(command: &Rename, symbol: &Symbol, parsed: &Documents) -> Result<Outcome, Failure> {
    let (inputs, documents) = match read(&command.modules, Some(symbol), parsed)? {
        Ok(parsed) => parsed,
        Err(outcome) => return Ok(outcome),
    };
    if symbol.with_name(&command.new).is_ok_and(|new| new == *symbol) {
        return Err(Failure::new(format!("{symbol} already has this name")));
    }
    let names: Vec<Names> = documents.iter().map(Names::of).collect();
    if let Some(hint) = bare_name(symbol, &names) {
        return Err(Failure::new(hint));
    }
    let renamed = limited(|| hclkit::refactor::rename(&names, symbol, &command.new, !command.no_moved))?;
    if renamed.iter().all(Option::is_none) {
        if command.matching.allow_empty {
            return Ok(Outcome::Fine);
        }
        let hint = names.iter().find_map(|names| meant(symbol, names));
        let hint = hint.unwrap_or_else(|| not_searched(&command.modules).to_owned());
        complain(format_args!("{symbol} was not found{hint}"));
        return Ok(Outcome::Problems);
    }
    if !command.force && names.iter().any(|names| names.is_unfollowed(symbol)) {
        complain(format_args!(
            "it is not known what refers to {symbol}, so that it is not renamed; --force renames its declaration"
        ));
        return Ok(Outcome::Problems);
    }
    if !is_declared(symbol, &names) {
        warn(format_args!("no file declares {symbol}; only references to it are renamed"));
    }
    let count = |names: &Names| {
        let all = names.occurrences(symbol);
        all.iter().filter(|found| found.kind != OccurrenceKind::History).count()
    };
    let mut changes: Vec<Change> = inputs
        .into_iter()
        .zip(&names)
        .zip(renamed)
        .map(|((input, names), after)| Change {
            count: count(names),
            input,
            before: names.document().clone(),
            after,
        })
        .collect();
    let outcome = callers::rename(command, symbol, parsed, &mut changes)?;
    if outcome != Outcome::Fine {
        return Ok(outcome);
    }
    changes.retain(|change| change.after.is_some());
    if command.write {
        atomic_write::clean_beside(&changes.iter().map(|change| change.input.clone()).collect::<Vec<_>>());
    }
    let changed = changes.iter().filter_map(|it| Some((&it.input, &it.before, it.after.as_ref()?, it.count)));
    finish_all(command.write, changed)
}

/// Changes names within the limits. Names that a limit hides are not missing: it is the error.
fn limited<T>(work: impl FnOnce() -> Result<T, RenameError>) -> Result<T, Failure> {
    let (renamed, exceeded) = Host::current().writing(|| (work(), Meter::current().exceeded()));
    match (renamed, exceeded) {
        (Err(RenameError::Edit(error)), _) => Err(failure(error.into())),
        (_, Some(exceeded)) => Err(Failure::new(exceeded.to_string())),
        (renamed, None) => renamed.map_err(failure),
    }
}

/// Why a name was not changed.
fn failure(error: RenameError) -> Failure {
    Failure::new(match error {
        RenameError::Edit(error) => edit::why(&error),
        error => error.to_string(),
    })
}

/// Why a name without a root is not an address in a module of a language whose addresses have one.
fn bare_name(symbol: &Symbol, all: &[Names]) -> Option<String> {
    let name = symbol.to_string();
    let is_module = |names: &Names| {
        Dialect::of_files([Path::new(names.document().source().name()).file_name()?.to_str()?])
    };
    if symbol.names().len() > 1
        || is_declared(symbol, all)
        || !all.iter().any(|names| is_module(names).is_some())
    {
        return None;
    }
    let resources = ["resource", "data"].into_iter().flat_map(|kind| {
        let path = format!("{kind}.*[{}]", hclkit::Value::from(name.as_str())).parse::<Selector>();
        let found = all.iter().filter_map(|names| path.as_ref().ok()?.select(names.document()).ok());
        found.flatten().map(|found| found.address().to_owned()).collect::<Vec<_>>()
    });
    let resources = resources.map(|address| address.trim_start_matches("resource.").to_owned());
    let roots = ["var", "local", "module", "output"].map(|root| format!("{root}.{name}"));
    let is_known = |address: &String| address.parse::<Symbol>().is_ok_and(|symbol| is_declared(&symbol, all));
    let near: Vec<String> =
        roots.into_iter().filter(is_known).chain(resources).map(|address| format!("`{address}`")).collect();
    let hint = if near.is_empty() {
        "; expected an address such as var.region or aws_instance.web".to_owned()
    } else {
        format!("; did you mean {}?", near.join(" or "))
    };
    Some(format!("`{name}` is not the address of a name in a module{hint}"))
}

/// What to ask for instead of the path of a block that has another address.
pub(crate) fn meant(symbol: &Symbol, names: &Names) -> Option<String> {
    names.meant(symbol).map(|address| or_did_you_mean(Some(&address.to_string())))
}

/// A file, and its new text if it changes.
struct Change {
    input: Input,
    before: Document,
    after: Option<Document>,
    /// The number of names that change.
    count: usize,
}

fn is_declared(symbol: &Symbol, all: &[Names]) -> bool {
    let is_declaration = |names: &Names| {
        names.occurrences(symbol).iter().any(|reference| reference.kind == OccurrenceKind::Declaration)
    };
    all.iter().any(is_declaration)
}

/// What to do if a name may be in the subdirectories, which are not searched.
pub(crate) fn not_searched(modules: &Modules) -> &'static str {
    let is_visible = |name: &OsStr| !name.to_string_lossy().starts_with('.');
    let has_subdirectories = |path: &PathBuf| {
        let entries = path.read_dir().into_iter().flatten().filter_map(Result::ok);
        entries.into_iter().any(|entry| is_visible(&entry.file_name()) && entry.path().is_dir())
    };
    if !modules.recursive && or_here(&modules.paths).iter().any(has_subdirectories) {
        "; use --recursive to search subdirectories"
    } else {
        ""
    }
}

/// Files and their contents.
type Parsed = (Vec<Input>, Vec<Document>);

/// Finds the files of modules, with their tests.
pub(crate) fn find(modules: &Modules) -> Result<FoundInputs, Failure> {
    let selection = selection(&modules.files)?.without_subdirectories(!modules.recursive).with_tests();
    Ok(selection.find(&modules.paths))
}

/// Reads files that belong together. If any cannot be read, or has errors and may contain a symbol, reports them and
/// returns the outcome.
pub(crate) fn read(
    modules: &Modules,
    symbol: Option<&Symbol>,
    parsed: &Documents,
) -> Result<Result<Parsed, Outcome>, Failure> {
    let found = find(modules)?;
    found.unreadable.iter().for_each(complain);
    let mut failed = if found.unreadable.is_empty() { Outcome::Fine } else { Outcome::Incomplete };
    let (mut inputs, mut documents) = (Vec::new(), Vec::new());
    for input in found.inputs {
        match parsed.parse(&input) {
            Ok(document) if document.has_errors() => {
                if symbol.is_some_and(|symbol| !mentions(&document, symbol)) {
                    warn(format_args!("{} has errors, and does not contain the name", input.name()));
                    continue;
                }
                print_diagnostics(document.diagnostics())?;
                failed = failed.max(Outcome::of_errors(document.diagnostics()));
            }
            Ok(document) => {
                inputs.push(input);
                documents.push(document);
            }
            Err(unreadable) => {
                complain(unreadable);
                failed = Outcome::Incomplete;
            }
        }
    }
    Ok(if failed == Outcome::Fine { Ok((inputs, documents)) } else { Err(failed) })
}
