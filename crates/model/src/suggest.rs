//! Suggestions for names that a schema does not have.

use hclkit_limits::Meter;
use hclkit_syntax::{Diagnostic, KnownNames, Span, is_identifier, nearest_name, nearest_names};

use crate::messages;

/// The maximum work for comparing one name with all others, and the work for a single one of them.
const COMPARISONS: u64 = 200_000;
const GLANCE: u64 = 16;

/// Finds the known name that is nearest to an unknown one. After much work for earlier names, the search stops, so that
/// a thousand errors do not search a large object a thousand times.
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

/// The known names that are nearest to an unknown one.
pub(crate) struct Near<'n>(Vec<&'n str>);

impl<'n> Near<'n> {
    pub(crate) fn of(name: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        Near(nearest_names(name, known))
    }

    /// Like `nearest`, for names that are searched many times.
    pub(crate) fn among(name: &str, known: &KnownNames<'n>) -> Self {
        Near(known.nearest(name))
    }

    /// The nearest name.
    pub(crate) fn first(&self) -> Option<&'n str> {
        self.0.first().copied()
    }

    /// Adds a fix that corrects the name, if exactly one name is near and it is not taken.
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
                diagnostic.with_edit(messages::fix::write(near), place, replacement)
            }
            _ => diagnostic,
        }
    }
}
