//! Requests of `value-op` about paths, and about numbers that are not from text.

use fastrand::Rng;
use serde_json::{Value, json};

use super::{ANY_VALUES, DEPTH, Inputs, NAMES, number_text, pick, ty, value};

pub(super) fn paths(rng: &mut Rng, _: &Inputs) -> Value {
    let of = ty(rng, DEPTH, ANY_VALUES);
    let wild = pick(rng, &[0, 4, 10]);
    let made = value(rng, &of, wild);
    match rng.u8(0..4) {
        0 => json!({ "do": "walk", "args": [made] }),
        1 => json!({ "do": "marked", "args": [made] }),
        _ => {
            let mut path = Vec::new();
            steps(rng, &made, &mut path);
            json!({ "do": "at", "args": [made], "path": path })
        }
    }
}

/// Steps that usually lead into the value.
fn steps(rng: &mut Rng, value: &Value, path: &mut Vec<Value>) {
    if let Some(inner) = value.get("of") {
        return steps(rng, inner, path);
    }
    if rng.u8(0..25) == 0 {
        let wrong = [json!({ "attr": pick(rng, NAMES) }), json!({ "index": { "number": "1" } })];
        path.push(wrong[rng.usize(..2)].clone());
    }
    if rng.u8(0..8) == 0 {
        return;
    }
    for kind in ["list", "tuple", "set"] {
        if let Some(items) = value.get(kind).and_then(Value::as_array).filter(|items| !items.is_empty()) {
            let at = rng.usize(..items.len());
            // Elements with marks inside are not asked for.
            if kind == "set" && items[at].to_string().contains("\"marks\"") {
                return;
            }
            let key = if kind == "set" { items[at].clone() } else { json!({ "number": at.to_string() }) };
            path.push(json!({ "index": key }));
            return steps(rng, &items[at], path);
        }
    }
    for kind in ["map", "object"] {
        if let Some(items) = value.get(kind).and_then(Value::as_object).filter(|items| !items.is_empty()) {
            let (name, item) = items.iter().nth(rng.usize(..items.len())).expect("one of them");
            path.push(if kind == "map" {
                json!({ "index": { "string": name } })
            } else {
                json!({ "attr": name })
            });
            return steps(rng, item, path);
        }
    }
}

pub(super) fn precision(rng: &mut Rng, _: &Inputs) -> Value {
    const OPERATIONS: &[&str] =
        &["add", "subtract", "multiply", "divide", "divide", "modulo", "less", "equals", "identical"];
    let mut numbers = Vec::new();
    let mut operations = Vec::new();
    for n in 0..rng.usize(1..5) {
        numbers.push(match rng.u8(0..3) {
            0 => ["text".to_owned(), number_text(rng)],
            1 => {
                let wide = rng.bool();
                let integer = if wide { rng.i64(..) } else { rng.i64(-20..20) };
                ["integer".to_owned(), integer.to_string()]
            }
            _ => {
                let float = if rng.bool() { rng.f64() * 10.0 - 5.0 } else { f64::from_bits(rng.u64(..)) };
                let float = if float.is_nan() { 0.1 } else { float };
                ["float".to_owned(), float.to_string()]
            }
        });
        if n > 0 {
            operations.push(pick(rng, OPERATIONS));
        }
    }
    json!({ "do": "compute", "numbers": numbers, "operations": operations })
}
