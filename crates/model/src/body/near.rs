//! What is meant by a name that a schema does not have.

use hclkit_syntax::{Diagnostic, KnownNames, Span, is_identifier, nearest_names};

/// The known names that are nearest to one that is not known.
pub(crate) struct Near<'n>(Vec<&'n str>);

impl<'n> Near<'n> {
    pub(crate) fn of(name: &str, known: impl IntoIterator<Item = &'n str>) -> Near<'n> {
        Near(nearest_names(name, known))
    }

    /// The same among names that are searched many times.
    pub(crate) fn among(name: &str, known: &KnownNames<'n>) -> Near<'n> {
        Near(known.nearest(name))
    }

    /// A question to add to a message, or nothing.
    pub(crate) fn hint(&self) -> String {
        self.0.first().map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default()
    }

    /// Adds the change of the name, if it is clear to what: only one name is so near, and it is not taken.
    pub(crate) fn offer(
        &self,
        diagnostic: Diagnostic,
        place: Span,
        quoted: bool,
        taken: impl FnOnce(&str) -> bool,
    ) -> Diagnostic {
        match self.0[..] {
            [near] if is_identifier(near) && !taken(near) => {
                let replacement = if quoted { format!("\"{near}\"") } else { near.to_owned() };
                diagnostic.with_edit(format!("Write `{near}`"), place, replacement)
            }
            _ => diagnostic,
        }
    }
}
