//! `hcl diff`: what a change does. The versions are found in `diff/versions.rs`, and read by `diff/tree.rs`; `diff/affected.rs` finds the
//! modules that a change can affect. `hclkit-review` compares and renders.

mod affected;
mod files;
mod load;
mod rules;
mod tree;
mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use hclkit::Diagnostics;
use hclkit::module::{Module, ModuleLoader};
use hclkit::syntax::visible_line;
use hclkit_review::{Options, Review, Root, diff_with, github, html, json, markdown, text};

use crate::args::{self, Output};
use crate::host;
use crate::outcome::{CommandError, Failure, Outcome};
use crate::output::note;
use crate::report::write_report;
use crate::scope::run_limited;
use crate::values::Printer;
use affected::Candidate;
use load::Loading;
use rules::RuleRun;
use tree::Reads;
use versions::{Side, Versions};

/// The review of a run, and why each of its modules is in it.
struct Found {
    review: Review,
    /// The changed files of each module, if the modules were searched.
    reasons: BTreeMap<String, BTreeSet<String>>,
}

pub(crate) fn run(command: &args::Diff) -> Result<Outcome, Failure> {
    if let Some((old, new)) = files::pair(&command.versions) {
        return files::run(command, old, new);
    }
    let mut problems = Vec::new();
    let mut rules = RuleRun::new(command, &mut problems)?;
    let rules_of_run = &mut rules;
    let mut found = match Versions::of(command)? {
        Versions::Trees { old, new, directories } => {
            of_trees(command, &old, &new, &directories, rules_of_run)?
        }
        Versions::Directories(old, new) => {
            reject_affected(command)?;
            let directory = new.display().to_string();
            let loading = Loading::new(command)?;
            let root = compare(command, &directory, rules_of_run, || {
                let current = new.canonicalize().ok();
                let load = |path| loading.directory(path, &command.definitions.0, current.as_deref());
                Ok((load(&old)?, load(&new)?))
            })?;
            alone(Review::new(old.display().to_string(), directory), root)
        }
        Versions::Inputs { directory, old, new, names } => {
            reject_affected(command)?;
            let loading = Loading::new(command)?;
            let root = compare(command, &directory.display().to_string(), rules_of_run, || {
                let load =
                    |definitions: &[args::Definition]| loading.directory(&directory, definitions, None);
                Ok((load(&old)?, load(&new)?))
            })?;
            let [old, new] = names;
            alone(Review::new(old, new), root)
        }
    };
    found.review.problems.extend(problems);
    let mut findings = Diagnostics::new();
    if let Some(rules) = &rules {
        let (changes, limits) = rules.compare();
        findings.append(limits);
        found.review.rules = Some(changes);
    }
    for root in &found.review.roots {
        findings.append(root.diff.old_errors.clone());
        findings.append(root.diff.findings.clone());
    }
    let is_incomplete = found.review.is_incomplete()
        || findings.iter().any(|own| own.code().is_some_and(hclkit::Code::is_limit));
    write(command, &found, &findings)?;
    write_report(
        command.reporting.report,
        command.spacing,
        found.review.roots.len(),
        &findings.distinct(),
        |_| None,
    )?;
    Ok(if is_incomplete {
        Outcome::Incomplete
    } else if found.review.is_empty() {
        Outcome::Fine
    } else {
        Outcome::Problems
    })
}

fn reject_affected(command: &args::Diff) -> Result<(), Failure> {
    if command.affected || command.output() == Output::Matrix {
        return Err(Failure::new("--affected requires revisions of a repository, such as main...HEAD"));
    }
    Ok(())
}

fn alone(mut review: Review, root: Root) -> Found {
    review.roots.push(root);
    Found { review, reasons: BTreeMap::new() }
}

/// A module, and its loader.
type Loaded = (Module, ModuleLoader);

/// Compares two versions of a module within the limits of the options. Rules are applied to it later.
fn compare(
    command: &args::Diff,
    directory: &str,
    rules: &mut Option<RuleRun>,
    load: impl FnOnce() -> Result<(Loaded, Loaded), CommandError>,
) -> Result<Root, Failure> {
    let options = Options { explain: command.explain, lints: !command.no_lints };
    let diff = run_limited(|| {
        let (old, new) = load()?;
        if let Some(rules) = rules {
            rules.add(&old, &new);
        }
        Ok::<_, CommandError>(diff_with(&old.0, &new.0, options))
    });
    match diff {
        Ok(diff) => Ok(Root::new(directory, diff)),
        Err(CommandError::Failure(failure)) => Err(failure),
        Err(CommandError::Problems(_)) => Err(Failure::new(format!("cannot read {directory}"))),
    }
}

/// Compares the modules of two versions of a repository: those in directories, or all that the change can affect.
fn of_trees(
    command: &args::Diff,
    old: &Side,
    new: &Side,
    directories: &[String],
    rules: &mut Option<RuleRun>,
) -> Result<Found, Failure> {
    let loading = Loading::new(command)?;
    let mut found = Found { review: Review::new(&*old.name, &*new.name), reasons: BTreeMap::new() };
    if let Some(rules) = rules {
        rules.set_labels(old.tree.label(), new.tree.label());
    }
    let changed = old.tree.changed(&new.tree);
    let is_module = |directory: &String| load::has_module(old, directory) || load::has_module(new, directory);
    let are_modules = !directories.is_empty() && directories.iter().all(is_module);
    let candidates = if are_modules {
        let own = |directory: &String| Candidate { directory: directory.clone(), files: BTreeSet::new() };
        directories.iter().map(own).collect()
    } else {
        candidates_in(old, new, &changed, directories)?
    };
    for Candidate { directory, mut files } in candidates {
        if files.is_empty() && !are_modules {
            let reads = Reads::default();
            run_limited(|| loading.evaluate(new, &directory, &reads))?;
            if changed_reads(&changed, &reads).next().is_none() {
                continue;
            }
        }
        let shown = if directory.is_empty() { "." } else { &directory };
        let reads = Reads::default();
        let root = compare(command, shown, rules, || {
            Ok((loading.module(old, &directory, &reads)?, loading.module(new, &directory, &reads)?))
        })?;
        if !root.diff.is_empty() {
            files.extend(changed_reads(&changed, &reads).cloned());
            found.reasons.insert(shown.to_owned(), files);
        }
        found.review.roots.push(root);
    }
    loading.note_unavailable();
    Ok(found)
}

/// The root modules in directories that a change can affect. Without directories, all of them.
fn candidates_in(
    old: &Side,
    new: &Side,
    changed: &BTreeSet<String>,
    directories: &[String],
) -> Result<Vec<Candidate>, Failure> {
    let is_in = |own: &str, directory: &String| {
        directory.is_empty() || own == directory || own.starts_with(&format!("{directory}/"))
    };
    if !directories.is_empty() {
        let roots = affected::all_roots(&old.tree, &new.tree);
        let has_no_module = |directory: &&String| !roots.iter().any(|own| is_in(own, directory));
        if let Some(directory) = directories.iter().find(has_no_module) {
            let shown = if directory.is_empty() { "." } else { directory };
            return Err(Failure::new(format!("{shown} has no module of a known language in either version")));
        }
    }
    let mut all = affected::candidates(&old.tree, &new.tree, changed);
    all.retain(|own| {
        directories.is_empty() || directories.iter().any(|directory| is_in(&own.directory, directory))
    });
    Ok(all)
}

/// The changed files that functions have read, or that are in a directory that they have listed or in one that did not exist then.
fn changed_reads<'c>(changed: &'c BTreeSet<String>, reads: &Reads) -> impl Iterator<Item = &'c String> {
    let reads = reads.lock().unwrap_or_else(PoisonError::into_inner).clone();
    changed.iter().filter(move |path| {
        let mut directories = path.match_indices('/').map(|(at, _)| &path[..=at]).chain(["/"]);
        reads.contains(*path) || directories.any(|directory| reads.contains(directory))
    })
}

fn write(command: &args::Diff, found: &Found, findings: &Diagnostics) -> Result<(), Failure> {
    let printer = Printer::new(&command.destination, command.spacing).after(findings);
    let review = &found.review;
    match command.output() {
        output if command.affected || output == Output::Matrix => write_affected(command, found, &printer),
        Output::Json => printer.long_json(&json(review)),
        Output::Markdown => printer.bytes(markdown(review).as_bytes()),
        Output::Github => printer.bytes(github(review).as_bytes()),
        Output::Html => printer.bytes(html(review).as_bytes()),
        _ => printer.styled(&text(review, host::stdout_width())),
    }
}

/// Writes the modules whose meaning changes, each with the changed files because of which it was compared.
fn write_affected(command: &args::Diff, found: &Found, printer: &Printer) -> Result<(), Failure> {
    let affected = found.review.roots.iter().filter(|root| !root.diff.is_empty());
    match command.output() {
        Output::Matrix => {
            let include: Vec<_> =
                affected.map(|root| serde_json::json!({"directory": root.directory})).collect();
            printer.json(&serde_json::json!({"include": include}))
        }
        Output::Json => {
            let one = |root: &Root| {
                let files = found.reasons.get(&root.directory);
                serde_json::json!({"directory": root.directory, "files": files})
            };
            printer.json(&serde_json::json!({
                "format_version": "1.0",
                "old": found.review.old,
                "new": found.review.new,
                "complete": !found.review.is_incomplete(),
                "compared": found.review.roots.len(),
                "affected": affected.map(one).collect::<Vec<_>>(),
            }))
        }
        Output::Human => {
            let mut text = String::new();
            for root in affected {
                let files = found.reasons.get(&root.directory).into_iter().flatten();
                let files: Vec<String> = files.map(|path| visible_line(path).into_owned()).collect();
                let why = if files.is_empty() { String::new() } else { format!("  ({})", files.join(", ")) };
                text.extend([&visible_line(&root.directory), why.as_str(), "\n"]);
            }
            if text.is_empty() {
                note("no module is affected");
            }
            printer.styled(&text)
        }
        _ => Err(Failure::new("--affected has the formats human, json and matrix")),
    }
}
