//! `hcl eval live/app`: what a unit or a stack of Terragrunt configures.

use std::path::Path;

use hclkit::limits::Meter;
use hclkit::model::PartialOptions;
use hclkit::module::{Reason, Unit};
use hclkit::render::Renderer;
use hclkit::{Diagnostics, Expression, StartSymbol};

use super::module::{Named, Values, literal, write, write_reasons};
use crate::args::{Eval, Output};
use crate::atomic_write;
use crate::host;
use crate::input::argument;
use crate::module::FUNCTIONS_OF_LANGUAGE;
use crate::outcome::{CommandError, Failure, Outcome, outcome_of};
use crate::output::{MAX_EXPLANATION, print_bytes, print_styled};
use crate::report::write_report;
use crate::scope::{grant_hint, run_limited};
use crate::terragrunt::{is_unit, load, place};

/// The path of the unit, if one is to be evaluated.
pub(super) fn path(command: &Eval) -> Option<&Path> {
    let given = command.directory.as_deref().or(command.expression.as_deref()).map(Path::new)?;
    (command.files.is_empty() && is_unit(given, &command.module.language)).then_some(given)
}

pub(super) fn run(command: &Eval, path: &Path) -> Result<Outcome, Failure> {
    let mut warnings = Diagnostics::new();
    let ended = evaluate(command, path).map(|found| warnings = found);
    let (diagnostics, outcome) = outcome_of(ended, warnings)?;
    let hint = |found: &Diagnostics| grant_hint(&command.scope, found).map(str::to_owned);
    write_report(command.reporting.report, command.spacing, 1, &diagnostics, hint)?;
    Ok(outcome)
}

/// Writes the values. The result is the warnings.
fn evaluate(command: &Eval, path: &Path) -> Result<Diagnostics, CommandError> {
    if command.template || command.attr.is_some() || !command.set.is_empty() {
        let why = "--template, --attr and --set are not supported for Terragrunt";
        return Err(Failure::new(why).into());
    }
    command.given.reject(&["functions"], FUNCTIONS_OF_LANGUAGE)?;
    let ignored = ["no-data-sources", "provider-schema", "unknown-vars", "workspace"];
    command.given.reject(&ignored, "not supported for Terragrunt")?;
    let mut wanted: Vec<&str> = command.addresses.iter().map(String::as_str).collect();
    if command.directory.is_some() {
        wanted.splice(0..0, command.expression.as_deref());
    }
    if command.explain && wanted.is_empty() {
        let why = "--explain requires an address, such as `inputs.region` or `local.zones`";
        return Err(Failure::new(why).into());
    }
    let (directory, file) = place(path);
    let terragrunt = load(directory, &command.scope, &command.module.sources)?;
    let found = run_limited(|| {
        let (unit, mut diagnostics) = terragrunt.evaluate(file);
        if command.partial {
            if diagnostics.has_errors() {
                return Err(diagnostics.into());
            }
            write_partial(command, &unit, !wanted.is_empty())?;
        } else if command.explain {
            explain(&unit, &wanted, &mut diagnostics)?;
        } else {
            let found = values(&unit, &wanted, diagnostics)?;
            if command.unknown {
                let unknown = found.all.iter().filter(|own| !own.value.is_wholly_known());
                let all: Vec<(&str, Vec<Reason>)> =
                    unknown.map(|own| (own.address.as_str(), unit.reasons(&own.address))).collect();
                write_reasons(command, &all, &found.diagnostics)?;
            } else {
                write(command, &found)?;
            }
            diagnostics = found.diagnostics;
        }
        Ok::<_, CommandError>(diagnostics)
    })?;
    if found.has_errors() { Err(found.into()) } else { Ok(found) }
}

/// Writes the file of a unit with all known values inserted.
fn write_partial(command: &Eval, unit: &Unit, has_addresses: bool) -> Result<(), CommandError> {
    if has_addresses {
        return Err(Failure::new("--partial writes whole files; leave out the addresses").into());
    }
    if command.output().is_some_and(|output| output != Output::Hcl) {
        return Err(Failure::new("--partial of a unit writes its file, so --output must be hcl").into());
    }
    let options =
        PartialOptions::new().with_impure(command.impure).with_reveal_marked(command.show_sensitive);
    let text = unit.partial(options, &literal)?;
    match atomic_write::file(command.destination.out.as_ref()) {
        None => print_bytes(text.as_bytes())?,
        Some(path) => atomic_write::write(path, text.as_bytes())?,
    }
    Ok(())
}

/// The values at addresses, or of expressions with the names of the unit; all if nothing is wanted.
fn values(unit: &Unit, wanted: &[&str], mut diagnostics: Diagnostics) -> Result<Values, CommandError> {
    let own = unit.values().into_iter().map(|own| Named { address: own.address, value: own.value });
    let mut own: Vec<Named> = own.collect();
    if !wanted.is_empty() {
        let known = std::mem::take(&mut own);
        for text in wanted {
            if let Some(found) = known.iter().find(|own| own.address == **text) {
                own.push(Named { address: found.address.clone(), value: found.value.clone() });
                continue;
            }
            let expression = read(text)?;
            match expression.evaluate(&unit.context()) {
                Ok(value) => own.push(Named { address: (*text).to_owned(), value }),
                Err(found) => diagnostics.append(found),
            }
        }
    }
    Ok(Values { all: own, diagnostics: diagnostics.distinct(), unmatched: Vec::new() })
}

fn read(text: &str) -> Result<Expression, CommandError> {
    Ok(Expression::read(argument("<expression>".to_owned(), text), StartSymbol::Expression)?)
}

/// Writes how the values at addresses are computed, from the file that counts, or those of expressions.
fn explain(unit: &Unit, wanted: &[&str], diagnostics: &mut Diagnostics) -> Result<(), CommandError> {
    let renderer = Renderer::colored().with_width(host::stdout_width().min(MAX_EXPLANATION));
    for text in wanted {
        let (expression, context) = match unit.expression(text) {
            Some(found) => found,
            None => (read(text)?, unit.context()),
        };
        let text = renderer.explanation(&expression, &expression.explain(&context));
        let meter = Meter::current();
        if meter.exceeded().is_none() {
            meter.take_bytes(text.len()).map_err(|exceeded| Failure::new(exceeded.to_string()))?;
        }
        print_styled(&text)?;
        if let Err(found) = expression.evaluate(&context) {
            diagnostics.append(found);
        }
    }
    *diagnostics = std::mem::take(diagnostics).distinct();
    Ok(())
}
