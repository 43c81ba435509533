//! Predicates: expressions about a match, whose variables are its parts.

use std::collections::BTreeSet;

use hclkit_value::{Name, Value};

use crate::{Context, Expression, Partial, PartialOptions};

/// Returns a context in which each name that an expression refers to has the value that `variable` returns.
pub fn with_variables(
    expression: &Expression,
    context: &Context,
    mut variable: impl FnMut(&str) -> Value,
) -> Context {
    let names: BTreeSet<Name> = expression.variables().into_iter().map(|used| used.root).collect();
    let mut context = context.child();
    for name in names {
        let value = variable(&name);
        context.set(name, value);
    }
    context
}

/// Returns true if a predicate is true. `variable` returns the values of the names that it refers to. Unknown and marked
/// results and errors count as false.
///
/// ```
/// use hclkit_model::path::is_true;
/// use hclkit_model::{Context, Expression};
/// use hclkit_value::{Type, Value};
///
/// let predicate = Expression::parse("size > 1")?;
/// assert!(is_true(&predicate, &Context::new(), |_| Value::from(2)));
/// assert!(!is_true(&predicate, &Context::new(), |_| Value::from("many")));
/// assert!(!is_true(&predicate, &Context::new(), |_| Value::unknown(Type::Number)));
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
pub fn is_true(predicate: &Expression, context: &Context, variable: impl FnMut(&str) -> Value) -> bool {
    let context = with_variables(predicate, context, variable);
    let value = match PartialOptions::new().evaluate(predicate, &context) {
        Ok(Partial::Value(value)) => value,
        Ok(Partial::Rest(rest)) => rest.value,
        Err(_) => return false,
    };
    !value.is_marked() && value.as_bool() == Some(true)
}
