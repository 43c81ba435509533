//! The tests of the crate, in one program: it is linked once.

mod edits;
mod foreign;
mod hcl1;
mod invariants;
mod json_edits;
mod merge;
mod new_text;
mod new_values;
mod predicates;
mod rewriting;
mod source;
mod style;
mod suite;
mod terraform;
