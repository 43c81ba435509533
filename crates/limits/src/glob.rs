//! Patterns of paths, which anybody can put into settings, arguments and ignore files. Only this module compiles them:
//! they become regular expressions, which take stack for each level of braces and memory for each character.

use std::fmt;
use std::path::Path;

use globset::{GlobBuilder, GlobSet};

/// The maximum length of a pattern in bytes, and the maximum number of open braces.
const BYTES: usize = 4_096;
const NESTING: usize = 10;

/// A pattern of paths, such as `**/*.{hcl,json}`. Stars do not match slashes, and a backslash escapes a character.
///
/// ```
/// use hclkit_limits::Glob;
///
/// let own = Glob::new("net/*.{tf,hcl}")?;
/// assert!(own.matches("net/main.tf") && !own.matches("net/a/main.tf"));
/// let why = |pattern: &str| Glob::new(pattern).unwrap_err().to_string();
/// assert_eq!(why(&"{".repeat(11)), "it contains more than 10 nested braces");
/// assert_eq!(why(&"?".repeat(4_097)), "it is longer than 4096 bytes");
/// # Ok::<(), hclkit_limits::GlobError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Glob(GlobSet);

/// Why a pattern cannot be used, as a clause that can follow it in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GlobError {
    /// It exceeds a limit.
    Limit(String),
    /// It is invalid.
    Invalid(String),
}

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Limit(why) | Self::Invalid(why)) = self;
        f.write_str(why)
    }
}

impl std::error::Error for GlobError {}

impl Glob {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// It exceeds a limit, or is invalid.
    #[expect(clippy::disallowed_methods, reason = "the pattern is checked")]
    pub fn new(pattern: &str) -> Result<Self, GlobError> {
        check(pattern)?;
        let invalid = |error: &globset::Error| GlobError::Invalid(error.kind().to_string());
        let glob = GlobBuilder::new(pattern).literal_separator(true).backslash_escape(true).build();
        // A set reports what is too large; a matcher of one pattern panics.
        let set = GlobSet::builder().add(glob.map_err(|error| invalid(&error))?).build();
        set.map(Self).map_err(|error| GlobError::Limit(format!("it is too large: {}", error.kind())))
    }

    /// Returns true if the pattern matches a whole path.
    pub fn matches(&self, path: impl AsRef<Path>) -> bool {
        self.0.is_match(path)
    }

    /// Returns true if the pattern matches the absolute path of a file.
    pub fn matches_on_disk(&self, path: &Path) -> bool {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let text = path.to_string_lossy();
        if cfg!(windows) { self.matches(text.replace('\\', "/")) } else { self.matches(&*text) }
    }
}

/// Compiles the lines of an ignore file, or globs with their syntax.
#[cfg(feature = "ignore")]
#[derive(Clone, Debug)]
pub struct IgnoreBuilder(ignore::gitignore::GitignoreBuilder);

#[cfg(feature = "ignore")]
impl IgnoreBuilder {
    /// Patterns of an ignore file in a directory. A bracket that is not closed is an ordinary character, as in Git.
    pub fn new(directory: impl AsRef<Path>) -> Self {
        Self(ignore::gitignore::GitignoreBuilder::new(directory))
    }

    /// Patterns that a user writes. A bracket that is not closed is an error.
    pub fn strict(directory: impl AsRef<Path>) -> Self {
        let mut builder = Self::new(directory);
        builder.0.allow_unclosed_class(false);
        builder
    }

    /// Adds a line.
    ///
    /// # Errors
    /// It exceeds a limit, or is invalid. Then nothing is added.
    #[expect(clippy::disallowed_methods, reason = "the pattern is checked")]
    pub fn add(&mut self, line: &str) -> Result<(), GlobError> {
        if line.starts_with('#') {
            return Ok(());
        }
        check(line)?;
        match self.0.add_line(None, line) {
            Ok(_) => Ok(()),
            Err(ignore::Error::Glob { err, .. }) => Err(GlobError::Invalid(err)),
            Err(other) => Err(GlobError::Invalid(other.to_string())),
        }
    }

    /// Compiles all lines.
    ///
    /// # Errors
    /// Together, they exceed a limit.
    pub fn build(&self) -> Result<ignore::gitignore::Gitignore, GlobError> {
        let limit = |why: String| GlobError::Limit(format!("the patterns are too large: {why}"));
        self.0.build().map_err(|error| match error {
            ignore::Error::Glob { err, .. } => limit(err),
            other => limit(other.to_string()),
        })
    }
}

/// Checks that a pattern is small enough to compile.
fn check(pattern: &str) -> Result<(), GlobError> {
    if pattern.len() > BYTES {
        return Err(GlobError::Limit(format!("it is longer than {BYTES} bytes")));
    }
    let mut open = 0_usize;
    let mut rest = pattern;
    while let Some(sign) = rest.chars().next() {
        rest = &rest[sign.len_utf8()..];
        match sign {
            '\\' => rest = rest.strip_prefix(|_: char| true).unwrap_or_default(),
            // Braces in a class are characters, in contrast to those behind a bracket that is not closed.
            '[' => rest = after_class(rest).unwrap_or(rest),
            '{' => open += 1,
            '}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > NESTING {
            return Err(GlobError::Limit(format!("it contains more than {NESTING} nested braces")));
        }
    }
    Ok(())
}

/// What follows a class of characters, whose first bracket was read. Its first character may be a closing bracket.
fn after_class(text: &str) -> Option<&str> {
    let inner = text.strip_prefix(['!', '^']).unwrap_or(text);
    let first = inner.chars().next()?.len_utf8();
    inner[first..].split_once(']').map(|(_, after)| after)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How deeply groups are nested in the regular expression that a pattern becomes. `**` is a group of its own.
    #[expect(clippy::disallowed_methods, reason = "the pattern is short")]
    fn levels(pattern: &str, unclosed: bool) -> Option<usize> {
        let mut builder = GlobBuilder::new(pattern);
        builder.literal_separator(true).backslash_escape(true).allow_unclosed_class(unclosed);
        let glob = builder.build().ok()?;
        let (mut level, mut most, mut escaped, mut in_class) = (0, 0, false, false);
        for byte in glob.regex().bytes() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' if in_class => in_class = false,
                _ if in_class => {}
                b'[' => in_class = true,
                b'(' => level += 1,
                b')' => level -= 1,
                _ => {}
            }
            most = most.max(level);
        }
        Some(most)
    }

    #[test]
    fn no_spelling_hides_nested_braces() {
        // The first three hide braces from a check that does not know classes and escapes.
        for part in ["{[}]", "{[!}]", "{[]}]", "{\\}", "{[\\}]", "{,", "{a[b]", "{[^]}]"] {
            for closing in ["", "}"] {
                let pattern = |levels: usize| part.repeat(levels) + &closing.repeat(levels);
                assert!(matches!(Glob::new(&pattern(NESTING + 1)), Err(GlobError::Limit(_))), "{part}");
                assert!(!matches!(Glob::new(&pattern(NESTING)), Err(GlobError::Limit(_))), "{part}");
            }
        }
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut accepted = 0;
        for _ in 0..200_000 {
            let mut pattern = String::new();
            for _ in 0..40 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let signs = ['{', '{', '{', '}', '[', ']', '\\', '!', '^', '-', ',', 'a', '*', '/'];
                pattern.push(signs[(state >> 33) as usize % signs.len()]);
            }
            let is_small = check(&pattern).is_ok();
            for unclosed in [false, true] {
                // Two more: the groups of `**` and of the whole pattern.
                let Some(levels) = levels(&pattern, unclosed) else { continue };
                accepted += usize::from(is_small);
                assert!(!is_small || levels <= NESTING + 2, "{pattern}: {levels}");
            }
        }
        assert!(accepted > 1_000, "{accepted}");
    }

    #[test]
    fn patterns_of_any_form_compile_or_are_errors() {
        let long = [
            "?".repeat(BYTES),
            "[^a-z]".repeat(BYTES / 6),
            format!("[{}]", "é".repeat(BYTES / 2 - 1)),
            format!("{{{}}}", "*,".repeat(BYTES / 2 - 1)),
            "**/".repeat(BYTES / 3),
            format!("{}{}", "{*,?".repeat(NESTING), "}".repeat(NESTING)),
        ];
        for pattern in &long {
            let found = Glob::new(pattern);
            assert!(found.is_ok() || matches!(found, Err(GlobError::Limit(_))), "{pattern:.20}");
        }
        for pattern in ["[", "{", "}", "[z-a]", "a\\", "{a,{b}"] {
            assert!(matches!(Glob::new(pattern), Err(GlobError::Invalid(_))), "{pattern}");
        }
    }

    #[cfg(feature = "ignore")]
    #[test]
    fn lines_of_ignore_files_have_the_same_limits() {
        for mut builder in [IgnoreBuilder::new(""), IgnoreBuilder::strict("")] {
            for line in ["{[}]".repeat(11), "!{".repeat(11), "?".repeat(BYTES + 1)] {
                assert!(matches!(builder.add(&line), Err(GlobError::Limit(_))), "{line:.20}");
            }
            builder.add("#{{{{{{{{{{{{").unwrap();
            builder.add("*.tmp").unwrap();
            assert_eq!(builder.build().unwrap().len(), 1);
        }
    }
}
