//! Templates. Specification: "Template Expressions" and "Templates".

use std::fmt::Write as _;
use std::mem;

use hclkit_value::{Error, MarksBuilder, Type, Value};

use super::Evaluator;
use super::for_expression::Elements;
use crate::messages;
use crate::node::{For, Kind, Node};

/// The maximum length of the known prefix of an unknown string, in bytes.
const LONGEST_PREFIX: usize = 128;

/// A text under construction.
#[derive(Default)]
struct Output {
    text: String,
    marks: MarksBuilder,
    /// A part is unknown; the text is what comes before it.
    unknown: bool,
    failed: bool,
}

impl Output {
    /// Adds a value if it is a plain string, number or bool. Returns true if it is.
    fn add(&mut self, value: &Value) -> bool {
        let number = value.as_number().filter(|number| number.is_plain());
        if self.unknown {
            return number.is_some() || value.as_str().is_some() || value.as_bool().is_some();
        }
        if let Some(text) = value.as_str() {
            self.text.push_str(text);
        } else if let Some(number) = number {
            let _ = write!(self.text, "{number}");
        } else if let Some(flag) = value.as_bool() {
            self.text.push_str(if flag { "true" } else { "false" });
        } else {
            return false;
        }
        true
    }
}

impl Evaluator<'_> {
    /// Starts a text in the memory of the last one.
    fn output(&mut self) -> Output {
        let mut text = mem::take(&mut self.spare);
        // Most texts are shorter, so that the memory does not grow.
        text.reserve(128);
        Output { text, ..Output::default() }
    }

    /// Keeps the memory of a text for the next one.
    fn keep(&mut self, mut text: String) {
        text.clear();
        self.spare = text;
    }

    pub(super) fn template(&mut self, node: &Node, parts: &[Node]) -> Value {
        let before = self.diagnostics.mark();
        let mut out = self.output();
        for part in parts {
            self.write(node, part, &mut out);
        }
        if !self.take_bytes(out.text.len(), node.span) {
            return Value::unknown(Type::String);
        }
        out.failed |= self.diagnostics.failed_since(before);
        let Output { text, marks, unknown, failed } = out;
        let marks = marks.finish();
        let value = match (unknown, failed) {
            (false, _) => Value::from(text.as_str()),
            (true, true) => Value::unknown(Type::String).refine_not_null(),
            (true, false) => {
                let unknown = Value::unknown(Type::String).refine().with_not_null();
                unknown
                    .with_prefix_within(&text, LONGEST_PREFIX)
                    .finish()
                    .unwrap_or_else(|_| Value::unknown(Type::String))
            }
        };
        self.keep(text);
        value.with_marks(&marks)
    }

    /// Evaluates one part and adds its value.
    fn write(&mut self, node: &Node, part: &Node, out: &mut Output) {
        if self.peek(part).is_some_and(|value| out.add(value)) {
            return;
        }
        let value = self.eval(part);
        self.put(node, part, &value, out);
    }

    /// Adds the value of one part.
    fn put(&mut self, node: &Node, part: &Node, value: &Value, out: &mut Output) {
        if out.add(value) {
            return;
        }
        if value.is_null() {
            let diagnostic = messages::null_interpolation().at(part.span);
            self.error(diagnostic.with_context(node.span), &[part]);
            return;
        }
        let (value, marks) = value.unmark();
        out.marks.add(&marks);
        if !value.is_known() {
            out.unknown = true;
            return;
        }
        match value.convert(&Type::String) {
            Ok(value) if !out.unknown => out.text.push_str(value.as_str().unwrap_or_default()),
            Ok(_) => {}
            Err(error) => self.not_a_string(node, part, error),
        }
    }

    #[cold]
    fn not_a_string(&mut self, node: &Node, part: &Node, error: Error) {
        let error = self.shown(error, &[part]).to_string();
        let diagnostic = messages::invalid_interpolation(&error).at(part.span);
        self.error(diagnostic.with_context(node.span), &[part]);
    }

    /// A `for` directive: the concatenated results of its body.
    pub(super) fn join(&mut self, node: &Node, each: &For) -> Value {
        let (collection, marks) = match self.for_elements(node, each) {
            Elements::Known(collection, marks) => (collection, marks),
            Elements::Unknown(_) => return Value::unknown(Type::String),
        };
        let mut out = self.output();
        let going = self.each_element(node, each, &collection, &marks, |this| {
            match &each.value.kind {
                // The parts of the body are added directly to the result.
                Kind::Template(parts) if !this.observed => {
                    for part in parts {
                        this.write(&each.value, part, &mut out);
                    }
                }
                _ => this.write(node, &each.value, &mut out),
            }
        });
        let Output { text, marks: own, unknown, .. } = out;
        if unknown || !going || !self.take_bytes(text.len(), node.span) {
            return Value::unknown(Type::String).with_marks(&marks);
        }
        let value = Value::from(text.as_str()).with_marks(&marks.union(&own.finish()));
        self.keep(text);
        value
    }
}
