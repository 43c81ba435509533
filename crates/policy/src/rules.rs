//! Rules for any HCL, `*.rules.hcl`: a rule matches parts of files by a path, and its condition sees their evaluated values. Reading
//! them is in `rules/read.rs`, what they see in `rules/project.rs`, applying them in `rules/apply.rs`, their tests in `rules/cases.rs`.

mod apply;
mod builtin;
mod cases;
mod project;
mod read;

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use hclkit::model::TypeConstraint;
use hclkit::write::Selector;
use hclkit::{Body, Code, Context, Document, Expression, Severity, Type};

pub use builtin::{BUILTIN, Builtin};
pub use project::{EvaluatedModule, Project};
pub use read::{Reader, open};
pub(crate) use read::{texts, value_of_text};

/// What files of rules define.
#[derive(Debug, Default)]
pub struct Rules {
    pub(crate) all: Vec<Rule>,
    pub(crate) cases: Vec<Case>,
    /// The files and directories that tests name.
    fixtures: Vec<PathBuf>,
}

/// A rule.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) code: Code,
    severity: Severity,
    matches: Vec<Selector>,
    filter: Option<Expression>,
    condition: Expression,
    message: Expression,
    /// The part of a match at which findings are.
    place: Option<Selector>,
    fix: Option<FixRule>,
    scope: Arc<FileScope>,
    /// The names of attributes that are null where they are not set.
    names: BTreeSet<String>,
    sees: Sees,
}

/// The attributes of `item`.
const ITEM: [&str; 13] = [
    "address",
    "constant",
    "directory",
    "file",
    "labels",
    "language",
    "line",
    "name",
    "path",
    "references",
    "set",
    "type",
    "used_by",
];

/// The type of one of them.
fn type_of_item(name: &str) -> Type {
    match name {
        "constant" => Type::Bool,
        "labels" | "references" | "set" | "used_by" => Type::list(Type::String),
        "line" => Type::Number,
        _ => Type::String,
    }
}

/// Which names a rule uses.
#[derive(Clone, Debug, Default)]
struct Sees {
    module: bool,
    parent: bool,
    /// The arguments and nested blocks of `self` and `parent`. `None` if these are used as a whole.
    parts: Option<BTreeSet<String>>,
    /// The attributes of `item`.
    item: Vec<&'static str>,
}

/// What a rule changes.
#[derive(Debug)]
struct FixRule {
    title: Option<Expression>,
    /// The edits: what is done, and with which paths and values.
    edits: Vec<(FixKind, Expression)>,
}

/// A kind of edit, which is an argument of `fix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FixKind {
    Set,
    SetSource,
    Append,
    Prepend,
    Rename,
    Delete,
}

impl FixKind {
    const ALL: [(&'static str, Self); 6] = [
        ("set", Self::Set),
        ("set_source", Self::SetSource),
        ("append", Self::Append),
        ("prepend", Self::Prepend),
        ("rename", Self::Rename),
        ("delete", Self::Delete),
    ];
}

/// The names that the rules of a file share: parameters, local values and functions.
#[derive(Debug)]
pub(crate) struct FileScope {
    /// The context without parameters that tests set.
    ready: OnceLock<Ready>,
    parameters: Vec<ParameterRule>,
    locals: Vec<(String, Expression)>,
    /// The bodies of files, which define functions.
    functions: Vec<Body>,
}

/// A context, in which functions see each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ready(Arc<OnceLock<Context>>);

impl Ready {
    fn context(&self) -> Context {
        self.0.get().cloned().unwrap_or_default()
    }
}

/// A parameter of rules.
#[derive(Debug)]
struct ParameterRule {
    name: String,
    ty: Option<TypeConstraint>,
    value: hclkit::Value,
}

/// A test of the rules of a file.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// The file with the test.
    document: Document,
    place: hclkit::Place,
    /// The files, by name. None if they are read from a directory or a file.
    files: Result<Vec<(String, String)>, String>,
    /// The rules that the case is about. Empty for all of the file.
    rules: Vec<String>,
    expect: Vec<String>,
    unknown: Vec<String>,
    variables: Vec<(String, hclkit::Value)>,
    params: Vec<(String, hclkit::Value)>,
    fixed: Option<String>,
    /// The rules of the file, by number.
    own: Vec<usize>,
}

impl Rules {
    /// The number of rules.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns true if there are no rules.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The names of the rules.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|rule| rule.name.as_str())
    }

    /// The codes of the rules, and their severities, for reports.
    pub fn codes(&self) -> impl Iterator<Item = (Code, Severity)> {
        self.all.iter().map(|rule| (rule.code, rule.severity))
    }

    /// The number of tests.
    pub fn tests(&self) -> usize {
        self.cases.len()
    }

    /// The rules that no test names or expects.
    pub fn untested(&self) -> Vec<&str> {
        let is_tested = |rule: &&str| {
            let names = |entry: &String| {
                entry == rule || entry.split_once(": ").is_some_and(|(name, _)| name == *rule)
            };
            self.cases
                .iter()
                .any(|case| case.rules.iter().chain(&case.expect).chain(&case.unknown).any(names))
        };
        self.names().filter(|rule| !is_tested(rule)).collect()
    }

    /// Whether a file is one that a test names, or is in a directory that one names.
    pub fn is_fixture(&self, file: &Path) -> bool {
        self.fixtures.iter().any(|fixture| file.starts_with(fixture))
    }
}

/// The code of a rule.
pub(crate) fn code_of(name: &str, summary: &str, docs: &str, page: &str) -> Code {
    /// A server reads the rules of a project again after each change.
    const MOST_BYTES: usize = 32 << 20;
    static TEXTS: Mutex<Option<Texts>> = Mutex::new(None);
    let mut texts = TEXTS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let texts = texts.get_or_insert_with(|| Texts::new(MOST_BYTES));
    let mut text = |own, otherwise| texts.keep(own, otherwise);
    Code::custom(text(name, "rule"), text(summary, "A rule"))
        .with_explanation(text(docs, ""))
        .with_page(text(page, ""))
}

/// Codes are static, so the texts of rules stay in memory: each of them once, and together no more than a number of bytes.
struct Texts {
    known: HashSet<&'static str>,
    left: usize,
}

impl Texts {
    fn new(most: usize) -> Self {
        Self { known: HashSet::new(), left: most }
    }

    /// The same text, or another one if there are too many.
    fn keep(&mut self, text: &str, otherwise: &'static str) -> &'static str {
        if let Some(known) = self.known.get(text) {
            return known;
        }
        let Some(left) = self.left.checked_sub(text.len()) else { return otherwise };
        self.left = left;
        let kept: &'static str = Box::leak(text.to_owned().into_boxed_str());
        self.known.insert(kept);
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;

    #[test]
    fn texts_of_rules_are_kept_once_and_up_to_a_limit() {
        let mut texts = Texts::new(6);
        let first = texts.keep("abc", "");
        assert!(std::ptr::eq(first, texts.keep("abc", "")) && texts.left == 3);
        assert_eq!((texts.keep("defg", "other"), texts.keep("def", "")), ("other", "def"));
        assert_eq!((texts.keep("x", "other"), texts.keep("abc", "other")), ("other", "abc"));
    }
}
