//! Evaluates files in HCL 1: their values are those that the reference decodes, and nothing in them is computed.

use hclkit::model::Target;
use hclkit::value::{Path, Plain};
use hclkit::{Document, Source, hcl1};

use super::address;
use super::compute::{Computed, apply};
use super::write::Writer;
use crate::args::Eval;
use crate::outcome::{CommandError, Failure};
use crate::scope::Scope;

pub(super) fn evaluate(
    command: &Eval,
    scope: &Scope,
    writer: &Writer,
    source: Source,
) -> Result<(), CommandError> {
    for (is_given, option) in [(command.explain, "--explain"), (command.partial, "--partial")] {
        if is_given {
            let why = "not supported for HCL 1, in which nothing is computed";
            return Err(Failure::new(format!("{option}: {why}")).into());
        }
    }
    let document = Document::parse_hcl1(source);
    let value = scope.run(|_| hcl1::decode(&document))?;
    if let Some(address) = &command.attr {
        let steps: Vec<Target> = address::steps(address)?;
        let path: Path = address::path(&steps);
        let computed = Computed::Value(apply(command, &path, &value)?);
        return scope.write(computed.value(), || writer.one(&computed));
    }
    let Ok(Plain::Map(entries)) = value.plain() else { return Ok(()) };
    let values: Vec<(String, Computed)> =
        entries.map(|(name, value)| (name.as_str().to_owned(), Computed::Value(value.clone()))).collect();
    scope.write(values.iter().filter_map(|(_, computed)| computed.value()), || writer.attributes(&values))
}
