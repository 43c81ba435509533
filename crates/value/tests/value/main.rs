//! The tests of the crate, in one program: it is linked once.

mod deep;
mod laws;
mod limits;
mod serde_values;
mod typed;
mod values;
