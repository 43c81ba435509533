//! The program `hcl-sql` as users run it.

mod program;
mod questions;
mod results;
mod rules;
mod sources;
