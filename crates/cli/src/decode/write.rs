//! Writes decoded values as JSON, JSON with types, YAML or native syntax.

use hclkit::Value;
use hclkit::decode::PlainJson;
use hclkit::value::{Kind, Number};

use crate::args::{Decode, Output};
use crate::outcome::CommandError;
use crate::values::{Printer, attribute_lines, check_plain, is_bare, refusal};

/// Writes a value in the requested format.
pub(super) fn value(command: &Decode, value: &Value) -> Result<(), CommandError> {
    check_plain("the value", value, " and cannot be written")?;
    let mut plain = PlainJson::new(value);
    if !command.keep_nulls {
        plain = plain.without_nulls();
    }
    let output = command.output();
    if matches!(output, Output::Json | Output::Typed) && has_infinity(value) {
        return Err(refusal("the value cannot be written as JSON: it contains an infinity"));
    }
    let printer = Printer::new(&command.destination, command.spacing);
    match output {
        Output::Typed => printer.long_json(&plain.with_type())?,
        Output::Yaml => printer.yaml(&literal(value, command.keep_nulls))?,
        Output::Hcl => printer.styled(&source(&printer, &literal(value, command.keep_nulls)))?,
        _ => printer.long_json(&plain)?,
    }
    Ok(())
}

fn has_infinity(value: &Value) -> bool {
    value.any(&mut |part| part.as_number().is_some_and(Number::is_infinite))
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
fn source(printer: &Printer, value: &Value) -> String {
    let layout = printer.layout();
    let entries: Vec<_> = value.entries().into_iter().flatten().collect();
    if value.entries().is_none() || !entries.iter().all(|(name, _)| is_bare(name)) {
        return format!("{}\n", layout.value(value));
    }
    let attributes = entries.iter().map(|(name, value)| (name.as_str(), *value));
    attribute_lines(attributes, 0, |value, before| layout.value_at(value, 0, before))
}
