//! Predicates: expressions about a match, whose variables are its parts.

use std::collections::BTreeSet;

use hclkit_syntax::Code;
use hclkit_value::{Name, Type, Value};

use crate::messages;
use crate::{Context, Diagnostics, Expression};

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
/// results count as false, and so do null and errors about these values: the predicate does not apply to them. A result of another
/// type is converted to a bool.
///
/// ```
/// use hclkit_model::path::is_true;
/// use hclkit_model::{Context, Expression};
/// use hclkit_value::{Type, Value};
///
/// let predicate = Expression::parse("size > 1")?;
/// assert!(is_true(&predicate, &Context::new(), |_| Value::from(2))?);
/// assert!(!is_true(&predicate, &Context::new(), |_| Value::from("many"))?);
/// assert!(!is_true(&predicate, &Context::new(), |_| Value::unknown(Type::Number))?);
/// assert!(is_true(&Expression::parse("undefined(size)")?, &Context::new(), |_| Value::from(2)).is_err());
/// assert!(is_true(&Expression::parse("size")?, &Context::new(), |_| Value::from(2)).is_err());
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
///
/// # Errors
/// A limit is exceeded, the result is of a type such as an object, or the predicate calls an undefined function, one that is not
/// granted or not included, or one with too few or too many arguments. Such a predicate is not an answer for any value.
pub fn is_true(
    predicate: &Expression,
    context: &Context,
    variable: impl FnMut(&str) -> Value,
) -> Result<bool, Diagnostics> {
    let context = with_variables(predicate, context, variable);
    let value = match predicate.evaluate(&context) {
        Ok(value) => value,
        Err(errors) if errors.iter().any(|error| error.code().is_some_and(is_fatal)) => return Err(errors),
        Err(_) => return Ok(false),
    };
    if value.is_marked() || value.is_null() {
        return Ok(false);
    }
    let Ok(answer) = value.convert(&Type::Bool) else {
        let message = messages::invalid_predicate(&value.ty());
        return Err(message.in_source(predicate.source(), predicate.span()).into());
    };
    Ok(answer.as_bool() == Some(true))
}

/// Returns true if an error is not about the values of a predicate's variables.
fn is_fatal(code: Code) -> bool {
    let is_missing = matches!(
        code,
        Code::UnknownFunction
            | Code::MissingArgument
            | Code::TooManyArguments
            | Code::FunctionsNotAllowed
            | Code::FilesNotGranted
            | Code::EnvironmentNotGranted
            | Code::NotGranted
    );
    is_missing || code.is_limit()
}
