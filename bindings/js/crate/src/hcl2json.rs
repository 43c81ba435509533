//! The JSON of `@cdktf/hcl2json`, learned by asking it. Strings stay templates, and an expression that is no literal becomes
//! `"${…}"` with its source text. The properties of an object are sorted.

mod ast;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;

use hclkit::ast::{
    BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item, ObjectKey, Part, Parts, UnaryOperator,
};
use hclkit::limits::with_room;
use hclkit::syntax::{NodeId, Root};
use hclkit::value::Number;
use hclkit::{Diagnostic, Diagnostics, Document, Source, StartSymbol};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::limits::Limits;
use crate::{Answer, failure};

/// Converts a file. Returns JSON.
#[wasm_bindgen]
pub fn hcl2json(text: &str, name: &str) -> Answer<String> {
    Limits::default().run(|| {
        let document = Document::parse(Source::new(name, text), StartSymbol::Config);
        if document.has_errors() {
            return Err(failure::of(document.diagnostics()));
        }
        let mut writer = Writer { out: Vec::with_capacity(text.len() * 2), mixed: Diagnostics::new() };
        writer.body(document.body());
        if writer.mixed.has_errors() {
            return Err(failure::of(&writer.mixed));
        }
        String::from_utf8(writer.out).map_err(failure::plain)
    })
}

/// Returns the syntax tree of an expression as JSON, in the shape of `getExpressionAst`.
#[wasm_bindgen]
pub fn hcl2json_ast(text: &str, name: &str) -> Answer<String> {
    Limits::default().run(|| {
        let document = Document::parse(Source::new(name, text), StartSymbol::Expression);
        match document.root() {
            _ if document.has_errors() => Err(failure::of(document.diagnostics())),
            Root::Expression(_) if depth(&document) > MOST_LEVELS => {
                Err(failure::plain("the expression has too many levels"))
            }
            Root::Expression(expression) => Ok(ast::node(expression).to_string()),
            _ => Err(failure::plain("an expression is missing")),
        }
    })
}

/// How many levels a tree can have. Chains of operators are nested, too.
const MOST_LEVELS: usize = 1_000;

/// The levels of the syntax tree.
fn depth(document: &Document) -> usize {
    let (mut deepest, mut open) = (0, vec![(NodeId::ROOT, 0)]);
    while let Some((id, level)) = open.pop() {
        deepest = deepest.max(level);
        open.extend(document.tree().children(id).map(|id| (id, level + 1)));
    }
    deepest
}

struct Writer {
    out: Vec<u8>,
    /// What has no place in the JSON.
    mixed: Diagnostics,
}

/// What is written of a body for a name.
enum Entry<'d> {
    Attribute(ExpressionNode<'d>),
    Blocks(Blocks<'d>),
}

/// The blocks of one type that begin with the same labels.
#[derive(Default)]
struct Blocks<'d> {
    /// Those without more labels.
    bodies: Vec<BlockNode<'d>>,
    labeled: BTreeMap<String, Self>,
}

impl<'d> Blocks<'d> {
    fn add(&mut self, block: BlockNode<'d>) {
        let mut blocks = self;
        for label in block.labels() {
            blocks = blocks.labeled.entry(label.value().into_owned()).or_default();
        }
        blocks.bodies.push(block);
    }

    fn first(&self) -> Option<BlockNode<'d>> {
        self.bodies.first().copied().or_else(|| self.labeled.values().find_map(Self::first))
    }
}

impl Writer {
    fn body(&mut self, body: BodyNode<'_>) {
        let mut entries: BTreeMap<&str, Entry<'_>> = BTreeMap::new();
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => {
                    let entry = Entry::Attribute(attribute.value());
                    if let Some(Entry::Blocks(blocks)) = entries.insert(attribute.name(), entry) {
                        self.report(blocks.first(), "an argument");
                    }
                }
                Item::Block(block) => {
                    let entry = entries.entry(block.block_type());
                    match entry.or_insert_with(|| Entry::Blocks(Blocks::default())) {
                        Entry::Blocks(blocks) => blocks.add(block),
                        Entry::Attribute(_) => self.report(Some(block), "an argument"),
                    }
                }
            }
        }
        self.object(entries, |writer, entry| match entry {
            Entry::Attribute(expression) => writer.value(expression),
            Entry::Blocks(blocks) => writer.blocks(blocks),
        });
    }

    fn blocks(&mut self, blocks: Blocks<'_>) {
        if blocks.labeled.is_empty() {
            self.list(blocks.bodies, |writer, block| writer.body(block.body()));
            return;
        }
        self.report(blocks.bodies.first().copied(), "blocks with more labels");
        self.object(blocks.labeled, Self::blocks);
    }

    fn report(&mut self, block: Option<BlockNode<'_>>, other: &str) {
        let Some(block) = block else { return };
        let error = Diagnostic::error(format!("The block {} cannot be converted", block.block_type()));
        let note = format!("JSON can hold either blocks of this form or {other} of the same name.");
        let error = error.at(block.type_span()).with_note(note);
        self.mixed.push(error.with_source(block.document().shared_source()));
    }

    fn value(&mut self, expression: ExpressionNode<'_>) {
        match expression.kind() {
            ExpressionKind::Null => self.out.extend(b"null"),
            ExpressionKind::Bool(flag) => self.bool(flag),
            ExpressionKind::Number(digits) => self.number("", digits),
            // Signs are part of literals, but only of these.
            ExpressionKind::Unary { operator, operand } => match (operator, operand.kind()) {
                (UnaryOperator::Negate, ExpressionKind::Number(digits)) => self.number("-", digits),
                (UnaryOperator::Not, ExpressionKind::Bool(flag)) => self.bool(!flag),
                _ => self.source(expression),
            },
            ExpressionKind::Template(template) => match template.as_unwrapped() {
                Some(inner) => with_room(|| self.value(inner)),
                None => match template.as_literal() {
                    Some(text) => self.string(&escaped(text)),
                    None => self.string(&with_room(|| parts(template.parts()))),
                },
            },
            ExpressionKind::Tuple => self.list(expression.elements(), Self::value),
            ExpressionKind::Object => {
                let items = expression.items().map(|item| (key(item.key()), item.value()));
                self.object(items.collect::<BTreeMap<_, _>>(), Self::value);
            }
            _ => self.source(expression),
        }
    }

    fn bool(&mut self, flag: bool) {
        self.out.extend(if flag { &b"true"[..] } else { b"false" });
    }

    /// A number that `JSON.parse` reads as the nearest double.
    fn number(&mut self, sign: &str, digits: &str) {
        let digits = match digits.trim_start_matches('0') {
            rest if rest.starts_with(|first: char| first.is_ascii_digit()) => rest,
            // The last zero before a point or at the end remains.
            rest => &digits[digits.len() - rest.len() - 1..],
        };
        let is_zero =
            digits.split(['e', 'E']).next().is_none_or(|it| it.bytes().all(|it| matches!(it, b'0' | b'.')));
        if !is_zero {
            self.out.extend(sign.as_bytes());
        }
        self.out.extend(digits.as_bytes());
    }

    fn source(&mut self, expression: ExpressionNode<'_>) {
        self.string(&format!("${{{}}}", expression.text()));
    }

    fn string(&mut self, text: &str) {
        // Writing to memory does not fail.
        let _ = serde_json::to_writer(&mut self.out, text);
    }

    fn list<T>(&mut self, elements: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        self.out.push(b'[');
        for (at, element) in elements.into_iter().enumerate() {
            if at > 0 {
                self.out.push(b',');
            }
            with_room(|| each(self, element));
        }
        self.out.push(b']');
    }

    fn object<N: AsRef<str>, T>(&mut self, entries: BTreeMap<N, T>, mut each: impl FnMut(&mut Self, T)) {
        self.out.push(b'{');
        for (at, (name, value)) in entries.into_iter().enumerate() {
            if at > 0 {
                self.out.push(b',');
            }
            self.string(name.as_ref());
            self.out.push(b':');
            with_room(|| each(self, value));
        }
        self.out.push(b'}');
    }
}

/// The name of an item of an object.
fn key(key: ObjectKey<'_>) -> String {
    match key {
        ObjectKey::Name(name) => name.text.to_owned(),
        ObjectKey::Expression(node) if is_traversal(node) => node.text().to_owned(),
        ObjectKey::Expression(node) => text(node),
    }
}

/// Whether an expression is a name with attributes and literal keys.
fn is_traversal(mut node: ExpressionNode<'_>) -> bool {
    loop {
        node = match node.kind() {
            ExpressionKind::Variable(_) => return true,
            ExpressionKind::GetAttr { object: inner, .. }
            | ExpressionKind::LegacyIndex { collection: inner, .. } => inner,
            ExpressionKind::Index { collection, key } if is_literal_key(key) => collection,
            _ => return false,
        };
    }
}

/// Whether a key in brackets is a step of a traversal.
fn is_literal_key(key: ExpressionNode<'_>) -> bool {
    match key.kind() {
        ExpressionKind::Number(_) => true,
        ExpressionKind::Template(template) => template.as_literal().is_some(),
        _ => false,
    }
}

fn parts(parts: Parts<'_>) -> String {
    let mut out = String::new();
    for part in parts {
        match part {
            Part::Text(text) => out += &escaped(text.value()),
            Part::Interpolation(node) => out += &with_room(|| text(node)),
            Part::If(node) => {
                let branches = with_room(|| (self::parts(node.then_parts()), self::parts(node.else_parts())));
                out += &directive(node.condition(), &branches.0, &branches.1);
            }
            Part::For(node) => {
                let names = [node.key_variable(), Some(node.value_variable())];
                let names: Vec<&str> = names.into_iter().flatten().map(|name| name.text).collect();
                let collection = node.collection().text();
                let inner = with_room(|| self::parts(node.parts()));
                let _ = write!(out, "%{{for {} in {collection}}}{inner}%{{endfor}}", names.join(", "));
            }
        }
    }
    out
}

/// An expression as a part of a template.
fn text(node: ExpressionNode<'_>) -> String {
    match node.kind() {
        ExpressionKind::Null | ExpressionKind::Bool(_) => node.text().to_owned(),
        ExpressionKind::Number(digits) => {
            Number::from_str(digits).map_or_else(|_| digits.to_owned(), |number| number.to_string())
        }
        ExpressionKind::Template(template) => with_room(|| parts(template.parts())),
        ExpressionKind::Conditional { condition, result, other } => {
            let branches = with_room(|| (text(result), text(other)));
            directive(condition, &branches.0, &branches.1)
        }
        _ => format!("${{{}}}", node.text()),
    }
}

fn directive(condition: ExpressionNode<'_>, then: &str, other: &str) -> String {
    let otherwise = if other.is_empty() { "" } else { "%{else}" };
    format!("%{{if {}}}{then}{otherwise}{other}%{{endif}}", condition.text())
}

/// Literal text in a template.
fn escaped(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('{') { text.replace("${", "$${").replace("%{", "%%{").into() } else { text }
}
