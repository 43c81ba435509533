//! The op `json`: files in the JSON syntax, with templates in their strings.

use std::fmt::Write as _;

use fastrand::Rng;
use serde_json::{Value, json};

use super::eval::{Variables, request, templates};
use super::inputs::Inputs;
use super::mutate::mutate;
use super::{Make, Op};

pub(crate) const OPS: &[Op] = &[Op {
    name: "json",
    kinds: KINDS,
    fixed: &[("by hand", by_hand)],
    corpus: Some(|text| vec![json!({ "src": text }), json!({ "src": text, "vars": {}, "funcs": "std" })]),
    recorded: 700,
}];

const KINDS: &[(&str, Make)] = &[
    ("made", |rng, _| file(rng, None)),
    ("literal", |rng, _| {
        let mut made = file(rng, None);
        json!({ "src": made["src"].take() })
    }),
    ("mutated", |rng, _| file(rng, Some(String::new()))),
    ("corpus mutated", |rng, inputs: &Inputs| {
        let text = inputs.json(rng).map_or_else(String::new, |text| excerpt(text).to_owned());
        file(rng, Some(text))
    }),
];

/// The largest part of a corpus file that is mutated.
const MOST: usize = 3_000;

fn excerpt(text: &str) -> &str {
    let end = (0..=text.len().min(MOST)).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

/// A file, or a mutated text if there is one to mutate.
fn file(rng: &mut Rng, mutated: Option<String>) -> Value {
    let (strings, variables, with) = templates(rng, 6);
    let mut writer = Writer { rng, strings, out: String::new() };
    writer.object(3);
    let made = writer.out;
    let src = match mutated {
        None => made,
        Some(text) if text.is_empty() => {
            let other = made.clone();
            mutate(rng, &made, &other)
        }
        Some(text) => mutate(rng, &text, &made),
    };
    // References are found by their words, which escape sequences may hide, so all variables are set.
    let names: Vec<&str> = variables.values.keys().map(String::as_str).collect();
    let all = format!("{src} {}", names.join(" "));
    let mut request = if src.contains('\\') {
        request(rng, &all, &variables, with)
    } else {
        request(rng, &src, &variables, with)
    };
    request["src"] = src.into();
    request
}

struct Writer<'r> {
    rng: &'r mut Rng,
    /// Templates for strings.
    strings: Vec<String>,
    out: String,
}

/// Texts that look like something else, or that occur in real files.
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "name",
    "//",
    "true",
    "null",
    "1",
    "é",
    "a b",
    "$",
    "%",
    "$$",
    "$${",
    "${",
    "%{",
    "%%{x}",
    "$${a}",
    "a\nb",
    "\u{feff}",
    "\t",
    "\"",
    "\\",
    "日本",
    "\u{1f600}",
    "${",
    "}",
    "a.b",
    "list(string)",
];

const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "42",
    "-7",
    "0.1",
    "1.50",
    "1e3",
    "1E+2",
    "2.5e-3",
    "12345678901234567890123",
    "1e400",
    "-1e-400",
];

impl Writer<'_> {
    fn blank(&mut self) {
        let blank = match self.rng.u8(..40) {
            0 => "\t",
            1 => "\n  ",
            2 => "\r\n",
            3..=12 => " ",
            _ => "",
        };
        self.out.push_str(blank);
    }

    fn value(&mut self, depth: u32) {
        let most = if depth == 0 { 8 } else { 12 };
        match self.rng.u8(..most) {
            0 => self.out.push_str(["true", "false"][self.rng.usize(..2)]),
            1 => self.out.push_str("null"),
            2 => self.out.push_str(NUMBERS[self.rng.usize(..NUMBERS.len())]),
            3..=7 => self.string(),
            8..=9 => self.array(depth - 1),
            _ => self.object(depth - 1),
        }
    }

    fn array(&mut self, depth: u32) {
        self.out.push('[');
        for n in 0..self.rng.u8(..4) {
            self.out.push_str(if n > 0 { "," } else { "" });
            self.blank();
            self.value(depth);
        }
        self.blank();
        self.out.push(']');
    }

    fn object(&mut self, depth: u32) {
        self.out.push('{');
        for n in 0..self.rng.u8(..5) {
            self.out.push_str(if n > 0 { "," } else { "" });
            self.blank();
            self.string();
            self.blank();
            self.out.push(':');
            self.blank();
            self.value(depth);
        }
        self.blank();
        self.out.push('}');
    }

    fn string(&mut self) {
        let text = match self.rng.u8(..3) {
            0 => self.strings[self.rng.usize(..self.strings.len())].clone(),
            _ => TEXTS[self.rng.usize(..TEXTS.len())].to_owned(),
        };
        // Most strings have only the escape sequences that they need.
        let often = if self.rng.u8(..8) == 0 { 4 } else { 0 };
        self.out.push('"');
        for character in text.chars() {
            self.character(character, often);
        }
        self.out.push('"');
    }

    fn character(&mut self, character: char, often: u8) {
        let short = match character {
            '"' => Some("\\\""),
            '\\' => Some("\\\\"),
            '\n' => Some("\\n"),
            '\r' => Some("\\r"),
            '\t' => Some("\\t"),
            '/' if often > 0 => Some("\\/"),
            _ => None,
        };
        let escaped = character.is_control() || (often > 0 && self.rng.u8(..often) == 0);
        match short {
            Some(short) => self.out.push_str(short),
            None if escaped => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(self.out, "\\u{unit:04x}").expect("a string takes any text");
                }
            }
            None => self.out.push(character),
        }
    }
}

/// Edge cases, each without a context and with one.
fn by_hand() -> Vec<Value> {
    const SOURCES: &[&str] = &include!("json_by_hand.in");
    let variables = Variables::fixed();
    let of = |src: &&str| {
        let all = variables.values.clone();
        [json!({ "src": src }), json!({ "src": src, "vars": all, "funcs": "std" })]
    };
    SOURCES.iter().flat_map(of).collect()
}
