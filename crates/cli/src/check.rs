//! `hcl check`: reads the selected files in parallel and reports in the order of their names. Checks against a spec
//! file, fixes and human-readable reports are in submodules.

mod cache;
mod fix;
mod generated;
mod hcl1;
pub(crate) mod lint_levels;
mod module_fixes;
mod modules;
mod selection;
mod spec_check;
pub(crate) mod summary;

use std::collections::HashSet;
use std::convert::Infallible;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hclkit::module::CallEffects;
use hclkit::render::{FixedFile, SkippedFile};
use hclkit::{Diagnostic, Diagnostics, Limits};
use hclkit_policy::comments::{Allowances, Wording};
use indexmap::IndexMap;

use crate::args::{Check, Format};
use crate::atomic_write;
use crate::documents::{Documents, Keep};
use crate::host::Host;
use crate::input::{self, Find, FoundInputs, Input, Selection, Unreadable, selection};
use crate::outcome::{CommandError, Failure, Outcome};
use crate::output::{plural, print_bytes, print_diagnostics, print_diff, warn};
use crate::progress::Progress;
use crate::report::{self, Report, Stream};
use crate::sources::note_unavailable;
use crate::watch::{Watched, watch};
use crate::workers::Workers;
use cache::{Cache, Plan};
use fix::{File, Fixing, Meaning as _};
use lint_levels::{DeferredWarnings, LintLevels};
use module_fixes::FixedFiles;
use modules::{Directories, Kind, ModuleOptions, Reported, Trees};
use selection::CheckTargets;
use spec_check::SpecCheck;
use summary::summary;

/// What a run does, as its options and the settings of the project say.
struct Request<'c> {
    command: &'c Check,
    spec: SpecCheck,
    fixing: Option<Fixing>,
    /// Whether directories are checked as modules.
    as_modules: bool,
    selection: Selection,
    documents: Arc<Documents>,
    workers: Workers,
    cache: Option<Cache>,
}

pub(crate) fn run(command: &Check) -> Result<Outcome, Failure> {
    if !command.watch {
        return once(command);
    }
    let watched =
        Watched::default().with_paths(input::or_here(&command.paths).iter().chain(&command.spec))?;
    let all_names = !command.files.include.is_empty();
    watch(&Watched { all_names, ..watched }, || once(command))
}

fn once(command: &Check) -> Result<Outcome, Failure> {
    let spec = match SpecCheck::new(command) {
        Ok(spec) => spec,
        Err(CommandError::Failure(failure)) => return Err(failure),
        // Without a valid spec file, no files are read.
        Err(CommandError::Problems(found)) => {
            let mut run = Run::new(command, false, Progress::new(0, "files"));
            run.report(&found);
            return run.end("", DeferredWarnings::default());
        }
    };
    let mut levels = LintLevels::new(command)?;
    let modules = match ModuleOptions::new(command) {
        Ok(modules) => Arc::new(modules),
        Err(CommandError::Failure(failure)) => return Err(failure),
        Err(CommandError::Problems(found)) => {
            print_diagnostics(&found)?;
            return Ok(Outcome::of_errors(&found));
        }
    };
    let request = Request::new(command, spec)?;
    let targets = request.targets()?;
    let found = &targets.found;
    if request.writes() {
        atomic_write::clean_beside(&found.inputs);
    }
    if command.explain_version {
        let directories = Directories::of(&targets, &request.documents, &modules);
        return explain_version(&directories, &targets, &request.workers);
    }
    let is_empty = found.inputs.is_empty() && found.unreadable.is_empty() && !found.has_templates();
    if is_empty && command.changed_since.is_none() {
        return Err(request.none_found(found));
    }
    let progress = Progress::new(found.inputs.len(), "files");
    let mut run = Run::new(command, request.prints_text(found), progress);
    run.list_unread(found);
    let fixed = request.fix_modules(&targets, &modules, &levels);
    let (reported, unwritten) = request.check_files(&targets, &fixed, &mut run, &mut levels);
    let (mut skipped, mut unavailable) = (summary::skipped(&found.skipped, &[]), Vec::new());
    if request.as_modules {
        let mut directories = Directories::of(&targets, &request.documents, &modules);
        if request.cache.is_some() {
            directories = directories.noting_reads();
        }
        skipped = summary::skipped(&found.skipped, &directories.incomplete());
        unavailable = request.check_modules(&directories, &targets, &mut run, &mut levels, reported);
    }
    run.progress.finish();
    if request.as_modules {
        let mut parts = summary::only_syntax(&found.inputs, command.language.language.is_some(), |path| {
            request.spec.has_spec(path)
        });
        parts.splice(0..0, (!skipped.is_empty()).then_some(skipped));
        skipped = parts.join("; ");
    }
    // What is allowed may be what only the check of a module finds.
    if request.as_modules && request.fixing.is_none() {
        run.report(&levels.unused());
    }
    levels.write_baseline()?;
    let outcome = run.end(&skipped, levels.held());
    note_unavailable(unavailable.iter().map(String::as_str));
    match unwritten {
        Some(failure) if !failure.is_unread_output() => Err(failure),
        _ => outcome,
    }
}

/// Prints which application and version each module is checked for.
fn explain_version(
    directories: &Directories,
    targets: &CheckTargets,
    workers: &Workers,
) -> Result<Outcome, Failure> {
    let mut checked = directories.checked(targets);
    directories.follow_calls(&mut checked, workers);
    let trees = Trees::read(directories, &checked, &checked, workers, |_| CallEffects::default());
    let lines: Vec<String> = checked.iter().filter_map(|directory| trees.explain(directory)).collect();
    if lines.is_empty() {
        return Err(Failure::new("no modules of a language with versions"));
    }
    print_bytes((lines.join("\n") + "\n").as_bytes())?;
    Ok(Outcome::Fine)
}

impl<'c> Request<'c> {
    fn new(command: &'c Check, spec: SpecCheck) -> Result<Self, Failure> {
        let fixing = fixing(command);
        let selection = selection(&command.files)?
            .without(spec.files())
            .with_also(spec.patterns())
            .without_variables(command.spec.is_some() && command.files.include.is_empty());
        let nesting = Host::current().options().max_nesting;
        let workers = Workers::new().with_value_depth(nesting.max(Limits::VALUE_DEPTH));
        let as_modules = command.spec.is_none() && !command.syntax_only;
        let keep = if fixing == Some(Fixing::Write) { Keep::Nothing } else { Keep::Modules };
        let documents = Arc::new(Documents::new(keep));
        let cache = Cache::open(command)?;
        Ok(Self { command, spec, fixing, as_modules, selection, documents, workers, cache })
    }

    fn writes(&self) -> bool {
        self.fixing == Some(Fixing::Write)
    }

    fn paths(&self) -> &[PathBuf] {
        input::or_here(&self.command.paths)
    }

    /// Finds what is checked.
    fn targets(&self) -> Result<CheckTargets, Failure> {
        let mut targets = CheckTargets::of(self.selection.find(self.paths()));
        if self.as_modules {
            targets = targets.with_modules_of_files(&self.selection);
        }
        if self.as_modules && self.fixing.is_none() || self.command.changed_since.is_some() {
            let (documents, workers) = (&self.documents, &self.workers);
            targets =
                targets.with_callers(self.command, self.paths(), &self.selection, documents, workers)?;
        }
        Ok(targets)
    }

    /// The failure of a run without files.
    fn none_found(&self, found: &FoundInputs) -> Failure {
        let skipped = summary::skipped(&found.skipped, &[]);
        let skipped = if skipped.is_empty() { skipped } else { format!(" ({skipped})") };
        Failure::new(none_found(self.command, self.paths()) + &skipped)
    }

    /// Whether fixed text or diffs are written to standard output, so that the report is not.
    fn prints_text(&self, found: &FoundInputs) -> bool {
        match self.fixing {
            Some(Fixing::Write) => found.inputs.contains(&Input::Stdin),
            Some(Fixing::Diff) => is_human(self.command),
            Some(Fixing::List) | None => false,
        }
    }

    /// Fixes what is found in modules, if that is wanted. The files are not written.
    fn fix_modules<'t>(
        &self,
        targets: &'t CheckTargets,
        modules: &Arc<ModuleOptions>,
        levels: &LintLevels,
    ) -> FixedFiles<'t> {
        if self.fixing.is_none() || !self.as_modules {
            return FixedFiles::default();
        }
        module_fixes::fix(targets, &self.documents, modules, levels, &self.workers)
    }

    /// Checks each file, or with `--merge` those of each directory. Returns what was reported, and why fixes could not be printed.
    fn check_files(
        &self,
        targets: &CheckTargets,
        fixed: &FixedFiles<'_>,
        run: &mut Run<'_>,
        levels: &mut LintLevels,
    ) -> (Reported, Option<Failure>) {
        let inputs = &targets.found.inputs;
        let (mut reported, mut unwritten) = (Reported::default(), None);
        let prints_diffs = self.prints_text(&targets.found);
        let progress = run.progress.clone();
        let one = |configuration: &Vec<&Input>| {
            let findings = self.check_configuration(configuration, fixed);
            progress.advance(configuration.len());
            findings
        };
        let Ok(()) = self.workers.for_each(&configurations(inputs, self.command.merge), one, |checked| {
            progress.suspend(|| {
                for mut findings in checked {
                    findings.warnings.iter().for_each(warn);
                    if prints_diffs && unwritten.is_none() {
                        unwritten = findings.print_diffs().err();
                    }
                    reported.add(&findings);
                    findings.allowances.drain(..).for_each(|(file, all)| levels.expect(file, all));
                    levels.add_broken(findings.broken.drain(..));
                    run.report_findings(findings, levels);
                }
            });
            Ok::<_, Infallible>(())
        });
        (reported, unwritten)
    }

    /// Checks the files of a configuration, unless nothing was found in them before.
    fn check_configuration(&self, inputs: &[&Input], fixed: &FixedFiles<'_>) -> Findings {
        let own = || check(inputs, &self.documents, &self.spec, self.fixing, fixed);
        let has_spec = |input: &&Input| input.path().is_none_or(|path| self.spec.has_spec(path));
        match (&self.cache, inputs) {
            (Some(cache), [input]) if !has_spec(input) => {
                if cache.is_fine(input, &self.documents) {
                    return Findings { checked: 1, ..Findings::default() };
                }
                let findings = own();
                cache.note(input, &self.documents, &findings);
                findings
            }
            _ => own(),
        }
    }

    /// Checks directories as modules. Returns the sources of modules that are not available.
    fn check_modules(
        &self,
        directories: &Directories,
        targets: &CheckTargets,
        run: &mut Run<'_>,
        levels: &mut LintLevels,
        mut reported: Reported,
    ) -> Vec<String> {
        let mut checked = directories.checked(targets);
        let progress = run.progress.clone();
        progress.begin(checked.len(), "directories");
        directories.follow_calls(&mut checked, &self.workers);
        let mut plan = self.cache.as_ref().map(|cache| cache.plan(directories, targets, &checked));
        let trees = self.read_modules(directories, &checked, plan.as_mut());
        let is_fine =
            |(path, kind): &(PathBuf, Kind)| plan.as_ref().is_some_and(|plan| plan.is_fine(path, kind));
        let one = |directory: &(PathBuf, Kind)| {
            let found = if is_fine(directory) { Diagnostics::new() } else { trees.check(directory) };
            progress.advance(1);
            found
        };
        let (mut at, mut fine) = (0, HashSet::new());
        let Ok(()) = self.workers.for_each(&checked, one, |checked| {
            progress.suspend(|| {
                for mut found in checked {
                    if found.total() == 0 {
                        fine.insert(at);
                    }
                    at += 1;
                    found.retain(|diagnostic| targets.reports(diagnostic));
                    run.limited |= found.has_limit();
                    run.report(&levels.apply(&reported.take_new(&found)));
                }
            });
            Ok::<_, Infallible>(())
        });
        if let Some((cache, plan)) = self.cache.as_ref().zip(plan.as_ref()) {
            cache.keep(plan, &checked, &fine, &trees, directories);
        }
        trees.unavailable().into_iter().map(str::to_owned).collect()
    }

    /// Reads the modules that must be checked: all, or those of a plan. If their calls mean something else than before, that concerns
    /// all.
    fn read_modules<'d>(
        &self,
        directories: &'d Directories,
        checked: &[(PathBuf, Kind)],
        plan: Option<&mut Plan>,
    ) -> Trees<'d> {
        let Some((cache, plan)) = self.cache.as_ref().zip(plan).filter(|(_, plan)| plan.is_partial()) else {
            return Trees::read(directories, checked, checked, &self.workers, |_| CallEffects::default());
        };
        let open: Vec<(PathBuf, Kind)> =
            checked.iter().filter(|(path, kind)| !plan.is_fine(path, kind)).cloned().collect();
        let trees =
            Trees::read(directories, checked, &open, &self.workers, |language| cache.effects(language));
        if cache.has_same_effects(&open, &trees) {
            return trees;
        }
        plan.forget();
        Trees::read(directories, checked, checked, &self.workers, |_| CallEffects::default())
    }
}

/// The output of a run.
struct Run<'c> {
    command: &'c Check,
    report: Report,
    /// Whether the report was written. If it cannot be, files are still checked and fixed.
    written: io::Result<()>,
    /// Whether a limit ended some of the work.
    limited: bool,
    progress: Arc<Progress>,
}

impl<'c> Run<'c> {
    /// The report is on standard output, or on standard error if standard output is used for text.
    fn new(command: &'c Check, text_on_stdout: bool, progress: Progress) -> Self {
        let on = if text_on_stdout { Stream::Error } else { Stream::Output };
        let report = report::open(command.reporting.report, command.spacing, on);
        Self { command, report, written: Ok(()), limited: false, progress: Arc::new(progress) }
    }

    fn report(&mut self, found: &Diagnostics) {
        self.limited |= found.has_limit();
        if let Err(error) = self.report.diagnostics(found) {
            self.written = Err(error);
        }
    }

    /// Reports the findings in a configuration, at the levels that the options set.
    fn report_findings(&mut self, mut findings: Findings, levels: &mut LintLevels) {
        self.limited |= findings.problems.iter().any(Diagnostics::has_limit);
        findings.problems.iter_mut().for_each(|found| *found = levels.apply(found));
        if let Err(error) = findings.add_to(&mut self.report) {
            self.written = Err(error);
        }
    }

    /// Lists the files that cannot be read, and those that are skipped.
    fn list_unread(&mut self, found: &FoundInputs) {
        found.unreadable.iter().cloned().for_each(|file| self.report.failed(file));
        for skipped in &found.skipped {
            let name = skipped.path.to_string_lossy().into_owned();
            self.report.skipped(SkippedFile { name, reason: skipped.why.to_string() });
        }
    }

    /// Completes the report and returns the outcome of the run. `skipped` is what the last line says about skipped files.
    fn end(mut self, skipped: &str, deferred: DeferredWarnings) -> Result<Outcome, Failure> {
        let report = &mut self.report;
        let mut written =
            deferred.shown.iter().fold(self.written, |written, found| written.and(report.diagnostics(found)));
        written = written.and_then(|()| report.finish());
        if written.is_ok() && is_human(self.command) && !Host::current().is_quiet() {
            let mut totals = report.totals().clone();
            totals.warnings += deferred.count;
            totals.sources.extend(deferred.sources);
            let text = deferred.lines + &summary(&totals, skipped);
            written = report.get_mut().write_all(text.as_bytes()).and_then(|()| report.get_mut().flush());
        }
        Outcome::of_report(written, report.totals(), self.limited)
    }
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
    /// The comments that allow codes, by the names of files.
    allowances: Vec<(String, Allowances)>,
    /// The names of the files with syntax errors.
    broken: Vec<String>,
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
fn check<'i>(
    inputs: &[&'i Input],
    documents: &Documents,
    spec: &SpecCheck,
    fixing: Option<Fixing>,
    fixed: &FixedFiles<'i>,
) -> Findings {
    let mut findings = Findings::default();
    let mut files = Vec::with_capacity(inputs.len());
    for input in inputs {
        match documents.parse(input) {
            Ok(document) => files.push(File::new(input, document)),
            Err(unreadable) => findings.unreadable.push(unreadable),
        }
    }
    findings.checked = files.len();
    let broken = files.iter().map(|file| file.document.diagnostics()).filter(|found| found.has_errors());
    let source =
        |found: &Diagnostics| found.iter().find_map(Diagnostic::source).map(|it| it.name().to_owned());
    findings.broken = broken.filter_map(source).collect();
    let hcl1: Vec<Diagnostics> =
        files.iter().filter_map(|file| hcl1::problems(&file.document, file.input)).collect();
    findings.warnings.extend(files.iter().filter_map(|file| hcl1::hint(&file.document, file.input)));
    let allowances = files.iter().map(|file| {
        (file.document.source().name().to_owned(), Allowances::of(&file.document, Wording::ALLOW))
    });
    findings.allowances = allowances.filter(|(_, all)| !all.is_empty()).collect();
    // An incomplete configuration is not checked against the spec.
    let all_read = findings.unreadable.is_empty();
    let whole = |files: &[File<'_>]| all_read && !files.iter().any(|file| file.document.has_errors());
    if fixing != Some(Fixing::Write) {
        let meaning = if whole(&files) { spec.problems(&files) } else { None };
        findings.add_problems(&files, meaning);
    }
    findings.problems.extend(hcl1);
    let Some(fixing) = fixing else { return findings };
    for file in &mut files {
        if !fixed.get(file.input).is_some_and(|fixed| file.take_fixes(fixed)) {
            file.fix();
        }
    }
    let left = if whole(&files) { fix::fix_meaning(&mut files, spec) } else { None };
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
    /// Whether there is nothing to say about files that could be read.
    fn is_fine(&self) -> bool {
        let (none, read) = (self.problems.is_empty() && self.fixed.is_empty(), self.unreadable.is_empty());
        none && read && self.warnings.is_empty() && self.allowances.is_empty() && self.broken.is_empty()
    }

    /// Adds syntax errors and the errors found with the spec file.
    fn add_problems(&mut self, files: &[File<'_>], meaning: Option<Diagnostics>) {
        let found = files.iter().map(|file| file.document.diagnostics());
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
