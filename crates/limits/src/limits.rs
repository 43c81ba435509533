//! The public side: the limits, the token that cancels work, and the error for an exceeded limit.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Meter;

/// Limits on the work that reading and evaluating may take.
///
/// The limits of [`Limits::new`] are the default. They apply separately to each source that is read, and to each
/// evaluation, decoding and function call. [`run`](Limits::run) sets other limits, which apply to everything inside
/// the run in total.
///
/// ```
/// use hclkit_limits::{Limits, Meter};
///
/// let limits = Limits::new().with_steps(10);
/// limits.run(|| {
///     assert!(Meter::current().take_steps(7).is_ok());
///     assert!(Meter::current().take_steps(7).is_err());
/// });
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    pub(crate) source_bytes: u64,
    pub(crate) nesting: u32,
    pub(crate) steps: u64,
    pub(crate) elements: u64,
    pub(crate) bytes: u64,
    pub(crate) depth: u32,
    pub(crate) value_depth: u32,
    pub(crate) deadline: Option<Instant>,
    /// The deadline of each run, from its start.
    pub(crate) timeout: Option<Duration>,
    /// All tokens are checked: an inner run also has those of the outer one.
    pub(crate) cancel: Vec<CancelToken>,
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

impl Limits {
    /// The default limit on the size of a source: 256 MiB.
    pub const SOURCE_BYTES: u64 = 256 << 20;
    /// The default limit on the nesting of constructs in a source.
    pub const NESTING: u32 = 1_000;
    /// The default limit on the steps of an evaluation.
    pub const STEPS: u64 = 100_000_000;
    /// The default limit on the elements that an evaluation may create or visit.
    pub const ELEMENTS: u64 = 1 << 23;
    /// The default limit on the text that an evaluation may create: 256 MiB.
    pub const BYTES: u64 = 256 << 20;
    /// The default limit on the nesting of evaluations.
    pub const DEPTH: u32 = 4_000;
    /// The default limit on the levels of collections and structures in a value.
    pub const VALUE_DEPTH: u32 = 1_000;

    /// The default limits, which are the constants of this type. There is no deadline.
    pub const fn new() -> Self {
        Self {
            source_bytes: Self::SOURCE_BYTES,
            nesting: Self::NESTING,
            steps: Self::STEPS,
            elements: Self::ELEMENTS,
            bytes: Self::BYTES,
            depth: Self::DEPTH,
            value_depth: Self::VALUE_DEPTH,
            deadline: None,
            timeout: None,
            cancel: Vec::new(),
        }
    }

    /// Limits for trusted input: the size of sources, steps, elements and bytes are unlimited. The limits that protect the
    /// stack ([`NESTING`](Limits::NESTING), [`DEPTH`](Limits::DEPTH) and [`VALUE_DEPTH`](Limits::VALUE_DEPTH)) remain.
    pub fn trusted() -> Self {
        Self { source_bytes: u64::MAX, steps: u64::MAX, elements: u64::MAX, bytes: u64::MAX, ..Self::new() }
    }

    /// Sets the maximum size of one source in bytes. The parser never accepts sources of more than 4 GiB.
    #[must_use]
    pub fn with_source_bytes(mut self, bytes: u64) -> Self {
        self.source_bytes = bytes;
        self
    }

    /// Sets how deeply brackets, templates, blocks, unary operators and conditionals may be nested in a source.
    ///
    /// The default fits a stack of 2 MiB even in a debug build. The stack needed grows with the limit.
    #[must_use]
    pub fn with_nesting(mut self, levels: u32) -> Self {
        self.nesting = levels;
        self
    }

    /// Sets how many expressions may be evaluated. Each evaluation of an expression counts. Plain names and constants are
    /// free; [`Limits::with_elements`] limits loops over them. Functions, operators and templates also count what they read:
    /// a step for each 64 bytes of text, more where that takes longer.
    #[must_use]
    pub fn with_steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// Sets how many elements of collections and structures may be created or visited. A collection or structure that is
    /// created counts as two more than the elements it has.
    #[must_use]
    pub fn with_elements(mut self, elements: u64) -> Self {
        self.elements = elements;
        self
    }

    /// Sets how many bytes of text templates and functions may create, and how many may be written as output.
    #[must_use]
    pub fn with_bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets how deeply expressions, and evaluations within evaluations, may be nested. A larger limit needs a larger
    /// stack.
    #[must_use]
    pub fn with_depth(mut self, levels: u32) -> Self {
        self.depth = levels;
        self
    }

    /// Sets how many levels of collections and structures a value may have. A larger limit needs a larger stack.
    #[must_use]
    pub fn with_value_depth(mut self, levels: u32) -> Self {
        self.value_depth = levels;
        self
    }

    /// Stops work soon after this time. If a deadline is already set, the earlier one applies.
    #[must_use]
    pub fn with_deadline(mut self, time: Instant) -> Self {
        self.deadline = Some(self.deadline.map_or(time, |earlier| earlier.min(time)));
        self
    }

    /// Stops work soon after this much time from the start of each [run](Limits::run). If a timeout is already set, the
    /// shorter one applies. A time too far away for the clock sets no limit.
    ///
    /// Not available on `wasm32-unknown-unknown`, which has no clock.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    #[must_use]
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.timeout = Some(self.timeout.map_or(time, |shorter| shorter.min(time)));
        self
    }

    /// The limits of a run that starts now: a timeout becomes a deadline.
    pub(crate) fn started(&self) -> Self {
        let limits = Self { timeout: None, ..self.clone() };
        match self.timeout.and_then(|time| Instant::now().checked_add(time)) {
            Some(deadline) => limits.with_deadline(deadline),
            None => limits,
        }
    }

    /// Stops work soon after this token is cancelled.
    #[must_use]
    pub fn with_cancel(mut self, token: CancelToken) -> Self {
        self.cancel.push(token);
        self
    }

    /// The limit on elements.
    pub const fn elements(&self) -> u64 {
        self.elements
    }

    /// The limit on bytes of text.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The smaller of each limit of both, with the cancel tokens of both.
    #[must_use]
    pub fn smaller(&self, other: &Self) -> Self {
        Self {
            source_bytes: self.source_bytes.min(other.source_bytes),
            nesting: self.nesting.min(other.nesting),
            steps: self.steps.min(other.steps),
            elements: self.elements.min(other.elements),
            bytes: self.bytes.min(other.bytes),
            depth: self.depth.min(other.depth),
            value_depth: self.value_depth.min(other.value_depth),
            deadline: self.deadline.into_iter().chain(other.deadline).min(),
            timeout: self.timeout.into_iter().chain(other.timeout).min(),
            cancel: self.cancel.iter().chain(&other.cancel).cloned().collect(),
        }
    }

    /// Runs a closure under these limits, which apply to the total of everything it does on this thread. Inside another
    /// run, the smaller limit applies, and work counts toward both.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        Meter::run(self, work)
    }
}

/// Stops work from another thread.
///
/// ```
/// use hclkit_limits::{CancelToken, Limit, Limits, Meter};
///
/// let token = CancelToken::new();
/// let limits = Limits::new().with_cancel(token.clone());
/// token.cancel();
/// assert_eq!(limits.run(|| Meter::current().look()).unwrap_err().limit, Limit::Cancelled);
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Returns a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the work that runs under limits with this token, and returns whether the token was already cancelled. A
    /// signal handler may call this.
    pub fn cancel(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Returns a guard that cancels the token when it is dropped, such as the future of a request that waits for work on
    /// another thread.
    ///
    /// ```
    /// use hclkit_limits::CancelToken;
    ///
    /// let token = CancelToken::new();
    /// drop(token.drop_guard());
    /// assert!(token.is_cancelled());
    /// ```
    pub fn drop_guard(&self) -> CancelGuard {
        CancelGuard(self.clone())
    }

    /// Makes the token usable again.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns true if the token is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Cancels a [`CancelToken`] when it is dropped: the result of [`CancelToken::drop_guard`].
#[derive(Debug)]
#[must_use = "the token is cancelled as soon as the guard is dropped"]
pub struct CancelGuard(CancelToken);

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// One of the [`Limits`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::with_source_bytes`].
    SourceBytes,
    /// [`Limits::with_nesting`].
    Nesting,
    /// [`Limits::with_steps`].
    Steps,
    /// [`Limits::with_elements`].
    Elements,
    /// [`Limits::with_bytes`].
    Bytes,
    /// [`Limits::with_depth`].
    Depth,
    /// [`Limits::with_value_depth`].
    ValueDepth,
    /// [`Limits::with_deadline`].
    Deadline,
    /// [`Limits::with_cancel`].
    Cancelled,
}

impl Limit {
    /// All limits.
    #[doc(hidden)]
    pub const ALL: [Self; 9] = [
        Self::SourceBytes,
        Self::Nesting,
        Self::Steps,
        Self::Elements,
        Self::Bytes,
        Self::Depth,
        Self::ValueDepth,
        Self::Deadline,
        Self::Cancelled,
    ];
}

/// The error for an exceeded limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exceeded {
    /// The limit that was exceeded.
    pub limit: Limit,
    /// The limit's value, or zero for a deadline or a cancellation.
    pub most: u64,
}

impl fmt::Display for Exceeded {
    /// A clause without a capital letter and a period.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = Grouped(self.most);
        match self.limit {
            Limit::SourceBytes => write!(f, "the source exceeds the limit of {most} bytes"),
            Limit::Nesting => write!(f, "the source exceeds the limit of {most} levels of nesting"),
            Limit::Steps => write!(f, "the evaluation exceeds the limit of {most} steps"),
            Limit::Elements => write!(f, "the evaluation exceeds the limit of {most} elements"),
            Limit::Bytes => write!(f, "the evaluation exceeds the limit of {most} bytes of text"),
            Limit::Depth => write!(f, "the evaluation exceeds the limit of {most} levels of nesting"),
            Limit::ValueDepth => write!(f, "the value exceeds the limit of {most} levels of nesting"),
            Limit::Deadline => f.write_str("the time limit was exceeded"),
            Limit::Cancelled => f.write_str("the evaluation was cancelled"),
        }
    }
}

impl Error for Exceeded {}

/// A number with commas between groups of three digits.
struct Grouped(u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}
