//! The width of a token in grapheme clusters, which the reference counts separately for each token.

use unicode_segmentation::UnicodeSegmentation;

/// Returns true if each byte of a text is a cluster.
pub(super) fn is_plain(text: &[u8]) -> bool {
    text.is_ascii() && memchr::memchr(b'\r', text).is_none()
}

/// The width of a token. For the reference an opening quote is a token of its own, and a `$` or `%` in text ends one.
pub(super) fn width(token: &[u8]) -> u32 {
    if is_plain(token) {
        return token.len() as u32;
    }
    let mut width = 0;
    for chunk in token.utf8_chunks() {
        let mut rest = chunk.valid();
        if let Some(inside) = rest.strip_prefix('"') {
            width += 1;
            rest = inside;
        }
        let pieces = rest.split_inclusive(['$', '%']);
        width += pieces.map(|piece| piece.graphemes(true).count()).sum::<usize>();
        width += chunk.invalid().len();
    }
    width as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_cut_where_tokens_are() {
        for (token, expected) in [
            ("abc", 3),
            ("é", 1),
            ("e\u{301}", 1),
            ("\"\u{301}\"", 3),
            ("\"$\u{301}\"", 4),
            ("a\r\nb", 3),
            ("\u{1f468}\u{200d}\u{1f469}", 1),
        ] {
            assert_eq!(width(token.as_bytes()), expected, "{token:?}");
        }
        assert_eq!(width(b"a\xff\xe2\x82b"), 5);
    }
}
