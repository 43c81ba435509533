//! A loaded module: its addresses and their values.

use std::collections::HashSet;
use std::sync::Arc;

use hclkit_limits::{Meter, with_room};
use hclkit_model::{Context, Expression, Reported};
use hclkit_syntax::{Diagnostics, nearest_name};
use hclkit_value::{Name, Value};

use crate::config::{Config, Content, Item};
use crate::explain::Reasons;
use crate::graph::Graph;
use crate::instance::{
    Instance, Shared, Step, Tree, addressed, build_path, condition_path, effects, written,
};
use crate::language::{Language, Over, Role};
use crate::messages;
use crate::pattern::{Match, Pattern};

/// A module: the declarations of a directory, and the modules that it calls. Each value is evaluated once, on demand.
#[derive(Clone, Debug)]
pub struct Module {
    pub(crate) root: Arc<Instance>,
    configs: Arc<[Arc<Config>]>,
    /// Errors in the values of variables.
    diagnostics: Diagnostics,
}

/// The values of addresses.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Evaluation {
    /// The values, in this order: variables, local values, objects, calls, results.
    pub values: Vec<Found>,
    /// All errors and warnings, each once.
    pub diagnostics: Diagnostics,
}

/// An address with its value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// The address, such as `module.net["a"].local.cidr`.
    pub address: String,
    /// The value. Parts that depend on a value with an error are unknown.
    pub value: Value,
    /// True if the block declares it as sensitive.
    pub sensitive: bool,
}

impl Module {
    pub(crate) fn new(
        tree: Tree,
        root: Arc<Config>,
        configs: Vec<Arc<Config>>,
        diagnostics: Diagnostics,
    ) -> Module {
        Module { root: Instance::root(Arc::new(tree), root), configs: configs.into(), diagnostics }
    }

    /// The language.
    pub fn language(&self) -> &Arc<Language> {
        &self.root.tree.language
    }

    /// Returns the directories of all loaded modules, relative to that of the root module. The first one is empty.
    pub fn directories(&self) -> impl Iterator<Item = &str> {
        self.configs.iter().map(|config| config.directory.as_str())
    }

    pub(crate) fn configs(&self) -> &[Arc<Config>] {
        &self.configs
    }

    /// Returns the context in which expressions of the root module are evaluated.
    pub fn context(&self) -> &Context {
        &self.root.context
    }

    /// Returns the errors in the files and in the values of variables.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        for config in &*self.configs {
            all.append(config.diagnostics.clone());
        }
        all.append(self.diagnostics.clone());
        all
    }

    /// Returns the references between declarations.
    pub fn graph(&self) -> Graph {
        Graph::of(&self.root.config)
    }

    /// Finds out why values are unknown.
    pub fn reasons(&self) -> Reasons {
        Reasons::new(self.clone())
    }

    /// Reports errors that do not depend on the values that a provider and the caller set: undefined names, even in
    /// expressions that are not evaluated, and all errors of an evaluation in which variables of the root module are unknown
    /// unless they are set. Adds a warning for each unused variable and local value. If a file has syntax errors, only these
    /// are reported.
    pub fn check(&self) -> Diagnostics {
        let mut broken = Diagnostics::new();
        self.configs.iter().for_each(|config| broken.append(config.broken.clone()));
        if broken.has_errors() {
            return broken;
        }
        let shared = Shared::new(&self.root.config);
        let tree = Tree { checking: true, unknown_inputs: true, shared, ..(*self.root.tree).clone() };
        let tree = Arc::new(tree);
        let checked = Module {
            root: Instance::root(tree.clone(), self.root.config.clone()),
            configs: self.configs.clone(),
            diagnostics: self.diagnostics.clone(),
        };
        let mut diagnostics = checked.evaluate(&[]).diagnostics;
        for config in self.configs.iter().filter(|config| !config.installed) {
            crate::lint::undefined(&tree, config, &mut diagnostics);
            crate::lint::unused(config, &mut diagnostics);
        }
        let mut diagnostics = diagnostics.distinct();
        diagnostics
            .sort_by_key(|found| (found.source().map(|source| source.name().to_owned()), found.span()));
        diagnostics
    }

    /// Evaluates the addresses that patterns select. Without patterns, evaluates all addresses.
    pub fn evaluate(&self, patterns: &[Pattern]) -> Evaluation {
        let _operation = Meter::current().begin();
        if patterns.is_empty() {
            crate::parallel::evaluate(&self.root);
        }
        let mut walk = Walk {
            patterns,
            selected: vec![false; patterns.len()],
            reported: Reported::default(),
            found: Evaluation::default(),
            seen: None,
        };
        walk.found.diagnostics = self.diagnostics();
        walk.instance(&self.root);
        for (pattern, selected) in patterns.iter().zip(&walk.selected) {
            if !selected && pattern.is_exact() {
                let others = self.near(&pattern.to_string());
                walk.found.diagnostics.push(messages::nothing_at(&pattern.to_string(), &others));
            }
        }
        self.check_conditions(patterns.is_empty(), &mut walk.reported, &mut walk.found.diagnostics);
        if patterns.is_empty() {
            self.check_statements(&mut walk.found.diagnostics);
        }
        walk.found.diagnostics = walk.found.diagnostics.distinct();
        if walk.found.diagnostics.has_errors() {
            self.add_chains(patterns, &mut walk.found.diagnostics);
        }
        walk.found
    }

    /// Returns addresses that may be meant by one at which there is nothing: those with other keys, or one with a similar
    /// name.
    fn near(&self, address: &str) -> Vec<String> {
        let graph = self.graph();
        let bare = crate::graph::without_keys(address);
        let Some(node) = graph.leading_to(address).first().map(|at| &graph.nodes[*at].address) else {
            let names = graph.nodes.iter().map(|node| node.address.as_str());
            return nearest_name(&bare, names).map(str::to_owned).into_iter().collect();
        };
        let top: Vec<&str> = bare.splitn(3, '.').take(2).collect();
        let Ok(pattern) = top.join(".").parse::<Pattern>() else { return Vec::new() };
        let found = self.evaluate(&[pattern]).values.into_iter().map(|found| found.address);
        found.filter(|own| *own != address && crate::graph::without_keys(own) == *node).collect()
    }

    /// Adds to each error the requested address that depends on it.
    fn add_chains(&self, patterns: &[Pattern], diagnostics: &mut Diagnostics) {
        let graph = self.graph();
        let asked: Vec<usize> = if patterns.is_empty() {
            let is_result = |at: &usize| graph.nodes[*at].role == Role::Result.as_str();
            let used: HashSet<usize> = graph.edges.iter().map(|(_, to)| *to).collect();
            (0..graph.nodes.len()).filter(|at| is_result(at) && !used.contains(at)).collect()
        } else {
            patterns.iter().flat_map(|pattern| graph.leading_to(&pattern.to_string())).collect()
        };
        let paths = graph.paths(&asked);
        diagnostics.update(|found| {
            let chain = graph.around(&found).and_then(|node| paths.to(node));
            match chain.as_deref() {
                Some([start, through @ .., _]) => {
                    let names: Vec<&str> =
                        through.iter().map(|node| graph.nodes[*node].address.as_str()).collect();
                    let start = &graph.nodes[*start];
                    let text = messages::needed_by(&start.address, &names);
                    found.with_related(&start.place.source, start.place.span, text)
                }
                _ => found,
            }
        });
    }

    /// Checks the statements of all modules about addresses.
    fn check_statements(&self, diagnostics: &mut Diagnostics) {
        let mut open = vec![self.root.clone()];
        while let Some(instance) = open.pop() {
            crate::moves::check(&instance, diagnostics);
            for at in 0..instance.config.items.len() {
                open.extend(instance.created(at).iter().cloned());
            }
        }
    }

    /// Checks the conditions of all blocks, or only of blocks whose values were needed.
    fn check_conditions(&self, all: bool, reported: &mut Reported, diagnostics: &mut Diagnostics) {
        let mut checked: HashSet<(usize, usize, usize)> = HashSet::new();
        loop {
            let before = checked.len();
            let mut open = vec![self.root.clone()];
            while let Some(instance) = open.pop() {
                for (at, item) in instance.config.items.iter().enumerate() {
                    open.extend(instance.created(at).iter().cloned());
                    let path: Vec<&str> = item.address.iter().map(Name::as_str).collect();
                    if !all && !instance.context.has_value(&path) {
                        continue;
                    }
                    for condition in 0..item.conditions.len() {
                        if checked.insert((Arc::as_ptr(&instance) as usize, at, condition)) {
                            let path = condition_path(at, condition);
                            let path: Vec<&str> = path.iter().map(String::as_str).collect();
                            if let Some((_, found)) = instance.context.value_of_once(&path, reported) {
                                diagnostics.append(found);
                            }
                        }
                    }
                }
            }
            if checked.len() == before {
                return;
            }
        }
    }
}

/// The search for the selected addresses.
struct Walk<'p> {
    patterns: &'p [Pattern],
    /// True for each pattern that selected something.
    selected: Vec<bool>,
    /// The names whose errors were found.
    reported: Reported,
    found: Evaluation,
    /// The names by which expressions see the objects that are added, and the number of steps to the module.
    seen: Option<(Context, usize)>,
}

impl Walk<'_> {
    fn instance(&mut self, instance: &Arc<Instance>) {
        let config = instance.config.clone();
        let of = |role: Role| config.items.iter().enumerate().filter(move |(_, item)| item.rule.role == role);
        for (_, item) in of(Role::Input) {
            self.name(instance, &item.address, item.is_sensitive());
        }
        for named in &config.values {
            self.name(instance, &named.address, false);
        }
        for (_, item) in of(Role::Value) {
            self.name(instance, &item.address, item.is_sensitive());
        }
        for (_, item) in of(Role::Object) {
            self.object(instance, item);
        }
        for (at, item) in of(Role::Call) {
            self.call(instance, at, item);
        }
        for (at, item) in of(Role::Settings) {
            self.effects(instance, at, item);
        }
        self.builds(instance);
        for (_, item) in of(Role::Result) {
            self.result(instance, item);
        }
    }

    /// Returns the parts of a value at a path that patterns select, or `None` if they select nothing at the path or
    /// below it.
    fn wanted(&mut self, path: &[Step]) -> Option<Vec<Vec<Step>>> {
        if self.patterns.is_empty() {
            return Some(vec![Vec::new()]);
        }
        let mut parts = Vec::new();
        let mut below = false;
        for pattern in self.patterns {
            match pattern.matches(path) {
                Match::Selected(part) => {
                    below = true;
                    if !parts.contains(&part) {
                        parts.push(part);
                    }
                }
                Match::Below => below = true,
                Match::No => {}
            }
        }
        below.then_some(parts)
    }

    /// Adds the selected parts of a value.
    fn add(&mut self, path: &[Step], value: &Value, sensitive: bool) {
        for part in self.wanted(path).unwrap_or_default() {
            for (at, pattern) in self.patterns.iter().enumerate() {
                self.selected[at] |= matches!(pattern.matches(path), Match::Selected(own) if own == part);
            }
            let mut full = path.to_vec();
            full.extend(part.iter().cloned());
            let address = written(&full);
            if let Some(value) = select(value, &part).or_else(|| self.seen(&full)) {
                self.found.values.push(Found { address, value, sensitive });
            } else {
                let others: Vec<String> = similar(value, path, &part).into_iter().collect();
                self.found.diagnostics.push(messages::nothing_at(&address, &others));
            }
        }
    }

    /// The part of an object that expressions see: what a provider sets is unknown.
    fn seen(&self, path: &[Step]) -> Option<Value> {
        let (context, steps) = self.seen.as_ref()?;
        Expression::parse(written(&path[*steps..])).ok()?.evaluate(context).ok()
    }

    fn name(&mut self, instance: &Instance, name: &[Name], sensitive: bool) {
        let mut path = instance.path.clone();
        path.extend(name.iter().cloned().map(Step::Name));
        self.at(&path, &instance.context, name, sensitive);
    }

    /// A result of a called module, which is an attribute of the call.
    fn result(&mut self, instance: &Instance, item: &Item) {
        let mut path = instance.path.clone();
        if instance.is_root() {
            path.extend(item.address.iter().cloned().map(Step::Name));
        } else {
            path.push(Step::Name(Name::from(item.own_name())));
        }
        self.at(&path, &instance.context, &item.address, item.is_sensitive());
    }

    fn at(&mut self, path: &[Step], context: &Context, name: &[Name], sensitive: bool) {
        if self.wanted(path).is_some_and(|parts| !parts.is_empty()) {
            let value = self.value(context, name);
            self.add(path, &value, sensitive);
        }
    }

    fn value(&mut self, context: &Context, name: &[Name]) -> Value {
        let name: Vec<&str> = name.iter().map(Name::as_str).collect();
        let found = context.value_of_once(&name, &mut self.reported);
        found.map_or(Value::DYNAMIC, |found| self.found.diagnostics.absorb(found))
    }

    /// The instances of an object.
    fn object(&mut self, instance: &Instance, item: &Item) {
        let mut path = instance.path.clone();
        path.extend(item.address.iter().cloned().map(Step::Name));
        if self.wanted(&path).is_none() {
            return;
        }
        let value = self.value(&instance.context, &item.address);
        self.seen = Some((instance.context.clone(), instance.path.len()));
        self.instances(&mut path, item, &value);
        self.seen = None;
    }

    fn instances(&mut self, path: &mut Vec<Step>, item: &Item, value: &Value) {
        let Some((repeat, _)) = &item.repetition else { return self.add(path, value, false) };
        if !value.is_known() {
            return self.add(path, value, false);
        }
        let mut one = |key: Value, value: &Value| {
            path.push(Step::Key(key));
            self.add(path, value, false);
            path.pop();
        };
        match repeat.over {
            Over::Number => {
                for (at, value) in value.as_slice().unwrap_or_default().iter().enumerate() {
                    one(Value::from(i64::try_from(at).unwrap_or_default()), value);
                }
            }
            Over::Elements => {
                for (key, value) in value.entries().into_iter().flatten() {
                    one(Value::from(key.clone()), value);
                }
            }
        }
    }

    /// The contents of a called module.
    fn call(&mut self, instance: &Arc<Instance>, at: usize, item: &Item) {
        let mut path = instance.path.clone();
        path.extend(item.address.iter().cloned().map(Step::Name));
        if self.wanted(&path).is_none() {
            return;
        }
        let Content::Call(call) = &item.content else { return };
        if call.config.is_none() {
            self.effects(instance, at, item);
            return self.add(&path, &Value::DYNAMIC, false);
        }
        let (children, found) = instance.create(at);
        self.found.diagnostics.append(found);
        if children.is_empty() && instance.has_unknown_instances(at) {
            return self.add(&path, &Value::DYNAMIC, false);
        }
        for child in children {
            if self.wanted(&child.path).is_some() {
                with_room(|| self.instance(child));
            }
        }
    }

    /// The sources of builds.
    fn builds(&mut self, instance: &Instance) {
        if self.wanted(&[Step::Name(Name::from("build"))]).is_none() {
            return;
        }
        let items = instance.config.items.iter().enumerate();
        let builds: Vec<usize> =
            items.filter(|(_, item)| item.rule.role == Role::Build).map(|(at, _)| at).collect();
        for (number, at) in builds.iter().enumerate() {
            let value = self.value(&instance.context, &build_path(*at).map(Name::from));
            for (path, value) in addressed(&value, (builds.len() > 1).then_some(number)) {
                self.add(&path, &value, false);
            }
        }
    }

    /// Reports errors in expressions that are not part of a value.
    fn effects(&mut self, instance: &Instance, at: usize, item: &Item) {
        if item.has_effects() && self.patterns.is_empty() {
            let name = effects(at);
            let name: Vec<&str> = name.iter().map(String::as_str).collect();
            if let Some((_, found)) = instance.context.value_of_once(&name, &mut self.reported) {
                self.found.diagnostics.append(found);
            }
        }
    }
}

impl Item {
    fn is_sensitive(&self) -> bool {
        match &self.content {
            Content::Input(input) => input.sensitive,
            Content::Output(output) => output.sensitive,
            _ => false,
        }
    }
}

/// The address of a part of a value whose last step has a similar name.
fn similar(value: &Value, path: &[Step], part: &[Step]) -> Option<String> {
    let missing = (0..part.len()).find(|at| select(value, &part[..=*at]).is_none())?;
    let parent = select(value, &part[..missing])?.unmark().0;
    let names = parent.entries()?.map(|(name, _)| name.as_str());
    let (meant, is_name) = match &part[missing] {
        Step::Name(name) => (nearest_name(name, names)?, true),
        Step::Key(key) => (nearest_name(key.as_str()?, names)?, false),
    };
    let last = if is_name { Step::Name(Name::from(meant)) } else { Step::Key(Value::from(meant)) };
    Some(written(&path.iter().chain(&part[..missing]).cloned().chain([last]).collect::<Vec<_>>()))
}

/// A part of a value, which is unknown if the value is unknown.
pub(crate) fn select(value: &Value, part: &[Step]) -> Option<Value> {
    let mut value = value.clone();
    for step in part {
        let (bare, marks) = value.unmark();
        if !bare.is_known() {
            return Some(Value::DYNAMIC.with_marks(&marks));
        }
        let name = match step {
            Step::Name(name) => Some(name.as_str()),
            Step::Key(key) => key.as_str(),
        };
        let attribute = bare.as_object().zip(name).map(|(object, name)| object.get(name).cloned());
        if let Some(attribute) = attribute {
            value = attribute?.with_marks(&marks);
            continue;
        }
        let found = match (bare.entries(), name, step) {
            (Some(mut entries), Some(name), _) => {
                entries.find(|(key, _)| key.as_str() == name).map(|(_, value)| value.clone())
            }
            (None, None, Step::Key(key)) => bare.index(key).ok(),
            _ => None,
        };
        value = found?.with_marks(&marks);
    }
    Some(value)
}
