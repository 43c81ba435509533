//! Text with pictures for characters that cannot be seen. All output for people goes through here, in every command and
//! format, so that no text from a file controls a terminal or looks like other text. Which characters can be seen is in
//! `hclkit-limits`.

use std::borrow::Cow;

use hclkit_limits::is_visible;

/// What a character is shown as: itself, or a picture of it.
fn picture(sign: char) -> char {
    match u32::from(sign) {
        _ if is_visible(sign) => sign,
        code @ 0..32 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        127 => '␡',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// A text with a picture in the place of each character that cannot be seen, for output to people. Line breaks and tabs
/// stay.
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

/// The same for a text that is shown on one line, such as the name of a file: line breaks become pictures, too.
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
    fn pictures_are_visible() {
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
