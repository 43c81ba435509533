//! Lines and characters of a text, as editors count them: in UTF-8, UTF-16 or UTF-32. A line ends with `\n`, `\r\n` or `\r`.

/// What an editor counts as a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16.
    #[default]
    Utf16,
    /// Code points.
    Utf32,
}

impl Encoding {
    /// The number of characters in a text.
    pub fn len(self, text: &str) -> u32 {
        let count = match self {
            _ if text.is_ascii() => text.len(),
            Self::Utf8 => text.len(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
            Self::Utf32 => text.chars().count(),
        };
        count as u32
    }

    /// The byte offset after some characters of a text. It is between characters, and at most the length of the text.
    fn offset(self, text: &str, characters: u32) -> usize {
        let mut left = characters as usize;
        for (at, sign) in text.char_indices() {
            let size = match self {
                Self::Utf8 => sign.len_utf8(),
                Self::Utf16 => sign.len_utf16(),
                Self::Utf32 => 1,
            };
            if left < size {
                return at;
            }
            left -= size;
        }
        text.len()
    }
}

/// A place in a text: the line and the character in it, both from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinePosition {
    /// The line.
    pub line: u32,
    /// The character in the line.
    pub character: u32,
}

/// The starts of the lines of a text.
#[derive(Clone, Debug)]
pub struct Lines(Vec<u32>);

impl Lines {
    /// Finds the lines of a text.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        let ends = ends.filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        let mut starts = vec![0];
        starts.extend(ends.map(|at| at as u32 + 1));
        Self(starts)
    }

    /// The number of lines. A text that ends with a line break has an empty last line.
    pub fn count(&self) -> u32 {
        self.0.len() as u32
    }

    /// The line that contains a byte offset.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.0.partition_point(|start| *start <= offset).saturating_sub(1) as u32
    }

    /// The byte offset at which a line starts, or the length of the text after the last one.
    pub fn start(&self, line: u32, text: &str) -> u32 {
        self.0.get(line as usize).copied().unwrap_or(text.len() as u32)
    }

    /// A line without its line break.
    pub fn line<'t>(&self, line: u32, text: &'t str) -> &'t str {
        let (start, end) = (self.start(line, text), self.start(line.saturating_add(1), text));
        let text = text.get(start as usize..end as usize).unwrap_or_default();
        let text = text.strip_suffix('\n').unwrap_or(text);
        text.strip_suffix('\r').unwrap_or(text)
    }

    /// The place of a byte offset.
    ///
    /// ```
    /// use hclkit_ide::{Encoding, Lines};
    /// let text = "a = \"ä😀\"\n";
    /// let lines = Lines::of(text);
    /// let end = text.find("\"\n").unwrap() as u32;
    /// let character = |encoding| lines.position(text, end, encoding).character;
    /// assert_eq!([Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].map(character), [11, 8, 7]);
    /// ```
    pub fn position(&self, text: &str, offset: u32, encoding: Encoding) -> LinePosition {
        let line = self.line_of(offset);
        let start = self.start(line, text) as usize;
        let mut end = (offset as usize).clamp(start, text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        LinePosition { line, character: encoding.len(&text[start..end]) }
    }

    /// The byte offset of a place. Behind the end of a line or the text, it is this end.
    pub fn offset(&self, text: &str, position: LinePosition, encoding: Encoding) -> u32 {
        if position.line >= self.count() {
            return text.len() as u32;
        }
        let line = self.line(position.line, text);
        self.start(position.line, text) + encoding.offset(line, position.character) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_places_are_inverse() {
        let text = "a\r\nß = \"😀\"\rb\n\n";
        let lines = Lines::of(text);
        assert_eq!(lines.count(), 5);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (at, _) in text.char_indices().filter(|(at, _)| !text[*at..].starts_with("\n\r")) {
                let place = lines.position(text, at as u32, encoding);
                let back = lines.offset(text, place, encoding);
                // A line break is at the end of its line.
                assert!(back == at as u32 || text.as_bytes()[at] == b'\n', "{at} {place:?} {back}");
            }
            let far = LinePosition { line: 1, character: 99 };
            assert_eq!(lines.offset(text, far, encoding), text.find("\rb").unwrap() as u32);
            let below = LinePosition { line: 99, character: 0 };
            assert_eq!(lines.offset(text, below, encoding), text.len() as u32);
        }
    }

    #[test]
    fn half_a_character_is_its_start() {
        let text = "😀";
        let place = LinePosition { line: 0, character: 1 };
        assert_eq!(Lines::of(text).offset(text, place, Encoding::Utf16), 0);
        assert_eq!(Lines::of(text).offset(text, place, Encoding::Utf8), 0);
    }
}
