//! Patterns of names as in Go's `path.Match`, without `/`: `*`, `?`, `[a-z]`, `[^a-z]`, and `\` before a character.

/// Whether a text is a pattern, not a name.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', ']'])
}

/// Whether a pattern matches a whole name. An invalid pattern matches nothing.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // The place after the last `*`, and how much of the name it covers.
    let (mut at, mut taken, mut star) = (0, 0, None);
    loop {
        if at < pattern.len() && pattern[at] == '*' {
            star = Some((at + 1, taken));
            at += 1;
            continue;
        }
        let step = match (pattern.get(at), name.get(taken)) {
            (None, None) => return true,
            (Some(_), Some(found)) => one(&pattern[at..], *found),
            _ => Some((false, 0)),
        };
        match step {
            None => return false,
            Some((true, length)) => (at, taken) = (at + length, taken + 1),
            Some((false, _)) => match star {
                Some((after, covered)) if covered < name.len() => {
                    star = Some((after, covered + 1));
                    (at, taken) = (after, covered + 1);
                }
                _ => return false,
            },
        }
    }
}

/// Whether the first part of a pattern matches a character, and its length; `None` if it is invalid.
fn one(pattern: &[char], found: char) -> Option<(bool, usize)> {
    match pattern[0] {
        '?' => Some((true, 1)),
        '\\' => pattern.get(1).map(|own| (*own == found, 2)),
        '[' => {
            let negated = pattern.get(1) == Some(&'^');
            let start = if negated { 2 } else { 1 };
            let (mut at, mut matched) = (start, false);
            loop {
                if at > start && pattern.get(at) == Some(&']') {
                    return Some((matched != negated, at + 1));
                }
                let low = bound(pattern, &mut at)?;
                let mut high = low;
                if pattern.get(at) == Some(&'-') {
                    at += 1;
                    high = bound(pattern, &mut at)?;
                }
                matched |= low <= found && found <= high;
            }
        }
        own => Some((own == found, 1)),
    }
}

/// A character of a class.
fn bound(pattern: &[char], at: &mut usize) -> Option<char> {
    let escaped = usize::from(*pattern.get(*at)? == '\\');
    let found = *pattern.get(*at + escaped)?;
    if escaped == 0 && (found == '-' || found == ']') {
        return None;
    }
    *at += escaped + 1;
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name) in [
            ("*", ""),
            ("a*", "abc"),
            ("*-c", "a-b-c"),
            ("a?c", "abc"),
            ("[a-c]x", "bx"),
            ("[^a]", "b"),
            ("a\\*", "a*"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("a", "ab"), ("?", ""), ("[a-c]", "d"), ("[^a]", "a"), ("[", "["), ("[]a]", "]"), ("*b", "a")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
