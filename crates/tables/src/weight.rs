//! About how much memory it takes to parse a content, before it is parsed. A parser makes tokens and nodes that are many times
//! larger than the text, so what counts is how many words and signs a text has.

/// What is smaller takes so little that nobody asks.
const SMALL: usize = 32 << 10;

/// What a word or a sign takes: its token, its node, its reference and its part of the rows. `cargo xtask hostile` has the texts
/// that take most.
const WORD: u64 = 160;

/// What a byte takes that is neither text nor a sign of the language. It is written as six in JSON.
const OTHER: u64 = 24;

/// The kinds of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A part of a word.
    Word,
    Blank,
    Sign,
    Other,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut at = 0;
    while at < 256 {
        kinds[at] = match at as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => Kind::Word,
            b' ' | b'\t' | b'\r' => Kind::Blank,
            b'\n' | b'!'..=b'~' => Kind::Sign,
            _ => Kind::Other,
        };
        at += 1;
    }
    kinds
};

/// About how many bytes are needed at most. 0 if they are so few that nobody needs to ask.
pub(crate) fn large(bytes: &[u8]) -> u64 {
    if bytes.len() <= SMALL { 0 } else { of(bytes) }
}

/// About how many bytes are needed at most. What is in a string without interpolations is one token. Where it is not certain that
/// something is in a string, it counts as if it were not.
pub(crate) fn of(bytes: &[u8]) -> u64 {
    let (mut words, mut others) = (0_u64, 0_u64);
    let mut before = Kind::Blank;
    let (mut last, mut in_string) = (0, false);
    // After an interpolation or a comment, until the end of the line, and after `/*`, quotes can mean anything.
    let (mut is_certain, mut has_comment) = (true, false);
    for &byte in bytes {
        let kind = KINDS[usize::from(byte)];
        words +=
            u64::from(!in_string && (kind == Kind::Sign || (kind == Kind::Word && before != Kind::Word)));
        others += u64::from(kind == Kind::Other);
        match byte {
            b'\n' => (in_string, is_certain) = (false, !has_comment),
            b'"' if is_certain && in_string => in_string = last == b'\\',
            b'"' if is_certain => {
                in_string = true;
                // The end, which is not counted in the string.
                words += 1;
            }
            b'{' if in_string && matches!(last, b'$' | b'%') => (in_string, is_certain) = (false, false),
            b'#' | b'/' if !in_string => is_certain = false,
            b'*' if !in_string && last == b'/' => (has_comment, is_certain) = (true, false),
            _ => {}
        }
        // A backslash escapes one character.
        last = if byte == b'\\' && last == b'\\' { 0 } else { byte };
        before = kind;
    }
    bytes.len() as u64 + words * WORD + others * OTHER
}

#[cfg(test)]
mod tests {
    use super::{large, of};

    #[test]
    fn words_count_and_not_bytes() {
        assert_eq!(large(b"a = 1\n"), 0);
        assert!(of(b"a = 1\n") > 300);
        let long = format!("a = \"{}\"\n", "x".repeat(1 << 20));
        let dense = "a=1\n".repeat(1 << 18);
        assert!(of(long.as_bytes()) < 2 << 20);
        assert!(of(dense.as_bytes()) > 100 << 20);
        assert!(of(&vec![0xff; 1 << 20]) > 10 << 20);
    }

    /// Pretty JSON with texts is far less than its words, and nothing hides words: neither quotes in comments, nor escapes, nor
    /// interpolations.
    #[test]
    fn strings_are_one_word_each() {
        let json = "  \"some_key\": \"a text of some words, and signs; \\\" too\",\n".repeat(1 << 10);
        assert!(of(json.as_bytes()) < 1_200 << 10);
        let dense = "[b,c]".repeat(1 << 10);
        let most = of(dense.as_bytes());
        for start in [
            "/*\"*/",
            "# \"\n",
            "/*\n\"*/",
            "\"\\\\\"",
            "\"${a}\"",
            "\"%{ if a }\"",
            "\"a\"",
            "\"",
            "\"\\\"\n",
            "//\"\n",
        ] {
            let is_string = start == "\"";
            let found = of(format!("{start}{dense}").as_bytes());
            assert_eq!(found < most, is_string, "{start}");
        }
    }
}
