//! Which declarations say, or may be meant to say, that their values must not be shown.

use hclkit_syntax::{Diagnostics, Syntax};

use crate::Body;

/// The arguments of a declaration that hide its value.
pub(crate) const FLAGS: [&str; 2] = ["sensitive", "ephemeral"];

/// Their halves. One of them is left if a mistake is in the middle of the name.
const HALVES: [&str; 4] = ["sens", "itive", "ephe", "meral"];

/// Whether a text has an argument that hides a value, or may have had one before a mistake.
#[doc(hidden)]
pub fn mentions_flags(text: &str) -> bool {
    HALVES.iter().any(|half| text.contains(half))
}

/// Whether the body of a declaration hides its value: `sensitive` or `ephemeral` is something else than plainly `false`, such as
/// `tru` while it is typed. Showing a value is a mistake that cannot be undone, so what is unclear hides.
///
/// ```
/// use hclkit_model::{Body, hides_value};
/// use hclkit_syntax::Source;
///
/// let hides = |text: &str| hides_value(&Body::parse(Source::new("", text)).0);
/// assert!(hides("sensitive = true\n") && hides("ephemeral =\n") && hides("sensitive = var.x\n"));
/// assert!(!hides("sensitive = false\n") && !hides("description = \"sensitive\"\n"));
/// ```
#[doc(hidden)]
pub fn hides_value(body: &Body) -> bool {
    FLAGS.iter().any(|flag| body.flag(flag).may_be_true())
}

/// Where the part of a file with syntax errors begins in which an argument may belong to another block than it seems, or be
/// part of a string. It is the last block that begins before the first error, or the whole file in the JSON syntax. `None` if there
/// are no errors.
#[doc(hidden)]
pub fn doubtful_from(
    syntax: Syntax,
    found: &Diagnostics,
    blocks: impl IntoIterator<Item = u32>,
) -> Option<u32> {
    if !found.has_errors() {
        return None;
    }
    if syntax == Syntax::Json {
        return Some(0);
    }
    let first = found.iter().filter(|own| own.is_error()).map(|own| own.span().start).min()?;
    Some(blocks.into_iter().take_while(|start| *start < first).last().unwrap_or(0))
}
