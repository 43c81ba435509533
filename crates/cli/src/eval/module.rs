//! `hcl eval DIR`: the values of a module by their addresses. `eval/module/explain.rs` writes where they come from,
//! and `eval/module/partial.rs` the files with the values put in.

mod explain;
mod partial;

use hclkit::decode::{PlainJson, TypeJson};
use hclkit::limits::Meter;
use hclkit::module::{Evaluation, Found, Pattern};
use hclkit::syntax::visible_line;
use hclkit::value::Plain;
use hclkit::{Diagnostics, Layout, Value};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::args::{self, Eval, Output};
use crate::module::{self, Place};
use crate::output::{Failure, Outcome, print_bytes, print_styled, write_json};
use crate::replace;
use crate::report::write_report;
use crate::scope::{Halt, outcome_of};
use crate::sources::note_unavailable;

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
    command.given.reject(&["functions"], module::FUNCTIONS_OF_LANGUAGE)?;
    command.given.reject(&["impure"], "not supported for modules, in which such functions are unknown")?;
    if command.explain && command.addresses.is_empty() {
        let why = "--explain requires an address, such as `output.*` or `local.zones`";
        return Err(Failure::new(why).into());
    }
    let pattern = |address: &String| {
        let found = address.parse::<Pattern>();
        found.map_err(|error| Failure::new(format!("invalid address `{address}`: {error}")))
    };
    let patterns = command.addresses.iter().map(pattern).collect::<Result<Vec<_>, _>>()?;
    let mut missing: Vec<String> = Vec::new();
    let found = module::run(&command.scope, || {
        let module =
            module::load(place, &command.module, &command.given, &command.scope, command.scope.unknown_vars)?;
        missing.extend(module.unavailable().into_iter().map(str::to_owned));
        if command.explain {
            return explain::explain(command, &module, &patterns);
        }
        if command.partial {
            return partial::write(command, place, &module);
        }
        let found = module.evaluate(&patterns);
        let text = if command.unknown { unknown(command, &module, &found)? } else { text(command, &found)? };
        write(command, &text)?;
        Ok::<_, Halt>(found.diagnostics)
    })?;
    note_unavailable(missing.iter().map(String::as_str));
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
            Ok(replace::write(path, text.as_bytes())?)
        }
    }
}

fn text(command: &Eval, found: &Evaluation) -> Result<String, Halt> {
    let show = command.show_sensitive;
    let output = command.output.unwrap_or(Output::Hcl);
    if output != Output::Table {
        // A value can be far larger as text than in memory, where its parts are shared.
        let size = found.values.iter().fold(0_u64, |size, own| size.saturating_add(own.value.text_size()));
        let meter = Meter::current();
        if meter.exceeded().is_some() && found.diagnostics.has_errors() {
            // The errors say where the limit was exceeded.
            return Ok(String::new());
        }
        let room = meter.room_for_bytes(usize::try_from(size).unwrap_or(usize::MAX));
        room.map_err(|exceeded| Failure::new(exceeded.to_string()))?;
    }
    match output {
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
        Output::Json => json_text(&Values(found, show), command.spacing),
        Output::Ndjson | Output::Typed => {
            let compact = args::Spacing { compact: true };
            found.values.iter().map(|own| json_text(&Line(own, show), compact)).collect()
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

/// Returns true if the whole value is hidden.
fn hidden(own: &Found, show: bool) -> bool {
    own.sensitive && !show
}

/// The value, without marks if sensitive values are shown.
fn shown(own: &Found, show: bool) -> Value {
    if show { own.value.unmark_deep().0 } else { own.value.clone() }
}

fn json_text(json: &impl Serialize, spacing: args::Spacing) -> Result<String, Halt> {
    let mut text = Vec::new();
    write_json(json, spacing, &mut text).map_err(Failure::from)?;
    String::from_utf8(text).map_err(|error| Failure::new(error.to_string()).into())
}

/// All values by their addresses. They are written without a tree of JSON, which takes several times as much memory.
struct Values<'a>(&'a Evaluation, bool);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.values.iter().map(|own| (own.address.as_str(), Whole(own, self.1))))
    }
}

/// A value with its address, its type, and whether it is sensitive or unknown.
struct Line<'a>(&'a Found, bool);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(own, show) = *self;
        let is_marked = own.value.contains_marked();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("address", own.address.as_str())?;
        map.serialize_entry("value", &Whole(own, show))?;
        if show || !own.sensitive && !is_marked {
            map.serialize_entry("type", &TypeJson::of(&own.value))?;
        }
        if own.sensitive || is_marked {
            map.serialize_entry("sensitive", &true)?;
        }
        if !own.value.is_wholly_known() {
            map.serialize_entry("unknown", &true)?;
        }
        map.end()
    }
}

/// A value, unless it is hidden.
struct Whole<'a>(&'a Found, bool);

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if hidden(self.0, self.1) {
            return serializer.serialize_str("(sensitive)");
        }
        Part(&shown(self.0, self.1)).serialize(serializer)
    }
}

/// A value as JSON, in which sensitive and unknown parts are strings in parentheses.
struct Part<'a>(&'a Value);

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_marked() {
            return serializer.serialize_str("(sensitive)");
        }
        if !self.0.is_known() {
            return serializer.serialize_str("(unknown)");
        }
        match self.0.plain() {
            Ok(Plain::Sequence(items)) => serializer.collect_seq(items.iter().map(Part)),
            Ok(Plain::Map(entries)) => {
                serializer.collect_map(entries.map(|(name, value)| (name.as_str(), Part(value))))
            }
            Ok(_) => PlainJson::new(self.0).serialize(serializer),
            Err(_) => serializer.serialize_unit(),
        }
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

/// The unknown values, each with the declarations that make it unknown.
fn unknown(command: &Eval, module: &hclkit::module::Module, found: &Evaluation) -> Result<String, Halt> {
    let values = found.values.iter().filter(|own| !own.value.is_wholly_known());
    let reasons = module.reasons();
    let why = |own: &Found| {
        let reasons = reasons.of(&own.address);
        if reasons.is_empty() { vec!["a provider sets it".to_owned()] } else { reasons }
    };
    match command.output {
        None => {
            let line = |own: &Found| {
                format!("{}: {}\n", visible_line(&own.address), visible_line(&why(own).join(", ")))
            };
            Ok(values.map(line).collect())
        }
        Some(Output::Json) => {
            let all: Vec<(&str, Vec<String>)> = values.map(|own| (own.address.as_str(), why(own))).collect();
            json_text(&ByAddress(&all), command.spacing)
        }
        Some(_) => Err(Failure::new("--unknown writes text, or JSON with --output json").into()),
    }
}

/// Lists by addresses, as an object.
struct ByAddress<'a>(&'a [(&'a str, Vec<String>)]);

impl Serialize for ByAddress<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(address, reasons)| (address, reasons)))
    }
}
