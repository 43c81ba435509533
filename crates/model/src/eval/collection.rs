//! Tuples and objects. Specification: "Collection Values".

use hclkit_value::{MarksBuilder, Str, Type, Value};

use super::Evaluator;
use crate::messages;
use crate::node::{Item, Node, Object};

impl Evaluator<'_> {
    pub(super) fn tuple(&mut self, elements: &[Node]) -> Value {
        Value::tuple(elements.iter().map(|element| self.value_of(element)))
    }

    pub(super) fn object(&mut self, node: &Node, object: &Object) -> Value {
        let items = &object.items;
        if let Some(shape) = &object.shape {
            let values = items.iter().map(|item| self.value_of(&item.value));
            return shape.object(values).unwrap_or(Value::DYNAMIC);
        }
        let mut attributes: Vec<(Str, Value)> = Vec::with_capacity(items.len());
        let mut marks = MarksBuilder::default();
        let mut known = true;
        for item in items {
            let before = self.diagnostics.mark();
            let key = self.eval(&item.key);
            let failed = self.diagnostics.failed_since(before);
            let value = self.eval(&item.value);
            match if failed { None } else { self.object_key(node, item, &key, &mut marks) } {
                Some(name) => attributes.push((name, value)),
                None => known = false,
            }
        }
        if known { Value::object(attributes).with_marks(&marks.finish()) } else { Value::DYNAMIC }
    }

    /// The name of a key, if it is known. Marks of the key are added to the object.
    fn object_key(&mut self, node: &Node, item: &Item, key: &Value, marks: &mut MarksBuilder) -> Option<Str> {
        if key.is_null() {
            let diagnostic = messages::null_key().at(item.key.span);
            self.error(diagnostic.with_context(node.span), &[&item.key]);
            return None;
        }
        let (key, own) = key.unmark();
        marks.add(&own);
        match key.convert(&Type::String) {
            Ok(key) => key.as_str().map(Str::from),
            Err(error) => {
                let error = self.shown(error, &[&item.key]).to_string();
                let diagnostic = messages::invalid_key(&error).at(item.key.span);
                self.error(diagnostic.with_context(node.span), &[&item.key]);
                None
            }
        }
    }

    #[cold]
    pub(super) fn ambiguous_key(&mut self, node: &Node, text: &str) -> Value {
        if self.knowledge.is_some() {
            // Such keys are read without evaluation.
            self.meet_unknown();
            return Value::DYNAMIC;
        }
        self.report(messages::ambiguous_key(text).at(node.span).with_edit(
            messages::fix::USE_VALUE_OF_REFERENCE,
            node.span,
            format!("({text})"),
        ));
        Value::DYNAMIC
    }
}
