//! `hcl check`: reads all that is meant, in parallel, and reports in the order of the names. What a spec file says of
//! configurations, the mending of files and the report for people have files of their own.

mod fix;
mod human;
mod language;
mod parsed;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hclkit::Diagnostics;
use hclkit::Limits;
use indexmap::IndexMap;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::args::{Check, Format};
use crate::input::{Input, Selection, Unreadable};
use crate::output::{Failure, Outcome, complain, print_diff, stack_size, warn};
use crate::progress::Progress;
use crate::replace;
use crate::report::{Fixed, Report};
use crate::scope::Halt;
use fix::{File, Fixing};
use language::Language;
use parsed::Parsed;

/// What a run found.
#[derive(Debug, Default)]
struct Findings {
    checked: usize,
    /// In the order of the files. The files themselves are not kept: there may be many.
    problems: Vec<Diagnostics>,
    fixed: Vec<Fixed>,
    unreadable: Vec<Unreadable>,
}

pub(crate) fn run(command: &Check) -> Result<Outcome, Failure> {
    let language = match Language::new(command) {
        Ok(language) => language,
        Err(Halt::Failure(failure)) => return Err(failure),
        // Without what the files are to be, none is read.
        Err(Halt::Problems(found)) => {
            let findings = Findings { problems: vec![found], ..Findings::default() };
            return findings.end(command, false);
        }
    };
    let fixing = fixing(command)?;
    let selection = Selection::new(&command.include, &command.exclude, command.no_ignore, command.hidden)?
        .without(language.files())
        .following(command.follow)
        .without_variables(command.spec.is_some() && command.include.is_empty());
    let here = [PathBuf::from(".")];
    let paths = if command.paths.is_empty() { &here[..] } else { &command.paths };
    let found = selection.find(paths);
    for link in &found.outside {
        let link = link.display();
        warn(format_args!("{link} is a link that leads out of its directory, and is not read: see --follow"));
    }
    if fixing == Some(Fixing::Write) {
        let folder = |input: &Input| input.path().and_then(Path::parent).map(Path::to_owned);
        for folder in found.inputs.iter().filter_map(folder).collect::<BTreeSet<_>>() {
            let here = folder.as_os_str().is_empty();
            replace::clean(if here { Path::new(".") } else { &folder });
        }
    }
    if found.inputs.is_empty() && found.unreadable.is_empty() {
        return Err(Failure::new(none_found(command, paths)));
    }
    let nesting = command.nesting.max_nesting;
    let limits = Limits::new().nesting(nesting).value_depth(nesting.max(Limits::VALUE_DEPTH));
    let progress = Progress::new(found.inputs.len());
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(stack_size(command.nesting.max_nesting))
        .build()
        .map_err(|error| Failure::new(format!("cannot start threads: {error}")))?;
    let one = |configuration: &Vec<&Input>| {
        let findings = limits.run(|| check(configuration, &language, fixing));
        progress.advance(configuration.len());
        findings
    };
    let checked: Vec<Findings> =
        pool.install(|| configurations(&found.inputs, command.merge).par_iter().map(one).collect());
    progress.finish();

    let mut findings = Findings { unreadable: found.unreadable, ..Findings::default() };
    for found in checked {
        findings.add(found);
    }
    let text_on_stdout = match fixing {
        Some(Fixing::Write) => found.inputs.contains(&Input::Stdin),
        Some(Fixing::Diff) => command.format == Format::Human,
        Some(Fixing::List) | None => false,
    };
    findings.end(command, text_on_stdout)
}

/// What is to become of the fixes, if they are wanted.
fn fixing(command: &Check) -> Result<Option<Fixing>, Failure> {
    if command.diff && !matches!(command.format, Format::Human | Format::Json) {
        return Err(Failure::new(
            "only the formats human and json have a place for a diff: use --dry-run, or --format json",
        ));
    }
    Ok(match (command.diff, command.dry_run, command.fix) {
        (true, ..) => Some(Fixing::Diff),
        (_, true, _) => Some(Fixing::List),
        (_, _, true) => Some(Fixing::Write),
        _ => None,
    })
}

/// The files that are one configuration each: every file, or those of a folder together.
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
fn check(inputs: &[&Input], language: &Language, fixing: Option<Fixing>) -> Findings {
    let mut findings = Findings::default();
    let mut files = Vec::with_capacity(inputs.len());
    for input in inputs {
        match input.read_text() {
            Ok(source) => files.push(File::new(input, Parsed::read(input, source))),
            Err(unreadable) => findings.unreadable.push(unreadable),
        }
    }
    findings.checked = files.len();
    // What a part of a configuration says does not count without the rest.
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
            Ok(fixed) => findings.fixed.extend(fixed),
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
    if !command.include.is_empty() {
        return format!("no files in {names} match --include {}", command.include.join(" --include "));
    }
    if !command.exclude.is_empty() {
        return format!("no HCL files in {names} but those that --exclude leaves out");
    }
    format!("no HCL files in {names}; name them, or say which to take with --include")
}

/// A number of files in words.
fn files(count: usize) -> String {
    plural(count, "file")
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

impl Findings {
    fn add(&mut self, other: Findings) {
        self.checked += other.checked;
        self.problems.extend(other.problems);
        self.fixed.extend(other.fixed);
        self.unreadable.extend(other.unreadable);
    }

    /// Adds what is wrong with how files are written, and with what they say.
    fn add_problems(&mut self, files: &[File<'_>], meaning: Option<Diagnostics>) {
        let found = files.iter().map(|file| file.parsed.diagnostics());
        self.problems.extend(found.filter(|found| !found.is_empty()).cloned());
        self.problems.extend(meaning);
    }

    /// The numbers of errors and of warnings, shown or not.
    fn counts(&self) -> (usize, usize) {
        let count = |diagnostics: &Diagnostics| (diagnostics.errors(), diagnostics.warnings());
        self.problems.iter().map(count).fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
    }

    /// Tells what there is to tell, and how the run ended.
    fn end(&self, command: &Check, text_on_stdout: bool) -> Result<Outcome, Failure> {
        match self.report(command, text_on_stdout) {
            Err(failure) if !failure.is_unread_output() => Err(failure),
            _ => Ok(self.outcome()),
        }
    }

    fn outcome(&self) -> Outcome {
        if !self.unreadable.is_empty() {
            Outcome::Unreadable
        } else if self.counts().0 > 0 {
            Outcome::Problems
        } else {
            Outcome::Fine
        }
    }

    /// Writes the report: to standard output, or to standard error where standard output is for text.
    fn report(&self, command: &Check, text_on_stdout: bool) -> Result<(), Failure> {
        if command.format == Format::Human {
            self.fixed.iter().filter_map(|fixed| fixed.diff.as_deref()).try_for_each(print_diff)?;
        }
        match command.format.machine() {
            None if text_on_stdout => human::write(&mut anstream::stderr().lock(), self)?,
            None => human::write(&mut anstream::stdout().lock(), self)?,
            Some(format) => {
                let out: Box<dyn Write> =
                    if text_on_stdout { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
                self.for_machines().write(format, command.spacing, &mut io::BufWriter::new(out))?;
            }
        }
        for unreadable in &self.unreadable {
            complain(unreadable);
        }
        Ok(())
    }

    fn for_machines(&self) -> Report<'_> {
        Report {
            files: self.checked,
            diagnostics: self.problems.iter().collect(),
            fixed: &self.fixed,
            unreadable: &self.unreadable,
        }
    }
}
