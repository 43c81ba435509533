//! What is meant by a name that a schema does not have.

use hclkit_limits::Meter;
use hclkit_syntax::{Diagnostic, KnownNames, Span, is_identifier, nearest_name, nearest_names};

/// How long it takes at most to compare the characters of one name with those of all others, and to look at one of them.
const COMPARISONS: u64 = 200_000;
const GLANCE: u64 = 16;

/// The nearest of so many known names to one that is not known. After much work for earlier names none is searched, so
/// that a thousand errors do not go through a large object a thousand times.
pub(crate) fn near_name<'n>(
    name: &str,
    count: usize,
    known: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let (count, length) = (count as u64, name.len() as u64);
    let comparisons = COMPARISONS.min(count.saturating_mul(2 * length * length));
    if !Meter::current().take_hints(count.saturating_mul(GLANCE).saturating_add(comparisons)) {
        return None;
    }
    nearest_name(name, known)
}

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
