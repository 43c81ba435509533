//! Limits on evaluation, for input that is not trusted: steps, depth, elements and bytes made, and cancellation.
//! They hold for everything that an evaluation starts, functions that evaluate further expressions included.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What an evaluation may take.
///
/// ```
/// use hclkit_model::{Context, Expression, Limits};
///
/// let expression = Expression::parse("[for a in x: [for b in x: a * b]]")?;
/// let context = Context::new().with("x", hclkit_value::Value::tuple((0..1_000).map(Into::into)));
/// let limits = Limits::new().steps(10_000);
/// let refused = limits.run(|| expression.evaluate(&context)).unwrap_err();
/// assert_eq!(refused[0].code.as_str(), "limit-exceeded");
/// # Ok::<(), hclkit_model::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    steps: u64,
    elements: u64,
    bytes: u64,
    depth: u32,
    cancel: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::new()
    }
}

impl Limits {
    /// How deep expressions, and evaluations within evaluations, may be nested unless another limit is set.
    pub const DEPTH: u32 = 4_000;

    /// No limit but [`DEPTH`](Limits::DEPTH).
    pub fn new() -> Limits {
        Limits { steps: u64::MAX, elements: u64::MAX, bytes: u64::MAX, depth: Limits::DEPTH, cancel: None }
    }

    /// How many expressions may be evaluated, each time counted anew. Plain names and constants in them are free, so
    /// that what goes through many elements with those is limited by [`elements`](Limits::elements).
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Limits {
        self.steps = steps;
        self
    }

    /// How many elements of collections and structures may be made or gone through.
    #[must_use]
    pub fn elements(mut self, elements: u64) -> Limits {
        self.elements = elements;
        self
    }

    /// How many bytes of text templates and functions may make.
    #[must_use]
    pub fn bytes(mut self, bytes: u64) -> Limits {
        self.bytes = bytes;
        self
    }

    /// How deep expressions, and evaluations within evaluations, may be nested. Greater depths need a greater stack.
    #[must_use]
    pub fn depth(mut self, depth: u32) -> Limits {
        self.depth = depth;
        self
    }

    /// Evaluation ends soon after this becomes true.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Limits {
        self.cancel = Some(flag);
        self
    }

    /// Does something with these limits on all evaluation that happens in it, on this thread and together.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let outer = METER.with(|meter| meter.replace(Rc::new(Meter::new(self.clone()))));
        let _restored = Restored(outer);
        work()
    }
}

/// Puts the meter back that was there before, also when the work panics.
struct Restored(Rc<Meter>);

impl Drop for Restored {
    fn drop(&mut self) {
        METER.with(|meter| meter.replace(self.0.clone()));
    }
}

thread_local! {
    static METER: RefCell<Rc<Meter>> = RefCell::new(Rc::new(Meter::new(Limits::new())));
}

/// Why an evaluation had to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Steps,
    Elements,
    Bytes,
    Depth,
    Cancelled,
}

impl Stop {
    pub(crate) fn detail(self) -> &'static str {
        match self {
            Stop::Steps => "The evaluation takes more steps than are allowed.",
            Stop::Elements => "The evaluation makes or goes through more elements than are allowed.",
            Stop::Bytes => "The evaluation makes more text than is allowed.",
            Stop::Depth => "Expressions are evaluated within each other deeper than is allowed.",
            Stop::Cancelled => "The evaluation was stopped.",
        }
    }
}

/// What is left of the limits.
pub(crate) struct Meter {
    limits: Limits,
    steps: Cell<u64>,
    elements: Cell<u64>,
    bytes: Cell<u64>,
    depth: Cell<u32>,
    stopped: Cell<Option<Stop>>,
}

/// How many steps are taken between two looks at whether the evaluation is cancelled.
const BETWEEN_LOOKS: u64 = 256;

impl Meter {
    fn new(limits: Limits) -> Meter {
        Meter {
            steps: Cell::new(limits.steps),
            elements: Cell::new(limits.elements),
            bytes: Cell::new(limits.bytes),
            depth: Cell::new(limits.depth),
            stopped: Cell::new(None),
            limits,
        }
    }

    /// The meter of what runs on this thread.
    pub(crate) fn current() -> Rc<Meter> {
        METER.with(|meter| meter.borrow().clone())
    }

    /// Why nothing may go on.
    #[inline]
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopped.get()
    }

    /// Without a limit that a caller set, an evaluation that went too deep does not spoil the next one.
    pub(crate) fn forget_depth(&self) {
        if self.stopped.get() == Some(Stop::Depth) && self.depth.get() == self.limits.depth {
            self.stopped.set(None);
        }
    }

    /// Goes one level down and takes a step; says so if that is not allowed.
    #[inline]
    pub(crate) fn enter(&self) -> Result<(), Stop> {
        let (steps, depth) = (self.steps.get(), self.depth.get());
        if steps == 0 || depth == 0 || self.stopped.get().is_some() {
            return Err(self.stop(if depth == 0 { Stop::Depth } else { Stop::Steps }));
        }
        self.steps.set(steps - 1);
        self.depth.set(depth - 1);
        if steps.is_multiple_of(BETWEEN_LOOKS) { self.look() } else { Ok(()) }
    }

    /// Whether the stack is to be looked at: not on every level, as that takes time.
    #[inline]
    pub(crate) fn is_at_landing(&self) -> bool {
        self.depth.get().is_multiple_of(16)
    }

    /// Goes up again.
    #[inline]
    pub(crate) fn leave(&self) {
        self.depth.set(self.depth.get() + 1);
    }

    /// Goes so many levels down until what is returned is dropped.
    pub(crate) fn descend(&self, levels: usize) -> Result<Descent<'_>, Stop> {
        let mut descent = Descent { meter: self, levels: 0 };
        for _ in 0..levels {
            self.enter()?;
            descent.levels += 1;
        }
        Ok(descent)
    }

    #[cold]
    fn look(&self) -> Result<(), Stop> {
        match &self.limits.cancel {
            Some(flag) if flag.load(Ordering::Relaxed) => {
                self.leave();
                Err(self.stop(Stop::Cancelled))
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn stop(&self, why: Stop) -> Stop {
        let first = self.stopped.get().unwrap_or(why);
        self.stopped.set(Some(first));
        first
    }

    #[inline]
    pub(crate) fn take_elements(&self, count: usize) -> Result<(), Stop> {
        self.take(&self.elements, count, Stop::Elements)
    }

    #[inline]
    pub(crate) fn take_bytes(&self, count: usize) -> Result<(), Stop> {
        self.take(&self.bytes, count, Stop::Bytes)
    }

    #[inline]
    fn take(&self, left: &Cell<u64>, count: usize, why: Stop) -> Result<(), Stop> {
        match left.get().checked_sub(count as u64) {
            Some(rest) => {
                left.set(rest);
                Ok(())
            }
            None => Err(self.stop(why)),
        }
    }
}

/// Levels that are gone up again when this is dropped.
pub(crate) struct Descent<'m> {
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
