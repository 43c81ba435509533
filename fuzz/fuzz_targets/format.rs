//! Any bytes, formatted: only blanks change, tokens and comments stay, the edits make the text, and formatting again
//! changes nothing. The same for styles: the first four bytes choose one for the text after them.
#![no_main]

#[path = "../../crates/write/tests/write/invariants/check.rs"]
mod check;
#[path = "../../crates/write/tests/write/style/check.rs"]
mod style;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    check::check(input);
    if let Some((bits, text)) = input.split_first_chunk()
        && let Ok(text) = std::str::from_utf8(text)
    {
        style::check(text, u32::from_le_bytes(*bits));
    }
});
