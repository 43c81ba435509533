//! How much new text edits may make: a small value at many places is a large text.

use hclkit_limits::{Exceeded, Limit, Meter};

/// Counts the new text of a set of edits. The meter counts it, too, but without a run of limits, it forgets it after each edit.
#[derive(Debug, Clone, Default)]
pub(super) struct Room {
    used: u64,
}

impl Room {
    /// Counts text before it is kept.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), Exceeded> {
        self.check(bytes)?;
        Meter::current().take_bytes(bytes)?;
        self.used += bytes as u64;
        Ok(())
    }

    /// Checks that there is room for text, before it is made.
    pub(super) fn check(&self, bytes: usize) -> Result<(), Exceeded> {
        let meter = Meter::current();
        meter.room_for_bytes(bytes)?;
        let most = meter.limits().bytes();
        if self.used.saturating_add(bytes as u64) > most {
            return Err(Exceeded { limit: Limit::Bytes, most });
        }
        Ok(())
    }
}
