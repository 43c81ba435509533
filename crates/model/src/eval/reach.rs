//! What a function reaches that evaluates further expressions, such as a function of the user or one that renders
//! templates: partial evaluation must know of clocks, randomness and missing grants inside of it. As with limits, a
//! function gets no handle to pass on.

use std::cell::Cell;

use hclkit_value::{Error, ErrorKind, Function, Value};

/// What was called while a function ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// A function that gives something else each time.
    pub(super) impure: bool,
    /// A function that was not granted what it needs.
    pub(super) not_granted: bool,
}

thread_local! {
    static WATCHED: Cell<Option<Reach>> = const { Cell::new(None) };
}

/// Puts back what was watched before, also where a function panics.
struct Restored(Option<Reach>);

impl Drop for Restored {
    fn drop(&mut self) {
        WATCHED.set(self.0);
    }
}

/// Does something, and says what the functions reached that were called in it.
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

/// Notes the call of a function, for who watches.
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
