//! Writes decoded values as JSON, JSON with types, YAML or native syntax.

use std::io::Write as _;

use hclkit::decode::PlainJson;
use hclkit::syntax::{is_identifier, is_visible};
use hclkit::value::{Kind, Number};
use hclkit::{Layout, Value, layout};
use serde::Serialize;

use crate::args::{Decode, Output};
use crate::host;
use crate::outcome::Failure;
use crate::output::{print_bytes, print_styled, write_json};
use crate::replace;
use crate::scope::CommandError;
use crate::values::{refusal, yaml};

/// Writes a value in the requested format.
pub(super) fn value(command: &Decode, value: &Value) -> Result<(), CommandError> {
    if value.contains_marked() {
        let (_, marks) = value.unmark_deep();
        return Err(refusal(&format!(
            "the value is marked as {} and cannot be written",
            marks.names().join(" and ")
        )));
    }
    if !value.is_wholly_known() {
        return Err(refusal(&format!("the value is not fully known: {value}")));
    }
    let mut plain = PlainJson::new(value);
    if !command.keep_nulls {
        plain = plain.without_nulls();
    }
    let output = command.output();
    if matches!(output, Output::Json | Output::Typed) && has_infinity(value) {
        return Err(refusal("the value cannot be written as JSON: it contains an infinity"));
    }
    match output {
        Output::Typed => Ok(json(command, &plain.with_type())?),
        Output::Yaml => Ok(yaml_text(command, &yaml(&literal(value, command.keep_nulls))?)?),
        Output::Hcl => Ok(text(command, &source(command, &literal(value, command.keep_nulls)))?),
        _ => Ok(json(command, &plain)?),
    }
}

fn has_infinity(value: &Value) -> bool {
    value.any(&mut |part| part.as_number().is_some_and(Number::is_infinite))
}

/// Writes something as JSON.
pub(super) fn json(command: &Decode, value: &impl Serialize) -> Result<(), Failure> {
    if let Some(path) = replace::file(command.destination.out.as_ref()) {
        let mut text = Vec::new();
        write_json(value, command.spacing, &mut text)?;
        return replace::write(path, &text);
    }
    let mut out = std::io::BufWriter::with_capacity(64 << 10, host::stdout());
    write_json(value, command.spacing, &mut out)?;
    Ok(out.flush()?)
}

fn text(command: &Decode, text: &str) -> Result<(), Failure> {
    match replace::file(command.destination.out.as_ref()) {
        Some(path) => replace::write(path, text.as_bytes()),
        None => print_styled(text),
    }
}

/// Writes text that other programs can read.
fn yaml_text(command: &Decode, yaml: &str) -> Result<(), Failure> {
    if replace::file(command.destination.out.as_ref()).is_some() {
        text(command, yaml)
    } else {
        print_bytes(yaml.as_bytes())
    }
}

/// The value that its source code evaluates to, which consists only of tuples and objects.
fn literal(value: &Value, nulls: bool) -> Value {
    match value.kind() {
        Kind::List(_) | Kind::Set(_) | Kind::Tuple(_) => {
            Value::tuple(value.as_slice().unwrap_or_default().iter().map(|item| literal(item, nulls)))
        }
        Kind::Map(_) | Kind::Object(_) => {
            let entries = value.entries().into_iter().flatten();
            let kept = entries.filter(|(_, item)| nulls || !item.is_null());
            Value::object(kept.map(|(name, item)| (name.clone(), literal(item, nulls))))
        }
        _ => value.clone(),
    }
}

/// Source code with an argument for each attribute, if the value is an object whose attribute names are all
/// identifiers.
fn source(command: &Decode, value: &Value) -> String {
    let layout = Layout::new()
        .with_color(replace::file(command.destination.out.as_ref()).is_none())
        .with_one_line(command.spacing.compact);
    let entries: Vec<_> = value.entries().into_iter().flatten().collect();
    if value.entries().is_none()
        || !entries.iter().all(|(name, _)| is_identifier(name) && name.chars().all(is_visible))
    {
        return format!("{}\n", layout.value(value));
    }
    let width = layout::name_width(entries.iter().map(|(name, _)| name.as_str()));
    let items =
        entries.iter().map(|(name, item)| (name.to_string(), layout.value_at(item, 0, width + " = ".len())));
    let mut text = String::new();
    for line in layout::align(&items.collect::<Vec<_>>()) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}
