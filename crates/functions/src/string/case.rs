//! Capital and small letters, one for one: where Unicode has several letters for one, as in "ß" and
//! "SS", the letter stays, as in the reference.

use hclkit_value::Str;

/// The text in capital letters.
pub(crate) fn raised(text: &str) -> Str {
    ascii(text, str::make_ascii_uppercase).unwrap_or_else(|| mapped(text, capital))
}

/// The text in small letters.
pub(crate) fn lowered(text: &str) -> Str {
    ascii(text, str::make_ascii_lowercase).unwrap_or_else(|| mapped(text, small))
}

/// A text of ASCII changed in place; a short one, as most are, without memory of its own.
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

/// The text with the first letter of each word as it is at the start of a title.
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

/// Whether the next letter begins a word. Signs that are not ASCII do not, blanks do.
fn separates(c: char) -> bool {
    if c.is_ascii() { !(c.is_ascii_alphanumeric() || c == '_') } else { c.is_whitespace() }
}

fn capital(c: char) -> char {
    match c {
        // Greek letters with a small iota, which has a place of its own behind a capital one.
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
        // Two letters in one place, of which the first is a capital.
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}',
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}',
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}',
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}',
        // Georgian has no capitals in titles.
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
