//! Reading the files of directories: declarations, override files, and the modules that are called.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_model::{
    Attribute, Block, Body, Content as Parts, Context, Expression, ParseOptions, Schema, TypeConstraint,
};
use hclkit_syntax::{Diagnostics, KnownNames, Place, Source, is_identifier};
use hclkit_value::Name;

use super::installed::Installed;
use super::{Call, Condition, Config, Content, Input, Item, Named, Output, Shape};
use crate::files::{Files, join};
use crate::language::{BlockRule, Language, NestedRole, NestedRule, Part, Role};
use crate::messages;

/// Reads the directory of a module and those of the modules that it calls, each once.
pub(crate) struct Loading<'l> {
    pub(crate) language: &'l Language,
    pub(crate) files: &'l dyn Files,
    pub(crate) parse: ParseOptions,
    pub(crate) loaded: HashMap<String, Arc<Config>>,
    /// The directories that are being read.
    open: Vec<Open>,
    /// The names of the calls that lead to the last directory.
    calls: Vec<String>,
    /// The number of these calls, from the first downloaded module on.
    installed_calls: usize,
    installed: Option<Installed>,
}

/// A directory that is being read.
struct Open {
    directory: String,
    /// The number of declarations in the modules that it calls.
    below: usize,
}

/// The maximum number of declarations in the modules that a module calls. A module that is called twice counts twice, so
/// that modules in modules may double with each level.
const MOST_BELOW: usize = 100_000;

/// The maximum number of blocks in override files that change the same block. Each looks at all that came before.
const MOST_CHANGES: usize = 100;

impl<'l> Loading<'l> {
    pub(crate) fn new(language: &'l Language, files: &'l dyn Files) -> Loading<'l> {
        let (parse, loaded) = (ParseOptions::new(), HashMap::new());
        let (open, calls, installed) = (Vec::new(), Vec::new(), None);
        Loading { language, files, parse, loaded, open, calls, installed_calls: 0, installed }
    }

    /// Reads a directory, or only some of its files.
    pub(crate) fn directory(&mut self, directory: &str, only: Option<&[String]>) -> Arc<Config> {
        if let Some(loaded) = self.loaded.get(directory) {
            return loaded.clone();
        }
        let installed = self.installed_calls > 0;
        let mut config = Config { directory: directory.to_owned(), installed, ..Config::default() };
        self.open.push(Open { directory: directory.to_owned(), below: 0 });
        hclkit_limits::with_room(|| self.read(&mut config, only));
        let below = self.open.pop().map_or(0, |open| open.below);
        config.size = below.saturating_add(config.items.len() + config.values.len());
        let config = Arc::new(config);
        self.loaded.insert(directory.to_owned(), config.clone());
        config
    }

    /// All directories that were read, the root module's first.
    pub(crate) fn in_order(self) -> Vec<Arc<Config>> {
        let mut all: Vec<Arc<Config>> = self.loaded.into_values().collect();
        all.sort_by(|one, other| one.directory.cmp(&other.directory));
        all
    }

    fn read(&mut self, config: &mut Config, only: Option<&[String]>) {
        let directory = config.directory.clone();
        let names = match only {
            Some(names) => names.to_vec(),
            None => match self.files.list(&directory) {
                Ok(names) => names,
                Err(error) => {
                    let name = self.files.name(&directory);
                    return config.diagnostics.push(messages::unreadable(&name, &error));
                }
            },
        };
        let mine: Vec<String> =
            names.into_iter().filter(|name| only.is_some() || self.language.is_file(name)).collect();
        if mine.is_empty() && !directory.is_empty() {
            return;
        }
        if mine.is_empty() {
            let (name, language) = (self.files.name(&directory), &self.language);
            let error = messages::no_files(&name, language.name(), &language.files.join(", "));
            return config.diagnostics.push(error);
        }
        let (overrides, plain): (Vec<_>, Vec<_>) =
            mine.into_iter().partition(|name| self.language.is_override(name));
        let (mut blocks, mut changes) = (Vec::new(), Vec::new());
        for (names, found) in [(plain, &mut blocks), (overrides, &mut changes)] {
            for name in names {
                let path = join(&directory, &name);
                let Some(body) = self.file(&path, config) else { continue };
                config.files.push((path, body.clone()));
                let content = config.diagnostics.absorb(body.content(&self.language.schema()));
                found.extend(content.blocks);
            }
        }
        self.declare(config, blocks, changes);
        config.diagnostics = std::mem::take(&mut config.diagnostics).distinct();
    }

    fn file(&self, path: &str, config: &mut Config) -> Option<Body> {
        let name = self.files.name(path);
        match self.files.read(path) {
            Ok(text) => {
                let mut longer = self.language.blocks.iter().filter_map(|rule| match rule.also.first()? {
                    Part::Name(root) => Some(format!("{root}.")),
                    _ => None,
                });
                config.has_long_names |=
                    longer.any(|start| memchr::memmem::find(&text, start.as_bytes()).is_some());
                let (body, found) = self.parse.parse(Source::new(name, text));
                if found.has_errors() {
                    config.broken.append(found.clone());
                }
                config.diagnostics.append(found);
                Some(body)
            }
            Err(error) => {
                config.broken.push(messages::unreadable(&name, &error));
                config.diagnostics.push(messages::unreadable(&name, &error));
                None
            }
        }
    }

    /// Reads all blocks, with the changes of override files.
    fn declare(&mut self, config: &mut Config, blocks: Vec<Block>, changes: Vec<Block>) {
        let rules: HashMap<Name, Arc<BlockRule>> = self
            .language
            .blocks
            .iter()
            .map(|rule| (rule.block_type.clone(), Arc::new(rule.clone())))
            .collect();
        let mut bodies: Vec<(Block, Arc<BlockRule>, Vec<Name>)> = Vec::new();
        let mut by_address: HashMap<(Name, Vec<Name>), usize> = HashMap::new();
        let mut values = HashMap::new();
        for block in blocks {
            let Some(rule) = rules.get(&block.block_type) else { continue };
            if rule.role == Role::Values {
                Self::values(config, &mut values, rule, &block, false);
                continue;
            }
            if rule.role == Role::Inputs {
                self.inputs(config, rule, &block, rules.values().find(|rule| rule.role == Role::Input));
                continue;
            }
            let address = path(&rule.defines, &block, None);
            if !address.is_empty() {
                check_names(rule, &block, &mut config.diagnostics);
                if let Some(first) = by_address.get(&(block.block_type.clone(), address.clone())) {
                    let first: &(Block, _, _) = &bodies[*first];
                    let address = super::address(&address);
                    let error = messages::duplicate(&address, &first.0.source, first.0.definition_span);
                    config.diagnostics.push(error.at(block.definition_place()));
                    continue;
                }
                by_address.insert((block.block_type.clone(), address.clone()), bodies.len());
            }
            bodies.push((block, rule.clone(), address));
        }
        let mut changed: HashMap<usize, usize> = HashMap::new();
        for change in changes {
            let Some(rule) = rules.get(&change.block_type) else { continue };
            if rule.role == Role::Values {
                Self::values(config, &mut values, rule, &change, true);
                continue;
            }
            let address = path(&rule.defines, &change, None);
            match by_address.get(&(change.block_type.clone(), address.clone())) {
                Some(base) => {
                    let count = changed.entry(*base).or_insert(0);
                    *count += 1;
                    if *count > MOST_CHANGES {
                        let error = messages::too_many_changes(&super::address(&address), MOST_CHANGES);
                        config.diagnostics.push(error.at(change.definition_place()));
                        continue;
                    }
                    let base = &mut bodies[*base].0;
                    base.body = self.changed(&base.body, &change.body);
                }
                None if rule.role == Role::Settings => bodies.push((change, rule.clone(), address)),
                None => {
                    let error = messages::missing_base(&super::address(&address));
                    config.diagnostics.push(error.at(change.definition_place()));
                }
            }
        }
        for (block, rule, address) in bodies {
            let mut item = self.item(&rule, block, address, &mut config.diagnostics);
            if config.has_long_names {
                item.also = path(&rule.also, &item.block, None);
            }
            config.items.push(item);
        }
        if self.language.blocks.iter().any(|rule| rule.role == Role::Inputs) {
            Self::check_inputs(config);
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
                let error = messages::duplicate(&super::address(&item.address), source, span);
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
            config.diagnostics.append(found);
            let typed = self.language.typed_by_default && !value.is_null();
            let input = Input {
                constraint: typed.then(|| TypeConstraint { ty: value.ty(), defaults: None }),
                default: Some(value),
                default_expression: Some(attribute.expression.clone()),
                nullable: true,
                ..Input::default()
            };
            config.items.push(Item {
                rule: own.clone(),
                address,
                also: Vec::new(),
                labels: vec![attribute.name.clone()],
                block: block.clone(),
                conditions: Vec::new(),
                repetition: None,
                content: Content::Input(Box::new(input)),
                more: Vec::new(),
                unknown: Vec::new(),
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
                    let address = super::address(&address);
                    let error = messages::duplicate(&address, &first.source, first.name_span);
                    config.diagnostics.push(error.at(attribute.name_span).with_source(&attribute.source));
                }
                (None, true) => {
                    let error = messages::missing_base(&super::address(&address)).at(attribute.name_span);
                    config.diagnostics.push(error.with_source(&attribute.source));
                }
            }
        }
    }

    fn item(
        &mut self,
        rule: &Arc<BlockRule>,
        block: Block,
        address: Vec<Name>,
        diagnostics: &mut Diagnostics,
    ) -> Item {
        let schema = rule.schema(self.language);
        let (parts, rest) = if rule.attributes.is_some() || rule.role == Role::Check {
            (diagnostics.absorb(block.body.content(&schema)), Body::empty())
        } else {
            diagnostics.absorb(block.body.partial_content(&schema))
        };
        let mut conditions = Vec::new();
        self.conditions(&parts, &mut conditions, diagnostics);
        check_conditions(rule, &address, &conditions, diagnostics);
        let content = match rule.role {
            Role::Input => Content::Input(Box::new(input(self.language, &parts, &block, diagnostics))),
            Role::Value | Role::Result => Content::Output(Output {
                value: parts.attributes.get(&rule.value).map(|attribute| attribute.expression.clone()),
                sensitive: flag(&parts, "sensitive", false, diagnostics),
                ephemeral: flag(&parts, "ephemeral", false, diagnostics),
            }),
            Role::Call => Content::Call(self.call(&block, &parts, &rest, diagnostics)),
            Role::Object => {
                if let Some(known) =
                    block.labels.first().and_then(|ty| self.language.object(&rule.block_type, ty))
                {
                    let arguments = known.arguments.iter();
                    let schema = arguments.fold(Schema::new(), |all, name| all.with_optional(name.clone()));
                    diagnostics.append(rest.content(&schema).1);
                }
                Content::Object(Shape::of(&rest))
            }
            Role::Check => Content::Check,
            Role::Settings | Role::Values | Role::Inputs | Role::Build => {
                let fixed =
                    rule.fixed.iter().fold(Schema::new(), |all, name| all.with_optional(name.clone()));
                Content::Settings(Shape::of(&rest.partial_content(&fixed).0.1))
            }
        };
        let repetition = self.repetition(rule, &parts, diagnostics);
        let unknown = parts.blocks.iter().filter_map(|block| {
            let rule = self.language.nested(&block.block_type)?;
            Some(path(&rule.defines, block, None)).filter(|path| !path.is_empty())
        });
        let mut more = references(&rule.references, &parts);
        for block in &parts.blocks {
            if let Some(rule) = self.language.nested(&block.block_type) {
                Self::not_evaluated(rule, block, &mut more);
            }
        }
        for (_, names) in &mut more {
            names.extend(rule.binds.iter().cloned());
        }
        let (labels, unknown) = (block.labels.clone(), unknown.collect());
        let also = Vec::new();
        Item {
            rule: rule.clone(),
            address,
            also,
            labels,
            block,
            conditions,
            repetition,
            content,
            more,
            unknown,
        }
    }

    /// Adds the expressions of a nested block that are not evaluated, each with the names bound there.
    fn not_evaluated(rule: &NestedRule, block: &Block, more: &mut Vec<(Expression, Vec<Name>)>) {
        let schema = |names: &[Name]| {
            names.iter().fold(Schema::new(), |schema, name| schema.with_optional(name.clone()))
        };
        let ((parts, _), _) = block.body.partial_content(&schema(&rule.references));
        more.extend(references(&rule.references, &parts));
        if rule.role != NestedRole::Ignored {
            return;
        }
        let ((_, rest), _) = block.body.partial_content(&schema(&rule.fixed));
        Shape::of(&rest).each(&mut |expression, names| {
            more.push((expression.clone(), names.iter().chain(&rule.binds).cloned().collect()));
        });
    }

    fn repetition(
        &self,
        rule: &BlockRule,
        parts: &Parts,
        diagnostics: &mut Diagnostics,
    ) -> Option<(crate::language::Repeat, Expression)> {
        let set = |name: &Name| Some((self.language.repeat(name)?, parts.attributes.get(name)?));
        let mut all = rule.repeat.iter().filter_map(set);
        let (repeat, attribute) = all.next()?;
        if let Some((other, second)) = all.next() {
            let error = messages::both_repeats(&repeat.attribute, &other.attribute).at(second.name_span);
            diagnostics.push(error.with_source(&second.source));
        }
        Some((repeat.clone(), attribute.expression.clone()))
    }

    fn conditions(&self, parts: &Parts, conditions: &mut Vec<Condition>, diagnostics: &mut Diagnostics) {
        for block in &parts.blocks {
            let Some(rule) = self.language.nested(&block.block_type) else { continue };
            match rule.role {
                NestedRole::Ignored | NestedRole::Opaque => {}
                NestedRole::Group => {
                    let schema = self.language.nested_schema(&rule.blocks);
                    let ((inner, _), _) = block.body.partial_content(&schema);
                    self.conditions(&inner, conditions, diagnostics);
                }
                NestedRole::Condition => {
                    let schema = Schema::new().with_required("condition").with_required("error_message");
                    let inner = diagnostics.absorb(block.body.content(&schema));
                    let part = |name| inner.attributes.get(name).map(|it: &Attribute| it.expression.clone());
                    let Some(condition) = part("condition") else { continue };
                    let (message, binds) = (part("error_message"), rule.binds.clone());
                    conditions.push(Condition { expression: condition, message, binds, warns: rule.warns });
                }
            }
        }
    }

    fn call(&mut self, block: &Block, parts: &Parts, rest: &Body, diagnostics: &mut Diagnostics) -> Call {
        let arguments = diagnostics.absorb(rest.attributes());
        let source = parts.attributes.get("source");
        self.calls.push(block.labels.last().map(Name::to_string).unwrap_or_default());
        let config = source.and_then(|source| self.called(source, diagnostics));
        self.calls.pop();
        if let Some(config) = &config {
            check_arguments(&arguments, config, diagnostics);
        }
        Call::new(config, arguments)
    }

    /// Reads the module in a local directory, or one that was downloaded.
    fn called(&mut self, source: &Attribute, diagnostics: &mut Diagnostics) -> Option<Arc<Config>> {
        let at = source.expression.place();
        let value = source.expression.evaluate(&Context::new()).ok();
        let Some(text) = value.as_ref().and_then(|value| value.as_str()) else {
            if self.language.computed_sources {
                return None;
            }
            diagnostics.push(messages::source_must_be_literal().at(at));
            return None;
        };
        if !text.starts_with("./") && !text.starts_with("../") && text != "." && text != ".." {
            return self.downloaded(text, &at, diagnostics);
        }
        let directory = join(self.open.last().map_or("", |caller| &caller.directory), text);
        let name = self.files.name(&directory);
        if self.installed_calls > 0 && !self.is_inside(&directory) {
            diagnostics.push(messages::module_outside(&name).at(at));
            return None;
        }
        if self.open.iter().any(|open| open.directory == directory) {
            diagnostics.push(messages::module_cycle(&name).at(at));
            return None;
        }
        if !self.loaded.contains_key(&directory)
            && let Err(error) = self.files.list(&directory)
        {
            // The results of modules that must not be read are unknown.
            if error.kind() != std::io::ErrorKind::Unsupported {
                diagnostics.push(messages::missing_module(&name).at(at));
            }
            return None;
        }
        let inner = usize::from(self.installed_calls > 0);
        self.installed_calls += inner;
        let called = self.below(&directory, &at, diagnostics);
        self.installed_calls -= inner;
        called
    }

    /// Reads a called module.
    fn below(&mut self, directory: &str, at: &Place, diagnostics: &mut Diagnostics) -> Option<Arc<Config>> {
        let called = self.directory(directory, None);
        let below = self.open.last().map_or(0, |caller| caller.below).saturating_add(called.size);
        if below > MOST_BELOW {
            diagnostics.push(messages::too_many_modules(MOST_BELOW).at(at));
            return None;
        }
        if let Some(caller) = self.open.last_mut() {
            caller.below = below;
        }
        Some(called)
    }

    /// Reads a module from a registry or another place, if it was downloaded.
    fn downloaded(&mut self, source: &str, at: &Place, diagnostics: &mut Diagnostics) -> Option<Arc<Config>> {
        let (language, files) = (self.language, self.files);
        let installed = self.installed.get_or_insert_with(|| Installed::read(language, files));
        let directory = installed.directory(&self.calls, source)?.to_owned();
        if self.files.list(&directory).is_err() {
            return None;
        }
        let name = self.files.name(&directory);
        if self.open.iter().any(|open| open.directory == directory) {
            diagnostics.push(messages::module_cycle(&name).at(at));
            return None;
        }
        if !self.is_inside(&directory) {
            diagnostics.push(messages::module_outside(&name).at(at));
            return None;
        }
        self.installed_calls += 1;
        let called = self.below(&directory, at, diagnostics);
        self.installed_calls -= 1;
        called
    }

    /// Returns true if a directory and its files are inside the directory of the root module.
    fn is_inside(&self, directory: &str) -> bool {
        let names = self.files.list(directory).unwrap_or_default();
        let mut mine = names.iter().filter(|name| self.language.is_file(name));
        !directory.starts_with("..")
            && self.files.is_inside(directory)
            && mine.all(|name| self.files.is_inside(&join(directory, name)))
    }
}

/// The values of attributes, none of which has names of its own.
fn references(names: &[Name], parts: &Parts) -> Vec<(Expression, Vec<Name>)> {
    let found = names.iter().filter_map(|name| parts.attributes.get(name));
    found.map(|attribute| (attribute.expression.clone(), Vec::new())).collect()
}

/// Reports arguments that are not input variables of the module.
fn check_arguments(arguments: &[Attribute], config: &Config, diagnostics: &mut Diagnostics) {
    let names: HashSet<&str> = config.inputs().map(|(_, item, _)| item.own_name()).collect();
    let known = KnownNames::new(config.inputs().map(|(_, item, _)| item.own_name()));
    for argument in arguments.iter().filter(|argument| !names.contains(&*argument.name)) {
        let near = known.nearest(&argument.name).first().copied();
        let error = messages::unsupported_input(&argument.name, near);
        diagnostics.push(error.at(argument.name_span).with_source(&argument.source));
    }
}

/// Reports conditions that refer to nothing.
fn check_conditions(
    rule: &BlockRule,
    address: &[Name],
    conditions: &[Condition],
    diagnostics: &mut Diagnostics,
) {
    for condition in conditions {
        let references = condition.expression.variables();
        let is_own = |reference: &hclkit_model::Traversal| {
            let written = reference.to_string();
            let own = super::address(address);
            written.strip_prefix(&own).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let error = if references.is_empty() {
            messages::constant_condition()
        } else if rule.role == Role::Input && !references.iter().any(is_own) {
            messages::condition_without_variable(&super::address(address))
        } else {
            continue;
        };
        diagnostics.push(error.at(condition.expression.place()));
    }
}

/// The address that a block defines; empty if it defines none.
fn path(defines: &[Part], block: &Block, attribute: Option<&Name>) -> Vec<Name> {
    let part = |part: &Part| match part {
        Part::Name(name) => Some(name.clone()),
        Part::Label(at) => block.labels.get(*at).cloned(),
        Part::Attribute => attribute.cloned(),
    };
    defines.iter().filter_map(part).collect()
}

fn check_names(rule: &BlockRule, block: &Block, diagnostics: &mut Diagnostics) {
    for (label, span) in block.labels.iter().zip(&block.label_spans) {
        let error = if !is_identifier(label) {
            messages::invalid_name(label)
        } else if rule.reserved.contains(label) {
            messages::reserved_name(label)
        } else {
            continue;
        };
        diagnostics.push(error.at(*span).with_source(&block.source));
    }
}

fn input(language: &Language, parts: &Parts, block: &Block, diagnostics: &mut Diagnostics) -> Input {
    let constraint = parts.attributes.get("type").and_then(|ty| {
        // Terraform still accepts these.
        let old = match ty.expression.static_keyword().as_deref() {
            Some("list") => Expression::parse("list(any)").ok(),
            Some("map") => Expression::parse("map(any)").ok(),
            _ => None,
        };
        let ty = old.as_ref().unwrap_or(&ty.expression);
        TypeConstraint::of(ty).map_err(|found| diagnostics.append(found)).ok()
    });
    let mut input = Input {
        constraint,
        default: None,
        default_expression: None,
        nullable: flag(parts, "nullable", true, diagnostics),
        sensitive: flag(parts, "sensitive", false, diagnostics),
        ephemeral: flag(parts, "ephemeral", false, diagnostics),
    };
    let Some(default) = parts.attributes.get("default") else { return input };
    let (value, found) = default.expression.evaluate_lenient(&Context::new());
    let failed = found.has_errors();
    input.default_expression = Some(default.expression.clone());
    if failed && !language.default_functions.is_empty() {
        return input;
    }
    diagnostics.append(found);
    if language.typed_by_default && input.constraint.is_none() && !value.is_null() && !failed {
        input.constraint = Some(TypeConstraint { ty: value.ty(), defaults: None });
    }
    let converted = match &input.constraint {
        Some(constraint) if !failed => constraint.convert(&value),
        _ => Ok(value.clone()),
    };
    let value = converted.unwrap_or_else(|problem| {
        let place = default.expression.place_of(&problem.path());
        diagnostics.push(messages::invalid_default(&problem.to_string()).at(place));
        hclkit_value::Value::DYNAMIC
    });
    if value.is_null() && !input.nullable {
        let name = block.labels.last().map(Name::as_str).unwrap_or_default();
        diagnostics.push(messages::not_null(name).at(default.expression.place()));
    }
    input.default = Some(value);
    input
}

/// The value of an attribute that is `true` or `false`.
fn flag(parts: &Parts, name: &str, default: bool, diagnostics: &mut Diagnostics) -> bool {
    let Some(attribute) = parts.attributes.get(name) else { return default };
    let (value, found) = attribute.expression.evaluate_lenient(&Context::new());
    let failed = found.has_errors();
    diagnostics.append(found);
    let value = value.convert(&hclkit_value::Type::Bool).ok();
    value.as_ref().and_then(hclkit_value::Value::as_bool).unwrap_or_else(|| {
        if !failed {
            diagnostics.push(messages::literal_bool_required(name).at(attribute.expression.place()));
        }
        default
    })
}
