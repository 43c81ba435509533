//! The memory that calls share. The limits on elements and bytes bound the memory of a call, and also that of all calls
//! together: a call starts with a share of them, and a call that needs more waits until it can have everything.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hclkit_limits::{Limit, Limits, Meter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The number of shares, and thus of calls at the same time.
const SHARES: u32 = 32;
/// A source takes several times its size, so that calls with more than this part of the limit on bytes get everything.
const LARGE: u64 = 512;

/// What is left for calls. Those that wait get it in the order in which they asked.
#[derive(Debug)]
pub(crate) struct Budget(Arc<Semaphore>);

/// How much of the limits an attempt has. Dropping it returns it.
pub(crate) struct Share {
    shares: u32,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Budget {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Semaphore::new(SHARES as usize)))
    }

    /// Waits for what a call with arguments of this size may use at first.
    pub(crate) async fn first(&self, limits: &Limits, arguments: u64) -> Share {
        let is_large = arguments > limits.bytes() / LARGE;
        self.take(if is_large { SHARES } else { 1 }).await
    }

    /// Waits for everything.
    pub(crate) async fn all(&self) -> Share {
        self.take(SHARES).await
    }

    async fn take(&self, shares: u32) -> Share {
        // The semaphore is never closed.
        Share { shares, _permit: Arc::clone(&self.0).acquire_many_owned(shares).await.ok() }
    }
}

impl Share {
    /// Runs a call. Returns `None` if it needs a larger share.
    ///
    /// Functions are pure, so that a call can be made again, and the result does not depend on other calls.
    pub(crate) fn run<T>(&self, limits: &Limits, call: impl FnOnce() -> T) -> Option<T> {
        if self.shares == SHARES {
            return Some(limits.run(call));
        }
        let part = |all: u64| all / u64::from(SHARES) * u64::from(self.shares);
        let (elements, bytes) = (part(limits.elements()), part(limits.bytes()));
        limits.clone().with_elements(elements).with_bytes(bytes).run(|| {
            let result = call();
            let exceeded = Meter::current().exceeded().map(|exceeded| exceeded.limit);
            (!matches!(exceeded, Some(Limit::Elements | Limit::Bytes))).then_some(result)
        })
    }
}

/// The time that a call may take in all of its attempts. Waiting does not count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time(pub(crate) Option<Duration>);

impl Time {
    /// Runs an attempt, which receives what is left.
    pub(crate) fn spend<T>(&mut self, attempt: impl FnOnce(Option<Duration>) -> T) -> T {
        let start = Instant::now();
        let result = attempt(self.0);
        self.0 = self.0.map(|left| left.saturating_sub(start.elapsed()));
        result
    }
}
