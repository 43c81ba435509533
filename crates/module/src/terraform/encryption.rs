//! The encryption of states and plans in OpenTofu: methods and key providers that are used must be declared. Which types of them
//! exist, and their arguments, is in the table of the language.

use std::collections::{HashMap, HashSet};

use hclkit_dialect::Dialect;
use hclkit_model::{Attribute, Block, Body, Schema};
use hclkit_syntax::{Diagnostics, Place};
use hclkit_value::Name;

use crate::config::{Config, names_of};
use crate::terraform::messages::meta as messages;
use crate::unevaluated::Reference;

const ENCRYPTION: &str = "encryption";
const METHOD: &str = "method";
const KEY_PROVIDER: &str = "key_provider";
/// What is encrypted with a method.
const TARGETS: [&str; 2] = ["state", "plan"];
const OTHERS: &str = "remote_state_data_sources";
const FALLBACK: &str = "fallback";

/// Checks the encryption that a root module configures.
pub(super) fn check(config: &Config, language: &Dialect, diagnostics: &mut Diagnostics) {
    if language.nested(ENCRYPTION).is_none() {
        return;
    }
    let mut first: Option<Block> = None;
    for item in config.items.iter().filter(|item| item.rule.blocks.iter().any(|name| *name == *ENCRYPTION)) {
        for block in blocks(&item.block.body, &Schema::new().with_block(ENCRYPTION, &[])) {
            encryption(&block, config, language, diagnostics);
            if item.is_override(language) {
                continue;
            }
            if let Some(first) = &first {
                diagnostics.push(messages::several(&block, first).at(block.definition_place()));
            }
            first.get_or_insert(block);
        }
    }
}

fn blocks(body: &Body, schema: &Schema) -> Vec<Block> {
    body.partial_content(schema).0.0.blocks
}

fn encryption(block: &Block, config: &Config, language: &Dialect, diagnostics: &mut Diagnostics) {
    let named = |kind| Schema::new().with_block(kind, &["type", "name"]);
    let methods = by_labels(blocks(&block.body, &named(METHOD)), diagnostics);
    let providers = by_labels(blocks(&block.body, &named(KEY_PROVIDER)), diagnostics);
    let targets = TARGETS.iter().fold(Schema::new(), |schema, name| schema.with_block(*name, &[]));
    let mut open = blocks(&block.body, &targets);
    for target in TARGETS {
        let mut same = open.iter().filter(|own| *own.block_type == *target);
        if let Some(first) = same.next() {
            for own in same {
                let error = messages::several_in_block(own, first, ENCRYPTION);
                diagnostics.push(error.at(own.definition_place()));
            }
        }
    }
    for others in blocks(&block.body, &Schema::new().with_block(OTHERS, &[])) {
        let schema =
            Schema::new().with_block("default", &[]).with_block("remote_state_data_source", &["name"]);
        open.extend(blocks(&others.body, &schema));
    }
    let mut used = Used::default();
    while let Some(target) = open.pop() {
        open.extend(blocks(&target.body, &Schema::new().with_block(FALLBACK, &[])));
        let method = target.body.attribute(METHOD);
        let place = method.as_ref().map_or_else(|| target.definition_place(), |own| own.expression.place());
        let reference = method.and_then(|own| Reference::of(&own.expression));
        let names = reference.map(|reference| names_of(&reference.traversal));
        match names.as_deref() {
            Some([root, labels @ ..]) if *root == *METHOD && labels.len() == 2 => {
                declared(METHOD, labels, place, &methods, &mut used, diagnostics);
            }
            _ => diagnostics.push(messages::reference_to_method().at(place)),
        }
    }
    // What uses a method is known, so methods that nothing uses are not read.
    while let Some(own) = used.open.pop() {
        contents(&own, language, diagnostics);
        for attribute in attributes(&own) {
            let expression = &attribute.expression;
            for reference in expression.references() {
                let place = Place::new(expression.source(), reference.span());
                let names = names_of(reference);
                match &names[..] {
                    [root, labels @ ..] if *root == *KEY_PROVIDER && labels.len() >= 2 => {
                        declared(KEY_PROVIDER, &labels[..2], place, &providers, &mut used, diagnostics);
                    }
                    [root, name, ..]
                        if ["var", "local"].contains(&&**root)
                            && config.definitions().all(&names[..2]).next().is_none() =>
                    {
                        diagnostics.push(messages::undeclared(root, name).at(place));
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Blocks of a type by their labels.
type Named = HashMap<Vec<Name>, Block>;

/// The first block with each labels. Others are reported.
fn by_labels(all: Vec<Block>, diagnostics: &mut Diagnostics) -> Named {
    let mut found = Named::new();
    for own in all {
        if let Some(first) = found.get(&own.labels[..]) {
            let error = messages::several_of_name(&own, first);
            diagnostics.push(error.at(own.definition_place()));
        } else {
            found.insert(own.labels.clone(), own);
        }
    }
    found
}

/// The blocks that are used, each once.
#[derive(Default)]
struct Used {
    seen: HashSet<(String, Vec<Name>)>,
    /// Those whose contents are not checked yet.
    open: Vec<Block>,
}

/// Adds the block that a reference names to those that are used.
fn declared(
    kind: &str,
    labels: &[Name],
    place: Place,
    all: &Named,
    used: &mut Used,
    diagnostics: &mut Diagnostics,
) {
    match all.get(labels) {
        None => diagnostics.push(messages::undeclared(kind, &labels.join(".")).at(place)),
        Some(block) if used.seen.insert((kind.to_owned(), labels.to_vec())) => used.open.push(block.clone()),
        Some(_) => {}
    }
}

fn attributes(block: &Block) -> Vec<Attribute> {
    block.body.attributes().0
}

/// Checks the type of a method or key provider, and its arguments if they are known.
fn contents(block: &Block, language: &Dialect, diagnostics: &mut Diagnostics) {
    let Some(own) = block.labels.first() else { return };
    let rule = language.nested_blocks.iter().find(|rule| rule.block_type == block.block_type);
    if let Some(known) = rule.and_then(|rule| rule.types.as_ref()).filter(|known| !known.contains(own)) {
        let span = block.label_spans.first().copied().unwrap_or(block.definition_span);
        let error = messages::unknown_type(&block.block_type, own, known).at(span);
        return diagnostics.push(error.with_source(&block.source));
    }
    if let Some(object) = language.object(&block.block_type, own) {
        let schema = object.arguments.iter().fold(Schema::new(), |all, name| all.with_optional(name.clone()));
        let schema = object.required.iter().fold(schema, |all, name| all.with_required(name.clone()));
        diagnostics.append(block.body.content(&schema).1);
    }
}
