//! `hcl check`: reads the selected files in parallel and reports in the order of their names. Checks against a spec
//! file, fixes and human-readable reports are in submodules.

mod allow;
mod documents;
mod fix;
mod generated;
mod language;
mod levels;
mod modules;
mod parsed;
mod selection;
mod summary;

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::render::{FixedFile, SkippedFile};
use hclkit::{Diagnostic, Diagnostics, Limits};
use indexmap::IndexMap;

use crate::args::{Check, Format};
use crate::atomic_write;
use crate::host::Host;
use crate::input::{self, Input, Selection, Unreadable};
use crate::module;
use crate::outcome::{CommandError, Failure, Outcome};
use crate::output::{complain, plural, print_bytes, print_diagnostics, print_diff, warn};
use crate::progress::Progress;
use crate::report::{self, Report, Stream};
use crate::settings::Settings;
use crate::sources::{Sources, note_unavailable};
use crate::workers::Workers;
use allow::Allowance;
use documents::Documents;
use fix::{File, Fixing};
use language::Language;
use levels::{Held, Levels};
use modules::{Directories, Kind, Reported, Trees, Wanted, target_of, targets_of};
use selection::Subjects;
use summary::summary;

/// Prints which application and version each module is checked for.
fn explain_version(
    directories: &Directories,
    subjects: &Subjects,
    workers: &Workers,
) -> Result<Outcome, Failure> {
    let mut checked = directories.checked(subjects);
    let trees = Trees::read(directories, &mut checked, workers);
    let lines: Vec<String> = checked.iter().filter_map(|directory| trees.explain(directory)).collect();
    if lines.is_empty() {
        return Err(Failure::new("no modules of a language with versions"));
    }
    print_bytes((lines.join("\n") + "\n").as_bytes())?;
    Ok(Outcome::Fine)
}

/// The findings in a configuration.
#[derive(Debug, Default)]
struct Findings {
    checked: usize,
    /// In the order of the files.
    problems: Vec<Diagnostics>,
    fixed: Vec<FixedFile>,
    unreadable: Vec<Unreadable>,
    /// Warnings for standard error.
    warnings: Vec<String>,
    /// The comments that allow codes.
    allowances: Vec<Allowance>,
    /// The names of the files with syntax errors.
    broken: Vec<String>,
}

pub(crate) fn run(command: &Check) -> Result<Outcome, Failure> {
    let language = match Language::new(command) {
        Ok(language) => language,
        Err(CommandError::Failure(failure)) => return Err(failure),
        // Without a valid spec file, no files are read.
        Err(CommandError::Problems(found)) => {
            let mut report = open(command, false);
            let written = report.diagnostics(&found);
            return end(command, report, written, found.has_limit(), "", Held::default());
        }
    };
    let fixing = fixing(command);
    let mut levels = Levels::new(command)?;
    let sources = Sources::new(&command.sources)?;
    let schemas = module::schemas(&command.providers)?;
    let wanted = match Wanted::of(&command.language) {
        Ok(wanted) => wanted,
        Err(CommandError::Failure(failure)) => return Err(failure),
        Err(CommandError::Problems(found)) => {
            print_diagnostics(&found)?;
            return Ok(Outcome::of_errors(&found));
        }
    };
    let settings = targets_of(&Settings::read()?);
    let mut unavailable: Vec<String> = Vec::new();
    let selection = Selection::new(&command.files)?
        .without(language.files())
        .with_also(language.patterns())
        .without_variables(command.spec.is_some() && command.files.include.is_empty());
    let paths = input::or_here(&command.paths);
    let nesting = Host::current().options().max_nesting;
    let workers = Workers::new().with_value_depth(nesting.max(Limits::VALUE_DEPTH));
    let as_modules = command.spec.is_none() && !command.syntax_only;
    let documents = Arc::new(Documents::new(fixing != Some(Fixing::Write)));
    let mut subjects = Subjects::of(selection.find(paths));
    if as_modules {
        subjects = subjects.with_modules_of_files(&selection);
    }
    if as_modules && fixing.is_none() || command.changed_since.is_some() {
        subjects = subjects.with_callers(command, paths, &selection, &documents, &workers)?;
    }
    let directories = || {
        let wanted = (wanted, target_of(&command.language));
        Directories::of(&subjects, &documents, sources, schemas, wanted, settings)
    };
    let found = &subjects.found;
    if fixing == Some(Fixing::Write) {
        atomic_write::clean_beside(&found.inputs);
    }
    if command.explain_version {
        let directories = directories();
        return explain_version(&directories, &subjects, &workers);
    }
    let is_empty = found.inputs.is_empty() && found.unreadable.is_empty() && !found.has_templates();
    if is_empty && command.changed_since.is_none() {
        let skipped = summary::skipped(&found.skipped, &[]);
        let skipped = if skipped.is_empty() { skipped } else { format!(" ({skipped})") };
        return Err(Failure::new(none_found(command, paths) + &skipped));
    }
    let text_on_stdout = match fixing {
        Some(Fixing::Write) => found.inputs.contains(&Input::Stdin),
        Some(Fixing::Diff) => is_human(command),
        Some(Fixing::List) | None => false,
    };
    let progress = Progress::new(found.inputs.len(), "files");
    let one = |configuration: &Vec<&Input>| {
        let findings = check(configuration, &documents, &language, fixing);
        progress.advance(configuration.len());
        findings
    };
    let all = configurations(&found.inputs, command.merge);
    let mut unwritten = None;
    let mut report = open(command, text_on_stdout);
    found.unreadable.iter().cloned().for_each(|file| report.failed(file));
    for skipped in &found.skipped {
        let name = skipped.path.to_string_lossy().into_owned();
        report.skipped(SkippedFile { name, reason: skipped.why.to_string() });
    }
    let mut skipped = summary::skipped(&found.skipped, &[]);
    // If the report cannot be written, files are still checked and fixed.
    let mut written = Ok(());
    let (mut reported, mut limited) = (Reported::default(), false);
    let Ok(()) = workers.for_each(&all, one, |checked| {
        progress.suspend(|| {
            for mut findings in checked {
                findings.warnings.iter().for_each(warn);
                if text_on_stdout && unwritten.is_none() {
                    unwritten = findings.print_diffs().err();
                }
                reported.add(&findings);
                limited |= findings.problems.iter().any(Diagnostics::has_limit);
                levels.expect(findings.allowances.drain(..));
                levels.add_broken(findings.broken.drain(..));
                findings.problems.iter_mut().for_each(|found| *found = levels.apply(found));
                if let Err(error) = findings.add_to(&mut report) {
                    written = Err(error);
                }
            }
        });
        Ok::<_, Infallible>(())
    });
    if as_modules {
        let directories = directories();
        let directories = directories.with_workspace(command.workspace.as_deref());
        let mut checked = directories.checked(&subjects);
        skipped = summary::skipped(&found.skipped, &directories.incomplete());
        progress.begin(checked.len(), "directories");
        let trees = Trees::read(&directories, &mut checked, &workers);
        let one = |directory: &(PathBuf, Kind)| {
            let found = trees.check(directory);
            progress.advance(1);
            found
        };
        let Ok(()) = workers.for_each(&checked, one, |checked| {
            progress.suspend(|| {
                for mut found in checked {
                    found.retain(|diagnostic| subjects.reports(diagnostic));
                    limited |= found.has_limit();
                    let found = levels.apply(&reported.take_new(&found));
                    if let Err(error) = report.diagnostics(&found) {
                        written = Err(error);
                    }
                }
            });
            Ok::<_, Infallible>(())
        });
        unavailable = trees.unavailable().into_iter().map(str::to_owned).collect();
    }
    progress.finish();
    if as_modules {
        let mut parts = summary::only_syntax(&found.inputs, |path| language.has_spec(path));
        parts.splice(0..0, (!skipped.is_empty()).then_some(skipped));
        skipped = parts.join("; ");
    }
    // What is allowed may be what only the check of a module finds.
    if as_modules && fixing.is_none() {
        let unused = levels.unused();
        written = written.and(report.diagnostics(&unused));
    }
    levels.write_baseline()?;
    let outcome = end(command, report, written, limited, &skipped, levels.held());
    note_unavailable(unavailable.iter().map(String::as_str));
    match unwritten {
        Some(failure) if !failure.is_unread_output() => Err(failure),
        _ => outcome,
    }
}

/// The report, on standard output, or on standard error if standard output is used for text.
fn open(command: &Check, text_on_stdout: bool) -> Report {
    let on = if text_on_stdout { Stream::Error } else { Stream::Output };
    report::open(command.reporting.report, command.spacing, on)
}

/// Completes the report and returns the outcome of the run. `limited` if a limit ended some of the work; `skipped` is what
/// the last line says about skipped files.
fn end(
    command: &Check,
    mut report: Report,
    written: io::Result<()>,
    limited: bool,
    skipped: &str,
    held: Held,
) -> Result<Outcome, Failure> {
    let mut written =
        held.shown.iter().fold(written, |written, found| written.and(report.diagnostics(found)));
    written = written.and_then(|()| report.finish());
    if written.is_ok() && is_human(command) && !Host::current().is_quiet() {
        let mut totals = report.totals().clone();
        totals.warnings += held.count;
        totals.sources.extend(held.sources);
        let text = held.lines + &summary(&totals, skipped);
        written = report.get_mut().write_all(text.as_bytes()).and_then(|()| report.get_mut().flush());
    }
    let totals = report.totals();
    match written.map_err(Failure::from) {
        Ok(()) => totals.failed.iter().for_each(complain),
        Err(failure) if failure.is_unread_output() => {}
        Err(failure) => return Err(failure),
    }
    Ok(if limited || !totals.failed.is_empty() {
        Outcome::Unreadable
    } else if totals.errors > 0 {
        Outcome::Problems
    } else {
        Outcome::Fine
    })
}

/// Whether the report is for people.
fn is_human(command: &Check) -> bool {
    command.reporting.report == Format::Human
}

/// What to do with the fixes, if requested. Those of standard input are always written to standard output.
fn fixing(command: &Check) -> Option<Fixing> {
    let is_stdin = command.paths == [Path::new("-")];
    command.fix.then_some(match command.reporting.report {
        _ if command.write || is_stdin => Fixing::Write,
        Format::Human | Format::Json => Fixing::Diff,
        Format::Sarif | Format::Github | Format::Junit => Fixing::List,
    })
}

/// Groups the files into configurations: one per file, or with `merge` one per directory.
fn configurations(inputs: &[Input], merge: bool) -> Vec<Vec<&Input>> {
    if !merge {
        return inputs.iter().map(|input| vec![input]).collect();
    }
    let mut folders: IndexMap<Option<&Path>, Vec<&Input>> = IndexMap::new();
    for input in inputs {
        folders.entry(input.path().and_then(Path::parent)).or_default().push(input);
    }
    folders.into_values().collect()
}

/// Checks the files of a configuration.
fn check(inputs: &[&Input], documents: &Documents, language: &Language, fixing: Option<Fixing>) -> Findings {
    let mut findings = Findings::default();
    let mut files = Vec::with_capacity(inputs.len());
    for input in inputs {
        match documents.parsed(input) {
            Ok(parsed) => files.push(File::new(input, parsed)),
            Err(unreadable) => findings.unreadable.push(unreadable),
        }
    }
    findings.checked = files.len();
    let broken = files.iter().map(|file| file.parsed.diagnostics()).filter(|found| found.has_errors());
    let source =
        |found: &Diagnostics| found.iter().find_map(Diagnostic::source).map(|it| it.name().to_owned());
    findings.broken = broken.filter_map(source).collect();
    findings.allowances = files.iter().flat_map(|file| allow::allowances(&file.parsed)).collect();
    // An incomplete configuration is not checked against the spec.
    let all_read = findings.unreadable.is_empty();
    let whole = |files: &[File<'_>]| all_read && !files.iter().any(|file| file.parsed.has_errors());
    if fixing != Some(Fixing::Write) {
        let meaning = if whole(&files) { language.problems(&files) } else { None };
        findings.add_problems(&files, meaning);
    }
    let Some(fixing) = fixing else { return findings };
    for file in &mut files {
        file.fix();
    }
    let left = if whole(&files) { fix::fix_meaning(&mut files, language) } else { None };
    if fixing != Fixing::Write {
        findings.fixed = files.iter().filter_map(|file| file.fixed(fixing)).collect();
        return findings;
    }
    for file in &mut files {
        match file.write() {
            Ok((fixed, warning)) => {
                findings.fixed.extend(fixed);
                findings.warnings.extend(warning);
            }
            Err(unwritable) => findings.unreadable.push(unwritable),
        }
    }
    findings.add_problems(&files, left);
    findings
}

fn none_found(command: &Check, paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| match path.to_str() {
        Some(".") => "the current directory".to_owned(),
        _ => path.display().to_string(),
    };
    let names: Vec<String> = paths.iter().map(name).collect();
    let names = names.join(", ");
    if !command.files.include.is_empty() {
        return format!("no files in {names} match --include {}", command.files.include.join(" --include "));
    }
    if !command.files.exclude.is_empty() {
        return format!("no HCL files in {names} other than those excluded by --exclude");
    }
    format!("no HCL files in {names}; specify files, or choose them with --include")
}

/// A count of files, such as `3 files`.
fn files(count: usize) -> String {
    plural(count, "file")
}

impl Findings {
    /// Adds syntax errors and the errors found with the spec file.
    fn add_problems(&mut self, files: &[File<'_>], meaning: Option<Diagnostics>) {
        let found = files.iter().map(|file| file.parsed.diagnostics());
        self.problems.extend(found.filter(|found| !found.is_empty()).cloned());
        self.problems.extend(meaning);
    }

    /// Prints the fixes as diffs if standard output is used for them.
    fn print_diffs(&mut self) -> Result<(), Failure> {
        self.fixed.iter_mut().filter_map(|fixed| fixed.diff.take()).try_for_each(|diff| print_diff(&diff))
    }

    fn add_to(self, report: &mut Report) -> io::Result<()> {
        report.checked(self.checked);
        self.fixed.into_iter().for_each(|file| report.fixed(file));
        self.unreadable.into_iter().for_each(|file| report.failed(file));
        let mut written = Ok(());
        for found in &self.problems {
            // After an error, diagnostics are only counted.
            written = written.and(report.diagnostics(found));
        }
        written
    }
}
