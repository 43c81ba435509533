//! The ops on native syntax as text: `config`, `accept`, `traversal` and `shape`.

use fastrand::Rng;
use serde_json::{Value, json};

use super::grammar::Writer;
use super::inputs::Inputs;
use super::mutate::{excerpt, mutate};
use super::{LIMITS, Make, Op};

pub(crate) const OPS: &[Op] = &[
    Op {
        name: "config",
        kinds: FILES,
        fixed: &[("by hand", || cases(FILES_BY_HAND)), (LIMITS, limits)],
        corpus: Some(|text| vec![src(text)]),
        recorded: 700,
    },
    Op {
        name: "accept",
        kinds: FILES,
        fixed: &[("by hand", || cases(FILES_BY_HAND))],
        corpus: None,
        recorded: 300,
    },
    Op {
        name: "traversal",
        kinds: &[("generated", |rng, _| src(&traversal(rng, 0.02))), ("mutated", mutated_traversal)],
        fixed: &[("by hand", || cases(TRAVERSALS_BY_HAND)), ("partial", partial_by_hand)],
        corpus: None,
        recorded: 200,
    },
    Op {
        name: "shape",
        kinds: SHAPES,
        fixed: &[("by hand", shapes_by_hand)],
        corpus: Some(|text| vec![shape("config", text)]),
        recorded: 200,
    },
];

const FILES: &[(&str, Make)] = &[
    ("generated", |rng, _| src(&generated(rng))),
    ("mutated", |rng, _| {
        let (text, other) = (generated(rng), generated(rng));
        src(&mutate(rng, &text, &other))
    }),
    ("mutated seeds", |rng, inputs| {
        let (text, other) = (inputs.own(rng), inputs.own(rng));
        let text = excerpt(rng, text);
        src(&mutate(rng, &text, other))
    }),
    ("corpus mutated", |rng, inputs| {
        let (text, other) = (inputs.real(rng), inputs.real(rng));
        let (text, other) = (excerpt(rng, text), excerpt(rng, other));
        src(&mutate(rng, &text, &other))
    }),
];

const SHAPES: &[(&str, Make)] = &[
    ("generated", |rng, _| shape("config", &generated(rng))),
    ("expression", |rng, _| shape("expression", &Writer::new(rng, 0.0).whole_expression())),
    ("template", |rng, _| shape("template", &Writer::new(rng, 0.0).whole_template())),
    ("mutated", |rng, _| {
        let (as_what, [text, other]) = match rng.u8(0..3) {
            0 => ("config", [generated(rng), generated(rng)]),
            1 => ("expression", [0, 1].map(|_| Writer::new(rng, 0.0).whole_expression())),
            _ => ("template", [0, 1].map(|_| Writer::new(rng, 0.0).whole_template())),
        };
        shape(as_what, &mutate(rng, &text, &other))
    }),
];

fn shape(as_what: &str, text: &str) -> Value {
    json!({ "as": as_what, "src": text })
}

/// The values of the cases, as expressions and as templates.
fn shapes_by_hand() -> Vec<Value> {
    let right = || FILES_BY_HAND.iter().filter_map(|text| text.strip_prefix("a = "));
    let bare = |text: &'static str| text.trim_end_matches('\n');
    let expressions =
        right().map(|text| shape("expression", if text.contains("<<") { text } else { bare(text) }));
    let templates = right().filter_map(|text| {
        let text = bare(text).strip_prefix('"')?;
        Some(shape("template", text.strip_suffix('"').unwrap_or(text)))
    });
    expressions.chain(templates).collect()
}

fn partial_by_hand() -> Vec<Value> {
    TRAVERSALS_BY_HAND.iter().map(|text| json!({ "partial": true, "src": text })).collect()
}

fn src(text: &str) -> Value {
    json!({ "src": text })
}

fn cases(list: &[&str]) -> Vec<Value> {
    list.iter().map(|text| src(text)).collect()
}

/// Nesting and length: what any program must survive, though the reference does not.
fn limits() -> Vec<Value> {
    let mut list = Vec::new();
    for depth in [200, 900, 2_000, 100_000] {
        for (open, inner, close) in [
            ("[", "1", "]"),
            ("(", "1", ")"),
            ("{a=", "1", "}"),
            ("f(", "1", ")"),
            ("\"${", "1", "}\""),
            ("x[", "1", "]"),
            ("-", "1", ""),
            ("!", "x", ""),
            ("1 + ", "1", ""),
            ("x ? ", "1", " : 2"),
            ("x ? 1 : ", "2", ""),
            ("[for x in y : ", "1", "]"),
            ("", "x", ".y"),
            ("", "x", "[0]"),
            ("", "x", "[*]"),
        ] {
            let (open, close) = (open.repeat(depth), close.repeat(depth));
            list.push(src(&format!("a = {open}{inner}{close}\n")));
            list.push(src(&format!("a = {open}")));
        }
        let (open, close) = ("%{ if x }".repeat(depth), "%{ endif }".repeat(depth));
        // Deeper nesting takes the reference minutes, because it is quadratic.
        if depth < 10_000 {
            list.push(src(&format!("a = \"{open}{close}\"\n")));
            list.push(src(&format!("a = \"{open}")));
        }
        list.push(src(&("b {\n".repeat(depth) + &"}\n".repeat(depth))));
        list.push(src(&"b {\n".repeat(depth)));
    }
    list
}

fn generated(rng: &mut Rng) -> String {
    // Most files follow the rules; the others sometimes break them.
    let wild = if rng.u8(0..3) == 0 { 0.02 } else { 0.0 };
    Writer::new(rng, wild).file()
}

fn traversal(rng: &mut Rng, wild: f64) -> String {
    Writer::new(rng, wild).traversal()
}

fn mutated_traversal(rng: &mut Rng, _: &Inputs) -> Value {
    let (text, other) = (traversal(rng, 0.0), traversal(rng, 0.0));
    let text = mutate(rng, &text, &other);
    if rng.bool() { src(&text) } else { json!({ "partial": true, "src": text }) }
}

/// Edge cases as files, most of them one line.
const FILES_BY_HAND: &[&str] = &include!("by_hand_files.in");

const TRAVERSALS_BY_HAND: &[&str] = &[
    "",
    " ",
    "a",
    " a",
    "a ",
    "a.b",
    "a . b",
    "a.b.c",
    "a[0]",
    "a[\"k\"]",
    "a[ 0 ]",
    "a[\n0\n]",
    "a.0",
    "a.0.1",
    "a[*]",
    "a.*",
    "a[*].b",
    "a.",
    "a[",
    "a[]",
    "a[0",
    "a[b]",
    "a[1.5]",
    "a[-1]",
    "a[\"${b}\"]",
    "a[\"k\" ]",
    "a\n.b",
    "a.b\n",
    "a-b.c",
    "1",
    "\"a\"",
    "[0]",
    ".a",
    "a..b",
    "a.b c",
    "a::b",
    "a[0][1]",
    "a[\"x\\n\"]",
    "a[<<E\nE\n]",
    "true",
    "null.a",
    "a[99999999999999999999999]",
    "a[1e3]",
    "a[0x1]",
    "é.ü",
    "a.'b'",
    "a /* c */ .b",
    "a # c",
    "a.b.",
    "a[true]",
    "a[\"k\"]x",
    "a[\"\\u00e9\"]",
    "a[\"\\q\"]",
    "a[\"$${b}\"]",
    "a.1.5",
    "a.1.b",
    "a[00]",
    "a[\"\"]",
];
