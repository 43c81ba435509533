//! Statements about addresses: `moved` and `removed` blocks. Some of their objects must be declared and others must not be, and
//! moves must not contradict each other or form cycles. `moves/imports.rs` checks `import` blocks, and
//! `moves/chain.rs` follows moves.

mod chain;
mod imports;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_dialect::{BlockRule, Dialect, Over, Role, Statement};
use hclkit_model::{Expression, Target, Traversal};
use hclkit_syntax::{Diagnostic, Diagnostics, Place};
use hclkit_value::{Name, Value};

use crate::config::{Config, Content, Declaration, Item};
use crate::instance::Instance;
use crate::instances::Instances;
use crate::step::{Step, written};
use crate::terraform::messages::moves as messages;

pub use chain::Moves;

const PROVISIONER: &str = "provisioner";

/// Checks the statements of a module, and that each check has a condition.
pub(crate) fn check(instance: &Arc<Instance>, diagnostics: &mut Diagnostics) {
    let config = &instance.config;
    let statements =
        |statement: Statement| config.items.iter().filter(move |item| item.rule.statement == Some(statement));
    let mut declared = Declared { instance, keys: HashMap::new() };
    let mut moves = Vec::new();
    for item in statements(Statement::Move) {
        let from = Subject::of(item, "from", instance, diagnostics);
        let to = Subject::of(item, "to", instance, diagnostics);
        if let (Some(from), Some(to)) = (from, to) {
            moves.push((item, from, to));
        }
    }
    check_moves(&mut declared, &moves, diagnostics);
    for item in statements(Statement::Removal) {
        let Some(from) = Subject::of(item, "from", instance, diagnostics) else { continue };
        check_provisioners(item, &from, instance, diagnostics);
        if from.address.is_prefixed {
            diagnostics.push(messages::removed_is_no_resource(&from.text()).at(from.place));
        } else if from.address.steps.iter().any(|step| matches!(step, Step::Key(_))) {
            diagnostics.push(messages::key_of_removed(&from.text()).at(from.place));
        } else if declared.find(&from, KeysOf::None) == Some(true) {
            diagnostics.push(messages::removed_exists(&from.text()).at(from.place));
        }
    }
    imports::check(&mut declared, statements(Statement::Import), diagnostics);
    for item in config.items.iter().filter(|item| item.rule.role == Role::Check) {
        if item.conditions.is_empty() {
            diagnostics.push(messages::check_without_conditions(item.own_name()).at(item.place()));
        }
    }
}

fn check_moves(
    declared: &mut Declared<'_>,
    moves: &[(&Item, Subject, Subject)],
    diagnostics: &mut Diagnostics,
) {
    let mut by_from: HashMap<String, (usize, String)> = HashMap::new();
    let mut by_to: HashMap<String, (usize, String)> = HashMap::new();
    for (at, (item, from, to)) in moves.iter().enumerate() {
        let (one, other) = (from.text(), to.text());
        if from.address.is_module != to.address.is_module
            || from.address.is_prefixed != to.address.is_prefixed
        {
            diagnostics.push(messages::different_kinds(&one, &other).at(item.place()));
            continue;
        }
        if one == other {
            diagnostics.push(messages::redundant(&one).at(item.place()));
            continue;
        }
        let first = by_from.entry(one.clone()).or_insert_with(|| (at, other.clone()));
        if first.1 != other {
            let first = moves[first.0].0.place();
            diagnostics.push(messages::ambiguous(&one, "from", &first).at(item.place()));
            continue;
        }
        let first = by_to.entry(other.clone()).or_insert_with(|| (at, one.clone()));
        if first.1 != one {
            let first = moves[first.0].0.place();
            diagnostics.push(messages::ambiguous(&other, "to", &first).at(item.place()));
        }
    }
    // Each address moves to at most one other, so following the moves finds every cycle.
    let mut done: HashMap<&str, usize> = HashMap::new();
    for (round, start) in by_from.keys().enumerate() {
        let mut at = start.as_str();
        while let Some((index, to)) = by_from.get(at) {
            match done.get(at) {
                Some(before) if *before == round => {
                    diagnostics.push(messages::circular(at).at(moves[*index].0.place()));
                    break;
                }
                Some(_) => break,
                None => _ = done.insert(at, round),
            }
            at = to;
        }
    }
    for (_, from, to) in moves {
        let by_instance = from.ends_with_key() || to.ends_with_key();
        let goes_on = by_to.contains_key(&from.text());
        if from.text() != to.text() && !goes_on && declared.has(from, by_instance) {
            diagnostics.push(messages::moved_exists(&from.text(), &to.text()).at(from.place.clone()));
        }
    }
}

/// The address of an object or a module.
#[derive(Debug)]
pub(crate) struct Address {
    /// The calls of modules, and the object in the last one.
    pub(crate) steps: Vec<Step>,
    /// It is a module.
    pub(crate) is_module: bool,
    /// It is not a resource, but a data source, for example.
    pub(crate) is_prefixed: bool,
}

impl Address {
    /// The address that an expression is. A longer form of it is shortened.
    pub(crate) fn of(expression: &Expression, language: &Dialect) -> Option<Self> {
        let mut steps = steps(expression)?;
        let modules = steps.len() - after_modules(&steps, language).1.len();
        let root = steps.get(modules).and_then(Step::name);
        let is_longer =
            |rule: &BlockRule| rule.long_name.root().is_some_and(|own| root == Some(own.as_str()));
        if language.blocks.iter().any(|rule| is_longer(rule)) {
            steps.remove(modules);
        }
        Self::of_steps(steps, language)
    }

    fn of_steps(steps: Vec<Step>, language: &Dialect) -> Option<Self> {
        let (is_module, rest) = after_modules(&steps, language);
        let is_prefixed =
            matches!(rest.first(), Some(Step::Name(name)) if prefixes(language).any(|own| own == name));
        let names = rest.iter().take_while(|step| matches!(step, Step::Name(_))).count();
        let keys = rest.len() - names;
        let known = is_module || names == 2 + usize::from(is_prefixed) && keys <= 1;
        let is_other = matches!(rest.first(), Some(Step::Name(name)) if is_other(name, language));
        (known && !is_other).then_some(Self { steps, is_module, is_prefixed })
    }

    pub(crate) fn text(&self) -> String {
        written(&self.steps)
    }
}

/// The subject of a statement.
struct Subject {
    address: Address,
    place: Place,
}

impl Subject {
    /// The address in an attribute.
    fn of(item: &Item, name: &str, instance: &Instance, diagnostics: &mut Diagnostics) -> Option<Self> {
        let expression = item.block.body.attribute(name)?.expression;
        let place = expression.place();
        let address = Address::of(&expression, &instance.tree.language);
        if address.is_none() {
            diagnostics.push(messages::invalid_address().at(place.clone()));
        }
        Some(Self { address: address?, place })
    }

    fn text(&self) -> String {
        self.address.text()
    }

    fn ends_with_key(&self) -> bool {
        matches!(self.address.steps.last(), Some(Step::Key(_)))
    }
}

/// What a module and the modules that it calls declare.
struct Declared<'i> {
    instance: &'i Arc<Instance>,
    /// The keys of instances of objects and calls in the module itself.
    keys: HashMap<usize, Keys>,
}

/// The instances of an object or a call.
enum Keys {
    /// It is not repeated.
    One,
    /// The keys as text.
    Many(HashSet<String>),
    Unknown,
}

impl Declared<'_> {
    /// Returns true if the module certainly declares an address; with keys, if it certainly declares the instance.
    fn has(&mut self, subject: &Subject, by_instance: bool) -> bool {
        self.find(subject, if by_instance { KeysOf::All } else { KeysOf::Calls }) == Some(true)
    }

    /// Whether the module declares an address, if that is certain.
    fn find(&mut self, subject: &Subject, keys: KeysOf) -> Option<bool> {
        let mut config: Arc<Config> = self.instance.config.clone();
        let mut steps = subject.address.steps.as_slice();
        let mut is_certain = true;
        loop {
            let names: Vec<Name> = steps.iter().map_while(name_of).collect();
            let Some((Declaration::Item(at), length)) = config.definitions().longest(&names) else {
                return Some(false);
            };
            let item = &config.items[at];
            if !matches!(item.content, Content::Call(_) | Content::Object(_)) {
                return Some(false);
            }
            let rest = &steps[length..];
            let (key, after) = match rest.split_first() {
                Some((Step::Key(key), after)) => (Some(key), after),
                _ => (None, rest),
            };
            let has_instance = match keys {
                KeysOf::None => Some(true),
                KeysOf::Calls if after.is_empty() => Some(true),
                _ if Arc::ptr_eq(&config, &self.instance.config) => self.has_instance(at, key),
                // Instances in modules may be different in each.
                _ if key.is_some() != item.has_keys() => Some(false),
                _ => item.repetition.is_none().then_some(true),
            };
            if after.is_empty() || has_instance == Some(false) {
                return has_instance.filter(|found| is_certain || !found);
            }
            let Content::Call(call) = &item.content else { return Some(false) };
            is_certain &= has_instance.is_some();
            let called = call.config.clone()?;
            (config, steps) = (called, after);
        }
    }

    /// The error of the address of an object that has no key, but needs one to be imported, or has one of the wrong kind.
    fn instance_key(&self, subject: &Subject) -> Option<Diagnostic> {
        let mut config: &Arc<Config> = &self.instance.config;
        let mut steps = subject.address.steps.as_slice();
        loop {
            let names: Vec<Name> = steps.iter().map_while(name_of).collect();
            let (Declaration::Item(at), length) = config.definitions().longest(&names)? else { return None };
            let item = &config.items[at];
            let (key, after) = match &steps[length..] {
                [Step::Key(key), after @ ..] => (Some(key), after),
                after => (None, after),
            };
            if let Content::Call(call) = &item.content {
                (config, steps) = (call.config.as_ref()?, after);
                continue;
            }
            let all = &subject.address.steps;
            let own = written(&all[..all.len() - usize::from(key.is_some())]);
            let repeat = item.repeat().filter(|_| item.has_keys());
            return match (repeat, key) {
                (None, Some(_)) => Some(messages::import_with_key(&own)),
                (Some(repeat), None) => Some(messages::import_without_key(&own, repeat)),
                (Some(repeat), Some(key)) if key.as_str().is_some() == (repeat.over == Over::Number) => {
                    Some(messages::import_without_key(&own, repeat))
                }
                _ => None,
            };
        }
    }

    /// Whether an object or a call has an instance with a key, or is not repeated if there is no key.
    fn has_instance(&mut self, at: usize, key: Option<&Value>) -> Option<bool> {
        let instance = self.instance;
        let item = &instance.config.items[at];
        let keys = self.keys.entry(at).or_insert_with(|| {
            match Instances::of(item.repetition.as_ref(), &instance.context, &mut Diagnostics::new()) {
                Instances::One => Keys::One,
                Instances::Many(_, all) => Keys::Many(all.iter().map(|(key, _)| key.to_string()).collect()),
                _ => Keys::Unknown,
            }
        });
        match (keys, key) {
            (Keys::One, None) => Some(true),
            (Keys::Many(all), Some(key)) => Some(all.contains(&key.to_string())),
            (Keys::Unknown, _) if key.is_some() == item.has_keys() => None,
            _ => Some(false),
        }
    }
}

/// The keys that count when an address is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeysOf {
    None,
    /// Those of calls that are not at the end.
    Calls,
    All,
}

fn name_of(step: &Step) -> Option<Name> {
    match step {
        Step::Name(name) => Some(name.clone()),
        Step::Key(_) => None,
    }
}

/// The steps of an address, if all are constant.
fn steps(expression: &Expression) -> Option<Vec<Step>> {
    let all = expression.variables();
    let is_whole = |traversal: &&Traversal| {
        all.len() == 1 && traversal.span() == expression.span() && expression.json().is_none()
    };
    // In the JSON syntax, the text of a string is an address.
    let traversal = all.first().filter(is_whole).cloned().or_else(|| expression.static_traversal().ok())?;
    let is_key = |key: &Value| key.as_number().is_none_or(|number| number.to_u64().is_some());
    let step = |target: &Target| match target {
        Target::Attribute(name) => Some(Step::Name(name.clone())),
        Target::Element(key) => is_key(key).then(|| Step::Key(key.clone())),
    };
    let steps: Option<Vec<Step>> = traversal.steps.iter().map(|own| step(&own.target)).collect();
    Some(std::iter::once(Step::Name(traversal.root.clone())).chain(steps?).collect())
}

/// Checks the provisioners of a removed resource: they run when its instances are destroyed, and only resources have them.
fn check_provisioners(item: &Item, from: &Subject, instance: &Instance, diagnostics: &mut Diagnostics) {
    let schema = instance.tree.language.nested_schema(&item.rule.blocks);
    for block in item.block.body.partial_content(&schema).0.0.blocks_of(PROVISIONER) {
        if from.address.is_module {
            diagnostics.push(messages::provisioner_of_module().at(block.definition_place()));
        } else if !super::meta_arguments::runs_at_destroy(block) {
            diagnostics.push(messages::provisioner_of_removed().at(block.definition_place()));
        }
    }
}

/// Skips the calls of modules. Returns true if nothing follows them.
fn after_modules<'s>(steps: &'s [Step], language: &Dialect) -> (bool, &'s [Step]) {
    let mut calls = language.blocks.iter().filter(|rule| rule.role == Role::Call);
    let Some(call) = calls.next().and_then(|rule| rule.defines.root()) else {
        return (false, steps);
    };
    let mut rest = steps;
    while let [Step::Name(root), Step::Name(_), after @ ..] = rest
        && root == call
    {
        rest = match after {
            [Step::Key(_), after @ ..] => after,
            _ => after,
        };
    }
    (rest.is_empty(), rest)
}

/// The names before objects that are not resources, such as `data`.
fn prefixes(language: &Dialect) -> impl Iterator<Item = &Name> {
    let objects = language.blocks.iter().filter(|rule| rule.role == Role::Object);
    objects.filter_map(|rule| rule.defines.root())
}

/// Whether a name is the root of something else, such as `var`.
fn is_other(name: &Name, language: &Dialect) -> bool {
    let others = language.blocks.iter().filter(|rule| rule.role != Role::Object);
    let mut roots = others.filter_map(|rule| rule.defines.root());
    roots.any(|own| own == name)
        || language.given_names().any(|path| path.first() == Some(name))
        || language.nested_blocks.iter().any(|nested| nested.binds.as_ref() == Some(name))
}
