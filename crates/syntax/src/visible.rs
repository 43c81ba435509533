//! Text with visible symbols for invisible characters. All output for people is converted here, in every command and
//! format, so that no text from a file can control a terminal or look like other text. `hclkit-limits` defines which
//! characters are visible.

use std::borrow::Cow;

use hclkit_limits::is_visible;

/// The symbol for a character, or the character itself if it is visible.
fn picture(sign: char) -> char {
    match u32::from(sign) {
        _ if is_visible(sign) => sign,
        code @ 0..32 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        127 => '␡',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// Replaces each invisible character of a text with a visible symbol, for output to people. Line breaks and tabs are
/// kept.
///
/// ```
/// use hclkit_syntax::visible;
/// assert_eq!(visible("a\tb\r\n"), "a\tb\r\n");
/// assert_eq!(visible("\u{1b}[31mred\u{202e}"), "␛[31mred�");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    let mut signs = text.chars().peekable();
    let mut shown = String::new();
    if text.chars().all(is_visible) {
        return Cow::Borrowed(text);
    }
    while let Some(sign) = signs.next() {
        shown.push(match sign {
            '\n' | '\t' => sign,
            '\r' if signs.peek() == Some(&'\n') => sign,
            _ => picture(sign),
        });
    }
    Cow::Owned(shown)
}

/// Like [`visible`], but for text that is displayed on one line, such as the name of a file: line breaks are replaced,
/// too.
///
/// ```
/// use hclkit_syntax::visible_line;
/// assert_eq!(visible_line("a\n::error::b"), "a␊::error::b");
/// ```
pub fn visible_line(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_visible) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(picture).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_visible() {
        for sign in '\0'..=char::MAX {
            assert!(is_visible(picture(sign)), "{:x}", u32::from(sign));
            assert_eq!(picture(sign) == sign, is_visible(sign), "{:x}", u32::from(sign));
        }
    }

    #[test]
    fn letters_are_visible() {
        for text in
            ["naïve", "Ελλάδα", "Россия", "שלום", "مرحبا", "नमस्ते", "ไทย", "日本語", "한국어", "👍🏽", "⚠️"]
        {
            assert!(text.chars().all(is_visible), "{text}");
            assert_eq!(visible(text), text);
        }
    }
}
