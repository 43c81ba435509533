//! Names of files: patterns, what a file contains, and the syntax that a name implies.
//!
//! Tables list names in the native syntax. A file in the JSON syntax has the same name with `.json` at its end, in place of
//! `.hcl` where there is one: `main.tf.json`, `build.pkr.json`.

use std::path::Path;

use hclkit_syntax::Syntax;

use crate::Dialect;

/// What a file of a language contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// Declarations. With the other files of its directory, it is one configuration.
    Module,
    /// Values of input variables.
    Values,
    /// Tests of a configuration.
    Tests,
    /// Mocks for tests.
    Mocks,
    /// Queries of what exists.
    Queries,
    /// Settings of the program, such as those of a backend.
    Settings,
    /// A template: text that is not a configuration.
    Template,
}

/// The names of the kinds in tables.
pub(crate) const KINDS: [(&str, FileKind); 7] = [
    ("module", FileKind::Module),
    ("values", FileKind::Values),
    ("tests", FileKind::Tests),
    ("mocks", FileKind::Mocks),
    ("queries", FileKind::Queries),
    ("settings", FileKind::Settings),
    ("template", FileKind::Template),
];

/// A name of files in the native syntax: a name, or `*` and the end of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern(pub(crate) String);

/// The end of a name in the JSON syntax, without `.json`. A name that is only `.hcl` keeps it.
fn json_stem(native: &str) -> &str {
    native.strip_suffix(".hcl").filter(|stem| !stem.is_empty() && *stem != "*").unwrap_or(native)
}

impl Pattern {
    /// The pattern as it is shown in messages: `*.pkr.json` for files in the JSON syntax.
    pub(crate) fn json(&self) -> String {
        format!("{}.json", json_stem(&self.0))
    }

    /// Returns the syntax of a file with this name, if the name matches.
    pub(crate) fn syntax(&self, name: &str) -> Option<Syntax> {
        syntax_of_name(&self.0, name)
    }
}

/// Returns the syntax of a file with this name, if a pattern matches it.
pub(crate) fn syntax_of_name(pattern: &str, name: &str) -> Option<Syntax> {
    if is_match(pattern, name) {
        return Some(Syntax::of(name));
    }
    let json = name.strip_suffix(".json")?;
    is_match(json_stem(pattern), json).then_some(Syntax::Json)
}

/// Returns true if a name has more than the end that a pattern says.
fn is_match(pattern: &str, name: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(end) => name.len() > end.len() && name.ends_with(end),
        None => name == pattern,
    }
}

/// The name of a file in lower case and without the ending of YAML, which is converted like JSON.
pub(crate) fn plain_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match [".yaml", ".yml"].iter().find_map(|end| name.strip_suffix(end)) {
        Some(stem) => format!("{stem}.json"),
        None => name,
    }
}

/// Returns the syntax of any file, ignoring case, or `None` if its name is not a conventional name of a configuration file.
///
/// ```
/// use hclkit_dialect::syntax_of_path;
/// use hclkit_syntax::Syntax;
///
/// assert_eq!(syntax_of_path("main.tf"), Some(Syntax::Native));
/// assert_eq!(syntax_of_path("main.tf.json"), Some(Syntax::Json));
/// assert_eq!(syntax_of_path("debian.pkr.json"), Some(Syntax::Json));
/// assert_eq!(syntax_of_path("package.json"), None);
/// assert_eq!(syntax_of_path("user-data.pkrtpl.hcl"), None);
/// ```
pub fn syntax_of_path(path: impl AsRef<Path>) -> Option<Syntax> {
    let name = path.as_ref().file_name()?.to_string_lossy().to_ascii_lowercase();
    // A name that is only an extension, such as `.tf`, counts.
    let name = if name.starts_with('.') { format!("_{name}") } else { name };
    let (kind, syntax) = Dialect::with_file(&name, &[]).find_map(|dialect| dialect.match_file(&name))?;
    (kind != FileKind::Template).then_some(syntax)
}
