//! The suite: cases under `tests/suite/<chapter of the specification>/`, each an input and the expected tree and
//! diagnostics.
//!
//! A case is `=== name (options)`, the source, `--- tree` with the tree as an S-expression, and `--- diagnostics` if
//! there are any. Sources in directories whose names begin with `json-` are in the JSON syntax. `BLESS=1 cargo test -p
//! hclkit-syntax --test suite` writes the actual results; review the diff.

#[path = "suite/dump.rs"]
mod dump;
#[path = "suite/dump_json.rs"]
mod dump_json;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use hclkit_limits::Limits;
use hclkit_syntax::{Code, Diagnostic, Document, Entry, Fix, Source, apply_fixes, json};
use similar::TextDiff;

/// The syntax of the sources in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Native,
    Json,
}

/// A parsed source.
enum Found {
    Native(Document),
    Json(json::JsonDocument),
}

impl Found {
    fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Native(document) => document.diagnostics(),
            Self::Json(document) => document.diagnostics(),
        }
    }

    fn source(&self) -> &Source {
        match self {
            Self::Native(document) => document.source(),
            Self::Json(document) => document.source(),
        }
    }

    /// The number of comments.
    fn comments(&self) -> usize {
        match self {
            Self::Native(document) => {
                document.tokens().iter().filter(|token| token.kind.is_comment()).count()
            }
            Self::Json(_) => 0,
        }
    }

    fn dump(&self) -> String {
        match self {
            Self::Native(document) => dump::document(document),
            Self::Json(document) => dump_json::document(document),
        }
    }
}

/// A case of a file.
struct Case {
    /// The first line of the case, without `=== `.
    header: String,
    syntax: Syntax,
    entry: Entry,
    max_nesting: u32,
    /// The source as written in the file.
    written: String,
    /// The source as it is parsed.
    source: Vec<u8>,
    /// The expected tree and diagnostics.
    expected: String,
}

impl Case {
    /// Parses a case. The options of the header, separated by commas: `expression`, `template`, `traversal` and
    /// `partial-traversal` select what the source is; `escaped` resolves `\r`, `
    /// `, `\t`, `\\`, `\xNN` and `\u{…}` in it; `no newline` removes the final line break, which only configurations
    /// have; `max nesting N` sets the limit.
    fn read(text: &str, syntax: Syntax) -> Self {
        let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (written, expected) = match rest.find("--- tree\n") {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let mut case = Self {
            header: header.to_owned(),
            syntax,
            entry: Entry::Config,
            max_nesting: Limits::NESTING,
            written: written.to_owned(),
            source: Vec::new(),
            expected: format!("{}\n", expected.trim_end()),
        };
        let (mut escaped, mut newline) = (false, true);
        let options = header.rsplit_once(" (").map_or("", |(_, options)| options.trim_end_matches(')'));
        for option in options.split(", ").filter(|option| !option.is_empty()) {
            match option {
                "expression" => case.entry = Entry::Expression,
                "template" => case.entry = Entry::Template,
                "traversal" => case.entry = Entry::Traversal,
                "partial-traversal" => case.entry = Entry::PartialTraversal,
                "escaped" => escaped = true,
                "no newline" => newline = false,
                _ => match option.strip_prefix("max nesting ").and_then(|limit| limit.parse().ok()) {
                    Some(limit) => case.max_nesting = limit,
                    None => panic!("{header}: unknown option `{option}`"),
                },
            }
        }
        let source = match written.strip_suffix('\n') {
            Some(source) if !newline || case.entry != Entry::Config => source,
            _ => written,
        };
        case.source = if escaped { unescape(source) } else { source.as_bytes().to_vec() };
        case
    }

    fn parse(&self, source: impl Into<Vec<u8>>) -> Found {
        let source = Source::new("", source);
        Limits::new().nesting(self.max_nesting).run(|| match self.syntax {
            Syntax::Native => Found::Native(Document::parse(source, self.entry)),
            Syntax::Json => Found::Json(json::JsonDocument::parse(source)),
        })
    }

    fn write(&self, found: &str) -> String {
        format!("=== {}\n{}{found}", self.header, self.written)
    }
}

/// All files of the suite with their cases. Text before the first case of a file is a comment.
fn files() -> Vec<(PathBuf, String, Vec<Case>)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let paths: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let holds_cases = |path: &PathBuf| {
            path.is_dir() || path.extension().is_some_and(|end| end == "txt" || end == "cases")
        };
        assert!(paths.iter().any(holds_cases), "{} has no cases", folder.display());
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "txt") {
                let text = format!("\n{}", fs::read_to_string(&path).unwrap());
                let mut pieces = text.split("\n=== ");
                let remark = pieces.next().unwrap_or_default().trim().to_owned();
                let chapter = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
                let syntax = if chapter.starts_with("json-") { Syntax::Json } else { Syntax::Native };
                let cases: Vec<Case> = pieces.map(|case| Case::read(case, syntax)).collect();
                assert!(!cases.is_empty(), "{} has no cases", path.display());
                files.push((path, remark, cases));
            }
        }
    }
    files.sort_by(|one, other| one.0.cmp(&other.0));
    files
}

/// Compares every case with the actual results, or writes them.
fn check(files: &[(PathBuf, String, Vec<Case>)]) {
    let bless = std::env::var_os("BLESS").is_some();
    let mut differences = String::new();
    for (path, remark, cases) in files {
        let mut blessed = if remark.is_empty() { String::new() } else { format!("{remark}\n\n") };
        let written: Vec<_> = cases
            .iter()
            .map(|case| {
                let found = case.parse(case.source.clone()).dump();
                if found != case.expected {
                    let (expected, found) = (case.write(&case.expected), case.write(&found));
                    let diff = TextDiff::from_lines(&expected, &found);
                    let diff = diff.unified_diff().context_radius(20).to_string();
                    let _ = writeln!(differences, "{}\n{diff}", path.display());
                }
                case.write(&found)
            })
            .collect();
        blessed += &written.join("\n");
        if bless {
            // The other tests read these files at the same time, so replace them atomically.
            let new = path.with_extension("new");
            fs::write(&new, blessed).unwrap();
            fs::rename(&new, path).unwrap();
        }
    }
    assert!(bless || differences.is_empty(), "{differences}");
}

#[test]
fn cases_have_the_expected_results() {
    check(&files());
}

#[test]
fn case_names_are_unique_in_a_file() {
    let mut count = 0;
    for (path, _, cases) in files() {
        let names: BTreeSet<_> = cases.iter().map(|case| &case.header).collect();
        assert_eq!(names.len(), cases.len(), "{}", path.display());
        count += cases.len();
    }
    assert!(count >= 200, "{count}");
}

#[test]
fn every_code_has_a_case() {
    let of_text = |code: &Code| *code < Code::VariablesNotAllowed || code.as_str().starts_with("json-");
    // The codes of evaluation belong to other crates.
    let mut missing: BTreeSet<_> = Code::ALL.iter().copied().filter(of_text).collect();
    // A case would be a file of 4 GiB.
    missing.remove(&Code::SourceTooLarge);
    // These two are reported when a schema is applied.
    missing.remove(&Code::JsonUnknownProperty);
    missing.remove(&Code::JsonBodyRequired);
    for case in files().into_iter().flat_map(|(_, _, cases)| cases) {
        for diagnostic in case.parse(case.source.clone()).diagnostics() {
            diagnostic.code().map(|code| missing.remove(&code));
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn at_most_a_thousand_diagnostics_are_kept() {
    let document = hclkit_syntax::parse("a {\n  b = @\n}\n".repeat(1_500));
    let diagnostics = document.diagnostics();
    assert_eq!((diagnostics.len(), diagnostics.errors(), diagnostics.unreported()), (1_000, 1_500, 500));
}

/// Counts the diagnostics by code.
fn counts<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> BTreeMap<Option<Code>, usize> {
    let mut counts = BTreeMap::new();
    for diagnostic in diagnostics {
        *counts.entry(diagnostic.code()).or_insert(0) += 1;
    }
    counts
}

#[test]
fn fixes_remove_their_errors_and_add_none() {
    let mut wrong = String::new();
    for (path, _, cases) in files() {
        for case in cases {
            // The edits refer to the text, in which bytes that are not UTF-8 are replaced.
            let document = case.parse(case.source.clone());
            let text = document.source().text();
            let with_fix: Vec<_> =
                document.diagnostics().iter().filter(|diagnostic| diagnostic.fix().is_some()).collect();
            // Each fix alone, and all of them together.
            let mut sets: Vec<Vec<&Diagnostic>> =
                with_fix.iter().map(|&diagnostic| vec![diagnostic]).collect();
            sets.push(with_fix);
            for fixed in sets.into_iter().filter(|fixed| !fixed.is_empty()) {
                let fixes: Vec<&Fix> = fixed.iter().filter_map(|diagnostic| diagnostic.fix()).collect();
                let (fixed_text, applied) = apply_fixes(text, fixes.iter().copied());
                if applied < fixes.len() {
                    let _ = writeln!(wrong, "{}: {}: fixes overlap", path.display(), case.header);
                }
                let mut expected = counts(document.diagnostics());
                for diagnostic in fixed {
                    if let Some(count) = expected.get_mut(&diagnostic.code()) {
                        *count -= 1;
                    }
                }
                expected.retain(|_, count| *count > 0);
                let again = case.parse(fixed_text.clone());
                let found = counts(again.diagnostics());
                if again.comments() < document.comments() {
                    let _ = writeln!(wrong, "{}: {}: a comment is lost", path.display(), case.header);
                }
                if found != expected {
                    let _ = writeln!(
                        wrong,
                        "{}: {}: expected remaining errors {expected:?}, found {found:?} in\n{fixed_text}",
                        path.display(),
                        case.header
                    );
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Resolves the escape sequences of sources with characters that editors and diffs do not show.
fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.extend_from_slice(before.as_bytes());
        let selector = after.chars().next().expect("incomplete escape sequence");
        rest = &after[selector.len_utf8()..];
        match selector {
            'n' => out.push(b'\n'),
            'r' => out.push(b'\r'),
            't' => out.push(b'\t'),
            '\\' => out.push(b'\\'),
            'x' => {
                let (digits, after) = rest.split_at(2);
                out.push(u8::from_str_radix(digits, 16).unwrap());
                rest = after;
            }
            'u' => {
                let (digits, after) = rest[1..].split_once('}').expect("unclosed escape sequence");
                let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).unwrap();
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            _ => panic!("unknown escape sequence \\{selector}"),
        }
    }
    out.extend_from_slice(rest.as_bytes());
    out
}
