//! Which characters can be seen: what is shown to people goes through here, in every command and format, so that no text
//! out of a file does something to a terminal, hides or pretends to be other text.

use std::borrow::Cow;

/// Whether a terminal or an editor draws a character and does nothing else with it. It does not for control characters,
/// separators of lines and paragraphs, marks of the direction of writing, and characters that have no width or no look.
///
/// ```
/// use hclkit_syntax::is_visible;
/// assert!("aé ⚠️字".chars().all(is_visible));
/// assert!(!"\n\u{1b}\u{9b}\u{200b}\u{202e}".chars().any(is_visible));
/// ```
pub fn is_visible(sign: char) -> bool {
    // What every terminal draws; all else in Latin-1 but C1 and the soft hyphen.
    if matches!(sign, ' '..='~' | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{33f}') {
        return true;
    }
    !matches!(sign,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        // Line and paragraph separators, and the marks of bidirectional text.
        | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}'..='\u{200f}' | '\u{61c}'
        // Unicode's Default_Ignorable_Code_Point, without the selectors of a variant that is drawn (U+FE00 to U+FE0F).
        | '\u{ad}' | '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

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
