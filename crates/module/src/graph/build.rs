//! Finding the references in the files of directories. Each directory is read once, however many modules call it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_limits::with_room;
use hclkit_model::{Context, Expression, Target, Traversal};
use hclkit_syntax::{Place, Span};
use hclkit_value::Name;

use super::{Directory, Graph, Module, Reference};
use crate::config::{Config, Content, Item, address};
use crate::instance::{Instance, used_sources};
use hclkit_dialect::Role;

impl Graph {
    pub(crate) fn of(root: &Instance) -> Graph {
        let mut building = Building { known: HashMap::new(), directories: Vec::new() };
        let directory = building.directory(&root.config, Some(&root.context));
        Graph { modules: modules(&building.directories, directory), directories: building.directories }
    }
}

/// The modules of a tree, each before those that it calls.
fn modules(directories: &[Directory], root: usize) -> Vec<Module> {
    let mut modules: Vec<Module> = Vec::new();
    let (mut open, mut first) = (vec![(root, None)], 0);
    while let Some((directory, caller)) = open.pop() {
        let own = modules.len();
        if let Some((caller, _)) = caller {
            let caller: &mut Module = &mut modules[caller];
            caller.called.push(own);
        }
        let calls = &directories[directory].calls;
        modules.push(Module { directory, caller, first, called: Vec::with_capacity(calls.len()) });
        first += directories[directory].declared.len();
        open.extend(calls.iter().rev().map(|(call, called)| (*called, Some((own, *call)))));
    }
    modules
}

struct Building {
    /// The numbers of directories.
    known: HashMap<*const Config, usize>,
    directories: Vec<Directory>,
}

impl Building {
    /// Reads a directory and those that it calls. The root directory has a context for the sources of builds.
    fn directory(&mut self, config: &Arc<Config>, root: Option<&Context>) -> usize {
        if let Some(known) = self.known.get(&Arc::as_ptr(config)) {
            return *known;
        }
        let mut directory = Directory::default();
        let mut names = Names::default();
        let is_build = |item: &&Item| item.rule.role == Role::Build;
        let builds = config.items.iter().filter(is_build).count();
        let (mut declared, mut build) = (Vec::new(), 0);
        for item in &config.items {
            let mut sources = Vec::new();
            let name = if is_build(&item) {
                let (name, used) = used_sources(item, root.unwrap_or(&Context::new()));
                sources = used;
                build += 1;
                build_name(&name, (builds > 1).then_some(build - 1))
            } else if item.address.is_empty() || item.rule.role == Role::Settings {
                continue;
            } else if root.is_none() && item.rule.role == Role::Result {
                item.own_name().to_owned()
            } else {
                address(&item.address)
            };
            let whole = Span::new(item.block.type_span.start, item.block.close_span.end);
            let place = Place::new(&item.block.source, whole);
            let at = directory.declare(name, item.rule.role.as_str(), place);
            declared.push((at, item, sources));
            match &item.content {
                Content::Call(call) => {
                    names.add(&item.address, Reference::Results { call: at });
                    if let Some(called) = &call.config {
                        let inner = with_room(|| self.directory(called, None));
                        directory.calls.push((at, inner));
                        for result in &self.directories[inner].results {
                            let name = self.directories[inner].declared[*result].name.as_str();
                            let path = [item.address.as_slice(), &[Name::from(name)]].concat();
                            names.add(&path, Reference::Result { call: at, result: *result });
                        }
                    }
                }
                // Only callers refer to results.
                _ if item.rule.role == Role::Result => {}
                _ => {
                    names.add(&item.address, Reference::Own(at));
                    names.add(&item.also, Reference::Own(at));
                }
            }
        }
        for named in &config.values {
            let place = Place::new(&named.attribute.source, named.attribute.span);
            let at = directory.declare(address(&named.address), Role::Values.as_str(), place);
            names.add(&named.address, Reference::Own(at));
        }
        let values = directory.declared.len() - config.values.len();
        for (at, named) in (values..).zip(&config.values) {
            let mut references = Vec::new();
            names.all(&named.attribute.expression, &[], &mut references);
            directory.references[at] = distinct(references);
        }
        for (at, item, sources) in declared {
            let mut references = Vec::new();
            item.each_expression(&mut |expression, bound| names.all(expression, bound, &mut references));
            let paths =
                sources.into_iter().map(|[kind, name]| [Name::from("source"), kind.into(), name.into()]);
            references.extend(paths.filter_map(|path| names.find(&path)));
            directory.references[at] = distinct(references);
            let Content::Call(call) = &item.content else { continue };
            let Some(called) = &call.config else { continue };
            for (_, input, _) in called.inputs() {
                let inner = &self.directories[self.known[&Arc::as_ptr(called)]];
                let own = inner.named(&address(&input.address));
                if let (Some(argument), Some(own)) = (call.argument(input.own_name()), own) {
                    let mut references = Vec::new();
                    names.all(&argument.expression, &[], &mut references);
                    directory.arguments.insert((at, own), distinct(references));
                }
            }
        }
        let number = self.directories.len();
        self.directories.push(directory);
        self.known.insert(Arc::as_ptr(config), number);
        number
    }
}

/// The declarations that expressions of a directory can refer to, by their addresses.
#[derive(Default)]
struct Names {
    all: HashMap<Vec<Name>, Reference>,
    /// The length of the longest address.
    longest: usize,
}

impl Names {
    fn add(&mut self, path: &[Name], reference: Reference) {
        if !path.is_empty() {
            self.longest = self.longest.max(path.len());
            self.all.insert(path.to_vec(), reference);
        }
    }

    /// Adds the references in an expression, other than those to bound names.
    fn all(&self, expression: &Expression, bound: &[Name], references: &mut Vec<Reference>) {
        let found = expression.variables();
        let free = found.iter().filter(|reference| !bound.contains(&reference.root));
        references.extend(free.filter_map(|reference| self.find(&self.path(reference))));
    }

    /// The names of a reference. Keys of instances are skipped.
    fn path(&self, reference: &Traversal) -> Vec<Name> {
        let steps = reference.steps.iter().filter_map(|step| match &step.target {
            Target::Attribute(name) => Some(name),
            Target::Element(_) => None,
        });
        std::iter::once(&reference.root).chain(steps).take(self.longest).cloned().collect()
    }

    /// The declaration with the longest address that a path begins with.
    fn find(&self, path: &[Name]) -> Option<Reference> {
        (1..=path.len()).rev().find_map(|length| self.all.get(&path[..length])).copied()
    }
}

/// The address of a build: with its name, or with its number if several have none.
fn build_name(name: &str, number: Option<usize>) -> String {
    match number {
        _ if !name.is_empty() => address(&[Name::from("build"), Name::from(name)]),
        Some(number) => format!("build[{number}]"),
        None => "build".to_owned(),
    }
}

fn distinct(mut references: Vec<Reference>) -> Vec<Reference> {
    let mut seen = HashSet::with_capacity(references.len());
    references.retain(|reference| seen.insert(*reference));
    references
}

impl Item {
    /// Visits the expressions of the block, each with the names that are bound there: those that are evaluated, and references
    /// such as those of `depends_on`. The arguments of a call belong to the inputs of the module, if it is known.
    pub(crate) fn each_expression(&self, visit: &mut dyn FnMut(&Expression, &[Name])) {
        if let Some((_, expression)) = &self.repetition {
            visit(expression, &[]);
        }
        match &self.content {
            Content::Output(output) => output.value.iter().for_each(|value| visit(value, &[])),
            Content::Settings(shape) if self.rule.role == Role::Build => {
                // In a build, it is the source that is built.
                let source = [Name::from("source")];
                shape.each(&mut |expression, bound| visit(expression, &[bound, &source].concat()));
            }
            Content::Object(shape) | Content::Settings(shape) => shape.each(visit),
            Content::Call(call) if call.config.is_none() => {
                call.arguments.iter().for_each(|argument| visit(&argument.expression, &[]));
            }
            Content::Input(_) | Content::Call(_) | Content::Check => {}
        }
        for condition in &self.conditions {
            let bound = condition.binds.as_slice();
            visit(&condition.expression, bound);
            condition.message.iter().for_each(|message| visit(message, bound));
        }
        self.more.iter().for_each(|(expression, bound)| visit(expression, bound));
    }

    /// The same, also with the arguments of a call of a known module.
    pub(crate) fn each_expression_and_argument(&self, visit: &mut dyn FnMut(&Expression, &[Name])) {
        self.each_expression(visit);
        if let Content::Call(call) = &self.content
            && call.config.is_some()
        {
            call.arguments.iter().for_each(|argument| visit(&argument.expression, &[]));
        }
    }
}
