//! A file in the JSON syntax. Without a schema nothing in it is known to be a block: each property of the file is an
//! attribute, and what would be a block is an object.

use std::mem;
use std::sync::Arc;

use hclkit::model::{Attribute, Body};
use hclkit::syntax::json;
use hclkit::{Diagnostics, Source};

use super::write::{Computed, Writer};
use super::{address, compute, explain_all, one, seen};
use crate::args::Eval;
use crate::output::Failure;
use crate::scope::{Halt, Scope};

pub(super) fn evaluate(
    command: &Eval,
    scope: &Scope,
    writer: &Writer,
    source: Source,
    warnings: &mut Diagnostics,
) -> Result<(), Halt> {
    let document = Arc::new(json::Document::parse(source));
    let mut problems = document.diagnostics().clone();
    if problems.has_errors() {
        return Err(problems.into());
    }
    *warnings = mem::take(&mut problems);
    let attributes = Body::of_json(&document).attributes(&mut problems);
    if problems.has_errors() {
        return Err(problems.into());
    }
    if let Some(address) = &command.attr {
        let (attribute, path) = select(&attributes, address)?;
        return one(command, scope, writer, &attribute.expression, &path);
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
        let context = seen(command, scope, expressions);
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

fn write(writer: &Writer, values: &[(String, Computed)]) -> Result<(), Halt> {
    for (name, computed) in values {
        writer.check(name, computed)?;
    }
    writer.attributes(values)
}

/// The attribute that an address begins with, and the path that is the rest.
fn select<'a>(
    attributes: &'a [Attribute],
    address: &str,
) -> Result<(&'a Attribute, hclkit::value::Path), Failure> {
    let steps = address::steps(address)?;
    let (first, behind) = steps.split_first().ok_or_else(|| Failure::new("an address has a name"))?;
    let found = attributes.iter().find(|attribute| address::text(first) == Some(&attribute.name));
    let names = || attributes.iter().map(|attribute| attribute.name.as_str());
    let attribute = found.ok_or_else(|| Failure::new(address::nothing_at(names(), address, first)))?;
    Ok((attribute, address::path(behind)))
}
