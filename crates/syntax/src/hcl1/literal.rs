//! What the literals of HCL 1 mean: numbers, quoted strings and heredocs.

use std::borrow::Cow;
use std::fmt;

/// A number of HCL 1, in the types of the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hcl1Number {
    /// A whole number of 64 bits: decimal, octal with a leading zero (`0644`), or hexadecimal (`0x1F`).
    Integer(i64),
    /// A number with a fraction or an exponent.
    Float(f64),
}

impl Hcl1Number {
    /// Reads a number as it is written. `None` if it is out of range, or not a number of HCL 1.
    ///
    /// ```
    /// use hclkit_syntax::Hcl1Number;
    /// assert_eq!(Hcl1Number::read("0644"), Some(Hcl1Number::Integer(420)));
    /// assert_eq!(Hcl1Number::read("-0x1F"), Some(Hcl1Number::Integer(-31)));
    /// assert_eq!(Hcl1Number::read("1.5e3"), Some(Hcl1Number::Float(1500.0)));
    /// assert_eq!(Hcl1Number::read("089"), None);
    /// ```
    pub fn read(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", text),
        };
        if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
            return None;
        }
        let radix = |radix, digits: &str| {
            let plain = digits.starts_with(|first: char| first.is_ascii_hexdigit());
            i64::from_str_radix(&format!("{sign}{digits}"), radix).ok().filter(|_| plain).map(Self::Integer)
        };
        if let Some(digits) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            return radix(16, digits);
        }
        if digits.contains(['.', 'e', 'E']) {
            // An exponent after a fraction without digits before it is read as something else.
            let ends = digits.ends_with(|last: char| last.is_ascii_digit() || last == '.');
            let number: f64 = text.parse().ok().filter(|_| ends)?;
            return number.is_finite().then_some(Self::Float(number));
        }
        match digits.strip_prefix('0') {
            Some(digits) if !digits.is_empty() => radix(8, digits),
            _ => text.parse().ok().map(Self::Integer),
        }
    }
}

/// In the native syntax.
impl fmt::Display for Hcl1Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            // All digits of its value: the shortest ones that give it are another number of HCL 2.
            Self::Float(number) if number.fract() == 0.0 => write!(f, "{number:.0}"),
            Self::Float(number) => number.fmt(f),
        }
    }
}

/// Why an escape sequence is not valid, and its offset in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InvalidEscape {
    pub(super) at: usize,
    pub(super) len: usize,
    pub(super) why: EscapeError,
}

/// What is wrong with an escape sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EscapeError {
    /// There is no such escape sequence.
    Unknown,
    /// It has too few digits.
    Digits,
    /// It is not a character.
    NotCharacter,
    /// The bytes of the string are not UTF-8.
    NotUtf8,
}

/// The contents of a quoted string, which may still contain carriage returns before line breaks.
pub(crate) fn quoted_text(contents: &str) -> Cow<'_, str> {
    let contents = with_line_feeds(contents);
    if memchr::memchr(b'\\', contents.as_bytes()).is_none() {
        return contents;
    }
    match unescape(&contents) {
        Ok(text) => Cow::Owned(text),
        // The lexer reported it.
        Err(_) => contents,
    }
}

/// The length of the escape sequence at the start of a text: a backslash and what belongs to it.
pub(super) fn escape_len(text: &str) -> Result<usize, InvalidEscape> {
    let bytes = text.as_bytes();
    let error = |len: usize, why| {
        let len = (1..=len).rev().find(|&len| text.is_char_boundary(len)).unwrap_or(1);
        Err(InvalidEscape { at: 0, len: len.min(text.len()), why })
    };
    let digits = |from: usize, count: usize, valid: fn(&u8) -> bool| {
        let found = bytes[from.min(bytes.len())..].iter().take(count).take_while(|byte| valid(byte)).count();
        if found == count { Ok(from + count) } else { error(from + found, EscapeError::Digits) }
    };
    match bytes.get(1) {
        Some(b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' | b'"') => Ok(2),
        Some(b'0'..=b'7') => digits(1, 3, |byte| matches!(byte, b'0'..=b'7')),
        Some(b'x') => digits(2, 2, u8::is_ascii_hexdigit),
        Some(b'u') => digits(2, 4, u8::is_ascii_hexdigit),
        Some(b'U') => digits(2, 8, u8::is_ascii_hexdigit),
        _ => error(1 + text[1..].chars().next().map_or(0, char::len_utf8), EscapeError::Unknown),
    }
}

/// The length of `${ … }` at the start of a text, with the braces in it. Quotes and line breaks do not end it.
pub fn sequence_len(text: &str) -> usize {
    let mut open = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' if open == 1 => return at + 1,
            b'}' => open -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Resolves the escape sequences outside of `${ … }`.
pub(super) fn unescape(contents: &str) -> Result<String, InvalidEscape> {
    let mut out = Vec::with_capacity(contents.len());
    let mut at = 0;
    while let Some(&byte) = contents.as_bytes().get(at) {
        let len = match byte {
            b'\\' => {
                let resolved = escape(&contents[at..], &mut out);
                resolved.map_err(|error| InvalidEscape { at: at + error.at, ..error })?
            }
            b'$' if contents.as_bytes().get(at + 1) == Some(&b'{') => {
                let len = sequence_len(&contents[at..]);
                out.extend_from_slice(&contents.as_bytes()[at..at + len]);
                len
            }
            _ => {
                let rest = &contents.as_bytes()[at..];
                let len = 1 + memchr::memchr2(b'\\', b'$', &rest[1..]).unwrap_or(rest.len() - 1);
                out.extend_from_slice(&rest[..len]);
                len
            }
        };
        at += len;
    }
    String::from_utf8(out).map_err(|_| InvalidEscape {
        at: 0,
        len: contents.len(),
        why: EscapeError::NotUtf8,
    })
}

/// Resolves the escape sequence at the start of a text, and returns its length.
fn escape(text: &str, out: &mut Vec<u8>) -> Result<usize, InvalidEscape> {
    let len = escape_len(text)?;
    let not_character = InvalidEscape { at: 0, len, why: EscapeError::NotCharacter };
    let code = |digits: &str, radix| u32::from_str_radix(digits, radix).map_err(|_| not_character);
    match text.as_bytes()[1] {
        b'a' => out.push(0x07),
        b'b' => out.push(0x08),
        b'f' => out.push(0x0c),
        b'n' => out.push(b'\n'),
        b'r' => out.push(b'\r'),
        b't' => out.push(b'\t'),
        b'v' => out.push(0x0b),
        // A byte, which need not be a character by itself.
        b'x' => out.push(u8::try_from(code(&text[2..4], 16)?).map_err(|_| not_character)?),
        b'0'..=b'7' => out.push(u8::try_from(code(&text[1..4], 8)?).map_err(|_| not_character)?),
        b'u' | b'U' => {
            let character = match code(&text[2..len], 16)? {
                // Halves of surrogate pairs are not joined.
                0xd800..=0xdfff => char::REPLACEMENT_CHARACTER,
                code => char::from_u32(code).ok_or(not_character)?,
            };
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        other => out.push(other),
    }
    Ok(len)
}

/// The text of a heredoc, from `<<` to the name that closes it. With `<<-`, the lines lose the white space before that
/// name, if all of them start with it; otherwise they keep theirs.
pub(crate) fn heredoc_text(whole: &str) -> Cow<'_, str> {
    let Some((opener, body)) = whole.split_once('\n') else { return Cow::Borrowed("") };
    let opener = opener.trim_end_matches('\r');
    let name = opener.trim_start_matches('<').trim_start_matches('-');
    let (lines, last) =
        body.rsplit_once('\n').map_or(("", body), |(lines, _)| body.split_at(lines.len() + 1));
    let Some(indentation) = last.rfind(name).map(|at| &last[..at]) else {
        // It is not closed, which the lexer reported.
        return with_line_feeds(body);
    };
    let text = &body[..lines.len() + indentation.len()];
    if !opener.starts_with("<<-") {
        return with_line_feeds(text);
    }
    let text = with_line_feeds(text);
    if text.split('\n').all(|line| line.starts_with(indentation)) {
        let kept: Vec<&str> = text.split('\n').map(|line| &line[indentation.len()..]).collect();
        return Cow::Owned(kept.join("\n"));
    }
    let without_last = text.strip_suffix(|_: char| !indentation.is_empty()).unwrap_or(&text);
    Cow::Owned(without_last.trim_end_matches([' ', '\t']).to_owned())
}

/// The text with line feeds for line breaks.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let has_returns = memchr::memchr(b'\r', text.as_bytes()).is_some();
    if has_returns && text.contains("\r\n") {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_resolved_outside_of_interpolations() {
        assert_eq!(unescape(r"a\n\t\a\101\x41\u00e9\U0001F600").unwrap(), "a\n\t\u{7}AAé😀");
        assert_eq!(unescape(r"${a(\n)}\n$${\t}").unwrap(), "${a(\\n)}\n$${\\t}");
        assert_eq!(unescape(r"\xc3\xa9\ud83d").unwrap(), "é\u{fffd}");
        assert_eq!(unescape(r"\xff").unwrap_err().why, EscapeError::NotUtf8);
        assert_eq!(unescape(r"a\q").unwrap_err(), InvalidEscape { at: 1, len: 2, why: EscapeError::Unknown });
    }

    #[test]
    fn indentation_is_that_of_the_closing_name() {
        assert_eq!(heredoc_text("<<A\n b\nA"), " b\n");
        assert_eq!(heredoc_text("<<A\n b\n  A"), " b\n  ");
        assert_eq!(heredoc_text("<<A\nA"), "");
        assert_eq!(heredoc_text("<<-A\n   b\n  c\n  A"), " b\nc\n");
        assert_eq!(heredoc_text("<<-A\n   b\n c\n  A"), "   b\n c\n");
        // A blank line is not indented.
        assert_eq!(heredoc_text("<<-A\r\n  b\r\n\r\n  A"), "  b\n\n");
    }
}
