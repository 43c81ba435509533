//! Room on the stack for what is nested: expressions may nest to a limit, but their callers' stacks may be small.

/// Below this, more is taken from the heap: enough for the levels that are gone down between two looks.
const LEAST: usize = 256 * 1024;
/// So much at a time.
const MORE: usize = 1024 * 1024;

/// Does something that may go further down.
pub(crate) fn with_room<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEAST, MORE, work)
}
