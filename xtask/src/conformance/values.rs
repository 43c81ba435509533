//! The ops on values and types: `convert`, `unify` and `value-op`. Values and types are made up to a
//! depth of four, with unknown, refined, null and marked parts; two things of one request resemble
//! each other more often than not, for otherwise most requests would be errors.

mod every;
mod functions;
mod paths;

use std::fmt::Write as _;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::Op;
use super::inputs::Inputs;

pub(crate) const OPS: &[Op] = &[
    Op {
        name: "convert",
        kinds: &[("random", convert_random), ("related", convert_related)],
        fixed: &[("by hand", convert_by_hand)],
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
            ("encoding", encoding),
            ("decoding", decoding),
            ("calls", functions::calls),
            ("paths", paths::paths),
            ("precision", paths::precision),
            ("unsafe unify", |rng, inputs| {
                let mut request = unify_related(rng, inputs);
                request["do"] = "unify-unsafely".into();
                request
            }),
        ],
        fixed: &[("by hand", operations_by_hand), ("every value", every::every_value)],
        corpus: None,
        recorded: 600,
    },
];

const DEPTH: u8 = 4;
const NAMES: &[&str] = &["a", "b", "c", "id", "name", "é", "0", "a b", "x-y"];

fn pick<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.usize(..list.len())]
}

/// What types may hold beside the common ones.
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

/// Values written with their own type and with a specification of it.
fn encoding(rng: &mut Rng, _: &Inputs) -> Value {
    let from = value_type(rng);
    let wild = pick(rng, &[0, 0, 3, 8]);
    let as_type = match rng.u8(0..12) {
        0..4 => specification(rng, &from),
        4 => related(rng, &from, ANY_VALUES),
        _ => from.clone(),
    };
    match rng.u8(0..8) {
        0 => json!({ "do": "type-out", "type": ty(rng, DEPTH, TARGETS) }),
        1..4 => json!({ "do": "json-out", "args": [value(rng, &from, wild)], "type": as_type }),
        _ => json!({ "do": "msgpack-out", "args": [value(rng, &from, wild)], "type": as_type }),
    }
}

/// The type with some parts replaced by the dynamic pseudo-type.
fn specification(rng: &mut Rng, ty: &Value) -> Value {
    match ty {
        Value::Array(parts) if rng.u8(0..4) > 0 => {
            json!([
                parts[0],
                match &parts[1] {
                    Value::Object(types) => Value::Object(
                        types.iter().map(|(name, ty)| (name.clone(), specification(rng, ty))).collect()
                    ),
                    Value::Array(types) if parts[0] == "tuple" => {
                        types.iter().map(|ty| specification(rng, ty)).collect()
                    }
                    ty => specification(rng, ty),
                }
            ])
        }
        ty if rng.bool() => ty.clone(),
        _ => "any".into(),
    }
}

fn decoding(rng: &mut Rng, _: &Inputs) -> Value {
    let from = value_type(rng);
    let as_type = match rng.u8(0..8) {
        0 => related(rng, &from, ANY_VALUES),
        1 => specification(rng, &from),
        _ => from.clone(),
    };
    let wild = pick(rng, &[0, 4]);
    let made = value(rng, &from, wild);
    match rng.u8(0..8) {
        0 => json!({ "do": "json-implied", "src": json_text(rng, &made) }),
        1 => {
            let bytes = hex(&msgpack(rng, &made));
            json!({ "do": "msgpack-implied", "src": bytes })
        }
        2 => json!({ "do": "type-in", "src": type_text(rng, &as_type) }),
        3..5 => json!({ "do": "json-in", "src": json_text(rng, &made), "type": as_type }),
        _ => {
            let bytes = hex(&msgpack(rng, &made));
            json!({ "do": "msgpack-in", "src": bytes, "type": as_type })
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn spoil(rng: &mut Rng, text: String) -> String {
    if rng.u8(0..12) > 0 || text.is_empty() {
        return text;
    }
    let mut chars: Vec<char> = text.chars().collect();
    let at = rng.usize(..chars.len());
    match rng.u8(0..3) {
        0 => drop(chars.remove(at)),
        1 => chars.insert(at, pick(rng, &[',', '"', '}', ']', ' ', '0', '-', '\\', 'n', '{', '[', ':'])),
        _ => chars.truncate(at),
    }
    chars.into_iter().collect()
}

fn type_text(rng: &mut Rng, ty: &Value) -> String {
    let text = ty.to_string().replace("\"any\"", "\"dynamic\"");
    spoil(rng, text)
}

/// Plain JSON of a value, as another program might write it; unknown parts become text.
fn json_text(rng: &mut Rng, value: &Value) -> String {
    fn write(rng: &mut Rng, value: &Value, out: &mut String) {
        let space = if rng.u8(0..6) == 0 { " " } else { "" };
        out.push_str(space);
        let (kind, of) = match value.as_object().and_then(|fields| {
            ["string", "number", "bool", "list", "set", "tuple", "map", "object", "of"]
                .iter()
                .find_map(|kind| Some((*kind, fields.get(*kind)?)))
        }) {
            Some(found) => found,
            None if value.get("null").is_some() => return out.push_str("null"),
            None => return out.push_str("\"unknown\""),
        };
        match (kind, of) {
            ("of", of) => write(rng, of, out),
            ("number", Value::String(text)) if !text.ends_with("Inf") && !text.contains('p') => {
                match rng.u8(0..10) {
                    0 => out.push_str(&of.to_string()),
                    _ => out.push_str(text),
                }
            }
            ("string", Value::String(text)) if rng.u8(0..4) == 0 => {
                out.push('"');
                for unit in text.encode_utf16() {
                    let _ = write!(out, "\\u{unit:04x}");
                }
                out.push('"');
            }
            (_, Value::Array(items)) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    write(rng, item, out);
                }
                out.push(']');
            }
            (_, Value::Object(items)) => {
                out.push('{');
                for (at, (name, item)) in items.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    out.push_str(&Value::from(name.as_str()).to_string());
                    out.push(':');
                    write(rng, item, out);
                }
                out.push('}');
            }
            (_, other) => out.push_str(&other.to_string()),
        }
        out.push_str(space);
    }
    let mut text = String::new();
    write(rng, value, &mut text);
    spoil(rng, text)
}

/// `MessagePack` of a value, in forms of our own choosing.
fn msgpack(rng: &mut Rng, value: &Value) -> Vec<u8> {
    fn text(text: &str, out: &mut Vec<u8>) {
        match text.len() {
            length @ 0..32 => out.push(0xa0 | length as u8),
            length => out.extend([0xda, (length >> 8) as u8, length as u8]),
        }
        out.extend(text.as_bytes());
    }
    fn write(rng: &mut Rng, value: &Value, out: &mut Vec<u8>) {
        if let Some(of) = value.get("of") {
            return write(rng, of, out);
        }
        if let Some(flag) = value.get("bool") {
            return out.push(if flag == true { 0xc3 } else { 0xc2 });
        }
        if let Some(of) = value.get("string").and_then(Value::as_str) {
            return text(of, out);
        }
        if let Some(of) = value.get("number").and_then(Value::as_str) {
            return match (of.parse::<i64>(), of.parse::<f64>()) {
                (Ok(integer @ 0..100), _) if rng.bool() => out.push(integer.unsigned_abs() as u8),
                (Ok(integer), _) if rng.bool() => {
                    out.push(0xd3);
                    out.extend(integer.to_be_bytes());
                }
                (_, Ok(float)) if rng.bool() && of.len() < 9 => {
                    out.push(0xcb);
                    out.extend(float.to_bits().to_be_bytes());
                }
                _ => text(of, out),
            };
        }
        for kind in ["list", "set", "tuple"] {
            if let Some(items) = value.get(kind).and_then(Value::as_array) {
                out.push(0x90 | items.len() as u8);
                return items.iter().for_each(|item| write(rng, item, out));
            }
        }
        for kind in ["map", "object"] {
            if let Some(items) = value.get(kind).and_then(Value::as_object) {
                out.push(0x80 | items.len() as u8);
                for (name, item) in items {
                    text(name, out);
                    write(rng, item, out);
                }
                return;
            }
        }
        if value.get("null").is_some() {
            return out.push(0xc0);
        }
        let mut known = Vec::new();
        let mut count = 0;
        if value.get("not_null").is_some() {
            known.extend([1, 0xc2]);
            count += 1;
        }
        if let Some(prefix) = value.get("prefix").and_then(Value::as_str) {
            known.push(2);
            text(prefix, &mut known);
            count += 1;
        }
        for (key, name) in [(5, "min_len"), (6, "max_len")] {
            if let Some(length) = value.get(name).and_then(Value::as_u64) {
                known.extend([key, length as u8]);
                count += 1;
            }
        }
        match count {
            0 => out.extend([0xd4, 0, 0]),
            count => {
                out.extend([0xc7, known.len() as u8 + 1, 12, 0x80 | count]);
                out.append(&mut known);
            }
        }
    }
    let mut out = Vec::new();
    write(rng, value, &mut out);
    if rng.u8(0..12) == 0 {
        let at = rng.usize(..out.len());
        if rng.bool() { out.truncate(at) } else { out[at] = rng.u8(..) }
    }
    out
}

fn convert_by_hand() -> Vec<Value> {
    const NUMBERS: &str = "0 -0 +5 1e3 1E3 Inf -Inf +Inf inf infinity NaN 1p4 0x10 1_000 - 1. . .5 1e 1e+ 1e+5 1e400 \
        1e-400 1e99999 1e99999999999 1e9223372036854775808 1p99999999999 1.5p3 0e5 1e5.5 --1 +-1 0.1p-1 00012 1.50 \
        0e999999999999999999999 true True TRUE false 1 t yes on";
    /// Halfway to the float above they end in zeros, and may not be rounded up to what lies beyond.
    const BELOW_ROUND: [&str; 5] = [
        "489071798939994131857599505009041284050937684085708430665875611259919373502904798050163277989869244190372794426436533335263644810127493144273619330657371963",
        "7556708296110459761169923576249492932243339306359640458511263119834703546877886151239002279921988063699087774075777940963393759341064783027318773724844850675712",
        "7838413967187835155178757049511892477157161048606239260381777428177584422974865981758443788104839737823198377220269329165101404551715853133840312151842188288",
        "7867491949361122295861478301686039507899668726870811550851694365168639723155021341972386341684617733078453792176463625607049813752377938901021459958541516275712",
        "10021149118982214156333564008839970178757739149057577832276444271666501202500417949046920694022038488516267063365744376789661124939302733647288818474856312446084186112",
    ];
    let to = |text: &str, ty: &str| json!({ "value": { "string": text }, "type": ty });
    let texts = NUMBERS.split(' ').chain(["", " 1", "1 "]);
    let mut list: Vec<_> = texts.flat_map(|text| [to(text, "number"), to(text, "bool")]).collect();
    list.extend(BELOW_ROUND.map(|text| json!({ "value": { "number": text }, "type": "string" })));
    list.extend(unknown_sets());
    list.extend(attributes_that_do_not_fit());
    list
}

/// A set may shrink where its type gains optional attributes, unless nothing else is converted.
fn unknown_sets() -> Vec<Value> {
    let set = json!({ "unknown": ["set", ["object", { "a": "string" }]], "min_len": 2, "max_len": 2, "not_null": true });
    let to = json!(["set", ["object", { "a": "string" }, ["a"]]]);
    vec![
        json!({ "value": set, "type": to }),
        json!({ "value": { "tuple": [set] }, "type": ["tuple", [to]] }),
        json!({ "value": { "tuple": [set, { "number": "1" }] }, "type": ["tuple", [to, "string"]] }),
        json!({ "value": { "object": { "k": set } }, "type": ["map", to] }),
    ]
}

/// An optional attribute whose type no element of the map can have takes nothing of its types.
fn attributes_that_do_not_fit() -> Vec<Value> {
    let shapes =
        [json!(["list", "bool"]), json!(["set", "bool"]), json!(["map", "bool"]), json!(["tuple", ["bool"]])];
    let wanted = ["list", "set", "map"];
    let pairs = shapes.iter().flat_map(|shape| wanted.map(|to| (shape, to)));
    pairs
        .map(|(shape, to)| json!({ "value": { "null": ["map", shape] }, "type": ["object", { "k": [to, "any"] }, ["k"]] }))
        .collect()
}

fn operations_by_hand() -> Vec<Value> {
    let numbers = ["0", "-0", "1", "-1", "2", "3", "0.1", "0.2", "1e400", "-7", "7.5", "Inf", "-Inf"];
    let mut list = bounds_at_infinity();
    list.extend(extensions());
    list.extend(nil_in_extensions());
    for place in ["0", "9223372036854775807", "9223372036854775808"] {
        list.push(operation(
            "has-index",
            vec![json!({ "null": ["list", "string"] }), json!({ "number": place })],
        ));
    }
    for what in ["add", "subtract", "multiply", "divide", "modulo", "less", "equals"] {
        for a in numbers {
            for b in numbers {
                list.push(operation(what, vec![json!({ "number": a }), json!({ "number": b })]));
            }
        }
    }
    list
}

/// What is known of an unknown value, as nil, as zero and as a float.
fn nil_in_extensions() -> Vec<Value> {
    let list = json!(["list", "string"]);
    let types = [("01", json!("bool")), ("02", json!("string")), ("05", list.clone()), ("06", list)];
    let told = ["c0", "00", "cb0000000000000000"];
    let each = types.iter().flat_map(|known| told.map(|told| (known, told)));
    each.map(|((key, ty), told)| {
        let body = format!("81{key}{told}");
        json!({ "do": "msgpack-in", "src": format!("c7{:02x}0c{body}", body.len() / 2), "type": ty })
    })
    .collect()
}

/// Bounds that hold for every number, and those that none or only an infinity keeps.
fn bounds_at_infinity() -> Vec<Value> {
    let mut list = Vec::new();
    for (bound, end) in [("min", "-Inf"), ("min", "Inf"), ("max", "-Inf"), ("max", "Inf")] {
        for (inclusive, not_null) in [(true, true), (false, true), (true, false), (false, false)] {
            let unknown = json!({ "unknown": "number", bound: [end, inclusive], "not_null": not_null });
            list.push(json!({ "do": "msgpack-out", "args": [unknown], "type": "number" }));
            for what in ["negate", "absolute", "same"] {
                list.push(operation(what, vec![unknown.clone()]));
            }
            let known = json!({ "number": "1" });
            for what in ["add", "multiply", "less", "less-or-equal", "equals"] {
                list.push(operation(what, vec![unknown.clone(), known.clone()]));
                list.push(operation(what, vec![known.clone(), unknown.clone()]));
            }
        }
    }
    list
}

/// Extensions of `MessagePack` of all types and lengths that could be taken for unknown values.
fn extensions() -> Vec<Value> {
    const TEXTS: &str = "c700ff c7000c c70100ff c7010c80 c7010c00 d40c00 d4ff00 d50000 c7020b8000 c7020c8000 c7020d8000 \
        c7020c8101 c7020cc080 c7030c8101c2 c703008101c2 c7040c8101c2c2 c7050c8101c20c d60c8101c2c2 c8000300ffffff \
        c80001ff00 c7040c81070182 c7050c820701 c70c0c d8ff00000000000000000000000000000000";
    let ask = |src: &str| {
        let types = [json!("string"), json!(["list", "bool"]), json!("any")];
        let typed = types.map(|ty| json!({ "do": "msgpack-in", "src": src, "type": ty }));
        [typed.to_vec(), vec![json!({ "do": "msgpack-implied", "src": src })]].concat()
    };
    TEXTS.split_whitespace().flat_map(ask).collect()
}
