//! Random edits of any text: `check.rs` says what they keep. The first eight bytes choose the edit.
#![no_main]

#[path = "../../crates/write/tests/write/edits/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some((seed, text)) = input.split_first_chunk()
        && let Ok(text) = std::str::from_utf8(text)
    {
        check::check(text, u64::from_le_bytes(*seed));
    }
});
