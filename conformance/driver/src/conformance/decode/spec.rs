//! Random specs, and their text in both syntaxes.

use fastrand::Rng;
use serde_json::{Map, Value, json};

/// Types of arguments.
pub(super) const TYPES: &[&str] = &[
    "string",
    "number",
    "bool",
    "any",
    "list(string)",
    "list(any)",
    "set(number)",
    "map(string)",
    "map(any)",
    "object({ a = string, b = number })",
    "tuple([string, number])",
];

/// A generated spec.
pub(super) enum Spec {
    Object(Vec<(String, Self)>),
    Tuple(Vec<Self>),
    Attribute { name: String, ty: Option<&'static str>, required: bool },
    Literal(&'static str),
    Block { block_type: String, required: bool, nested: Box<Self> },
    Blocks { kind: &'static str, block_type: String, least: usize, most: usize, nested: Box<Self> },
    Labeled { kind: &'static str, block_type: String, labels: usize, nested: Box<Self> },
    Attributes { block_type: String, element: &'static str, required: bool },
    Label(usize),
    Default(Vec<Self>),
    Transform(Box<Self>, &'static str),
}

/// The state while a spec is generated: in each body, most names are new.
struct Maker<'r> {
    rng: &'r mut Rng,
    depth: usize,
    names: usize,
    /// The number of labels of the enclosing block, if there is one.
    labels: Option<usize>,
}

impl Spec {
    pub(super) fn root(rng: &mut Rng) -> Self {
        let mut maker = Maker { rng, depth: 3, names: 0, labels: None };
        if maker.rng.u8(..5) == 0 { maker.any() } else { maker.object() }
    }

    /// The number of labels of the block that the body belongs to.
    pub(super) fn label_count(&self) -> usize {
        match self {
            Self::Label(index) => index + 1,
            Self::Object(parts) => parts.iter().map(|(_, part)| part.label_count()).max().unwrap_or(0),
            Self::Tuple(parts) | Self::Default(parts) => {
                parts.iter().map(Self::label_count).max().unwrap_or(0)
            }
            Self::Transform(part, _) => part.label_count(),
            _ => 0,
        }
    }
}

/// The result of a transformation of the nested spec.
const RESULTS: &[&str] = &[
    "nested",
    "[nested]",
    "{ v = nested }",
    "\"<${nested}>\"",
    "nested == null",
    "upper(nested)",
    "nested + 1",
];

impl Maker<'_> {
    fn name(&mut self) -> String {
        const NAMES: &[&str] =
            &["port", "name", "zone", "size", "tags", "mode", "rule", "disk", "user", "path"];
        let number = if self.rng.u8(..40) == 0 { 0 } else { self.names };
        self.names += 1;
        let name = NAMES[number % NAMES.len()];
        if number < NAMES.len() { name.to_owned() } else { format!("{name}{}", number / NAMES.len()) }
    }

    fn any(&mut self) -> Spec {
        let top = if self.depth == 0 { 9 } else { 22 };
        match self.rng.u8(..top) {
            0..=5 => {
                let name = self.name();
                let ty = if self.rng.u8(..8) == 0 { None } else { self.rng.choice(TYPES).copied() };
                Spec::Attribute { name, ty, required: self.rng.u8(..4) == 0 }
            }
            6 => self.literal(),
            7 => match self.labels {
                Some(given) => {
                    self.labels = Some(given + 1);
                    Spec::Label(given)
                }
                None => self.literal(),
            },
            8 => {
                let block_type = self.name();
                let element = *self.rng.choice(&TYPES[..5]).unwrap_or(&"string");
                Spec::Attributes { block_type, element, required: self.rng.u8(..4) == 0 }
            }
            9 | 10 => self.object(),
            11 => Spec::Tuple(self.parts()),
            12 | 13 => {
                let block_type = self.name();
                let required = self.rng.u8(..4) == 0;
                Spec::Block { block_type, required, nested: Box::new(self.nested()) }
            }
            14..=16 => {
                let kind =
                    *self.rng.choice(&["block_list", "block_tuple", "block_set"]).unwrap_or(&"block_list");
                let block_type = self.name();
                let least = if self.rng.u8(..4) == 0 { self.rng.usize(1..3) } else { 0 };
                let most = if self.rng.u8(..4) == 0 { least.max(1) + self.rng.usize(..2) } else { 0 };
                Spec::Blocks { kind, block_type, least, most, nested: Box::new(self.nested()) }
            }
            17 | 18 => {
                let kind = if self.rng.bool() { "block_map" } else { "block_object" };
                let block_type = self.name();
                let labels = self.rng.usize(1..3);
                Spec::Labeled { kind, block_type, labels, nested: Box::new(self.nested()) }
            }
            19 | 20 => {
                self.depth -= 1;
                let count = self.rng.usize(1..4);
                let parts = (0..count).map(|_| self.any()).collect();
                self.depth += 1;
                Spec::Default(parts)
            }
            _ => {
                self.depth -= 1;
                let part = self.any();
                self.depth += 1;
                Spec::Transform(Box::new(part), self.rng.choice(RESULTS).unwrap_or(&"nested"))
            }
        }
    }

    fn literal(&mut self) -> Spec {
        const VALUES: &[&str] =
            &["1", "\"text\"", "true", "null", "[1, \"a\"]", "{ a = 1 }", "upper(\"up\")"];
        Spec::Literal(self.rng.choice(VALUES).unwrap_or(&"1"))
    }

    fn parts(&mut self) -> Vec<Spec> {
        self.depth = self.depth.saturating_sub(1);
        let count = self.rng.usize(..4);
        let parts = (0..count).map(|_| self.any()).collect();
        self.depth += 1;
        parts
    }

    fn object(&mut self) -> Spec {
        let parts = self.parts().into_iter().enumerate();
        Spec::Object(parts.map(|(n, part)| (format!("key{n}"), part)).collect())
    }

    /// The spec of a block's body.
    fn nested(&mut self) -> Spec {
        let mut maker = Maker { rng: self.rng, depth: self.depth - 1, names: 0, labels: Some(0) };
        if maker.rng.bool() { maker.object() } else { maker.any() }
    }
}

/// A block of a spec file, to be written in either syntax.
struct Block<'s> {
    kind: &'static str,
    label: Option<&'s str>,
    /// Names and expressions in the native syntax.
    arguments: Vec<(&'static str, String)>,
    nested: Vec<Self>,
}

impl Spec {
    fn block<'s>(&'s self, label: Option<&'s str>) -> Block<'s> {
        let quoted = |text: &str| format!("\"{text}\"");
        let (kind, arguments, nested) = match self {
            Self::Object(parts) => {
                ("object", vec![], parts.iter().map(|(name, part)| part.block(Some(name))).collect())
            }
            Self::Tuple(parts) => ("tuple", vec![], parts.iter().map(|part| part.block(None)).collect()),
            Self::Default(parts) => ("default", vec![], parts.iter().map(|part| part.block(None)).collect()),
            Self::Attribute { name, ty, required } => {
                let mut arguments = vec![("name", quoted(name))];
                arguments.extend(ty.map(|ty| ("type", ty.to_owned())));
                arguments.extend(required.then(|| ("required", "true".to_owned())));
                ("attr", arguments, vec![])
            }
            Self::Literal(value) => ("literal", vec![("value", (*value).to_owned())], vec![]),
            Self::Block { block_type, required, nested } => {
                let mut arguments = vec![("block_type", quoted(block_type))];
                arguments.extend(required.then(|| ("required", "true".to_owned())));
                ("block", arguments, vec![nested.block(None)])
            }
            Self::Blocks { kind, block_type, least, most, nested } => {
                let mut arguments = vec![("block_type", quoted(block_type))];
                arguments.extend((*least > 0).then(|| ("min_items", least.to_string())));
                arguments.extend((*most > 0).then(|| ("max_items", most.to_string())));
                (*kind, arguments, vec![nested.block(None)])
            }
            Self::Labeled { kind, block_type, labels, nested } => {
                let names: Vec<String> = (0..*labels).map(|n| format!("\"label{n}\"")).collect();
                let arguments =
                    vec![("block_type", quoted(block_type)), ("labels", format!("[{}]", names.join(", ")))];
                (*kind, arguments, vec![nested.block(None)])
            }
            Self::Attributes { block_type, element, required } => {
                let mut arguments =
                    vec![("block_type", quoted(block_type)), ("element_type", (*element).to_owned())];
                arguments.extend(required.then(|| ("required", "true".to_owned())));
                ("block_attrs", arguments, vec![])
            }
            Self::Label(index) => ("block_label", vec![("index", index.to_string())], vec![]),
            Self::Transform(part, result) => {
                ("transform", vec![("result", (*result).to_owned())], vec![part.block(None)])
            }
        };
        Block { kind, label, arguments, nested }
    }

    /// The text of a spec file.
    pub(super) fn file(&self, rng: &mut Rng) -> String {
        let mut text = String::new();
        self.block(None).write(&mut text);
        if rng.u8(..4) == 0 {
            text.push_str("variables {\n  n = 30\n  own = [n2, \"v\"]\n}\n".replace("n2", "2").as_str());
        }
        if rng.u8(..4) == 0 {
            text.push_str("function \"f\" {\n  params = [p]\n  result = [p, upper(\"r\")]\n}\n");
        }
        text
    }

    /// The same in the JSON syntax.
    pub(super) fn json_file(&self, _: &mut Rng) -> String {
        let block = self.block(None);
        json!({ block.kind: block.json() }).to_string()
    }
}

impl Block<'_> {
    fn write(&self, text: &mut String) {
        text.push_str(self.kind);
        if let Some(label) = self.label {
            text.extend([" \"", label, "\""]);
        }
        text.push_str(" {\n");
        for (name, value) in &self.arguments {
            text.extend([name, " = ", value, "\n"]);
        }
        self.nested.iter().for_each(|block| block.write(text));
        text.push_str("}\n");
    }

    fn json(&self) -> Value {
        let mut body = Map::new();
        for (name, value) in &self.arguments {
            // Types, names and numbers become strings; other expressions become templates.
            let plain = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            let value = match (*name, plain) {
                ("value" | "result" | "labels", _) => json!(format!("${{{value}}}")),
                (_, Some(plain)) => plain.into(),
                ("type" | "element_type", _) => value.as_str().into(),
                _ => serde_json::from_str(value).unwrap_or_default(),
            };
            body.insert((*name).to_owned(), value);
        }
        for block in &self.nested {
            let value = block.json();
            let value = match block.label {
                Some(label) => json!({ label: value }),
                None => value,
            };
            let list = body.entry(block.kind).or_insert_with(|| json!([]));
            list.as_array_mut().into_iter().for_each(|list| list.push(value.clone()));
        }
        body.into()
    }
}
