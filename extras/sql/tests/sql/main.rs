//! The program `hcl-sql` as users run it.

mod kinds;
mod program;
mod questions;
mod results;
mod rules;
mod sources;
