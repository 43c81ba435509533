//! Writes a line of JSON for each block of HCL files, for a data pipeline. Values are evaluated where they can be, and the others
//! are source text: `cargo run -p hclkit --example jsonl -- examples/terraform/*.tf | jq 'select(.type == "variable")'`.

use std::{env, error::Error, io, path::Path};

use hclkit::functions::{Grants, Library};
use hclkit::model::Block;
use hclkit::{Body, Context};
use serde_json::{Map, Value, json};

fn attributes(block: &Block, context: &Context) -> Map<String, Value> {
    let attributes = block.body.items().into_iter().filter_map(|item| item.as_attribute().cloned());
    let pairs = attributes.map(|attribute| {
        let expression = &attribute.expression;
        let value = expression.evaluate(context).ok().and_then(|value| serde_json::to_value(value).ok());
        (attribute.name.to_string(), value.unwrap_or_else(|| json!({ "source": expression.text() })))
    });
    pairs.collect()
}

pub(crate) fn write(file: &Path, mut output: impl io::Write) -> Result<(), Box<dyn Error>> {
    let context = Context::new().with_functions(Library::Terraform.functions(&Grants::new()));
    let (body, errors) = Body::open(file)?;
    if errors.has_errors() {
        return Err(errors.into());
    }
    // Blocks within blocks are lines, too.
    let mut blocks: Vec<(String, Block)> = Vec::new();
    let nested = |body: &Body, path: &str| -> Vec<(String, Block)> {
        let blocks = body.items().into_iter().filter_map(|item| item.as_block().cloned());
        blocks.map(|block| (format!("{path}{}", block.block_type), block)).rev().collect()
    };
    blocks.extend(nested(&body, ""));
    while let Some((path, block)) = blocks.pop() {
        let line = json!({
            "file": body.source().name(),
            "line": block.definition_place().range().start.line,
            "type": path,
            "labels": block.labels.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "attributes": attributes(&block, &context),
        });
        writeln!(output, "{line}")?;
        blocks.extend(nested(&block.body, &format!("{path}.")));
    }
    Ok(())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    env::args().skip(1).try_for_each(|file| write(file.as_ref(), io::stdout().lock()))
}
