//! Attributes that applications read without evaluating them. In the JSON syntax, their values are plain text: a type
//! expression, a reference, a keyword, or a string that is not a template.

/// A pattern for attributes: `name`, `block.name`, `block.*`, or `top/block.name` for blocks below those of a type in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    top: Option<String>,
    block: Option<String>,
    /// `None` for all.
    name: Option<String>,
}

impl Pattern {
    pub(super) fn new(text: &str) -> Self {
        let (top, text) = match text.split_once('/') {
            Some((top, rest)) => (Some(top.to_owned()), rest),
            None => (None, text),
        };
        let (block, name) = match text.split_once('.') {
            Some((block, name)) => (Some(block.to_owned()), name),
            None => (None, text),
        };
        Self { top, block, name: (name != "*").then(|| name.to_owned()) }
    }

    /// `block` is the type of the block around the attribute, and `top` that of the outermost one.
    pub(super) fn matches(&self, top: Option<&str>, block: Option<&str>, name: &str) -> bool {
        self.top.as_deref().is_none_or(|expected| Some(expected) == top)
            && self.name.as_deref().is_none_or(|expected| expected == name)
            && self.block.as_deref().is_none_or(|expected| Some(expected) == block)
    }
}

/// The attributes that are read without being evaluated, in either direction of the conversion.
#[derive(Debug, Clone, Default)]
pub(super) struct Statics {
    /// Whether all attributes are static.
    pub(super) all: bool,
    /// The patterns with a name.
    named: Vec<Pattern>,
    /// Those for all attributes of a block.
    unnamed: Vec<Pattern>,
    /// The hashes of the names. Most attributes have another one, and are compared with no name.
    hashes: u128,
}

impl Statics {
    pub(super) fn extend(&mut self, patterns: impl IntoIterator<Item = impl AsRef<str>>) {
        for pattern in patterns {
            let pattern = Pattern::new(pattern.as_ref());
            match &pattern.name {
                Some(name) => {
                    self.hashes |= 1 << hash(name);
                    self.named.push(pattern);
                }
                None => self.unnamed.push(pattern),
            }
        }
    }

    /// Whether an attribute is among them, unless all are.
    pub(super) fn contains(&self, top: Option<&str>, block: Option<&str>, name: &str) -> bool {
        let matches = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(top, block, name));
        self.hashes >> hash(name) & 1 != 0 && matches(&self.named) || matches(&self.unnamed)
    }
}

/// A number less than 128 that is the same for equal names.
fn hash(name: &str) -> usize {
    let first = name.bytes().next().map_or(0, usize::from);
    (31 * name.len() + first) % 128
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Statics};

    #[test]
    fn patterns() {
        let cases = [
            ("type", None, "type", true),
            ("type", Some("variable"), "type", true),
            ("variable.type", Some("variable"), "type", true),
            ("variable.type", Some("resource"), "type", false),
            ("variable.type", None, "type", false),
            ("required_providers.*", Some("required_providers"), "aws", true),
            ("required_providers.*", Some("resource"), "aws", false),
        ];
        for (pattern, block, name, expected) in cases {
            assert_eq!(
                Pattern::new(pattern).matches(None, block, name),
                expected,
                "{pattern} {block:?} {name}"
            );
            let below = Pattern::new(&format!("terraform/{pattern}"));
            assert_eq!(below.matches(Some("terraform"), block, name), expected, "{pattern} {block:?} {name}");
            assert!(!below.matches(Some("resource"), block, name), "{pattern} {block:?} {name}");
            let mut statics = Statics::default();
            statics.extend(["depends_on", "lifecycle.ignore_changes"]);
            statics.extend([pattern]);
            assert_eq!(statics.contains(None, block, name), expected, "{pattern} {block:?} {name}");
        }
    }
}
