//! Reading the files of directories: declarations and override files. `load/item.rs` reads a block, `load/calls.rs` the
//! modules that are called, and `load/early.rs` evaluates their sources.

mod calls;
mod early;
mod item;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_model::{
    Attribute, Block, Body, BodyItem, Context, Functions, ParseOptions, Schema, TypeConstraint,
    doubtful_from, mentions_flags,
};
use hclkit_syntax::{Diagnostics, Source, Syntax, is_identifier};
use hclkit_value::Name;

use self::early::Early;
pub(crate) use self::item::{exactly_one, is_literal_null, unescaped};
use super::installed::Installed;
use super::{Config, Content, Input, Item, MappedSources, Named, Size};
use crate::files::{Files, join};
use crate::inputs::RootInputs;
use crate::messages;
use hclkit_dialect::{AddressForm, BlockRule, Dialect, NestedRole, Role};

/// Reads the directory of a module and those of the modules that it calls. Each file is read once, and each directory has the
/// same declarations for all calls, unless it calls modules whose sources depend on the call.
pub(crate) struct Loading<'l> {
    language: &'l Dialect,
    files: &'l dyn Files,
    /// What expressions in sources of modules can use.
    outside: &'l RootInputs,
    functions: &'l Functions,
    sources: &'l MappedSources,
    parse: ParseOptions,
    store: Store,
    /// Other declarations of the same directories.
    others: Vec<Arc<Config>>,
    /// Directories that are different for another root module.
    of_root: Vec<String>,
    /// How many declarations were made again for other calls.
    again: usize,
    /// The directories that are being read.
    open: Vec<Open>,
    /// The names of the calls that lead to the last directory.
    calls: Vec<String>,
    /// The number of these calls, from the first downloaded module on.
    installed_calls: usize,
    installed: Option<Installed>,
    /// The number of calls whose sources the user has mapped to directories.
    mapped_calls: usize,
}

/// The directories that were read.
#[derive(Debug, Default)]
pub(crate) struct Store {
    /// The last declarations of each directory.
    loaded: HashMap<String, Arc<Config>>,
    /// The files of directories without declarations, or that other calls may need again.
    read: HashMap<String, Arc<Read>>,
}

impl Store {
    /// Adds the files of a directory.
    pub(crate) fn add(&mut self, directory: &str, read: Read) {
        self.read.insert(directory.to_owned(), Arc::new(read));
    }
}

/// A directory that is being read.
struct Open {
    directory: String,
    /// The size of the modules that it calls.
    below: Size,
    /// True if the source of a module that it calls refers to variables, also further down.
    computed: bool,
    /// What `Config` says of the directory.
    is_of_root: bool,
    unavailable: Vec<String>,
    early: Early,
}

/// The files of a directory.
#[derive(Debug, Default)]
pub(crate) struct Read {
    files: Vec<(String, Body)>,
    blocks: Vec<Block>,
    /// The blocks of override files.
    changes: Vec<Block>,
    diagnostics: Diagnostics,
    broken: Diagnostics,
    has_long_names: bool,
    has_paths: bool,
    has_file_names: bool,
    /// Files with syntax errors, and where the part of each begins in which values must not be shown.
    doubtful: Vec<(Arc<Source>, u32)>,
}

impl Read {
    /// Whether a block is in a part of a file in which values must not be shown.
    fn is_doubtful(&self, block: &Block) -> bool {
        let is_own = |source: &Arc<Source>| {
            // What an override file changes may be anywhere in it.
            let from = |from: u32| !Arc::ptr_eq(source, &block.source) || block.definition_span.start >= from;
            self.doubtful.iter().any(|(own, start)| Arc::ptr_eq(own, source) && from(*start))
        };
        !self.doubtful.is_empty() && block.body.sources().iter().any(is_own)
    }
}

/// The maximum number of blocks in override files that change the same block. Each looks at all that came before.
const MOST_CHANGES: usize = 100;

/// How many declarations it counts as to read a directory for another call, in addition to its own.
const READING: usize = 30;

impl<'l> Loading<'l> {
    pub(crate) fn new(
        language: &'l Dialect,
        files: &'l dyn Files,
        outside: &'l RootInputs,
        functions: &'l Functions,
        sources: &'l MappedSources,
    ) -> Self {
        Loading {
            language,
            files,
            outside,
            functions,
            sources,
            parse: ParseOptions::new(),
            store: Store::default(),
            others: Vec::new(),
            of_root: Vec::new(),
            again: 0,
            open: Vec::new(),
            calls: Vec::new(),
            installed_calls: 0,
            installed: None,
            mapped_calls: 0,
        }
    }

    /// Reads the directory of a root module. The directories in the store are not read again, and those that were read are
    /// added to it, unless they are different for another root module.
    pub(crate) fn root(mut self, directory: &str, store: &mut Store) -> Arc<Config> {
        self.store = std::mem::take(store);
        let root = self.directory(directory, None, &[]);
        for own in std::mem::take(&mut self.of_root) {
            self.store.loaded.remove(&own);
        }
        *store = self.store;
        root
    }

    /// Reads a directory, or only some of its files, for a call with these arguments.
    pub(crate) fn directory(
        &mut self,
        directory: &str,
        only: Option<&[String]>,
        arguments: &[Attribute],
    ) -> Arc<Config> {
        if let Some(loaded) = self.store.loaded.get(directory).filter(|loaded| !loaded.computed) {
            if let Some(caller) = self.open.last_mut() {
                caller.is_of_root |= loaded.is_of_root;
            }
            return loaded.clone();
        }
        let known = self.store.read.get(directory).cloned();
        let read = known.unwrap_or_else(|| {
            let read = Arc::new(self.read(directory, only));
            self.store.read.insert(directory.to_owned(), read.clone());
            read
        });
        let mut config = Config {
            directory: directory.to_owned(),
            installed: self.installed_calls > 0,
            files: read.files.clone(),
            diagnostics: read.diagnostics.clone(),
            broken: read.broken.clone(),
            has_long_names: read.has_long_names,
            has_paths: read.has_paths,
            has_file_names: read.has_file_names,
            beside: self.files.target(directory, self.language),
            completed: self.files.is_completed(directory),
            ..Config::default()
        };
        self.open.push(Open {
            directory: directory.to_owned(),
            below: Size::default(),
            computed: false,
            is_of_root: self.installed_calls > 0,
            unavailable: Vec::new(),
            early: Early::of(if self.language.computes_sources() { arguments } else { &[] }),
        });
        hclkit_limits::with_room(|| self.declare(&mut config, &read));
        config.diagnostics = std::mem::take(&mut config.diagnostics).distinct();
        if let Some(open) = self.open.pop() {
            config.size = open.below.with_called(config.own_size(), "");
            config.computed = open.computed;
            config.is_of_root = open.computed || open.is_of_root;
            config.unavailable = open.unavailable;
        }
        if config.computed {
            self.again += config.own_size().declarations + READING;
        }
        if let Some(caller) = self.open.last_mut() {
            caller.computed |= config.computed;
            caller.is_of_root |= config.is_of_root;
        }
        if config.is_of_root {
            self.of_root.push(directory.to_owned());
        } else {
            self.store.read.remove(directory);
        }
        config.has_paths = config.has_paths || config.called().any(|called| called.has_paths);
        config.has_file_names = config.has_file_names || config.called().any(|called| called.has_file_names);
        let config = Arc::new(config);
        self.others.extend(self.store.loaded.insert(directory.to_owned(), config.clone()));
        config
    }

    /// All directories that were read, the root module's first.
    pub(crate) fn in_order(self) -> Vec<Arc<Config>> {
        let mut all: Vec<Arc<Config>> = self.store.loaded.into_values().chain(self.others).collect();
        all.sort_by(|one, other| one.directory.cmp(&other.directory));
        all
    }

    pub(crate) fn read(&self, directory: &str, only: Option<&[String]>) -> Read {
        let mut read = Read::default();
        let names = match only {
            Some(names) => names.to_vec(),
            None => match self.files.list(directory) {
                Ok(names) => names,
                Err(error) => {
                    let name = self.files.name(directory);
                    read.diagnostics.push(messages::unreadable(&name, &error));
                    return read;
                }
            },
        };
        let all: HashSet<&str> = names.iter().map(String::as_str).collect();
        let is_mine = |name: &&String| {
            only.is_some() || self.language.is_module_file(name) && !self.language.is_replaced(name, &all)
        };
        let mine: Vec<String> = names.iter().filter(is_mine).cloned().collect();
        if mine.is_empty() && !directory.is_empty() {
            return read;
        }
        if mine.is_empty() {
            let (name, language) = (self.files.name(directory), &self.language);
            let error = messages::no_files(
                &name,
                language.name(),
                &language.module_files().collect::<Vec<_>>().join(", "),
            );
            read.diagnostics.push(error);
            return read;
        }
        let (overrides, plain): (Vec<_>, Vec<_>) =
            mine.into_iter().partition(|name| self.language.is_override(name));
        for (names, is_override) in [(plain, false), (overrides, true)] {
            for name in names {
                let path = join(directory, &name);
                let before = read.broken.len();
                let Some(body) = self.file(&path, &mut read) else { continue };
                let content = read.diagnostics.absorb(body.content(&self.language.schema()));
                Self::find_doubts(&body, &content.blocks, before, &mut read);
                read.files.push((path, body));
                let blocks = if is_override { &mut read.changes } else { &mut read.blocks };
                blocks.extend(content.blocks);
            }
        }
        read
    }

    /// Finds out where in a file with syntax errors values must not be shown.
    fn find_doubts(body: &Body, blocks: &[Block], before: usize, read: &mut Read) {
        let source = body.source();
        let found: Diagnostics = read.broken.iter().skip(before).cloned().collect();
        let starts = blocks.iter().map(|block| block.definition_span.start);
        let from = doubtful_from(Syntax::of(source.name()), &found, starts);
        let from = from.filter(|_| mentions_flags(source.text()));
        read.doubtful.extend(from.map(|from| (source, from)));
    }

    fn file(&self, path: &str, read: &mut Read) -> Option<Body> {
        if let Some(document) = self.files.parsed(path) {
            self.scan(path, document.source().bytes(), read);
            return Some(Self::with_errors(Body::of(&document), document.diagnostics().clone(), read));
        }
        let name = self.files.name(path);
        match self.files.read(path) {
            Ok(text) => {
                self.scan(path, &text, read);
                let (body, found) = self.parse.parse(Source::new(name, text));
                Some(Self::with_errors(body, found, read))
            }
            Err(error) => {
                read.broken.push(messages::unreadable(&name, &error));
                read.diagnostics.push(messages::unreadable(&name, &error));
                None
            }
        }
    }

    /// Finds out what the text of a file may refer to.
    fn scan(&self, path: &str, text: &[u8], read: &mut Read) {
        read.has_file_names |= memchr::memmem::find(text, b"file").is_some();
        let rules = self.language.blocks.iter();
        let mut longer = rules.filter_map(|rule| Some(format!("{}.", rule.long_name.root()?)));
        read.has_long_names |= longer.any(|start| memchr::memmem::find(text, start.as_bytes()).is_some());
        // Escapes in strings of the JSON syntax can hide names.
        read.has_paths |=
            path.to_ascii_lowercase().ends_with(".json") || memchr::memmem::find(text, b"path").is_some();
    }

    /// A body, after the errors of its syntax are added.
    fn with_errors(body: Body, found: Diagnostics, read: &mut Read) -> Body {
        if found.has_errors() {
            read.broken.append(found.clone());
        }
        read.diagnostics.append(found);
        body
    }

    /// Reads all blocks, with the changes of override files.
    fn declare(&mut self, config: &mut Config, read: &Read) {
        let rules: HashMap<Name, Arc<BlockRule>> =
            self.language.blocks.iter().map(|rule| (rule.block_type.clone(), rule.clone())).collect();
        let mut bodies: Vec<(Block, Arc<BlockRule>, Vec<Name>)> = Vec::new();
        let mut by_address: HashMap<(Name, Vec<Name>), usize> = HashMap::new();
        let mut values = HashMap::new();
        for block in &read.blocks {
            let Some(rule) = rules.get(&block.block_type) else { continue };
            if rule.role == Role::Values {
                Self::values(config, &mut values, rule, block, false);
                continue;
            }
            if rule.role == Role::Inputs {
                self.inputs(config, rule, block, rules.values().find(|rule| rule.role == Role::Input));
                continue;
            }
            let address = path(&rule.defines, block, None);
            if !address.is_empty() {
                check_names(rule, block, &mut config.diagnostics);
                if let Some(first) = by_address.get(&(block.block_type.clone(), address.clone())) {
                    let first: &(Block, _, _) = &bodies[*first];
                    let address = crate::step::address(&address);
                    let error = messages::duplicate(&address, &first.0.source, first.0.definition_span);
                    config.diagnostics.push(error.at(block.definition_place()));
                    continue;
                }
                by_address.insert((block.block_type.clone(), address.clone()), bodies.len());
            }
            bodies.push((block.clone(), rule.clone(), address));
        }
        let scopes = self.scoped(&rules, &mut bodies, &mut by_address, &mut config.diagnostics);
        let mut changed: HashMap<usize, usize> = HashMap::new();
        for change in &read.changes {
            let Some(rule) = rules.get(&change.block_type) else { continue };
            if rule.role == Role::Values {
                Self::values(config, &mut values, rule, change, true);
                continue;
            }
            if rule.is_final {
                let error = messages::final_block(&rule.block_type).at(change.definition_place());
                config.diagnostics.push(error);
                continue;
            }
            if rule.statement.is_some() {
                let warning = messages::ignored_block(&rule.block_type).at(change.definition_place());
                config.diagnostics.push(warning);
                continue;
            }
            self.check_final(&rule.final_parts, &rule.block_type, change, &mut config.diagnostics);
            let address = path(&rule.defines, change, None);
            match by_address.get(&(change.block_type.clone(), address.clone())) {
                Some(base) => {
                    let count = changed.entry(*base).or_insert(0);
                    *count += 1;
                    if *count > MOST_CHANGES {
                        let error = messages::too_many_changes(&crate::step::address(&address), MOST_CHANGES);
                        config.diagnostics.push(error.at(change.definition_place()));
                        continue;
                    }
                    let base = &mut bodies[*base].0;
                    base.body = self.changed(&base.body, &change.body);
                }
                None if rule.role == Role::Settings => {
                    // Blocks without a name are about the directory, so that their arguments have one value.
                    let is_same =
                        |own: &BlockRule| rule.labels.is_empty() && own.block_type == rule.block_type;
                    for (base, ..) in bodies.iter_mut().filter(|(_, own, _)| is_same(own)) {
                        let attributes = replaced_attributes(rule, &change.body);
                        base.body = base.body.partial_content(&attributes).0.1;
                    }
                    bodies.push((change.clone(), rule.clone(), address));
                }
                None => {
                    let error = messages::missing_base(&crate::step::address(&address));
                    config.diagnostics.push(error.at(change.definition_place()));
                }
            }
        }
        if let Some(open) = self.open.last_mut().filter(|_| self.language.computes_sources()) {
            open.early.declare(&bodies, &config.values);
        }
        for (at, (block, rule, address)) in bodies.into_iter().enumerate() {
            let is_doubtful = read.is_doubtful(&block);
            let mut item = self.item(&rule, block, address, is_doubtful, &mut config.diagnostics);
            if config.has_long_names {
                item.long_address = path(&rule.long_name, &item.block, None);
            }
            item.scope = scopes.get(&at).cloned();
            config.items.push(item);
        }
        if self.language.blocks.iter().any(|rule| rule.role == Role::Inputs) {
            Self::check_inputs(config);
        }
    }

    /// Adds the objects in checks, each with the address of its check.
    fn scoped(
        &self,
        rules: &HashMap<Name, Arc<BlockRule>>,
        bodies: &mut Vec<(Block, Arc<BlockRule>, Vec<Name>)>,
        by_address: &mut HashMap<(Name, Vec<Name>), usize>,
        diagnostics: &mut Diagnostics,
    ) -> HashMap<usize, Vec<Name>> {
        let mut scopes = HashMap::new();
        let checks = bodies.iter().filter(|(_, rule, _)| rule.role == Role::Check);
        let inner = checks.flat_map(|(block, rule, scope)| {
            let schema = self.language.nested_schema(&rule.blocks);
            let blocks = block.body.partial_content(&schema).0.0.blocks;
            blocks.into_iter().map(|block| (block, scope.clone()))
        });
        for (block, scope) in inner.collect::<Vec<_>>() {
            let Some(rule) = rules.get(&block.block_type).filter(|rule| rule.role == Role::Object) else {
                continue;
            };
            let address = path(&rule.defines, &block, None);
            check_names(rule, &block, diagnostics);
            let key = (block.block_type.clone(), address.clone());
            if let Some(first) = by_address.get(&key) {
                let first = &bodies[*first].0;
                let error = messages::duplicate(
                    &crate::step::address(&address),
                    &first.source,
                    first.definition_span,
                );
                diagnostics.push(error.at(block.definition_place()));
                continue;
            }
            by_address.insert(key, bodies.len());
            scopes.insert(bodies.len(), scope);
            bodies.push((block, rule.clone(), address));
        }
        scopes
    }

    /// Reports attributes and nested blocks that an override file must not have.
    fn check_final(&self, names: &[Name], block_type: &Name, change: &Block, diagnostics: &mut Diagnostics) {
        for item in change.body.items() {
            let source = match &item {
                BodyItem::Attribute(attribute) => &attribute.source,
                BodyItem::Block(block) => &block.source,
            };
            if names.contains(&Name::from(item.name())) {
                let error = messages::final_part(item.name(), block_type).at(item.name_span());
                diagnostics.push(error.with_source(source));
            }
        }
        let groups = self.language.nested_blocks.iter().filter(|rule| !rule.final_parts.is_empty());
        for rule in groups {
            let schema = self.language.nested_schema(std::slice::from_ref(&rule.block_type));
            for block in change.body.partial_content(&schema).0.0.blocks {
                self.check_final(&rule.final_parts, &block.block_type, &block, diagnostics);
            }
        }
    }

    /// A body in which the arguments and blocks of another body replace those with the same name. Groups keep both.
    fn changed(&self, base: &Body, change: &Body) -> Body {
        let mut replaced = Schema::new();
        for item in change.items() {
            let is_group =
                self.language.nested(item.name()).is_some_and(|rule| rule.role == NestedRole::Group);
            if !is_group {
                replaced = replaced.with_optional(item.name()).with_block(item.name(), &[]);
            }
        }
        let ((_, rest), _) = base.partial_content(&replaced);
        Body::merge([rest, change.clone()])
    }

    /// Reports input variables that are declared in different kinds of blocks.
    fn check_inputs(config: &mut Config) {
        let mut found = Diagnostics::new();
        let mut seen: HashMap<&[Name], &Item> = HashMap::new();
        for (_, item, _) in config.inputs() {
            if let Some(first) = seen.insert(&item.address, item) {
                let (source, span) = (&first.block.source, first.block.definition_span);
                let error = messages::duplicate(&crate::step::address(&item.address), source, span);
                found.push(error.at(item.place()));
            }
        }
        config.diagnostics.append(found);
    }

    /// Reads a block whose attributes are input variables. They are as if each had a block.
    fn inputs(&self, config: &mut Config, rule: &BlockRule, block: &Block, own: Option<&Arc<BlockRule>>) {
        let Some(own) = own else { return };
        for attribute in config.diagnostics.absorb(block.body.attributes()) {
            let address = path(&rule.defines, block, Some(&attribute.name));
            let (value, found) = attribute.expression.evaluate_lenient(&Context::new());
            let is_computed = found.has_errors() && !self.language.default_functions.is_empty();
            let default = if is_computed {
                item::computed_default(self.language, &attribute.expression, &mut config.diagnostics)
            } else {
                config.diagnostics.append(found);
                Some(value.clone())
            };
            let typed = self.language.typed_by_default && !value.is_null() && !is_computed;
            let input = Input {
                constraint: typed.then(|| TypeConstraint { ty: value.ty(), defaults: None }),
                default,
                default_expression: Some(attribute.expression.clone()),
                nullable: true,
                ..Input::default()
            };
            config.items.push(Item {
                rule: own.clone(),
                address,
                long_address: Vec::new(),
                labels: vec![attribute.name.clone()],
                block: block.clone(),
                conditions: Vec::new(),
                repetition: None,
                content: Content::Input(Box::new(input)),
                unevaluated: Vec::new(),
                unknown: Vec::new(),
                scope: None,
                steps: Vec::new(),
            });
        }
    }

    /// Reads a block whose attributes are names.
    fn values(
        config: &mut Config,
        by_address: &mut HashMap<Vec<Name>, usize>,
        rule: &BlockRule,
        block: &Block,
        changes: bool,
    ) {
        for attribute in config.diagnostics.absorb(block.body.attributes()) {
            let address = path(&rule.defines, block, Some(&attribute.name));
            match (by_address.get(&address).copied(), changes) {
                (Some(first), true) => config.values[first].attribute = attribute,
                (None, false) => {
                    by_address.insert(address.clone(), config.values.len());
                    config.values.push(Named { address, attribute });
                }
                (Some(first), false) => {
                    let first = &config.values[first].attribute;
                    let address = crate::step::address(&address);
                    let error = messages::duplicate(&address, &first.source, first.name_span);
                    config.diagnostics.push(error.at(attribute.name_span).with_source(&attribute.source));
                }
                (None, true) => {
                    let error =
                        messages::missing_base(&crate::step::address(&address)).at(attribute.name_span);
                    config.diagnostics.push(error.with_source(&attribute.source));
                }
            }
        }
    }
}

/// The attributes of a block that another one sets.
fn replaced_attributes(rule: &BlockRule, change: &Body) -> Schema {
    let own = rule.attributes.iter().flatten().filter(|name| change.attribute(name).is_some());
    own.fold(Schema::new(), |all, name| all.with_optional(name.clone()))
}

/// The address that a block defines; empty if it defines none.
fn path(defines: &AddressForm, block: &Block, attribute: Option<&Name>) -> Vec<Name> {
    defines.address(&block.labels, attribute.map(Name::as_str)).unwrap_or_default()
}

fn check_names(rule: &BlockRule, block: &Block, diagnostics: &mut Diagnostics) {
    for (label, span) in block.labels.iter().zip(&block.label_spans) {
        let error = if !is_identifier(label) && !rule.any_name {
            messages::invalid_name(label)
        } else if rule.reserved.contains(label) {
            messages::reserved_name(label)
        } else {
            continue;
        };
        diagnostics.push(error.at(*span).with_source(&block.source));
    }
}
