//! What is called by functions that evaluate further expressions, such as user functions and those that render
//! templates. Partial evaluation must know whether they use clocks, randomness or functions without a grant. As with
//! limits, functions get no handle to pass on.

use std::cell::Cell;

use hclkit_value::{Error, ErrorKind, Function, Value};

/// What was called while a function ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// A function whose result differs from call to call.
    pub(super) impure: bool,
    /// A function without the grant that it needs.
    pub(super) not_granted: bool,
}

thread_local! {
    static WATCHED: Cell<Option<Reach>> = const { Cell::new(None) };
}

/// Restores what was recorded before, even if a function panics.
struct Restored(Option<Reach>);

impl Drop for Restored {
    fn drop(&mut self) {
        WATCHED.set(self.0);
    }
}

/// Runs a closure, and returns what the functions in it called.
pub(super) fn watch<T>(work: impl FnOnce() -> T) -> (T, Reach) {
    let mut outer = Restored(WATCHED.replace(Some(Reach::default())));
    let done = work();
    let reached = WATCHED.get().unwrap_or_default();
    if let Some(outer) = &mut outer.0 {
        outer.impure |= reached.impure;
        outer.not_granted |= reached.not_granted;
    }
    (done, reached)
}

/// Records the call of a function.
#[inline]
pub(super) fn note(function: &Function, result: &Result<Value, Error>) {
    if !function.is_pure() || result.is_err() {
        note_reach(function, result);
    }
}

#[cold]
fn note_reach(function: &Function, result: &Result<Value, Error>) {
    if let Some(reached) = WATCHED.get() {
        let not_granted =
            result.as_ref().is_err_and(|error| matches!(error.kind(), ErrorKind::NotGranted(_)));
        WATCHED.set(Some(Reach {
            impure: reached.impure || !function.is_pure(),
            not_granted: reached.not_granted || not_granted,
        }));
    }
}
