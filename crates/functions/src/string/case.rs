//! Uppercase and lowercase, one character for one. As in the reference, a letter without a single-character mapping,
//! such as "ß" (uppercase "SS"), is kept.

use hclkit_value::Str;

/// Converts text to uppercase.
pub(crate) fn raised(text: &str) -> Str {
    ascii(text, str::make_ascii_uppercase).unwrap_or_else(|| mapped(text, capital))
}

/// Converts text to lowercase.
pub(crate) fn lowered(text: &str) -> Str {
    ascii(text, str::make_ascii_lowercase).unwrap_or_else(|| mapped(text, small))
}

/// Changes ASCII text in place. A short text, which is the usual case, is not allocated.
fn ascii(text: &str, change: fn(&mut str)) -> Option<Str> {
    if !text.is_ascii() {
        return None;
    }
    let mut short = [0; 64];
    let Some(bytes) = short.get_mut(..text.len()) else {
        let mut long = text.to_owned();
        change(&mut long);
        return Some(Str::from(long));
    };
    bytes.copy_from_slice(text.as_bytes());
    let letters = std::str::from_utf8_mut(bytes).ok()?;
    change(letters);
    Some(Str::from(&*letters))
}

/// Converts the first letter of each word to titlecase.
pub(crate) fn capitalized(text: &str) -> Str {
    let mut before = ' ';
    let title = |c: char| {
        let start = separates(before);
        before = c;
        if start { titled(c) } else { c }
    };
    Str::from(text.chars().map(title).collect::<String>())
}

fn mapped(text: &str, map: fn(char) -> char) -> Str {
    Str::from(text.chars().map(map).collect::<String>())
}

/// Returns true if the next letter begins a word: after whitespace, but not after other characters outside of ASCII.
fn separates(c: char) -> bool {
    if c.is_ascii() { !(c.is_ascii_alphanumeric() || c == '_') } else { c.is_whitespace() }
}

fn capital(c: char) -> char {
    match c {
        // Greek letters with iota subscript, which have titlecase forms.
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => shifted(c, 8),
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => shifted(c, 9),
        c => single(c.to_uppercase()).unwrap_or(c),
    }
}

fn small(c: char) -> char {
    if c == '\u{130}' { 'i' } else { single(c.to_lowercase()).unwrap_or(c) }
}

fn titled(c: char) -> char {
    match c {
        // Digraphs in one code point, with only the first letter uppercase.
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}',
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}',
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}',
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}',
        // Georgian has no titlecase.
        '\u{10d0}'..='\u{10ff}' => c,
        c => capital(c),
    }
}

fn shifted(c: char, by: u32) -> char {
    char::from_u32(u32::from(c) + by).unwrap_or(c)
}

fn single(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    let first = mapped.next()?;
    mapped.next().is_none().then_some(first)
}
