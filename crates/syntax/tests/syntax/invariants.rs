//! Checks the invariants of `check.rs` for the examples, for mutations of them, and for hostile inputs. The fuzzer
//! (`fuzz/`) continues from here.

mod check;
mod shapes;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use super::mutation::{Dice, grown, mutate};
use check::{ENTRIES, check, check_hcl1};
use hclkit_syntax::{Document, NodeId, Source, StartSymbol, parse};
use hclkit_test_cases::{rounds, seed};
use shapes::{SHAPES, TIRING};

/// All files of `examples/`, in order.
fn examples() -> Vec<(PathBuf, Vec<u8>)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|end| ["hcl", "tf", "tfvars", "nomad"].iter().any(|own| end == *own))
            {
                let bytes = fs::read(&path).unwrap();
                files.push((path, bytes));
            }
        }
    }
    files.sort();
    assert!(files.len() >= 8);
    files
}

fn is_broken(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("broken"))
}

#[test]
fn examples_have_no_diagnostics() {
    for (path, text) in examples().into_iter().filter(|(path, _)| !is_broken(path)) {
        let document = parse(text);
        assert!(document.diagnostics().is_empty(), "{}: {:#?}", path.display(), document.diagnostics());
    }
}

/// Each error is below a comment with its number, and is reported once.
#[test]
fn each_error_in_broken_examples_is_reported_once() {
    for (path, text) in examples().into_iter().filter(|(path, _)| is_broken(path)) {
        let document = parse(text);
        let mut comments = Vec::new();
        for (number, line) in document.source().text().lines().enumerate() {
            if line.trim_start().starts_with("# ")
                && line.contains(". ")
                && line.contains(|c: char| c.is_ascii_digit())
            {
                comments.push(number as u32 + 1);
            }
        }
        let found: Vec<_> =
            document.diagnostics().iter().map(|found| document.range(found.span()).start.line).collect();
        let expected: Vec<_> = comments
            .iter()
            .map(|&comment| found.iter().copied().find(|&line| line > comment).unwrap_or(0))
            .collect();
        assert_eq!(found, expected, "{}: {:#?}", path.display(), document.diagnostics());
        assert!(document.body().blocks().any(|block| block.label_texts() == ["region"]));
    }
}

#[test]
fn examples_satisfy_the_invariants() {
    for (_, text) in examples() {
        for entry in ENTRIES {
            check(&text, entry);
        }
    }
}

/// What mutations insert: brackets, separators, and invalid text.
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
    "%%{",
    "%{if x}",
    "%{else}",
    "%{endif}",
    "%{for a, b in c}",
    "%{endfor}",
    "for ",
    " in ",
    ":",
    "::",
    "?",
    "=",
    "==",
    "=>",
    "...",
    ".",
    ".*",
    "[*]",
    ".0.0",
    ",",
    ";",
    "&",
    "&&",
    "|",
    "^",
    "!",
    "-",
    "/*",
    "*/",
    "//",
    "#",
    "\r",
    "\r\n",
    "\n",
    "\t",
    "\u{feff}",
    "\u{a0}",
    "\u{1a}",
    "é\u{301}",
    "👨‍👩‍👧",
    "0",
    "1e",
    "1.",
    "true",
    "null",
    "a = 1\n",
    "b {\n",
];

#[test]
fn mutated_examples_satisfy_the_invariants() {
    let mut dice = Dice::new(seed(0x2545_f491_4f6c_dd1d));
    for (_, text) in examples() {
        for _ in 0..rounds(200) {
            let start = dice.below(text.len());
            let end = (start + dice.below(400)).min(text.len());
            let piece = mutate(&text[start..end], &mut dice, PIECES, 30);
            check(&piece, ENTRIES[dice.below(ENTRIES.len())]);
            check_hcl1(&piece);
        }
        for _ in 0..20 {
            check(&mutate(&text, &mut dice, PIECES, 30), StartSymbol::Config);
            check_hcl1(&mutate(&text, &mut dice, PIECES, 30));
        }
    }
}

#[test]
fn random_pieces_satisfy_the_invariants() {
    let mut dice = Dice::new(seed(0x9e37_79b9_7f4a_7c15));
    for _ in 0..rounds(4_000) {
        let mut text = String::new();
        for _ in 0..=dice.below(12) {
            text.push_str(PIECES[dice.below(PIECES.len())]);
        }
        check(text.as_bytes(), ENTRIES[dice.below(ENTRIES.len())]);
        check_hcl1(text.as_bytes());
    }
}

/// Words that other languages give a meaning, and brackets, in places where items and elements begin.
#[test]
fn random_words_in_brackets_satisfy_the_invariants() {
    const WORDS: &[&str] = &[
        "a", "b", "and", "or", "not", "if", "else", "for", "in", "is", "null", "{", "{", "}", "[", "]", "(",
        ")", "=", ":", "=>", ",", ".", "...", "?", "!", "-", "==", "\"s\"", "'q'", "\"", "1", "\n", "\n",
        "\n  ", "# c\n", "${", "<<E\n", "\nE\n",
    ];
    const AROUND: &[[&str; 2]] = &[
        ["", "\n"],
        ["l = {\n  ", "\n}\n"],
        ["l = { ", " }\n"],
        ["l = [\n  ", "\n]\n"],
        ["l = f(\n  ", ")\n"],
        ["b {\n  ", "\n}\n"],
        ["b {\n  l = {\n    ", "\n  }\n}\n"],
        ["l = \"${", "}\"\n"],
        ["l = {for x in y : ", "}\n"],
    ];
    let mut dice = Dice::new(seed(0x0123_4567_89ab_cdef));
    for _ in 0..rounds(25_000) {
        let [before, after] = AROUND[dice.below(AROUND.len())];
        let mut text = before.to_owned();
        for _ in 0..=dice.below(9) {
            text.push_str(WORDS[dice.below(WORDS.len())]);
            if dice.below(3) > 0 {
                text.push(' ');
            }
        }
        text.push_str(after);
        check(text.as_bytes(), StartSymbol::Config);
        check_hcl1(text.as_bytes());
    }
}

#[test]
fn odd_texts_satisfy_the_invariants() {
    let odd: &[&[u8]] = &[
        b"",
        "a = b \u{2014} c and d or not e & f \u{ff0b} g\n".as_bytes(),
        b"a = <<-  OT\n x\n OT ${b}\n",
        b"a = {\n  b and {for a in b : a => a}\n}\n",
        b"a = <<OT\n x\n OTT ${b}\nOTT",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbfa = 1",
        b"\xef\xbb",
        b"\xff",
        b"a\xff = 1",
        b"a = \"\xc3\xff\"",
        b"# \xff\n",
        b"a = <<E\n\xff\nE\n",
        b"\0",
        b"\r",
        b"a\r\n=\r1",
        b"a = \"\\",
        b"a = \"\\u",
        b"a = \"\\U0011FFFF\"",
        b"a = \"\\ud800\"",
        b"a = <<",
        b"a = <<-",
        b"a = <<E",
        b"a = <<E\nE",
        b"a = <<E\n${",
        b"a = \"${",
        b"a = \"%{",
        b"a = \"${\"",
        b"a = \"x${y\nb = 1\n",
        b"a.",
        b"a = b.",
        b"a = b[",
        b"a = b[*",
        b"a = b.*.",
        b"a = f(",
        b"a = f(b...",
        b"a = a::",
        b"a = {",
        b"a = {b",
        b"a = {b =",
        b"a = [for",
        b"a = {for a, b in c :",
        b"/*",
        b"/*/",
        b"b {",
        b"b \"",
        b"b { a =",
        b"}",
        b"a = 1 }",
        b"b { } }\n",
        b"%{endif}",
        b"${~~}",
        b"%{~ if a ~}",
        b"a[\"b",
        b"a[0",
    ];
    for text in odd {
        for entry in ENTRIES {
            check(text, entry);
        }
        check_hcl1(text);
    }
}

#[test]
fn expensive_shapes_satisfy_the_invariants() {
    for &shape in TIRING {
        check(grown(shape, 100).as_bytes(), StartSymbol::Config);
        check_hcl1(grown(shape, 100).as_bytes());
    }
}

/// A stack of 2 MiB is enough, even without optimizations.
#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let small = thread::Builder::new().stack_size(2 << 20);
    let checks = small.spawn(|| {
        for &shape in SHAPES {
            let text = grown(shape, 100_000);
            check(text.as_bytes(), StartSymbol::Config);
            check_hcl1(text.as_bytes());
            let inside = text.trim_start_matches("a = ").trim_matches('"');
            for entry in [StartSymbol::Expression, StartSymbol::Template, StartSymbol::PartialTraversal] {
                let document = Document::parse(Source::new("", inside), entry);
                assert!(document.tree().walk(NodeId::ROOT).count() >= 2);
            }
        }
    });
    checks.unwrap().join().unwrap();
}

/// If a token is missing, duplicated or replaced anywhere in a real file, usually one error is reported. There are
/// exceptions: a missing bracket may be reported at the other bracket and where the text becomes unexpected.
#[test]
fn one_wrong_token_is_usually_one_error() {
    let (mut wrong, mut once) = (0_u32, 0_u32);
    for (path, bytes) in examples() {
        if is_broken(&path) {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap();
        for piece in text.split_inclusive("\n\n") {
            let document = parse(piece);
            if document.has_errors() {
                continue;
            }
            for token in document.tokens().iter() {
                let (start, end) = (token.span.start as usize, token.span.end as usize);
                let (before, behind) = (&piece[..start], &piece[end..]);
                for instead in ["", "=", "{", "]", ",", "\"", &piece[start..end].repeat(2)] {
                    let mutant = parse(format!("{before}{instead}{behind}"));
                    wrong += u32::from(mutant.has_errors());
                    once += u32::from(mutant.diagnostics().len() == 1);
                }
            }
        }
    }
    println!("{once} of {wrong}");
    assert_eq!(once * 100 / wrong, 91, "update ARCHITECTURE.md (decision 4): {once} of {wrong}");
}

/// Errors beyond the maximum are counted exactly like those that are kept.
#[test]
fn bytes_that_are_not_utf_8_are_counted_once() {
    for line in [b"name = \xff\n".as_slice(), b"some text = 1 \xff and \xfe\n", b"a = \"x\xff\"\n"] {
        let errors = |count: usize| parse(line.repeat(count)).diagnostics().errors();
        let each_hundred = errors(200) - errors(100);
        assert!(each_hundred >= 100);
        assert_eq!(errors(5_000), errors(100) + 49 * each_hundred, "{line:?}");
    }
}

/// An unmatched quote is reported where it first shows; other errors keep their positions.
#[test]
fn a_quote_at_the_very_beginning_moves_no_other_error() {
    let document = parse("\"\n;\n");
    let starts: Vec<u32> = document.diagnostics().iter().map(|found| found.span().start).collect();
    assert_eq!(starts, [0, 2]);
}
