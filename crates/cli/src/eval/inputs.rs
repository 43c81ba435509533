//! `hcl eval DIR --inputs-template` and `--inputs-check`: a file of values to fill in, and what is wrong with the values of the
//! variables of a module.

use std::io::Write as _;
use std::sync::Arc;

use hclkit::dialect::{Dialect, Role};
use hclkit::limits::path_on_disk;
use hclkit::module::BAKE_FILES;
use hclkit::render::Totals;
use hclkit::schema::inputs_template;
use hclkit::{Diagnostic, Diagnostics};

use crate::args::{Eval, Format, Output};
use crate::check::summary;
use crate::host::Host;
use crate::module::{self, ModulePath};
use crate::outcome::{CommandError, Failure, Outcome, outcome_of};
use crate::output::{note, plural};
use crate::report::{self, Stream, write_report};
use crate::scope::{grant_hint, run_limited};
use crate::sources::Sources;
use crate::values::Printer;

pub(super) fn run(command: &Eval) -> Result<Outcome, Failure> {
    let option = if command.inputs_check { "--inputs-check" } else { "--inputs-template" };
    let path = command.directory.as_deref().or(command.expression.as_deref()).unwrap_or(".");
    let is_extra = command.directory.is_some() && command.expression.is_some();
    if is_extra || !command.addresses.is_empty() || !command.files.is_empty() || command.attr.is_some() {
        return Err(Failure::new(format!("{option}: expected only the directory or a file of a module")));
    }
    command.given.reject(&["functions"], module::FUNCTIONS_OF_LANGUAGE)?;
    let place = module::required_place(path, &command.module.language)?;
    let is_bake = super::is_bake(command);
    if command.inputs_check {
        if is_bake {
            let why = "the variables of Bake files come from the environment, and have defaults";
            return Err(Failure::new(format!("{option}: {why}")));
        }
        return check(command, &place);
    }
    let (diagnostics, outcome) =
        outcome_of(run_limited(|| template(command, &place, is_bake)), Diagnostics::new())?;
    write_report(command.reporting.report, command.spacing, 1, &diagnostics, |_| None)?;
    Ok(outcome)
}

/// Writes a file that sets the variables.
fn template(command: &Eval, place: &ModulePath, is_bake: bool) -> Result<(), CommandError> {
    if command.output().is_some_and(|output| output != Output::Hcl) {
        let why = "the template of inputs has comments, so that it is HCL; `hcl schema` writes a JSON Schema";
        return Err(Failure::new(why).into());
    }
    let language = language(command, place, is_bake)?;
    let sources = Sources::new(&command.module.sources)?;
    let mut loader = module::files(language, place, &[], &sources);
    if is_bake {
        let has = |name: &&str| place.directory.join(name).is_file();
        loader = match place.file() {
            Some(file) => loader.with_only([file]),
            None => loader.with_only(BAKE_FILES.into_iter().filter(has)),
        };
    }
    let summary = loader.summary(false);
    if summary.diagnostics.has_errors() || summary.broken.has_errors() {
        return Err(summary.diagnostics.into());
    }
    if summary.inputs.is_empty() {
        note(format_args!("{} has no variables", path_on_disk(&place.directory).display()));
    }
    let printer = Printer::new(&command.destination, command.spacing);
    Ok(printer.bytes(inputs_template(&summary).as_bytes())?)
}

/// The language of a module, which must have input variables.
fn language(command: &Eval, place: &ModulePath, is_bake: bool) -> Result<Arc<Dialect>, CommandError> {
    let language = match Dialect::named("bake").filter(|_| is_bake) {
        Some(language) => language,
        None => module::language(place, &command.module.language)?,
    };
    if !language.blocks.iter().any(|rule| matches!(rule.role, Role::Input | Role::Inputs)) {
        let option = if command.inputs_check { "--inputs-check" } else { "--inputs-template" };
        return Err(Failure::new(format!("{option}: {} has no input variables", language.title())).into());
    }
    Ok(language)
}

/// Reports what is wrong with the values of the variables.
fn check(command: &Eval, place: &ModulePath) -> Result<Outcome, Failure> {
    if command.output().is_some() || command.destination.out.is_some() {
        return Err(Failure::new(
            "--inputs-check writes a report, not values; its format is that of --report",
        ));
    }
    let checked = run_limited(|| {
        language(command, place, false)?;
        let unknown = command.scope.unknown_vars;
        let module = module::load(place, &command.module, &command.given, &command.scope, unknown)?;
        Ok(module.check_inputs())
    });
    let (mut found, variables) = match checked {
        Ok((found, variables)) => (found, Some(variables)),
        Err(CommandError::Problems(found)) => (found, None),
        Err(CommandError::Failure(failure)) => return Err(failure),
    };
    let is_quiet = Host::current().is_quiet();
    if is_quiet {
        found.retain(Diagnostic::is_error);
    }
    let hint = grant_hint(&command.scope, &found);
    let mut report = report::open(command.reporting.report, command.spacing, Stream::Output);
    let mut written = report.diagnostics(&found).and_then(|()| report.finish());
    if written.is_ok() && command.reporting.report == Format::Human && !is_quiet {
        let line = line_of(report.totals(), variables.unwrap_or_default());
        written = report.get_mut().write_all(line.as_bytes()).and_then(|()| report.get_mut().flush());
    }
    hint.into_iter().for_each(note);
    let outcome = Outcome::of_report(written, report.totals(), found.has_limit())?;
    Ok(if found.has_errors() { outcome.max(Outcome::of_errors(&found)) } else { outcome })
}

/// `Checked 3 variables: 1 error and 2 warnings`, and the blank line before it.
fn line_of(totals: &Totals, variables: usize) -> String {
    let found = summary::found(totals);
    let checked = plural(variables, "variable");
    if found.is_empty() {
        return format!("Checked {checked}: no problems found\n");
    }
    format!("\nChecked {checked}: {found}\n")
}
