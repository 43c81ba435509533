//! Random texts in HCL 1: by its grammar, of tokens without order, and mutants of real files; some in JSON.

use fastrand::Rng;

use super::Text;
use crate::conformance::mutate;
use crate::modules::rng;

/// The text with a number.
pub(super) fn text(seed: u64, n: usize, files: &[String]) -> Text {
    let mut rng = rng(seed, n);
    let file = |rng: &mut Rng| files.get(rng.usize(0..files.len().max(1))).map_or("", String::as_str);
    let (kind, text) = match n % 8 {
        0..=2 => ("grammar", grammar(&mut rng)),
        3 => {
            let (text, other) = (grammar(&mut rng), grammar(&mut rng));
            ("mutant of a grammar", mutate::mutate(&mut rng, &text, &other))
        }
        4 => ("tokens", tokens(&mut rng)),
        5 | 6 => {
            let whole = file(&mut rng);
            let text = if rng.bool() { mutate::excerpt(&mut rng, whole) } else { whole.to_owned() };
            let other = file(&mut rng);
            ("mutant of a file", mutate::mutate(&mut rng, &text, other))
        }
        _ => {
            let text = json(&mut rng, 3);
            let text = if rng.u8(0..4) == 0 { mutate::mutate(&mut rng, &text, "{}") } else { text };
            ("json", text)
        }
    };
    Text { name: format!("{kind} {n}"), text }
}

fn one<'c>(rng: &mut Rng, choices: &[&'c str]) -> &'c str {
    choices[rng.usize(0..choices.len())]
}

fn mostly<'c>(rng: &mut Rng, valid: &[&'c str], invalid: &[&'c str]) -> &'c str {
    let choices = if rng.u8(0..40) == 0 { invalid } else { valid };
    one(rng, choices)
}

/// Few names, so that many are set several times.
const NAMES: &[&str] = &[
    "a", "b", "c", "A", "b.c", "a-b", "_", "foo", "Foo", "é", "ſ", "s", "K", "k", "日本", "x1", "d", "e",
    "f", "g", "h", "i", "j", "l", "m", "n", "o", "p", "q", "r", "t",
];
const QUOTED: &[&str] =
    &["\"a\"", "\"b\"", "\"foo\"", "\"\"", "\"a b\"", "\"\\u0061\"", "\"${a}\"", "\"x\\\"y\""];
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "42",
    "0644",
    "010",
    "00",
    "0x1F",
    "0XfF",
    "-0x10",
    "-017",
    "1.5",
    "-1.5",
    "1.",
    ".5",
    "1e3",
    "1E-3",
    "1.5e+3",
    "0.5",
    "09.5",
    "9223372036854775807",
    "-9223372036854775808",
    "1.e2",
    "0e1",
    "-0",
    "-0.0",
    "1e-400",
    "123456789.123456789",
    "1e21",
    "1e20",
    "0.000001",
    "1e-7",
];
const INVALID_NUMBERS: &[&str] = &[
    "08",
    "018",
    "0159",
    "9223372036854775808",
    "1e400",
    "0x",
    "1e",
    ".5e1",
    "5abc",
    "-",
    "1_0",
    "0b1",
    "1.5.5",
];
const STRINGS: &[&str] = &[
    "\"\"",
    "\"x\"",
    "\"10s\"",
    "\"1\"",
    "\"0x10\"",
    "\"1_000\"",
    "\"a\\nb\"",
    "\"\\t\\a\\v\\f\\b\\r\"",
    "\"\\x41\\101\"",
    "\"\\u00e9\\U0001F600\"",
    "\"\\xc3\\xa9\"",
    "\"\\ud83d\"",
    "\"${var.a}\"",
    "\"${f(\"x\")}\"",
    "\"a ${b {c} } d\"",
    "\"$${a}\"",
    "\"${a\n}\"",
    "\"\\\\${a}\"",
    "\"${\"\\n\"}\\n\"",
    "\"$\"",
    "\"{\"",
    "\"}\"",
    "\"%{if}\"",
    "\"héllo\"",
    "\"${\\x41}\"",
    "\"a\rb\"",
    "\"0b11\"",
    "\"+5\"",
    "\"-0_7\"",
    "\"0_7\"",
    "\"08\"",
    "\"\\\"\"",
];
const INVALID_STRINGS: &[&str] = &[
    "\"\\q\"",
    "\"\\0\"",
    "\"\\12\"",
    "\"\\x4\"",
    "\"\\xff\"",
    "\"${\\q}\"",
    "\"a\n\"",
    "\"${a\"",
    "'a'",
    "a",
    "a.b",
];
const SPACE: &[&str] =
    &[" ", " ", " ", "\n", "\n", "\t", "\r\n", " # c\n", " // c\r\n", " /* c */ ", "", "\r"];

/// Items of the grammar, which need not fit together.
fn grammar(rng: &mut Rng) -> String {
    let mut out = String::new();
    items(rng, &mut out, 3);
    out
}

fn items(rng: &mut Rng, out: &mut String, depth: u32) {
    for _ in 0..rng.usize(0..5) {
        item(rng, out, depth);
        out.push_str(one(rng, &["\n", "\n", "\n", " ", ",", ", ", "\r\n", "\n# comment\n", " // c\n"]));
    }
}

fn item(rng: &mut Rng, out: &mut String, depth: u32) {
    name(rng, out);
    if depth > 0 && rng.u8(0..3) == 0 {
        for _ in 0..rng.usize(0..3) {
            out.push(' ');
            name(rng, out);
        }
        out.push_str(one(rng, &[" {\n", " {", "{ ", " = {\n", " = { "]));
        items(rng, out, depth - 1);
        out.push('}');
        return;
    }
    out.push_str(one(rng, SPACE));
    out.push('=');
    out.push_str(one(rng, SPACE));
    value(rng, out, depth);
}

fn name(rng: &mut Rng, out: &mut String) {
    let names = if rng.u8(0..4) == 0 { QUOTED } else { NAMES };
    // Many names are the first ones.
    let most = if rng.u8(0..5) == 0 { 3 } else { names.len() };
    out.push_str(names[rng.usize(0..most)]);
}

fn value(rng: &mut Rng, out: &mut String, depth: u32) {
    match rng.u8(0..if depth > 0 { 9 } else { 6 }) {
        0 => out.push_str(one(rng, &["true", "false"])),
        1 | 2 => out.push_str(mostly(rng, NUMBERS, INVALID_NUMBERS)),
        3 | 4 => out.push_str(mostly(rng, STRINGS, INVALID_STRINGS)),
        5 => heredoc(rng, out),
        6 => {
            out.push('{');
            items(rng, out, depth - 1);
            out.push('}');
        }
        _ => {
            out.push('[');
            for _ in 0..rng.usize(0..4) {
                out.push_str(one(rng, SPACE));
                value(rng, out, depth - 1);
                out.push_str(one(rng, &[",", ",", ",", ",", ",", ",\n", ", ", ", ", ",,"]));
            }
            out.push(']');
        }
    }
}

fn heredoc(rng: &mut Rng, out: &mut String) {
    let name = one(rng, &["EOF", "E", "日", "E1"]);
    let indentation = one(rng, &["", "  ", "\t", " \u{b}", "    "]);
    let newline = one(rng, &["\n", "\n", "\n", "\r\n"]);
    out.push_str(one(rng, &["<<", "<<-"]));
    out.push_str(name);
    out.push_str(newline);
    for _ in 0..rng.usize(0..4) {
        out.push_str(one(rng, &["", "  ", "    ", "\t", indentation]));
        out.push_str(one(rng, &["text", "", "${a}", "\\n", "EOF x", "é", "\"", "#"]));
        out.push_str(newline);
    }
    out.push_str(indentation);
    out.push_str(name);
    out.push_str(mostly(rng, &["\n", "\r\n"], &["", " \n", ",\n"]));
}

/// Tokens without order.
fn tokens(rng: &mut Rng) -> String {
    const MARKS: &[&str] = &[
        "=", "=", "{", "}", "[", "]", ",", "\n", " ", ".", "-", "+", "<", "<<", "<<E\n", "E\n", "/", "/*",
        "*/", "#", "//", "\"", "'", ":", "$", "${", "\\", "true", "false", "null", "\u{feff}", "\u{a0}",
        "\u{0}", "\u{e123}", "(", "٣", "Ⅳ", "ª",
    ];
    let mut out = String::new();
    for _ in 0..rng.usize(0..14) {
        let choices = match rng.u8(0..8) {
            0..=2 => NAMES,
            3 => NUMBERS,
            4 => STRINGS,
            _ => MARKS,
        };
        out.push_str(one(rng, choices));
        if rng.bool() {
            out.push_str(one(rng, SPACE));
        }
    }
    out
}

/// An object in JSON.
fn json(rng: &mut Rng, depth: u32) -> String {
    let mut out = String::from("{");
    for at in 0..rng.usize(0..4) {
        if at > 0 {
            out.push(',');
        }
        out.push_str(one(rng, &["\"a\"", "\"b\"", "\"A\"", "\"c d\"", "\"\\u0061\"", "\"\""]));
        out.push_str(one(rng, &[":", " : ", ":\n"]));
        out.push_str(&json_value(rng, depth));
    }
    out.push('}');
    out
}

fn json_value(rng: &mut Rng, depth: u32) -> String {
    match rng.u8(0..if depth > 0 { 9 } else { 5 }) {
        0 => one(rng, &["true", "false", "null"]).to_owned(),
        1 | 2 => {
            one(rng, &["0", "1", "-1", "1.5", "1e3", "9223372036854775807", "1E-2", "0.5", "-0"]).to_owned()
        }
        3 | 4 => {
            one(rng, &["\"\"", "\"x\"", "\"${a}\"", "\"1\"", "\"a\\n\"", "\"\\u00e9\"", "\"${\\\"a\\\"}\""])
                .to_owned()
        }
        5..=7 => json(rng, depth - 1),
        _ => {
            let elements: Vec<String> = (0..rng.usize(0..4)).map(|_| json_value(rng, depth - 1)).collect();
            format!("[{}]", elements.join(","))
        }
    }
}
