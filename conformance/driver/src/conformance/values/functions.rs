//! Generated functions for `value-op`: all combinations of what parameters allow, called more often than elsewhere
//! with values that are null, unknown, marked or of other types.

use fastrand::Rng;
use serde_json::{Value, json};

use super::{ANY_VALUES, Inputs, VALUES, pick, related, ty, value};

pub(super) fn calls(rng: &mut Rng, _: &Inputs) -> Value {
    let parameters: Vec<Value> = (0..rng.usize(..3)).map(|_| parameter(rng)).collect();
    let variadic = if rng.bool() { parameter(rng) } else { Value::Null };
    let mut count = parameters.len();
    if !variadic.is_null() {
        count += rng.usize(..3);
    }
    // Sometimes there is one argument too many or too few.
    match rng.u8(0..30) {
        0 => count += 1,
        1 => count = count.saturating_sub(1),
        _ => {}
    }
    let args: Vec<Value> = (0..count)
        .map(|at| {
            let wanted = parameters.get(at).or(Some(&variadic).filter(|parameter| !parameter.is_null()));
            let wanted = wanted.map_or_else(|| "string".into(), |parameter| parameter["type"].clone());
            argument(rng, wanted)
        })
        .collect();
    let announces = pick(rng, &["fixed", "first", "first", "seen", "seen", "failure"]);
    let returns = match (announces, rng.u8(0..3)) {
        ("seen", 0) => "arguments",
        ("first", 0..2) => "first",
        _ => pick(rng, &["arguments", "first", "marked", "null", "unknown", "unknown", "failure"]),
    };
    let fixed = if rng.bool() { "any".into() } else { ty(rng, 1, ANY_VALUES) };
    json!({
        "do": pick(rng, &["call", "call", "call", "result-type"]),
        "args": args,
        "parameters": parameters,
        "variadic": variadic,
        "announces": announces,
        "type": fixed,
        "returns": returns,
        "not_null": rng.u8(0..3) == 0,
    })
}

fn parameter(rng: &mut Rng) -> Value {
    let of = match rng.u8(0..4) {
        0 => "any".into(),
        1 => ty(rng, 2, ANY_VALUES),
        _ => ty(rng, 2, VALUES),
    };
    let allow: Vec<_> = ["null", "unknown", "dynamic", "marked"].into_iter().filter(|_| rng.bool()).collect();
    json!({ "type": of, "allow": allow })
}

/// A value that a parameter usually accepts.
fn argument(rng: &mut Rng, wanted: Value) -> Value {
    let mut of = match rng.u8(0..12) {
        0 => related(rng, &wanted, ANY_VALUES),
        1 => "any".into(),
        _ => wanted,
    };
    if of == "any" && rng.u8(0..4) > 0 {
        of = ty(rng, 2, ANY_VALUES);
    }
    let wild = pick(rng, &[0, 5, 15]);
    let made = value(rng, &of, wild);
    match rng.u8(0..8) {
        0 if made.get("marks").is_none() => json!({ "marks": ["m"], "of": made }),
        _ => made,
    }
}
