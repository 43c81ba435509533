//! Early evaluation: sources of modules that refer to variables and local values. They are evaluated before the modules are
//! read, so they cannot refer to anything that depends on modules, resources or instances. In some languages everything but
//! constant variables is unknown then.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_limits::with_room;
use hclkit_model::{Attribute, Block, Context, Descend, Expression, Scope, StaticCall, Visitor};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Name, Value};

use super::Loading;
use crate::config::{Config, Content, Definitions, Input, Named, names_of};
use crate::inputs;
use crate::messages;
use hclkit_dialect::{BlockRule, Dialect, Role};

/// What early expressions of a directory can refer to.
#[derive(Debug, Default)]
pub(super) struct Early {
    /// The arguments of the call of the module.
    arguments: HashMap<Name, Expression>,
    /// Input variables.
    inputs: Vec<(Block, Arc<BlockRule>, Vec<Name>)>,
    values: Vec<Named>,
    definitions: Definitions<Declared>,
    /// The context, once it is needed.
    context: Option<Context>,
    /// Constant variables whose values are not known there: a user sets them, or there is an error elsewhere.
    awaited: HashSet<usize>,
}

/// A declaration: its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Declared {
    Input(usize),
    Value(usize),
}

/// Why an early expression is unknown.
enum Reason {
    /// Because of a variable that is not constant.
    Variable(usize),
    /// It refers to something else that is not constant.
    Other,
    /// It calls a function whose result is known late.
    Function(String),
    /// Because of something outside of the files.
    Outside,
}

/// Finds a call of a function whose result is known late.
struct Late<'l>(&'l Dialect);

impl Visitor for Late<'_> {
    /// Its name.
    type Error = String;

    fn expression(&mut self, expression: &Expression) -> Result<Descend, String> {
        let is_late = |call: &StaticCall| self.0.late_functions.iter().any(|name| *name == *call.name);
        expression.static_call().ok().filter(is_late).map_or(Ok(Descend::Inside), |call| Err(call.name))
    }
}

impl Early {
    /// For a module that is called with these arguments.
    pub(super) fn of(arguments: &[Attribute]) -> Self {
        let arguments = arguments.iter().map(|it| (it.name.clone(), it.expression.clone())).collect();
        Self { arguments, ..Self::default() }
    }

    /// Adds the declarations of the directory.
    pub(super) fn declare(&mut self, blocks: &[(Block, Arc<BlockRule>, Vec<Name>)], values: &[Named]) {
        self.inputs = blocks.iter().filter(|(_, rule, _)| rule.role == Role::Input).cloned().collect();
        self.values = values.to_vec();
        self.definitions = Definitions::default();
        for (at, (_, _, address)) in self.inputs.iter().enumerate() {
            self.definitions.add(address, Declared::Input(at));
        }
        for (at, named) in self.values.iter().enumerate() {
            self.definitions.add(&named.address, Declared::Value(at));
        }
    }

    /// Whether a variable is declared as constant.
    fn is_constant(&self, input: usize) -> bool {
        let constant = self.inputs[input].0.body.attribute("const");
        let value = constant.and_then(|constant| constant.expression.evaluate(&Context::new()).ok());
        let value = value.and_then(|value| value.convert(&hclkit_value::Type::Bool).ok());
        value.is_some_and(|value| value.as_bool() == Some(true))
    }

    fn argument(&self, input: usize) -> Option<&Expression> {
        self.inputs[input].2.last().and_then(|name| self.arguments.get(name))
    }
}

impl Loading<'_> {
    /// The value of an argument such as the source of a module in the directory that is being read. Returns `None` if it is
    /// unknown, or if it has an error, which is reported.
    pub(super) fn early_value(
        &mut self,
        name: &str,
        source: &Expression,
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        let own = self.open.len().checked_sub(1)?;
        self.open[own].computed = true;
        let constant = self.language.constant_sources;
        if !self.is_early(own, source, &mut HashSet::new()) {
            diagnostics.push(messages::source_must_be_static(name, constant).at(source.place()));
            return None;
        }
        let context = self.early_context(own);
        let (value, found) = source.evaluate_lenient(&context);
        let failed = found.has_errors();
        diagnostics.append(found);
        let (value, marks) = value.unmark_deep();
        if let Some(mark) = marks.iter().next() {
            diagnostics.push(messages::source_is_marked(name, mark.name()).at(source.place()));
        } else if !failed && !value.is_known() {
            match self.reason(own, source) {
                Reason::Variable(_) if !constant => {}
                Reason::Variable(at) => {
                    let address = crate::step::address(&self.open[own].early.inputs[at].2);
                    let error = messages::source_is_unknown(name, Some(&address));
                    diagnostics.push(error.at(source.place()));
                }
                Reason::Function(name) => {
                    let error = messages::source_of_late_function(&name);
                    diagnostics.push(error.at(source.place()));
                }
                Reason::Other => diagnostics.push(messages::source_is_unknown(name, None).at(source.place())),
                Reason::Outside => {}
            }
        }
        (!failed && value.is_known() && marks.is_empty()).then_some(value)
    }

    /// Reports arguments of constant variables that are not early.
    pub(super) fn check_constants(
        &mut self,
        arguments: &[Attribute],
        called: &Config,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(own) = self.open.len().checked_sub(1) else { return };
        for (_, item, _) in called.inputs().filter(|(_, _, input)| input.constant) {
            let argument = arguments.iter().find(|argument| argument.name == *item.own_name());
            if let Some(argument) = argument
                && !self.is_constant(own, &argument.expression)
            {
                let constant = self.language.constant_sources;
                let error = messages::argument_must_be_static(item.own_name(), constant);
                diagnostics.push(error.at(argument.expression.place()));
            }
        }
    }

    /// Whether a constant variable can have the value of an expression. Errors in it are reported elsewhere.
    fn is_constant(&mut self, own: usize, expression: &Expression) -> bool {
        if !self.language.constant_sources {
            return self.is_early(own, expression, &mut HashSet::new());
        }
        let (value, found) = self.evaluate_early(own, expression);
        found.has_errors()
            || value.unmark_deep().0.is_wholly_known()
            || matches!(self.reason(own, expression), Reason::Outside)
    }

    /// The value of an expression of a directory that is being read. All but constants is unknown.
    fn evaluate_early(&mut self, own: usize, expression: &Expression) -> (Value, Diagnostics) {
        let mut context = with_room(|| self.early_context(own));
        let names = &self.language.source_names;
        let others = expression.references().map(|reference| reference.root.clone());
        context.set_all(others.filter(|root| !names.contains(root)).map(|root| (root, Value::DYNAMIC)));
        expression.evaluate_lenient(&context)
    }

    /// Why an expression is unknown. What a user sets, and what functions read, is known when modules are installed.
    fn reason(&self, own: usize, expression: &Expression) -> Reason {
        let early = &self.open[own].early;
        let (mut reason, mut seen, mut open) = (Reason::Outside, HashSet::new(), vec![expression]);
        while let Some(expression) = open.pop() {
            if let Err(name) = expression.visit(&mut Late(self.language)) {
                return Reason::Function(name);
            }
            for reference in expression.references() {
                if !self.language.source_names.contains(&reference.root) {
                    reason = Reason::Other;
                }
                for declared in early.definitions.all(&names_of(reference)) {
                    match declared {
                        Declared::Input(at) if early.awaited.contains(&at) => return Reason::Outside,
                        Declared::Input(at) if !early.is_constant(at) => reason = Reason::Variable(at),
                        Declared::Value(at) if seen.insert(at) => {
                            open.push(&early.values[at].attribute.expression);
                        }
                        Declared::Input(_) | Declared::Value(_) => {}
                    }
                }
            }
        }
        reason
    }

    /// Whether an expression of a directory that is being read, and everything that it refers to, refers only to variables,
    /// local values and what the language gives, not counting the names that were seen before.
    fn is_early(&self, own: usize, expression: &Expression, seen: &mut HashSet<(usize, Declared)>) -> bool {
        let early = &self.open[own].early;
        let names = &self.language.source_names;
        if self.language.constant_sources {
            // What local values refer to is unknown, but allowed.
            return expression.references().all(|reference| names.contains(&reference.root));
        }
        expression.references().all(|reference| {
            names.contains(&reference.root)
                && early.definitions.all(&names_of(reference)).all(|declared| {
                    let (own, expression) = match declared {
                        Declared::Value(at) => (own, Some(&early.values[at].attribute.expression)),
                        Declared::Input(at) => (own.saturating_sub(1), early.argument(at)),
                    };
                    let Some(expression) = expression else { return true };
                    !seen.insert((own, declared)) || with_room(|| self.is_early(own, expression, seen))
                })
        })
    }

    /// The context for early expressions of a directory that is being read.
    fn early_context(&mut self, own: usize) -> Context {
        if let Some(context) = &self.open[own].early.context {
            return context.clone();
        }
        let early = std::mem::take(&mut self.open[own].early);
        let mut scope = Scope::new();
        for rule in self.language.blocks.iter().filter(|rule| matches!(rule.role, Role::Input | Role::Values))
        {
            if let Some(root) = rule.defines.root() {
                scope.add_group(root.clone());
            }
        }
        let (constant, names) = (self.language.constant_sources, &self.language.source_names);
        for (name, given) in &self.language.builtins {
            let is_known = !constant || name.first().is_some_and(|root| names.contains(root));
            let value = || self.outside.value(*given, &self.open[own].directory);
            scope.set(name.iter().cloned(), if is_known { value() } else { Value::DYNAMIC });
        }
        if constant {
            let given = self.language.builtins.iter().filter_map(|(name, _)| name.first());
            let mut known: HashSet<&Name> = names.iter().chain(given).collect();
            let references = early.values.iter().flat_map(|named| named.attribute.expression.references());
            for reference in references.filter(|reference| known.insert(&reference.root)) {
                scope.set([reference.root.clone()], Value::DYNAMIC);
            }
        }
        for named in &early.values {
            // Duplicate names are reported elsewhere.
            let _ = scope.define(named.address.iter().cloned(), named.attribute.expression.clone());
        }
        let mut awaited = HashSet::new();
        for (at, (block, rule, address)) in early.inputs.iter().enumerate() {
            // Errors in the declaration and in the value are reported elsewhere.
            let item = self.item(rule, block.clone(), address.clone(), false, &mut Diagnostics::new());
            if let Content::Input(input) = &item.content {
                let value = match early.argument(at) {
                    Some(argument) => Some(self.early_argument(own, argument, input)),
                    None if own > 0 => None,
                    None => self
                        .outside
                        .inputs
                        .get(item.own_name())
                        .and_then(|given| given.value(item.own_name(), input, &item.place()).ok()),
                };
                let is_default = value.as_ref().is_none_or(|value| value.is_null() && !input.nullable);
                let value = if is_default { input.default.clone() } else { value };
                let value = value.filter(|_| !constant || input.constant);
                if input.constant
                    && !value.as_ref().is_some_and(|value| value.unmark_deep().0.is_wholly_known())
                {
                    awaited.insert(at);
                }
                scope.set(
                    address.iter().cloned(),
                    input.mark(value.unwrap_or_else(|| inputs::unknown(input))),
                );
            }
        }
        let context = Context::new().with_functions(self.functions.clone()).with_scope(scope);
        self.open[own].early = Early { context: Some(context.clone()), awaited, ..early };
        context
    }

    /// The value of an argument of the call of a directory that is being read. Unknown if it is not early.
    fn early_argument(&mut self, own: usize, argument: &Expression, input: &Input) -> Value {
        if !self.language.constant_sources && !self.is_early(own - 1, argument, &mut HashSet::new()) {
            return inputs::unknown(input);
        }
        let (value, found) = self.evaluate_early(own - 1, argument);
        if found.has_errors() {
            return inputs::unknown(input);
        }
        inputs::convert(&value, input.constraint.as_ref()).unwrap_or_else(|_| inputs::unknown(input))
    }
}
