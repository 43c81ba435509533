//! The blocks of a test file: which there are, their arguments, and what must be constant, as the table of test files says.

use std::collections::HashMap;

use hclkit_model::{Attributes, Block, Body, BodyItem, Schema};
use hclkit_syntax::{Diagnostics, is_identifier};
use hclkit_value::Name;

use crate::block_rules;
use crate::messages;
use hclkit_dialect::{BlockRule, Dialect, Role};

/// A block of a test file, or the whole file.
#[derive(Debug)]
pub struct Node {
    /// `None` for the whole file.
    pub block: Option<Block>,
    /// Its arguments.
    pub attributes: Attributes,
    /// The blocks in it.
    pub children: Vec<Self>,
}

impl Node {
    /// Reads a body with the blocks in it.
    pub(super) fn read(
        language: &Dialect,
        rule: &BlockRule,
        block: Option<Block>,
        body: &Body,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let schema = rule.blocks.iter().fold(rule.schema(language), |schema, name| {
            let labels = language.block(name).map(|rule| rule.labels.as_slice()).unwrap_or_default();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            schema.with_block(name.clone(), &labels)
        });
        let parts = if rule.attributes.is_some() {
            diagnostics.absorb(body.content(&schema))
        } else if rule.role == Role::Values {
            let names = diagnostics.absorb(body.attributes());
            let schema = names.iter().fold(Schema::new(), |all, found| all.with_optional(found.name.clone()));
            body.partial_content(&schema).0.0
        } else {
            // Their contents are those of a provider or a backend.
            let attributes = body.items().into_iter().filter(|item| matches!(item, BodyItem::Attribute(_)));
            let schema = attributes.fold(Schema::new(), |all, found| all.with_optional(found.name()));
            body.partial_content(&schema).0.0
        };
        if let Some(block) = &block {
            block_rules::refused(rule, block, diagnostics);
            let labels = block.labels.iter().zip(&block.label_spans).filter(|_| !rule.defines.is_empty());
            for (label, span) in labels.filter(|(label, _)| !is_identifier(label)) {
                diagnostics.push(messages::invalid_name(label).at(*span).with_source(&block.source));
            }
        }
        block_rules::constant::check_attributes(rule, &parts.attributes, diagnostics);
        several(rule, &parts.blocks, diagnostics);
        let mut children = Vec::new();
        for block in parts.blocks {
            if let Some(rule) = language.block(&block.block_type) {
                let body = block.body.clone();
                children.push(Self::read(language, rule, Some(block), &body, diagnostics));
            }
        }
        Self { block, attributes: parts.attributes, children }
    }

    /// Whether it has this type.
    pub fn is(&self, block_type: &str) -> bool {
        self.block.as_ref().is_some_and(|block| block.block_type == *block_type)
    }

    /// The blocks of a type.
    pub fn all<'n>(&'n self, block_type: &'n str) -> impl Iterator<Item = &'n Self> {
        self.children.iter().filter(move |child| child.is(block_type))
    }

    /// The label of the block.
    pub fn name(&self) -> &str {
        self.block.as_ref().and_then(|block| block.labels.first()).map(Name::as_str).unwrap_or_default()
    }
}

/// Reports blocks of which there can be only one, at all or with the same label.
fn several(rule: &BlockRule, blocks: &[Block], diagnostics: &mut Diagnostics) {
    let mut first: HashMap<(&Name, &[Name]), &Block> = HashMap::new();
    for block in blocks {
        let (once, unique) = (rule.once.contains(&block.block_type), rule.unique.contains(&block.block_type));
        if !once && !unique {
            continue;
        }
        let labels: &[Name] = if unique { &block.labels } else { &[] };
        let other = *first.entry((&block.block_type, labels)).or_insert(block);
        if !std::ptr::eq(other, block) {
            let error = crate::terraform::messages::testing::several(block, other);
            diagnostics.push(error.at(block.definition_place()));
        }
    }
}
