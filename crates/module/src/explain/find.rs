//! Resolves addresses to declarations, their instances, or parts of their values.

use std::collections::HashMap;
use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_model::UseStep;
use hclkit_syntax::Place;
use hclkit_value::{Name, Value};

use super::{Bound, Job, part_of};
use crate::address::{Address, AddressKind, kind_of_object};
use crate::config::{Config, Content, Declaration};
use crate::instance::Instance;
use crate::instances::Instances;
use crate::step::{Step, written};
use hclkit_dialect::Role;

/// The target of an address.
#[derive(Clone, Debug)]
pub(super) struct ResolvedTarget {
    pub(super) instance: Arc<Instance>,
    pub(super) what: TargetKind,
    /// The part of its value.
    pub(super) rest: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(super) enum TargetKind {
    Input(usize),
    Named(usize),
    Output(usize),
    Object(usize, Option<Bound>),
    /// All instances of a block.
    Repeated(usize),
    /// All results of a call.
    Call(usize),
    /// A name that an instance binds: `each.value`.
    Binding(Bound, Vec<Name>),
    /// A name that the program defines.
    Program,
    /// A call of a module that was not read.
    OtherModule(usize),
}

/// The instances of a block.
#[derive(Debug)]
struct Keys {
    all: Vec<(Value, Value)>,
    by_key: HashMap<String, usize>,
}

/// Finds the targets of addresses.
#[derive(Debug)]
pub(super) struct Finder {
    /// The maximum number of instances that a splat or a loop leads to.
    most: usize,
    /// The instances of blocks, by their modules.
    keys: HashMap<(usize, usize), Option<Arc<Keys>>>,
}

impl Finder {
    pub(super) fn new(most: usize) -> Self {
        Self { most, keys: HashMap::new() }
    }

    /// The instances of a block, if they are known.
    fn keys(&mut self, instance: &Arc<Instance>, at: usize) -> Option<Arc<Keys>> {
        let own = || {
            let repetition = instance.config.items[at].repetition.as_ref();
            let found = Instances::of(repetition, &instance.context, &mut hclkit_syntax::Diagnostics::new());
            let Instances::Many(_, all) = found else { return None };
            let by_key = all.iter().enumerate().map(|(at, (key, _))| (key.to_string(), at)).collect();
            Some(Arc::new(Keys { all, by_key }))
        };
        self.keys.entry((Arc::as_ptr(instance) as usize, at)).or_insert_with(own).clone()
    }

    /// The instances of an object.
    fn objects(&mut self, instance: &Arc<Instance>, at: usize, steps: &[UseStep]) -> Vec<ResolvedTarget> {
        let item = &instance.config.items[at];
        let point = |what, rest| ResolvedTarget { instance: instance.clone(), what, rest };
        if !item.has_keys() {
            // A splat of a single object is a tuple of this object.
            let steps = if steps.first() == Some(&UseStep::Each) { &steps[1..] } else { steps };
            return vec![point(TargetKind::Object(at, None), rest(steps))];
        }
        // Without instances, what there is to say is why.
        let keys = self.keys(instance, at).filter(|keys| !keys.all.is_empty());
        let (Some((first, after)), Some(keys)) = (steps.split_first(), keys) else {
            return vec![point(TargetKind::Repeated(at), Vec::new())];
        };
        let one = |(key, value): &(Value, Value)| {
            let bound = Bound { item: at, key: key.clone(), value: value.clone() };
            point(TargetKind::Object(at, Some(bound)), rest(after))
        };
        let wanted = match first {
            UseStep::Each => return keys.all.iter().take(self.most).map(one).collect(),
            UseStep::Element(key) => key.to_string(),
            UseStep::Attribute(name) => Value::from(name.as_str()).to_string(),
        };
        keys.by_key.get(&wanted).map(|at| one(&keys.all[*at])).into_iter().collect()
    }

    /// The part of a declaration that an address names.
    pub(super) fn part(job: &Job) -> Vec<Step> {
        let length = look_up(&job.instance.config, &job.steps, job.outside).map_or(0, |(_, length)| length);
        rest(&job.steps[length..])
    }

    /// The targets of an address. There are several if it goes through all instances of a block.
    pub(super) fn find(&mut self, job: &Job) -> Vec<ResolvedTarget> {
        if let Some(point) = binding(job) {
            return vec![point];
        }
        let Some((declaration, length)) = look_up(&job.instance.config, &job.steps, job.outside) else {
            return program(job).into_iter().collect();
        };
        let steps = &job.steps[length..];
        let instance = &job.instance;
        let point = |what| ResolvedTarget { instance: instance.clone(), what, rest: rest(steps) };
        let at = match declaration {
            Declaration::Value(at) => return vec![point(TargetKind::Named(at))],
            Declaration::Item(at) => at,
        };
        let item = &instance.config.items[at];
        match &item.content {
            Content::Input(_) => vec![point(TargetKind::Input(at))],
            Content::Output(_) => vec![point(TargetKind::Output(at))],
            Content::Object(_) => self.objects(instance, at, steps),
            Content::Call(call) if call.config.is_none() => vec![point(TargetKind::OtherModule(at))],
            Content::Call(_) => self.call(job, at, steps),
            Content::Check | Content::Settings(_) => Vec::new(),
        }
    }

    /// A result of a call or, if it was requested from outside, anything in the called module.
    fn call(&mut self, job: &Job, at: usize, steps: &[UseStep]) -> Vec<ResolvedTarget> {
        let instance = &job.instance;
        let repeated = instance.config.items[at].has_keys();
        let (children, _) = instance.create(at);
        if Meter::current().take_steps(children.len() as u64).is_err() {
            return Vec::new();
        }
        let (children, steps) = match steps.split_first() {
            Some((first, after)) if repeated && !children.is_empty() => {
                let wanted = children.iter().filter(|child| is_key(child, first));
                (wanted.take(self.most).collect::<Vec<_>>(), after)
            }
            _ if repeated => {
                let what = TargetKind::Repeated(at);
                return vec![ResolvedTarget { instance: instance.clone(), what, rest: Vec::new() }];
            }
            _ => (children.iter().collect(), steps),
        };
        let mut points = Vec::new();
        for child in children {
            let Some(name) = steps.first().and_then(UseStep::name) else {
                let what = TargetKind::Call(at);
                let key = child.up.as_ref().and_then(|up| up.instance.clone());
                let rest = key.map(|(key, _)| Step::Key(key)).into_iter().collect();
                points.push(ResolvedTarget { instance: instance.clone(), what, rest });
                continue;
            };
            match child.config.result(name) {
                Some(result) => {
                    let (what, rest) = (TargetKind::Output(result), rest(&steps[1..]));
                    points.push(ResolvedTarget { instance: child.clone(), what, rest });
                }
                None if job.outside => {
                    let inner = Job { instance: child.clone(), steps: steps.to_vec(), ..job.clone() };
                    points.extend(hclkit_limits::with_room(|| self.find(&inner)));
                }
                None => {}
            }
        }
        points
    }
}

/// The declaration with the longest address that steps begin with. Results are only seen from outside.
fn look_up(config: &Config, steps: &[UseStep], outside: bool) -> Option<(Declaration, usize)> {
    let path: Vec<Name> = steps.iter().map_while(|step| step.name().map(Name::from)).collect();
    let result = || {
        let mut named = path.iter().filter_map(|name| config.result(name));
        let at = named.find(|at| path.starts_with(&config.items[*at].address))?;
        Some((Declaration::Item(at), config.items[at].address.len()))
    };
    config.definitions().longest(&path).or_else(|| if outside { result() } else { None })
}

/// Returns true if a step leads to an instance of a module.
fn is_key(child: &Instance, step: &UseStep) -> bool {
    let key = child.up.as_ref().and_then(|up| up.instance.as_ref()).map(|(key, _)| key);
    match (step, key) {
        (UseStep::Each, _) => true,
        (UseStep::Element(own), Some(key)) => own == key,
        (UseStep::Attribute(name), Some(key)) => key.as_str() == Some(name.as_str()),
        (_, None) => false,
    }
}

/// The constant steps into a value.
fn rest(steps: &[UseStep]) -> Vec<Step> {
    let step = |step: &UseStep| match step {
        UseStep::Attribute(name) => Some(Step::Name(name.clone())),
        UseStep::Element(key) => Some(Step::Key(key.clone())),
        UseStep::Each => None,
    };
    steps.iter().map_while(step).collect()
}

/// The name that an instance of a block binds, if an address refers to it.
fn binding(job: &Job) -> Option<ResolvedTarget> {
    let bound = job.bound.as_ref()?;
    let (repeat, _) = job.instance.config.items[bound.item].repetition.as_ref()?;
    let begins = |path: &Vec<Name>| {
        path.len() <= job.steps.len()
            && path.iter().zip(&job.steps).all(|(name, step)| step.name() == Some(name.as_str()))
    };
    let path = [Some(&repeat.key), repeat.value.as_ref()].into_iter().flatten().find(|path| begins(path))?;
    let rest = rest(&job.steps[path.len()..]);
    let what = TargetKind::Binding(bound.clone(), path.clone());
    Some(ResolvedTarget { instance: job.instance.clone(), what, rest })
}

/// A name that the program defines.
fn program(job: &Job) -> Option<ResolvedTarget> {
    let all = rest(&job.steps);
    let known =
        job.instance.tree.language.builtins.iter().any(|(name, _)| {
            name.iter().zip(&job.steps).all(|(name, step)| step.name() == Some(name.as_str()))
        });
    known.then(|| ResolvedTarget { instance: job.instance.clone(), what: TargetKind::Program, rest: all })
}

impl ResolvedTarget {
    /// The steps to it in its module.
    pub(super) fn steps(&self) -> Vec<Step> {
        let names = |names: &[Name]| names.iter().cloned().map(Step::Name).collect::<Vec<_>>();
        let config = &self.instance.config;
        let mut steps = match &self.what {
            TargetKind::Output(at)
                if !self.instance.is_root() && config.items[*at].rule.role == Role::Result =>
            {
                names(&[Name::from(config.items[*at].own_name())])
            }
            TargetKind::Input(at)
            | TargetKind::Output(at)
            | TargetKind::Repeated(at)
            | TargetKind::Call(at)
            | TargetKind::OtherModule(at)
            | TargetKind::Object(at, None) => names(&config.items[*at].address),
            TargetKind::Object(at, Some(bound)) => {
                let mut steps = names(&config.items[*at].address);
                steps.push(Step::Key(bound.key.clone()));
                steps
            }
            TargetKind::Named(at) => names(&config.values[*at].address),
            TargetKind::Binding(_, path) => names(path),
            TargetKind::Program => Vec::new(),
        };
        steps.extend(self.rest.iter().cloned());
        steps
    }

    /// The address.
    pub(super) fn address(&self) -> Address {
        if let TargetKind::Binding(..) = &self.what {
            return Address::bound(self.steps(), &self.block_address());
        }
        let config = &self.instance.config;
        let item = |at: usize| &config.items[at];
        let (kind, names) = match &self.what {
            TargetKind::Input(at) => (AddressKind::Variable, item(*at).address.len()),
            TargetKind::Named(at) => (AddressKind::Local, config.values[*at].address.len()),
            TargetKind::Output(at) if item(*at).rule.role != Role::Result => {
                (AddressKind::Local, item(*at).address.len())
            }
            TargetKind::Output(_) if !self.instance.is_root() => (AddressKind::Output, 1),
            TargetKind::Output(at) => (AddressKind::Output, item(*at).address.len()),
            TargetKind::Call(at) | TargetKind::OtherModule(at) => {
                (AddressKind::Module, item(*at).address.len())
            }
            TargetKind::Object(at, _) | TargetKind::Repeated(at) => {
                (kind_of_object(&item(*at).address), item(*at).address.len())
            }
            TargetKind::Binding(..) | TargetKind::Program => {
                let names = self.rest.iter().take_while(|step| step.name().is_some());
                (AddressKind::Other, names.count().min(2))
            }
        };
        let mut path = self.instance.path.clone();
        path.extend(self.steps());
        Address::new(path, kind, self.instance.path.len(), names)
    }

    /// The address of the block or of its instance.
    pub(super) fn block_address(&self) -> String {
        let mut path = self.instance.path.clone();
        let (at, key) = match &self.what {
            TargetKind::Binding(bound, _) => (bound.item, Some(&bound.key)),
            TargetKind::Repeated(at) => (*at, None),
            _ => return self.address().as_str().to_owned(),
        };
        path.extend(self.instance.config.items[at].address.iter().cloned().map(Step::Name));
        path.extend(key.cloned().map(Step::Key));
        written(&path)
    }

    pub(super) fn value(&self) -> Value {
        let config = &self.instance.config;
        let value_of = |name: &[Name]| {
            let name: Vec<&str> = name.iter().map(Name::as_str).collect();
            self.instance.context.value_alone(&name).unwrap_or(Value::DYNAMIC)
        };
        match &self.what {
            TargetKind::Input(at)
            | TargetKind::Output(at)
            | TargetKind::Repeated(at)
            | TargetKind::Object(at, None) => part_of(&value_of(&config.items[*at].address), &self.rest),
            TargetKind::Call(at) => part_of(&value_of(&config.items[*at].address), &self.rest),
            TargetKind::Object(at, Some(bound)) => {
                let whole = value_of(&config.items[*at].address);
                part_of(&part_of(&whole, &[Step::Key(bound.key.clone())]), &self.rest)
            }
            TargetKind::Named(at) => part_of(&value_of(&config.values[*at].address), &self.rest),
            TargetKind::Binding(bound, path) => {
                let repeat = config.items[bound.item].repetition.as_ref().map(|(repeat, _)| repeat);
                let is_key = repeat.is_some_and(|repeat| repeat.key == *path);
                part_of(if is_key { &bound.key } else { &bound.value }, &self.rest)
            }
            TargetKind::Program => {
                let name = self.rest.iter().map_while(|step| match step {
                    Step::Name(name) => Some(name.clone()),
                    Step::Key(_) => None,
                });
                value_of(&name.collect::<Vec<_>>())
            }
            TargetKind::OtherModule(_) => Value::DYNAMIC,
        }
    }

    /// The value for the expressions that refer to it.
    pub(super) fn seen(&self) -> Value {
        let items = &self.instance.config.items;
        match &self.what {
            // An instance is unknown as a whole, unless the language defines its attributes.
            TargetKind::Repeated(at) if self.instance.is_open(&items[*at]) => Value::DYNAMIC,
            TargetKind::Object(at, _) => {
                let whole = Self { rest: Vec::new(), ..self.clone() }.value();
                part_of(&self.instance.seen(&items[*at], &whole), &self.rest)
            }
            _ => self.value(),
        }
    }

    pub(super) fn place(&self) -> Option<Place> {
        let config = &self.instance.config;
        match &self.what {
            TargetKind::Input(at)
            | TargetKind::Output(at)
            | TargetKind::Repeated(at)
            | TargetKind::Call(at)
            | TargetKind::OtherModule(at)
            | TargetKind::Object(at, _) => Some(config.items[*at].place()),
            TargetKind::Binding(bound, _) => Some(config.items[bound.item].place()),
            TargetKind::Named(_) | TargetKind::Program => None,
        }
    }

    /// The results of the called module, as an expression refers to them.
    pub(super) fn results(&self) -> Vec<Vec<UseStep>> {
        let TargetKind::Call(at) = &self.what else { return Vec::new() };
        let Content::Call(call) = &self.instance.config.items[*at].content else { return Vec::new() };
        let Some(called) = &call.config else { return Vec::new() };
        let to = self.steps();
        let results = called.items.iter().filter(|item| item.rule.role == Role::Result);
        results
            .map(|item| {
                let name = Step::Name(Name::from(item.own_name()));
                to.iter().cloned().chain([name]).map(super::use_step).collect()
            })
            .collect()
    }
}
