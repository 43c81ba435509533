//! The attribute `pattern` of derived types.

use std::borrow::Cow;
use std::sync::LazyLock;

use hclkit_model::typed::has_match;
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
    match has_match(pattern, &FIND, &Value::from(text.as_ref())) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Cow::Owned(format!("the value must match the regular expression `{pattern}`"))),
        Err(error) => Err(Cow::Owned(format!("invalid `pattern`: {}", error.message()))),
    }
}
