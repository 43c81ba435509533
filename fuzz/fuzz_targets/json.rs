//! Any bytes, read in the JSON syntax: no panic, every promise of `crates/syntax/tests/json/check.rs` is kept, and so is
//! that of fixes in `crates/syntax/tests/fixes/property.rs`.
#![no_main]

#[path = "../../crates/syntax/tests/json/check.rs"]
mod check;
#[path = "../../crates/syntax/tests/fixes/property.rs"]
mod property;

use hclkit_syntax::json;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    check::check(input);
    if let Ok(text) = std::str::from_utf8(input) {
        let parse = |text: &str| json::parse(text).diagnostics().clone();
        property::fixes_are_safe(text, parse).unwrap_or_else(|why| panic!("{why}"));
    }
});
