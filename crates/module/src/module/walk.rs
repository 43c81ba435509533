//! The search for the selected addresses, and parts of values.

use std::collections::HashSet;
use std::sync::Arc;

use hclkit_limits::with_room;
use hclkit_model::{Context, Expression, Reported};
use hclkit_syntax::nearest_name;
use hclkit_value::{Mark, Name, Value};

use super::{Evaluation, Found};
use crate::config::{Content, Item};
use crate::instance::{Instance, Step, addressed, build_path, effects, written};
use crate::language::{Over, Role};
use crate::messages;
use crate::pattern::{Match, Pattern};

/// The search for the selected addresses.
pub(super) struct Walk<'p> {
    patterns: &'p [Pattern],
    /// True for each pattern that selected something.
    pub(super) selected: Vec<bool>,
    /// The names whose errors were found.
    pub(super) reported: Reported,
    pub(super) found: Evaluation,
    /// The addresses of the parts that patterns with `*` or predicates selected.
    parts: HashSet<String>,
    /// The functions for predicates.
    functions: Context,
    /// The names by which expressions see the objects that are added, and the number of steps to the module.
    seen: Option<(Context, usize)>,
}

impl<'p> Walk<'p> {
    pub(super) fn new(patterns: &'p [Pattern], functions: Context) -> Walk<'p> {
        let (selected, reported) = (vec![false; patterns.len()], Reported::default());
        let (found, parts) = (Evaluation::default(), HashSet::new());
        Walk { patterns, selected, reported, found, parts, functions, seen: None }
    }

    /// Adds the selected values of a module and of the modules that it calls.
    pub(super) fn instance(&mut self, instance: &Arc<Instance>) {
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
        self.add_parts(path, value, sensitive);
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
                let other = if sensitive { None } else { similar(value, path, &part) };
                let others: Vec<String> = other.into_iter().collect();
                self.found.diagnostics.push(messages::nothing_at(&address, &others));
            }
        }
    }

    /// Adds the parts of a value that patterns with `*` or predicates select.
    fn add_parts(&mut self, path: &[Step], value: &Value, sensitive: bool) {
        // The keys of a sensitive value are not shown.
        let shown = if sensitive { value.mark(Mark::sensitive()) } else { value.clone() };
        for (at, pattern) in self.patterns.iter().enumerate() {
            if pattern.matches(path) != Match::Below {
                continue;
            }
            for part in pattern.parts(path, &shown, &self.functions) {
                self.selected[at] = true;
                let address = written(&[path, &part].concat());
                if let Some(value) = select(value, &part)
                    && self.parts.insert(address.clone())
                {
                    self.found.values.push(Found { address, value, sensitive });
                }
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
        if self.wanted(path).is_some() {
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

/// The address of a part of a value whose last step has a similar name. The keys of marked values are not shown.
fn similar(value: &Value, path: &[Step], part: &[Step]) -> Option<String> {
    let missing = (0..part.len()).find(|at| select(value, &part[..=*at]).is_none())?;
    let (parent, marks) = select(value, &part[..missing])?.unmark();
    if !marks.is_empty() {
        return None;
    }
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
