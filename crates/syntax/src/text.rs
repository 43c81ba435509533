//! The meaning of literal text: escape sequences, strip markers, and the indentation that flush heredocs remove.
//! Specification: "Template Expressions", "Template Literals".

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use crate::token::{TokenKind, Tokens};

/// How to read the literal text of a token.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub(crate) struct Reading {
    /// Backslashes start escape sequences.
    pub(crate) escapes: bool,
    /// A strip marker is before the text.
    pub(crate) trim_start: bool,
    /// A strip marker is after the text.
    pub(crate) trim_end: bool,
    /// How many characters of indentation to remove from each line.
    pub(crate) dedent: u32,
    /// The text starts a line.
    pub(crate) at_line_start: bool,
}

/// The literal text of a token.
pub(crate) fn read(raw: &str, reading: Reading) -> Cow<'_, str> {
    let Reading { escapes, trim_start, trim_end, dedent, mut at_line_start } = reading;
    if escapes {
        let text = unescape(raw, true);
        return if trim_start || trim_end {
            Cow::Owned(trim(&text, trim_start, trim_end).to_owned())
        } else {
            text
        };
    }
    if !(trim_start || trim_end) && dedent == 0 {
        return unescape(raw, false);
    }
    let mut out = String::with_capacity(raw.len());
    for line in lines(raw, trim_start, trim_end) {
        let skipped = if at_line_start && !is_blank_line(line) { graphemes_len(line, dedent) } else { 0 };
        out.push_str(&unescape(&line[skipped..], false));
        at_line_start = line.ends_with('\n');
    }
    Cow::Owned(out)
}

/// The contents of a quoted literal, without the first and last character as quotes.
pub(crate) fn unquote(literal: &str) -> &str {
    let mut characters = literal.chars();
    let open = characters.next();
    match (open, characters.next_back()) {
        (Some('"'), Some('"')) => &literal[1..literal.len() - 1],
        // A string that is not closed on its line has no last quote.
        (Some('"'), _) => &literal[1..],
        _ => characters.as_str(),
    }
}

/// Returns whether strip markers are directly before and directly after a text token.
pub(crate) fn trims(tokens: &Tokens, token: u32) -> (bool, bool) {
    let before = token > 0 && tokens.kind(token - 1) == TokenKind::CloseSequenceStrip;
    let after =
        matches!(tokens.kind(token + 1), TokenKind::OpenInterpolationStrip | TokenKind::OpenDirectiveStrip);
    (before, after)
}

/// The lines of a text with their line breaks. Strip markers take white space from the first and the last line only.
pub(crate) fn lines(text: &str, trim_start: bool, trim_end: bool) -> impl Iterator<Item = &str> {
    let mut lines = text.split_inclusive('\n').peekable();
    let mut first = true;
    std::iter::from_fn(move || {
        let line = lines.next()?;
        let last = lines.peek().is_none();
        let line = trim(line, trim_start && first, trim_end && last);
        first = false;
        Some(line)
    })
}

fn trim(text: &str, start: bool, end: bool) -> &str {
    let text = if start { text.trim_start() } else { text };
    if end { text.trim_end() } else { text }
}

/// The length of the first `count` grapheme clusters: a combining mark belongs to its space.
fn graphemes_len(line: &str, count: u32) -> usize {
    let end = count as usize;
    match line.as_bytes().get(..=end) {
        Some(start) if start.is_ascii() => end,
        _ => line.graphemes(true).take(end).map(str::len).sum(),
    }
}

/// Returns true for whitespace-only lines, which do not count for the indentation of a heredoc.
pub(crate) fn is_blank_line(line: &str) -> bool {
    line.ends_with('\n') && line.trim().is_empty()
}

/// The width of the leading whitespace of a line, in characters.
pub(crate) fn indentation(line: &str) -> u32 {
    line.chars().take_while(|character| character.is_whitespace()).count() as u32
}

/// Resolves `$${` and `%%{` and, with `escapes`, escape sequences. Invalid sequences, which the lexer reports, are kept
/// without the backslash.
fn unescape(raw: &str, escapes: bool) -> Cow<'_, str> {
    let special = |at: usize| match raw.as_bytes()[at] {
        b'\\' => escapes,
        mark => raw.as_bytes()[at + 1..].starts_with(&[mark, b'{']),
    };
    let next = |from: usize| {
        memchr::memchr3_iter(b'\\', b'$', b'%', &raw.as_bytes()[from..])
            .map(|at| from + at)
            .find(|&at| special(at))
    };
    let Some(mut at) = next(0) else { return Cow::Borrowed(raw) };
    let mut out = String::with_capacity(raw.len());
    let mut done = 0;
    loop {
        out.push_str(&raw[done..at]);
        if raw.as_bytes()[at] == b'\\' {
            done = at + 1 + escape(&raw[at + 1..], &mut out);
        } else {
            out.push_str(&raw[at + 1..at + 3]);
            done = at + 3;
        }
        match next(done) {
            Some(found) => at = found,
            None => break,
        }
    }
    out.push_str(&raw[done..]);
    Cow::Owned(out)
}

/// Resolves the escape sequence whose selector begins `text`, and returns its length in bytes.
fn escape(text: &str, out: &mut String) -> usize {
    let digits = match text.as_bytes().first() {
        Some(b'n') => return push(out, '\n'),
        Some(b'r') => return push(out, '\r'),
        Some(b't') => return push(out, '\t'),
        Some(b'"') => return push(out, '"'),
        Some(b'\\') => return push(out, '\\'),
        Some(b'u') => 4,
        Some(b'U') => 8,
        _ => return 0,
    };
    let code =
        text.get(1..=digits).and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
    let Some(character) = code else { return 0 };
    push(out, character) + digits
}

fn push(out: &mut String, character: char) -> usize {
    out.push(character);
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_resolved() {
        let quoted = Reading { escapes: true, ..Reading::default() };
        assert_eq!(read(r#"a\n\t\"\\\u00e9\U0001F600$${x}%%{y}$$"#, quoted), "a\n\t\"\\é😀${x}%{y}$$");
        assert_eq!(read("$$${x}", quoted), "$${x}");
        assert_eq!(read(r"a\n$${", Reading::default()), r"a\n${");
    }

    #[test]
    fn strip_markers_trim_the_nearest_line_only() {
        let reading = Reading { trim_start: true, trim_end: true, ..Reading::default() };
        assert_eq!(read("  \n  a  \n  ", reading), "  a  \n");
    }

    #[test]
    fn a_combining_mark_is_removed_with_its_space() {
        let reading = Reading { dedent: 1, at_line_start: true, ..Reading::default() };
        assert_eq!(read(" \u{301}a\n b\n", reading), "a\nb\n");
    }

    #[test]
    fn blank_lines_keep_their_indentation() {
        let reading = Reading { dedent: 2, at_line_start: true, ..Reading::default() };
        assert_eq!(read("  a\n   \n    b\n", reading), "a\n   \n  b\n");
    }
}
