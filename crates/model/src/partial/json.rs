//! The rest of a value in the JSON syntax: source in the native syntax, in which strings are templates.

use std::collections::HashSet;

use hclkit_limits::with_room;
use hclkit_syntax::json::{JsonKind, JsonText, JsonValue};
use hclkit_syntax::{Document, Source, Span, StartSymbol, TokenKind};

use super::literal::{Literals, ValuePosition};
use super::{Partial, PartialOptions};
use crate::{Context, Diagnostics, Expression, Traversal};

/// The source text of the rest, and its references.
pub(super) fn left(
    value: JsonValue<'_>,
    context: &Context,
    options: PartialOptions,
) -> Result<(String, Vec<Traversal>), Diagnostics> {
    let mut writer = Writer { context, options, out: String::new(), references: Vec::new() };
    writer.value(value)?;
    Ok((writer.out, writer.references))
}

struct Writer<'c> {
    context: &'c Context,
    options: PartialOptions,
    out: String,
    references: Vec<Traversal>,
}

impl Writer<'_> {
    fn value(&mut self, value: JsonValue<'_>) -> Result<(), Diagnostics> {
        match value.kind() {
            JsonKind::Object(object) => {
                let mut names = HashSet::new();
                let mut any = false;
                for property in object.properties() {
                    // If properties have the same name, the first one counts; the others were reported.
                    if !names.insert(property.name().value().into_owned()) {
                        continue;
                    }
                    self.out.push_str(if any { ", " } else { "{ " });
                    any = true;
                    self.text(&property.name())?;
                    self.out.push_str(" = ");
                    with_room(|| self.value(property.value()))?;
                }
                self.out.push_str(if any { " }" } else { "{}" });
            }
            JsonKind::Array(array) => {
                self.out.push('[');
                for (at, element) in array.elements().enumerate() {
                    if at > 0 {
                        self.out.push_str(", ");
                    }
                    with_room(|| self.value(element))?;
                }
                self.out.push(']');
            }
            JsonKind::String(text) => self.text(&text)?,
            JsonKind::Number(text) => self.out.push_str(text),
            JsonKind::Bool(flag) => self.out.push_str(if flag { "true" } else { "false" }),
            _ => self.out.push_str("null"),
        }
        Ok(())
    }

    fn text(&mut self, text: &JsonText<'_>) -> Result<(), Diagnostics> {
        let template = text.value();
        let expression = Expression::parse_template(&*template)?;
        match self.options.evaluate(&expression, self.context) {
            Ok(Partial::Value(value)) => {
                let shown = if self.options.reveal_marked { value.unmark_deep().0 } else { value };
                if let Some(literal) = Literals::default().write(&shown, ValuePosition::Value) {
                    self.out.push_str(&literal);
                    return Ok(());
                }
            }
            Ok(Partial::Rest(rest)) => {
                self.refer(text, rest.references);
                quote(&rest.text, &mut self.out);
                return Ok(());
            }
            // Errors of the whole were already reported. This one may not count.
            Err(_) => {}
        }
        self.refer(text, expression.variables());
        quote(&template, &mut self.out);
        Ok(())
    }

    /// References in a text, by their places in the file.
    fn refer(&mut self, text: &JsonText<'_>, references: Vec<Traversal>) {
        let map = text.map();
        self.references.extend(references.into_iter().map(|mut reference| {
            reference.root_span = map.span(reference.root_span);
            for step in &mut reference.steps {
                step.span = map.span(step.span);
            }
            reference
        }));
    }
}

/// Writes an unquoted template as a quoted one. Backslashes and line breaks are escaped. In quotes, a strip marker
/// removes all white space next to it instead of that of one line, so an empty sequence is inserted to stop it.
fn quote(template: &str, out: &mut String) {
    let document = Document::parse(Source::new("", template), StartSymbol::Template);
    let source = document.source();
    let mut at = 0;
    out.push('"');
    for token in document.tokens().iter().filter(|token| token.kind == TokenKind::BareText) {
        out.push_str(source.slice(Span::new(at, token.span.start)));
        at = token.span.end;
        let mut text = source.slice(token.span);
        let mut end = "";
        if source.text()[..token.span.start as usize].ends_with("~}") {
            let line = text.split_inclusive('\n').next().unwrap_or_default();
            let kept = &text[line.len() - line.trim_start().len()..];
            if kept.starts_with(char::is_whitespace) {
                out.push_str(r#"${""}"#);
                text = kept;
            }
        }
        if source.text()[at as usize..].get(1..).is_some_and(|rest| rest.starts_with("{~")) {
            let line = text.split_inclusive('\n').next_back().unwrap_or_default();
            let kept = &text[..text.len() - (line.len() - line.trim_end().len())];
            if kept.ends_with(char::is_whitespace) {
                (text, end) = (kept, r#"${""}"#);
            }
        }
        for sign in text.chars() {
            match sign {
                '"' | '\\' => out.extend(['\\', sign]),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                sign => out.push(sign),
            }
        }
        out.push_str(end);
    }
    out.push_str(&source.text()[at as usize..]);
    out.push('"');
}
