//! Fixes improve files and never break them: `property.rs` defines the property. Here it is checked for 15,000 mutants
//! of real files, half of them with CR LF. `TEST_EFFORT=100 TEST_SEED=7` checks more than a million others.

mod property;

use std::fs;
use std::path::Path;

use super::mutation::{Dice, mutate};
use hclkit_syntax::{
    Diagnostics, Document, Edit, Edited, Fix, Source, Span, StartSymbol, apply_fixes, fix_all, json, parse,
};
use hclkit_test_cases::{Case, File, rounds, seed};
use property::fixes_are_safe;

#[derive(Debug, Clone, Copy)]
enum Syntax {
    Native(StartSymbol),
    Json,
}

impl Syntax {
    fn parse(self, text: &str) -> Diagnostics {
        match self {
            Self::Native(entry) => Document::parse(Source::new("", text), entry).diagnostics().clone(),
            Self::Json => json::parse(text).diagnostics().clone(),
        }
    }
}

/// The examples, whole and in parts, and the sources of the suite's cases.
fn texts() -> Vec<(Syntax, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("examples"), root.join("tests/suite")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files.iter().flat_map(|path| sources(path)).collect()
}

fn sources(path: &Path) -> Vec<(Syntax, String)> {
    let text = fs::read_to_string(path).unwrap();
    let native = |source: &str| (Syntax::Native(StartSymbol::Config), source.to_owned());
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("trees") => {
            let in_json = path.parent().is_some_and(|folder| folder.ends_with("json-syntax"));
            let syntax = if in_json { Syntax::Json } else { Syntax::Native(StartSymbol::Config) };
            let file = File::parse(path, &text).unwrap();
            let source = |case: &Case| (syntax, case.section("source").unwrap().to_owned());
            file.cases.iter().map(source).collect()
        }
        Some("json") => vec![(Syntax::Json, text)],
        Some("hcl" | "tf" | "tfvars" | "nomad" | "hcldec") => {
            text.split_inclusive("\n\n").map(native).chain([native(&text)]).collect()
        }
        _ => Vec::new(),
    }
}

/// What mutations insert: brackets, separators, and text with a fix.
const PIECES: &[&str] = &[
    "\"",
    "${",
    "%{",
    "~}",
    "}",
    "{",
    "[",
    "]",
    "(",
    ")",
    "<<E\n",
    "<<-E\n",
    "E\n",
    "\nE\n",
    "\nE,",
    "\nEOT }",
    "\nEOT,",
    "<<~E\n",
    "<<<E\n",
    "\nEOF\n",
    "$",
    "＝",
    "…",
    "5px",
    "0x1F",
    "50%",
    " and ",
    " or ",
    "not ",
    "\n  + ",
    "b {\n",
    "\\",
    "\\u12",
    "'",
    "`",
    "“",
    "”",
    "$${",
    "%{if x}",
    "%{else}",
    "%{endif}",
    "for ",
    " in ",
    " => ",
    "...",
    "?",
    ":",
    ",",
    ";",
    "=",
    "==",
    ".",
    "*",
    "\r\n",
    "\n",
    "#",
    "/*",
    "//",
    "b { a = 1, c = 2 }\n",
    "meta { \"rack\" = \"r1\" }\n",
    "meta { rack: 1 }\n",
    "meta { rack = x and y }\n",
    "\"key\" = 1\n",
    "\"key\": 1,\n",
    "1,000",
    "1_000",
    "&",
    "|",
    "===",
    "!=",
    "a b",
    "null",
    "true",
];

#[test]
fn fixes_of_mutants_are_safe() {
    let (count, seed) = (rounds(15_000), seed(0));
    let texts = texts();
    assert!(texts.len() > 700, "{} texts", texts.len());
    let mut dice = Dice::new(0x9E37_79B9_7F4A_7C15 ^ seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
    let (mut offered, mut with_fixes) = (0, 0);
    for turn in 0..count {
        let (syntax, text) = &texts[dice.below(texts.len())];
        let mutant = mutate(text.as_bytes(), &mut dice, PIECES, 40);
        let mut mutant = String::from_utf8_lossy(&mutant).into_owned();
        if turn % 2 == 1 {
            mutant = mutant.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        let syntax = match syntax {
            Syntax::Native(_) if turn % 8 == 0 => {
                Syntax::Native([StartSymbol::Expression, StartSymbol::Template][dice.below(2)])
            }
            syntax => *syntax,
        };
        match fixes_are_safe(&mutant, |text| syntax.parse(text)) {
            Ok(fixes) => (offered, with_fixes) = (offered + fixes, with_fixes + u64::from(fixes > 0)),
            Err(why) => panic!("mutant {turn} ({syntax:?}): {why}\n{mutant}"),
        }
    }
    println!("{offered} fixes in {with_fixes} of {count} mutants");
    assert!(with_fixes * 6 > count, "only {with_fixes} of {count} mutants have a fix");
}

/// A file with many errors is fixed in groups.
#[test]
fn fixes_of_many_errors_are_safe() {
    let mut dice = Dice::new(1);
    let mistakes = [" = 'x'", " = 1,", " = x and y", " = [1 2]", ": 1", " = 5px", " = ]", " = \"x"];
    for count in [20, 40, 300, 2_500] {
        let line = |number| format!("a{number}{}\n", mistakes[dice.below(mistakes.len())]);
        let text: String = (0..count).map(line).collect();
        let fixed = fix_all(&text, |text| parse(text).diagnostics().clone());
        let after = parse(fixed.text.as_str());
        let left: Vec<&str> =
            after.diagnostics().iter().map(|found| found.code().unwrap().as_str()).collect();
        let hopeless = text.matches("]\n").count() - text.matches("2]\n").count();
        assert_eq!(left, vec!["invalid-expression"; hopeless]);
        assert_eq!(fixed.changes.len(), count - hopeless);
    }
}

/// So many fixes are possible that they are tested in pairs, and one of them is safe only with the other. Those that are
/// left are few.
#[test]
fn fixes_that_are_left_of_many_are_safe_alone() {
    let text = ";\n;\n;\n;\n;\ne 2n;\n;\ne 2;\ni 0;.;\nr 3e 2;\n;\n;\nt 5s;\ne 6m;\n$s$o\";\n;\n;\n;\n$h";
    let check = |text: &str| fixes_are_safe(text, |text| parse(text).diagnostics().clone()).unwrap();
    assert!(check(text) > 10);
    let mut dice = Dice::new(seed(3));
    let lines =
        [";", "e 2n;", "e 2;", "i 0;.;", "r 3e 2;", "t 5s;", "$s$o\";", "$h", "a = 'x'", "b = [1 2]", "c {"];
    for _ in 0..rounds(60) {
        let count = 25 + dice.below(30);
        check(&(0..count).flat_map(|_| [lines[dice.below(lines.len())], "\n"]).collect::<String>());
    }
}

fn insert(at: u32, text: &'static str) -> Fix {
    Fix { title: "".into(), edits: vec![Edit { span: Span::empty(at), replacement: text.into() }] }
}

#[test]
fn insertions_at_one_position_are_kept_in_order() {
    let fixes = [insert(1, "b"), insert(1, "c"), insert(0, "-"), insert(1, "d")];
    assert_eq!(apply_fixes("ae", &fixes), ("-abcde".to_owned(), 4));
}

#[test]
fn overlapping_fixes_are_skipped() {
    let replace = |start, end, text: &'static str| Fix {
        title: "".into(),
        edits: vec![Edit { span: Span::new(start, end), replacement: text.into() }],
    };
    let fixes =
        [replace(1, 3, "x"), replace(2, 4, "y"), insert(2, "z"), replace(3, 4, "w"), replace(9, 10, "")];
    let edited = Edited::new("abcd", &fixes);
    assert_eq!((edited.text.as_str(), &*edited.applied), ("axw", &[0, 3][..]));
    assert_eq!(
        [0, 1, 3].map(|at| edited.moves.origin(at)),
        [Span::empty(0), Span::new(1, 3), Span::new(3, 4)]
    );
}

#[test]
fn inserted_line_breaks_match_the_text() {
    for replacement in ["1\n2", "1\r\n2"] {
        assert_eq!(apply_fixes("a\r\nb", &[insert(3, replacement)]).0, "a\r\n1\r\n2b");
    }
    assert_eq!(apply_fixes("a\nb\r\n", &[insert(2, "\n")]).0, "a\n\nb\r\n");
}

#[test]
fn changes_refer_to_the_original_text() {
    let text = "a = 'x',\nb = 1 & 2\n";
    let fixed = fix_all(text, |text| parse(text).diagnostics().clone());
    assert_eq!(fixed.text, "a = \"x\"\nb = 1 && 2\n");
    let changes: Vec<_> = fixed
        .changes
        .iter()
        .map(|change| (&text[change.span.to_range()], change.code.unwrap().as_str()))
        .collect();
    assert_eq!(changes, [("'", "wrong-character"), (",", "unexpected-comma"), ("&", "unsupported-operator")]);
}
