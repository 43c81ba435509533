//! Locks on what snapshots share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks what is always whole, also after a panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
