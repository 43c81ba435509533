//! Text of values and types: how strings are quoted, and how much text is written.

use std::fmt::Write as _;

use hclkit_limits::{Meter, is_visible};

/// The maximum number of characters of a value or a type in `Debug`.
pub(crate) const MOST_DEBUG: usize = 1 << 16;

/// Text up to this length is written in any case.
pub(crate) const LONG: usize = 1 << 12;

/// How much text was written. A value or type can contain a shared part exponentially many times.
#[derive(Default)]
pub(crate) struct Room {
    written: usize,
    full: bool,
}

impl Room {
    /// Counts text before it is written. Returns false if it is longer than the limit on bytes allows.
    pub(crate) fn take(&mut self, bytes: usize) -> bool {
        self.written += bytes;
        self.full |= self.written >= LONG && Meter::current().room_for_bytes(self.written).is_err();
        !self.full
    }
}

/// A quoted string in the native syntax, with template introducers and invisible characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if chars.peek() == Some(&'{') => {
                out.push(c);
                out.push(c);
            }
            c if is_visible(c) => out.push(c),
            c if u32::from(c) > 0xffff => _ = write!(out, "\\U{:08x}", u32::from(c)),
            c => _ = write!(out, "\\u{:04x}", u32::from(c)),
        }
    }
    out.push('"');
    out
}
