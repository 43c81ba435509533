//! File names: the syntax that a name implies, and the conventional names of configuration files.

use std::path::Path;

/// The two syntaxes of HCL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// The native syntax, for people: `name = value`.
    Native,
    /// The JSON syntax, for machines.
    Json,
}

/// File extensions of the native syntax, without the first dot.
///
/// `.pkr.hcl`, `.tftest.hcl`, `.nomad.hcl` and the like also end with `.hcl`.
const NATIVE_ENDINGS: [&str; 6] = ["hcl", "tf", "tfvars", "tfbackend", "tofu", "nomad"];

/// The same before `.json`, where the native names have two extensions, such as `.pkr.hcl` and `.pkr.json`.
const JSON_ENDINGS: [&str; 6] = ["pkr", "pkrvars", "tftest", "tofutest", "tfmock", "tfquery"];

/// Ends of the names of templates, such as those that Packer's `templatefile` reads, which are not configuration.
const TEMPLATE_ENDINGS: [&str; 1] = [".pkrtpl.hcl"];

impl Syntax {
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

    /// Returns the syntax of any file, or `None` if its name is not a conventional name of a configuration file.
    ///
    /// ```
    /// use hclkit_syntax::Syntax;
    /// assert_eq!(Syntax::of_path("main.tf"), Some(Syntax::Native));
    /// assert_eq!(Syntax::of_path("main.tf.json"), Some(Syntax::Json));
    /// assert_eq!(Syntax::of_path("debian.pkr.json"), Some(Syntax::Json));
    /// assert_eq!(Syntax::of_path("package.json"), None);
    /// assert_eq!(Syntax::of_path("user-data.pkrtpl.hcl"), None);
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Option<Self> {
        let name = Path::new(path.as_ref().file_name()?);
        let bytes = name.as_os_str().as_encoded_bytes();
        let has_end = |end: &&str| {
            bytes.len() > end.len() && bytes[bytes.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
        };
        if TEMPLATE_ENDINGS.iter().any(has_end) {
            return None;
        }
        let syntax = Self::of(name);
        let native = match syntax {
            Self::Native => name,
            Self::Json => Path::new(name.file_stem()?),
        };
        // A name that is only an extension, such as `.tf`, counts.
        let native = native.as_os_str().as_encoded_bytes();
        let dot = native.iter().rposition(|&byte| byte == b'.')?;
        let is_in = |endings: &[&str]| {
            endings.iter().any(|it| it.as_bytes().eq_ignore_ascii_case(&native[dot + 1..]))
        };
        let is_known = is_in(&NATIVE_ENDINGS) || syntax == Self::Json && is_in(&JSON_ENDINGS);
        is_known.then_some(syntax)
    }
}
