//! What callers set: the limits, the token that cancels, and what is said when a limit is exceeded.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Meter;

/// How much reading and evaluating may take.
///
/// The limits of [`Limits::new`] hold even if nothing else is said: for each source that is read, and for each
/// evaluation, decoding and call of a function. With [`run`](Limits::run) a caller sets others, which hold for
/// everything that happens inside, taken together.
///
/// ```
/// use hclkit_limits::{Limits, Meter};
///
/// let limits = Limits::new().steps(10);
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
    /// All of them are looked at: that of an outer run counts for an inner one.
    pub(crate) cancel: Vec<CancelToken>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::new()
    }
}

impl Limits {
    /// The size of a source in bytes, unless another limit is set: 256 MiB.
    pub const SOURCE_BYTES: u64 = 256 << 20;
    /// How deep constructs of a source may be nested, unless another limit is set.
    pub const NESTING: u32 = 1_000;
    /// How many steps an evaluation may take, unless another limit is set.
    pub const STEPS: u64 = 100_000_000;
    /// How many elements an evaluation may make or visit, unless another limit is set.
    pub const ELEMENTS: u64 = 1 << 24;
    /// How many bytes of text an evaluation may make, unless another limit is set: 256 MiB.
    pub const BYTES: u64 = 256 << 20;
    /// How deep evaluations may be nested, unless another limit is set.
    pub const DEPTH: u32 = 4_000;
    /// How many levels of collections and structures a value may have, unless another limit is set.
    pub const VALUE_DEPTH: u32 = 1_000;

    /// The limits that hold if nothing else is said: see the constants of this type. There is no deadline.
    pub const fn new() -> Limits {
        Limits {
            source_bytes: Limits::SOURCE_BYTES,
            nesting: Limits::NESTING,
            steps: Limits::STEPS,
            elements: Limits::ELEMENTS,
            bytes: Limits::BYTES,
            depth: Limits::DEPTH,
            value_depth: Limits::VALUE_DEPTH,
            deadline: None,
            cancel: Vec::new(),
        }
    }

    /// No limits on how much is read, made and done, for input that is trusted. What bounds the stack
    /// ([`NESTING`](Limits::NESTING), [`DEPTH`](Limits::DEPTH) and [`VALUE_DEPTH`](Limits::VALUE_DEPTH)) stays.
    pub fn trusted() -> Limits {
        Limits {
            source_bytes: u64::MAX,
            steps: u64::MAX,
            elements: u64::MAX,
            bytes: u64::MAX,
            ..Limits::new()
        }
    }

    /// How large one source may be, in bytes. The parser takes sources of up to 4 GiB at most.
    #[must_use]
    pub fn source_bytes(mut self, bytes: u64) -> Limits {
        self.source_bytes = bytes;
        self
    }

    /// How deep brackets, templates, blocks, unary operators and conditionals of a source may be nested in each other.
    ///
    /// The default needs less than a 2 MiB stack even in a debug build; the need grows with the limit.
    #[must_use]
    pub fn nesting(mut self, levels: u32) -> Limits {
        self.nesting = levels;
        self
    }

    /// How many expressions may be evaluated, each time counted anew. Plain names and constants are free, so what visits
    /// many elements with those is limited by [`elements`](Limits::elements). Functions that take long for a small result
    /// count the work they do in steps, too.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Limits {
        self.steps = steps;
        self
    }

    /// How many elements of collections and structures may be made or visited.
    #[must_use]
    pub fn elements(mut self, elements: u64) -> Limits {
        self.elements = elements;
        self
    }

    /// How many bytes of text templates and functions may make, and how many may be written as output.
    #[must_use]
    pub fn bytes(mut self, bytes: u64) -> Limits {
        self.bytes = bytes;
        self
    }

    /// How deep expressions, and evaluations within evaluations, may be nested. Greater depths need a greater stack.
    #[must_use]
    pub fn depth(mut self, levels: u32) -> Limits {
        self.depth = levels;
        self
    }

    /// How many levels of collections and structures a value may have. Greater depths need a greater stack.
    #[must_use]
    pub fn value_depth(mut self, levels: u32) -> Limits {
        self.value_depth = levels;
        self
    }

    /// Work ends soon after this time.
    #[must_use]
    pub fn deadline(mut self, time: Instant) -> Limits {
        self.deadline = Some(self.deadline.map_or(time, |earlier| earlier.min(time)));
        self
    }

    /// Work ends soon after so much time has passed from now. A time that the clock cannot hold is no limit.
    #[must_use]
    pub fn timeout(self, time: Duration) -> Limits {
        match Instant::now().checked_add(time) {
            Some(deadline) => self.deadline(deadline),
            None => self,
        }
    }

    /// Work ends soon after this token is cancelled.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Limits {
        self.cancel.push(token);
        self
    }

    /// Does something under these limits, which hold for everything that happens in it on this thread, taken together.
    /// In a run within another the smaller limit counts, and what is used counts for both.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        Meter::run(self, work)
    }
}

/// Ends work from another thread.
///
/// ```
/// use hclkit_limits::{CancelToken, Limit, Limits, Meter};
///
/// let token = CancelToken::new();
/// let limits = Limits::new().cancel(token.clone());
/// token.cancel();
/// assert_eq!(limits.run(|| Meter::current().look()).unwrap_err().limit, Limit::Cancelled);
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Ends the work that runs under limits with this token, and returns whether it was cancelled before. A signal
    /// handler may call this.
    pub fn cancel(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Makes the token good for further work.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the token is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// One of the [`Limits`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// [`Limits::source_bytes`].
    SourceBytes,
    /// [`Limits::nesting`].
    Nesting,
    /// [`Limits::steps`].
    Steps,
    /// [`Limits::elements`].
    Elements,
    /// [`Limits::bytes`].
    Bytes,
    /// [`Limits::depth`].
    Depth,
    /// [`Limits::value_depth`].
    ValueDepth,
    /// [`Limits::deadline`].
    Deadline,
    /// [`Limits::cancel`].
    Cancelled,
}

/// That a limit was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exceeded {
    /// Which limit.
    pub limit: Limit,
    /// What it was set to. For a deadline and for cancellation this is zero.
    pub most: u64,
}

impl fmt::Display for Exceeded {
    /// A sentence without its end.
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

/// A number with a comma before every three digits.
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
