//! What Bake files declare: variables, functions, arguments, targets and groups, and their values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hclkit_limits::{Exceeded, Meter};
use hclkit_model::{Attribute, Body, BodyItem, Context, Expression, Functions, Schema, Scope};
use hclkit_syntax::{Diagnostic, Diagnostics, nearest_name};
use hclkit_value::{Name, Type, Value};

use crate::argument::{ArgumentValue, Arguments, merge};
use crate::function::{Definition, Global};
use crate::plan::Declarations;
use crate::target::Declared;
use crate::variable::Variable;
use crate::{Bake, given};
use hclkit_module::shared::{condition_is_no_bool, condition_is_null};

use crate::messages;

/// What the files declare, before anything is evaluated.
#[derive(Default)]
pub(crate) struct Files {
    pub(crate) variables: BTreeMap<Name, Variable>,
    pub(crate) functions: BTreeMap<Name, Arc<Definition>>,
    pub(crate) attributes: BTreeMap<Name, Attribute>,
    pub(crate) blocks: Vec<Declared>,
}

/// The targets and groups with their instances, and the context in which they are evaluated.
pub(crate) struct Ready {
    pub(crate) blocks: Vec<Arc<Declared>>,
    pub(crate) global: Arc<Global>,
}

impl Files {
    pub(crate) fn read(bake: &Bake, bodies: &[Body], diagnostics: &mut Diagnostics) -> Self {
        Self::read_as(bake, bodies, false, diagnostics)
    }

    /// With `checking`, variables are unknown.
    pub(crate) fn read_as(
        bake: &Bake,
        bodies: &[Body],
        checking: bool,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut files = Self::default();
        let reserved =
            |name: &str| name == "target" || name == "group" || given().iter().any(|(own, _)| *own == name);
        let schema = Schema::new()
            .with_block("variable", &["name"])
            .with_block("function", &["name"])
            .with_block("target", &["name"])
            .with_block("group", &["name"]);
        for body in bodies {
            let ((content, rest), found) = body.partial_content(&schema);
            diagnostics.append(found);
            for block in content.blocks {
                match block.block_type.as_str() {
                    "variable" if reserved(&block.labels[0]) => {}
                    "variable" => {
                        let variable = Variable::read(&block, checking, diagnostics);
                        files.variables.insert(variable.name.clone(), variable);
                    }
                    "function" => {
                        if let Some(definition) = Definition::read(&block, diagnostics) {
                            files.functions.insert(definition.name.clone(), Arc::new(definition));
                        }
                    }
                    _ => files.blocks.push(Declared::read(block, checking, diagnostics)),
                }
            }
            for item in rest.items() {
                match item {
                    BodyItem::Attribute(attribute) if !reserved(&attribute.name) => {
                        files.attributes.insert(attribute.name.clone(), attribute);
                    }
                    BodyItem::Attribute(_) => {}
                    BodyItem::Block(block) => {
                        diagnostics
                            .push(messages::ignored_block(&block.block_type).at(block.definition_place()));
                    }
                }
            }
        }
        files.set_variables(bake, diagnostics);
        files
    }

    /// Finds the text that sets each variable.
    fn set_variables(&mut self, bake: &Bake, diagnostics: &mut Diagnostics) {
        let texts = bake.texts();
        let names: BTreeSet<Name> = self.variables.keys().cloned().collect();
        for (name, variable) in &mut self.variables {
            if let Some(attribute) = self.attributes.remove(name) {
                variable.set_default(&attribute);
            }
            variable.find_text(&texts, |name| names.contains(name));
        }
        let is_known = |name: &str| {
            names.contains(name) || name.strip_suffix("_JSON").is_some_and(|name| names.contains(name))
        };
        for name in bake.variables.keys().filter(|name| !is_known(name)) {
            let meant = nearest_name(name, names.iter().map(Name::as_str));
            diagnostics.push(messages::undeclared(name, meant));
        }
    }

    /// Finds the instances of targets, and defines all names.
    pub(crate) fn prepare(&mut self, functions: &Functions, diagnostics: &mut Diagnostics) -> Ready {
        let global = self.global(self.scope(), functions);
        if let Some(context) = global.get() {
            for (at, declared) in self.blocks.iter_mut().enumerate() {
                declared.find_instances(at, context, diagnostics);
            }
        }
        let blocks: Vec<Arc<Declared>> = std::mem::take(&mut self.blocks).into_iter().map(Arc::new).collect();
        let mut scope = self.scope();
        // If the name of one target is unknown, references to other targets may refer to it.
        let hidden = has_unknown_names(&blocks);
        if hidden {
            scope.set(["target"], Value::DYNAMIC);
        }
        for declared in &blocks {
            if let Err(exceeded) = declared.count() {
                if !diagnostics.has_errors() {
                    let place = declared.block.definition_place();
                    diagnostics.push(Diagnostic::exceeded(exceeded).at(place));
                }
                break;
            }
            declared.define(hidden && !declared.is_group, &mut scope);
        }
        let global = self.global(scope, functions);
        Ready { blocks, global }
    }

    /// Evaluates everything that the files declare.
    pub(crate) fn evaluate(mut self, functions: &Functions, diagnostics: &mut Diagnostics) -> Declarations {
        let ready = self.prepare(functions, diagnostics);
        self.evaluate_all(&ready, diagnostics)
    }

    pub(crate) fn evaluate_all(&self, ready: &Ready, diagnostics: &mut Diagnostics) -> Declarations {
        let mut declarations = Declarations::default();
        let is_stopped = || Meter::current().exceeded().is_some();
        if let Some(context) = ready.global.get().filter(|_| !is_stopped()) {
            self.check(context, diagnostics);
            for declared in &ready.blocks {
                if is_stopped() {
                    break;
                }
                if declared.is_broken {
                    declarations.broken.insert(declared.label.to_string());
                }
                for instance in &declared.instances {
                    let arguments = declared.evaluated(instance, context, diagnostics);
                    for (name, place) in declared.references(instance, context) {
                        declarations.places.entry((instance.name.clone(), name)).or_insert(place);
                    }
                    if declarations.add(declared.is_group, &instance.name, arguments).is_err() {
                        break;
                    }
                }
            }
        }
        declarations.add_matrices(&ready.blocks);
        declarations
    }

    /// The scope of variables, arguments of files, and what Bake defines.
    fn scope(&self) -> Scope {
        let mut scope = Scope::new();
        scope.hide("(block)");
        for (name, value) in given() {
            scope.set([name], value);
        }
        for (name, variable) in &self.variables {
            scope.compute([name], variable.clone());
        }
        for (name, attribute) in &self.attributes {
            // Each name occurs only once.
            let _ = scope.define([name], attribute.expression.clone());
        }
        scope
    }

    /// The context with a scope and all functions. Functions of the library take precedence.
    fn global(&self, scope: Scope, functions: &Functions) -> Arc<Global> {
        let global: Arc<Global> = Arc::default();
        let mut all = functions.clone();
        for (name, definition) in &self.functions {
            if functions.get(name).is_none() {
                all.insert(name, definition.clone().function(&Arc::downgrade(&global)));
            }
        }
        let context = global.get_or_init(|| Context::new().with_functions(all).with_scope(scope));
        debug_assert!(global.get().is_some_and(|own| std::ptr::eq(own, context)));
        global
    }

    /// Evaluates what targets may not refer to, and checks functions and the validations of variables.
    fn check(&self, context: &Context, diagnostics: &mut Diagnostics) {
        for name in self.variables.keys().chain(self.attributes.keys()) {
            if let Some((_, found)) = context.value_of(&[name]) {
                diagnostics.append(found);
            }
        }
        let is_defined = |name: &str| context.has_value(&[name]) || name == "target" || name == "group";
        let is_defined = |name: &str| self.is_name(name) || is_defined(name);
        for definition in self.functions.values() {
            definition.check(is_defined, diagnostics);
        }
        for variable in self.variables.values() {
            for (condition, message) in &variable.validations {
                validate(variable, condition, message.as_ref(), context, diagnostics);
            }
        }
    }

    /// The defaults of variables, and the arguments of files.
    pub(crate) fn expressions(&self) -> Vec<&Expression> {
        let defaults = self.variables.values().filter_map(|variable| variable.default.as_ref());
        defaults.chain(self.attributes.values().map(|attribute| &attribute.expression)).collect()
    }

    fn is_name(&self, name: &str) -> bool {
        self.variables.contains_key(name)
            || self.attributes.contains_key(name)
            || given().iter().any(|(own, _)| *own == name)
    }
}

/// Returns true if the names of some targets are unknown.
pub(crate) fn has_unknown_names(blocks: &[Arc<Declared>]) -> bool {
    blocks.iter().flat_map(|declared| &declared.instances).any(|instance| instance.name.is_empty())
}

/// Checks a condition about a variable.
fn validate(
    variable: &Variable,
    condition: &Expression,
    message: Option<&Expression>,
    context: &Context,
    diagnostics: &mut Diagnostics,
) {
    let (value, found) = condition.evaluate_lenient(context);
    if found.has_errors() {
        return diagnostics.append(found);
    }
    let place = condition.place();
    if !value.is_known() {
        return;
    }
    let value = match value.unmark_deep().0.convert(&Type::Bool) {
        Ok(value) if value.is_null() => return diagnostics.push(condition_is_null().at(place)),
        Ok(value) => value,
        Err(_) => return diagnostics.push(condition_is_no_bool().at(place)),
    };
    if value.as_bool() == Some(false) {
        let text = message.map(|message| diagnostics.absorb(message.evaluate_lenient(context)));
        let text = text.as_ref().and_then(Value::as_str).unwrap_or_default();
        diagnostics.push(messages::validation_failed(&variable.name, text).at(place));
    }
}

impl Declarations {
    /// Adds the arguments of a block. Those of targets are merged; of groups, the last one counts.
    ///
    /// # Errors
    /// A limit is exceeded.
    fn add(&mut self, is_group: bool, name: &str, mut arguments: Arguments) -> Result<(), Exceeded> {
        if let Some(ArgumentValue::Texts(names)) = arguments.get_mut("targets") {
            let mut seen = BTreeSet::new();
            names.retain(|name| seen.insert(name.clone()));
        }
        if is_group {
            *self.groups.entry(name) = arguments;
            return Ok(());
        }
        merge(self.targets.entry(name), &arguments)
    }

    /// Adds a group for each label whose targets have other names.
    fn add_matrices(&mut self, blocks: &[Arc<Declared>]) {
        let mut labels: Vec<(&Name, Vec<String>)> = Vec::new();
        let mut places = BTreeMap::new();
        for declared in blocks.iter().filter(|declared| !declared.is_group) {
            let at = *places.entry(&declared.label).or_insert(labels.len());
            if at == labels.len() {
                labels.push((&declared.label, Vec::new()));
            }
            labels[at].1.extend(declared.instances.iter().map(|instance| instance.name.clone()));
        }
        for (label, mut names) in labels {
            let mut seen = BTreeSet::new();
            names.retain(|name| seen.insert(name.clone()));
            let is_alone = matches!(names.as_slice(), [name] if *name == **label);
            if !names.is_empty() && !is_alone && self.groups.get(label).is_none() {
                self.groups.entry(label).insert("targets", ArgumentValue::Texts(names));
            }
        }
    }
}
