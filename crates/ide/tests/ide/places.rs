//! The places of a file whose text completion should give back: what is deleted there, and what kind of name it is.

use hclkit::ast::{
    AttributeNode, BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item, NameNode, ObjectKey, Part,
};
use hclkit::{Document, Span};

/// A part of a text that is deleted.
pub(crate) struct Place {
    pub(crate) kind: &'static str,
    pub(crate) cut: Span,
    /// What completion should offer. Of a reference, an item that begins it counts, such as `var.a` for `var.a.b`.
    pub(crate) wanted: String,
    /// Whether the beginning of `wanted` counts.
    pub(crate) begins: bool,
}

/// The arguments that the language gives to blocks whose other arguments belong to somebody else.
const META: [&str; 9] = [
    "count",
    "for_each",
    "depends_on",
    "provider",
    "providers",
    "source",
    "version",
    "lifecycle",
    "provisioner",
];
/// The blocks with arguments of providers and plugins.
const OBJECTS: [&str; 8] =
    ["resource", "data", "ephemeral", "provider", "source", "build", "action", "backend"];
/// The blocks whose first label is chosen among known ones.
const TYPED: [&str; 8] =
    ["resource", "data", "ephemeral", "provider", "provisioner", "backend", "dynamic", "post-processor"];

/// All places of a file in the native syntax.
pub(crate) fn places(document: &Document, is_values: bool) -> Vec<Place> {
    let mut walk = Walk { document, is_values, loops: Vec::new(), around: Vec::new(), found: Vec::new() };
    walk.body(document.body());
    walk.found
}

struct Walk<'d> {
    document: &'d Document,
    is_values: bool,
    /// The names of the loops around.
    loops: Vec<String>,
    /// The types of the blocks around.
    around: Vec<&'d str>,
    found: Vec<Place>,
}

/// A step of a reference.
enum Step<'d> {
    Name(NameNode<'d>),
    Key(ExpressionNode<'d>),
    Other,
}

impl<'d> Walk<'d> {
    fn add(&mut self, kind: &'static str, cut: Span, wanted: &str, begins: bool) {
        // A line break after an item stays.
        let text = self.document.source().slice(cut);
        let cut = Span::new(cut.start, cut.start + text.trim_end().len() as u32);
        if !wanted.is_empty() {
            self.found.push(Place { kind, cut, wanted: wanted.to_owned(), begins });
        }
    }

    fn body(&mut self, body: BodyNode<'d>) {
        for item in body.items() {
            match item {
                Item::Attribute(own) => self.attribute(own),
                Item::Block(own) => self.block(own),
            }
        }
    }

    fn block(&mut self, block: BlockNode<'d>) {
        let kind = if self.around.is_empty() { "block" } else { "nested block" };
        self.add(kind, block.span(), block.block_type(), false);
        if let Some(label) = block.labels().next().filter(|label| label.is_quoted())
            && TYPED.contains(&block.block_type())
        {
            let inner = Span::new(label.span().start + 1, label.span().end - 1);
            self.add("label", inner, &label.value(), false);
        }
        self.around.push(block.block_type());
        self.body(block.body());
        self.around.pop();
    }

    fn attribute(&mut self, own: AttributeNode<'d>) {
        let name = own.name();
        let kind = match self.around.as_slice() {
            [] if self.is_values => Some("variable in a file of values"),
            // Their names are free.
            [.., "locals" | "required_providers"] => None,
            [first, ..] if OBJECTS.contains(first) || *first == "module" => Some(match *first {
                _ if META.contains(&name) || self.around[1..].iter().any(|own| is_meta(own)) => {
                    "argument of the language"
                }
                "module" => "argument of a call",
                _ => "argument of a resource",
            }),
            _ => Some("argument of the language"),
        };
        if let Some(kind) = kind {
            self.add(kind, own.span(), name, false);
        }
        match (self.around.as_slice(), name) {
            (["variable"], "type") => self.types(own.value()),
            ([.., "lifecycle"], "ignore_changes") => {
                for element in own.value().elements() {
                    self.add("element of ignore_changes", element.span(), element.text(), true);
                }
            }
            // The old address is nowhere.
            (["moved" | "removed"], "from") => {}
            (_, "depends_on" | "replace_triggered_by") => {
                for element in own.value().elements() {
                    self.add("element of depends_on", element.span(), element.text(), true);
                }
            }
            (_, "provider") => self.add("value of provider", own.value().span(), own.value().text(), true),
            (_, "providers") => {
                for item in own.value().items() {
                    self.add("value of provider", item.value().span(), item.value().text(), true);
                }
            }
            (["module"], "source") => {
                let text = literal(own.value()).unwrap_or_default();
                if let Some((start, last)) = text.rsplit_once('/').filter(|_| text.starts_with('.')) {
                    let end = own.value().span().end - 1;
                    let cut = Span::new(end - last.len() as u32, end);
                    if !last.starts_with('.') && !start.contains("//") {
                        self.add("directory of a module", cut, last, false);
                    }
                }
            }
            ([.., "provisioner"], "when" | "on_failure") => {
                self.add("keyword", own.value().span(), own.value().text(), false);
            }
            _ => self.expression(own.value()),
        }
    }

    fn types(&mut self, own: ExpressionNode<'d>) {
        match own.kind() {
            ExpressionKind::Variable(name) => self.add("type", own.span(), name.text, false),
            ExpressionKind::Call(call) => {
                self.add("type", call.name_span(), &call.name(), false);
                call.arguments().take(1).for_each(|own| self.types(own));
            }
            ExpressionKind::Tuple => own.elements().for_each(|own| self.types(own)),
            ExpressionKind::Object => own.items().for_each(|item| self.types(item.value())),
            _ => {}
        }
    }

    fn expression(&mut self, own: ExpressionNode<'d>) {
        use ExpressionKind as Kind;
        match own.kind() {
            Kind::Missing | Kind::Number(_) | Kind::SplatItem => {}
            Kind::Bool(_) | Kind::Null => self.add("keyword", own.span(), own.text(), false),
            Kind::Template(template) => self.parts(template.parts()),
            Kind::Variable(_)
            | Kind::GetAttr { .. }
            | Kind::Index { .. }
            | Kind::LegacyIndex { .. }
            | Kind::Splat { .. } => self.reference(own),
            Kind::Call(call) => {
                self.add("function", call.name_span(), &call.name(), false);
                call.arguments().for_each(|own| self.expression(own));
            }
            Kind::Tuple => own.elements().for_each(|own| self.expression(own)),
            Kind::Object => {
                for item in own.items() {
                    if let ObjectKey::Name(name) = item.key() {
                        self.add("key of an object", item.span(), name.text, false);
                    }
                    self.expression(item.value());
                }
            }
            Kind::For(own) => {
                self.expression(own.collection());
                let depth = self.loops.len();
                let names = own.key_variable().into_iter().chain([own.value_variable()]);
                self.loops.extend(names.map(|name| name.text.to_owned()));
                own.key().into_iter().for_each(|own| self.expression(own));
                self.expression(own.value());
                own.condition().into_iter().for_each(|own| self.expression(own));
                self.loops.truncate(depth);
            }
            Kind::Conditional { condition, result, other } => {
                for own in [condition, result, other] {
                    self.expression(own);
                }
            }
            Kind::Binary { left, right, .. } => {
                for own in [left, right] {
                    self.expression(own);
                }
            }
            Kind::Unary { operand, .. } => self.expression(operand),
            Kind::Parens(own) => self.expression(own),
        }
    }

    fn parts(&mut self, parts: impl Iterator<Item = Part<'d>>) {
        for part in parts {
            match part {
                Part::Text(_) => {}
                Part::Interpolation(own) => self.expression(own),
                Part::If(own) => {
                    self.expression(own.condition());
                    self.parts(own.then_parts());
                    self.parts(own.else_parts());
                }
                Part::For(own) => {
                    self.expression(own.collection());
                    let depth = self.loops.len();
                    let names = own.key_variable().into_iter().chain([own.value_variable()]);
                    self.loops.extend(names.map(|name| name.text.to_owned()));
                    self.parts(own.parts());
                    self.loops.truncate(depth);
                }
            }
        }
    }

    /// A whole reference, and what follows each of its dots.
    fn reference(&mut self, own: ExpressionNode<'d>) {
        let mut steps = Vec::new();
        let Some(root) = self.steps(own, &mut steps) else { return };
        let root = root.text;
        let (whole, members): (&'static str, &[&'static str]) = match root {
            _ if self.loops.iter().any(|name| name == root) => {
                ("name of a loop", &["attribute of an element"])
            }
            "var" | "local" => ("reference to a variable", &["name of a variable", "attribute of a value"]),
            "module" => {
                ("reference to a call", &["name of a call", "output of a call", "attribute of a value"])
            }
            "each" => ("given name", &["given name", "attribute of each.value"]),
            "count" | "self" | "path" | "terraform" => ("given name", &["given name"]),
            "data" => (
                "reference to a resource",
                &["type of a resource", "name of a resource", "attribute of a resource"],
            ),
            _ if root.contains('_') && steps.len() > 1 => {
                ("reference to a resource", &["name of a resource", "attribute of a resource"])
            }
            _ if steps.is_empty() => ("other name", &[]),
            _ => ("other name", &["attribute of another name"]),
        };
        self.add(whole, own.span(), own.text(), true);
        let mut at = 0;
        for step in steps {
            match step {
                Step::Name(name) => {
                    if let Some(member) = members.get(at).or(members.last()) {
                        let cut = Span::new(name.span.start, own.span().end);
                        self.add(member, cut, name.text, false);
                    }
                    at += 1;
                }
                Step::Key(key) => match literal(key) {
                    Some(text) => {
                        let cut = Span::new(key.span().start + 1, key.span().end - 1);
                        self.add("key in brackets", cut, &text, false);
                    }
                    None => self.expression(key),
                },
                Step::Other => {}
            }
        }
    }

    /// The name at the beginning of a reference, and the steps after it.
    fn steps(&mut self, own: ExpressionNode<'d>, steps: &mut Vec<Step<'d>>) -> Option<NameNode<'d>> {
        let (root, step) = match own.kind() {
            ExpressionKind::Variable(name) => return Some(name),
            ExpressionKind::GetAttr { object, name } => (self.steps(object, steps), name.map(Step::Name)),
            ExpressionKind::Index { collection, key } => {
                (self.steps(collection, steps), Some(Step::Key(key)))
            }
            ExpressionKind::LegacyIndex { collection, .. } => {
                (self.steps(collection, steps), Some(Step::Other))
            }
            ExpressionKind::Splat { source, each, .. } => {
                let root = self.steps(source, steps);
                steps.push(Step::Other);
                self.steps(each, steps);
                return root;
            }
            ExpressionKind::SplatItem => return None,
            _ => {
                self.expression(own);
                return None;
            }
        };
        steps.extend(step);
        root
    }
}

fn is_meta(block: &str) -> bool {
    matches!(block, "lifecycle" | "provisioner" | "connection" | "precondition" | "postcondition")
}

fn literal(own: ExpressionNode<'_>) -> Option<String> {
    match own.kind() {
        ExpressionKind::Template(template) => Some(template.as_literal()?.into_owned()),
        _ => None,
    }
}
