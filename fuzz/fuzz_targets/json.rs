//! Any bytes, read in the JSON syntax: no panic, and every promise of `crates/syntax/tests/syntax/json/check.rs` is kept.
#![no_main]

#[path = "../../crates/syntax/tests/syntax/json/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|input: &[u8]| check::check(input));
