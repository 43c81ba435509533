//! What flows where: which resources a name can hold, through locals, variables, outputs, `for`, splats and `each`, so that
//! the attributes which expressions select are found. A name holds everything that its expression refers to, which is more
//! than it has in fact.

use std::collections::{BTreeMap, BTreeSet};

use hclkit_syntax::ast::{BlockNode, BodyNode, ExpressionKind, ExpressionNode, Item, ObjectKey, Part, Parts};

/// What kind of object a block declares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Resource,
    Data,
    Ephemeral,
}

/// Where a value can come from. Directories are numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// A local value, a variable or an output of a directory, such as `local.zones`.
    Name(usize, String),
    /// A part of a resource, with `[]` for an element.
    Object(Kind, String, Vec<String>),
    /// The call of a module in a directory.
    Call(usize, String),
}

pub(super) type Origins = BTreeSet<Origin>;

/// Names that an expression has from its surroundings, and whether `key` and `value` select the same again.
pub(super) type Names = Vec<(String, Origins, bool)>;

/// What was found in all directories.
#[derive(Default)]
pub(super) struct Flow {
    /// What names hold.
    pub(super) names: BTreeMap<(usize, String), Origins>,
    /// The directory that a call calls.
    pub(super) calls: BTreeMap<(usize, String), usize>,
    /// Parts of resources that are selected directly.
    pub(super) exact: BTreeSet<(Kind, String, Vec<String>)>,
    /// Names that are selected in what a name or a call holds.
    pub(super) loose: BTreeSet<(Origin, String)>,
    /// Calls of functions of providers, by the local name.
    pub(super) functions: BTreeSet<(usize, String, String)>,
}

/// A step of an expression.
enum Step {
    Attr(String),
    Key(String),
    Index,
}

/// Walks expressions of a directory.
pub(super) struct Walker<'f> {
    pub(super) flow: &'f mut Flow,
    pub(super) directory: usize,
    pub(super) names: Names,
}

impl Walker<'_> {
    pub(super) fn with<T>(&mut self, names: Names, walk: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.names.len();
        self.names.extend(names);
        let result = walk(self);
        self.names.truncate(before);
        result
    }

    /// All expressions in a body. A `dynamic` block names its elements.
    pub(super) fn body(&mut self, body: BodyNode<'_>) {
        for item in body.items() {
            match item {
                Item::Attribute(attribute) => drop(self.expression(attribute.value())),
                Item::Block(block) if block.block_type() == "dynamic" => self.dynamic(block, Self::body),
                Item::Block(block) => self.body(block.body()),
            }
        }
    }

    /// The parts of a `dynamic` block: a function walks its content.
    pub(super) fn dynamic(&mut self, block: BlockNode<'_>, mut content: impl FnMut(&mut Self, BodyNode<'_>)) {
        let body = block.body();
        let each = body.attribute("for_each").map(|each| self.expression(each.value())).unwrap_or_default();
        let own = body.attribute("iterator").map(|iterator| iterator.value().text().to_owned());
        let name = own.or_else(|| super::tree::label(block, 0)).unwrap_or_default();
        let names = vec![(name, step(each), true)];
        self.with(names, |walker| {
            for block in body.blocks().filter(|block| block.block_type() == "content") {
                content(walker, block.body());
            }
        });
    }

    pub(super) fn expression(&mut self, expression: ExpressionNode<'_>) -> Origins {
        use ExpressionKind as E;
        match expression.kind() {
            E::Missing | E::Number(_) | E::Bool(_) | E::Null => Origins::new(),
            E::Template(template) => {
                if let Some(inner) = template.as_unwrapped() {
                    return self.expression(inner);
                }
                self.parts(template.parts());
                Origins::new()
            }
            E::Variable(_) | E::GetAttr { .. } | E::Index { .. } | E::LegacyIndex { .. } | E::SplatItem => {
                self.chain(expression)
            }
            E::Splat { source, each, .. } => {
                let source = step(self.expression(source));
                self.with(vec![("*".to_owned(), source, false)], |walker| walker.expression(each))
            }
            E::Call(call) => {
                let name = call.name();
                if let Some((provider, function)) =
                    name.strip_prefix("provider::").and_then(|rest| rest.split_once("::"))
                {
                    let found = (self.directory, provider.to_owned(), function.to_owned());
                    self.flow.functions.insert(found);
                }
                let arguments: Vec<ExpressionNode<'_>> = call.arguments().collect();
                let mut all = Origins::new();
                for (at, argument) in arguments.iter().enumerate() {
                    let origins = self.expression(*argument);
                    let key = arguments.get(1).and_then(|key| super::tree::literal(*key));
                    if let Some(key) = key.filter(|_| at == 0 && name == "lookup") {
                        self.select(&origins, &key);
                    }
                    all.extend(origins);
                }
                all
            }
            E::Tuple => {
                let elements: Vec<Origins> =
                    expression.elements().map(|element| self.expression(element)).collect();
                elements.into_iter().flatten().collect()
            }
            E::Object => {
                let mut all = Origins::new();
                for item in expression.items() {
                    if let ObjectKey::Expression(key) = item.key() {
                        self.expression(key);
                    }
                    all.extend(self.expression(item.value()));
                }
                all
            }
            E::For(each) => {
                let collection = step(self.expression(each.collection()));
                let mut names = vec![(each.value_variable().text.to_owned(), collection, false)];
                names.extend(each.key_variable().map(|key| (key.text.to_owned(), Origins::new(), false)));
                self.with(names, |walker| {
                    for other in each.key().into_iter().chain(each.condition()) {
                        walker.expression(other);
                    }
                    walker.expression(each.value())
                })
            }
            E::Conditional { condition, result, other } => {
                self.expression(condition);
                let mut all = self.expression(result);
                all.extend(self.expression(other));
                all
            }
            E::Binary { left, right, .. } => {
                self.expression(left);
                self.expression(right);
                Origins::new()
            }
            E::Unary { operand, .. } => {
                self.expression(operand);
                Origins::new()
            }
            E::Parens(inner) => self.expression(inner),
        }
    }

    fn parts(&mut self, parts: Parts<'_>) {
        for part in parts {
            match part {
                Part::Text(_) => {}
                Part::Interpolation(expression) => drop(self.expression(expression)),
                Part::If(directive) => {
                    self.expression(directive.condition());
                    self.parts(directive.then_parts());
                    self.parts(directive.else_parts());
                }
                Part::For(directive) => {
                    let collection = step(self.expression(directive.collection()));
                    let mut names = vec![(directive.value_variable().text.to_owned(), collection, false)];
                    let key = directive.key_variable();
                    names.extend(key.map(|key| (key.text.to_owned(), Origins::new(), false)));
                    self.with(names, |walker| walker.parts(directive.parts()));
                }
            }
        }
    }

    /// A name or another expression, and the steps after it.
    fn chain(&mut self, expression: ExpressionNode<'_>) -> Origins {
        let (mut base, mut steps) = (expression, Vec::new());
        loop {
            match base.kind() {
                ExpressionKind::GetAttr { object, name } => {
                    steps.push(Step::Attr(name.map(|name| name.text.to_owned()).unwrap_or_default()));
                    base = object;
                }
                ExpressionKind::Index { collection, key } => {
                    self.expression(key);
                    steps.push(super::tree::literal(key).map_or(Step::Index, Step::Key));
                    base = collection;
                }
                ExpressionKind::LegacyIndex { collection, .. } => {
                    steps.push(Step::Index);
                    base = collection;
                }
                _ => break,
            }
        }
        steps.reverse();
        let name = match base.kind() {
            ExpressionKind::Variable(name) => name.text,
            ExpressionKind::SplatItem => "*",
            _ => {
                let origins = self.expression(base);
                return self.steps(origins, &steps);
            }
        };
        if let Some((_, origins, repeats)) = self.names.iter().rev().find(|(own, ..)| own == name) {
            let of_element =
                |step: &Step| matches!(step, Step::Attr(name) if name == "key" || name == "value");
            let skip = usize::from(*repeats && steps.first().is_some_and(of_element));
            let origins = origins.clone();
            // An element of a splat is an object, and its key an attribute.
            if let ("*", Some(Step::Key(key))) = (name, steps.first()) {
                let selected = self.select(&origins, &key.clone());
                return self.steps(selected, &steps[1..]);
            }
            return self.steps(origins, &steps[skip..]);
        }
        let (origin, used) = self.global(name, &steps);
        self.steps(origin.into_iter().collect(), &steps[used..])
    }

    /// What a name at the root of a chain refers to, and the number of steps that belong to the name.
    fn global(&self, root: &str, steps: &[Step]) -> (Option<Origin>, usize) {
        let attr = |at: usize| match steps.get(at) {
            Some(Step::Attr(name)) => Some(name.clone()),
            _ => None,
        };
        let own = self.directory;
        let (kind, first) = match root {
            "var" | "local" => {
                return (attr(0).map(|name| Origin::Name(own, format!("{root}.{name}"))), steps.len().min(1));
            }
            "module" => return (attr(0).map(|name| Origin::Call(own, name)), steps.len().min(1)),
            "path" | "terraform" | "count" | "each" | "self" => return (None, 0),
            "data" => (Kind::Data, 1),
            "ephemeral" => (Kind::Ephemeral, 1),
            _ => (Kind::Resource, 0),
        };
        let ty = if first == 1 { attr(0) } else { Some(root.to_owned()) };
        match (ty, attr(first)) {
            (Some(ty), Some(_)) => (Some(Origin::Object(kind, ty, Vec::new())), first + 1),
            _ => (None, 0),
        }
    }

    fn steps(&mut self, mut origins: Origins, steps: &[Step]) -> Origins {
        for each in steps {
            origins = match each {
                Step::Attr(name) => self.select(&origins, name),
                Step::Key(key) => {
                    let names = origins.iter().filter(|origin| matches!(origin, Origin::Name(..))).cloned();
                    let names = names.collect();
                    self.select(&names, key);
                    step(origins)
                }
                Step::Index => step(origins),
            };
        }
        origins
    }

    /// The attribute of what expressions refer to.
    pub(super) fn select(&mut self, origins: &Origins, name: &str) -> Origins {
        let mut selected = Origins::new();
        for origin in origins {
            match origin {
                Origin::Object(kind, ty, path) => {
                    let mut path = path.clone();
                    path.push(name.to_owned());
                    self.flow.exact.insert((*kind, ty.clone(), path.clone()));
                    selected.insert(Origin::Object(*kind, ty.clone(), path));
                }
                Origin::Name(..) => {
                    self.flow.loose.insert((origin.clone(), name.to_owned()));
                    selected.insert(origin.clone());
                }
                Origin::Call(directory, call) => {
                    self.flow.loose.insert((origin.clone(), name.to_owned()));
                    if let Some(called) = self.flow.calls.get(&(*directory, call.clone())) {
                        selected.insert(Origin::Name(*called, format!("output.{name}")));
                    }
                }
            }
        }
        selected
    }
}

/// An element of what expressions refer to.
pub(super) fn step(origins: Origins) -> Origins {
    let one = |origin| match origin {
        Origin::Object(kind, ty, mut path) if !path.is_empty() => {
            path.push("[]".to_owned());
            Origin::Object(kind, ty, path)
        }
        other => other,
    };
    origins.into_iter().map(one).collect()
}

impl Flow {
    /// The parts of resources, and the calls, that each name can hold.
    pub(super) fn reach(&self) -> BTreeMap<(usize, String), Origins> {
        let mut reached: BTreeMap<(usize, String), Origins> = BTreeMap::new();
        loop {
            let mut changed = false;
            for (name, origins) in &self.names {
                let mut all = reached.get(name).cloned().unwrap_or_default();
                let before = all.len();
                for origin in origins {
                    all.extend(self.held(origin, &reached));
                }
                changed |= all.len() != before;
                reached.insert(name.clone(), all);
            }
            if !changed {
                return reached;
            }
        }
    }

    /// What an origin holds. A call holds what its outputs hold.
    pub(super) fn held(&self, origin: &Origin, reached: &BTreeMap<(usize, String), Origins>) -> Origins {
        match origin {
            Origin::Name(directory, name) => {
                reached.get(&(*directory, name.clone())).cloned().unwrap_or_default()
            }
            Origin::Object(..) => [origin.clone()].into(),
            Origin::Call(directory, name) => {
                let mut held = Origins::from([origin.clone()]);
                if let Some(called) = self.calls.get(&(*directory, name.clone())) {
                    let outputs =
                        reached.range((*called, "output.".to_owned())..(*called, "output/".to_owned()));
                    held.extend(outputs.flat_map(|(_, origins)| origins.iter().cloned()));
                }
                held
            }
        }
    }
}
