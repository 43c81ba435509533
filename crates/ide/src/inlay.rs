//! Inlay hints: the values of expressions. Literals, unknown and sensitive values have none.

use std::collections::HashMap;

use hclkit::ast::{AttributeNode, BlockNode, Item};
use hclkit::dialect::Role;
use hclkit::module::AddressedValue;
use hclkit::syntax::Root;
use hclkit::{Expression, Span};

use crate::Snapshot;
use crate::hover::short;

/// The most characters of a value.
const MOST: usize = 60;

/// A value that an editor shows behind an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The end of the expression.
    pub offset: u32,
    /// The value, such as `= 3`.
    pub label: String,
}

impl Snapshot {
    /// The values of local values, results and repetitions in a part of a file.
    pub fn inlay_hints(&self, path: &str, within: Span) -> Vec<InlayHint> {
        let Some(file) = self.file(path).filter(|file| !file.is_test()) else { return Vec::new() };
        let module = self.module(path);
        let (Root::Body(body), Some(part)) = (file.document().root(), file.part()) else { return Vec::new() };
        let Some(loaded) = module.loaded(self) else { return Vec::new() };
        let mut found: Vec<InlayHint> = Vec::new();
        let mut add = |attribute: AttributeNode<'_>, value: Option<String>| {
            if let Some(value) = value {
                found.push(InlayHint { offset: attribute.value().span().end, label: format!("= {value}") });
            }
        };
        let is_meant = |attribute: &AttributeNode<'_>| {
            let span = attribute.span();
            span.end >= within.start && span.start <= within.end && is_computed(*attribute)
        };
        for block in body.items().filter_map(Item::block) {
            let Some(rule) = part.block(block.block_type()) else { continue };
            for attribute in block.body().attributes().filter(is_meant) {
                let name = attribute.name();
                if rule.role == Role::Values {
                    add(attribute, of_address(module.values(self), &format!("local.{name}")));
                } else if rule.role == Role::Result && *rule.value == *name {
                    add(
                        attribute,
                        label(block)
                            .and_then(|label| of_address(module.values(self), &format!("output.{label}"))),
                    );
                } else if rule.repeat.iter().any(|repeat| **repeat == *name) {
                    let value = Expression::from_ast(attribute.value()).evaluate_lenient(loaded.context()).0;
                    add(attribute, short(&value, MOST));
                }
            }
        }
        found
    }
}

/// Whether the value is more than what is written.
fn is_computed(attribute: AttributeNode<'_>) -> bool {
    let expression = Expression::from_ast(attribute.value());
    let text = attribute.value().text();
    !expression.variables().is_empty() || text.contains('(')
}

fn label(block: BlockNode<'_>) -> Option<String> {
    block.labels().last().map(|label| label.value().into_owned())
}

fn of_address(values: &HashMap<String, AddressedValue>, address: &str) -> Option<String> {
    let found = values.get(address)?;
    if found.sensitive { None } else { short(&found.value, MOST) }
}
