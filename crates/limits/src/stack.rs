//! The policy for the stack: how large the stack of a thread must be, and which code continues on the heap.
//!
//! Code that needs little stack for each level of nesting simply recurses: at the default limit on nesting, 2 MiB are
//! enough even in a debug build. Code that needs more for each level goes through [`with_room`]. A program that allows
//! deeper nesting starts its threads with [`Limits::stack_size`].

use crate::Limits;

impl Limits {
    /// Returns the stack size in bytes that a thread requires to work at these limits, including debug builds. At the
    /// default limit on nesting, the 2 MiB that Rust gives a thread are also enough.
    ///
    /// ```
    /// use hclkit_limits::Limits;
    ///
    /// let limits = Limits::new().with_nesting(20_000);
    /// let thread = std::thread::Builder::new().stack_size(limits.stack_size());
    /// let work = thread.spawn(move || limits.run(|| "parse and evaluate here"))?;
    /// # work.join().unwrap();
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const fn stack_size(&self) -> usize {
        const BASE: usize = 8 << 20;
        const LEVEL: usize = 4 << 10;
        (self.nesting as usize).saturating_mul(LEVEL).saturating_add(BASE)
    }
}

/// Runs one level of a recursion, on a new part of the stack from the heap if little is left of the current one.
#[cfg(feature = "stack")]
pub fn with_room<T>(work: impl FnOnce() -> T) -> T {
    /// The minimum that must be left: enough for the levels between two calls of this function.
    const LEAST: usize = 256 << 10;
    if stacker::remaining_stack().is_some_and(|left| left >= LEAST) {
        return work();
    }
    let (mut work, mut result) = (Some(work), None);
    on_another_part(&mut || result = work.take().map(|work| work()));
    result.expect("the work was done")
}

/// Not generic, as it is compiled for each type otherwise.
#[cfg(feature = "stack")]
#[cold]
fn on_another_part(work: &mut dyn FnMut()) {
    const PART: usize = 1 << 20;
    stacker::grow(PART, work);
}
