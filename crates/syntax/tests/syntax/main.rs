//! The tests of the crate, in one program: it is linked once.

mod fixes;
mod invariants;
mod json;
mod mutation;
mod suite;
