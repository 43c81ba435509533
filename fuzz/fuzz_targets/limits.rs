//! Any bytes as a call of a function with arguments that are large, deep or shared: every promise of
//! `crates/functions/tests/functions/limits/check.rs` is kept.
#![no_main]

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../../crates/functions/tests/functions/limits/arguments.rs"]
mod arguments;
#[path = "../../crates/functions/tests/functions/limits/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|input: &[u8]| check::check(input));
