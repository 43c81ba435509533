//! Early evaluation: sources of modules that refer to variables and local values. They are evaluated before the modules are
//! read, so they cannot refer to anything that depends on modules, resources or instances.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hclkit_limits::with_room;
use hclkit_model::{Attribute, Block, Context, Expression, Scope};
use hclkit_syntax::Diagnostics;
use hclkit_value::{Name, Value};

use super::Loading;
use crate::config::{Config, Content, Definitions, Input, Named, names_of};
use crate::inputs;
use crate::messages;
use hclkit_dialect::{BlockRule, Role};

/// The names that early expressions can begin with.
const ROOTS: [&str; 5] = ["local", "path", "terraform", "tofu", "var"];

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
}

/// A declaration: its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Declared {
    Input(usize),
    Value(usize),
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

    fn argument(&self, input: usize) -> Option<&Expression> {
        self.inputs[input].2.last().and_then(|name| self.arguments.get(name))
    }
}

impl Loading<'_> {
    /// The value of the source of a module in the directory that is being read. Returns `None` if it is unknown, or if it has
    /// an error, which is reported.
    pub(super) fn early_value(
        &mut self,
        source: &Expression,
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        let own = self.open.len().checked_sub(1)?;
        self.open[own].computed = true;
        if !self.is_early(own, source, &mut HashSet::new()) {
            diagnostics.push(messages::source_must_be_static().at(source.place()));
            return None;
        }
        let context = self.early_context(own);
        let (value, found) = source.evaluate_lenient(&context);
        let failed = found.has_errors();
        diagnostics.append(found);
        let (value, marks) = value.unmark_deep();
        if let Some(mark) = marks.iter().next() {
            diagnostics.push(messages::source_is_marked(mark.name()).at(source.place()));
        }
        (!failed && value.is_known() && marks.is_empty()).then_some(value)
    }

    /// Reports arguments of constant variables that are not early.
    pub(super) fn check_constants(
        &self,
        arguments: &[Attribute],
        called: &Config,
        diagnostics: &mut Diagnostics,
    ) {
        for (_, item, _) in called.inputs().filter(|(_, _, input)| input.constant) {
            let argument = arguments.iter().find(|argument| argument.name == *item.own_name());
            if let (Some(argument), Some(own)) = (argument, self.open.len().checked_sub(1))
                && !self.is_early(own, &argument.expression, &mut HashSet::new())
            {
                let error = messages::argument_must_be_static(item.own_name());
                diagnostics.push(error.at(argument.expression.place()));
            }
        }
    }

    /// Whether an expression of a directory that is being read, and everything that it refers to, refers only to variables,
    /// local values and what the language gives, not counting the names that were seen before.
    fn is_early(&self, own: usize, expression: &Expression, seen: &mut HashSet<(usize, Declared)>) -> bool {
        let early = &self.open[own].early;
        expression.references().all(|reference| {
            ROOTS.contains(&reference.root.as_str())
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
        for (name, given) in &self.language.builtins {
            scope.set(name.iter().cloned(), self.outside.value(*given, &self.open[own].directory));
        }
        for named in &early.values {
            // Duplicate names are reported elsewhere.
            let _ = scope.define(named.address.iter().cloned(), named.attribute.expression.clone());
        }
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
                scope.set(
                    address.iter().cloned(),
                    input.mark(value.unwrap_or_else(|| inputs::unknown(input))),
                );
            }
        }
        let context = Context::new().with_functions(self.functions.clone()).with_scope(scope);
        self.open[own].early = Early { context: Some(context.clone()), ..early };
        context
    }

    /// The value of an argument of the call of a directory that is being read. Unknown if it is not early.
    fn early_argument(&mut self, own: usize, argument: &Expression, input: &Input) -> Value {
        if !self.is_early(own - 1, argument, &mut HashSet::new()) {
            return inputs::unknown(input);
        }
        let context = with_room(|| self.early_context(own - 1));
        let (value, found) = argument.evaluate_lenient(&context);
        if found.has_errors() {
            return inputs::unknown(input);
        }
        inputs::convert(&value, input.constraint.as_ref()).unwrap_or_else(|_| inputs::unknown(input))
    }
}
