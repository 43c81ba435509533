//! The messages of the checks in this directory. Callers add places.

pub(super) mod meta;
pub(super) mod moves;
pub(super) mod providers;
pub(super) mod testing;
