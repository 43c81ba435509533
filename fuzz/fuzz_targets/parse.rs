//! Any bytes, read in all ways: no panic, and every promise of `crates/syntax/tests/invariants/check.rs` is kept.
//! Time: `-timeout` (see README.md) ends a run whose input takes more than its share.
#![no_main]

#[path = "../../crates/syntax/tests/invariants/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    for entry in check::ENTRIES {
        check::check(input, entry);
    }
});
