//! The attribute `pattern` of derived types.

use std::borrow::Cow;
use std::sync::LazyLock;

use hclkit_value::{Function, Value};

static FIND: LazyLock<Function> = LazyLock::new(hclkit_functions::regexall);

/// Checks that text has a match of a regular expression, in the syntax of the function `regex`.
///
/// # Errors
/// It has none, or the expression is invalid.
pub fn check_pattern(
    pattern: &'static str,
    text: &(impl AsRef<str> + ?Sized),
) -> Result<(), Cow<'static, str>> {
    match FIND.call(&[Value::from(pattern), Value::from(text.as_ref())]) {
        Ok(found) if found.as_slice().is_some_and(<[Value]>::is_empty) => {
            Err(Cow::Owned(format!("the value must match the regular expression `{pattern}`")))
        }
        Ok(_) => Ok(()),
        Err(error) => Err(Cow::Owned(format!("invalid `pattern`: {}", error.message()))),
    }
}
