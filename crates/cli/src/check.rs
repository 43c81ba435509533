//! `hcl check`: parses all that is meant, in parallel, and reports in the order of the names. The report for people and
//! the mending of files have files of their own.

mod fix;
mod human;

use hclkit::{Document, Entry, ParseOptions};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::args::{Check, Format};
use crate::input::{Input, Selection, Unreadable};
use crate::output::{Failure, Outcome, complain, stack_size};
use crate::progress::Progress;
use crate::report::{Finding, Report};
use fix::Fixed;

/// What a run found.
#[derive(Debug, Default)]
struct Findings {
    checked: usize,
    /// Files with diagnostics, in order.
    documents: Vec<Document>,
    fixed: Vec<Fixed>,
    unreadable: Vec<Unreadable>,
    errors: usize,
    warnings: usize,
}

/// What came of one input.
struct Checked {
    document: Document,
    fixed: Option<Fixed>,
}

pub(crate) fn run(command: &Check) -> Result<Outcome, Failure> {
    let selection = Selection::new(&command.include, &command.exclude, command.no_ignore, command.hidden)?;
    let here = [std::path::PathBuf::from(".")];
    let paths = if command.paths.is_empty() { &here[..] } else { &command.paths };
    let found = selection.find(paths);
    if found.inputs.is_empty() && found.unreadable.is_empty() {
        return Err(Failure::new(none_found(paths, found.json_files)));
    }
    let options = command.nesting.options();
    let progress = Progress::new(found.inputs.len());
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(stack_size(command.nesting.max_nesting))
        .build()
        .map_err(|error| Failure::new(format!("cannot start threads: {error}")))?;
    let checked: Vec<Result<Checked, Unreadable>> = pool.install(|| {
        let one = |input: &Input| {
            let checked = check(input, options, command.fix);
            progress.step();
            checked
        };
        found.inputs.par_iter().map(one).collect()
    });
    progress.finish();

    let mut findings = Findings { unreadable: found.unreadable, ..Findings::default() };
    for result in checked {
        match result {
            Ok(checked) => findings.add(checked),
            Err(unreadable) => findings.unreadable.push(unreadable),
        }
    }
    let text_on_stdout = command.fix && found.inputs.contains(&Input::Stdin);
    match findings.report(command.format, text_on_stdout) {
        Err(failure) if !failure.is_unread_output() => Err(failure),
        _ => Ok(findings.outcome()),
    }
}

fn check(input: &Input, options: ParseOptions, mend: bool) -> Result<Checked, Unreadable> {
    let source = input.read()?;
    if mend {
        return fix::mend(input, source, options);
    }
    let document = options.parse(source, Entry::Config);
    Ok(Checked { document, fixed: None })
}

fn none_found(paths: &[std::path::PathBuf], json_files: usize) -> String {
    let name = |path: &std::path::PathBuf| match path.to_str() {
        Some(".") => "the current directory".to_owned(),
        _ => path.display().to_string(),
    };
    let names: Vec<String> = paths.iter().map(name).collect();
    let json = match json_files {
        0 => String::new(),
        count => format!(" ({} in the JSON syntax passed over)", files(count)),
    };
    format!("no HCL files in {}{json}; name them, or say which to take with --include", names.join(", "))
}

/// A number of files in words.
fn files(count: usize) -> String {
    plural(count, "file")
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

impl Findings {
    fn add(&mut self, checked: Checked) {
        self.checked += 1;
        self.fixed.extend(checked.fixed);
        let document = checked.document;
        let errors = document.diagnostics().iter().filter(|diagnostic| diagnostic.is_error()).count();
        self.errors += errors;
        self.warnings += document.diagnostics().len() - errors;
        if !document.diagnostics().is_empty() {
            self.documents.push(document);
        }
    }

    fn outcome(&self) -> Outcome {
        if !self.unreadable.is_empty() {
            Outcome::Unreadable
        } else if self.errors > 0 {
            Outcome::Problems
        } else {
            Outcome::Fine
        }
    }

    /// Writes the report: on standard output, or on standard error where the mended text goes there.
    fn report(&self, format: Format, text_on_stdout: bool) -> Result<(), Failure> {
        if text_on_stdout && format != Format::Human {
            return Err(Failure::new("with --fix, standard output is the mended text: leave --format out"));
        }
        match format.machine() {
            None if text_on_stdout => human::write(&mut anstream::stderr().lock(), self)?,
            None => human::write(&mut anstream::stdout().lock(), self)?,
            Some(format) => {
                let mut out = std::io::BufWriter::new(std::io::stdout().lock());
                self.for_machines().write(format, &mut out)?;
            }
        }
        for unreadable in &self.unreadable {
            complain(unreadable);
        }
        Ok(())
    }

    fn for_machines(&self) -> Report<'_> {
        let findings = self.documents.iter().flat_map(|document| {
            document.diagnostics().iter().map(move |diagnostic| Finding::of(document, diagnostic))
        });
        Report {
            files: self.checked,
            findings: findings.collect(),
            fixed: self.fixed.iter().map(|fixed| (fixed.name.as_str(), fixed.mistakes)).collect(),
            unreadable: &self.unreadable,
        }
    }
}
