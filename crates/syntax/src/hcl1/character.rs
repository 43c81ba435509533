//! The characters of names in HCL 1: letters and digits of Unicode, and when names count as equal.

/// Returns true for the letters of Unicode (general category L) and the underscore, which can start a name.
pub(super) fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic() || character == '_';
    }
    match character {
        // Letters that cannot start an identifier of Unicode, because they change when they are normalized.
        '\u{37a}'
        | '\u{e33}'
        | '\u{eb3}'
        | '\u{2e2f}'
        | '\u{fc5e}'..='\u{fc63}'
        | '\u{fdfa}'
        | '\u{fdfb}'
        | '\u{fe70}'
        | '\u{fe72}'
        | '\u{fe74}'
        | '\u{fe76}'
        | '\u{fe78}'
        | '\u{fe7a}'
        | '\u{fe7c}'
        | '\u{fe7e}'
        | '\u{ff9e}'
        | '\u{ff9f}' => true,
        // Characters that can start one, and are not letters.
        '\u{1885}' | '\u{1886}' | '\u{2118}' | '\u{212e}' => false,
        _ => unicode_ident::is_xid_start(character) && !character.is_numeric(),
    }
}

/// Returns true for the decimal digits of Unicode (general category Nd).
pub(super) fn is_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_digit();
    }
    // Ethiopic digits and one of New Tai Lue are numbers of another kind.
    !matches!(character, '\u{1369}'..='\u{1371}' | '\u{19da}')
        && character.is_numeric()
        && unicode_ident::is_xid_continue(character)
        && !unicode_ident::is_xid_start(character)
}

/// Maps characters that differ only in case to one of them, as simple case folding of Unicode does. Names of several
/// parts that are equal then are one name for the reference.
pub fn fold_case(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    // The dotless i has no other case in simple folding.
    if character == '\u{131}' {
        return character;
    }
    let upper = only(character.to_uppercase()).unwrap_or(character);
    only(upper.to_lowercase()).unwrap_or(character)
}

/// The character, if there is only one.
fn only(mut characters: impl Iterator<Item = char>) -> Option<char> {
    let first = characters.next()?;
    characters.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters whose kind is not that of identifiers, and some that are.
    #[test]
    fn letters_and_digits_are_those_of_their_categories() {
        for letter in ['a', '_', 'é', 'ª', '日', '\u{37a}', '\u{e33}', '\u{ff9e}', '\u{fdfa}'] {
            assert!(is_letter(letter) && !is_digit(letter), "{letter:?}");
        }
        for digit in ['0', '٣', '９', '\u{1d7d8}'] {
            assert!(is_digit(digit) && !is_letter(digit), "{digit:?}");
        }
        for other in ['-', 'Ⅳ', '²', '℘', '℮', '\u{1885}', '\u{1369}', '\u{19da}', '\u{301}', 'Ⓐ'] {
            assert!(!is_letter(other) && !is_digit(other), "{other:?}");
        }
    }

    #[test]
    fn case_is_folded_as_simple_folding_does() {
        for [one, other] in
            [['K', '\u{212a}'], ['s', 'ſ'], ['å', '\u{212b}'], ['ß', 'ẞ'], ['σ', 'ς'], ['θ', 'ϴ'], ['ǆ', 'ǅ']]
        {
            assert_eq!(fold_case(one), fold_case(other), "{one} {other}");
        }
        for [one, other] in [['i', 'ı'], ['i', 'İ'], ['s', 'ß']] {
            assert_ne!(fold_case(one), fold_case(other), "{one} {other}");
        }
    }
}
