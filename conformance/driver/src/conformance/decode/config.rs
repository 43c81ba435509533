//! Random configurations that mostly fit a spec, and their text in both syntaxes.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::spec::{Spec, TYPES};

#[derive(Clone, Copy)]
pub(super) enum Syntax {
    Native,
    Json,
}

impl Syntax {
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Native => ".hcl",
            Self::Json => ".json",
        }
    }
}

/// The contents of a body: arguments with their expressions in the native syntax, and blocks.
#[derive(Clone, Default)]
pub(super) struct Body(Vec<Item>);

#[derive(Clone)]
enum Item {
    Argument(String, String),
    Block { block_type: String, labels: Vec<String>, body: Body },
    Dynamic { block_type: String, arguments: Vec<(&'static str, String)>, body: Body },
}

/// The state while a configuration is made.
struct Maker<'r> {
    rng: &'r mut Rng,
    dynamic: bool,
    /// The names of the elements of the enclosing dynamic blocks.
    iterators: Vec<String>,
}

impl Body {
    pub(super) fn fitting(rng: &mut Rng, spec: &Spec, dynamic: bool) -> Self {
        Maker { rng, dynamic, iterators: Vec::new() }.body(spec)
    }

    /// The items, distributed over `count` bodies.
    pub(super) fn split(self, rng: &mut Rng, count: usize) -> Vec<Self> {
        let mut parts = vec![Self::default(); count];
        for item in self.0 {
            parts[rng.usize(..count)].0.push(item);
        }
        parts
    }

    pub(super) fn text(&self, syntax: Syntax) -> String {
        match syntax {
            Syntax::Native => {
                let mut text = String::new();
                self.write(&mut text);
                text
            }
            Syntax::Json => self.json().to_string(),
        }
    }

    fn write(&self, text: &mut String) {
        for item in &self.0 {
            match item {
                Item::Argument(name, value) => text.extend([name, " = ", value, "\n"]),
                Item::Block { block_type, labels, body } => {
                    text.push_str(block_type);
                    for label in labels {
                        text.extend([" \"", label, "\""]);
                    }
                    text.push_str(" {\n");
                    body.write(text);
                    text.push_str("}\n");
                }
                Item::Dynamic { block_type, arguments, body } => {
                    text.extend(["dynamic \"", block_type, "\" {\n"]);
                    for (name, value) in arguments {
                        text.extend([name, " = ", value, "\n"]);
                    }
                    text.push_str("content {\n");
                    body.write(text);
                    text.push_str("}\n}\n");
                }
            }
        }
    }

    fn json(&self) -> Value {
        let mut object = Map::new();
        for item in &self.0 {
            let (name, value) = match item {
                Item::Argument(name, value) => {
                    object.insert(name.clone(), expression(value));
                    continue;
                }
                Item::Block { block_type, labels, body } => {
                    let body = body.json();
                    (
                        block_type.as_str(),
                        labels.iter().rev().fold(body, |body, label| json!({ label: body })),
                    )
                }
                Item::Dynamic { block_type, arguments, body } => {
                    let mut dynamic = Map::new();
                    for (name, value) in arguments {
                        let value = match *name {
                            "iterator" => value.as_str().into(),
                            "labels" => {
                                let inner = value.trim_matches(['[', ']']);
                                inner.split(", ").filter(|part| !part.is_empty()).map(expression).collect()
                            }
                            _ => expression(value),
                        };
                        dynamic.insert((*name).to_owned(), value);
                    }
                    dynamic.insert("content".to_owned(), body.json());
                    ("dynamic", json!({ block_type.as_str(): dynamic }))
                }
            };
            match object.entry(name).or_insert_with(|| json!([])) {
                Value::Array(list) => list.push(value),
                other => *other = value,
            }
        }
        object.into()
    }
}

/// A value of the JSON syntax for an expression: the expression itself if it is JSON, otherwise a template.
fn expression(native: &str) -> Value {
    serde_json::from_str(native).unwrap_or_else(|_| format!("${{{native}}}").into())
}

impl Maker<'_> {
    fn one_in(&mut self, count: u8) -> bool {
        self.rng.u8(..count) == 0
    }

    fn body(&mut self, spec: &Spec) -> Body {
        let mut items = Vec::new();
        self.fill(spec, &mut items);
        if self.one_in(30) {
            items.push(Item::Argument("extra".to_owned(), "1".to_owned()));
        }
        if self.one_in(40) {
            items.push(Item::Block { block_type: "more".to_owned(), labels: vec![], body: Body::default() });
        }
        if self.one_in(3) {
            self.rng.shuffle(&mut items);
        }
        // Two arguments with one name are a syntax error.
        let mut seen = std::collections::HashSet::new();
        items.retain(|item| match item {
            Item::Argument(name, _) => seen.insert(name.clone()),
            _ => true,
        });
        Body(items)
    }

    fn fill(&mut self, spec: &Spec, items: &mut Vec<Item>) {
        match spec {
            Spec::Object(parts) => parts.iter().for_each(|(_, part)| self.fill(part, items)),
            Spec::Tuple(parts) | Spec::Default(parts) => parts.iter().for_each(|part| self.fill(part, items)),
            Spec::Transform(part, _) => self.fill(part, items),
            Spec::Literal(_) | Spec::Label(_) => {}
            Spec::Attribute { name, ty, required } => {
                if if *required { !self.one_in(25) } else { !self.one_in(4) } {
                    let value = self.value(ty.unwrap_or("any"));
                    items.push(Item::Argument(name.clone(), value));
                }
            }
            Spec::Block { block_type, required, nested } => {
                let count = match self.rng.u8(..30) {
                    0 => 2,
                    1..=6 if !required => 0,
                    7 => 0,
                    _ => 1,
                };
                (0..count).for_each(|_| self.block(block_type, 0, nested, items));
            }
            Spec::Blocks { block_type, least, most, nested, .. } => {
                let most = if *most == 0 { least + 3 } else { *most };
                let count = if self.one_in(15) { self.rng.usize(..5) } else { self.rng.usize(*least..=most) };
                (0..count).for_each(|_| self.block(block_type, 0, nested, items));
            }
            Spec::Labeled { block_type, labels, nested, .. } => {
                let count = self.rng.usize(..4);
                (0..count).for_each(|_| self.block(block_type, *labels, nested, items));
            }
            Spec::Attributes { block_type, element, required } => {
                if *required || !self.one_in(4) {
                    let count = self.rng.usize(..4);
                    let arguments =
                        (0..count).map(|n| Item::Argument(format!("any{n}"), self.value(element)));
                    let body = Body(arguments.collect());
                    items.push(Item::Block { block_type: block_type.clone(), labels: vec![], body });
                }
            }
        }
    }

    /// A block, or a dynamic one.
    fn block(&mut self, block_type: &str, keys: usize, nested: &Spec, items: &mut Vec<Item>) {
        let mut count = keys + nested.label_count();
        if self.one_in(50) {
            count = (count + 1).saturating_sub(self.rng.usize(..3));
        }
        if self.dynamic && self.one_in(2) {
            return self.dynamic_block(block_type, count, nested, items);
        }
        let labels =
            (0..count).map(|_| ["web", "db", "ca-1", "x y", "é"][self.rng.usize(..5)].to_owned()).collect();
        let body = self.body(nested);
        items.push(Item::Block { block_type: block_type.to_owned(), labels, body });
    }

    fn dynamic_block(&mut self, block_type: &str, labels: usize, nested: &Spec, items: &mut Vec<Item>) {
        const COLLECTIONS: &[&str] = &[
            "[1]",
            "[1, 2]",
            "[\"p\", \"q\"]",
            "l",
            "m",
            "o",
            "t",
            "e",
            "[]",
            "{}",
            "ul",
            "um",
            "d",
            "ml",
            "mu",
            "nl",
            "s",
            "{ a = [1], b = [2] }",
            "[[1], [2, 3]]",
            "toset(l)",
        ];
        let mut arguments = Vec::new();
        let mut collection = (*self.rng.choice(&COLLECTIONS[..9]).unwrap_or(&"l")).to_owned();
        if self.one_in(3) {
            self.rng.choice(COLLECTIONS).into_iter().for_each(|other| (*other).clone_into(&mut collection));
        } else if let (Some(outer), true) = (self.iterators.last(), self.rng.u8(..3) == 0) {
            collection = format!("[{outer}.value, {outer}.key]");
        }
        arguments.push(("for_each", collection));
        let mut iterator = block_type.to_owned();
        if self.one_in(4) {
            "each".clone_into(&mut iterator);
            arguments.push(("iterator", iterator.clone()));
        }
        if labels > 0 {
            let made: Vec<String> = (0..labels)
                .map(|_| match self.rng.u8(..10) {
                    0 => "\"same\"".to_owned(),
                    1 => format!("{iterator}.value"),
                    2 => format!("\"n${{{iterator}.key}}\""),
                    _ => format!("{iterator}.key"),
                })
                .collect();
            arguments.push(("labels", format!("[{}]", made.join(", "))));
        }
        self.iterators.push(iterator);
        let body = self.body(nested);
        self.iterators.pop();
        items.push(Item::Dynamic { block_type: block_type.to_owned(), arguments, body });
    }

    /// An expression that mostly gives a value of a type.
    fn value(&mut self, ty: &str) -> String {
        if let (Some(iterator), true) = (self.iterators.last(), self.rng.u8(..4) == 0) {
            let what = if self.rng.bool() { "value" } else { "key" };
            return format!("{iterator}.{what}");
        }
        let mut ty = ty;
        if self.one_in(18) {
            ty = self.rng.choice(TYPES).unwrap_or(&"any");
        }
        if ty == "any" {
            ty = self.rng.choice(&TYPES[..3]).unwrap_or(&"string");
            if self.one_in(3) {
                ty = self.rng.choice(TYPES).unwrap_or(&"string");
            }
        }
        let values: &[&str] = match ty {
            "string" => &["\"a\"", "\"b\"", "s", "\"x${n}\"", "u", "ms", "null", "12", "d", "f(1)[1]"],
            "number" => &["1", "2.5", "n", "\"3\"", "sn", "un", "n + 1", "null", "d", "1"],
            "bool" => &["true", "false", "b", "\"true\"", "null", "n > 1"],
            "list(string)" => &["[\"a\", \"b\"]", "[]", "l", "ul", "[s, u]", "ml", "[1]", "null", "l[*]"],
            "list(any)" => &["[1, 2]", "[1, \"a\"]", "l", "[]", "[null]", "d"],
            "set(number)" => &["[1, 2, 1]", "[\"1\"]", "[n]", "[]", "[un]"],
            "map(string)" => &["{ \"a\": \"x\" }", "m", "{}", "{ k = u }", "um", "{ a = 1 }"],
            "map(any)" => &["{ a = 1, b = 2 }", "m", "{}", "{ a = [] }"],
            "tuple([string, number])" => &["[\"a\", 1]", "[s, n]", "[1, \"2\"]", "[u, un]"],
            _ => &["{ \"a\": \"x\", \"b\": 1 }", "o", "{ a = s, b = sn }", "{ a = null, b = 1, c = 2 }", "d"],
        };
        (*self.rng.choice(values).unwrap_or(&"null")).to_owned()
    }
}
