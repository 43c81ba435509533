//! What a test asks of a module: what each of its conditions gives, its results, and the names that assertions can use.

use std::sync::Arc;

use hclkit_dialect::Role;
use hclkit_model::Context;
use hclkit_syntax::Diagnostics;
use hclkit_value::{Mark, Name, Str, Value};

use crate::config::{Config, Content, Item};
use crate::inputs::InputContent;
use crate::instance::{self, is_open};
use crate::module::Module;

/// A condition of an instance of a block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckedCondition {
    /// The address of the instance, such as `module.net.var.cidr`.
    pub address: String,
    /// Which condition it is.
    pub kind: ConditionKind,
    /// Its block is in the root module.
    pub is_in_root: bool,
    /// Whether it is met, or not; otherwise it is unknown, or has errors.
    pub is_met: Option<bool>,
    /// What is reported of it.
    pub found: Diagnostics,
}

/// What a condition belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionKind {
    /// An input variable.
    Variable,
    /// An object, before it is made.
    Precondition,
    /// An object, after it is made.
    Postcondition,
    /// A result.
    Output,
    /// A check, which only warns.
    Check,
}

impl Module {
    /// Evaluates the conditions of all blocks. Modules are known after an evaluation.
    pub fn conditions(&self) -> Vec<CheckedCondition> {
        let mut all = Vec::new();
        let mut open = vec![self.root.clone()];
        while let Some(instance) = open.pop() {
            for (at, item) in instance.config.items.iter().enumerate() {
                open.extend(instance.created(at).iter().cloned());
                for (number, condition) in item.conditions.iter().enumerate() {
                    let kind = match item.rule.role {
                        Role::Input | Role::Inputs => ConditionKind::Variable,
                        Role::Result => ConditionKind::Output,
                        Role::Check => ConditionKind::Check,
                        _ if condition.binds.is_some() => ConditionKind::Postcondition,
                        _ => ConditionKind::Precondition,
                    };
                    let is_in_root = instance.is_root();
                    instance.each_result_of((at, number), &mut |address, is_met, found| {
                        let address = address.to_owned();
                        all.push(CheckedCondition { address, kind, is_in_root, is_met, found });
                    });
                }
            }
        }
        all
    }

    /// The results of the root module as an object, and the errors of their values.
    pub fn results(&self) -> (Value, Diagnostics) {
        let mut found = Diagnostics::new();
        let results = self.root.config.items.iter().filter(|item| item.rule.role == Role::Result);
        let results: Vec<(Str, Value)> = results
            .map(|item| {
                let path: Vec<&str> = item.address.iter().map(Name::as_str).collect();
                let value = self.root.context.value_of(&path).map(|value| found.absorb(value));
                let value = value.unwrap_or(Value::DYNAMIC);
                let value = if item.is_sensitive() { value.mark(Mark::sensitive()) } else { value };
                (Str::from(item.own_name()), value)
            })
            .collect();
        (Value::object(results), found)
    }

    /// A context with the names of the root module, its results, and other values.
    pub fn context_with(&self, values: impl IntoIterator<Item = (Vec<Name>, Value)>) -> Context {
        let mut scope = instance::scope(&self.root.tree, &self.root.config);
        instance::add_long_names(&mut scope, &self.root.config);
        for (path, value) in values {
            scope.set(path, value);
        }
        let scope = scope.with_owner(Arc::downgrade(&self.root));
        Context::new().with_functions(self.root.tree.functions.clone()).with_scope(scope)
    }

    /// The input variables that the root module declares.
    pub fn variable_names(&self) -> Vec<Name> {
        self.root.config.inputs().map(|(_, item, _)| Name::from(item.own_name())).collect()
    }

    /// The values of variables from files.
    pub fn given_variables(&self) -> Vec<(Name, Value)> {
        let given = self.root.tree.outside.inputs.iter();
        let given = given.filter_map(|(name, given)| match &given.value {
            InputContent::Value(value, _) => Some((name.clone(), value.clone())),
            InputContent::Text(_) => None,
        });
        given.collect()
    }

    /// A value for a variable of the root module with the defaults of its type, not converted.
    #[must_use]
    pub fn with_defaults(&self, name: &str, value: &Value) -> Value {
        let input = self.root.config.inputs().find(|(_, item, _)| item.own_name() == name);
        let constraint = input.and_then(|(_, _, input)| input.constraint.as_ref());
        let defaults = constraint.and_then(|own| own.defaults.as_ref());
        defaults.map_or_else(|| value.clone(), |own| own.apply(value))
    }

    /// Whether the root module declares that a variable must not be shown.
    pub fn hides_variable(&self, name: &str) -> bool {
        self.root.config.inputs().any(|(_, item, input)| item.own_name() == name && input.hidden)
    }

    /// Whether a value can replace what providers compute of all objects of a type: none of them sets the argument, which has its type.
    pub fn is_replaceable(&self, ty: &str, argument: &str, value: &Value) -> bool {
        let schemas = &self.root.tree.schemas;
        let can = |config: &Arc<Config>| {
            let can = |item: &Item| {
                let is_other = !matches!(item.content, Content::Object(_))
                    || item.labels.first().is_none_or(|own| own.as_str() != ty);
                is_other
                    || item.block.body.attribute(argument).is_none()
                        && schemas.object(item, config).is_none_or(|own| own.computes(argument, value))
            };
            config.items.iter().all(can)
        };
        self.configs().iter().all(can)
    }

    /// The addresses of objects that only a provider can make, each with the configuration of the provider, such as `aws.west`. There
    /// is none for what a configuration is not enough for: objects without a schema, ephemeral ones, modules that are not available,
    /// and calls that choose configurations.
    pub fn beyond_language(&self) -> Vec<(String, Option<String>)> {
        let tree = &self.root.tree;
        let one = |config: &Arc<Config>| {
            let need = |item: &Item| {
                let named = |name: &str| item.block.body.attribute(name);
                let address = || crate::step::address(&item.address);
                match &item.content {
                    Content::Object(_) => {
                        let is_known = !is_open(&tree.language, &tree.schemas, config, item)
                            && tree.schemas.object(item, config).is_none();
                        let of_language =
                            item.block.block_type == *"resource" || item.block.block_type == *"data";
                        // Without a schema, it is unknown what the provider makes of values.
                        let has_schema = tree.schemas.object(item, config).is_some();
                        let provider = item.provider().filter(|_| of_language && has_schema);
                        (!is_known && tree.computed(item, config).is_none()).then(|| (address(), provider))
                    }
                    Content::Call(call) if call.config.is_none() || named("providers").is_some() => {
                        Some((address(), None))
                    }
                    _ => None,
                }
            };
            config.items.iter().filter_map(need).collect::<Vec<_>>()
        };
        self.configs().iter().flat_map(one).collect()
    }

    /// Whether the number of instances of a block is unknown, in any module that was evaluated.
    pub fn has_unknown_instances(&self) -> bool {
        let mut open = vec![self.root.clone()];
        while let Some(instance) = open.pop() {
            for at in 0..instance.config.items.len() {
                if instance.has_unknown_instances(at) {
                    return true;
                }
                open.extend(instance.created(at).iter().cloned());
            }
        }
        false
    }

    /// Whether a text occurs in a file of the module, or of one that it calls.
    pub fn has_text(&self, text: &str) -> bool {
        let files = self.configs().iter().flat_map(|config| &config.files);
        files.map(|(_, body)| body.source()).any(|source| source.text().contains(text))
    }
}
