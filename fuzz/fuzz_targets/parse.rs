//! Any bytes, read in all ways: no panic, every promise of `crates/syntax/tests/invariants/check.rs` is kept, and so is
//! that of fixes in `crates/syntax/tests/fixes/property.rs`.
//! Time: `-timeout` (see README.md) ends a run whose input takes more than its share.
#![no_main]

#[path = "../../crates/syntax/tests/invariants/check.rs"]
mod check;
#[path = "../../crates/syntax/tests/fixes/property.rs"]
mod property;

use hclkit_syntax::{Document, Source};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    for entry in check::ENTRIES {
        check::check(input, entry);
        if let Ok(text) = std::str::from_utf8(input) {
            let parse = |text: &str| Document::parse(Source::new("", text), entry).diagnostics().clone();
            property::fixes_are_safe(text, parse).unwrap_or_else(|why| panic!("{why}"));
        }
    }
});
