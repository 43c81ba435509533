//! Pairs of shared parts that one comparison has been through. A value of few parts can hold each of them in more
//! places than can be counted, and so can its type.

use std::collections::HashMap;
use std::sync::Arc;

/// Where two parts lie in memory.
pub(crate) type Places = (*const (), *const ());

/// What was found of each pair.
pub(crate) struct Pairs<A>(Option<HashMap<Places, A>>);

impl<A> Default for Pairs<A> {
    fn default() -> Pairs<A> {
        Pairs(None)
    }
}

// Without closures between a comparison and those of its parts: values are nested, and each level takes its share of the
// stack.
impl<A: Copy> Pairs<A> {
    /// What was found of two parts before; they have no places where nothing else holds them.
    #[inline]
    pub(crate) fn found(&self, places: Option<Places>) -> Option<A> {
        self.0.as_ref()?.get(&places?).copied()
    }

    /// Keeps what was found of two parts.
    #[inline]
    pub(crate) fn keep(&mut self, places: Option<Places>, found: A) -> A {
        if let Some(places) = places {
            self.0.get_or_insert_default().insert(places, found);
        }
        found
    }
}

/// The place of what something else holds, too.
#[inline]
pub(crate) fn shared_place<T>(shared: &Arc<T>) -> Option<*const ()> {
    (Arc::strong_count(shared) > 1).then(|| Arc::as_ptr(shared).cast())
}
