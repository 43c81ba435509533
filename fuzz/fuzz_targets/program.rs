//! Any bytes as a command line and files: every promise of `crates/cli/tests/hostile/program.rs` is kept.
#![no_main]

#[path = "../../crates/cli/tests/hostile/output.rs"]
mod output;
#[path = "../../crates/cli/tests/hostile/program.rs"]
mod program;

libfuzzer_sys::fuzz_target!(|input: &[u8]| program::check(input));
