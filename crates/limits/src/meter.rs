//! How much of the limits is left on each thread.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

#[cfg(doc)]
use crate::count_collection;
use crate::{Exceeded, Limit, Limits, elements};

/// Keeps track of how much of the [`Limits`] is left on a thread.
///
/// Once a limit is exceeded, every request is refused until the run ends, or the [operation](Meter::begin) if there is
/// no run. An expression therefore cannot catch the error that stops its evaluation.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    /// The meter of the surrounding run.
    outer: Option<Rc<Self>>,
    /// True for the meter of a thread without limits of its own. It is reset after each operation.
    is_root: bool,
    operations: Cell<u32>,
    steps: Cell<u64>,
    /// The elements that were left when an inner run began. For the current meter, the thread counts them.
    elements: Cell<u64>,
    bytes: Cell<u64>,
    depth: Cell<u32>,
    hints: Cell<u64>,
    exceeded: Cell<Option<Exceeded>>,
    tentative: Cell<bool>,
}

/// The work of an operation that only improves messages. See [`Meter::take_hints`].
const HINTS: u64 = 64 << 20;

thread_local! {
    static CURRENT: RefCell<Rc<Meter>> = RefCell::new(Rc::new(Meter::new(Limits::new(), None)));
}

/// The number of steps for a system call about a file.
pub const STEPS_TO_OPEN: u64 = 32;

/// The number of bytes of a file that count as one step.
pub const READ_STEP: u64 = 64;

/// The number of steps between two checks of the clock and of cancellation.
const BETWEEN_LOOKS: u64 = 256;

impl Meter {
    fn new(limits: Limits, outer: Option<Rc<Self>>) -> Self {
        let outer_hints = outer.as_ref().map_or(HINTS, |outer| outer.hints.get());
        let tentative = outer.as_ref().is_some_and(|outer| outer.is_tentative());
        Self {
            is_root: outer.is_none(),
            outer,
            operations: Cell::new(0),
            steps: Cell::new(limits.steps),
            elements: Cell::new(limits.elements),
            bytes: Cell::new(limits.bytes),
            depth: Cell::new(limits.depth),
            hints: Cell::new(outer_hints),
            exceeded: Cell::new(None),
            tentative: Cell::new(tentative),
            limits,
        }
    }

    /// The meter of this thread.
    pub fn current() -> Rc<Self> {
        CURRENT.with(|meter| meter.borrow().clone())
    }

    pub(crate) fn run<T>(limits: &Limits, work: impl FnOnce() -> T) -> T {
        let outer = Self::current();
        // If no operation runs on a thread without limits, its default limits do not restrict the run.
        let counts = !outer.is_root || outer.operations.get() > 0;
        outer.elements.set(elements::left());
        let limits = limits.started();
        let limits = if counts { outer.left().smaller(&limits) } else { limits };
        Self::run_within(outer, limits, counts, work)
    }

    /// Runs work that does not depend on any input, such as reading data of the program itself, under the default limits. It
    /// counts toward no other run, and none can end it.
    pub fn apart<T>(work: impl FnOnce() -> T) -> T {
        let outer = Self::current();
        outer.elements.set(elements::left());
        Self::run_within(outer, Limits::new(), false, work)
    }

    fn run_within<T>(outer: Rc<Self>, limits: Limits, counts: bool, work: impl FnOnce() -> T) -> T {
        elements::set_left(limits.elements);
        let inner = Rc::new(Self::new(limits, Some(outer.clone())));
        CURRENT.with(|meter| meter.replace(inner.clone()));
        let _restored = Restored { inner, outer, counts };
        work()
    }

    /// What is left of the limits of the current meter.
    pub(crate) fn left(&self) -> Limits {
        let elements = if self.is_idle() { self.limits.elements } else { elements::left() };
        let (steps, bytes, depth) = (self.steps.get(), self.bytes.get(), self.depth.get());
        Limits { steps, elements, bytes, depth, ..self.limits.clone() }
    }

    pub(crate) fn set_tentative(&self) {
        self.tentative.set(true);
    }

    /// Returns true if the work is tentative: it was given to another thread in the hope that it succeeds, and the first
    /// thread does it again if not. Code that keeps results must [end](Meter::end) such work at the first error, because
    /// which errors there are may depend on what other threads do.
    pub fn is_tentative(&self) -> bool {
        self.tentative.get()
    }

    /// Refuses all further requests of the run, as if it were cancelled.
    pub fn end(&self) {
        self.stop(Limit::Cancelled);
    }

    /// Begins an operation that a caller requested as a whole, such as an evaluation. It ends when the returned guard is
    /// dropped. Without a [run](Limits::run), the default limits apply to each operation separately.
    pub fn begin(self: &Rc<Self>) -> Operation {
        if self.is_idle() {
            elements::set_left(self.limits.elements);
        }
        self.operations.set(self.operations.get() + 1);
        Operation(self.clone())
    }

    /// Returns true if no run or operation is active, so that each request is checked by itself.
    #[inline]
    fn is_idle(&self) -> bool {
        self.is_root && self.operations.get() == 0
    }

    /// The limits that apply. In a nested run, they are at most what was left of the outer limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The limit on the nesting of constructs in a source.
    pub fn nesting(&self) -> u32 {
        self.limits.nesting
    }

    /// The limit that was exceeded, if any. All work must stop then.
    #[inline]
    pub fn exceeded(&self) -> Option<Exceeded> {
        self.exceeded.get()
    }

    /// Checks the size of a source.
    ///
    /// # Errors
    /// The source is too large.
    pub fn check_source(&self, bytes: u64) -> Result<(), Exceeded> {
        if bytes <= self.limits.source_bytes {
            return Ok(());
        }
        Err(Exceeded { limit: Limit::SourceBytes, most: self.limits.source_bytes })
    }

    /// Checks a value that was created: the number of its levels, and that there was room for its
    /// [elements](count_collection).
    ///
    /// # Errors
    /// The value has too many levels, or a limit was exceeded before.
    #[inline]
    pub fn check_value(&self, levels: usize) -> Result<(), Exceeded> {
        if levels <= self.limits.value_depth as usize {
            return self.exceeded.get().map_or(Ok(()), Err);
        }
        Err(self.stop(Limit::ValueDepth))
    }

    /// Stops the work on this thread because a value has too many elements.
    #[cold]
    pub(crate) fn stop_at_elements() {
        Self::current().stop(Limit::Elements);
    }

    /// Enters a level of nesting and takes a step.
    ///
    /// # Errors
    /// A limit is exceeded. The level is not entered, and must not be [left](Meter::leave).
    #[inline]
    pub fn enter(&self) -> Result<(), Exceeded> {
        let (steps, depth) = (self.steps.get(), self.depth.get());
        if steps == 0 || depth == 0 || self.exceeded.get().is_some() {
            return Err(self.stop(if depth == 0 { Limit::Depth } else { Limit::Steps }));
        }
        if steps.is_multiple_of(BETWEEN_LOOKS) {
            self.look()?;
        }
        self.steps.set(steps - 1);
        self.depth.set(depth - 1);
        Ok(())
    }

    /// Leaves a level that was [entered](Meter::enter).
    #[inline]
    pub fn leave(&self) {
        self.depth.set(self.depth.get() + 1);
    }

    /// How many more levels may be entered.
    #[inline]
    pub fn depth_left(&self) -> u32 {
        self.depth.get()
    }

    /// Enters `levels` levels until the returned guard is dropped.
    ///
    /// # Errors
    /// A limit is exceeded.
    pub fn descend(&self, levels: usize) -> Result<Descent<'_>, Exceeded> {
        let mut descent = Descent { meter: self, levels: 0 };
        for _ in 0..levels {
            self.enter()?;
            descent.levels += 1;
        }
        Ok(descent)
    }

    /// Clears an exceeded depth limit once all levels are left, so that the next evaluation can run.
    pub fn forget_depth(&self) {
        let too_deep = self.exceeded.get().is_some_and(|exceeded| exceeded.limit == Limit::Depth);
        if too_deep && self.depth.get() == self.limits.depth {
            self.exceeded.set(None);
        }
    }

    /// Checks the deadline and cancellation. Loops that request nothing else call this occasionally.
    ///
    /// # Errors
    /// The deadline has passed, the work is cancelled, or a limit was exceeded before.
    #[inline]
    pub fn look(&self) -> Result<(), Exceeded> {
        if self.limits.deadline.is_none() && self.limits.cancel.is_empty() && self.exceeded.get().is_none() {
            return Ok(());
        }
        self.look_closely()
    }

    #[cold]
    fn look_closely(&self) -> Result<(), Exceeded> {
        if let Some(exceeded) = self.exceeded.get()
            && !self.is_idle()
        {
            return Err(exceeded);
        }
        if self.limits.cancel.iter().any(crate::CancelToken::is_cancelled) {
            return Err(self.stop(Limit::Cancelled));
        }
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(self.stop(Limit::Deadline));
        }
        Ok(())
    }

    #[cold]
    fn stop(&self, limit: Limit) -> Exceeded {
        let limits = self.set_by(limit);
        let most = match limit {
            Limit::SourceBytes => limits.source_bytes,
            Limit::Nesting => u64::from(limits.nesting),
            Limit::Steps => limits.steps,
            Limit::Elements => limits.elements,
            Limit::Bytes => limits.bytes,
            Limit::Depth => u64::from(limits.depth),
            Limit::ValueDepth => u64::from(limits.value_depth),
            Limit::Deadline | Limit::Cancelled => 0,
        };
        let found = Exceeded { limit, most };
        if self.is_idle() {
            return found;
        }
        let first = self.exceeded.get().unwrap_or(found);
        self.exceeded.set(Some(first));
        first
    }

    /// The limits of the run that set this limit. Errors show the value that its caller set, not what was left of it.
    fn set_by(&self, limit: Limit) -> &Limits {
        match &self.outer {
            Some(outer) if self.inherits(limit) => outer.set_by(limit),
            _ => &self.limits,
        }
    }

    /// Returns true if a limit comes from the surrounding run.
    fn inherits(&self, limit: Limit) -> bool {
        let Some(outer) = self.outer.as_ref().filter(|outer| !outer.is_idle()) else { return false };
        match limit {
            Limit::SourceBytes => self.limits.source_bytes == outer.limits.source_bytes,
            Limit::Nesting => self.limits.nesting == outer.limits.nesting,
            Limit::Steps => self.limits.steps == outer.steps.get(),
            Limit::Elements => self.limits.elements == outer.elements.get(),
            Limit::Bytes => self.limits.bytes == outer.bytes.get(),
            Limit::Depth => self.limits.depth == outer.depth.get(),
            Limit::ValueDepth => self.limits.value_depth == outer.limits.value_depth,
            Limit::Deadline => self.limits.deadline == outer.limits.deadline,
            Limit::Cancelled => outer.limits.cancel.iter().any(crate::CancelToken::is_cancelled),
        }
    }

    /// Takes `count` steps, for work that takes about as long as evaluating `count` expressions.
    ///
    /// # Errors
    /// A limit is exceeded.
    #[inline]
    pub fn take_steps(&self, count: u64) -> Result<(), Exceeded> {
        self.take(&self.steps, count, Limit::Steps)
    }

    /// Takes `count` elements, which are created or visited.
    ///
    /// # Errors
    /// A limit is exceeded.
    #[inline]
    pub fn take_elements(&self, count: usize) -> Result<(), Exceeded> {
        let rest = self.check_elements(count)?;
        if !self.is_idle() {
            elements::set_left(rest);
        }
        Ok(())
    }

    /// What would be left after taking `count` elements.
    #[inline]
    fn check_elements(&self, count: usize) -> Result<u64, Exceeded> {
        let left = if self.is_idle() { self.limits.elements } else { elements::left() };
        self.check(left, count as u64, Limit::Elements)
    }

    /// Takes `count` bytes of text, which are created.
    ///
    /// # Errors
    /// A limit is exceeded.
    #[inline]
    pub fn take_bytes(&self, count: usize) -> Result<(), Exceeded> {
        self.take(&self.bytes, count as u64, Limit::Bytes)
    }

    #[inline]
    fn take(&self, left: &Cell<u64>, count: u64, limit: Limit) -> Result<(), Exceeded> {
        let rest = self.check(left.get(), count, limit)?;
        if !self.is_idle() {
            left.set(rest);
        }
        Ok(())
    }

    /// What would be left after taking `count`.
    #[inline]
    fn check(&self, left: u64, count: u64, limit: Limit) -> Result<u64, Exceeded> {
        if count >= BETWEEN_LOOKS || self.exceeded.get().is_some() {
            self.look()?;
        }
        left.checked_sub(count).ok_or_else(|| self.stop(limit))
    }

    /// Takes work that only improves a message, such as a search for similar names, and returns whether to do it. An
    /// operation can do 64 Mi of it; comparing two characters counts as one.
    pub fn take_hints(&self, work: u64) -> bool {
        let Some(left) = self.hints.get().checked_sub(work) else { return false };
        if !self.is_idle() {
            self.hints.set(left);
        }
        true
    }

    /// Checks that a result of `count` elements may be created, without taking them. The evaluation that receives the
    /// result takes them.
    ///
    /// # Errors
    /// A limit is exceeded.
    #[inline]
    pub fn room_for_elements(&self, count: usize) -> Result<(), Exceeded> {
        self.check_elements(count).map(drop)
    }

    /// Checks that a result of `count` bytes of text may be created, without taking them. The evaluation that receives the
    /// result takes them.
    ///
    /// # Errors
    /// A limit is exceeded.
    #[inline]
    pub fn room_for_bytes(&self, count: usize) -> Result<(), Exceeded> {
        self.check(self.bytes.get(), count as u64, Limit::Bytes).map(drop)
    }
}

/// Restores the outer meter, even if the work panics, and charges it for what the inner one took.
struct Restored {
    inner: Rc<Meter>,
    outer: Rc<Meter>,
    counts: bool,
}

impl Drop for Restored {
    fn drop(&mut self) {
        let (inner, outer) = (&self.inner, &self.outer);
        inner.elements.set(elements::left());
        if self.counts {
            let refused = inner.exceeded.get().filter(|exceeded| inner.inherits(exceeded.limit));
            outer.exceeded.set(outer.exceeded.get().or(refused));
            let taken = |left: &Cell<u64>, most: u64, of: &Cell<u64>| of.set(of.get() - (most - left.get()));
            taken(&inner.steps, inner.limits.steps, &outer.steps);
            taken(&inner.elements, inner.limits.elements, &outer.elements);
            taken(&inner.bytes, inner.limits.bytes, &outer.bytes);
            outer.hints.set(inner.hints.get());
        }
        elements::set_left(outer.elements.get());
        CURRENT.with(|meter| meter.replace(outer.clone()));
    }
}

/// A running operation; see [`Meter::begin`].
#[derive(Debug)]
#[must_use = "the operation ends when this is dropped"]
pub struct Operation(Rc<Meter>);

impl Drop for Operation {
    fn drop(&mut self) {
        let meter = &self.0;
        meter.operations.set(meter.operations.get() - 1);
        if meter.is_idle() {
            meter.steps.set(meter.limits.steps);
            elements::set_left(u64::MAX);
            meter.bytes.set(meter.limits.bytes);
            meter.hints.set(HINTS);
            meter.exceeded.set(None);
        }
    }
}

/// Levels that are left when this is dropped; see [`Meter::descend`].
#[derive(Debug)]
#[must_use = "the levels are left when this is dropped"]
pub struct Descent<'m> {
    meter: &'m Meter,
    levels: usize,
}

impl Drop for Descent<'_> {
    fn drop(&mut self) {
        for _ in 0..self.levels {
            self.meter.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{COLLECTION, CancelToken, count_collection};

    fn exceeded(result: Result<(), Exceeded>) -> (Limit, u64) {
        let exceeded = result.expect_err("expected an exceeded limit");
        (exceeded.limit, exceeded.most)
    }

    #[test]
    fn a_run_inside_another_cannot_exceed_the_outer_limits() {
        Limits::new().with_steps(100).with_elements(10).run(|| {
            Meter::current().take_steps(30).unwrap();
            Limits::trusted().run(|| {
                Meter::current().take_steps(60).unwrap();
                assert_eq!(exceeded(Meter::current().take_steps(11)), (Limit::Steps, 100));
            });
            // An outer limit that is exceeded inside stops the outer run as well.
            assert_eq!(exceeded(Meter::current().take_steps(11)), (Limit::Steps, 100));
            assert_eq!(exceeded(Meter::current().take_elements(1)), (Limit::Steps, 100));
        });
    }

    #[test]
    fn exceeding_a_smaller_inner_limit_does_not_stop_the_outer_run() {
        Limits::new().with_steps(100).run(|| {
            Limits::new().with_steps(10).run(|| {
                assert_eq!(exceeded(Meter::current().take_steps(11)), (Limit::Steps, 10));
            });
            Meter::current().take_steps(100).unwrap();
        });
    }

    #[test]
    fn work_in_an_inner_run_counts_toward_the_outer_run() {
        Limits::new().with_bytes(100).run(|| {
            Limits::new().with_bytes(60).run(|| Meter::current().take_bytes(60).unwrap());
            assert_eq!(exceeded(Meter::current().take_bytes(41)), (Limit::Bytes, 100));
        });
    }

    #[test]
    fn deadlines_and_tokens_of_the_outer_run_apply_inside() {
        let token = CancelToken::new();
        let (now, later) =
            (Limits::new().with_timeout(Duration::ZERO), Limits::new().with_timeout(Duration::MAX));
        assert_eq!(exceeded(now.run(|| later.run(|| Meter::current().look()))), (Limit::Deadline, 0));
        assert_eq!(exceeded(later.run(|| now.run(|| Meter::current().look()))), (Limit::Deadline, 0));
        token.cancel();
        let cancelled = Limits::new().with_cancel(token);
        assert_eq!(exceeded(cancelled.run(|| later.run(|| Meter::current().look()))), (Limit::Cancelled, 0));
    }

    #[test]
    fn a_timeout_starts_with_each_run() {
        let limits = Limits::new().with_timeout(Duration::from_secs(60));
        let deadline = || Meter::current().limits.deadline.expect("a run with a timeout has a deadline");
        let before = Instant::now();
        let first = limits.run(deadline);
        assert!(first >= before + Duration::from_secs(60));
        while Instant::now() == before {}
        assert!(limits.run(deadline) > first);
        // The outer run stops the inner one.
        let inner = Limits::new().with_timeout(Duration::from_secs(3600));
        limits.run(|| assert_eq!(deadline(), inner.run(deadline)));
    }

    #[test]
    fn without_a_run_each_operation_has_the_default_limits() {
        for _ in 0..3 {
            let meter = Meter::current();
            let _operation = meter.begin();
            meter.take_steps(Limits::STEPS).unwrap();
            assert_eq!(exceeded(meter.take_steps(1)), (Limit::Steps, Limits::STEPS));
        }
        // Outside of operations each request is checked by itself.
        for _ in 0..3 {
            Meter::current().take_steps(Limits::STEPS).unwrap();
            assert_eq!(
                exceeded(Meter::current().take_steps(Limits::STEPS + 1)),
                (Limit::Steps, Limits::STEPS)
            );
        }
        // A run on an idle thread may exceed the default limits.
        Limits::trusted().run(|| Meter::current().take_steps(Limits::STEPS + 1)).unwrap();
    }

    #[test]
    fn hints_of_a_run_inside_count_outside() {
        Limits::new().run(|| {
            Limits::new().run(|| assert!(Meter::current().take_hints(HINTS - 1)));
            assert!(!Meter::current().take_hints(2));
            assert!(Meter::current().take_hints(1));
        });
        // Each operation without a run has its own.
        for _ in 0..2 {
            let meter = Meter::current();
            let _operation = meter.begin();
            assert!(meter.take_hints(HINTS) && !meter.take_hints(1));
        }
    }

    #[test]
    fn collections_count_themselves() {
        let left = || Meter::current().room_for_elements(80 - COLLECTION).is_ok();
        Limits::new().with_elements(100).run(|| {
            count_collection(10);
            assert!(left());
            Limits::new().with_elements(20).run(|| count_collection(20));
            // The inner run was stopped, and took nothing.
            assert!(left());
            Limits::new().with_elements(20).run(|| count_collection(10));
            assert!(!left() && Meter::current().exceeded().is_some());
        });
        // Without limits, nothing is counted.
        count_collection(usize::MAX);
        assert!(Meter::current().exceeded().is_none());
        for _ in 0..2 {
            let meter = Meter::current();
            let _operation = meter.begin();
            assert!(meter.check_value(1).is_ok());
            count_collection(usize::try_from(Limits::ELEMENTS).unwrap());
            assert_eq!(exceeded(meter.check_value(1)), (Limit::Elements, Limits::ELEMENTS));
        }
    }

    #[test]
    fn the_meter_is_restored_after_a_panic() {
        let panicked = std::panic::catch_unwind(|| Limits::new().with_steps(1).run(|| panic!("on purpose")));
        assert!(panicked.is_err());
        Meter::current().take_steps(1_000).unwrap();
    }
}
