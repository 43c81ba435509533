//! References that are not evaluated, such as those of `depends_on`: also in quotes, as in the JSON syntax.

use hclkit_dialect::Role;
use hclkit_model::{Attribute, Context, Expression, Schema, Traversal};

use crate::config::Item;

pub(crate) const DEPENDS_ON: &str = "depends_on";
const LIFECYCLE: &str = "lifecycle";
pub(crate) const REPLACE_TRIGGERED_BY: &str = "replace_triggered_by";

/// The attribute `depends_on` of a block that can have one.
pub(crate) fn dependencies_of(item: &Item) -> Option<Attribute> {
    let can_have = item.rule.references.iter().any(|name| *name == *DEPENDS_ON);
    can_have.then(|| item.block.body.attribute(DEPENDS_ON)).flatten()
}

/// The references of `depends_on` and `replace_triggered_by` that are written in quotes, as in the JSON syntax.
pub(crate) fn quoted_references(item: &Item) -> Vec<Traversal> {
    if item.unevaluated.is_empty() {
        return Vec::new();
    }
    let lists =
        dependencies_of(item).map(|attribute| attribute.expression).into_iter().chain(triggers_of(item));
    let elements = lists.filter_map(|list| list.static_list().ok()).flatten();
    let references = elements.filter_map(|element| Reference::of(&element));
    references.filter(|reference| reference.is_text).map(|reference| reference.traversal).collect()
}

/// The values of `replace_triggered_by` in a block.
pub(crate) fn triggers_of(item: &Item) -> Vec<Expression> {
    if item.rule.role != Role::Object || !item.block.body.may_have_blocks() {
        return Vec::new();
    }
    let schema = Schema::new().with_block(LIFECYCLE, &[]);
    let blocks = item.block.body.partial_content(&schema).0.0.blocks;
    let own = blocks.iter().filter_map(|block| block.body.attribute(REPLACE_TRIGGERED_BY));
    own.map(|attribute| attribute.expression).collect()
}

/// The attribute of an import with the address of its object.
pub(crate) const TO: &str = "to";

/// The expression of an address. In the JSON syntax, it is in a string.
pub(crate) fn written_address(written: &Expression) -> Option<Expression> {
    if written.json().is_none() {
        return Some(written.clone());
    }
    let text = written.evaluate(&Context::new()).ok()?;
    Expression::parse(text.as_str()?).ok()
}

/// A reference that is not evaluated.
pub(crate) struct Reference {
    pub(crate) traversal: Traversal,
    /// It is written in quotes.
    pub(crate) is_text: bool,
}

impl Reference {
    pub(crate) fn of(element: &Expression) -> Option<Self> {
        if let Ok(traversal) = element.static_traversal() {
            let is_text = element.json().is_some();
            // Literals such as `null` are not references.
            return (is_text || !element.variables().is_empty()).then_some(Self { traversal, is_text });
        }
        let value = element.evaluate(&Context::new()).ok()?;
        let traversal = Expression::parse(value.as_str()?).ok()?.static_traversal().ok()?;
        Some(Self { traversal, is_text: true })
    }
}
