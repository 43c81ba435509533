//! Which characters are visible. This is here because both sources and values need it, and both use this crate.

/// Returns true if terminals and editors simply draw a character. Returns false for control characters, line and
/// paragraph separators, bidirectional formatting characters, and characters that have no width or no glyph.
///
/// ```
/// use hclkit_limits::is_visible;
/// assert!("aé ⚠️字".chars().all(is_visible));
/// assert!(!"\n\u{1b}\u{9b}\u{200b}\u{202e}".chars().any(is_visible));
/// ```
pub fn is_visible(character: char) -> bool {
    // Printable ASCII, and everything up to U+033F except the C1 controls and the soft hyphen.
    if matches!(character, ' '..='~' | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{33f}') {
        return true;
    }
    !matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        // Line and paragraph separators, and bidirectional formatting characters.
        | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}'..='\u{200f}' | '\u{61c}'
        // Unicode's Default_Ignorable_Code_Point, without the variation selectors U+FE00 to U+FE0F.
        | '\u{ad}' | '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}
