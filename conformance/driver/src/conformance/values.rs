//! The ops on values and types: `convert`, `unify` and `value-op`. Values and types are generated up to a depth of
//! four, with unknown, refined, null and marked parts. The values and types of one request are mostly similar, because
//! otherwise most requests would be errors.

mod by_hand;
mod encoding;
mod every;
mod functions;
mod paths;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::Op;
use super::eval::number;
use super::inputs::Inputs;

pub(crate) const OPS: &[Op] = &[
    Op {
        name: "convert",
        kinds: &[("random", convert_random), ("related", convert_related)],
        fixed: &[("by hand", by_hand::conversions)],
        corpus: None,
        recorded: 600,
    },
    Op {
        name: "unify",
        kinds: &[("random", unify_random), ("related", unify_related)],
        fixed: &[],
        corpus: None,
        recorded: 400,
    },
    Op {
        name: "value-op",
        kinds: &[
            ("numbers", numbers),
            ("comparison", comparison),
            ("logic", logic),
            ("access", access),
            ("building", building),
            ("encoding", encoding::encoding),
            ("decoding", encoding::decoding),
            ("calls", functions::calls),
            ("paths", paths::paths),
            ("precision", paths::precision),
            ("unsafe unify", |rng, inputs| {
                let mut request = unify_related(rng, inputs);
                request["do"] = "unify-unsafely".into();
                request
            }),
        ],
        fixed: &[("by hand", by_hand::operations), ("every value", every::every_value)],
        corpus: None,
        recorded: 600,
    },
];

const DEPTH: u8 = 4;
const NAMES: &[&str] = &["a", "b", "c", "id", "name", "é", "0", "a b", "x-y"];

fn pick<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.usize(..list.len())]
}

/// Rare types.
#[derive(Clone, Copy)]
struct Allow {
    any: bool,
    optional: bool,
}

const VALUES: Allow = Allow { any: false, optional: false };
const ANY_VALUES: Allow = Allow { any: true, optional: false };
const TARGETS: Allow = Allow { any: true, optional: true };

fn ty(rng: &mut Rng, depth: u8, allow: Allow) -> Value {
    if depth == 0 || rng.u8(0..10) < 4 {
        return match rng.u8(0..if allow.any { 8 } else { 7 }) {
            0..3 => "string".into(),
            3..5 => "number".into(),
            5..7 => "bool".into(),
            _ => "any".into(),
        };
    }
    match rng.u8(0..10) {
        0 | 1 => json!(["list", ty(rng, depth - 1, allow)]),
        2 => json!(["set", ty(rng, depth - 1, allow)]),
        3 | 4 => json!(["map", ty(rng, depth - 1, allow)]),
        5 | 6 => {
            let count = rng.u8(0..4);
            json!(["tuple", (0..count).map(|_| ty(rng, depth - 1, allow)).collect::<Vec<_>>()])
        }
        _ => {
            let mut attributes = Map::new();
            for _ in 0..rng.u8(0..4) {
                attributes.insert(pick(rng, NAMES).to_owned(), ty(rng, depth - 1, allow));
            }
            object_type(rng, &attributes, allow)
        }
    }
}

fn object_type(rng: &mut Rng, attributes: &Map<String, Value>, allow: Allow) -> Value {
    let mut optional: Vec<&String> = Vec::new();
    if allow.optional && rng.u8(0..3) == 0 {
        optional = attributes.keys().filter(|_| rng.bool()).collect();
    }
    if optional.is_empty() { json!(["object", attributes]) } else { json!(["object", attributes, optional]) }
}

/// A type to which values of another type can probably be converted.
fn related(rng: &mut Rng, from: &Value, allow: Allow) -> Value {
    if rng.u8(0..30) == 0 {
        return ty(rng, 2, allow);
    }
    if allow.any && rng.u8(0..14) == 0 {
        return "any".into();
    }
    if let Some(name) = from.as_str() {
        return match (name, rng.u8(0..6)) {
            ("number" | "bool", 0..2) => "string".into(),
            ("string", 0) => pick(rng, &["number", "bool"]).into(),
            ("any", _) => ty(rng, 1, allow),
            _ => name.into(),
        };
    }
    let of = &from[1];
    match from[0].as_str().unwrap_or_default() {
        "map" => {
            let element = related(rng, of, allow);
            if rng.u8(0..4) > 0 {
                return json!(["map", element]);
            }
            let mut attributes = Map::new();
            for _ in 0..rng.u8(0..4) {
                attributes.insert(pick(rng, NAMES).to_owned(), related(rng, of, allow));
            }
            object_type(rng, &attributes, allow)
        }
        "tuple" => {
            let parts = of.as_array().cloned().unwrap_or_default();
            match rng.u8(0..4) {
                0 | 1 => {
                    let mut parts: Vec<_> = parts.iter().map(|part| related(rng, part, allow)).collect();
                    if rng.u8(0..10) == 0 {
                        parts.push("string".into());
                    }
                    json!(["tuple", parts])
                }
                other => {
                    let element = element_of(rng, &parts, allow);
                    json!([if other == 2 { "list" } else { "set" }, element])
                }
            }
        }
        "object" => {
            let parts = of.as_object().cloned().unwrap_or_default();
            if rng.u8(0..4) == 0 {
                let parts: Vec<_> = parts.values().cloned().collect();
                return json!(["map", element_of(rng, &parts, allow)]);
            }
            let mut attributes: Map<String, Value> =
                parts.iter().map(|(name, part)| (name.clone(), related(rng, part, allow))).collect();
            if rng.u8(0..5) == 0 {
                let gone = pick(rng, NAMES);
                attributes.remove(gone);
            }
            if allow.optional && rng.u8(0..4) == 0 {
                let (name, part) = (pick(rng, NAMES), ty(rng, 1, allow));
                attributes.entry(name).or_insert(part);
                return json!(["object", attributes, [name]]);
            }
            object_type(rng, &attributes, allow)
        }
        kind => {
            let element = related(rng, of, allow);
            let kind = if rng.u8(0..3) == 0 { pick(rng, &["list", "set"]) } else { kind };
            json!([kind, element])
        }
    }
}

fn element_of(rng: &mut Rng, parts: &[Value], allow: Allow) -> Value {
    if allow.any && rng.bool() {
        return "any".into();
    }
    match parts.first() {
        Some(first) => related(rng, first, allow),
        None => ty(rng, 1, allow),
    }
}

const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "ab",
    "true",
    "false",
    "0",
    "1",
    "42",
    "-1.5",
    "1e3",
    "0x10",
    "True",
    " 1",
    "é",
    "e\u{301}",
    "日本",
    "\u{1F468}\u{200D}\u{1F469}",
    "a\nb",
    "\"q\"",
    "<&>\u{2028}",
    "\u{0}\u{7f}",
    "${a}",
    "\u{ad}\u{a0}",
];

fn number_text(rng: &mut Rng) -> String {
    fn digits(rng: &mut Rng, most: usize) -> String {
        (0..rng.usize(1..most)).map(|_| rng.char('0'..='9')).collect()
    }
    let sign = if rng.u8(0..4) == 0 { "-" } else { "" };
    let body = match rng.u8(0..14) {
        0..5 => rng.u8(0..12).to_string(),
        5 => rng.u64(..).to_string(),
        6 => rng.i64(..).unsigned_abs().to_string(),
        7 => format!("{}.{}", digits(rng, 4), digits(rng, 6)),
        8 => format!("{}.{}", digits(rng, 60), digits(rng, 120)),
        9 => digits(rng, 200),
        10 => format!("{}.{}e{}", rng.u8(..), digits(rng, 8), rng.i32(-400..400)),
        11 => format!("{}e{}", rng.u8(1..), rng.i32(-9000..9000)),
        12 => pick(
            rng,
            &[
                "0.1",
                "0.2",
                "0.3",
                "0.5",
                "1.25",
                "3.3333333333",
                "1e400",
                "9223372036854775807",
                "9223372036854775808",
                "18446744073709551616",
                "340282366920938463463374607431768211456",
            ],
        )
        .to_owned(),
        _ => format!("{}p{}", rng.u32(..), rng.i32(-600..600)),
    };
    if rng.u8(0..60) == 0 { format!("{sign}Inf") } else { format!("{sign}{body}") }
}

/// A value of a type, of which `wild` percent each of all parts are null, unknown and marked.
fn value(rng: &mut Rng, ty: &Value, wild: u8) -> Value {
    if wild > 0 {
        match rng.u8(0..100) {
            n if n < wild => return json!({ "null": ty }),
            n if n < wild * 2 => return unknown(rng, ty),
            n if n < wild * 3 => {
                let marks: Vec<_> = ["m", "n"].into_iter().filter(|_| rng.bool()).collect();
                if !marks.is_empty() {
                    let of = match rng.u8(0..6) {
                        0 => json!({ "null": ty }),
                        1 => unknown(rng, ty),
                        _ => unmarked(rng, ty, wild),
                    };
                    return json!({ "marks": marks, "of": of });
                }
            }
            _ => {}
        }
    }
    unmarked(rng, ty, wild)
}

fn unmarked(rng: &mut Rng, ty: &Value, wild: u8) -> Value {
    match ty.as_str() {
        Some("string") => {
            let text = if rng.u8(0..4) == 0 { number_text(rng) } else { pick(rng, TEXTS).to_owned() };
            return json!({ "string": text });
        }
        Some("number") if rng.u8(0..3) == 0 => return number(rng),
        Some("number") => return json!({ "number": number_text(rng) }),
        Some("bool") => return json!({ "bool": rng.bool() }),
        Some(_) if rng.bool() => return json!({ "unknown": "any" }),
        Some(_) => return json!({ "null": "any" }),
        None => {}
    }
    let of = &ty[1];
    let count = pick(rng, &[0, 1, 1, 2, 2, 3]);
    match ty[0].as_str().unwrap_or_default() {
        kind @ ("list" | "set") => {
            let items: Vec<_> = (0..count).map(|_| value(rng, of, wild)).collect();
            json!({ kind: items, "elem": of })
        }
        "map" => {
            let items: Map<_, _> =
                (0..count).map(|_| (pick(rng, NAMES).to_owned(), value(rng, of, wild))).collect();
            json!({ "map": items, "elem": of })
        }
        "tuple" => {
            let items: Vec<_> = of.as_array().into_iter().flatten().map(|ty| value(rng, ty, wild)).collect();
            json!({ "tuple": items })
        }
        _ => {
            let parts = of.as_object().into_iter().flatten();
            let items: Map<_, _> = parts.map(|(name, ty)| (name.clone(), value(rng, ty, wild))).collect();
            json!({ "object": items })
        }
    }
}

fn unknown(rng: &mut Rng, ty: &Value) -> Value {
    let mut unknown = json!({ "unknown": ty });
    if ty == "any" || rng.bool() {
        return unknown;
    }
    if rng.bool() {
        unknown["not_null"] = true.into();
    }
    if ty == "string" && rng.bool() {
        unknown["prefix"] = pick(rng, &["a", "ab", "tru", "4", "é"]).into();
    }
    if ty == "number" && rng.bool() {
        let from = rng.i8(-9..6);
        if rng.u8(0..3) > 0 {
            let end = from.to_string();
            unknown["min"] = json!([if rng.u8(0..10) > 0 { &end } else { "-Inf" }, rng.bool()]);
        }
        if rng.u8(0..3) > 0 {
            let end = (from + rng.i8(1..9)).to_string();
            unknown["max"] = json!([if rng.u8(0..10) > 0 { &end } else { "Inf" }, rng.bool()]);
        }
    }
    if ["list", "set", "map"].iter().any(|kind| ty[0] == *kind) && rng.bool() {
        let min = rng.u8(0..3);
        if min > 0 {
            unknown["min_len"] = min.into();
        }
        if rng.bool() {
            unknown["max_len"] = (min + rng.u8(0..3)).into();
        }
    }
    unknown
}

fn value_type(rng: &mut Rng) -> Value {
    let allow = if rng.u8(0..4) == 0 { ANY_VALUES } else { VALUES };
    let depth = rng.u8(0..=DEPTH);
    ty(rng, depth, allow)
}

fn wild(rng: &mut Rng) -> u8 {
    pick(rng, &[0, 0, 4, 10])
}

fn convert_random(rng: &mut Rng, _: &Inputs) -> Value {
    let from = value_type(rng);
    let wild = wild(rng);
    json!({ "value": value(rng, &from, wild), "type": ty(rng, DEPTH, TARGETS) })
}

fn convert_related(rng: &mut Rng, _: &Inputs) -> Value {
    let from = value_type(rng);
    let wild = wild(rng);
    json!({ "value": value(rng, &from, wild), "type": related(rng, &from, TARGETS) })
}

fn unify_random(rng: &mut Rng, _: &Inputs) -> Value {
    let types: Vec<_> = (0..rng.u8(0..5)).map(|_| ty(rng, 3, ANY_VALUES)).collect();
    json!({ "types": types })
}

fn unify_related(rng: &mut Rng, _: &Inputs) -> Value {
    let first = ty(rng, DEPTH, ANY_VALUES);
    let mut types = vec![first.clone()];
    for _ in 0..rng.u8(1..4) {
        types.push(related(rng, &first, ANY_VALUES));
    }
    rng.shuffle(&mut types);
    json!({ "types": types })
}

#[allow(clippy::needless_pass_by_value, reason = "the arguments are made for it")]
fn operation(what: &str, args: Vec<Value>) -> Value {
    json!({ "do": what, "args": args })
}

fn two(rng: &mut Rng, ty: &str, wild: u8) -> Vec<Value> {
    let mut args: Vec<_> = (0..2).map(|_| value(rng, &ty.into(), wild)).collect();
    if rng.u8(0..25) == 0 {
        let other = value_type(rng);
        args[rng.usize(..2)] = value(rng, &other, wild);
    }
    args
}

fn numbers(rng: &mut Rng, _: &Inputs) -> Value {
    const TWO: &[&str] = &[
        "add",
        "subtract",
        "multiply",
        "divide",
        "modulo",
        "less",
        "less-or-equal",
        "greater",
        "greater-or-equal",
        "equals",
    ];
    let wild = wild(rng);
    let mut args = two(rng, "number", wild);
    if rng.u8(0..5) > 0 {
        return operation(pick(rng, TWO), args);
    }
    args.pop();
    operation(pick(rng, &["negate", "absolute", "same"]), args)
}

fn comparison(rng: &mut Rng, _: &Inputs) -> Value {
    let from = value_type(rng);
    let wild = wild(rng);
    let a = value(rng, &from, wild);
    let b = match rng.u8(0..4) {
        0 => a.clone(),
        1 => {
            let other = related(rng, &from, ANY_VALUES);
            value(rng, &other, wild)
        }
        _ => value(rng, &from, wild),
    };
    operation(pick(rng, &["equals", "equals", "not-equals", "identical"]), vec![a, b])
}

fn logic(rng: &mut Rng, _: &Inputs) -> Value {
    let wild = pick(rng, &[0, 10, 20]);
    let what = pick(rng, &["and", "or", "not"]);
    let mut args = two(rng, "bool", wild);
    if what == "not" {
        args.pop();
    }
    operation(what, args)
}

fn access(rng: &mut Rng, _: &Inputs) -> Value {
    let wild = wild(rng);
    let from = match rng.u8(0..6) {
        0 => value_type(rng),
        kind => loop {
            let made = ty(rng, 3, if kind == 1 { ANY_VALUES } else { VALUES });
            if made.is_array() {
                break made;
            }
        },
    };
    let whole = value(rng, &from, wild);
    match rng.u8(0..8) {
        0 => operation("length", vec![whole]),
        1 => operation("elements", vec![whole]),
        2 => {
            let element = if from[0] == "set" { from[1].clone() } else { value_type(rng) };
            let set = if rng.u8(0..8) == 0 { from } else { json!(["set", element]) };
            let element = if rng.u8(0..8) == 0 { related(rng, &element, ANY_VALUES) } else { element };
            let (set, element) = (value(rng, &set, wild), value(rng, &element, wild));
            operation("has-element", vec![set, element])
        }
        3 => json!({ "do": "attribute", "args": [whole], "src": pick(rng, NAMES) }),
        4 => operation(pick(rng, &["unmark", "as-null", "same"]), vec![whole]),
        other => {
            let key = match rng.u8(0..11) {
                0 => value(rng, &"bool".into(), wild),
                1..3 => value(rng, &"number".into(), wild),
                3..6 => json!({ "string": pick(rng, NAMES) }),
                6 => unmarked(rng, &"any".into(), wild),
                _ => json!({ "number": rng.u8(0..3).to_string() }),
            };
            operation(if other < 6 { "has-index" } else { "index" }, vec![whole, key])
        }
    }
}

fn building(rng: &mut Rng, _: &Inputs) -> Value {
    let from = value_type(rng);
    let wild = wild(rng);
    match rng.u8(0..4) {
        0 => {
            let to = related(rng, &from, TARGETS);
            json!({ "do": "convert-safely", "args": [value(rng, &from, wild)], "type": to })
        }
        1 => {
            let to = related(rng, &from, ANY_VALUES);
            json!({ "do": "matches", "args": [value(rng, &from, 0)], "type": to })
        }
        _ => {
            let args = (0..rng.u8(0..5)).map(|_| value(rng, &from, wild)).collect();
            operation(pick(rng, &["list", "set"]), args)
        }
    }
}
