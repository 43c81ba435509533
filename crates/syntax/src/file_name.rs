//! The syntax that the name of a file implies.

use std::path::Path;

/// The syntaxes of HCL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// The native syntax, for people: `name = value`.
    Native,
    /// The JSON syntax, for machines.
    Json,
    /// HCL 1, the syntax of older applications, which is only read. No name of a file implies it.
    Hcl1,
}

impl Syntax {
    /// Its name: `native`, `json` or `hcl1`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Json => "json",
            Self::Hcl1 => "hcl1",
        }
    }

    /// Returns the syntax of a configuration file: JSON if its name ends with `.json`, ignoring case, and native
    /// otherwise.
    ///
    /// ```
    /// use hclkit_syntax::Syntax;
    /// assert_eq!(Syntax::of("main.tf"), Syntax::Native);
    /// assert_eq!(Syntax::of("main.tf.json"), Syntax::Json);
    /// assert_eq!(Syntax::of("VARS.JSON"), Syntax::Json);
    /// ```
    pub fn of(path: impl AsRef<Path>) -> Self {
        let ending = path.as_ref().extension();
        if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
            Self::Json
        } else {
            Self::Native
        }
    }
}
