//! Any bytes, read in all ways: there is no panic, and the promises of `crates/syntax/tests/syntax/invariants/check.rs` hold.
//! `-timeout` (see README.md) ends a run whose input takes too long.
#![no_main]

#[path = "../../crates/syntax/tests/syntax/invariants/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    for entry in check::ENTRIES {
        check::check(input, entry);
    }
    check::check_hcl1(input);
});
