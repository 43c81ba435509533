//! `hcl diff OLD.tfvars NEW.tfvars`: the values that are not the same in two files that set variables. Comments, layout, the order of
//! names and the syntax are no difference.

use std::collections::BTreeSet;
use std::path::Path;

use hclkit::decode::PlainJson;
use hclkit::dialect::{Dialect, FileKind};
use hclkit::value::Name;
use hclkit::{Layout, Syntax, Value, value, variables};
use serde_json::json;

use crate::args::{self, Output};
use crate::input::Input;
use crate::outcome::{CommandError, Failure, Outcome, outcome_of};
use crate::report::write_report;
use crate::scope::run_limited;
use crate::values::Printer;

/// A part of a value that is not the same.
struct Difference {
    path: String,
    old: Option<Value>,
    new: Option<Value>,
}

/// The files to compare, if the arguments are two files that set variables.
pub(super) fn pair(paths: &[String]) -> Option<(&Path, &Path)> {
    let [old, new] = paths else { return None };
    let is_values = |path: &Path| {
        let language = Dialect::of_path(path);
        path.is_file() && language.is_some_and(|own| own.file_kind(path) == Some(FileKind::Values))
    };
    let (old, new) = (Path::new(old), Path::new(new));
    (is_values(old) && is_values(new)).then_some((old, new))
}

/// Compares two files, and writes what is not the same.
pub(super) fn run(command: &args::Diff, old: &Path, new: &Path) -> Result<Outcome, Failure> {
    super::reject_affected(command)?;
    if !matches!(command.output(), Output::Human | Output::Json) || command.explain {
        return Err(Failure::new("files of values are compared as text, or as JSON with --output json"));
    }
    let mut found = Vec::new();
    let ended = run_limited(|| {
        let (old, new) = (read(old)?, read(new)?);
        let names: BTreeSet<&Name> = old.iter().chain(&new).map(|(name, _)| name).collect();
        let value = |all: &[(Name, Value)], name: &Name| {
            all.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.clone())
        };
        for name in names {
            let root = value::Path::new().attribute(name.as_str());
            compare(&root, value(&old, name), value(&new, name), &mut found);
        }
        write(command, &found)
    });
    let (problems, outcome) = outcome_of(ended, hclkit::Diagnostics::new())?;
    write_report(command.reporting.report, command.spacing, 2, &problems, |_| None)?;
    Ok(if outcome == Outcome::Fine && !found.is_empty() { Outcome::Problems } else { outcome })
}

fn read(path: &Path) -> Result<Vec<(Name, Value)>, CommandError> {
    let source = Input::of(path).read_text().map_err(Failure::from)?;
    Ok(variables::read(source, Syntax::of(path))?)
}

/// Adds the parts that are not the same: of objects each attribute, and of everything else the whole value.
fn compare(path: &value::Path, old: Option<Value>, new: Option<Value>, found: &mut Vec<Difference>) {
    if old == new {
        return;
    }
    let names = |value: &Option<Value>| {
        let entries = value.as_ref().and_then(Value::entries);
        entries.map(|all| all.map(|(name, _)| name.to_string()).collect::<BTreeSet<String>>())
    };
    if let (Some(before), Some(after)) = (names(&old), names(&new)) {
        let part =
            |value: &Option<Value>, name: &str| value.as_ref().and_then(|own| own.attribute(name).ok());
        for name in before.union(&after) {
            hclkit::limits::with_room(|| {
                compare(&path.clone().attribute(name.as_str()), part(&old, name), part(&new, name), found);
            });
        }
        return;
    }
    found.push(Difference { path: path.to_string().trim_start_matches('.').to_owned(), old, new });
}

fn write(command: &args::Diff, found: &[Difference]) -> Result<(), CommandError> {
    let printer = Printer::new(&command.destination, command.spacing);
    if command.output() == Output::Json {
        let plain =
            |value: &Option<Value>| value.as_ref().map(|own| serde_json::to_value(PlainJson::new(own)));
        let mut changes = Vec::new();
        for own in found {
            let mut change = json!({ "path": own.path });
            for (name, value) in [("old", plain(&own.old)), ("new", plain(&own.new))] {
                if let Some(value) = value {
                    change[name] = value.map_err(Failure::from)?;
                }
            }
            changes.push(change);
        }
        return Ok(printer.json(&json!({ "changes": changes }))?);
    }
    if found.is_empty() {
        return Ok(printer.bytes(b"No difference in values.\n")?);
    }
    let layout = Layout::new().with_one_line(true);
    let text = |value: &Value| hclkit::syntax::visible_line(&layout.value(value)).into_owned();
    let lines = found.iter().map(|own| {
        let path = hclkit::syntax::visible_line(&own.path);
        match (&own.old, &own.new) {
            (None, Some(new)) => format!("+ {path} = {}\n", text(new)),
            (Some(old), None) => format!("- {path} = {}\n", text(old)),
            (old, new) => {
                let [old, new] = [old, new].map(|value| value.as_ref().map(text).unwrap_or_default());
                format!("~ {path}: {old} -> {new}\n")
            }
        }
    });
    Ok(printer.bytes(lines.collect::<String>().as_bytes())?)
}
