//! Checks of the current thread's limits before a function creates or visits many elements. Collections count themselves
//! when they are created, and the evaluator counts the text that a function returns; these checks prevent large results
//! from being allocated.

use std::io;
use std::rc::Rc;

use hclkit_limits::{COLLECTION, Meter};
use hclkit_value::Error;

/// Returns an error if a text of `bytes` bytes would exceed the limits.
pub(crate) fn check_length(bytes: usize) -> Result<(), Error> {
    Ok(Meter::current().room_for_bytes(bytes)?)
}

/// Returns an error if `elements` elements would exceed the limits.
pub(crate) fn check_count(elements: usize) -> Result<(), Error> {
    Ok(Meter::current().room_for_elements(elements)?)
}

/// Returns an error if `count` collections with `elements` elements in all would exceed the limits.
pub(crate) fn check_collections(count: usize, elements: usize) -> Result<(), Error> {
    check_count(count.saturating_mul(1 + COLLECTION).saturating_add(elements))
}

/// Counts elements that a function visits but does not return.
pub(crate) fn visit(elements: usize) -> Result<(), Error> {
    Ok(Meter::current().take_elements(elements)?)
}

/// Counts steps for work that takes long compared to the size of its result.
pub(crate) fn take_steps(steps: u64) -> Result<(), Error> {
    Ok(Meter::current().take_steps(steps)?)
}

/// A text buffer that does not grow beyond the limit.
pub(crate) struct Bounded {
    bytes: Vec<u8>,
    meter: Rc<Meter>,
}

impl Bounded {
    /// Creates an empty buffer.
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), meter: Meter::current() }
    }

    /// Returns the text written so far.
    pub(crate) fn into_text(self) -> Result<String, Error> {
        String::from_utf8(self.bytes).map_err(|_| Error::new("the text is not valid UTF-8"))
    }
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.bytes.len().saturating_add(bytes.len());
        self.meter.room_for_bytes(length).map_err(|exceeded| io::Error::other(Error::from(exceeded)))?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
