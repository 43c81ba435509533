//! The search for the selected addresses, and parts of values.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_limits::{Meter, with_room};
use hclkit_model::{Context, Expression, Reported, path};
use hclkit_syntax::{Diagnostic, nearest_name};
use hclkit_value::{Mark, Name, Type, Value};

use super::{AddressedValue, Evaluation};
use crate::address::{Address, AddressKind, kind_of_object};
use crate::config::{Content, Item};
use crate::instance::{Instance, addressed, block_without_value, build_path};
use crate::messages;
use crate::pattern::{Node, Pattern, State, States, hidden, is_true, parts};
use crate::step::{Step, written};
use hclkit_dialect::{Over, Role};

/// The search for the selected addresses.
pub(super) struct Walk<'p> {
    patterns: &'p [Pattern],
    /// True for each pattern that selected something.
    pub(super) selected: Vec<bool>,
    /// The errors of patterns for one address at which there is nothing, if its block exists.
    pub(super) missing: HashMap<usize, Diagnostic>,
    /// The names whose errors were found.
    pub(super) reported: Reported,
    pub(super) found: Evaluation,
    /// The addresses of the values that patterns selected.
    addresses: HashSet<Address>,
    /// The functions for predicates.
    functions: Context,
    /// Only errors count, and values are not collected.
    checking: bool,
    /// The block of the objects that are added, and its module.
    object: Option<(Arc<Instance>, usize)>,
    /// What is added: its kind, the number of steps to its module, and the number of its names.
    own: (AddressKind, usize, usize),
}

impl<'p> Walk<'p> {
    /// Finds the values that patterns select in a module and in the modules that it calls.
    pub(super) fn of(root: &Arc<Instance>, patterns: &'p [Pattern]) -> Self {
        let mut walk = Walk {
            patterns,
            selected: vec![false; patterns.len()],
            missing: HashMap::new(),
            reported: Reported::default(),
            found: Evaluation::default(),
            addresses: HashSet::new(),
            functions: root.context.clone(),
            checking: root.tree.validates() && patterns.is_empty(),
            object: None,
            own: (AddressKind::Other, 0, 0),
        };
        walk.instance(root, &States::of(patterns));
        walk
    }

    /// Adds the selected values of a module and of the modules that it calls.
    fn instance(&mut self, instance: &Arc<Instance>, states: &States) {
        let config = instance.config.clone();
        let of = |role: Role| config.items.iter().enumerate().filter(move |(_, item)| item.rule.role == role);
        for (_, item) in of(Role::Input) {
            self.own.0 = AddressKind::Variable;
            self.name(instance, &item.address, &item.address, item.is_sensitive(), states);
        }
        for named in &config.values {
            self.own.0 = AddressKind::Local;
            self.name(instance, &named.address, &named.address, false, states);
        }
        for (_, item) in of(Role::Value) {
            self.own.0 = AddressKind::Local;
            self.name(instance, &item.address, &item.address, item.is_sensitive(), states);
        }
        for (at, item) in of(Role::Object) {
            self.object = Some((instance.clone(), at));
            self.own = (kind_of_object(&item.address), instance.path.len(), item.address.len());
            self.object(instance, item, states);
            if self.checking && !item.steps.is_empty() {
                self.effects(instance, at);
            }
            self.object = None;
        }
        for (at, item) in of(Role::Call) {
            self.call(instance, at, item, states);
        }
        for (at, item) in of(Role::Settings) {
            self.report_block_without_value(instance, at, item);
        }
        self.builds(instance, states);
        for (_, item) in of(Role::Result) {
            // The results of a called module are attributes of the call.
            let own = [Name::from(item.own_name())];
            let address = if instance.is_root() { &item.address[..] } else { &own };
            self.own.0 = AddressKind::Output;
            self.name(instance, address, &item.address, item.is_sensitive(), states);
        }
    }

    /// An address of what is added, or of a part of it.
    fn address(&self, path: Vec<Step>) -> Address {
        let (kind, start, names) = self.own;
        Address::new(path, kind, start, names)
    }

    /// The states at the end of an address in a module.
    fn down(&self, states: &States, address: &[Step], count: usize) -> States {
        let mut states = states.clone();
        for (at, step) in address.iter().enumerate() {
            if states.open.is_empty() {
                break;
            }
            let number = match step {
                Step::Key(key) => index_of(key).map(|at| (at, count)),
                Step::Name(_) => None,
            };
            states = states.below(self.patterns, Node::Prefix, step, number);
            if at + 1 < address.len() {
                states = states.at(self.patterns, Node::Prefix, &mut |_| false);
            }
        }
        states
    }

    /// Adds the selected parts of a value. `single` if it is that of an object that is not repeated.
    fn add(&mut self, path: &[Step], value: &Value, sensitive: bool, states: States, single: bool) {
        let patterns = self.patterns;
        if self.checking {
            return;
        }
        if patterns.is_empty() {
            let address = self.address(path.to_vec());
            return self.found.values.push(AddressedValue { address, value: value.clone(), sensitive });
        }
        // The keys of a sensitive value are not shown.
        let shown = if sensitive { value.mark(Mark::sensitive()) } else { value.clone() };
        let functions = self.functions.clone();
        let errors = &mut self.found.diagnostics;
        let is_true = &mut |predicate: &Expression| is_true(predicate, &shown, &functions, errors);
        let mut states = states.at(patterns, Node::Whole { single }, is_true);
        if states.is_selected() {
            self.select(&states.whole, path.to_vec(), value.clone(), sensitive);
        }
        let exact: Vec<State>;
        (exact, states.open) = states.open.into_iter().partition(|state| state.is_exact(patterns));
        for state in exact {
            let pattern = &patterns[state.pattern];
            let part = pattern.part(state.step, &shown).map(|(part, _)| part);
            let part = part.and_then(|part| Some((select(value, &part)?, part)));
            let found = part.or_else(|| {
                let part = pattern.fixed(state.step)?;
                Some((self.seen(value, &part)?, part))
            });
            if let Some((value, part)) = found {
                self.select(&[state.pattern], [path, &part].concat(), value, sensitive);
            } else if pattern.is_exact() {
                let part = pattern.fixed(state.step).filter(|_| !sensitive);
                let other = part.and_then(|part| similar(value, path, &part));
                let others: Vec<String> = other.into_iter().collect();
                let error = || messages::nothing_at(&pattern.written(), &others);
                self.missing.entry(state.pattern).or_insert_with(error);
            }
        }
        for part in parts(patterns, &states, single, &shown, &functions, &mut self.found.diagnostics) {
            if let Some(value) = select(value, &part.steps) {
                self.select(&part.patterns, [path, &part.steps].concat(), value, sensitive);
            }
        }
    }

    /// Adds a value that patterns select, unless it was added before.
    fn select(&mut self, patterns: &[usize], path: Vec<Step>, value: Value, sensitive: bool) {
        let address = self.address(path);
        for pattern in patterns {
            self.selected[*pattern] = true;
        }
        if Meter::current().take_bytes(address.len()).is_ok() && self.addresses.insert(address.clone()) {
            self.found.values.push(AddressedValue { address, value, sensitive });
        }
    }

    /// The part of an object that only expressions see, because a provider sets it: it is unknown.
    fn seen(&self, value: &Value, part: &[Step]) -> Option<Value> {
        let (instance, at) = self.object.as_ref()?;
        // A provider does not set the number of instances.
        part.first()?.name()?;
        select(&instance.seen(&instance.config.items[*at], value), part)
    }

    /// The value of a name in the context of a module, with the address there.
    fn name(
        &mut self,
        instance: &Instance,
        address: &[Name],
        name: &[Name],
        sensitive: bool,
        states: &States,
    ) {
        if self.checking {
            self.value(&instance.context, name);
            return;
        }
        let own = steps(address);
        let states = self.down(states, &own, 0);
        if !states.is_empty() {
            (self.own.1, self.own.2) = (instance.path.len(), own.len());
            let value = self.value(&instance.context, name);
            self.add(&[&instance.path[..], &own].concat(), &value, sensitive, states, false);
        }
    }

    fn value(&mut self, context: &Context, name: &[Name]) -> Value {
        let name: Vec<&str> = name.iter().map(Name::as_str).collect();
        let found = context.value_of_once(&name, &mut self.reported);
        found.map_or(Value::DYNAMIC, |found| self.found.diagnostics.absorb(found))
    }

    /// The instances of an object.
    fn object(&mut self, instance: &Instance, item: &Item, states: &States) {
        if self.checking {
            self.value(&instance.context, &item.address);
            return;
        }
        let own = steps(&item.address);
        let states = self.down(states, &own, 0);
        if states.is_empty() {
            return;
        }
        let value = self.value(&instance.context, &item.address);
        self.instances(&mut [&instance.path[..], &own].concat(), item, &value, states);
    }

    fn instances(&mut self, path: &mut Vec<Step>, item: &Item, value: &Value, states: States) {
        let repeat = item.repeat().filter(|_| value.is_known() && !value.is_marked() && item.has_keys());
        let Some(repeat) = repeat else {
            return self.add(path, value, false, states, !item.has_keys());
        };
        let patterns = self.patterns;
        let states = states.at(patterns, Node::Repeated, &mut |_| false);
        let instances: Vec<(Value, Option<usize>, &Value)> = match repeat.over {
            Over::Number => {
                let all = value.as_slice().unwrap_or_default().iter().enumerate();
                let key = |at: usize| Value::from(i64::try_from(at).unwrap_or_default());
                all.map(|(at, value)| (key(at), Some(at), value)).collect()
            }
            Over::Elements | Over::Condition => {
                let all = value.entries().into_iter().flatten();
                all.map(|(key, value)| (Value::from(key.clone()), None, value)).collect()
            }
        };
        let count = instances.len();
        if count == 0 {
            self.without_instances(path, &states);
        }
        for (key, at, value) in instances {
            let key = Step::Key(key);
            let states = states.below(patterns, Node::Repeated, &key, at.map(|at| (at, count)));
            if !states.is_empty() {
                path.push(key);
                self.add(path, value, false, states, false);
                path.pop();
            }
        }
    }

    /// Explains why patterns for one address below a block select nothing.
    fn without_instances(&mut self, path: &[Step], states: &States) {
        let patterns = states.open.iter().map(|state| state.pattern).chain(states.whole.iter().copied());
        for at in patterns.filter(|at| self.patterns[*at].is_exact()) {
            let error = || messages::no_instances(&self.patterns[at].written(), &written(path));
            self.missing.entry(at).or_insert_with(error);
        }
    }

    /// The contents of a called module.
    fn call(&mut self, instance: &Arc<Instance>, at: usize, item: &Item, states: &States) {
        let own = steps(&item.address);
        let states = self.down(states, &own, 0);
        if states.is_empty() {
            return;
        }
        let path = [&instance.path[..], &own].concat();
        let Content::Call(call) = &item.content else { return };
        self.own = (AddressKind::Module, instance.path.len(), own.len());
        let (single, patterns) = (!item.has_keys(), self.patterns);
        if call.config.is_none() {
            self.report_block_without_value(instance, at, item);
            let value = self.value(&instance.context, &item.address);
            return self.add(&path, &value, false, states, single);
        }
        let (children, found) = instance.create(at);
        self.found.diagnostics.append(found);
        if children.is_empty() && instance.has_unknown_instances(at) {
            return self.add(&path, &Value::DYNAMIC, false, states, false);
        }
        if children.is_empty() && item.repeat().is_some_and(|repeat| repeat.over == Over::Condition) {
            return self.add(&path, &Value::NULL, false, states, single);
        }
        let states = if single { states } else { states.at(patterns, Node::Repeated, &mut |_| false) };
        if children.is_empty() {
            self.without_instances(&path, &states);
        }
        for child in children.iter().filter(|child| !child.is_checked()) {
            let mut states = states.clone();
            if let Some(key @ Step::Key(own)) = child.path.last().filter(|_| !single) {
                let number = index_of(own).map(|at| (at, children.len()));
                states = states.below(patterns, Node::Repeated, key, number);
            }
            let node = Node::Module { single };
            let states = states.at(patterns, node, &mut |predicate| self.is_true(predicate, child));
            if !states.is_empty() {
                with_room(|| self.instance(child, &states));
            }
        }
    }

    /// Returns true if a predicate is true for an instance of a module. Its variables are the results of the module, and
    /// `self` is an object of all of them. Only those that it refers to are evaluated.
    fn is_true(&mut self, predicate: &Expression, module: &Instance) -> bool {
        let functions = self.functions.clone();
        let results = || module.config.items.iter().filter(|item| item.rule.role == Role::Result);
        let answer = path::is_true(predicate, &functions, |name| {
            let mut value = |item: &Item| {
                let value = self.value(&module.context, &item.address);
                if item.is_sensitive() { Value::DYNAMIC } else { hidden(&value) }
            };
            if name == "self" {
                return Value::object(results().map(|item| (item.own_name(), value(item))));
            }
            let result = results().find(|item| item.own_name() == name);
            result.map_or_else(|| Value::null(Type::Dynamic), value)
        });
        answer.unwrap_or_else(|failed| {
            self.found.diagnostics.append(failed);
            false
        })
    }

    /// The sources of builds.
    fn builds(&mut self, instance: &Instance, states: &States) {
        let items = instance.config.items.iter().enumerate();
        let builds: Vec<usize> =
            items.filter(|(_, item)| item.rule.role == Role::Build).map(|(at, _)| at).collect();
        let first = [Step::Name(Name::from("build"))];
        if builds.is_empty() || self.down(states, &first, 0).is_empty() {
            return;
        }
        self.own = (AddressKind::Other, instance.path.len(), 1);
        for (number, at) in builds.iter().enumerate() {
            let value = self.value(&instance.context, &build_path(*at).map(Name::from));
            for (path, value) in addressed(&value, (builds.len() > 1).then_some(number)) {
                let states = self.down(states, &path, builds.len());
                if !states.is_empty() {
                    self.add(&path, &value, false, states, false);
                }
            }
        }
    }

    /// Reports errors in expressions that are not part of a value.
    fn report_block_without_value(&mut self, instance: &Instance, at: usize, item: &Item) {
        if item.has_effects() && self.patterns.is_empty() {
            self.effects(instance, at);
        }
    }

    fn effects(&mut self, instance: &Instance, at: usize) {
        let name = block_without_value(at);
        let name: Vec<&str> = name.iter().map(String::as_str).collect();
        if let Some((_, found)) = instance.context.value_of_once(&name, &mut self.reported) {
            self.found.diagnostics.append(found);
        }
    }
}

impl Item {
    pub(crate) fn is_sensitive(&self) -> bool {
        match &self.content {
            Content::Input(input) => input.hidden,
            Content::Output(output) => output.hidden,
            _ => false,
        }
    }
}

/// An address of names.
fn steps(address: &[Name]) -> Vec<Step> {
    address.iter().cloned().map(Step::Name).collect()
}

/// The number of an instance, if its key is one.
fn index_of(key: &Value) -> Option<usize> {
    key.as_number()?.to_u64().and_then(|at| usize::try_from(at).ok())
}

/// The address of a part of a value whose last step has a similar name. The keys of marked values are not shown.
fn similar(value: &Value, path: &[Step], part: &[Step]) -> Option<String> {
    let missing = (0..part.len()).find(|at| select(value, &part[..=*at]).is_none())?;
    let (parent, marks) = select(value, &part[..missing])?.unmark();
    if !marks.is_empty() {
        return None;
    }
    let whole = |last: Step| Some(written(&[path, &part[..missing], &[last]].concat()));
    if let (Step::Name(name), Type::List(_) | Type::Tuple(_)) = (&part[missing], parent.ty()) {
        let elements = parent.as_slice()?;
        let at = name.parse().ok().filter(|at| (..elements.len()).contains(at))?;
        return whole(Step::Key(Value::from(i64::try_from(at).ok()?)));
    }
    let names = parent.entries()?.map(|(name, _)| name.as_str());
    let (meant, is_name) = match &part[missing] {
        Step::Name(name) => (nearest_name(name, names)?, true),
        Step::Key(key) => (nearest_name(key.as_str()?, names)?, false),
    };
    whole(if is_name { Step::Name(Name::from(meant)) } else { Step::Key(Value::from(meant)) })
}

/// A part of a value, which is unknown if the value is unknown.
pub(crate) fn select(value: &Value, part: &[Step]) -> Option<Value> {
    let mut value = value.clone();
    for step in part {
        let (bare, marks) = value.unmark();
        let name = match step {
            Step::Name(name) => Some(name.as_str()),
            Step::Key(key) => key.as_str(),
        };
        if !bare.is_known() {
            let part = match (step, name) {
                (_, Some(name)) => bare.attribute(name),
                (Step::Key(key), None) => bare.index(key),
                (Step::Name(_), None) => Ok(Value::DYNAMIC),
            };
            value = part.unwrap_or(Value::DYNAMIC).with_marks(&marks);
            continue;
        }
        if bare.is_null() {
            return None;
        }
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
