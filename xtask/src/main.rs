//! `cargo xtask`: the project's own chores. One module a chore.
#![allow(clippy::print_stdout, reason = "a program that reports")]

fn main() {}
