//! `hcl eval DIR`: the values of a module by their addresses. `eval/module/explain.rs` writes where they come from.

mod explain;

use hclkit::convert::Json;
use hclkit::module::{Evaluation, Found, Pattern};
use hclkit::syntax::visible_line;
use hclkit::{Diagnostics, Layout, Value};

use crate::args::{self, Eval, Output};
use crate::module::{self, Place};
use crate::output::{Failure, Outcome, print_bytes, print_styled, write_json};
use crate::replace;
use crate::report::write_report;
use crate::scope::{Halt, outcome_of};

pub(super) fn run(command: &Eval, place: &Place) -> Result<Outcome, Failure> {
    let mut warnings = Diagnostics::new();
    let ended = evaluate(command, place).map(|found| warnings = found);
    let (diagnostics, outcome) = outcome_of(ended, warnings)?;
    write_report(command.format, command.spacing, 1, &diagnostics, |_| None)?;
    Ok(outcome)
}

/// Writes the values. The result is the warnings.
fn evaluate(command: &Eval, place: &Place) -> Result<Diagnostics, Halt> {
    if command.template || command.attr.is_some() {
        let why = "--template and --attr are for expressions and single files (-f), not for modules";
        return Err(Failure::new(why).into());
    }
    if command.explain && command.addresses.is_empty() {
        let why = "--explain requires an address, such as `output.*` or `local.zones`";
        return Err(Failure::new(why).into());
    }
    let patterns = command.addresses.iter().map(|address| address.parse::<Pattern>());
    let patterns =
        patterns.collect::<Result<Vec<_>, _>>().map_err(|error| Failure::new(error.to_string()))?;
    let found = module::run(&command.scope, || {
        let module = module::load(place, &command.module, &command.scope)?;
        if command.explain {
            return explain::explain(command, &module, &patterns);
        }
        let found = module.evaluate(&patterns);
        let text = if command.unknown { unknown(&module, &found) } else { text(command, &found)? };
        write(command, &text)?;
        Ok::<_, Halt>(found.diagnostics)
    })?;
    if found.has_errors() { Err(found.into()) } else { Ok(found) }
}

fn write(command: &Eval, text: &str) -> Result<(), Halt> {
    match replace::file(command.out.as_ref()) {
        None if command.output.is_some_and(|output| output != Output::Hcl) => {
            Ok(print_bytes(text.as_bytes())?)
        }
        None => Ok(print_styled(text)?),
        Some(path) => {
            let text = anstream::adapter::strip_str(text).to_string();
            replace::write(path, text.as_bytes())
                .map_err(|why| Failure::new(format!("cannot write {}: {why}", path.display())).into())
        }
    }
}

fn text(command: &Eval, found: &Evaluation) -> Result<String, Halt> {
    let show = command.show_sensitive;
    match command.output.unwrap_or(Output::Hcl) {
        Output::Hcl => {
            let layout = Layout::new().with_color(true).with_one_line(command.spacing.compact);
            let line = |own: &Found| {
                let address = visible_line(&own.address);
                let before = address.chars().count() + " = ".len();
                let value = if hidden(own, show) {
                    "(sensitive)".to_owned()
                } else {
                    layout.value_at(&shown(own, show), 0, before)
                };
                format!("{address} = {value}\n")
            };
            Ok(found.values.iter().map(line).collect())
        }
        Output::Json => {
            let all = found.values.iter().map(|own| (own.address.clone(), json(own, show)));
            let mut text = Vec::new();
            write_json(&Json::Object(all.collect()), command.spacing, &mut text).map_err(Failure::from)?;
            Ok(String::from_utf8_lossy(&text).into_owned())
        }
        Output::Ndjson | Output::Typed => {
            let mut text = Vec::new();
            for own in &found.values {
                let mut object = vec![("address".to_owned(), Json::String(own.address.clone()))];
                object.push(("value".to_owned(), json(own, show)));
                let open = show || !own.value.contains_marked();
                if let (true, Ok(ty)) = (open && !hidden(own, show), Json::try_from(&own.value.ty())) {
                    object.push(("type".to_owned(), ty));
                }
                if own.sensitive || own.value.contains_marked() {
                    object.push(("sensitive".to_owned(), Json::Bool(true)));
                }
                if !own.value.is_wholly_known() {
                    object.push(("unknown".to_owned(), Json::Bool(true)));
                }
                let compact = args::Spacing { compact: true };
                write_json(&Json::Object(object.into_iter().collect()), compact, &mut text)
                    .map_err(Failure::from)?;
            }
            Ok(String::from_utf8_lossy(&text).into_owned())
        }
        Output::Table => Ok(table(found, show)),
        Output::Raw => {
            let [own] = found.values.as_slice() else {
                return Err(Failure::new("--output raw requires a single value; specify its address").into());
            };
            if hidden(own, show) || own.value.contains_marked() && !show {
                return Err(super::write::refusal(
                    "the value is sensitive; use --show-sensitive to write it",
                ));
            }
            let text = shown(own, show).convert(&hclkit::Type::String).ok();
            let text = text.as_ref().and_then(Value::as_str).map(|text| format!("{text}\n"));
            text.ok_or_else(|| {
                super::write::refusal("expected a known string, number or bool; use --output json")
            })
        }
    }
}

/// Whether the whole value is not shown.
fn hidden(own: &Found, show: bool) -> bool {
    own.sensitive && !show
}

/// The value, without marks if sensitive values are shown.
fn shown(own: &Found, show: bool) -> Value {
    if show { own.value.unmark_deep().0 } else { own.value.clone() }
}

fn json(own: &Found, show: bool) -> Json {
    if hidden(own, show) { Json::String("(sensitive)".to_owned()) } else { part(&shown(own, show)) }
}

/// A value as JSON, with what is sensitive or unknown as strings in parentheses.
fn part(value: &Value) -> Json {
    if value.is_marked() {
        return Json::String("(sensitive)".to_owned());
    }
    if !value.is_known() {
        return Json::String("(unknown)".to_owned());
    }
    if !value.contains_marked() && value.is_wholly_known() {
        return Json::try_from(value).unwrap_or(Json::Null);
    }
    if let Some(entries) = value.entries() {
        return Json::Object(entries.map(|(name, value)| (name.to_string(), part(value))).collect());
    }
    match value.as_slice() {
        Some(items) => Json::Array(items.iter().map(part).collect()),
        None => Json::try_from(value).unwrap_or(Json::Null),
    }
}

/// Addresses, types and values in columns; long values are shortened.
fn table(found: &Evaluation, show: bool) -> String {
    let row = |own: &Found| {
        let value = shown(own, show);
        let (kind, text) = if hidden(own, show) || value.is_marked() {
            (String::new(), "(sensitive)".to_owned())
        } else {
            (value.ty().friendly_name(), value.show().with_limit(60).to_string())
        };
        [visible_line(&own.address).into_owned(), kind, visible_line(&text).into_owned()]
    };
    let head = ["ADDRESS".to_owned(), "TYPE".to_owned(), "VALUE".to_owned()];
    let rows: Vec<[String; 3]> = std::iter::once(head).chain(found.values.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let (first, second) = (width(0), width(1));
    let line = |row: &[String; 3]| {
        format!("{:first$}  {:second$}  {}", row[0], row[1], row[2]).trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// What is unknown, each with the declarations that make it so.
fn unknown(module: &hclkit::module::Module, found: &Evaluation) -> String {
    let values = found.values.iter().filter(|own| !own.value.is_wholly_known());
    let reasons = module.reasons();
    let line = |own: &Found| {
        let reasons = reasons.of(&own.address);
        let why = if reasons.is_empty() { "a provider sets it".to_owned() } else { reasons.join(", ") };
        format!("{}: {}\n", visible_line(&own.address), visible_line(&why))
    };
    values.map(line).collect()
}
