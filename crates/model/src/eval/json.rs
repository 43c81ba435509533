//! Objects of the JSON syntax, whose names are templates. Specification: "Objects" in "HCL JSON Syntax Specification".

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use hclkit_syntax::{Code, Diagnostic};
use hclkit_value::{MarksBuilder, Str, Type, Value};

use super::Evaluator;
use crate::node::{Item, Node};

impl Evaluator<'_> {
    /// Of properties of the same name the first one stays; one whose name is no string is left out.
    pub(super) fn properties(&mut self, node: &Node, items: &[Item]) -> Value {
        if !self.take_elements(items.len(), node.span) {
            return Value::DYNAMIC;
        }
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
                    let detail = if self.hides(&[&item.key]) {
                        "A property with this name is already set.".to_owned()
                    } else {
                        format!("The property `{}` is already set.", taken.key())
                    };
                    let first = taken.get().1.key.span;
                    let diagnostic = Diagnostic::error(Code::DuplicateKey)
                        .at(item.key.span)
                        .with_note(detail)
                        .with_context(node.span)
                        .with_related_span(first, "first set here");
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
        let detail = match key.convert(&Type::String) {
            _ if key.is_null() => "A property name must not be null.".to_owned(),
            Ok(name) => return Some(name),
            Err(error) => {
                format!("Invalid property name: {}.", self.shown(error, &[&item.key]))
            }
        };
        let diagnostic =
            Diagnostic::error(Code::InvalidKey).at(item.key.span).with_note(detail).with_context(node.span);
        self.error(diagnostic, &[&item.key]);
        None
    }
}
