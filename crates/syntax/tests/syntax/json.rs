//! Checks the invariants of `check.rs` for valid JSON, for mutations of it, and for hostile inputs. The fuzzer
//! (`fuzz/`) continues from here.

mod check;
mod positions;

use std::thread;

use super::mutation::{Dice, grown, mutate};
use check::check;
use hclkit_limits::Limits;
use hclkit_syntax::json::{JsonDocument, parse};
use hclkit_syntax::{Code, Source};
use hclkit_test_cases::{rounds, seed};

const RIGHT: &str = r#"
{
  "//": "a comment",
  "region": "eu-west-1",
  "service": [
    {"web": {"port": 8080, "ratio": -0.5e-3, "tags": ["a", "b\n\"\\\/", "\u00e9\ud83d\ude00"]}},
    {"web": {"port": 8080, "on": true, "off": false, "none": null}}
  ],
  "é ${a}": [[], {}, [{"x": "${b}"}]]
}
"#;

/// What mutations insert: brackets, separators, and invalid text.
const PIECES: &[&str] = &[
    "\"",
    "'",
    "`",
    "“",
    "”",
    "\\",
    "\\u12",
    "\\ud800",
    "\\q",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ",,",
    ":",
    ";",
    "=",
    "=>",
    "// c\n",
    "//",
    "/*",
    "*/",
    "#",
    "\n",
    "\r",
    "\t",
    "\u{a0}",
    "\u{feff}",
    "\0",
    "\u{1}",
    "\u{1a}",
    "é\u{301}",
    "👨‍👩‍👧",
    "0",
    "01",
    "1.",
    "1e",
    "1e99999999999",
    "0x1F",
    "1_0",
    "+",
    "-",
    ".",
    "true",
    "True",
    "nul",
    "undefined",
    "a.b",
    "$",
    "${",
    "@",
    "\"x\"",
    "\"x\": 1",
    "{}",
    "[]",
    " ",
];

#[test]
fn valid_text_has_no_diagnostics() {
    assert!(parse(RIGHT).diagnostics().is_empty());
    check(RIGHT.as_bytes());
}

#[test]
fn mutated_text_satisfies_the_invariants() {
    let mut dice = Dice::new(seed(0x2545_f491_4f6c_dd1d));
    for _ in 0..rounds(4_000) {
        check(&mutate(RIGHT.as_bytes(), &mut dice, PIECES, 20));
    }
}

#[test]
fn random_pieces_satisfy_the_invariants() {
    let mut dice = Dice::new(seed(0x9e37_79b9_7f4a_7c15));
    for _ in 0..rounds(6_000) {
        let text: String = (0..=dice.below(12)).map(|_| PIECES[dice.below(PIECES.len())]).collect();
        check(text.as_bytes());
        check(format!("{{\"a\":{text}").as_bytes());
        check(format!("[{text}]").as_bytes());
    }
}

#[test]
fn truncated_text_satisfies_the_invariants() {
    for end in 0..RIGHT.len() {
        check(&RIGHT.as_bytes()[..end]);
    }
}

/// Texts that grow with a number: prefix, repeated part, middle, repeated part, suffix.
const SHAPES: &[[&str; 5]] = &[
    ["", "[", "", "", ""],
    ["", "[", "", "]", ""],
    ["", "[", "", "}", ""],
    ["", "{\"a\":", "", "", ""],
    ["", "{\"a\":", "1", "}", ""],
    ["", "[{\"a\":", "1", "}]", ""],
    ["", "{", "", "}", ""],
    ["", "{[", "", "", ""],
    ["", "[1 ", "", "", ""],
    ["[", "\"a\n", "", "", "]"],
    ["[", "\"a\n\",", "", "", "]"],
    ["[\"", "\n", "\"", "", "]"],
    ["[\"", "\n", "", "", ""],
    ["[\"", "\\", "", "", "\"]"],
    ["[\"", "\\ud800", "", "", "\"]"],
    ["[", "'a", "", "", "]"],
    ["[", "“", "", "", "]"],
    ["[", "@", "", "", "]"],
    ["[", "(", "", "", "]"],
    ["[", ",", "", "", "]"],
    ["{\"a\"", ":", "", "", "1}"],
    ["{\"a\"", ": /**/", "", "", "1}"],
    ["[", "1 ", "", "", "]"],
    ["{", "\"a\" ", "", "", "}"],
    ["{", "a ", "", "", "}"],
    ["{", "a: b; ", "", "", "}"],
    ["", "/**/", "", "", "{}"],
    ["", "/*", "", "", "{}"],
    ["", "#\n", "", "", "{}"],
    ["", "\u{a0}", "", "", "{}"],
    ["{}", "}", "", "", ""],
    ["[", "1", "", "", "]"],
    ["[1e", "1", "", "", "]"],
    ["[0.", "1", "e2147483648", "", "]"],
    ["[{\"a\":1]", "}", "", "", ""],
    ["", "[{", "", "]}", ""],
];

/// A stack of 2 MiB is enough, even without optimizations. Quadratic time would make the test too slow to finish.
#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let small = thread::Builder::new().stack_size(2 << 20);
    let checks = small.spawn(|| {
        for &shape in SHAPES {
            let text = grown(shape, 100_000);
            let document = parse(text);
            assert_eq!(document.value(document.root().id()).span(), document.root().span(), "{shape:?}");
            // The checks compute lines and columns, which is slow for long lines.
            check(grown(shape, 300).as_bytes());
        }
        let deep = Limits::new()
            .with_nesting(u32::MAX)
            .run(|| JsonDocument::parse(Source::new("", grown(SHAPES[1], 1_000_000))));
        let codes: Vec<_> = deep.diagnostics().iter().map(hclkit_syntax::Diagnostic::code).collect();
        assert_eq!(codes, []);
    });
    checks.unwrap().join().unwrap();
}

#[test]
fn nesting_is_limited() {
    for (levels, codes) in [(1_000, vec![]), (1_001, vec![Some(Code::NestingTooDeep)])] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = format!("[{}1{}]", open.repeat(levels - 1), close.repeat(levels - 1));
            let found: Vec<_> =
                parse(text).diagnostics().iter().map(hclkit_syntax::Diagnostic::code).collect();
            assert_eq!(found, codes);
        }
    }
}

#[test]
fn at_most_a_thousand_diagnostics_are_kept() {
    let document = parse(format!("[{}1]", "'a', ".repeat(1_500)));
    let diagnostics = document.diagnostics();
    assert_eq!((diagnostics.len(), diagnostics.errors(), diagnostics.unreported()), (1_000, 1_500, 500));
}
