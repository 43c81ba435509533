//! Evaluates files in the JSON syntax. Without a schema, blocks are not known: each property of the file is an
//! attribute, and blocks are objects.

use std::mem;

use hclkit::model::{Body, Target};
use hclkit::syntax::json::{self, JsonProperty, JsonValue};
use hclkit::value::{Path, Str};
use hclkit::{Code, Diagnostics, Expression, Source};

use super::compute::{Computed, compute};
use super::write::Writer;
use super::{address, explain_all, one};
use crate::args::Eval;
use crate::outcome::{CommandError, Failure};
use crate::scope::Scope;

pub(super) fn evaluate(
    command: &Eval,
    scope: &Scope,
    writer: &Writer,
    source: Source,
    warnings: &mut Diagnostics,
) -> Result<(), CommandError> {
    let document = json::JsonDocument::parse(source);
    let mut problems = document.diagnostics().clone();
    if problems.has_errors() {
        return Err(problems.into());
    }
    *warnings = mem::take(&mut problems);
    let attributes = problems.absorb(Body::from_json(document.root()).attributes());
    if command.attr.is_some() {
        // Properties with the same name may be blocks.
        problems.retain(|problem| !problem.has_code(Code::DuplicateAttribute));
    }
    if problems.has_errors() {
        return Err(problems.into());
    }
    if let Some(address) = &command.attr {
        let (value, path) = find(document.root(), address)?;
        return one(command, scope, writer, &Expression::from_json(value), &path);
    }
    if command.explain {
        return explain_all(
            scope,
            attributes.into_iter().map(|attribute| (attribute.name.to_string(), attribute.expression)),
        );
    }
    let values = scope.run(|_| {
        let (mut values, mut problems) = (Vec::with_capacity(attributes.len()), Diagnostics::new());
        let expressions = attributes.iter().map(|attribute| &attribute.expression);
        let context = scope.seen_by_all(expressions, command.partial);
        for attribute in &attributes {
            match compute(command, &context, &attribute.expression) {
                Ok(computed) => values.push((attribute.name.to_string(), computed)),
                Err(found) => problems.append(found),
            }
        }
        if problems.has_errors() { Err(problems) } else { Ok(values) }
    })?;
    scope.write(values.iter().filter_map(|(_, computed)| computed.value()), || write(writer, &values))
}

fn write(writer: &Writer, values: &[(String, Computed)]) -> Result<(), CommandError> {
    for (name, computed) in values {
        writer.check(|| name.clone(), computed)?;
    }
    writer.attributes(values)
}

/// Finds the value at an address, and the rest of the path, which applies to the evaluated value.
fn find<'d>(root: JsonValue<'d>, address: &str) -> Result<(JsonValue<'d>, Path), Failure> {
    let steps = address::steps(address)?;
    let mut at = vec![root];
    for (done, step) in steps.iter().enumerate() {
        match (next(&at, step, done == 0), &at[..]) {
            (Some(further), _) => at = further,
            (None, &[value]) if done > 0 && is_computed(value) => {
                return Ok((value, address::path(&steps[done..])));
            }
            (None, _) => {
                if matches!(step, Target::Element(key) if key.as_number().is_some())
                    && (at.len() > 1 || at[0].is_array())
                {
                    let count = if let [value] = at[..] { value.elements().count() } else { at.len() };
                    let last = count.saturating_sub(1);
                    let why = format!(": the index of the last block is {last}");
                    return Err(Failure::nothing_at(address, &why));
                }
                let names: Vec<_> = properties(&at).map(|property| property.name().value()).collect();
                let names = names.iter().map(|name| &**name).filter(|name| done > 0 || *name != "//");
                return Err(address::nothing_at(names, address, step));
            }
        }
    }
    match at[..] {
        [value] => Ok((value, Path::new())),
        _ => Err(Failure::new(several(&at, address))),
    }
}

/// The values that a step selects, or nothing if this requires evaluation. A name selects the properties with that name
/// in an object, or in each object of an array, as blocks are written. A number selects an element, or one of several
/// blocks.
fn next<'d>(values: &[JsonValue<'d>], step: &Target, at_top: bool) -> Option<Vec<JsonValue<'d>>> {
    if let Target::Element(key) = step
        && let Some(number) = key.as_number()
    {
        let at = usize::try_from(number.to_u64()?).ok()?;
        let found = match values {
            [value] => value.elements().nth(at),
            several => several.get(at).copied(),
        };
        return found.map(|value| vec![value]);
    }
    let name = Str::from(step.name()?);
    // In objects that are values, names are templates.
    if let [value] = values
        && !at_top
        && value.properties().any(is_template)
    {
        return None;
    }
    let named = |property: &JsonProperty| {
        let own = Str::from(&*property.name().value());
        own == name
    };
    let found: Vec<JsonValue> = properties(values).filter(named).map(JsonProperty::value).collect();
    (!found.is_empty()).then_some(found)
}

/// The properties of objects, and of the objects in arrays.
fn properties<'v, 'd: 'v>(values: &'v [JsonValue<'d>]) -> impl Iterator<Item = JsonProperty<'d>> + 'v {
    values.iter().flat_map(|value| value.properties().chain(value.elements().flat_map(JsonValue::properties)))
}

fn is_template(property: JsonProperty) -> bool {
    let name = property.name().value();
    name.contains("${") || name.contains("%{")
}

/// Whether the parts of a value are known only after evaluation. The names in an object are known if none is a
/// template, and an array of objects may be blocks.
fn is_computed(value: JsonValue) -> bool {
    let mut elements = value.elements().peekable();
    let blocks = elements.peek().is_some() && elements.all(JsonValue::is_object);
    !blocks && (!value.is_object() || value.properties().any(is_template))
}

/// The error for an address that matches several values, with their lines.
fn several(values: &[JsonValue], address: &str) -> String {
    let line = |value: &JsonValue| (value.document().source().line_of(value.span().start) + 1).to_string();
    let lines: Vec<String> = values.iter().map(line).collect();
    format!("{address} is ambiguous; it could refer to the values on lines {}", address::some(&lines))
}
