//! Requests of `value-op` that write values as JSON and `MessagePack`, and read them. The texts to read are written
//! here, in forms that other programs might choose, and sometimes with errors.

use std::fmt::Write as _;

use fastrand::Rng;
use serde_json::{Value, json};

use super::{ANY_VALUES, DEPTH, Inputs, TARGETS, pick, related, ty, value, value_type};

/// Values written with their own type and with a specification of it.
pub(super) fn encoding(rng: &mut Rng, _: &Inputs) -> Value {
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

pub(super) fn decoding(rng: &mut Rng, _: &Inputs) -> Value {
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
