//! Objects of the JSON syntax, whose names are templates. `lower/json.rs` reads all expressions of this syntax. Specification:
//! "Objects" in "HCL JSON Syntax Specification".

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use hclkit_value::{MarksBuilder, Str, Type, Value};

use super::Evaluator;
use crate::messages;
use crate::node::{Item, Node};

impl Evaluator<'_> {
    /// If properties have the same name, the first one counts. A property whose name is not a string is ignored.
    pub(super) fn properties(&mut self, node: &Node, items: &[Item]) -> Value {
        let mut attributes: BTreeMap<Str, (Value, &Item)> = BTreeMap::new();
        let mut marks = MarksBuilder::default();
        let mut known = true;
        for item in items {
            let key = self.eval(&item.key);
            let value = self.eval(&item.value);
            let (key, own) = key.unmark();
            marks.add(&own);
            let Some(key) = self.property_name(node, item, &key) else { continue };
            let Some(name) = key.as_str().map(Str::from) else {
                known = false;
                continue;
            };
            match attributes.entry(name) {
                Entry::Vacant(free) => {
                    free.insert((value, item));
                }
                Entry::Occupied(taken) => {
                    let shown = !self.hides(&[&item.key]);
                    let name = shown.then(|| taken.key().to_string());
                    let first = taken.get().1.key.span;
                    let diagnostic = messages::duplicate_property(name.as_deref())
                        .at(item.key.span)
                        .with_context(node.span)
                        .with_related_span(first, messages::related::FIRST_SET);
                    self.error(diagnostic, &[&item.key]);
                }
            }
        }
        let marks = marks.finish();
        if !known {
            return Value::DYNAMIC.with_marks(&marks);
        }
        let attributes = attributes.into_iter().map(|(name, (value, _))| (name, value));
        Value::object(attributes).with_marks(&marks)
    }

    /// The name of a property as a string.
    fn property_name(&mut self, node: &Node, item: &Item, key: &Value) -> Option<Value> {
        let message = match key.convert(&Type::String) {
            _ if key.is_null() => messages::null_property_name(),
            Ok(name) => return Some(name),
            Err(error) => messages::invalid_property_name(&self.shown(error, &[&item.key]).to_string()),
        };
        self.error(message.at(item.key.span).with_context(node.span), &[&item.key]);
        None
    }
}
