//! Which characters can be seen. Sources and values both need the answer, so it is in the crate below both.

/// Whether a terminal or an editor draws a character and does nothing else with it. It does not for control characters,
/// separators of lines and paragraphs, marks of the direction of writing, and characters that have no width or no look.
///
/// ```
/// use hclkit_limits::is_visible;
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
