//! Configurations of providers, which are never evaluated: `provider` blocks, `configuration_aliases`, and what calls pass
//! to modules with `providers`. Default configurations are not checked, because a provider may not need one.
//! `providers/required.rs` reads `required_providers`.

mod required;

pub(crate) use required::is_provider_name;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hclkit_limits::with_room;
use hclkit_model::Expression;
use hclkit_syntax::ast::ExpressionKind;
use hclkit_syntax::{Code, Diagnostics, KnownNames, Place, Span, is_identifier};
use hclkit_value::Name;

use crate::config::{Config, Content, Item, Target};
use crate::newer;
use crate::provider_name::{ALIAS, Named, PROVIDER, implied};
use crate::step::address;
use crate::terraform::messages::providers as messages;
use hclkit_dialect::{Dialect, Statement};

const PROVIDERS: &str = "providers";
const REQUIRED: &str = "required_providers";
const ALIASES: &str = "configuration_aliases";
const SOURCE: &str = "source";
const VERSION: &str = "version";
/// Functions whose arguments may fail.
const CATCHING: [&str; 2] = ["can", "try"];
const DEPENDS_ON: &str = "depends_on";
const FOR_EACH: &str = "for_each";

/// Checks the configurations of providers in the root module and in the modules that it calls. Other modules may pass
/// configurations to a called root module.
///
/// What is known from the checks of other root modules is not checked again.
pub(crate) fn check(
    root: &Arc<Config>,
    is_called: bool,
    language: &Dialect,
    known: Option<&ProviderFindings>,
    diagnostics: &mut Diagnostics,
) {
    if language.blocks.iter().any(|rule| rule.block_type == *PROVIDER) {
        let mut checking = Checking { language, known, directories: HashMap::new(), diagnostics };
        let passed = if is_called { Passed::Unknown } else { Passed::Known(BTreeSet::new()) };
        checking.module(root, &passed);
    }
}

/// What a directory says about providers. What it finds is left out.
pub(crate) fn read(config: &Arc<Config>, language: &Dialect) -> Arc<Directory> {
    let diagnostics = &mut Diagnostics::new();
    Checking { language, known: None, directories: HashMap::new(), diagnostics }.directory(config)
}

/// What checks of root modules share. All directories must exist as long as this does.
#[derive(Debug, Default)]
pub(crate) struct ProviderFindings {
    /// What directories without errors say about providers.
    directories: Mutex<HashMap<usize, Arc<Directory>>>,
    /// The modules without errors in configurations of providers, by what is passed to them.
    checked: Mutex<HashSet<(usize, Passed)>>,
}

/// A configuration, by the source of the provider and its alias: several names may be those of one provider.
type Key = (String, Option<String>);

/// The configurations that the caller of a module passes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Passed {
    Known(BTreeSet<Key>),
    Unknown,
}

/// What a directory says about providers.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    /// The sources of providers by name.
    sources: HashMap<String, String>,
    /// The names in `required_providers`.
    required: HashSet<String>,
    blocks: Vec<ProviderBlock>,
    /// The indices of the blocks by name and alias.
    by_name: HashMap<(String, Option<String>), usize>,
    /// What the caller must pass.
    aliases: Vec<Named>,
    /// What blocks use.
    used: Vec<Named>,
    /// What each call passes, by the index of its block; `None` if it is not written as a map.
    passed: HashMap<usize, Option<Vec<Pass>>>,
    /// The directory or one that it calls has `provider` blocks with arguments.
    has_arguments: bool,
}

/// What a call passes: the name in the called module, and the own one if it is constant.
type Pass = (Named, Option<Named>);

#[derive(Debug)]
struct ProviderBlock {
    named: Named,
    has_arguments: bool,
    is_repeated: bool,
}

impl Directory {
    /// The source of a provider with a name, for what is declared. Objects use the one that is part of the program.
    pub(crate) fn declared_source(&self, name: &str) -> String {
        self.sources.get(name).cloned().unwrap_or_else(|| format!("hashicorp/{name}"))
    }

    fn source(&self, name: &str) -> String {
        let is_built_in = name == "terraform" && !self.sources.contains_key(name);
        if is_built_in { required::BUILT_IN.to_owned() } else { self.declared_source(name) }
    }

    fn key(&self, named: &Named) -> Key {
        (self.source(&named.name), named.alias.clone())
    }

    /// The block of a configuration.
    fn block(&self, named: &Named) -> Option<&ProviderBlock> {
        self.by_name.get(&(named.name.clone(), named.alias.clone())).map(|&at| &self.blocks[at])
    }

    /// The configurations that the directory declares, and those with an alias that it requires.
    fn declared(&self) -> impl Iterator<Item = &Named> {
        self.blocks.iter().map(|block| &block.named).chain(&self.aliases)
    }

    /// The names of the configurations that tests can replace, each with the name of the provider.
    pub(crate) fn replaceable(&self) -> BTreeSet<(String, &str)> {
        let required = self.required.iter().map(|name| (name.clone(), name.as_str()));
        required.chain(self.declared().map(|own| (own.text(), own.name.as_str()))).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Checking<'d> {
    language: &'d Dialect,
    known: Option<&'d ProviderFindings>,
    directories: HashMap<*const Config, Arc<Directory>>,
    diagnostics: &'d mut Diagnostics,
}

impl Checking<'_> {
    /// Checks a module to which some configurations are passed.
    fn module(&mut self, config: &Arc<Config>, passed: &Passed) {
        let Some(known) = self.known else { return self.check_module(config, passed) };
        let key = (Arc::as_ptr(config) as usize, passed.clone());
        if lock(&known.checked).contains(&key) {
            return;
        }
        let before = self.diagnostics.total();
        self.check_module(config, passed);
        if self.diagnostics.total() == before {
            lock(&known.checked).insert(key);
        }
    }

    fn check_module(&mut self, config: &Arc<Config>, passed: &Passed) {
        let own = self.directory(config);
        let mut known: HashSet<Key> = own.declared().map(|named| own.key(named)).collect();
        let is_complete = match passed {
            Passed::Known(passed) => {
                known.extend(passed.iter().cloned());
                true
            }
            Passed::Unknown => false,
        };
        let is_missing = |named: &Named| is_complete && !named.has_key && !known.contains(&own.key(named));
        let is_undeclared = |named: &Named| named.alias.is_some() && is_missing(named);
        let names: Vec<String> = own.declared().filter(|own| own.alias.is_some()).map(Named::text).collect();
        let names = KnownNames::new(names.iter().map(String::as_str));
        for named in own.used.iter().filter(|named| is_undeclared(named)) {
            self.undeclared(config, &names, named);
        }
        for (at, item) in config.items.iter().enumerate() {
            let Content::Call(call) = &item.content else { continue };
            let passed = own.passed.get(&at).map(Option::as_deref);
            let values = passed.flatten().unwrap_or_default().iter().filter_map(|(_, value)| value.as_ref());
            for value in values.filter(|value| is_undeclared(value)) {
                self.undeclared(config, &names, value);
            }
            let Some(called) = &call.config else { continue };
            let inner = self.directory(called);
            for (named, value) in passed.flatten().unwrap_or_default() {
                let is_unknown =
                    |value: &&Named| value.alias.is_none() && !own.required.contains(&value.name);
                if let Some(value) = value.as_ref().filter(is_unknown).filter(|value| is_missing(value))
                    && !config.installed
                    && self.uses(called, &inner.key(named), &mut HashSet::new())
                {
                    self.diagnostics.push(messages::not_configured(&value.name).at(&value.place));
                }
            }
            let passed = match passed {
                Some(Some(passed)) => passed,
                Some(None) => {
                    with_room(|| self.module(called, &Passed::Unknown));
                    continue;
                }
                None => &[],
            };
            if !config.installed {
                self.call(item, passed, &own, &inner);
            }
            let passed = passed.iter().map(|(named, _)| inner.key(named)).collect();
            with_room(|| self.module(called, &Passed::Known(passed)));
        }
    }

    /// Whether objects of a module, or of those that it calls, use a configuration.
    fn uses(&mut self, config: &Arc<Config>, key: &Key, seen: &mut HashSet<(*const Config, Key)>) -> bool {
        if !seen.insert((Arc::as_ptr(config), key.clone())) {
            return false;
        }
        let own = self.directory(config);
        config.items.iter().enumerate().any(|(at, item)| match &item.content {
            Content::Object(_) => Named::of_object(item).is_some_and(|named| own.key(&named) == *key),
            Content::Call(call) => call.config.as_ref().is_some_and(|called| {
                let inner = self.directory(called);
                let passed = own.passed.get(&at).and_then(Option::as_deref).unwrap_or_default();
                let is_meant = |value: &Named| own.key(value) == *key;
                let given = passed.iter().filter(|(_, value)| value.as_ref().is_some_and(is_meant));
                let mut keys: Vec<Key> = given.map(|(named, _)| inner.key(named)).collect();
                if key.1.is_none() && !passed.iter().any(|(named, _)| inner.key(named) == *key) {
                    keys.push(key.clone());
                }
                keys.iter().any(|key| with_room(|| self.uses(called, key, seen)))
            }),
            _ => false,
        })
    }

    /// Checks what a call passes.
    fn call(&mut self, item: &Item, passed: &[Pass], own: &Directory, inner: &Directory) {
        let mut given: HashSet<(&str, Option<&str>)> = HashSet::new();
        for (named, value) in passed {
            let place = &named.place;
            if !given.insert((&named.name, named.alias.as_deref())) {
                self.diagnostics.push(messages::passed_twice(&named.text()).at(place));
            }
            // The module can declare that callers may replace it.
            let can_pass = inner.aliases.iter().any(|own| own.text() == named.text());
            if let Some(block) = inner.block(named).filter(|block| block.has_arguments && !can_pass) {
                let error = messages::cannot_replace(item.own_name(), &named.text(), &block.named.place);
                self.diagnostics.push(error.at(place));
            }
            if let Some(value) = value {
                let (here, there) = (own.declared_source(&value.name), inner.declared_source(&named.name));
                if here != there {
                    let error = messages::other_provider(&value.text(), &here, &named.text(), &there);
                    self.diagnostics.push(error.at(&value.place));
                }
            }
        }
        for alias in &inner.aliases {
            let has_own = inner.block(alias).is_some();
            if !has_own && !given.contains(&(&alias.name, alias.alias.as_deref())) {
                let error = messages::missing_configuration(item.own_name(), &alias.text(), &alias.place);
                self.diagnostics.push(error.at(item.place()));
            }
        }
        if inner.has_arguments {
            let mut names = item.rule.repeat.iter().map(Name::as_str).chain([DEPENDS_ON]);
            if let Some(attribute) = names.find_map(|name| item.block.body.attribute(name)) {
                let error = messages::own_configurations(item.own_name(), &attribute.name);
                self.diagnostics.push(error.at(attribute.name_span).with_source(&attribute.source));
            }
        }
    }

    fn undeclared(&mut self, config: &Config, names: &KnownNames<'_>, named: &Named) {
        if !config.installed {
            let near = names.nearest(&named.text()).first().copied();
            let alias = named.alias.as_deref().unwrap_or_default();
            self.diagnostics.push(messages::undeclared(&named.name, alias, near).at(&named.place));
        }
    }

    /// Reads a directory.
    fn directory(&mut self, config: &Arc<Config>) -> Arc<Directory> {
        let key = Arc::as_ptr(config);
        let shared = || lock(&self.known?.directories).get(&(key as usize)).cloned();
        if let Some(known) = self.directories.get(&key).cloned().or_else(shared) {
            return known;
        }
        let before = self.diagnostics.total();
        let mut own = Directory::default();
        for (at, item) in config.items.iter().enumerate() {
            let body = &item.block.body;
            match &item.content {
                Content::Settings(_) if item.rule.block_type == *PROVIDER => self.block(item, &mut own),
                Content::Settings(_) if item.rule.blocks.iter().any(|name| *name == *REQUIRED) => {
                    required::read(body, &mut own, self.diagnostics);
                }
                Content::Call(call) => {
                    if let Some(attribute) = body.attribute(PROVIDERS).filter(|_| item.is_static(PROVIDERS)) {
                        let passed = self.passed(&attribute.expression);
                        if passed.is_none() {
                            self.diagnostics.push(messages::map_required().at(attribute.expression.place()));
                        }
                        own.passed.insert(at, passed);
                    }
                    if let Some(called) = &call.config {
                        own.has_arguments |= with_room(|| self.directory(called)).has_arguments;
                    }
                }
                Content::Object(_) => match body.attribute(PROVIDER) {
                    _ if !item.is_static(PROVIDER) => {}
                    Some(provider) => own.used.extend(self.reference(&provider.expression)),
                    None => self.implied(item),
                },
                _ => {}
            }
        }
        let mut functions = |expression: &Expression| {
            let is_static = self.language.static_providers;
            provider_functions(expression, is_static, &mut |name, place| {
                if !own.required.contains(name) {
                    self.diagnostics.push(messages::not_required(name).at(place));
                }
            });
        };
        for named in &config.values {
            functions(&named.attribute.expression);
        }
        for item in &config.items {
            item.each_expression_and_argument(&mut |expression, _| functions(expression));
        }
        if self.has_instances() {
            let passed = own.passed.values().flatten().flatten().filter_map(|(_, value)| value.as_ref());
            for named in own.used.iter().chain(passed) {
                let is_repeated = own.block(named).is_some_and(|block| block.is_repeated);
                if named.has_key && !is_repeated {
                    self.diagnostics.push(messages::no_instances(&named.text()).at(&named.place));
                } else if is_repeated && !named.has_key {
                    self.diagnostics.push(messages::key_required(&named.text()).at(&named.place));
                }
            }
        }
        let own = Arc::new(own);
        self.directories.insert(key, own.clone());
        if let Some(known) = self.known.filter(|_| self.diagnostics.total() == before) {
            lock(&known.directories).insert(key as usize, own.clone());
        }
        own
    }

    /// Whether configurations can have instances.
    fn has_instances(&self) -> bool {
        self.language.block(PROVIDER).is_some_and(|rule| !rule.repeat.is_empty())
    }

    /// The configuration of a provider that an expression names.
    fn reference(&mut self, expression: &Expression) -> Option<Named> {
        let named = Named::of_value(expression).filter(|named| !named.has_key || self.has_instances());
        match &named {
            None => self.diagnostics.push(messages::reference_required().at(expression.place())),
            Some(named) if !is_provider_name(&named.name) => {
                self.diagnostics.push(messages::invalid_name(&named.name).at(expression.place()));
            }
            Some(_) => {}
        }
        named
    }

    /// What a call passes, or `None` if it is not written as a map.
    fn passed(&mut self, map: &Expression) -> Option<Vec<Pass>> {
        let entries = map.static_map().ok()?;
        entries.iter().map(|(key, value)| Some((Named::of_key(key)?, self.reference(value)))).collect()
    }

    /// Checks the name of the provider that the type of an object implies.
    fn implied(&mut self, item: &Item) {
        let name = implied(item).filter(|name| !is_provider_name(&name.to_lowercase()));
        if let (Some(name), Some(own)) = (name, item.labels.first()) {
            let span = item.block.label_spans.first().copied().unwrap_or(item.block.definition_span);
            let error = messages::implied_name(own, name).at(span);
            self.diagnostics.push(error.with_source(&item.block.source));
        }
    }

    /// Reads a `provider` block. One in an override file changes another one.
    fn block(&mut self, item: &Item, own: &mut Directory) {
        let Some(named) = Named::of_block(item) else { return };
        let body = &item.block.body;
        if !required::is_provider_name(item.own_name()) {
            let place = item.block.label_spans.first().copied().unwrap_or(item.block.definition_span);
            let error = messages::invalid_name(item.own_name()).at(place);
            return self.diagnostics.push(error.with_source(&item.block.source));
        }
        if let Some(alias) = body.attribute(ALIAS)
            && !named.alias.as_deref().is_some_and(is_identifier)
        {
            return self.diagnostics.push(messages::invalid_alias().at(alias.expression.place()));
        }
        if let Some(version) = body.attribute(VERSION)
            && own.source(item.own_name()) == required::BUILT_IN
        {
            self.diagnostics.push(messages::built_in_version().at(version.expression.place()));
        }
        if let Some(repeat) = body.attribute(FOR_EACH)
            && named.alias.is_none()
            && item.rule.repeat.iter().any(|own| *own == *FOR_EACH)
        {
            let error = messages::alias_required().at(repeat.name_span);
            self.diagnostics.push(error.with_source(&repeat.source));
        }
        let items = body.items();
        let has_arguments = items.iter().any(|item| item.name() != ALIAS);
        own.has_arguments |= has_arguments;
        match own.block(&named) {
            Some(first) if !item.is_override(self.language) => {
                let error = messages::duplicate(&named.name, named.alias.as_deref(), &first.named.place);
                self.diagnostics.push(error.at(&named.place));
            }
            Some(_) => {}
            None => {
                if item.is_override(self.language) {
                    let error = crate::messages::missing_base(&address(&named.path()));
                    self.diagnostics.push(error.at(&named.place));
                }
                own.by_name.insert((named.name.clone(), named.alias.clone()), own.blocks.len());
                let is_repeated = body.attribute(FOR_EACH).is_some();
                own.blocks.push(ProviderBlock { named, has_arguments, is_repeated });
            }
        }
    }
}

/// Turns errors in the arguments of providers that nothing uses into warnings: these are not evaluated. Modules that are called may
/// use any.
pub(crate) fn weaken_unused(config: &Config, diagnostics: &mut Diagnostics) {
    let items = || config.items.iter();
    let is_provider = |item: &&Item| item.rule.block_type == *PROVIDER;
    if !diagnostics.has_errors() || items().any(|item| matches!(item.content, Content::Call(_))) {
        return;
    }
    let name = |item: &Item| {
        Named::used_by(item).map(|named| named.name).or_else(|| implied(item).map(str::to_owned))
    };
    let objects = items()
        .filter(|item| matches!(item.content, Content::Object(_)) || item.rule.block_type == *"action");
    let used: HashSet<String> = objects.filter_map(name).collect();
    for item in items().filter(is_provider).filter(|item| !used.contains(item.own_name())) {
        let block = &item.block;
        let whole = Span::new(block.open_span.start, block.close_span.end);
        diagnostics.update(|found| {
            let is_inside = found.source().is_some_and(|own| Arc::ptr_eq(own, &block.source))
                && whole.cover(found.span()) == whole;
            let is_structure = [Code::InvalidProvider, Code::InvalidMetaArgument, Code::DuplicateDeclaration]
                .into_iter()
                .any(|code| found.has_code(code));
            if !found.is_error() || !is_inside || is_structure {
                return found;
            }
            crate::messages::weakened(found, messages::NOT_EVALUATED)
        });
    }
}

/// Reports `import` blocks in modules that others call.
pub(crate) fn check_imports(
    config: &Config,
    language: &Dialect,
    target: Option<&Target>,
    diagnostics: &mut Diagnostics,
) {
    let since = language.module_imports_since.as_ref();
    if since.is_some_and(|since| newer::is_in(language, config, target, since)) {
        return;
    }
    for item in config.items.iter().filter(|item| item.rule.statement == Some(Statement::Import)) {
        diagnostics.push(messages::import_in_module(since).at(item.place()));
    }
}

/// Visits the names of providers whose functions an expression calls, as in `provider::aws::arn_parse`. Unless `all`, only those that
/// are certainly called, and whose errors are not caught.
fn provider_functions(expression: &Expression, all: bool, visit: &mut dyn FnMut(&str, Place)) {
    if !expression.text().contains("::") {
        return;
    }
    let is_for = |kind: ExpressionKind<'_>| {
        matches!(kind, ExpressionKind::Conditional { .. } | ExpressionKind::For { .. })
    };
    let is_caught = |name: &str| CATCHING.contains(&name);
    if !all
        && (expression.ast().is_some_and(|own| is_for(own.kind()))
            || expression.static_call().is_ok_and(|call| is_caught(&call.name)))
    {
        return;
    }
    if let Ok(call) = expression.static_call()
        && let Some((PROVIDER, rest)) = call.name.split_once("::")
        && let Some((name, _)) = rest.split_once("::")
    {
        visit(name, Place { span: call.name_span, ..expression.place() });
    }
    with_room(|| expression.parts().iter().for_each(|part| provider_functions(part, all, visit)));
}
