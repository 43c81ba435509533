//! Any text as `hcl.toml` and as the table of a language: every promise of `crates/cli/tests/hostile/settings.rs` is kept.
#![no_main]

#[path = "../../crates/cli/tests/hostile/output.rs"]
mod output;
#[path = "../../crates/cli/tests/hostile/settings.rs"]
mod settings;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    settings::check(input);
    // The server reads the same settings.
    _ = hclkit_ide::Settings::parse(&String::from_utf8_lossy(input));
});
