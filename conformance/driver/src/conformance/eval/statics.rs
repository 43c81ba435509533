//! The op `static`: expressions that are read without evaluating them, among them types.

use std::fmt::Write as _;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::maker::Maker;
use super::scope::{Variables, is_name};
use super::ty::{Ty, pick};
use super::{Inputs, Make, mutate};

pub(super) const KINDS: &[(&str, Make)] = &[
    ("analysis", |rng, _| {
        let kind = pick(rng, ANALYSES);
        let src = analysed(rng, kind);
        json!({ "src": src, "as": kind })
    }),
    ("type", |rng, _| {
        let wild = rng.u8(..4) == 0;
        let kind = pick(rng, &["type", "bare-constraint", "constraint", "constraint"]);
        let src = spell(rng, 3, kind != "type", wild);
        json!({ "src": src, "as": kind })
    }),
    ("defaults", defaults),
    ("mutated", |rng, _: &Inputs| {
        let (src, other) = (spell(rng, 3, true, false), spell(rng, 2, true, false));
        json!({ "src": mutate(rng, &src, &other), "as": pick(rng, &["type", "constraint"]) })
    }),
];

const ANALYSES: &[&str] = &["list", "map", "call", "traversal", "keyword"];

/// Every analysis, on expressions that look suitable for it.
pub(super) fn by_hand() -> Vec<Value> {
    const SOURCES: &[&str] = &[
        "",
        "a",
        "a.b",
        "a[0]",
        "a[\"k\"]",
        "a[*]",
        "a[b]",
        "a.0",
        "a[-1]",
        "a[1.5]",
        "a[\"${b}\"]",
        "a[\"x${b}\"]",
        "(a)",
        "(a).b",
        "(a.b)",
        "a.b.c[0].d",
        "a[null]",
        "a[true]",
        "a[<<E\nk\nE\n]",
        "true",
        "false",
        "null",
        "1",
        "\"a\"",
        "\"${a}\"",
        "\"a${b}\"",
        "\"a.b\"",
        "<<E\na\nE\n",
        "[]",
        "[a, b]",
        "[a,\n1 + 1]",
        "([a])",
        "[for x in y : x]",
        "{}",
        "{ a = 1 }",
        "{ a = 1, \"b\" = 2, (c) = 3 }",
        "{ \"${a}\" = 1 }",
        "{ 1 = 2 }",
        "({ a = 1 })",
        "{ for x in y : x => x }",
        "f()",
        "f(a, 1)",
        "f(a...)",
        "(f(a))",
        "n::f(a)",
        "f(a).b",
        "f(a)[0]",
        "-a",
        "!a",
        "a ? b : c",
        "a + b",
        "a\n",
        "for",
        "a-b",
        "é",
        "any",
        "string",
        "list(string)",
        "list",
        "list()",
        "list(string, number)",
        "list(any)",
        "list(list(string))",
        "set(number)",
        "map(bool)",
        "tuple([])",
        "tuple([string, number])",
        "tuple(string)",
        "tuple([optional(string)])",
        "object({})",
        "object({ a = string })",
        "object({ a = string, b = list(number) })",
        "object({ \"a\" = string })",
        "object({ (a) = string })",
        "object({ \"${a}\" = string })",
        "object({ 1 = string })",
        "object({ a = strin })",
        "object({ a = optional(string) })",
        "object({ a = optional(string, \"x\") })",
        "object({ a = optional(number, \"x\") })",
        "object({ a = optional(number, \"1\") })",
        "object({ a = optional(string, null) })",
        "object({ a = optional(string, b) })",
        "object({ a = optional() })",
        "object({ a = optional(string, 1, 2) })",
        "object({ a = optional(any, 1) })",
        "object({ a = optional(optional(string)) })",
        "object({ a = optional(object({ b = optional(string, \"x\") }), {}) })",
        "object({ a = optional(list(object({ b = optional(number, 1) })), [{}]) })",
        "object({ a = string, a = number })",
        "object([])",
        "object(string)",
        "object()",
        "object",
        "tuple",
        "set",
        "map",
        "optional(string)",
        "list(optional(string))",
        "map(map(map(any)))",
        "list(string...)",
        "list(strin)",
        "lst(string)",
        "String",
        "\"string\"",
        "list(\"string\")",
        "string.x",
        "any.x",
        "bool()",
        "tuple([string, any])",
        "list()()",
        "list(string).x",
        "dynamic",
        "n::list(string)",
        "null_s",
        "[string]",
        "{ a = string }",
        "list({ a = string })",
        "list([string])",
    ];
    let kinds = || ANALYSES.iter().copied().chain(["type", "bare-constraint", "constraint"]);
    let read = SOURCES.iter().flat_map(|src| kinds().map(move |kind| json!({ "src": src, "as": kind })));
    read.chain(defaults_by_hand()).collect()
}

/// Values that are maps and lists stay such with the defaults in them, if they can.
fn defaults_by_hand() -> Vec<Value> {
    let map = |part: Value, elem: &str| json!({ "map": { "b": part }, "elem": elem });
    let asked = |src: &str, value: Value| json!({ "src": src, "as": "defaults", "value": value });
    vec![
        asked(
            "object({ a = optional(map(object({ b = optional(string, 1) })), {}) })",
            json!({ "object": {} }),
        ),
        asked("object({ a = optional(any, 1) })", map(json!({ "string": "x" }), "string")),
        asked("object({ a = optional(any, 1) })", map(json!({ "bool": true }), "bool")),
        asked("object({ a = optional(any, []) })", map(json!({ "number": "1" }), "number")),
        asked("map(object({ a = optional(any, 1) }))", json!({ "map": {}, "elem": "string" })),
        asked(
            "list(object({ a = optional(any, 1) }))",
            json!({ "list": [map(json!({ "string": "x" }), "string")], "elem": ["map", "string"] }),
        ),
        asked(
            "map(tuple([any, object({ a = optional(any) })]))",
            json!({ "object": { "a": { "tuple": [{ "string": "x" }, { "object": {} }] }, "b": { "tuple": [{ "number": "1" }, { "object": {} }] } } }),
        ),
    ]
}

/// An expression that suits the analysis in most cases, otherwise one for another analysis or any expression.
fn analysed(rng: &mut Rng, kind: &str) -> String {
    let variables = Variables::draw(rng);
    let mut maker = Maker::new(rng, &variables, true);
    maker.mistakes = 0;
    let ty = maker.any_type();
    let kind = if maker.one_in(5) { maker.pick(ANALYSES) } else { kind };
    match kind {
        "list" => {
            let ty = Ty::Tuple(vec![ty.clone(), ty]);
            maker.literal(&ty).text
        }
        "map" => {
            let ty = Ty::map(ty);
            maker.literal(&ty).text
        }
        "call" => maker.call(&Ty::Any).map_or_else(String::new, |call| call.text),
        "traversal" => maker.path_text(|_| true).unwrap_or_default(),
        "keyword" => maker.path_text(|path| is_name(&path.text)).unwrap_or_default(),
        _ => maker.value(&ty).text,
    }
}

/// A type as written in configuration.
fn spell(rng: &mut Rng, depth: u8, constraint: bool, wild: bool) -> String {
    if wild && rng.u8(..8) == 0 {
        return pick(
            rng,
            &[
                "strin",
                "list",
                "list()",
                "\"string\"",
                "optional(string)",
                "map(string, string)",
                "object([])",
                "tuple({})",
                "null",
                "1",
                "any",
                "foo.bar",
                "x(string)",
                "list(any)",
                "set(\"x\")",
            ],
        )
        .to_owned();
    }
    if depth == 0 || rng.u8(..10) < 3 {
        let names: &[&str] =
            if constraint { &["string", "number", "bool", "any"] } else { &["string", "number", "bool"] };
        return pick(rng, names).to_owned();
    }
    let inner = |rng: &mut Rng| spell(rng, depth - 1, constraint, wild);
    match rng.u8(..8) {
        0 | 1 => format!("list({})", inner(rng)),
        2 => format!("set({})", inner(rng)),
        3 => format!("map({})", inner(rng)),
        4 => {
            let parts: Vec<_> = (0..rng.u8(..4)).map(|_| inner(rng)).collect();
            format!("tuple([{}])", parts.join(", "))
        }
        _ => {
            let mut text = String::from("object({");
            let mut names = ["a", "b", "name", "x-y", "é", "\"c\""];
            rng.shuffle(&mut names);
            for (n, name) in names.into_iter().take(rng.usize(..4)).enumerate() {
                // A quoted name is an error.
                let name = if name.starts_with('"') && rng.u8(..8) > 0 { "d" } else { name };
                let ty = inner(rng);
                let ty = match rng.u8(..6) {
                    0 | 1 if constraint => format!("optional({ty})"),
                    2 | 3 if constraint => format!("optional({ty}, {})", default(rng, &ty)),
                    _ => ty,
                };
                text += if n > 0 { ", " } else { "" };
                let _ = write!(text, "{name} = {ty}");
            }
            text + "})"
        }
    }
}

/// A default that usually fits a type.
fn default(rng: &mut Rng, ty: &str) -> String {
    let fits: &[&str] = match ty.split('(').next().unwrap_or_default() {
        "string" => &["\"x\"", "\"\"", "1", "true"],
        "number" => &["0", "\"5\"", "1.5", "-1"],
        "bool" => &["true", "false", "\"true\""],
        "list" | "set" | "tuple" => &["[]", "[{}]", "[1]", "[\"a\", \"b\"]", "[[]]"],
        "map" | "object" => &["{}", "{ a = 1 }", "{ a = {} }", "{ b = \"x\", c = {} }"],
        _ => &["1", "[]", "{ a = 1 }"],
    };
    let odd: &[&str] = &["null", "[]", "{}", "\"x\"", "a.b", "upper(\"x\")"];
    let list = if rng.u8(..8) == 0 { odd } else { fits };
    pick(rng, list).to_owned()
}

/// A value to which the defaults of a constraint are applied.
fn defaults(rng: &mut Rng, _: &Inputs) -> Value {
    let src = loop {
        let src = spell(rng, 3, true, false);
        if src.contains("optional(") {
            break src;
        }
    };
    let value = argument(rng, &src);
    json!({ "src": src, "as": "defaults", "value": value })
}

/// A value that matches the text of a type: objects for objects and maps, tuples for the rest.
fn argument(rng: &mut Rng, src: &str) -> Value {
    match rng.u8(..24) {
        0 => return json!({ "null": "any" }),
        1 => return json!({ "unknown": "any" }),
        2 => {
            let ty = Ty::random(rng, 2);
            return ty.value(rng, Ty::PLAIN);
        }
        3 => return json!({ "marks": ["m"], "of": argument(rng, src) }),
        _ => {}
    }
    let inside = |open: &str| src.strip_prefix(open).and_then(|rest| rest.strip_suffix(')'));
    if let Some(element) = inside("list(").or_else(|| inside("set(")) {
        return json!({ "tuple": (0..rng.u8(..3)).map(|_| argument(rng, element)).collect::<Vec<_>>() });
    }
    if let Some(element) = inside("map(") {
        let names = pick(rng, &[&[] as &[&str], &["a"], &["a", "k"]]);
        let parts: Map<_, _> =
            names.iter().map(|name| ((*name).to_owned(), argument(rng, element))).collect();
        return json!({ "object": parts });
    }
    if let Some(parts) = inside("tuple([").and_then(|parts| parts.strip_suffix(']')) {
        return json!({ "tuple": parts_of(parts).into_iter().map(|part| argument(rng, part)).collect::<Vec<_>>() });
    }
    if let Some(parts) = inside("object({").and_then(|parts| parts.strip_suffix('}')) {
        let mut made = Map::new();
        for part in parts_of(parts) {
            let Some((name, ty)) = part.split_once(" = ") else { continue };
            if rng.bool() {
                let inner = ty.strip_prefix("optional(").and_then(|rest| rest.strip_suffix(')'));
                let ty = inner.and_then(|inner| parts_of(inner).first().copied()).unwrap_or(ty);
                made.insert(name.trim_matches('"').to_owned(), argument(rng, ty));
            }
        }
        return json!({ "object": made });
    }
    let ty = match src {
        "number" => Ty::Num,
        "bool" => Ty::Bool,
        _ => Ty::primitive(rng),
    };
    ty.value(rng, Ty::PLAIN)
}

/// The parts between commas outside brackets.
fn parts_of(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut open) = (Vec::new(), 0, 0i32);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open -= 1,
            ',' if open == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.trim().is_empty() {
        parts.push(text[start..].trim());
    }
    parts
}
