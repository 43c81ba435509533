//! The text form of a JSON document in the suite: its values, with decoded strings, and its diagnostics. Not recursive,
//! because values can be nested deeply.

use std::fmt::Write as _;

use hclkit_syntax::json::{Elements, JsonDocument, JsonKind, JsonValue, Properties};

use super::dump::diagnostics;

/// What remains to be written of an object or an array.
enum Open<'d> {
    Object(Properties<'d>),
    Array(Elements<'d>),
}

/// Formats the values and diagnostics of a document.
pub(crate) fn document(document: &JsonDocument) -> String {
    let mut out = "--- tree\n".to_owned();
    let mut open = Vec::new();
    let mut next = Some(document.root());
    loop {
        if let Some(value) = next.take() {
            open.extend(start(&mut out, value));
        }
        match open.last_mut() {
            None => break,
            Some(Open::Object(properties)) => {
                if let Some(property) = properties.next() {
                    let _ = write!(out, "\n{}{:?}: ", "  ".repeat(open.len()), property.name().value());
                    next = Some(property.value());
                } else {
                    out.push('}');
                    open.pop();
                }
            }
            Some(Open::Array(elements)) => {
                if let Some(element) = elements.next() {
                    out.push(' ');
                    next = Some(element);
                } else {
                    out.push(']');
                    open.pop();
                }
            }
        }
    }
    out.push('\n');
    diagnostics(&mut out, document.diagnostics(), document.source().text(), &|span| document.range(span));
    out
}

/// Writes a value, or its opening bracket.
fn start<'d>(out: &mut String, value: JsonValue<'d>) -> Option<Open<'d>> {
    let _ = match value.kind() {
        JsonKind::Object(object) => {
            out.push('{');
            return Some(Open::Object(object.properties()));
        }
        JsonKind::Array(array) => {
            out.push('[');
            return Some(Open::Array(array.elements()));
        }
        JsonKind::String(text) => write!(out, "{:?}", text.value()),
        JsonKind::Number(number) => write!(out, "{number}"),
        JsonKind::Bool(truth) => write!(out, "{truth}"),
        JsonKind::Null => write!(out, "null"),
        JsonKind::Missing => write!(out, "(missing)"),
    };
    None
}
