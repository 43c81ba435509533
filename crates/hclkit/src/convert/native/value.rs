//! Values: literals, and strings that are templates or the source of expressions.

use std::collections::HashMap;

use hclkit_limits::Meter;
use hclkit_syntax::json::{JsonKind, JsonText, JsonValue};
use hclkit_syntax::{Diagnostic, Document, Place, Root, Source, StartSymbol, parse_expression};
use hclkit_value::Value;
use hclkit_write::{NewValue, raw};

use super::body::Work;
use crate::convert::template;
use crate::messages;

/// How many elements each part of a value counts as.
const PART: usize = 4;

/// How to read the strings in a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strings {
    Templates,
    Text,
    /// The source of expressions.
    Source,
    /// Text, except that those of `configuration_aliases` are the source of references.
    Providers,
}

impl Work<'_> {
    pub(super) fn value(&mut self, value: JsonValue<'_>, strings: Strings) -> NewValue {
        // A part of a new file takes many times as much memory as its text.
        if let Err(exceeded) = Meter::current().take_elements(PART) {
            if !self.is_too_large {
                let place = Place::new(value.document().shared_source(), value.span());
                self.problems.push(Diagnostic::exceeded(exceeded).at(place));
            }
            self.is_too_large = true;
            return Value::NULL.into();
        }
        match value.kind() {
            JsonKind::Null | JsonKind::Missing => Value::NULL.into(),
            JsonKind::Bool(flag) => flag.into(),
            JsonKind::Number(digits) => raw(digits),
            JsonKind::String(text) => self.text(text, strings),
            JsonKind::Array(array) => {
                let mut elements = Vec::new();
                for element in array.elements() {
                    elements.push(self.value(element, strings));
                    if self.is_too_large {
                        break;
                    }
                }
                NewValue::tuple(elements)
            }
            JsonKind::Object(object) => {
                let mut names = HashMap::new();
                let mut items = Vec::new();
                for property in object.properties() {
                    let name = property.name().value();
                    if let Some(first) = names.insert(name.clone(), property.name_span()) {
                        let place = Place::new(value.document().shared_source(), property.name_span());
                        let error = messages::key_set_twice(&name).at(place);
                        self.problems.push(error.with_related_span(first, messages::related::FIRST_SET));
                    }
                    let inside = match strings {
                        Strings::Providers if name == "configuration_aliases" => Strings::Source,
                        strings => strings,
                    };
                    let key = match strings {
                        Strings::Templates => self.text(property.name(), strings),
                        _ => (&*name).into(),
                    };
                    items.push((key, self.value(property.value(), inside)));
                    if self.is_too_large {
                        break;
                    }
                }
                NewValue::object(items)
            }
        }
    }

    fn text(&mut self, text: JsonText<'_>, strings: Strings) -> NewValue {
        let value = text.value();
        match strings {
            Strings::Text | Strings::Providers => (&*value).into(),
            // Text that is not an expression, such as a legacy reference in `${…}`, is read as a template.
            Strings::Source if !parse_expression(&*value).has_errors() => raw(&*value),
            Strings::Templates | Strings::Source => {
                // Most strings contain nothing that requires this.
                if value.contains("${") || value.contains("%{") || value.starts_with('\u{feff}') {
                    self.template(text, &value)
                } else {
                    (&*value).into()
                }
            }
        }
    }

    fn template(&mut self, text: JsonText<'_>, value: &str) -> NewValue {
        let document = Document::parse(Source::new("", value), StartSymbol::Template);
        let source = text.document().shared_source();
        if document.has_errors() {
            let map = text.map();
            let mut found = document.diagnostics().clone();
            found.update(|diagnostic| map.moved(diagnostic, source));
            self.problems.append(found);
            return Value::NULL.into();
        }
        let Root::Template(template) = document.root() else { return value.into() };
        if let Some(literal) = template.as_literal() {
            return (&*literal).into();
        }
        if let Some(expression) = template.as_unwrapped() {
            return raw(expression.text());
        }
        if let Some(native) = template::to_native(template) {
            return raw(native);
        }
        self.problems.push(messages::template_is_not_native().at(Place::new(source, text.span())));
        Value::NULL.into()
    }
}
