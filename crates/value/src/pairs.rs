//! The results for pairs of shared parts within one comparison. Without them, comparing could take exponential time,
//! because a value or type can contain a shared part exponentially many times.

use std::collections::HashMap;
use std::sync::Arc;

/// The addresses of two parts.
pub(crate) type Places = (*const (), *const ());

/// The result for each pair.
pub(crate) struct Pairs<A>(Option<HashMap<Places, A>>);

impl<A> Default for Pairs<A> {
    fn default() -> Self {
        Self(None)
    }
}

// Comparisons do not recurse through closures, to keep stack frames small: there is one for each level of nesting.
impl<A: Copy> Pairs<A> {
    /// The earlier result for two parts. `places` is `None` if they are not shared.
    #[inline]
    pub(crate) fn found(&self, places: Option<Places>) -> Option<A> {
        self.0.as_ref()?.get(&places?).copied()
    }

    /// Records and returns the result for two parts.
    #[inline]
    pub(crate) fn keep(&mut self, places: Option<Places>, found: A) -> A {
        if let Some(places) = places {
            self.0.get_or_insert_default().insert(places, found);
        }
        found
    }
}

/// The address, if the allocation is shared.
#[inline]
pub(crate) fn shared_place<T>(shared: &Arc<T>) -> Option<*const ()> {
    (Arc::strong_count(shared) > 1).then(|| Arc::as_ptr(shared).cast())
}
