//! What files use: the arguments and blocks that the blocks of a type have, the attributes of what they refer to, the values of
//! arguments, functions and labels. It ranks what is offered, and it is all that is known about objects without a schema.
//! It has names and no values.

use std::collections::BTreeMap;

use hclkit::ast::{
    AttributeNode, BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item, NameNode, ObjectKey, Part,
};
use hclkit::dialect::{Contents, Dialect, Role};
use hclkit::model::hides_value;
use hclkit::syntax::Root;

use crate::file::File;

/// The deepest objects and blocks whose keys are remembered.
const MOST_LEVELS: usize = 6;
/// The deepest expressions that are read.
const MOST_DEPTH: u32 = 100;
/// The longest names that are remembered.
const MOST_NAME: usize = 100;
/// The most names of a file about one subject, and in all.
const MOST_NAMES: usize = 1_000;
const MOST: usize = 20_000;

/// What an argument looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    #[default]
    Other,
    Text,
    List,
    Object,
    Block,
}

/// How often a name is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) count: u32,
    pub(crate) form: Form,
}

/// What the names of a list are about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    /// The arguments, blocks and keys of a body or an object, by the way to it, such as `resource a_b/rule`.
    Items(String),
    /// Those that come after one of them, or first.
    Next(String, String),
    /// The names after a name and a dot, such as those after `var.a`, or after an object of a type.
    Members(String),
    /// The literal keys in brackets after an address.
    Keys(String),
    /// The references, keywords and functions in the values of an argument or key.
    Values(String),
    /// The first labels of the blocks of a type.
    Labels(String),
    /// The functions that are called.
    Functions,
    /// The names of the calls of a module that is elsewhere, by its source.
    Calls(String),
}

/// The names that a file uses, by what they are about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage(BTreeMap<Subject, BTreeMap<Box<str>, Seen>>);

impl Usage {
    pub(crate) fn of(file: &File) -> Self {
        let Root::Body(body) = file.document().root() else { return Self::default() };
        let part = file.content_dialect().map(std::convert::AsRef::as_ref);
        let mut walk = Walk {
            part,
            found: Self::default(),
            loops: Vec::new(),
            left: MOST,
            depth: 0,
            is_hidden: file.holds_values(),
        };
        let top = if file.holds_values() { Path::values() } else { Path::default() };
        walk.body(body, &top, None);
        walk.found
    }

    /// The names about a subject.
    pub(crate) fn about(&self, subject: &Subject) -> impl Iterator<Item = (&str, Seen)> {
        self.0.get(subject).into_iter().flatten().map(|(name, seen)| (&**name, *seen))
    }

    /// Without what means something only in its module. A file that is alone keeps the names that it refers to.
    pub(crate) fn for_others(&self, is_alone: bool) -> Self {
        let is_shared = |subject: &Subject, name: &str| match subject {
            Subject::Values(_) => matches!(name, "true" | "false" | "null"),
            // Those of a type of objects, and results of calls.
            Subject::Members(owner) => is_alone || owner.contains(' ') || owner.starts_with("module."),
            Subject::Keys(_) => is_alone,
            Subject::Items(path) | Subject::Next(path, _) => !path.starts_with("locals"),
            _ => true,
        };
        let of = |(subject, names): (&Subject, &BTreeMap<Box<str>, Seen>)| {
            let shared = names.iter().filter(|(name, _)| is_shared(subject, name));
            let names: BTreeMap<_, _> = shared.map(|(name, seen)| (name.clone(), *seen)).collect();
            (!names.is_empty()).then(|| (subject.clone(), names))
        };
        Self(self.0.iter().filter_map(of).collect())
    }

    /// The sources of modules that are elsewhere, with the calls.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(subject, names)| {
            let source = match subject {
                Subject::Calls(source) => Some(source.as_str()),
                _ => None,
            };
            source.into_iter().flat_map(|source| names.keys().map(move |name| (source, &**name)))
        })
    }

    fn add(&mut self, subject: Subject, name: &str, form: Form) {
        let names = self.0.entry(subject).or_default();
        if name.len() > MOST_NAME || names.len() >= MOST_NAMES && !names.contains_key(name) {
            return;
        }
        let seen = names.entry(name.into()).or_insert(Seen { count: 0, form });
        seen.count += 1;
    }
}

/// The way to a body or an object.
#[derive(Clone, Default)]
pub(crate) struct Path {
    pub(crate) text: String,
    /// The last name.
    pub(crate) last: String,
    pub(crate) levels: usize,
}

impl Path {
    pub(crate) fn join(&self, name: &str) -> Self {
        let text = if self.levels == 0 { name.to_owned() } else { format!("{}/{name}", self.text) };
        Self { text, last: name.to_owned(), levels: self.levels + 1 }
    }

    /// The top of a file of values.
    pub(crate) fn values() -> Self {
        Self { text: "=".to_owned(), last: String::new(), levels: 1 }
    }

    /// The way to objects in arguments or keys with a name, wherever they are.
    pub(crate) fn anywhere(name: &str) -> Self {
        Self { text: format!("**/{name}"), last: name.to_owned(), levels: MOST_LEVELS }
    }

    /// The way to the body of a block. Blocks whose content depends on their type have the type; those that `dynamic` makes are
    /// as if they were written.
    pub(crate) fn block(
        &self,
        part: Option<&Dialect>,
        outer: Option<&str>,
        own: &str,
        labels: &[String],
    ) -> Self {
        if own == "content"
            && outer == Some("dynamic")
            && let Some((before, own)) = self.text.rsplit_once("dynamic ")
        {
            return Self { text: format!("{before}{own}"), ..self.clone() };
        }
        let Some(first) = labels.first() else { return self.join(own) };
        if own == "dynamic" && outer.is_some() {
            return self.join(&format!("dynamic {first}"));
        }
        let is_typed = part.is_some_and(|part| is_typed(part, outer, own));
        if is_typed { self.join(&format!("{own} {first}")) } else { self.join(own) }
    }

    /// The way to the body of a call of a module that is elsewhere.
    pub(crate) fn call(source: &str) -> Self {
        Self { text: format!("call {source}"), last: String::new(), levels: 1 }
    }
}

/// Whether the content of a block depends on its first label.
pub(crate) fn is_typed(part: &Dialect, outer: Option<&str>, block_type: &str) -> bool {
    part.shape(outer, block_type).is_some_and(|shape| {
        shape.contents == Contents::Open || shape.labels.first().is_some_and(|label| label == "type")
    })
}

/// The source of a module that is elsewhere, without its version.
pub(crate) fn remote_source(block: BlockNode<'_>) -> Option<String> {
    let source = block.body().attribute("source")?.value();
    let ExpressionKind::Template(template) = source.kind() else { return None };
    let text = template.as_literal()?;
    let text = text.split('?').next().unwrap_or_default();
    (!text.is_empty() && !text.starts_with('.')).then(|| text.to_owned())
}

struct Walk<'f> {
    part: Option<&'f Dialect>,
    found: Usage,
    loops: Vec<&'f str>,
    /// How many names are still taken.
    left: usize,
    /// The expressions around.
    depth: u32,
    /// Whether the keys of objects may be sensitive.
    is_hidden: bool,
}

impl<'f> Walk<'f> {
    fn add(&mut self, subject: Subject, name: &str, form: Form) {
        if let Some(left) = self.left.checked_sub(1) {
            self.left = left;
            self.found.add(subject, name, form);
        }
    }

    fn body(&mut self, body: BodyNode<'f>, path: &Path, outer: Option<&str>) {
        let mut previous = "";
        for item in body.items() {
            let name = match item {
                Item::Attribute(own) => {
                    self.attribute(own, path);
                    own.name()
                }
                Item::Block(own) => {
                    self.block(own, path, outer);
                    own.block_type()
                }
            };
            self.add(Subject::Next(path.text.clone(), previous.to_owned()), name, Form::Other);
            previous = name;
        }
    }

    fn block(&mut self, block: BlockNode<'f>, path: &Path, outer: Option<&str>) {
        let own = block.block_type();
        let labels: Vec<String> = block.label_texts().into_iter().map(std::borrow::Cow::into_owned).collect();
        let is_dynamic = own == "dynamic" && outer.is_some();
        if path.levels > MOST_LEVELS {
            return;
        }
        let name = if is_dynamic { labels.first().map_or(own, String::as_str) } else { own };
        if !(own == "content" && outer == Some("dynamic")) {
            self.add(Subject::Items(path.text.clone()), name, Form::Block);
        }
        let is_chosen = self.part.is_none_or(|part| is_typed(part, outer, own));
        if let Some(label) = labels.first().filter(|_| is_chosen && !is_dynamic) {
            self.add(Subject::Labels(own.to_owned()), label, Form::Other);
        }
        let rule = self.part.filter(|_| outer.is_none()).and_then(|part| part.block(own));
        let source = rule.filter(|rule| rule.role == Role::Call).and_then(|_| remote_source(block));
        let inner = match (&source, labels.first()) {
            (Some(source), Some(label)) => {
                self.add(Subject::Calls(source.clone()), label, Form::Other);
                Path::call(source)
            }
            _ => path.block(self.part, outer, own, &labels),
        };
        let was_hidden = self.is_hidden;
        // Other files may say that the value of a variable is sensitive.
        self.is_hidden |= rule.is_some_and(|rule| rule.role == Role::Input);
        self.is_hidden |= hides_value(&hclkit::Body::from_ast(block.body()));
        self.body(block.body(), &inner, Some(own));
        self.is_hidden = was_hidden;
    }

    fn attribute(&mut self, own: AttributeNode<'f>, path: &Path) {
        let value = own.value();
        if let Some(family) = family(&path.text) {
            self.add(Subject::Items(family), own.name(), form(value));
        }
        self.add(Subject::Items(path.text.clone()), own.name(), form(value));
        self.expression(value, own.name(), &path.join(own.name()));
    }

    fn expression(&mut self, own: ExpressionNode<'f>, name: &str, path: &Path) {
        if self.depth < MOST_DEPTH {
            self.depth += 1;
            self.inner_expression(own, name, path);
            self.depth -= 1;
        }
    }

    fn inner_expression(&mut self, own: ExpressionNode<'f>, name: &str, path: &Path) {
        use ExpressionKind as Kind;
        match own.kind() {
            Kind::Missing | Kind::Number(_) | Kind::SplatItem => {}
            Kind::Bool(_) | Kind::Null => self.add(Subject::Values(name.to_owned()), own.text(), Form::Other),
            Kind::Template(template) => self.parts(template.parts(), name, path),
            Kind::Variable(_)
            | Kind::GetAttr { .. }
            | Kind::Index { .. }
            | Kind::LegacyIndex { .. }
            | Kind::Splat { .. } => self.reference(own, name, path),
            Kind::Call(call) => {
                self.add(Subject::Functions, &call.name(), Form::Other);
                self.add(Subject::Values(name.to_owned()), &call.name(), Form::Other);
                let was_hidden = self.is_hidden;
                self.is_hidden |= call.name().ends_with("sensitive");
                call.arguments().for_each(|own| self.expression(own, name, path));
                self.is_hidden = was_hidden;
            }
            Kind::Tuple => own.elements().for_each(|own| self.expression(own, name, path)),
            Kind::Object => self.object(own, path),
            Kind::For(own) => {
                self.expression(own.collection(), name, path);
                let depth = self.loops.len();
                let names = own.key_variable().into_iter().chain([own.value_variable()]);
                self.loops.extend(names.map(|name| name.text));
                own.key().into_iter().for_each(|own| self.expression(own, name, path));
                self.expression(own.value(), name, path);
                own.condition().into_iter().for_each(|own| self.expression(own, name, path));
                self.loops.truncate(depth);
            }
            Kind::Conditional { condition, result, other } => {
                for own in [condition, result, other] {
                    self.expression(own, name, path);
                }
            }
            Kind::Binary { left, right, .. } => {
                for own in [left, right] {
                    self.expression(own, name, path);
                }
            }
            Kind::Unary { operand, .. } => self.expression(operand, name, path),
            Kind::Parens(own) => self.expression(own, name, path),
        }
    }

    fn object(&mut self, own: ExpressionNode<'f>, path: &Path) {
        if path.levels > MOST_LEVELS || self.is_hidden {
            return;
        }
        self.keys(own, path);
        // Objects in arguments of the same name are alike, whatever has the argument.
        if path.levels > 1 {
            self.keys(own, &Path::anywhere(&path.last));
        }
        for item in own.items() {
            let key = match item.key() {
                ObjectKey::Name(name) => Some(name.text),
                ObjectKey::Expression(_) => None,
            };
            // The elements of a map have the same keys, whatever their own keys are.
            if matches!(item.value().kind(), ExpressionKind::Object) && key.is_some() {
                self.keys(item.value(), &path.join("*"));
            }
            self.expression(item.value(), key.unwrap_or_default(), &path.join(key.unwrap_or("*")));
        }
    }

    fn keys(&mut self, own: ExpressionNode<'f>, path: &Path) {
        let mut previous = "";
        for item in own.items() {
            if let ObjectKey::Name(name) = item.key() {
                self.add(Subject::Items(path.text.clone()), name.text, form(item.value()));
                self.add(Subject::Next(path.text.clone(), previous.to_owned()), name.text, Form::Other);
                previous = name.text;
            }
        }
    }

    fn parts(&mut self, parts: impl Iterator<Item = Part<'f>>, name: &str, path: &Path) {
        for part in parts {
            match part {
                Part::Text(_) => {}
                Part::Interpolation(own) => self.expression(own, name, path),
                Part::If(own) => {
                    self.expression(own.condition(), name, path);
                    self.parts(own.then_parts(), name, path);
                    self.parts(own.else_parts(), name, path);
                }
                Part::For(own) => {
                    self.expression(own.collection(), name, path);
                    let depth = self.loops.len();
                    let names = own.key_variable().into_iter().chain([own.value_variable()]);
                    self.loops.extend(names.map(|name| name.text));
                    self.parts(own.parts(), name, path);
                    self.loops.truncate(depth);
                }
            }
        }
    }

    fn reference(&mut self, own: ExpressionNode<'f>, name: &str, path: &Path) {
        let mut names: Vec<&str> = Vec::new();
        if !self.steps(own, &mut names, name, path) || names.is_empty() {
            return;
        }
        let is_loop = self.loops.contains(&names[0]);
        if !is_loop {
            let whole = names[..names.len().min(4)].join(".");
            self.add(Subject::Values(name.to_owned()), &whole, Form::Other);
        }
        let object = self.part.and_then(|part| object_type(part, &names)).filter(|_| !is_loop);
        if names.len() > 1 {
            self.add(Subject::Members(String::new()), names[0], Form::Other);
        }
        if let Some((ty, length)) = &object
            && let (Some(family), Some(name)) = (family(ty), names.get(*length))
        {
            self.add(Subject::Members(family), name, Form::Other);
        }
        for at in 1..names.len().min(MOST_LEVELS) {
            self.add(Subject::Members(names[..at].join(".")), names[at], Form::Other);
            if let Some((ty, length)) = &object
                && at >= *length
            {
                let rest = &names[*length..at];
                let owner = rest.iter().fold(ty.clone(), |owner, name| format!("{owner}.{name}"));
                self.add(Subject::Members(owner), names[at], Form::Other);
            }
        }
    }

    /// The names of a reference without keys. False if it does not begin with a name.
    fn steps(&mut self, own: ExpressionNode<'f>, names: &mut Vec<&'f str>, name: &str, path: &Path) -> bool {
        if self.depth >= MOST_DEPTH {
            return false;
        }
        self.depth += 1;
        let begins = self.inner_steps(own, names, name, path);
        self.depth -= 1;
        begins
    }

    fn inner_steps(
        &mut self,
        own: ExpressionNode<'f>,
        names: &mut Vec<&'f str>,
        name: &str,
        path: &Path,
    ) -> bool {
        let add =
            |names: &mut Vec<&'f str>, name: Option<NameNode<'f>>| names.extend(name.map(|name| name.text));
        match own.kind() {
            ExpressionKind::Variable(root) => {
                names.push(root.text);
                true
            }
            ExpressionKind::GetAttr { object, name: own } => {
                let begins = self.steps(object, names, name, path);
                add(names, own);
                begins
            }
            ExpressionKind::Index { collection, key } => {
                let literal = match key.kind() {
                    ExpressionKind::Template(template) => template.as_literal(),
                    _ => None,
                };
                self.expression(key, name, path);
                let begins = self.steps(collection, names, name, path);
                if let Some(literal) = literal.filter(|own| begins && !own.is_empty()) {
                    self.add(Subject::Keys(names.join(".")), &literal, Form::Other);
                }
                begins
            }
            ExpressionKind::LegacyIndex { collection, .. } => self.steps(collection, names, name, path),
            ExpressionKind::Splat { source, each, .. } => {
                let begins = self.steps(source, names, name, path);
                self.steps(each, names, name, path);
                begins
            }
            ExpressionKind::SplatItem => true,
            _ => {
                self.expression(own, name, path);
                false
            }
        }
    }
}

/// What the types of objects of one provider have in common: `resource a_*` for `resource a_b`, and `call *` for any module that is
/// elsewhere.
pub(crate) fn family(object: &str) -> Option<String> {
    let (block, ty) = object.split_once(' ')?;
    if block == "call" {
        return Some("call *".to_owned());
    }
    let (provider, _) = ty.split_once('_').filter(|_| !ty.contains('/'))?;
    Some(format!("{block} {provider}_*"))
}

/// The type of the object that a reference begins with, as a block and a label, such as `data a_b`, and the number of names of its
/// address.
pub(crate) fn object_type(part: &Dialect, names: &[&str]) -> Option<(String, usize)> {
    let rules = part.blocks.iter().filter(|rule| rule.role == Role::Object);
    let mut found: Option<(String, usize)> = None;
    for rule in rules {
        let length = rule.defines.len();
        let is_known = found.as_ref().is_some_and(|(_, known)| *known >= length);
        let Some(address) = names.get(..length).filter(|own| !own.is_empty() && !is_known) else { continue };
        // A form that begins with a label fits what others begin with, too.
        let is_other = rule.defines.root().is_none()
            && (part
                .blocks
                .iter()
                .any(|other| other.defines.root().is_some_and(|root| **root == *address[0]))
                || part.builtins.iter().any(|(names, _)| *names[0] == *address[0])
                || part.repeats.iter().any(|own| own.key.first().is_some_and(|root| **root == *address[0])));
        if is_other {
            continue;
        }
        if let Some(definition) = rule.defines.definition(address)
            && let Some(Some(ty)) = definition.labels.first()
            && rule.labels.len() > 1
        {
            found = Some((format!("{} {ty}", rule.block_type), length));
        }
    }
    found
}

fn form(value: ExpressionNode<'_>) -> Form {
    match value.kind() {
        ExpressionKind::Template(_) => Form::Text,
        ExpressionKind::Tuple => Form::List,
        ExpressionKind::Object => Form::Object,
        _ => Form::Other,
    }
}
