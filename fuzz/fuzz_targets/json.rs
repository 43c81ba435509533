//! Any bytes, read in the JSON syntax: no panic, and every promise of `crates/syntax/tests/json/check.rs` is kept.
#![no_main]

#[path = "../../crates/syntax/tests/json/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|input: &[u8]| check::check(input));
