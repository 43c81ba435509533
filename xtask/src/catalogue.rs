//! A test: the texts of diagnostics are in the catalogue of their crate, so that they can be read in one sitting.

use std::fs;
use std::path::{Path, PathBuf};

use crate::programs::root;
use crate::prose::literals;

/// The directories that are searched, and what their catalogues begin with.
const SEARCHED: [(&str, &[&str]); 5] = [
    ("crates/syntax/src", &["texts", "code.rs"]),
    ("crates/model/src", &["messages"]),
    ("crates/hclkit/src", &["messages"]),
    ("crates/module/src", &["messages"]),
    ("crates/cli/src", &["messages"]),
];

/// Files with other texts: descriptions and errors of functions, errors of serde, of files and of paths, texts for other
/// libraries, names in tables, reports and generated documentation.
const OTHER_TEXTS: [&str; 19] = [
    "crates/model/src/functions/special.rs",
    "crates/model/src/operations.rs",
    "crates/model/src/path.rs",
    "crates/model/src/path/",
    "crates/model/src/serde.rs",
    "crates/hclkit/src/serde/",
    "crates/hclkit/src/integrations/",
    "crates/hclkit/src/functions.rs",
    "crates/hclkit/src/digits.rs",
    "crates/hclkit/src/render.rs",
    "crates/hclkit/src/render/",
    "crates/hclkit/src/schema.rs",
    "crates/hclkit/src/schema/",
    "crates/module/src/files.rs",
    "crates/module/src/graph/text.rs",
    "crates/module/src/language/read.rs",
    "crates/module/src/pattern.rs",
    "crates/module/src/reasons.rs",
    // Usage, help, and errors about files. Texts that are put into a diagnostic are found there, too.
    "crates/cli/src/",
];

/// What creates a diagnostic, or adds a text to one.
const INTO_DIAGNOSTICS: [&str; 7] = [
    "Diagnostic::error(",
    "Diagnostic::warning(",
    ".with_note(",
    ".with_edit(",
    ".with_related(",
    ".with_related_span(",
    "Fix::new(",
];

/// The code before texts that are for programmers, and before errors of files and functions.
const FOR_OTHERS: [&str; 11] = [
    "assert",
    "panic!",
    ".expect(",
    "reason =",
    "message =",
    "label =",
    "note =",
    "trace.note(",
    "Error::new(",
    "Error::without_values(",
    "Error::custom(",
];

#[test]
fn texts_of_diagnostics_are_in_catalogues() {
    let (mut searched, mut misplaced) = (0, Vec::new());
    for (directory, catalogue) in SEARCHED {
        for path in files(&root().join(directory)) {
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            let inner = &name[directory.len() + 1..];
            if catalogue.iter().any(|start| inner.starts_with(start)) {
                continue;
            }
            searched += 1;
            let all = !OTHER_TEXTS.iter().any(|start| name.starts_with(start));
            for literal in literals(&fs::read_to_string(&path).unwrap()) {
                if is_text(&literal.text) && is_misplaced(literal.before, all) {
                    misplaced.push(format!("{name}:{}: {}", literal.line, literal.text));
                }
            }
        }
    }
    assert!(searched > 150, "{searched} files");
    assert!(misplaced.is_empty(), "not in a catalogue:\n{}", misplaced.join("\n"));
}

/// Returns true if a text after this code belongs in a catalogue. If `all` is false, only texts that become part of a
/// diagnostic do.
fn is_misplaced(before: &str, all: bool) -> bool {
    let statement = before.rsplit([';', '{', '}']).next().unwrap_or_default();
    if INTO_DIAGNOSTICS.iter().any(|call| statement.contains(call)) {
        return true;
    }
    all && !FOR_OTHERS.iter().any(|call| statement.contains(call))
}

/// Two words in a row.
fn is_text(text: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_end_matches([',', '.', ':', ';', '?']);
        word.len() > 1 && word.chars().all(|character| character.is_alphabetic() || character == '\'')
    };
    let words: Vec<_> = text.split(' ').map(is_word).collect();
    words.windows(2).any(|two| two == [true; 2])
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn texts_in_diagnostics_are_found() {
    let source = "fn f() { Diagnostic::error(code).with_note(format!(\"no such {what} here\")) }\n\
                  fn g() { assert!(ok, \"never seen\"); other(\"some text\") }";
    let misplaced = |all: bool| -> Vec<String> {
        let literals = literals(source).into_iter();
        let found = literals.filter(|one| is_text(&one.text) && is_misplaced(one.before, all));
        found.map(|one| one.text).collect()
    };
    assert_eq!(misplaced(true), ["no such {what} here", "some text"]);
    assert_eq!(misplaced(false), ["no such {what} here"]);
}
