//! How many bytes may be in flight: what is read asks before it is allocated, and waits while others hold too many.
//!
//! A [`Budget`] is divided into parts, because who waits must not hold what others wait for. In this order, each may wait for the
//! next ones: contents that wait for a thread, contents that a thread reads, and what is made of them.

use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A number of bytes that all who have a clone of it share.
#[derive(Clone)]
pub(crate) struct Budget(Arc<Shared>);

struct Shared {
    most: u64,
    used: Mutex<u64>,
    freed: Condvar,
}

/// Bytes that are held. They are free again when this is dropped.
#[must_use = "the bytes are free when this is dropped"]
pub(crate) struct Held {
    budget: Budget,
    bytes: u64,
}

/// More bytes were asked for than there are in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OverBudget {
    /// How many there are in all.
    pub(crate) most: u64,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it takes more than the {} bytes of memory that it may take", self.most)
    }
}

impl std::error::Error for OverBudget {}

impl From<OverBudget> for io::Error {
    fn from(error: OverBudget) -> Self {
        Self::new(io::ErrorKind::FileTooLarge, error)
    }
}

/// How many bytes are held.
impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Budget({} of {})", self.used(), self.0.most)
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Held({})", self.bytes)
    }
}

impl Budget {
    /// A budget of so many bytes.
    pub(crate) fn new(most: u64) -> Self {
        Self(Arc::new(Shared { most, used: Mutex::new(0), freed: Condvar::new() }))
    }

    /// How many bytes there are in all.
    pub(crate) fn most(&self) -> u64 {
        self.0.most
    }

    /// How many bytes are held.
    pub(crate) fn used(&self) -> u64 {
        *self.0.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds bytes. It waits until others have freed enough. Who already holds bytes of this budget must not ask for more, because
    /// two who do could wait for each other.
    ///
    /// # Errors
    /// There are not so many bytes in all.
    pub(crate) fn acquire(&self, bytes: u64) -> Result<Held, OverBudget> {
        if bytes > self.0.most {
            return Err(OverBudget { most: self.0.most });
        }
        let mut used = self.0.used.lock().unwrap_or_else(PoisonError::into_inner);
        while *used + bytes > self.0.most {
            used = self.0.freed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        *used += bytes;
        Ok(Held { budget: self.clone(), bytes })
    }

    /// Holds bytes, if there are enough now.
    pub(crate) fn try_acquire(&self, bytes: u64) -> Option<Held> {
        let mut used = self.0.used.lock().unwrap_or_else(PoisonError::into_inner);
        let total = used.checked_add(bytes).filter(|total| *total <= self.0.most)?;
        *used = total;
        Some(Held { budget: self.clone(), bytes })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let shared = &self.budget.0;
        *shared.used.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        shared.freed.notify_all();
    }
}

/// What a content may take that a thread is about to read.
#[derive(Debug)]
pub struct Allowance {
    budget: Budget,
    held: Option<Held>,
}

impl Allowance {
    pub(crate) fn new(budget: &Budget) -> Self {
        Self { budget: budget.clone(), held: None }
    }

    /// Asks for the bytes of the content, which may be a claim, before they are allocated. If it was asked before, the new number
    /// replaces the one before. It waits until there are enough.
    ///
    /// # Errors
    /// No content may have so many bytes. The error is [`io::ErrorKind::FileTooLarge`].
    pub fn ask(&mut self, bytes: u64) -> io::Result<()> {
        self.held = None;
        self.held = Some(self.budget.acquire(bytes)?);
        Ok(())
    }

    /// How many bytes a content may have at most.
    pub fn most(&self) -> u64 {
        self.budget.most()
    }
}

/// The parts of the bytes that a run may have in flight.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// Contents that wait for a thread.
    pub(crate) waiting: Budget,
    /// Contents that a thread reads.
    pub(crate) reading: Budget,
    /// What threads make of large contents.
    pub(crate) work: Budget,
    /// How many bytes rows may have that wait for others, as many as those of the next row groups, and as those that are encoded.
    pub(crate) rows: usize,
    /// How many bytes the rows of earlier files may have.
    pub(crate) kept: usize,
}

impl Parts {
    pub(crate) fn of(most: u64) -> Self {
        let quarter = Budget::new(content_limit(most));
        let rows = usize::try_from(most / 8).unwrap_or(usize::MAX);
        let kept = usize::try_from(most / 4).unwrap_or(usize::MAX).min(96 << 20);
        let (reading, work) = (Budget::new(quarter.most()), Budget::new(most / 2));
        Self { waiting: quarter, reading, work, rows, kept }
    }
}

/// How many bytes a content may have, so that it and what is made of it are within a budget.
#[doc(hidden)]
pub const fn content_limit(most_in_flight: u64) -> u64 {
    most_in_flight / 4
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn threads_never_hold_more_than_there_is() {
        let budget = Budget::new(100);
        let held = Arc::new(Mutex::new(0_u64));
        thread::scope(|scope| {
            for seed in 0..6 {
                let (budget, held) = (budget.clone(), held.clone());
                scope.spawn(move || {
                    let mut random = fastrand::Rng::with_seed(seed);
                    for _ in 0..2_000 {
                        let bytes = random.u64(..=100);
                        let own = budget.acquire(bytes).unwrap();
                        let total = {
                            let mut held = held.lock().unwrap();
                            *held += bytes;
                            *held
                        };
                        assert!(total <= 100, "{total}");
                        *held.lock().unwrap() -= bytes;
                        drop(own);
                    }
                });
            }
        });
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn who_asks_for_more_than_there_is_does_not_wait() {
        let budget = Budget::new(1_000);
        let held = budget.acquire(600).unwrap();
        assert!(budget.try_acquire(600).is_none());
        assert!(budget.acquire(1_001).is_err());
        drop(held);
        assert!(budget.try_acquire(600).is_some());
    }

    #[test]
    fn a_new_question_replaces_the_one_before() {
        let budget = Budget::new(100);
        let mut allowance = Allowance::new(&budget);
        allowance.ask(100).unwrap();
        allowance.ask(60).unwrap();
        assert_eq!(budget.used(), 60);
        assert_eq!(allowance.ask(101).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        drop(allowance);
        assert_eq!(budget.used(), 0);
    }
}
