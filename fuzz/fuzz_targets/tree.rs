//! Any bytes as a directory of links, pipes, files and odd names: every promise of `crates/cli/tests/hostile/tree.rs`
//! is kept.
#![no_main]

// The destination of a run's output.
#[allow(dead_code, reason = "the rest is for the target `program`")]
#[path = "../../crates/cli/tests/hostile/program.rs"]
mod program;
#[path = "../../crates/cli/tests/hostile/tree.rs"]
mod tree;

libfuzzer_sys::fuzz_target!(|input: &[u8]| tree::check(input));
