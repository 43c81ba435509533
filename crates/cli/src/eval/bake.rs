//! `hcl eval docker-bake.hcl TARGET…`: what `docker buildx bake --print` gives.

use std::path::PathBuf;

use hclkit::convert::Json;
use hclkit::module::{Bake, Plan, Planned};

use crate::args::{Eval, Output};
use crate::bake::Files;
use crate::outcome::{CommandError, Failure, Outcome, outcome_of};
use crate::report::write_report;
use crate::scope::run_limited;
use crate::values::Printer;

pub(super) fn run(command: &Eval) -> Result<Outcome, Failure> {
    let mut warnings = hclkit::Diagnostics::new();
    let ended = evaluate(command, &mut warnings);
    let (diagnostics, outcome) = outcome_of(ended, warnings)?;
    write_report(command.reporting.report, command.spacing, 1, &diagnostics, |_| None)?;
    Ok(outcome)
}

fn evaluate(command: &Eval, warnings: &mut hclkit::Diagnostics) -> Result<(), CommandError> {
    if command.explain || command.partial || command.unknown || command.template || command.attr.is_some() {
        let why = "--explain, --partial, --unknown, --template and --attr are not supported for Bake files";
        return Err(Failure::new(why).into());
    }
    let ignored =
        ["no-data-sources", "provider-schema", "workspace", "functions", "unknown-vars", "show-sensitive"];
    command.given.reject(&ignored, "not supported for Bake files")?;
    if command.output().is_some_and(|output| output != Output::Json) {
        return Err(Failure::new("the output of Bake files is JSON; use --output json").into());
    }
    let (files, targets) = files(command);
    let bake = crate::bake::load(files, &command.scope)?;
    let bake = command.set.iter().fold(bake, Bake::with_override);
    let (plan, found) = run_limited(|| bake.plan(&targets));
    if found.has_errors() {
        return Err(found.into());
    }
    *warnings = found;
    write(command, &plan)
}

/// The files and the requested targets.
fn files(command: &Eval) -> (Files, Vec<&str>) {
    let mut targets: Vec<&str> = command.addresses.iter().map(String::as_str).collect();
    if let Some(directory) = &command.directory {
        targets.splice(0..0, command.expression.as_deref());
        return (Files::Directory(PathBuf::from(directory)), targets);
    }
    let Some(first) = command.expression.as_deref() else {
        let files = if command.files.is_empty() {
            Files::Directory(PathBuf::from("."))
        } else {
            Files::These(command.files.clone())
        };
        return (files, targets);
    };
    let path = PathBuf::from(first);
    let files = if !command.files.is_empty() {
        targets.insert(0, first);
        Files::These(command.files.clone())
    } else if path.is_dir() {
        Files::Directory(path)
    } else if path.is_file() || first == "-" {
        Files::These(vec![path])
    } else {
        targets.insert(0, first);
        Files::Directory(PathBuf::from("."))
    };
    (files, targets)
}

fn write(command: &Eval, plan: &Plan) -> Result<(), CommandError> {
    let object = |all: &[Planned]| {
        let one = |own: &Planned| {
            let attributes = own.attributes.iter();
            let attributes = attributes
                .map(|(name, value)| ((*name).to_owned(), Json::try_from(value).unwrap_or(Json::Null)));
            (own.name.clone(), Json::Object(attributes.collect()))
        };
        Json::Object(all.iter().map(one).collect())
    };
    let all = [("group", object(&plan.groups)), ("target", object(&plan.targets))];
    let all = Json::Object(all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    Ok(Printer::new(&command.destination, command.spacing).json(&all)?)
}
