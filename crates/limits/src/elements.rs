//! The elements that are left on this thread. They are not part of the [`Meter`], because every collection counts itself
//! when it is created, which must be fast.

use std::cell::Cell;

use crate::Meter;

/// The number of elements that a collection or structure counts as, in addition to its own. An empty one takes about as
/// much memory as two short strings.
pub const COLLECTION: usize = 2;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// The elements left for the current meter.
#[inline]
pub(crate) fn left() -> u64 {
    LEFT.get()
}

#[inline]
pub(crate) fn set_left(elements: u64) {
    LEFT.set(elements);
}

/// Counts a collection or structure with `parts` elements that was created. If it exceeds the limit, the next request to
/// the [`Meter`] is refused.
///
/// ```
/// use hclkit_limits::{Limit, Limits, Meter, count_collection};
///
/// Limits::new().with_elements(100).run(|| {
///     count_collection(10);
///     assert!(Meter::current().look().is_ok());
///     count_collection(90);
///     assert_eq!(Meter::current().look().unwrap_err().limit, Limit::Elements);
/// });
/// ```
#[inline]
pub fn count_collection(parts: usize) {
    match left().checked_sub((parts as u64).saturating_add(COLLECTION as u64)) {
        Some(rest) => set_left(rest),
        None => Meter::stop_at_elements(),
    }
}
