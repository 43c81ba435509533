//! Results of expressions: values, or what remains of them after a partial evaluation.

use hclkit::model::{Partial, PartialOptions, Rest};
use hclkit::value::Step;
use hclkit::{Context, Diagnostics, Expression, Type, Value, value};

use crate::args::Eval;
use crate::outcome::Failure;

/// The result of an expression.
#[derive(Debug)]
pub(super) enum Computed {
    /// Its value.
    Value(Value),
    /// The remaining source code, if the value is not fully known.
    Rest(Rest),
}

impl Computed {
    /// The value, if it is fully known.
    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Self::Value(value) => Some(value),
            Self::Rest(_) => None,
        }
    }
}

/// Evaluates an expression fully, or partially if requested.
pub(super) fn compute(
    command: &Eval,
    context: &Context,
    expression: &Expression,
) -> Result<Computed, Diagnostics> {
    if !command.partial {
        return expression.evaluate(context).map(Computed::Value);
    }
    match partial_options(command).evaluate(expression, context)? {
        Partial::Value(value) => Ok(Computed::Value(value)),
        Partial::Rest(rest) => Ok(Computed::Rest(rest)),
    }
}

/// Evaluates an expression partially, and returns source code even if the expression was not changed.
pub(super) fn rewrite(
    command: &Eval,
    context: &Context,
    expression: &Expression,
) -> Result<Computed, Diagnostics> {
    let (rest, computed) = partial_options(command).rewrite(expression, context)?;
    // A value without source code of its own is written like any other value.
    Ok(if computed && !rest.references.is_empty() {
        Computed::Value(rest.value)
    } else {
        Computed::Rest(rest)
    })
}

fn partial_options(command: &Eval) -> PartialOptions {
    PartialOptions::new().with_impure(command.impure).with_reveal_marked(command.show_sensitive)
}

/// Selects a part of a value by a path. As in expressions, `.name` and `["name"]` are equivalent.
pub(super) fn apply(command: &Eval, path: &value::Path, value: &Value) -> Result<Value, Failure> {
    let address = command.attr.as_deref().unwrap_or_default();
    let step = |value: Value, step: &Step| {
        let step = match (step, value.ty()) {
            (Step::Attribute(name), Type::Map(_)) => Step::Index(Value::from(name)),
            (Step::Index(key), Type::Object(_)) => {
                key.as_str().map_or_else(|| step.clone(), |name| Step::Attribute(name.into()))
            }
            _ => step.clone(),
        };
        value::Path::from(vec![step]).apply(&value)
    };
    path.steps()
        .iter()
        .try_fold(value.clone(), step)
        .map_err(|error| Failure::nothing_at(address, &format!(": {}", error.message())))
}
