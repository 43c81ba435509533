//! Completion in the JSON syntax: what is around the cursor is written in the native syntax and completed there, and the items are
//! written as JSON. Only names and texts in quotes are completed, because a file without quotes is no JSON.

use hclkit::Span;
use hclkit::dialect::{Dialect, Strings};
use hclkit::syntax::is_identifier;
use hclkit::syntax::json::{JsonText, JsonValue, TextMap};

use super::{Completion, CompletionKind};
use crate::Snapshot;
use crate::file::File;

/// How deeply values are written.
const LEVELS: usize = 100;

/// The text around a cursor in the native syntax.
#[derive(Default)]
struct Twin {
    text: String,
    cursor: Option<Cursor>,
}

/// The string that the cursor is in.
struct Cursor {
    /// Its offset in the native text.
    at: u32,
    /// Where the string begins there.
    start: u32,
    /// Its length there.
    length: u32,
    map: TextMap,
    /// Whether it is the name of a property.
    is_name: bool,
}

impl Snapshot {
    /// What can be inserted at an offset in a file in the JSON syntax.
    pub(super) fn json_completions(&self, file: &File, offset: u32) -> Vec<Completion> {
        let Some(json) = file.document().json() else { return Vec::new() };
        let dialect = file.content_dialect().map(AsRef::as_ref).filter(|_| !file.holds_values());
        let strings = if file.holds_values() { Strings::Text } else { Strings::Templates };
        let mut writer = Writer { offset, dialect, twin: Twin::default() };
        writer.body(json.root(), None, strings, 0);
        let Twin { text, cursor: Some(cursor) } = writer.twin else { return Vec::new() };
        let native = file.in_native_syntax(&text);
        let items = self.native_completions(&native, cursor.at).into_iter();
        let mut items: Vec<Completion> = items.filter_map(|item| cursor.in_json(item)).collect();
        let mut known = std::collections::HashSet::new();
        items.retain(|item| known.insert(item.label.clone()));
        items
    }
}

impl Cursor {
    /// An item as it is written in the string.
    fn in_json(&self, item: Completion) -> Option<Completion> {
        let start = item.span.start.checked_sub(self.start)?;
        let end = item.span.end.checked_sub(self.start).filter(|&end| end <= self.length)?;
        let is_plain = self.is_name || matches!(item.kind, CompletionKind::Argument | CompletionKind::Block);
        let text = if is_plain { &item.label } else { &item.text };
        let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
        // What a snippet selects is not what JSON would have there.
        let snippet = item.snippet.filter(|own| !is_plain && !own.contains(['"', '\\', '\n']));
        Some(Completion { span: self.map.span(Span::new(start, end)), text, snippet, ..item })
    }
}

struct Writer<'d> {
    offset: u32,
    dialect: Option<&'d Dialect>,
    twin: Twin,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.twin.text.push_str(text);
    }

    fn has_cursor(&self, text: JsonText<'_>) -> bool {
        text.inner_span().touches(self.offset)
    }

    /// Writes the content of a string, in which the cursor may be.
    fn string(&mut self, text: JsonText<'_>, is_name: bool) {
        let value = text.value();
        if self.has_cursor(text) && self.twin.cursor.is_none() {
            let map = text.map();
            let start = self.twin.text.len() as u32;
            let length = value.len() as u32;
            let decoded = (0..=length).find(|&at| map.offset(at) >= self.offset).unwrap_or(length);
            self.twin.cursor = Some(Cursor { at: start + decoded, start, length, map, is_name });
        }
        self.push(&value);
    }

    /// Writes the content of a file, or of a block.
    fn body(&mut self, value: JsonValue<'_>, around: Option<&str>, default: Strings, level: usize) {
        if level > LEVELS {
            return;
        }
        for object in objects(value) {
            for property in object.properties() {
                let name = property.name().value();
                if name == "//" && !self.has_cursor(property.name()) {
                    continue;
                }
                let shape = self.dialect.and_then(|dialect| dialect.shape(around, &name));
                let value = property.value();
                match shape.filter(|_| value.is_object() || value.is_array()) {
                    Some(shape) if !self.has_cursor(property.name()) => {
                        self.blocks(value, &name, shape.labels.len(), &mut Vec::new(), level + 1);
                    }
                    _ => {
                        let strings = self.dialect.map_or(default, |dialect| dialect.strings(around, &name));
                        self.string(property.name(), true);
                        self.push(" = ");
                        self.value(value, strings, level + 1);
                        self.push("\n");
                    }
                }
            }
        }
    }

    /// Writes the blocks of a value, in which objects still have a number of labels as names.
    fn blocks<'v>(
        &mut self,
        value: JsonValue<'v>,
        name: &str,
        left: usize,
        labels: &mut Vec<JsonText<'v>>,
        level: usize,
    ) {
        if level > LEVELS {
            return;
        }
        if left > 0 {
            for property in objects(value).flat_map(JsonValue::properties) {
                labels.push(property.name());
                self.blocks(property.value(), name, left - 1, labels, level + 1);
                labels.pop();
            }
            return;
        }
        let is_label = labels.iter().any(|label| self.has_cursor(*label));
        for object in objects(value) {
            self.push(name);
            for label in labels.iter() {
                self.push(" \"");
                self.string(*label, true);
                self.push("\"");
            }
            self.push(" {\n");
            if !is_label {
                self.body(object, Some(name), Strings::Templates, level + 1);
            }
            self.push("}\n");
        }
    }

    fn value(&mut self, value: JsonValue<'_>, strings: Strings, level: usize) {
        if level > LEVELS {
            return self.push("null");
        }
        if let Some(text) = value.as_string() {
            return self.text(text, strings);
        }
        if value.is_object() {
            self.push("{\n");
            for property in value.properties() {
                let name = property.name();
                if self.has_cursor(name) || is_identifier(&name.value()) {
                    self.string(name, true);
                } else {
                    self.quoted(&name.value());
                }
                self.push(" = ");
                self.value(property.value(), strings, level + 1);
                self.push("\n");
            }
            return self.push("}");
        }
        if value.is_array() {
            self.push("[");
            for element in value.elements() {
                self.value(element, strings, level + 1);
                self.push(", ");
            }
            return self.push("]");
        }
        self.push(if value.is_missing() { "null" } else { value.text() });
    }

    fn text(&mut self, text: JsonText<'_>, strings: Strings) {
        let value = text.value();
        match strings {
            Strings::Source => self.string(text, false),
            // A text with line breaks is no string of the native syntax.
            Strings::Templates
                if !value.contains('\n') && (self.has_cursor(text) || value.contains("${")) =>
            {
                self.push("\"");
                self.string(text, false);
                self.push("\"");
            }
            Strings::Text if self.has_cursor(text) && !value.contains(['$', '%', '"', '\\', '\n']) => {
                self.push("\"");
                self.string(text, false);
                self.push("\"");
            }
            _ => self.quoted(&value),
        }
    }

    /// Writes a text as it is.
    fn quoted(&mut self, text: &str) {
        let text = hclkit::Value::from(text).show().to_string();
        self.push(&text);
    }
}

/// The object, or the objects in an array.
fn objects(value: JsonValue<'_>) -> impl Iterator<Item = JsonValue<'_>> {
    let single = value.is_object().then_some(value);
    single.into_iter().chain(value.elements().filter(|element| element.is_object()))
}
