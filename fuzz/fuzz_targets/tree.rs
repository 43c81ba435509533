//! Any bytes as a directory of links, pipes, files and odd names: every promise of `crates/cli/tests/hostile/tree.rs`
//! is kept.
#![no_main]

#[path = "../../crates/cli/tests/hostile/output.rs"]
mod output;
#[path = "../../crates/cli/tests/hostile/tree.rs"]
mod tree;

libfuzzer_sys::fuzz_target!(|input: &[u8]| tree::check(input));
