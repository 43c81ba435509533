//! Finding the references in the files of directories. Each directory is read once, however many modules call it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_limits::with_room;
use hclkit_model::{Context, Expression, Traversal};
use hclkit_syntax::{Place, Span};
use hclkit_value::Name;

use super::{Directory, Graph, Module, Reference};
use crate::config::{Call, Config, Content, Declaration, Item, Referent};
use crate::instance::{Instance, used_sources};
use crate::provider_name::Named;
use crate::step::address;
use hclkit_dialect::Role;

impl Graph {
    pub(crate) fn of(root: &Instance) -> Self {
        let mut building = Building { known: HashMap::new(), directories: Vec::new() };
        let directory = building.directory(&root.config, Some(&root.context));
        Self { modules: modules(&building.directories, directory), directories: building.directories }
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
        let is_build = |item: &&Item| item.rule.role == Role::Build;
        let builds = config.items.iter().filter(is_build).count();
        let (mut declared, mut build) = (Vec::new(), 0);
        for item in &config.items {
            let mut sources = Vec::new();
            let (path, name) = if is_build(&item) {
                let (name, used) = used_sources(item, root.unwrap_or(&Context::new()));
                sources = used;
                build += 1;
                build_name(&name, (builds > 1).then_some(build - 1))
            } else if let Some(path) = Named::of_block(item).map(|named| named.path()) {
                let name = address(&path);
                (path, name)
            } else if item.address.is_empty() || item.rule.role == Role::Settings {
                directory.items.push(None);
                continue;
            } else if root.is_none() && item.rule.role == Role::Result {
                (vec![Name::from(item.own_name())], item.own_name().to_owned())
            } else {
                (item.address.clone(), address(&item.address))
            };
            let whole = Span::new(item.block.type_span.start, item.block.close_span.end);
            let place = Place::new(&item.block.source, whole);
            let at = directory.declare(&path, name, item.rule.role.as_str(), place);
            declared.push((at, item, sources));
            directory.items.push(Some(at));
            if let Content::Call(Call { config: Some(called), .. }) = &item.content {
                let inner = with_room(|| self.directory(called, None));
                directory.calls.push((at, inner));
            }
        }
        let first = directory.declared.len();
        for named in &config.values {
            let place = Place::new(&named.attribute.source, named.attribute.span);
            directory.declare(&named.address, address(&named.address), Role::Values.as_str(), place);
        }
        let names = Names { config, directory: &directory, directories: &self.directories, first };
        let (mut references, mut arguments) = (vec![Vec::new(); directory.declared.len()], HashMap::new());
        let mut argument_places = Vec::new();
        for (at, named) in (first..).zip(&config.values) {
            names.all(&named.attribute.expression, &[], &mut references[at]);
        }
        for (at, item, sources) in declared {
            let own = &mut references[at];
            item.each_expression(&mut |expression, bound| names.all(expression, bound, own));
            let paths =
                sources.into_iter().map(|[kind, name]| [Name::from("source"), kind.into(), name.into()]);
            let sources = paths.filter_map(|path| config.definitions().get(&path));
            own.extend(sources.filter_map(|source| names.own(source)));
            own.extend(names.provider(item));
            let quoted = crate::unevaluated::quoted_references(item);
            own.extend(quoted.iter().filter_map(|reference| names.reference(reference)));
            let Content::Call(call) = &item.content else { continue };
            let Some((called, inner)) = call.config.as_ref().zip(names.called(at)) else { continue };
            for (_, input, _) in called.inputs() {
                if let (Some(argument), Some(own)) =
                    (call.argument(input.own_name()), inner.at(&input.address))
                {
                    let mut references = Vec::new();
                    names.all(&argument.expression, &[], &mut references);
                    arguments.insert((at, own), distinct(references));
                    argument_places.push((at, own, Place::new(&argument.source, argument.span)));
                }
            }
        }
        directory.references = references.into_iter().map(distinct).collect();
        directory.arguments = arguments;
        directory.argument_places = argument_places;
        let number = self.directories.len();
        self.directories.push(directory);
        self.known.insert(Arc::as_ptr(config), number);
        number
    }
}

/// The declarations that the references of a directory mean.
struct Names<'c> {
    config: &'c Config,
    directory: &'c Directory,
    directories: &'c [Directory],
    /// The number of the first value.
    first: usize,
}

impl<'c> Names<'c> {
    /// Adds the references in an expression, other than those to bound names.
    fn all(&self, expression: &Expression, bound: &[Name], references: &mut Vec<Reference>) {
        let found = expression.variables();
        let free = found.iter().filter(|reference| !bound.contains(&reference.root));
        references.extend(free.filter_map(|reference| self.reference(reference)));
    }

    fn reference(&self, reference: &Traversal) -> Option<Reference> {
        Some(match self.config.referent(reference)? {
            Referent::Own(declaration) => return self.own(declaration),
            Referent::Results { call } => Reference::Results { call: self.directory.items[call]? },
            Referent::Result { call, result } => {
                let call = self.directory.items[call]?;
                Reference::Result { call, result: self.called(call)?.items[result]? }
            }
        })
    }

    fn own(&self, declaration: Declaration) -> Option<Reference> {
        match declaration {
            Declaration::Item(at) => self.directory.items[at].map(Reference::Own),
            Declaration::Value(at) => Some(Reference::Own(self.first + at)),
        }
    }

    /// The provider that an object names.
    fn provider(&self, item: &Item) -> Option<Reference> {
        self.directory.at(&Named::used_by(item)?.path()).map(Reference::Own)
    }

    /// The directory that a declaration calls.
    fn called(&self, call: usize) -> Option<&'c Directory> {
        let at = self.directory.calls.binary_search_by_key(&call, |(own, _)| *own).ok()?;
        Some(&self.directories[self.directory.calls[at].1])
    }
}

/// The address of a build, and its text: with its name, or with its number if several have none.
fn build_name(name: &str, number: Option<usize>) -> (Vec<Name>, String) {
    let mut path = vec![Name::from("build")];
    let text = match number {
        _ if !name.is_empty() => {
            path.push(Name::from(name));
            address(&path)
        }
        Some(number) => {
            path.push(Name::from(number.to_string()));
            format!("build[{number}]")
        }
        None => "build".to_owned(),
    };
    (path, text)
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
        self.each_expression_of_block(visit);
        if let Content::Call(call) = &self.content
            && call.config.is_none()
        {
            call.arguments.iter().for_each(|argument| visit(&argument.expression, &[]));
        }
    }

    /// Visits the expressions of the block itself: the arguments of calls are left out.
    pub(crate) fn each_expression_of_block(&self, visit: &mut dyn FnMut(&Expression, &[Name])) {
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
            Content::Input(_) | Content::Call(_) | Content::Check => {}
        }
        for condition in &self.conditions {
            let bound = condition.binds.as_slice();
            visit(&condition.expression, bound);
            condition.message.iter().for_each(|message| visit(message, bound));
        }
        self.unevaluated.iter().for_each(|(expression, bound)| visit(expression, bound));
    }

    /// Visits the expressions of the block, and its arguments if it is a call.
    pub(crate) fn each_expression_and_argument(&self, visit: &mut dyn FnMut(&Expression, &[Name])) {
        self.each_expression_of_block(visit);
        if let Content::Call(call) = &self.content {
            call.arguments.iter().for_each(|argument| visit(&argument.expression, &[]));
        }
    }
}
