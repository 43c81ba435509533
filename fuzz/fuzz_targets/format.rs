//! Any bytes, formatted: only blanks change, tokens and comments stay, the edits make the text, and formatting again
//! changes nothing.
#![no_main]

#[path = "../../crates/write/tests/invariants/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|input: &[u8]| check::check(input));
