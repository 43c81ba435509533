//! `hcl fmt`: formats the selected files in parallel and reports in the order of their names. A file is written only if
//! its tokens and comments are unchanged. `fmt/differences.rs` says where a file is not formatted.

mod differences;

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use hclkit::dialect::Dialect;
use hclkit::limits::clean_path;
use hclkit::render::{FixedError, FixedFile, Renderer};
use hclkit::syntax::visible_line;
use hclkit::write::{Formatter, Style};
use hclkit::{Diagnostic, Diagnostics, Document, Source, Syntax};

use crate::args::{Fmt, Format, LanguageName};
use crate::atomic_write;
use crate::git;
use crate::host::{self, Host};
use crate::input::{self, Find, FoundFile, Input, Unreadable, selection};
use crate::outcome::{Failure, Outcome};
use crate::output::{complain, note, print_bytes, print_diff, warn};
use crate::progress::Progress;
use crate::report::{self, Report, Stream};
use crate::text_diff;
use crate::workers::Workers;

/// The result of formatting a file.
#[derive(Debug)]
enum Formatted {
    /// With the text, if it is printed.
    Unchanged(Option<Source>),
    Changed {
        input: Input,
        /// The text, if it is printed.
        after: Option<Vec<u8>>,
        diff: Option<String>,
        /// Where the file was not formatted, if there is a report.
        differences: Diagnostics,
        has_other_names: bool,
    },
    /// The file has errors and was not changed.
    Wrong(Diagnostics),
    /// The file could not be read or written.
    Unreadable(Unreadable),
}

pub(crate) fn run(command: &Fmt) -> Result<Outcome, Failure> {
    let tool = &command.language.language;
    if let Some(LanguageName::Bake | LanguageName::Table(_)) = tool {
        let name = tool.as_ref().map_or("", LanguageName::name);
        return Err(Failure::new(format!(
            "--language {name}: there is no formatter of its own; use --language hcl"
        )));
    }
    let has_report = has_report(command);
    if has_report && command.diff {
        return Err(Failure::new("--diff cannot be used with --report, which has the places of the changes"));
    }
    let dialect = tool.as_ref().and_then(|tool| Dialect::named(tool.name()));
    let recursive = command.recursive.unwrap_or(matches!(tool, None | Some(LanguageName::Terragrunt)));
    let mut selection = selection(&command.files)?.without_subdirectories(!recursive);
    if dialect.is_some() {
        selection = selection.with_hidden_files();
    }
    let mut found = selection.find(&command.paths);
    let named: HashSet<PathBuf> = command.paths.iter().map(|path| clean_path(path)).collect();
    found.inputs.retain(|input| {
        is_meant(input, command, dialect.as_deref())
            || input.path().is_some_and(|path| named.contains(&clean_path(path)))
    });
    if let Some(reference) = &command.changed_since {
        if found.inputs.contains(&Input::Stdin) {
            return Err(Failure::new(
                "--changed-since requires files; standard input has no earlier version",
            ));
        }
        let changed = git::changed_below(reference, input::or_here(&command.paths))?;
        found.inputs.retain(|input| input.as_changed().is_some_and(|path| changed.contains(&path)));
    }
    let writes = command.write && !command.check;
    if writes {
        atomic_write::clean_beside(&found.inputs);
    }
    // The formatting of a tool has no style.
    let style =
        if command.language.language.is_none() { Host::current().settings().style() } else { Style::new() };
    let workers = Workers::new();
    let progress = Progress::new(found.inputs.len(), "files");
    let one = |input: &Input| {
        let formatted =
            format(input, command, dialect.as_ref(), style, writes).unwrap_or_else(Formatted::Unreadable);
        progress.advance(1);
        formatted
    };
    let failed = (!found.unreadable.is_empty()).then_some(Outcome::Incomplete);
    let report = has_report.then(|| {
        let prints = found.inputs.iter().any(|input| prints_text(command, input));
        let mut report = report::open(
            command.reporting.report,
            command.spacing,
            if prints { Stream::Error } else { Stream::Output },
        );
        found.unreadable.iter().cloned().for_each(|file| report.failed(file));
        report
    });
    let mut ended = Ended { failed, report, ..Ended::default() };
    workers.for_each(&found.inputs, one, |formatted| {
        progress.suspend(|| formatted.iter().for_each(|formatted| ended.add(command, formatted)));
        Ok::<_, Failure>(())
    })?;
    progress.finish();
    if !has_report {
        found.unreadable.iter().for_each(complain);
    }
    if command.paths.is_empty() && host::stdin_has_data() {
        warn("standard input was not read; to format it, use hcl fmt -");
    }
    ended.outcome(command)
}

/// Whether to format an input that is not named itself. Files in directories are selected by name, and files in the JSON
/// syntax are not formatted.
fn is_meant(input: &Input, command: &Fmt, dialect: Option<&Dialect>) -> bool {
    match input {
        Input::Found(FoundFile { path, .. }) if command.files.include.is_empty() => {
            !input.is_json() && dialect.is_none_or(|dialect| dialect.formats(path))
        }
        _ => true,
    }
}

/// What is said of a file with so many errors that it is not HCL, if its name does not say that it is.
fn not_hcl(found: &Diagnostics) -> Option<String> {
    /// A text of another kind has several errors soon, also a short one.
    const MOST: usize = 3;
    let first = found.iter().find(|own| own.is_error())?;
    let source = first.source()?;
    let is_named = Path::new(source.name()).extension().is_some_and(|ending| ending == "hcl");
    if found.errors() <= MOST || is_named || Dialect::of_path(source.name()).is_some() {
        return None;
    }
    let at = source.position(first.span().start);
    let (name, summary) = (visible_line(source.name()), first.summary());
    let more = found.errors() - 1;
    Some(format!("{name} is not HCL (line {}: {summary}, and {more} more errors)", at.line))
}

fn is_terraform(command: &Fmt) -> bool {
    matches!(command.language.language, Some(LanguageName::Terraform | LanguageName::OpenTofu))
}

/// The name of a file in lists and diffs. Like the tools, `--language terraform` and `opentofu` print paths relative to the
/// current directory.
fn listed_name(input: &Input, command: &Fmt) -> String {
    let is_relative =
        matches!(command.language.language, Some(LanguageName::Terraform | LanguageName::OpenTofu));
    match input.path().filter(|_| is_relative).and_then(relative) {
        Some(path) => path.to_string_lossy().into_owned(),
        None => input.name(),
    }
}

/// A path from the current directory, without links being looked up.
fn relative(path: &Path) -> Option<PathBuf> {
    if path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Some(path.to_owned());
    }
    let here = std::env::current_dir().ok()?;
    let mut target = PathBuf::new();
    for part in here.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = target.pop(),
            part => target.push(part),
        }
    }
    let above = here.ancestors().position(|above| target.starts_with(above))?;
    let rest = target.strip_prefix(here.ancestors().nth(above)?).ok()?;
    Some(std::iter::repeat_n(Path::new(".."), above).collect::<PathBuf>().join(rest))
}

/// Returns true if the tool's check exits with 3 when files would change, to distinguish this from an error.
fn has_code_of_its_own(command: &Fmt) -> bool {
    let tool = &command.language.language;
    matches!(tool, Some(LanguageName::Terraform | LanguageName::OpenTofu | LanguageName::Packer))
}

fn format(
    input: &Input,
    command: &Fmt,
    dialect: Option<&Arc<Dialect>>,
    style: Style,
    writes: bool,
) -> Result<Formatted, Unreadable> {
    let source = input.read()?;
    let formatter = match dialect {
        Some(dialect) => Formatter::new(dialect.clone()),
        None => Formatter::of_path(source.name()),
    };
    let document = Document::parse_in(source, input.syntax());
    if document.has_errors() {
        return Ok(Formatted::Wrong(document.diagnostics().clone()));
    }
    let is_hcl1 = document.syntax() == Syntax::Hcl1 || input.is_hcl1();
    if is_hcl1 && !formatter.formats_hcl1(&document) {
        let why = match document.json() {
            Some(_) => "it is JSON, which is not formatted",
            None if dialect.is_some() => "it has several carriage returns before a line feed",
            None => "HCL 1 is formatted only with --language",
        };
        note(format!("{} is left as it is: {why}", document.source().name()));
    }
    let prints = prints_text(command, input);
    let formatted = formatter.with_markers().with_style(style).format(&document);
    if formatted.is_unchanged() {
        return Ok(Formatted::Unchanged(prints.then(|| document.source().clone())));
    }
    let name = document.source().name();
    let limit = Host::current().max_size();
    if formatted.text_len() as u64 > limit {
        let reason = format!(
            "the formatted text would be larger than {limit} bytes; use --max-size to raise the limit"
        );
        return Err(Unreadable { name: name.to_owned(), reason, action: "format" });
    }
    let needs_text = writes || command.diff || prints || has_report(command);
    if !needs_text {
        return Ok(Formatted::Changed {
            input: input.clone(),
            after: None,
            diff: None,
            differences: Diagnostics::new(),
            has_other_names: false,
        });
    }
    let after = formatted.bytes().into_owned();
    if !formatted.is_faithful() {
        let why =
            "formatting would change more than spacing; this is a bug in hcl, please report it with the file";
        return Err(Unreadable { name: name.to_owned(), reason: why.to_owned(), action: "format" });
    }
    let unified =
        if command.language.language.is_some() { text_diff::old_and_new } else { text_diff::unified };
    let diff = command.diff.then(|| {
        unified(&listed_name(input, command), document.source().text(), &String::from_utf8_lossy(&after))
    });
    let differences =
        if has_report(command) { differences::of(&document, &formatted) } else { Diagnostics::new() };
    let mut has_other_names = false;
    if let (true, Input::File(path) | Input::Found(FoundFile { path, .. })) = (writes, input) {
        has_other_names = atomic_write::rewrite(path, || input.open(), document.source().bytes(), &after)
            .map_err(|reason| Unreadable { name: name.to_owned(), reason, action: "write" })?;
    }
    let after = prints.then_some(after);
    Ok(Formatted::Changed { input: input.clone(), after, diff, differences, has_other_names })
}

/// The results of the run so far.
#[derive(Default)]
struct Ended {
    changed: bool,
    /// The outcome if a file has errors or cannot be read.
    failed: Option<Outcome>,
    /// Whether a file with errors was reported.
    reported: bool,
    /// The error of writing to standard output. Files are still formatted.
    unwritten: Option<Failure>,
    /// The report for programs.
    report: Option<Report>,
}

impl Ended {
    /// Reports the result of formatting a file.
    fn add(&mut self, command: &Fmt, formatted: &Formatted) {
        self.changed |= matches!(formatted, Formatted::Changed { .. });
        match formatted {
            // Terraform and OpenTofu exit with 2.
            Formatted::Wrong(_) if is_terraform(command) => self.failed = Some(Outcome::Incomplete),
            Formatted::Wrong(found) => self.failed = self.failed.max(Some(Outcome::of_errors(found))),
            Formatted::Unreadable(_) => self.failed = Some(Outcome::Incomplete),
            Formatted::Changed { .. } | Formatted::Unchanged(..) => {}
        }
        if self.unwritten.is_none() {
            self.unwritten = print(command, formatted).err();
        }
        if let Some(report) = &mut self.report {
            let written = add_to_report(report, command, formatted);
            self.unwritten = self.unwritten.take().or(written.map_err(Failure::from).err());
        }
        match formatted {
            Formatted::Wrong(_) | Formatted::Unreadable(_) if self.report.is_some() => {}
            Formatted::Wrong(diagnostics) => {
                if let Some(line) = not_hcl(diagnostics) {
                    return complain(line);
                }
                let gap = if self.reported { "\n" } else { "" };
                self.reported = true;
                // Errors of standard error cannot be reported.
                let _ =
                    writeln!(host::styled_stderr(), "{gap}{}", Renderer::colored().diagnostics(diagnostics));
            }
            Formatted::Unreadable(unreadable) => complain(unreadable),
            Formatted::Changed { input, has_other_names: true, .. } => {
                let name = input.name();
                warn(format_args!("{name} had other hard links, which keep the old content"));
            }
            Formatted::Changed { .. } | Formatted::Unchanged(..) => {}
        }
    }

    fn outcome(mut self, command: &Fmt) -> Result<Outcome, Failure> {
        if let Some(report) = &mut self.report {
            let written = report.finish().map_err(Failure::from);
            report.totals().failed.iter().for_each(complain);
            self.unwritten = self.unwritten.or(written.err());
        }
        if self.changed && command.diff && command.language.language.is_none() && !command.check {
            note("the files were written; with --check, they stay as they are");
        }
        match (self.unwritten, self.failed) {
            (Some(failure), _) if !failure.is_unread_output() => Err(failure),
            (_, Some(failed)) => Ok(failed),
            _ if !self.changed || !(command.check || command.require_no_change) => Ok(Outcome::Fine),
            _ if command.check && has_code_of_its_own(command) => Ok(Outcome::Unformatted),
            _ => Ok(Outcome::Problems),
        }
    }
}

/// Adds a file to the report: where it is not formatted, or what was formatted.
fn add_to_report(report: &mut Report, command: &Fmt, formatted: &Formatted) -> io::Result<()> {
    match formatted {
        Formatted::Unreadable(file) => report.failed(file.clone()),
        Formatted::Unchanged(_) => report.checked(1),
        Formatted::Wrong(found) => {
            report.checked(1);
            match not_hcl(found).zip(found.iter().find(|own| own.is_error())) {
                Some((line, first)) => return report.diagnostic(&first.clone().with_note(line + ".")),
                None => return report.diagnostics(found),
            }
        }
        Formatted::Changed { differences, .. } if command.check || !command.write => {
            report.checked(1);
            return report.diagnostics(differences);
        }
        Formatted::Changed { input, differences, .. } => {
            report.checked(1);
            let error = |found: &Diagnostic| {
                let range = found.place()?.range();
                Some(FixedError { range, code: found.code(), title: differences::TITLE.into() })
            };
            let errors = differences.iter().filter_map(error).collect();
            report.fixed(FixedFile { name: input.name(), errors, written: true, diff: None });
        }
    }
    Ok(())
}

/// Whether there is a report for programs instead of text.
fn has_report(command: &Fmt) -> bool {
    command.reporting.report != Format::Human
}

/// Prints formatted text, the names of changed files or their changes.
fn print(command: &Fmt, formatted: &Formatted) -> Result<(), Failure> {
    match formatted {
        Formatted::Unchanged(Some(source)) => print_bytes(source.bytes()),
        Formatted::Changed { after: Some(after), .. } => print_bytes(after),
        Formatted::Changed { input, diff, .. } => {
            let name = listed_name(input, command);
            // The tools do not list standard input.
            let is_listed = *input != Input::Stdin || command.check && command.language.language.is_none();
            if command.list && is_listed && !has_report(command) && !Host::current().is_quiet() {
                print_bytes(format!("{}\n", visible_line(&name)).as_bytes())?;
            }
            diff.as_deref().map_or(Ok(()), print_diff)
        }
        _ => Ok(()),
    }
}

/// Whether formatted text is printed: that of standard input, and of files that are neither written nor listed.
fn prints_text(command: &Fmt, input: &Input) -> bool {
    let is_shown = || !command.write && !command.list && !has_report(command);
    !command.check && !command.diff && (*input == Input::Stdin || is_shown())
}
