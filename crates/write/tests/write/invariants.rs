//! The promises of `check.rs` for every text, tested on the examples, on mutations of them, on random tokens, and on
//! hostile inputs. The fuzzer (`fuzz/`) uses the same promises.

mod check;

use std::fs;
use std::path::Path;

use check::check;
use fastrand::Rng;
use hclkit_syntax::Source;
use hclkit_test_cases::{rounds, seed};
use hclkit_write::format_source;

/// All files of `examples/`, in order.
fn examples() -> Vec<Vec<u8>> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() >= 8);
    files.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn examples_keep_the_promises() {
    for text in examples() {
        check(&text);
    }
}

const PIECES: &[&str] = &[
    "a",
    "in",
    "é",
    "x-y",
    "12",
    "\"s\"",
    "\"${",
    "\"",
    "${",
    "%{",
    "}",
    "~}",
    "==",
    "!=",
    "!",
    "+",
    "-",
    ".",
    "...",
    ",",
    ":",
    "::",
    "?",
    "=>",
    "=",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "'",
    ";",
    "&",
    "/*c*/",
    "/* c\n d */",
    "# c\n",
    "\n",
    "\r\n",
    "<<E\n",
    "\nE\n",
    "<<-E\n x\n",
    "\u{feff}",
    "e\u{301}",
    "\u{301}",
    "\r",
    " ",
    "  ",
    "\t",
    " = ",
    "\n  ",
    "0",
    ".5",
    "e5",
];

#[test]
fn random_pieces_keep_the_promises() {
    let mut rng = Rng::with_seed(seed(7));
    for _ in 0..rounds(15_000) {
        let text: String = (0..rng.usize(..20)).map(|_| PIECES[rng.usize(..PIECES.len())]).collect();
        check(text.as_bytes());
    }
}

#[test]
fn mutated_examples_keep_the_promises() {
    let mut rng = Rng::with_seed(8);
    for text in examples() {
        for _ in 0..60 {
            let start = rng.usize(..text.len());
            let end = text.len().min(start + rng.usize(..600));
            let mut piece = text[start..end].to_vec();
            for _ in 0..rng.usize(..4) {
                let at = rng.usize(..=piece.len());
                let inserted = PIECES[rng.usize(..PIECES.len())];
                piece.splice(at..at, inserted.bytes());
                if rng.bool() {
                    piece.insert(rng.usize(..=piece.len()), rng.u8(..));
                }
            }
            check(&piece);
        }
    }
}

/// Inputs that a quadratic step, recursion or padding without bounds would make slow or large.
#[test]
fn hostile_inputs_are_formatted() {
    let many = 200_000;
    for text in [
        "[".repeat(many),
        "b {\n".repeat(many / 10),
        "\"${".repeat(many),
        "/*".repeat(many),
        "/* c */ ".repeat(many),
        "# c\n".repeat(many),
        "a=1 # c\n".repeat(many),
        "- ".repeat(many),
        "<<E\n".repeat(many),
        format!("{}\n", "x ".repeat(many)),
        format!("a = [{}]\n", "1 ,".repeat(many)),
        format!("{} = 1\n{}", "x".repeat(many), "a=1\n".repeat(many / 10)),
        format!("a = \"{}\" # c\n", "é".repeat(many)),
    ] {
        let source = Source::new("", text.as_bytes());
        let formatted = format_source(&source);
        assert!(formatted.bytes().len() < 32 * text.len() + (80 << 20));
    }
}

#[test]
fn tokens_are_not_joined() {
    for text in [
        "a = <<EOT\n%{ ~}\nEOT\n",
        "a = \"${ ~}\"\n",
        "a = ! =\n",
        "a = b . .\n",
        "a = b.0 .1\n",
        "a = b.0.. 1\n",
        "a = 0 .... e1\n",
    ] {
        check::check(text.as_bytes());
    }
}
