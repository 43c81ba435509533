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
    pub(crate) fn of(text: &LitStr) -> Result<Self> {
        Ok(match text.value().as_str() {
            "snake_case" => Self::Snake,
            "kebab-case" => Self::Kebab,
            "camelCase" => Self::Camel,
            "PascalCase" => Self::Pascal,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
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
            Self::Snake => join("_", str::to_lowercase),
            Self::Kebab => join("-", str::to_lowercase),
            Self::ScreamingSnake => join("_", str::to_uppercase),
            Self::Lower => join("", str::to_lowercase),
            Self::Upper => join("", str::to_uppercase),
            Self::Pascal => join("", capitalized),
            Self::Camel => {
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
