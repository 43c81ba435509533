//! The suite: cases under `tests/suite/<chapter of the specification>/`, each an input and the expected tree and
//! diagnostics.
//!
//! A case has the sections `source`, `tree` with the tree as an S-expression, and `diagnostics` if there are any. Sources
//! in directories whose names begin with `json-` are in the JSON syntax, those in `hcl-1` in HCL 1. `BLESS=1 cargo test -p hclkit-syntax suite`
//! writes the actual results; review the diff.

mod dump;
mod dump_json;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use hclkit_limits::Limits;
use hclkit_syntax::{Code, Diagnostic, Document, Fix, Source, StartSymbol, apply_fixes, json};
use hclkit_test_cases::{self as cases, File, Section};

/// The syntax of the sources in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Native,
    Json,
    Hcl1,
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

/// The input of a case.
struct Case {
    syntax: Syntax,
    entry: StartSymbol,
    max_nesting: u32,
    /// The source as it is parsed.
    source: Vec<u8>,
}

impl Case {
    /// Reads the options and the source of a case: `expression`, `template`, `traversal` and
    /// `partial-traversal` select what the source is; `escaped` resolves `\r`, `
    /// `, `\t`, `\\`, `\xNN` and `\u{…}` in it; `no newline` removes the final line break, which only configurations
    /// have; `max nesting N` sets the limit.
    fn read(file: &File, case: &cases::Case) -> Self {
        let chapter = file.path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let syntax = match &*chapter {
            "hcl-1" => Syntax::Hcl1,
            chapter if chapter.starts_with("json-") => Syntax::Json,
            _ => Syntax::Native,
        };
        let (mut entry, mut max_nesting) = (StartSymbol::Config, Limits::NESTING);
        let (mut escaped, mut newline) = (false, true);
        for option in &case.options {
            match option.as_str() {
                "expression" => entry = StartSymbol::Expression,
                "template" => entry = StartSymbol::Template,
                "traversal" => entry = StartSymbol::Traversal,
                "partial-traversal" => entry = StartSymbol::PartialTraversal,
                "escaped" => escaped = true,
                "no newline" => newline = false,
                _ => match option.strip_prefix("max nesting ").and_then(|limit| limit.parse().ok()) {
                    Some(limit) => max_nesting = limit,
                    None => panic!("{}: unknown option `{option}`", case.name),
                },
            }
        }
        for Section { title, .. } in &case.sections {
            let known = title == "source" || is_result(title);
            assert!(known, "{}: unknown section `{title}`", case.name);
        }
        let written = case.section("source").unwrap_or_else(|| panic!("{} has no source", case.name));
        let source = match written.strip_suffix('\n') {
            Some(source) if !newline || entry != StartSymbol::Config => source,
            _ => written,
        };
        let source = if escaped { unescape(source) } else { source.as_bytes().to_vec() };
        Self { syntax, entry, max_nesting, source }
    }

    fn parse(&self, source: impl Into<Vec<u8>>) -> Found {
        let source = Source::new("", source);
        Limits::new().with_nesting(self.max_nesting).run(|| match self.syntax {
            Syntax::Native => Found::Native(Document::parse(source, self.entry)),
            Syntax::Json => Found::Json(json::JsonDocument::parse(source)),
            Syntax::Hcl1 => Found::Native(Document::parse_hcl1(source)),
        })
    }
}

fn is_result(title: &str) -> bool {
    matches!(title, "tree" | "diagnostics")
}

/// The files of the suite. `.cases` are those of `conformance/tests/conformance/suite.rs`.
fn files() -> Vec<File> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite");
    cases::read(&suite, "trees", &["cases"]).unwrap_or_else(|problem| panic!("{problem}"))
}

/// All cases, each with its file and name.
fn all() -> impl Iterator<Item = (String, Case)> {
    files().into_iter().flat_map(|file| {
        let read =
            |case: &cases::Case| (format!("{}: {}", file.path.display(), case.name), Case::read(&file, case));
        file.cases.iter().map(read).collect::<Vec<_>>()
    })
}

#[test]
fn cases_have_the_expected_results() {
    let files = files();
    let count: usize = files.iter().map(|file| file.cases.len()).sum();
    assert!(count >= 200, "{count}");
    for file in files {
        let run = |case: &cases::Case| {
            let case = Case::read(&file, case);
            let dump = case.parse(case.source.clone()).dump();
            let (tree, diagnostics) = match dump.split_once("--- diagnostics\n") {
                Some((tree, diagnostics)) => (tree, Some(diagnostics)),
                None => (dump.as_str(), None),
            };
            let tree = Section::new("tree", tree.strip_prefix("--- tree\n").unwrap_or(tree));
            [tree].into_iter().chain(diagnostics.map(|text| Section::new("diagnostics", text))).collect()
        };
        cases::check(std::slice::from_ref(&file), is_result, run);
    }
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
    for (_, case) in all() {
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
    for (name, case) in all() {
        // The edits refer to the text, in which bytes that are not UTF-8 are replaced.
        let document = case.parse(case.source.clone());
        let text = document.source().text();
        let with_fix: Vec<_> =
            document.diagnostics().iter().filter(|diagnostic| diagnostic.fix().is_some()).collect();
        // Each fix alone, and all of them together.
        let mut sets: Vec<Vec<&Diagnostic>> = with_fix.iter().map(|&diagnostic| vec![diagnostic]).collect();
        sets.push(with_fix);
        for fixed in sets.into_iter().filter(|fixed| !fixed.is_empty()) {
            let fixes: Vec<&Fix> = fixed.iter().filter_map(|diagnostic| diagnostic.fix()).collect();
            let (fixed_text, applied) = apply_fixes(text, fixes.iter().copied());
            if applied < fixes.len() {
                let _ = writeln!(wrong, "{name}: fixes overlap");
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
                let _ = writeln!(wrong, "{name}: a comment is lost");
            }
            if found != expected {
                let _ = writeln!(
                    wrong,
                    "{name}: expected remaining errors {expected:?}, found {found:?} in\n{fixed_text}"
                );
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
