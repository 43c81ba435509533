//! What the rules of a language say of the parts of blocks that are not evaluated: which exist, of which there is one, and of which
//! type. `block_rules/constant.rs` checks what must be constant.

pub(crate) mod constant;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use hclkit_dialect::{BlockRule, Dialect, NestedRule, Role};
use hclkit_model::{Block, BodyItem};
use hclkit_syntax::{Diagnostics, Source, nearest_name};
use hclkit_value::Name;

use crate::config::Item;
use crate::lint::references::References;
use crate::messages::meta as messages;

/// Checks a block by the rules for its type.
pub(crate) fn check(item: &Item, references: &References<'_>, diagnostics: &mut Diagnostics) {
    constant::check(item, references.language, diagnostics);
    refused(&item.rule, &item.block, diagnostics);
    if item.block.body.may_have_blocks() {
        nested(item, references, diagnostics);
    }
    built_in(item, references.language, diagnostics);
    scoped(item, references.language, diagnostics);
    unknown_type(item, references, diagnostics);
}

/// Reports attributes and nested blocks that the block must not have.
pub(crate) fn refused(rule: &BlockRule, block: &Block, diagnostics: &mut Diagnostics) {
    let names = &rule.refused;
    if names.is_empty() {
        return;
    }
    for found in block.body.items() {
        if names.iter().any(|name| *name == *found.name()) {
            let source = match &found {
                BodyItem::Attribute(attribute) => &attribute.source,
                BodyItem::Block(block) => &block.source,
            };
            let error = messages::refused(found.name(), &rule.block_type);
            diagnostics.push(error.at(found.name_span()).with_source(source));
        }
    }
}

/// Checks nested blocks that are not part of the value.
fn nested(item: &Item, references: &References<'_>, diagnostics: &mut Diagnostics) {
    let language = references.language;
    let schema = language.nested_schema(&item.rule.blocks);
    // An override file adds to some of these blocks.
    let mut first: HashMap<(Name, *const Source), Block> = HashMap::new();
    for block in item.block.body.partial_content(&schema).0.0.blocks {
        let Some(rule) = language.nested(&block.block_type) else { continue };
        constant::check_nested(rule, language, &block, diagnostics);
        // What a removed resource did is not looked up.
        if item.rule.statement.is_none() {
            type_of_block(rule, &block, references, diagnostics);
        }
        if item.rule.once.contains(&block.block_type) {
            let key = (block.block_type.clone(), Arc::as_ptr(&block.source));
            if let Some(first) = first.get(&key) {
                let error = messages::several_in_block(&block, first, &item.rule.block_type);
                diagnostics.push(error.at(block.definition_place()));
            }
            first.entry(key).or_insert(block);
        }
    }
}

/// Reports blocks of types that do not exist, such as backends.
fn type_of_block(
    rule: &NestedRule,
    block: &Block,
    references: &References<'_>,
    diagnostics: &mut Diagnostics,
) {
    let Some(own) = block.labels.first() else { return };
    let error = if rule.removed.contains(own) {
        let until = references.language.until.get(&format!("{}.{own}", block.block_type));
        if until.is_some_and(|until| references.is_at_most(until)) {
            return;
        }
        messages::removed_type(&block.block_type, own, references.language.title(), until)
    } else if let Some(known) = rule.types.as_ref().filter(|known| !known.contains(own)) {
        messages::unknown_type(&block.block_type, own, known)
    } else {
        return;
    };
    let span = block.label_spans.first().copied().unwrap_or(block.definition_span);
    diagnostics.push(error.at(span).with_source(&block.source));
}

/// Reports an object of a type that its provider does not have.
fn unknown_type(item: &Item, references: &References<'_>, diagnostics: &mut Diagnostics) {
    let types = references.schemas.and_then(|schemas| schemas.other_types(item, references.config));
    let (Some(types), Some(own)) = (types, item.labels.first()) else { return };
    let near = nearest_name(own, types);
    let span = item.block.label_spans.first().copied().unwrap_or(item.block.definition_span);
    let error = messages::unknown_object_type(own, &item.rule.block_type, near).at(span);
    diagnostics.push(error.with_source(&item.block.source));
}

/// Reports what an object in a check must not have.
fn scoped(item: &Item, language: &Dialect, diagnostics: &mut Diagnostics) {
    let rule = item.scope.as_ref().and_then(|_| language.nested(&item.rule.block_type));
    for found in rule.into_iter().flat_map(|_| item.block.body.items()) {
        if rule.is_some_and(|rule| rule.refused.iter().any(|name| *name == *found.name())) {
            let source = match &found {
                BodyItem::Attribute(attribute) => &attribute.source,
                BodyItem::Block(block) => &block.source,
            };
            let error = messages::refused_in_check(found.name()).at(found.name_span());
            diagnostics.push(error.with_source(source));
        }
    }
}

/// Reports objects of types that do not exist, if the language defines all with the same beginning.
fn built_in(item: &Item, language: &Dialect, diagnostics: &mut Diagnostics) {
    let (Some(beginning), Some(own)) = (&language.built_in, item.labels.first()) else { return };
    if item.rule.role == Role::Object
        && own.starts_with(beginning.as_str())
        && item.block.body.attribute("provider").is_none()
        && language.object(&item.rule.block_type, own).is_none()
    {
        let block_type = &item.rule.block_type;
        let known = language.objects.iter().filter(|rule| rule.block_type == *block_type);
        let known: Vec<&str> = known.map(|rule| &*rule.object_type).collect();
        let error = messages::unknown_built_in(own, block_type, &known);
        let span = item.block.label_spans.first().copied().unwrap_or(item.block.definition_span);
        diagnostics.push(error.at(span).with_source(&item.block.source));
    }
}

/// Reports nested blocks of which a directory has at most one.
pub(crate) fn check_single(references: &References<'_>, diagnostics: &mut Diagnostics) {
    let language = references.language;
    // The first block that is not in an override file, and those in each override file. These replace the former.
    let mut single: HashMap<Option<&str>, Block> = HashMap::new();
    let mut unique: HashMap<(Name, Vec<Name>), Block> = HashMap::new();
    let can_have = |item: &&Item| !(item.rule.single.is_empty() && item.rule.unique.is_empty());
    for item in references.config.items.iter().filter(can_have) {
        let changes = item.is_override(language).then(|| item.block.source.name());
        let mut check = |first: Option<&Block>, block: &Block| {
            if let Some(first) = first {
                diagnostics.push(messages::several(block, first).at(block.definition_place()));
            }
        };
        let schema = language.nested_schema(&item.rule.single);
        for block in item.block.body.partial_content(&schema).0.0.blocks {
            check(single.get(&changes), &block);
            single.entry(changes).or_insert(block);
        }
        if changes.is_none() {
            let schema = language.nested_schema(&item.rule.unique);
            for block in item.block.body.partial_content(&schema).0.0.blocks {
                let key = (block.block_type.clone(), block.labels.clone());
                check(unique.get(&key), &block);
                unique.entry(key).or_insert(block);
            }
        }
    }
}

impl Item {
    /// Whether the block is in an override file.
    pub(crate) fn is_override(&self, language: &Dialect) -> bool {
        let path = Path::new(self.block.source.name());
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| language.is_override(name))
    }
}
