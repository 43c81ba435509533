//! The op `format`: generated files, badly spaced files, files with mistakes, tokens in random order, and text that is
//! not UTF-8.

use std::fmt::Write as _;

use fastrand::Rng;
use serde_json::{Value, json};

use super::grammar::Writer;
use super::inputs::Inputs;
use super::mutate::{excerpt, mutate};
use super::tokens::cut;
use super::{Make, Op};

pub(crate) const OPS: &[Op] = &[Op {
    name: "format",
    kinds: KINDS,
    fixed: &[("by hand", by_hand)],
    corpus: Some(|text| vec![src(text)]),
    recorded: 600,
}];

const KINDS: &[(&str, Make)] = &[
    ("generated", |rng, _| src(&generated(rng))),
    ("badly spaced", |rng, _| {
        let text = generated(rng);
        src(&respaced(rng, &text))
    }),
    ("mutated", |rng, _| {
        let (text, other) = (generated(rng), generated(rng));
        let text = mutate(rng, &text, &other);
        src(&if rng.bool() { respaced(rng, &text) } else { text })
    }),
    ("mutated seeds", |rng, inputs| {
        let (text, other) = (inputs.own(rng), inputs.own(rng));
        let text = excerpt(rng, text);
        src(&mutate(rng, &text, other))
    }),
    ("any tokens", |rng, _| src(&soup(rng))),
    ("runs of lines", |rng, _| src(&lines(rng))),
    ("not in UTF-8", |rng, _| {
        let text = if rng.bool() { generated(rng) } else { soup(rng) };
        json!({ "hex": spoiled(rng, text.into_bytes()) })
    }),
    ("corpus mutated", |rng, inputs: &Inputs| {
        let (text, other) = (inputs.real(rng), inputs.real(rng));
        let (text, other) = (excerpt(rng, text), excerpt(rng, other));
        src(&mutate(rng, &text, &other))
    }),
    ("corpus badly spaced", |rng, inputs: &Inputs| {
        let text = inputs.real(rng);
        let text = excerpt(rng, text);
        src(&respaced(rng, &text))
    }),
];

fn src(text: &str) -> Value {
    json!({ "src": text })
}

fn generated(rng: &mut Rng) -> String {
    let wild = if rng.u8(0..3) == 0 { 0.02 } else { 0.0 };
    Writer::new(rng, wild).file()
}

/// The text with different blanks between its pieces, even where there were none.
fn respaced(rng: &mut Rng, text: &str) -> String {
    let often = [2, 5, 20][rng.usize(..3)];
    let mut out = String::with_capacity(text.len() * 2);
    let pieces = cut(text);
    for (at, piece) in pieces.iter().enumerate() {
        // A number is not split.
        let digit = |at: Option<usize>| {
            at.and_then(|at| pieces.get(at)?.chars().next()).is_some_and(char::is_numeric)
        };
        if *piece == "." && digit(at.checked_sub(1)) || digit(Some(at)) && at > 0 && pieces[at - 1] == "." {
            out.push_str(piece);
            continue;
        }
        let is_blank = piece.trim_matches([' ', '\t']).is_empty();
        if rng.u8(..often) > 0 {
            out.push_str(piece);
            continue;
        }
        out.push_str(["", " ", "  ", "\t", "   \t", "      "][rng.usize(usize::from(is_blank)..6)]);
        if !is_blank {
            out.push_str(piece);
        }
    }
    out
}

const TOKENS: &[&str] = &[
    "a",
    "in",
    "for",
    "if",
    "é",
    "x-y",
    "12",
    "1.5",
    "\"s\"",
    "\"\"",
    "\"${",
    "\"",
    "\"a${y}b\"",
    "${",
    "%{",
    "${~",
    "}",
    "~}",
    "==",
    "!=",
    "<",
    ">=",
    "&&",
    "||",
    "!",
    "+",
    "-",
    "*",
    "/",
    "%",
    ".",
    "...",
    ",",
    ":",
    "::",
    "?",
    "=>",
    "=",
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
    "~",
    "@",
    "$",
    "\\",
    "/*c*/",
    "/* c\n d */",
    "# c\n",
    "// c\n",
    "\n",
    "\n",
    "\r\n",
    "\n\n",
    "<<E\n",
    "\nE\n",
    "<<-E\n x\n",
    "\n E \n",
    "\u{feff}",
    "日本",
    "e\u{301}",
    "\u{301}",
    "\r",
];

fn soup(rng: &mut Rng) -> String {
    let mut out = String::new();
    for _ in 0..rng.usize(1..30) {
        out.push_str(TOKENS[rng.usize(..TOKENS.len())]);
        out.push_str(["", " ", " ", "  ", "\t"][rng.usize(..5)]);
    }
    out
}

/// Short lines in rows, with signs and comments to be aligned.
fn lines(rng: &mut Rng) -> String {
    let pick = |rng: &mut Rng, list: &[&'static str]| list[rng.usize(..list.len())];
    let mut out = String::new();
    for _ in 0..rng.usize(1..14) {
        out.push_str(pick(rng, &["", "", " ", "\t", "      "]));
        out.push_str(pick(
            rng,
            &["a", "bbb", "é日", "x y", "\"k\"", "(k)", "/* c */ a", "[", "}", "", "# c", "b {", "a ="],
        ));
        out.push_str(pick(rng, &["", " ", "  "]));
        out.push_str(pick(
            rng,
            &["= 1", "= \"x${ y }\"", "=[", "= {}", "= ])", "= 2, b = 3", "", "{", "}", "= <<E\n e\nE\n"],
        ));
        out.push_str(pick(rng, &["", "", " # c", "// é", "/* c */", "/* c\n */", " /* c */ # d"]));
        out.push_str(pick(rng, &["\n", "\n", "\n", "\n\n", "\r\n", " \n"]));
    }
    if rng.bool() {
        out.truncate(out.trim_end().len());
    }
    out
}

/// The bytes in hexadecimal digits, some of them replaced by ones that are not UTF-8, or with such between them.
fn spoiled(rng: &mut Rng, mut bytes: Vec<u8>) -> String {
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(..=bytes.len());
        let byte = [0xff, 0xc2, 0xe2, 0x80, 0xf0][rng.usize(..5)];
        if rng.bool() || at == bytes.len() { bytes.insert(at, byte) } else { bytes[at] = byte }
    }
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Edge cases.
fn by_hand() -> Vec<Value> {
    const SOURCES: &[&str] = &[
        "",
        " ",
        "\t",
        "\n",
        "\u{feff}",
        "\u{feff} a=1",
        "a=1",
        "a=1\nbbb=2\n\ncc=3\n",
        "a=1 # x\nbbb=2 # y\ncc=3\nd=[ # foo\n1, # u\n22, # v\n]\n",
        "a=1\r\nb = 2 \r\n",
        "b {\n   x {\n  a= [1,\n2 ,3]\n}}\n",
        "foo(\n{\na=1\n}\n)\n",
        "a = /* x\n y */   1\n bb = 2\n",
        "x = <<E\n ${ [\n  1,2,\n   3\n ] }  \n   z\nE\n b= 1\n",
        "a = - 1\nb = x - - 1\nc = in [1]\nd = x in [1]\ne = \"${ - x }\"\n",
        "= a = 1\nbb = c = 2\n",
        "a = 1 // x\nbbbbbb = 2 /* y */",
        "a = ]{\nbbb = 1\n",
        "x {{{\ny\n}\nz\n}\nw\n}\nv\n",
        "}}}\nx {\n y\n}}\n  z\n",
        "a = \"x\n y${ z }\n${ y }\n\" # c\nb = 1 # c\n",
        "a = \"é\u{301}\" # c\nb = 1 # c\n",
        "a = x ~}\n",
        "a = 'x  y'\n",
        "a=1;b=2\n",
        "[: = } <<E\n ${\n...",
        "a = <<E\n ${\n...",
        "a = \"${b}$",
        "<<E\n${b}%",
        "\"a\n$",
        "a=[<<E\nE\r\r\n]\nb ={}\n",
        "a=[<<E\n \rE\n]\nb ={}\n",
    ];
    SOURCES.iter().map(|text| src(text)).collect()
}
