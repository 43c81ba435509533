//! Checks the items of a file: names that its application does not read, and values of other types. A value that it may read
//! is never an error.

use std::collections::{BTreeMap, BTreeSet};

use hclkit_limits::{Meter, with_room};
use hclkit_syntax::{Diagnostic, Document, Hcl1Number, Span};

use super::{File, Kind, Settings, Written};
use crate::Diagnostics;
use crate::hcl1::decode::kind_name;
use crate::hcl1::{Item, Kind as Value, Name, Names, Node, body_items, json_items};
use crate::messages::hcl1 as messages;
use crate::suggest::Near;

/// How many names of a file, of which none is known, are compared with those of each kind of file.
const LOOKED_AT: usize = 20;

impl Settings {
    /// Returns what the application does not read in a file. It must have no errors.
    pub fn check(&self, document: &Document) -> Diagnostics {
        let items = match document.json() {
            Some(json) => json_items(json.root()).unwrap_or_default(),
            None => body_items(document.body()).unwrap_or_default(),
        };
        let Some(file) = self.file_of(&items) else { return Diagnostics::new() };
        let meter = Meter::current();
        let mut checking = Checking {
            settings: self,
            file,
            text: document.source().text(),
            meter: &meter,
            found: Diagnostics::new(),
        };
        checking.object(&items.iter().map(Part::of).collect::<Vec<_>>(), file.object, true);
        if file.set_once {
            checking.repeated(&items);
        }
        let mut found = checking.found;
        found.update(|diagnostic| diagnostic.with_source(document.shared_source()));
        found
    }

    /// The kind of a file with the name of its object, and how many of the names at its top are known, of how many.
    #[doc(hidden)]
    pub fn kind_of(&self, document: &Document) -> Option<(&str, usize, usize)> {
        let items = body_items(document.body()).unwrap_or_default();
        let file = self.file_of(&items)?;
        let known = items.iter().filter(|item| self.has(file, &item.name.text.to_lowercase())).count();
        Some((&file.name, known, items.len()))
    }

    /// The kind of a file: the one with the most of its names. `None` if it is in no kind of the table.
    fn file_of(&self, items: &[Item<'_>]) -> Option<&File> {
        let names: BTreeSet<String> = items.iter().map(|item| item.name.text.to_lowercase()).collect();
        if self.others.iter().any(|other| names.contains(other)) {
            return None;
        }
        let known = |file: &File| names.iter().filter(|name| self.has(file, name)).count();
        // Misspelled names count if there are no others, and the first of equal ones is taken.
        let near = |file: &File| names.iter().take(LOOKED_AT).filter(|name| self.is_near(file, name)).count();
        let order = |file: &&File| match known(file) {
            0 => (0, near(file)),
            known => (known, 0),
        };
        self.files.iter().rev().max_by_key(order)
    }

    fn is_near(&self, file: &File, name: &str) -> bool {
        let names = self.objects.get(file.object).into_iter().flat_map(|object| object.0.keys());
        Near::of(name, names.map(String::as_str)).first().is_some()
    }

    fn has(&self, file: &File, name: &str) -> bool {
        self.objects.get(file.object).is_some_and(|object| object.0.contains_key(name))
    }
}

/// An item without the names that lead to it.
#[derive(Clone, Copy)]
struct Part<'i, 'd> {
    names: Names<'i, 'd>,
    node: &'i Node<'d>,
}

impl<'i, 'd> Part<'i, 'd> {
    fn of(item: &'i Item<'d>) -> Self {
        Self { names: Names::of(item), node: &item.node }
    }
}

struct Checking<'s, 't> {
    settings: &'s Settings,
    file: &'s File,
    text: &'t str,
    meter: &'t Meter,
    found: Diagnostics,
}

impl Checking<'_, '_> {
    /// Checks the items of an object.
    fn object(&mut self, parts: &[Part<'_, '_>], object: usize, is_file: bool) {
        let Some(members) = self.settings.objects.get(object).map(|object| &object.0) else { return };
        let mut set = BTreeMap::new();
        for part in parts {
            // The work of a file that is too large for the limits was refused when it was decoded.
            if self.meter.look().is_err() {
                return;
            }
            let Names { first: Some(name), rest: labels } = part.names else { continue };
            let lower = name.text.to_lowercase();
            let Some(member) = members.get(&lower) else {
                let is_elsewhere = |file: &File| self.settings.has(file, &lower);
                if !is_file || !self.settings.files.iter().any(is_elsewhere) {
                    let names = members.values().map(|member| &*member.name);
                    self.unknown(name, part, names);
                }
                continue;
            };
            let first = set.entry(lower).or_insert(name.span);
            if *first != name.span && self.file.once && !repeats(&member.kind) && is_object(labels, part.node)
            {
                self.error(messages::repeated_block(&name.text, &self.settings.title).at(name.span), *first);
            }
            self.value(labels, part.node, &member.kind, &name.text);
        }
    }

    /// Reports the arguments that are set several times, wherever they are. Their names are compared as they are written.
    fn repeated(&mut self, items: &[Item<'_>]) {
        let mut set = BTreeMap::new();
        for item in items {
            if item.is_set && item.labels.is_empty() {
                let name = &item.name;
                let text = self.text.get(name.span.to_range()).unwrap_or_default();
                let first = *set.entry(text).or_insert(name.span);
                if first != name.span {
                    self.error(crate::messages::body::duplicate_argument(&name.text).at(name.span), first);
                }
            }
            self.repeated_in(&item.node);
        }
    }

    fn repeated_in(&mut self, node: &Node<'_>) {
        match &node.kind {
            Value::Items(items) => with_room(|| self.repeated(items)),
            Value::List(elements) => elements.iter().for_each(|it| with_room(|| self.repeated_in(it))),
            _ => {}
        }
    }

    /// Checks a value of a type. `name` is that of its argument or block.
    fn value(&mut self, labels: &[Name<'_>], node: &Node<'_>, kind: &Kind, name: &str) {
        if let Kind::Any = kind {
            return;
        }
        if labels.is_empty() && self.is_null(node) {
            return;
        }
        with_room(|| match kind {
            Kind::Any => {}
            Kind::Object(object) => match (labels, &node.kind) {
                ([], Value::Items(items)) => {
                    self.object(&items.iter().map(Part::of).collect::<Vec<_>>(), *object, false);
                }
                ([], Value::List(elements)) if self.is_one(elements) => {
                    self.each(elements, kind, name);
                }
                ([], _) => self.mismatch(node, "a block or an object", name),
                // A label is the name of an object in it.
                _ => self.object(&[Part { names: Names::all(labels), node }], *object, false),
            },
            Kind::Map(inner) => match (labels, &node.kind) {
                ([_, labels @ ..], _) => self.value(labels, node, inner, name),
                ([], Value::Items(items)) => {
                    for item in items {
                        self.value(&item.labels, &item.node, inner, name);
                    }
                }
                ([], Value::List(elements)) if self.is_one(elements) => {
                    self.each(elements, kind, name);
                }
                ([], _) => self.mismatch(node, "a block or an object", name),
            },
            Kind::Labeled(inner) => match (labels, &node.kind) {
                ([_, labels @ ..], _) => self.value(labels, node, inner, name),
                // Labels can be the names of nested objects.
                ([], Value::Items(items))
                    if !items.is_empty() && items.iter().all(|it| is_items(&it.node)) =>
                {
                    for item in items {
                        self.value(&item.labels, &item.node, inner, name);
                    }
                }
                ([], Value::List(elements)) => {
                    self.each(elements, kind, name);
                }
                _ => self.value(&[], node, inner, name),
            },
            Kind::List(inner) => match (labels, &node.kind) {
                ([], Value::List(elements)) => {
                    self.each(elements, inner, name);
                }
                ([], Value::Items(items)) if items.is_empty() && self.is_accepted("list", node) => {}
                (_, Value::Items(_)) => self.value(labels, node, inner, name),
                _ if self.is_accepted("list", node) => {}
                _ => self.mismatch(node, "a list", name),
            },
            Kind::TextOr(inner) => match &node.kind {
                Value::Text { .. } if labels.is_empty() => {}
                _ => self.value(labels, node, inner, name),
            },
            Kind::OneOf(texts) => match &node.kind {
                // An empty text is the same as none.
                Value::Text { text, .. } if text.is_empty() || texts.iter().any(|own| own == text) => {}
                Value::Text { text, .. } => {
                    let near = Near::of(text, texts.iter().map(String::as_str));
                    self.found.push(messages::unknown_text(text, texts, near.first()).at(node.span));
                }
                _ => self.mismatch(node, "a string", name),
            },
            Kind::Scalar(scalar) => match &node.kind {
                Value::List(elements) if self.file.unwraps && elements.len() == 1 && labels.is_empty() => {
                    self.value(&[], &elements[0], kind, name);
                }
                Value::List(_) | Value::Items(_) => self.mismatch(node, expected(scalar), name),
                _ if self.is_accepted(scalar, node) => {}
                _ => self.mismatch(node, expected(scalar), name),
            },
        });
    }

    fn each(&mut self, elements: &[Node<'_>], kind: &Kind, name: &str) {
        for element in elements {
            self.value(&[], element, kind, name);
        }
    }

    /// Whether a scalar can be written where a type is expected. What the table does not say is accepted.
    fn is_accepted(&self, scalar: &str, node: &Node<'_>) -> bool {
        let is_written = |written: &Written| match (&node.kind, written) {
            (Value::Text { .. }, Written::Text)
            | (Value::Bool(_), Written::Bool)
            | (Value::Number(Hcl1Number::Integer(_), _), Written::Integer)
            | (Value::Number(Hcl1Number::Float(_), _), Written::Fraction) => true,
            (Value::Items(items), Written::Empty) => items.is_empty(),
            (Value::Text { text, .. }, Written::Duration) => is_duration(text),
            (Value::Text { text, .. }, Written::Digits) => {
                text.trim_start_matches(['-', '+']).parse::<u64>().is_ok()
            }
            _ => false,
        };
        match self.file.accepts.0.get(scalar) {
            Some(accepted) => accepted.iter().any(is_written),
            None => scalar != "list",
        }
    }

    /// Whether a list can be there in place of an object.
    fn is_one(&self, elements: &[Node<'_>]) -> bool {
        elements.iter().all(is_items) && (elements.len() == 1 || !self.file.once)
    }

    /// JSON has null for what is not set.
    fn is_null(&self, node: &Node<'_>) -> bool {
        matches!(node.kind, Value::Text { .. }) && self.text.get(node.span.to_range()) == Some("null")
    }

    fn mismatch(&mut self, node: &Node<'_>, expected: &str, name: &str) {
        self.found.push(messages::other_type(name, expected, kind_name(&node.kind)).at(node.span));
    }

    fn error(&mut self, error: Diagnostic, first: Span) {
        self.found.push(error.with_related_span(first, crate::messages::related::FIRST_SET));
    }

    fn unknown<'n>(&mut self, name: &Name<'_>, part: &Part<'_, '_>, known: impl Iterator<Item = &'n str>) {
        // What is not kept needs no suggestion.
        let has_room = self.found.has_room();
        let near = Near::of(&name.text.to_lowercase(), known.filter(|_| has_room));
        let message = if is_object(part.names.rest, part.node) {
            messages::unread_block(&name.text, &self.settings.title, near.first())
        } else {
            messages::unread_argument(&name.text, &self.settings.title, near.first())
        };
        let mut error = message.at(name.span).with_severity(self.file.unknown);
        if self.text.get(name.span.to_range()) == Some(&*name.text) {
            error = near.offer(error, name.span, false, |_| false);
        }
        self.found.push(error);
    }
}

/// Whether a text is a duration of Go: `0`, or numbers with units, and a sign before them.
fn is_duration(text: &str) -> bool {
    const UNITS: [&str; 8] = ["ns", "us", "\u{b5}s", "\u{3bc}s", "ms", "s", "m", "h"];
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    loop {
        let number = rest.find(|digit: char| !digit.is_ascii_digit() && digit != '.').unwrap_or(rest.len());
        let (digits, after) = rest.split_at(number);
        let unit = after.find(|sign: char| sign.is_ascii_digit() || sign == '.').unwrap_or(after.len());
        let has_digits = digits.parse::<f64>().is_ok() && digits != ".";
        if !has_digits || !UNITS.contains(&&after[..unit]) {
            return false;
        }
        rest = &after[unit..];
        if rest.is_empty() {
            return true;
        }
    }
}

fn is_items(node: &Node<'_>) -> bool {
    matches!(node.kind, Value::Items(_))
}

fn is_object(labels: &[Name<'_>], node: &Node<'_>) -> bool {
    !labels.is_empty() || is_items(node)
}

/// Whether there can be several blocks of a type.
fn repeats(kind: &Kind) -> bool {
    matches!(kind, Kind::Any | Kind::List(_) | Kind::Labeled(_))
}

fn expected(scalar: &str) -> &'static str {
    match scalar {
        "string" => "a string",
        "bool" => "`true` or `false`",
        "integer" => "a whole number",
        "number" => "a number",
        "duration" => "a duration, such as \"10s\"",
        _ => "a string, a number or a bool",
    }
}
