//! Conversion of Rust names to HCL names.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Error, LitStr, Result};

/// A case of `rename_all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Snake,
    Kebab,
    Camel,
    Pascal,
    ScreamingSnake,
    Lower,
    Upper,
}

impl Case {
    pub(crate) fn of(text: &LitStr) -> Result<Case> {
        Ok(match text.value().as_str() {
            "snake_case" => Case::Snake,
            "kebab-case" => Case::Kebab,
            "camelCase" => Case::Camel,
            "PascalCase" => Case::Pascal,
            "SCREAMING_SNAKE_CASE" => Case::ScreamingSnake,
            "lowercase" => Case::Lower,
            "UPPERCASE" => Case::Upper,
            _ => {
                return Err(Error::new(
                    text.span(),
                    "expected one of \"snake_case\", \"kebab-case\", \"camelCase\", \"PascalCase\", \
                     \"SCREAMING_SNAKE_CASE\", \"lowercase\", \"UPPERCASE\"",
                ));
            }
        })
    }

    /// The name of a field or variant. Fields are in snake case already.
    pub(crate) fn apply(self, name: &Ident) -> String {
        let name = name.unraw().to_string();
        let words = words(&name);
        let join = |separator: &str, each: fn(&str) -> String| {
            words.iter().map(|word| each(word)).collect::<Vec<_>>().join(separator)
        };
        match self {
            Case::Snake => join("_", str::to_lowercase),
            Case::Kebab => join("-", str::to_lowercase),
            Case::ScreamingSnake => join("_", str::to_uppercase),
            Case::Lower => join("", str::to_lowercase),
            Case::Upper => join("", str::to_uppercase),
            Case::Pascal => join("", capitalized),
            Case::Camel => {
                let name = join("", capitalized);
                let mut letters = name.chars();
                letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
            }
        }
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}

/// The words of a name in snake case or Pascal case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut after_lower = false;
    for letter in name.chars() {
        if letter == '_' {
            after_lower = false;
            words.push(String::new());
            continue;
        }
        if words.is_empty() || (letter.is_uppercase() && after_lower) {
            words.push(String::new());
        }
        after_lower = !letter.is_uppercase();
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
