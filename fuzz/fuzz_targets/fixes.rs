//! Any text, read in all ways: the promises of `crates/syntax/tests/syntax/fixes/property.rs` about suggested fixes hold.
#![no_main]

#[path = "../../crates/syntax/tests/syntax/fixes/property.rs"]
mod property;

use hclkit_syntax::{Document, Source, StartSymbol, json};

const ENTRIES: [StartSymbol; 5] = [
    StartSymbol::Config,
    StartSymbol::Expression,
    StartSymbol::Template,
    StartSymbol::Traversal,
    StartSymbol::PartialTraversal,
];

libfuzzer_sys::fuzz_target!(|text: &str| {
    for entry in ENTRIES {
        let parse = |text: &str| Document::parse(Source::new("", text), entry).diagnostics().clone();
        property::fixes_are_safe(text, parse).unwrap_or_else(|why| panic!("{entry:?}: {why}"));
    }
    let parse = |text: &str| json::parse(text).diagnostics().clone();
    property::fixes_are_safe(text, parse).unwrap_or_else(|why| panic!("JSON: {why}"));
});
