//! Work on several threads under the limits of one.

use crate::{Exceeded, Limits, Meter};

/// A part of what is left of the limits of a thread, for work on another thread.
///
/// ```
/// use hclkit_limits::{Limits, Meter};
///
/// Limits::new().with_steps(100).run(|| {
///     let mut share = Meter::current().share(2);
///     let worker = std::thread::spawn(move || {
///         assert!(share.run(|| Meter::current().take_steps(30)).is_ok());
///         assert!(share.run(|| Meter::current().take_steps(30)).is_err());
///         share
///     });
///     let share = worker.join().unwrap();
///     assert!(Meter::current().take_share(&share).is_ok());
///     assert!(Meter::current().take_steps(71).is_err());
/// });
/// ```
#[derive(Clone, Debug)]
pub struct Share {
    whole: Limits,
    left: Limits,
}

impl Meter {
    /// Divides what is left of the limits into equal parts, and returns one of them. The deadline and cancellation apply to
    /// each part.
    pub fn share(&self, parts: u64) -> Share {
        let left = self.left();
        let part = |amount: u64| if amount == u64::MAX { amount } else { amount / parts.max(1) };
        let (steps, elements, bytes) = (part(left.steps), part(left.elements), part(left.bytes));
        let whole = Limits { steps, elements, bytes, ..left };
        Share { left: whole.clone(), whole }
    }

    /// Takes what the work under a share took of it.
    ///
    /// # Errors
    /// A limit is exceeded.
    pub fn take_share(&self, share: &Share) -> Result<(), Exceeded> {
        let Share { whole, left } = share;
        let count = |whole: u64, left: u64| usize::try_from(whole - left).unwrap_or(usize::MAX);
        self.take_steps(whole.steps - left.steps)?;
        self.take_elements(count(whole.elements, left.elements))?;
        self.take_bytes(count(whole.bytes, left.bytes))
    }
}

impl Share {
    /// Runs a closure under what is left of the share. Its work is *tentative*: see [`Meter::is_tentative`].
    pub fn run<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (done, left) = self.left.run(|| {
            let meter = Meter::current();
            meter.set_tentative();
            let done = work();
            (done, meter.left())
        });
        let Limits { steps, elements, bytes, .. } = left;
        self.left = Limits { steps, elements, bytes, ..self.left.clone() };
        done
    }
}
