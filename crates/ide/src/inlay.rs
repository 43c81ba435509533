//! Inlay hints: the values of expressions. Literals, unknown and sensitive values have none.

use hclkit::ast::{AttributeNode, BlockNode, BodyNode, Item};
use hclkit::dialect::{Dialect, Role};
use hclkit::syntax::Root;
use hclkit::{Expression, Span};

use crate::Snapshot;
use crate::budget::Budget;
use crate::hover::short;
use crate::module::Loaded;

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
        let (Root::Body(body), Some(part)) = (file.document().root(), file.content_dialect()) else {
            return Vec::new();
        };
        let found = self.within_budget(&module, |loaded, budget| hints(loaded, budget, body, part, within));
        found.unwrap_or_default()
    }
}

/// The hints in a part of a file. A value that takes too much has none.
fn hints(
    loaded: &Loaded,
    budget: &Budget,
    body: BodyNode<'_>,
    part: &Dialect,
    within: Span,
) -> Vec<InlayHint> {
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
    let at = |address: &[&str]| budget.value(|| of_address(loaded, address));
    for block in body.items().filter_map(Item::block) {
        let Some(rule) = part.block(block.block_type()) else { continue };
        for attribute in block.body().attributes().filter(is_meant) {
            let name = attribute.name();
            if rule.role == Role::Values {
                add(attribute, at(&["local", name]));
            } else if rule.role == Role::Result && *rule.value == *name {
                add(attribute, label(block).and_then(|label| at(&["output", &label])));
            } else if rule.repeat.iter().any(|repeat| **repeat == *name) {
                let expression = Expression::from_ast(attribute.value());
                let value = || short(&expression.evaluate_alone(loaded.context()).0, MOST);
                add(attribute, budget.value(value));
            }
        }
    }
    found
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

fn of_address(loaded: &Loaded, address: &[&str]) -> Option<String> {
    short(&loaded.value_at(address)?, MOST)
}
