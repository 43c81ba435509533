//! What the blocks of a test file refer to: the module under test, earlier runs, and configurations of providers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::ErrorKind;
use std::sync::Arc;

use hclkit_model::{Attribute, Context, Expression, Scope, Target, Traversal};
use hclkit_syntax::{Diagnostics, Place, Severity, Span, is_identifier, nearest_name};
use hclkit_value::{Name, Type, Value};

use super::results;
use super::structure::Node;
use crate::config::{Config, Content, names_of};
use crate::files::join;
use crate::instance::{self, Session};
use crate::lint::references::References;
use crate::messages as all_messages;
use crate::module_tree::ModuleTree;
use crate::provider_name::Named;
use crate::step::Step;
use crate::step::address;
use crate::terraform::messages::{
    meta as meta_messages, providers as provider_messages, testing as messages,
};
use crate::terraform::moves::Address;
use crate::terraform::providers::{self, is_provider_name};
use crate::unevaluated::Reference;
use hclkit_dialect::{Dialect, FileKind, ModuleSource, Role, is_local_source};

const RUN: &str = "run";
const VAR: &str = "var";
const RESOURCE: &str = "override_resource";
const DATA: &str = "override_data";
const MODULE: &str = "override_module";

/// A module that tests check.
#[derive(Clone, Debug)]
pub(super) struct Tested {
    pub(super) config: Arc<Config>,
    pub(super) tree: Arc<Session>,
    /// The variables that files set by default.
    pub(super) given: Vec<Name>,
}

/// A `run` block.
#[derive(Debug)]
pub(super) struct Run<'n> {
    pub(super) node: &'n Node,
    /// It tests a different module.
    pub(super) has_module: bool,
    /// `None` if the module is not available.
    pub(super) tested: Option<Tested>,
}

impl Run<'_> {
    pub(super) fn name(&self) -> &str {
        self.node.name()
    }
}

/// The directory of the module that a run tests, relative to the module under test, if it is in one.
pub(super) fn source(call: &Node, diagnostics: &mut Diagnostics) -> Option<(String, Place)> {
    let expression = &call.attributes.get("source")?.expression;
    let (place, value) = (expression.place(), expression.evaluate(&Context::new()).ok()?);
    let source = value.as_str()?;
    if is_local_source(source) {
        if let Some(version) = call.attributes.get("version") {
            let error = all_messages::meta::version_of_directory();
            diagnostics.push(error.at(version.expression.place()));
        }
        return Some((source.to_owned(), place));
    }
    if !matches!(ModuleSource::parse(source), Ok(ModuleSource::Registry(_))) {
        diagnostics.push(messages::invalid_source(source).at(place));
    }
    None
}

/// The check of a test file.
pub(super) struct Checking<'t> {
    trees: &'t ModuleTree,
    /// The directory of the module under test.
    directory: Option<&'t str>,
    module: Option<&'t Tested>,
    runs: &'t [Run<'t>],
    /// The variables that the file, or one of variables beside it, sets or declares.
    given: Vec<Name>,
    /// The configurations of providers that the file declares, and the blocks of those that runs compare with the module.
    providers: HashSet<String>,
    blocks: BTreeMap<String, Place>,
    diagnostics: &'t mut Diagnostics,
}

impl<'t> Checking<'t> {
    pub(super) fn new(
        trees: &'t ModuleTree,
        directory: Option<&'t str>,
        module: Option<&'t Tested>,
        runs: &'t [Run<'t>],
        given: &[Name],
        diagnostics: &'t mut Diagnostics,
    ) -> Self {
        let module = module.filter(|module| !module.config.broken.has_errors());
        let (given, providers, blocks) = (given.to_vec(), HashSet::new(), BTreeMap::new());
        Checking { trees, directory, module, runs, given, providers, blocks, diagnostics }
    }

    pub(super) fn file(&mut self, root: &Node) {
        self.declare_providers(root);
        let variables: Vec<&Attribute> =
            root.all("variables").flat_map(|node| node.attributes.iter()).collect();
        self.given.extend(variables.iter().map(|attribute| attribute.name.clone()));
        self.given.extend(root.all("variable").map(|node| Name::from(node.name())));
        for attribute in variables {
            // Newer versions evaluate it for each run that uses it.
            let value = self.value(attribute, self.module, self.runs.len());
            if self.is_used_everywhere(&attribute.name) {
                self.variable(attribute, value.as_ref(), self.module, None);
            }
        }
        self.overrides(root, self.module);
        let mocks =
            root.children.iter().filter(|child| child.is("mock_provider") || child.is("mock_resource"));
        for mock in mocks.chain(root.all("mock_data")) {
            self.mock(mock);
        }
        let runs = self.runs;
        for (at, run) in runs.iter().enumerate() {
            self.run(at, run);
        }
        self.sources();
    }

    /// Whether the value of a file is that of a variable of the module under test in some run.
    fn is_used_everywhere(&self, name: &Name) -> bool {
        let sets = |run: &Run<'_>| run.node.all("variables").any(|own| own.attributes.get(name).is_some());
        self.runs.iter().any(|run| !run.has_module && !sets(run))
    }

    /// Mock data of a provider.
    fn mock(&mut self, mock: &Node) {
        self.overrides(mock, self.module);
        for own in mock.children.iter().chain([mock]) {
            if let Some(defaults) = own.attributes.get("defaults") {
                self.object(defaults);
            }
        }
        let source = mock.attributes.get("source").map(|source| &source.expression);
        let value = source.and_then(|source| source.evaluate(&Context::new()).ok());
        if let (Some(source), Some(value), Some(directory)) = (source, value, self.directory)
            && let Some(path) = value.as_str()
        {
            let files = self.trees.loader().files();
            let directory = join(directory, path);
            if files.list(&directory).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
                let error = messages::missing_mocks(&files.name(&directory));
                self.diagnostics.push(error.at(source.place()));
            }
        }
    }

    fn run(&mut self, at: usize, run: &Run<'_>) {
        let tested = run.tested.as_ref().filter(|tested| !tested.config.broken.has_errors());
        let variables: Vec<&Attribute> =
            run.node.all("variables").flat_map(|node| node.attributes.iter()).collect();
        for attribute in &variables {
            let value = self.value(attribute, tested, at);
            self.variable(attribute, value.as_ref(), tested, Some(run.name()));
        }
        let set = variables.iter().map(|attribute| &attribute.name).chain(&self.given).cloned().collect();
        let names = tested.map(|tested| names(tested, set));
        for assert in run.node.all("assert") {
            for (name, ty) in [("condition", Type::Bool), ("error_message", Type::String)] {
                if let Some(attribute) = assert.attributes.get(name) {
                    self.assertion(&attribute.expression, &ty, names.as_ref().zip(tested), at);
                }
            }
        }
        if let Some(expected) = run.node.attributes.get("expect_failures") {
            self.expected(&expected.expression, tested);
        }
        for options in run.node.all("plan_options") {
            self.plan_options(options);
        }
        if let Some(providers) = run.node.attributes.get("providers") {
            self.providers(&providers.expression);
        }
        self.overrides(run.node, tested);
    }

    /// Reports what the value of a variable must not refer to. Returns the value as far as it is known without references.
    fn value(&mut self, attribute: &Attribute, tested: Option<&Tested>, at: usize) -> Option<Value> {
        let expression = &attribute.expression;
        self.references_to_runs(expression, at);
        let mut scope = Scope::new();
        scope.set([RUN], Value::DYNAMIC);
        let modules = [self.module, tested];
        let is_known = modules.iter().all(Option::is_some);
        if !is_known {
            scope.set([VAR], Value::DYNAMIC);
        }
        let declared = modules.into_iter().flatten().filter(|_| is_known).flat_map(|tested| {
            let inputs = tested.config.inputs().map(|(_, item, _)| Name::from(item.own_name()));
            inputs.chain(tested.given.iter().cloned())
        });
        for name in declared.chain(self.given.iter().filter(|_| is_known).cloned()) {
            scope.set([Name::from(VAR), name], Value::DYNAMIC);
        }
        let context = Context::new().with_scope(scope);
        for reference in expression.variables() {
            if ![VAR, RUN].contains(&&*reference.root) {
                let error = messages::unavailable(&reference.to_string()).at(reference.span());
                self.diagnostics.push(error.with_source(expression.source()));
                return None;
            }
        }
        let undefined = context.undefined_names(expression);
        if !undefined.is_empty() {
            self.undefined(undefined, expression);
            return None;
        }
        self.any_value(expression, tested?)
    }

    /// Reports a value that a variable cannot have.
    fn variable(
        &mut self,
        attribute: &Attribute,
        value: Option<&Value>,
        tested: Option<&Tested>,
        run: Option<&str>,
    ) {
        let Some(tested) = tested else { return };
        let name = &*attribute.name;
        let Some((_, _, input)) = tested.config.inputs().find(|(_, item, _)| item.own_name() == name) else {
            if let Some(run) = run {
                let meant = nearest_name(name, tested.config.inputs().map(|(_, item, _)| item.own_name()));
                let warning = messages::undeclared_variable(name, run, meant).at(attribute.name_span);
                self.diagnostics.push(warning.with_source(&attribute.source));
            }
            return;
        };
        let converted = input.constraint.as_ref().zip(value).map(|(ty, value)| ty.convert(value));
        if let Some(Err(problem)) = converted {
            let place = attribute.expression.place_of(&problem.path());
            let problem =
                if input.hidden { all_messages::NOT_CONVERTIBLE.to_owned() } else { problem.to_string() };
            self.diagnostics.push(all_messages::invalid_value(name, "in this file", &problem).at(place));
        }
    }

    /// The value of an expression if nothing is known about what it refers to. An error in it is one whatever the values are.
    fn any_value(&mut self, expression: &Expression, tested: &Tested) -> Option<Value> {
        let mut context = Context::new().with_functions(tested.tree.functions.clone()).with_open_types(true);
        context.set_all(expression.variables().into_iter().map(|found| (found.root, Value::DYNAMIC)));
        let (value, found) = expression.evaluate_lenient(&context);
        let failed = found.has_errors();
        self.diagnostics.append(found);
        (!failed).then_some(value)
    }

    /// Checks the condition or the message of an assertion.
    fn assertion(
        &mut self,
        expression: &Expression,
        ty: &Type,
        names: Option<(&Context, &Tested)>,
        at: usize,
    ) {
        let is_condition = *ty == Type::Bool;
        if is_condition && expression.variables().is_empty() {
            return self.diagnostics.push(all_messages::constant_condition().at(expression.place()));
        }
        self.references_to_runs(expression, at);
        let Some((context, tested)) = names else { return };
        let mut undefined = Diagnostics::new();
        let references =
            References::new(&tested.tree.language, &tested.config, tested.tree.target.as_deref());
        references.check(expression, context, &[], &mut undefined);
        if !undefined.is_empty() {
            return self.undefined(undefined, expression);
        }
        let Some(value) = self.any_value(expression, tested) else { return };
        let (value, _) = value.unmark();
        if value.is_null() || value.convert(ty).is_err() {
            let found = if value.is_null() { "null".to_owned() } else { value.ty().friendly_name() };
            let error = if is_condition {
                messages::condition_is_no_bool(&found)
            } else {
                messages::message_is_no_string(&found)
            };
            self.diagnostics.push(error.at(expression.place()));
        }
    }

    /// Reports undefined names. A variable may be set when the tests are run, although nothing declares it.
    fn undefined(&mut self, found: Diagnostics, expression: &Expression) {
        let variables = expression.variables().into_iter();
        let variables = variables.filter(|reference| reference.root == *VAR && !reference.steps.is_empty());
        let variables: Vec<Span> = variables.map(|reference| reference.span()).collect();
        for error in found {
            let is_variable =
                |span: Span| variables.iter().any(|own| own.start <= span.start && span.end <= own.end);
            if is_variable(error.span()) {
                self.diagnostics.push(all_messages::weakened(error, messages::MUST_BE_GIVEN));
            } else {
                self.diagnostics.push(error);
            }
        }
    }

    /// Reports references to runs that are not earlier ones of the file, and to results that they do not have.
    fn references_to_runs(&mut self, expression: &Expression, at: usize) {
        for reference in expression.variables().iter().filter(|reference| reference.root == *RUN) {
            let names = names_of(reference);
            let error = match &names[..] {
                [_] => meta_messages::incomplete_reference(RUN, "run.name"),
                [_, name, rest @ ..] => {
                    let earlier = self.runs[..at].iter().rfind(|run| *run.name() == **name);
                    let Some(earlier) = earlier else {
                        let is_later = self.runs[at..].iter().any(|run| *run.name() == **name);
                        let meant = nearest_name(name, self.runs[..at].iter().map(Run::name));
                        let error = if is_later {
                            messages::later_run(name)
                        } else {
                            messages::unknown_run(name, meant)
                        };
                        self.diagnostics.push(error.at(reference.span()).with_source(expression.source()));
                        continue;
                    };
                    let Some((tested, result)) = earlier.tested.as_ref().zip(rest.first()) else { continue };
                    let known = results(&tested.config);
                    if known.contains(&**result) || tested.config.broken.has_errors() {
                        continue;
                    }
                    messages::unknown_result(name, result, nearest_name(result, known))
                }
                [] => continue,
            };
            self.diagnostics.push(error.at(reference.span()).with_source(expression.source()));
        }
    }

    /// Checks what is expected to fail.
    fn expected(&mut self, list: &Expression, tested: Option<&Tested>) {
        let Some(elements) = self.list(list, "expect_failures", "var.region") else { return };
        for element in elements {
            let Some(Reference { traversal, .. }) = Reference::of(&element) else {
                let error = meta_messages::reference_required("expect_failures", "var.region");
                self.diagnostics.push(error.at(element.place()));
                continue;
            };
            let language = self.trees.language().clone();
            let Some(own) = checkable(&traversal, &language) else {
                let error = messages::not_checkable(&traversal.to_string());
                self.diagnostics.push(error.at(element.place()));
                continue;
            };
            let Some(tested) = tested else { continue };
            let declared = || {
                tested.config.items.iter().filter(|item| {
                    matches!(item.rule.role, Role::Input | Role::Result | Role::Check | Role::Object)
                })
            };
            if !declared().any(|item| item.address == own) {
                let (text, all) = (address(&own), declared().map(|item| address(&item.address)));
                let all: Vec<String> = all.collect();
                let meant = nearest_name(&text, all.iter().map(String::as_str));
                self.diagnostics.push(messages::not_declared(&text, meant).at(element.place()));
            }
        }
    }

    fn list(&mut self, list: &Expression, name: &str, example: &str) -> Option<Vec<Expression>> {
        let elements = list.static_list();
        if elements.is_err() {
            self.diagnostics.push(messages::list_required(name, example).at(list.place()));
        }
        elements.ok()
    }

    fn plan_options(&mut self, options: &Node) {
        const EXAMPLE: &str = "terraform_data.example";
        let mode = options.attributes.get("mode").and_then(|mode| mode.expression.static_keyword());
        let refreshes = mode.as_deref() == Some("refresh-only");
        if let Some(refresh) = options.attributes.get("refresh").filter(|_| refreshes) {
            let value = refresh.expression.evaluate(&Context::new()).ok();
            if value.is_some_and(|value| value.as_bool() == Some(false)) {
                self.diagnostics.push(messages::refresh_disabled().at(refresh.expression.place()));
            }
        }
        for name in ["replace", "target"] {
            let Some(attribute) = options.attributes.get(name) else { continue };
            let Some(elements) = self.list(&attribute.expression, name, EXAMPLE) else { continue };
            let is_replaced = name == "replace";
            if refreshes && is_replaced && !elements.is_empty() {
                self.diagnostics.push(messages::replace_without_plan().at(attribute.expression.place()));
            }
            for element in elements {
                let address = Address::of(&element, self.trees.language());
                if address.is_none_or(|address| is_replaced && (address.is_module || address.is_prefixed)) {
                    let kind = if is_replaced { "a resource" } else { "a resource or a module" };
                    let error = messages::invalid_target(name, kind, EXAMPLE);
                    self.diagnostics.push(error.at(element.place()));
                }
            }
        }
    }

    /// Checks the targets and the values of overrides.
    fn overrides(&mut self, node: &Node, tested: Option<&Tested>) {
        let mut first: HashMap<(&str, String), Place> = HashMap::new();
        for (block_type, kind, example) in [
            (RESOURCE, "a resource", "terraform_data.example"),
            (DATA, "a data source", "data.aws_region.current"),
            (MODULE, "a module", "module.network"),
        ] {
            for own in node.all(block_type) {
                for name in ["values", "outputs"] {
                    own.attributes.get(name).into_iter().for_each(|values| self.object(values));
                }
                let Some(target) = own.attributes.get("target") else { continue };
                let place = target.expression.place();
                let address = Address::of(&target.expression, self.trees.language());
                let is_kind = |address: &Address| match block_type {
                    MODULE => address.is_module,
                    DATA => address.is_prefixed,
                    _ => !address.is_module && !address.is_prefixed,
                };
                let Some(address) = address.filter(is_kind) else {
                    let error = messages::invalid_target(block_type, kind, example);
                    self.diagnostics.push(error.at(place));
                    continue;
                };
                let text = address.text();
                if let Some(first) = first.get(&(block_type, text.clone())) {
                    self.diagnostics.push(messages::duplicate_target(&text, first).at(place));
                    continue;
                }
                if tested.is_some_and(|tested| !declares(&tested.config, &address.steps)) {
                    self.diagnostics.push(messages::unknown_target(&text).at(place.clone()));
                }
                first.insert((block_type, text), place);
            }
        }
    }

    /// Reports values that are certainly not objects.
    fn object(&mut self, attribute: &Attribute) {
        let expression = &attribute.expression;
        let Ok(value) = expression.evaluate(&Context::new()) else { return };
        if value.is_null() || !matches!(value.ty(), Type::Object(_) | Type::Map(_)) {
            self.diagnostics.push(messages::object_required(&attribute.name).at(expression.place()));
        }
    }

    /// Reads the configurations of providers that the file declares.
    fn declare_providers(&mut self, root: &Node) {
        let mut first: HashMap<String, Place> = HashMap::new();
        let late = self.has_late_providers();
        for node in root.children.iter().filter(|node| node.is("provider") || node.is("mock_provider")) {
            let Some(block) = &node.block else { continue };
            if !is_provider_name(node.name()) {
                let place = block.label_spans.first().copied().unwrap_or(block.definition_span);
                let error = provider_messages::invalid_name(node.name()).at(place);
                self.diagnostics.push(error.with_source(&block.source));
                continue;
            }
            let alias = node.attributes.get("alias").map(|alias| &alias.expression);
            let text = alias.and_then(|alias| alias.evaluate(&Context::new()).ok());
            let text = text.as_ref().and_then(Value::as_str);
            if let Some(alias) = alias.filter(|_| !text.is_some_and(is_identifier)) {
                self.diagnostics.push(provider_messages::invalid_alias().at(alias.place()));
                continue;
            }
            let name = match text {
                Some(alias) => format!("{}.{alias}", node.name()),
                None => node.name().to_owned(),
            };
            let key = if late { format!("{} {name}", block.block_type) } else { name.clone() };
            if let Some(first) = first.get(&key) {
                let error = provider_messages::duplicate(node.name(), text, first);
                self.diagnostics.push(error.at(block.definition_place()));
            }
            first.entry(key).or_insert_with(|| block.definition_place());
            if node.is("provider") || !late {
                self.blocks.insert(name.clone(), block.definition_place());
            }
            self.providers.insert(name);
        }
    }

    /// Whether the configurations of providers are only looked up in a run.
    fn has_late_providers(&self) -> bool {
        self.trees.language().of_kind(FileKind::Tests).is_some_and(|tests| tests.late_providers)
    }

    /// Reports configurations that are those of one provider in a run, and of another one in a later run.
    fn sources(&mut self) {
        let mut known: HashMap<String, String> = HashMap::new();
        // Most runs test the same module.
        let mut read: HashMap<*const Config, _> = HashMap::new();
        let is_compared = |text: &String| self.blocks.contains_key(text) || !self.providers.contains(text);
        for run in self.runs {
            let Some(tested) = &run.tested else { continue };
            let directory = read
                .entry(Arc::as_ptr(&tested.config))
                .or_insert_with(|| providers::read(&tested.config, &tested.tree.language));
            let map = run.node.attributes.get("providers").and_then(|own| own.expression.static_map().ok());
            // The name in the file, the one in the module, and where the file names it.
            let pairs: Vec<(String, String, Place)> = if let Some(map) = map.filter(|map| !map.is_empty()) {
                let pair = |(key, value): &(Expression, Expression)| {
                    let value = Named::of(value).filter(|value| is_compared(&value.text()))?;
                    let own = Named::of_key(key)?.name().to_owned();
                    Some((value.name().to_owned(), own, value.place().clone()))
                };
                map.iter().filter_map(pair).collect()
            } else {
                let place = |text: &str| self.blocks.get(text).cloned();
                let pair =
                    |(text, name): (String, &str)| Some((name.to_owned(), name.to_owned(), place(&text)?));
                directory.replaceable().into_iter().filter_map(pair).collect()
            };
            for (name, theirs, place) in pairs {
                let source = directory.declared_source(&theirs);
                let first = known.entry(name).or_insert_with_key(|_| source.clone());
                if *first != source {
                    self.diagnostics.push(messages::other_provider(&theirs, first, &source).at(place));
                }
            }
        }
    }

    /// Checks the configurations of providers for a run.
    fn providers(&mut self, map: &Expression) {
        let Ok(entries) = map.static_map() else {
            return self.diagnostics.push(provider_messages::map_required().at(map.place()));
        };
        let mut given = HashSet::new();
        for (key, value) in entries {
            match Named::of_key(&key).map(|named| named.text()) {
                None => self.diagnostics.push(messages::invalid_provider().at(key.place())),
                Some(name) if given.contains(&name) => {
                    self.diagnostics.push(provider_messages::passed_twice(&name).at(key.place()));
                }
                Some(name) => drop(given.insert(name)),
            }
            let Some(named) = Named::of(&value) else {
                self.diagnostics.push(messages::invalid_provider().at(value.place()));
                continue;
            };
            let name = named.text();
            if !self.providers.contains(&name) {
                let meant = nearest_name(&name, self.providers.iter().map(String::as_str));
                let error = messages::unknown_provider(&name, meant).at(value.place());
                let late = self.has_late_providers();
                self.diagnostics.push(if late { error.with_severity(Severity::Warning) } else { error });
            }
        }
    }
}

/// The names that assertions can use: those of the module, its results, and variables that the tests set.
fn names(tested: &Tested, set: Vec<Name>) -> Context {
    let mut scope = instance::scope(&tested.tree, &tested.config);
    // Assertions are not evaluated.
    scope.look_up_at_once();
    scope.set([RUN], Value::DYNAMIC);
    for name in set {
        scope.set([Name::from(VAR), name], Value::DYNAMIC);
    }
    // Longer forms, such as `resource.aws_instance.web`.
    for item in &tested.config.items {
        if let Some(root) = item.rule.long_name.root() {
            scope.set(std::iter::once(root).chain(&item.address).cloned(), Value::DYNAMIC);
        }
    }
    Context::new().with_scope(scope)
}

/// The address of the object that a reference is to, if it can have conditions.
fn checkable(reference: &Traversal, language: &Dialect) -> Option<Vec<Name>> {
    let is_name = |target: &Target| matches!(target, Target::Attribute(_));
    let names = reference.steps.iter().map(|step| &step.target).take_while(|target| is_name(target));
    let names = names.filter_map(|target| match target {
        Target::Attribute(name) => Some(name.clone()),
        Target::Element(_) => None,
    });
    let mut names: Vec<Name> = std::iter::once(reference.root.clone()).chain(names).collect();
    if names[0] == *"resource" {
        names.remove(0);
    }
    let begins = |root: Option<&Name>| root.is_some() && names.first() == root;
    let rule = language.blocks.iter().find(|rule| begins(rule.defines.root()));
    let length = match rule {
        Some(rule) if matches!(rule.role, Role::Input | Role::Result | Role::Check | Role::Object) => {
            rule.defines.len()
        }
        Some(_) => return None,
        None => 2,
    };
    let is_given = |(path, _): &(Vec<Name>, _)| path.first() == names.first();
    let is_bound = |name: &Name| [RUN, "self", "each", "count"].contains(&&**name);
    if language.builtins.iter().any(is_given) || names.first().is_some_and(is_bound) || names.len() < length {
        return None;
    }
    names.truncate(length);
    Some(names)
}

/// Whether a module or one that it calls declares an address. It may be in a module that is not available.
fn declares(config: &Config, steps: &[Step]) -> bool {
    let matches = |own: &[Name]| {
        own.len() <= steps.len()
            && own.iter().zip(steps).all(|(own, step)| matches!(step, Step::Name(name) if name == own))
    };
    let is_meant = |item: &&crate::config::Item| {
        matches!(item.content, Content::Call(_) | Content::Object(_)) && matches(&item.address)
    };
    let Some(item) = config.items.iter().find(is_meant) else { return false };
    let rest = match &steps[item.address.len()..] {
        [Step::Key(_), rest @ ..] | rest => rest,
    };
    match &item.content {
        _ if rest.is_empty() => true,
        Content::Call(call) => call.config.as_ref().is_none_or(|called| declares(called, rest)),
        _ => false,
    }
}
