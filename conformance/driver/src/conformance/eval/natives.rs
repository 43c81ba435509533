//! Expressions over values that no literal can make: numbers from Rust's and Go's own types, whose precision is lower
//! than that of a literal, large integers, unknown values with refinements, values with marked parts, and capsules.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::scope::replaced;
use super::ty::pick;

/// Integers around the ends of the types that hold them, and powers of ten that a float cannot hold.
const INTEGERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "3",
    "9007199254740992",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "100000000000000000000000",
];

const FLOATS: &[&str] = &[
    "0",
    "-0",
    "1",
    "3",
    "-3",
    "0.1",
    "0.2",
    "0.3",
    "0.8",
    "-0.8",
    "1.5",
    "3.3333333333",
    "9007199254740993",
    "9223372036854775807",
    "1e18",
    "1e19",
    "1e22",
    "1e23",
    "-1e23",
    "1e308",
    // Go's logarithm of smaller ones is wrong on amd64.
    "2.2250738585072014e-308",
    "inf",
    "-inf",
];

/// Numbers in the places of the floats and integers that they are like.
const TEXTS: &[&str] = &[
    "0",
    "-0",
    "1",
    "3",
    "0.1",
    "0.3",
    "0.8",
    "-0.8",
    "0.8000000000000000444089209850062616169452667236328125",
    "3.3333333333",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551616",
    "1e22",
    "1e23",
    "-1e23",
    "99999999999999991611392",
    "1e308",
    "Inf",
];

/// A number of some origin.
pub(crate) fn number(rng: &mut Rng) -> Value {
    match rng.u8(..8) {
        0 => json!({ "number": rng.f64().to_string(), "origin": "float" }),
        1 | 2 => json!({ "number": pick(rng, TEXTS) }),
        3 | 4 => json!({ "number": pick(rng, INTEGERS), "origin": "integer" }),
        _ => json!({ "number": pick(rng, FLOATS), "origin": "float" }),
    }
}

fn capsule(rng: &mut Rng) -> Value {
    json!({ "capsule": pick(rng, &["a", "b"]) })
}

fn unknown_number(rng: &mut Rng) -> Value {
    let mut unknown = json!({ "unknown": "number" });
    if rng.bool() {
        unknown["not_null"] = true.into();
    }
    if rng.bool() {
        unknown["min"] = json!([pick(rng, &["0", "0.8", "1", "-3"]), rng.bool()]);
    }
    if rng.bool() {
        unknown["max"] = json!([pick(rng, &["2", "3", "1e23", "9007199254740993"]), rng.bool()]);
    }
    unknown
}

/// A value that no literal can make, or a literal that is like one.
fn native(rng: &mut Rng) -> Value {
    let value = match rng.u8(..16) {
        0 => capsule(rng),
        1 => json!({ "null": ["capsule", "thing"] }),
        2 => json!({ "unknown": ["capsule", "thing"] }),
        3 | 4 => unknown_number(rng),
        5 => json!({ "unknown": "string", "not_null": true, "prefix": pick(rng, &["a", "0.", "1"]) }),
        6 => {
            json!({ "unknown": ["list", "number"], "not_null": true, "min_len": 1, "max_len": rng.u8(1..3) })
        }
        7 => json!({ "tuple": [number(rng), { "marks": ["m"], "of": number(rng) }] }),
        8 => json!({ "list": [number(rng), number(rng)], "elem": "number" }),
        9 => json!({ "set": [number(rng), number(rng)], "elem": "number" }),
        10 => json!({ "object": { "a": number(rng), "b": capsule(rng) } }),
        _ => number(rng),
    };
    if rng.u8(..12) == 0 { json!({ "marks": ["m"], "of": value }) } else { value }
}

/// One operator or construct with such values.
pub(super) fn operators(rng: &mut Rng) -> Value {
    const FORMS: &[&str] = &[
        "f == g",
        "f == g",
        "f != g",
        "f < g",
        "f <= g",
        "f > g",
        "f >= g",
        "f + g",
        "f - g",
        "f * g",
        "f / g",
        "f % g",
        "-f",
        "-f == g",
        "f - g == 0",
        "f + g == h",
        "f * 10 == g",
        "[f] == [g]",
        "{ a = f } == { a = g }",
        "f == 0.8",
        "0.8 == f",
        "f != 1e23",
        "f <= 1e23",
        "f >= 0.3",
        "f == 3",
        "f ? g : h",
        "f == g ? f : g",
        "true ? f : g",
        "u ? f : g",
        "u ? f : g == h",
        "m ? f : g",
        "[f, g][h]",
        "[f, g, h][*]",
        "{ (f) = g, (g) = h }",
        "{ for v in [f, g, h] : v => v... }",
        "{ for v in [f, g, h] : v => v }",
        "[for v in [f, g, h] : v if v == f]",
        "[for v in f : v]",
        "[for k, v in f : k]",
        "\"${f}\"",
        "\"${f}${g}\"",
        "\"%{ if f == g }a%{ else }b%{ endif }\"",
        "toset([f, g, h])",
        "tolist([f, g, h])",
        "contains([f, g], h)",
        "index([f, g], h)",
        "distinct([f, g, h])",
        "max(f, g, h)",
        "min(f, g, h)",
        "floor(f)",
        "ceil(f)",
        "int(f)",
        "abs(f)",
        "signum(f)",
        "pow(f, g)",
        "log(f, g)",
        "equal(f, g)",
        "lessthan(f, g)",
        "greaterthan(f, g)",
        "modulo(f, g)",
        "divide(f, g)",
        "negate(f)",
        "tostring(f)",
        "tostring(f) == tostring(g)",
        "format(\"%v %d %f %g\", f, f, g, g)",
        "jsonencode([f, g])",
        "setunion([f], [g], [h])",
        "setintersection([f, g], [h])",
        "setsubtract([f, g], [h])",
        "sethaselement(toset([f, g]), h)",
        "element([f, g, h], f)",
        "range(f)",
        "range(f, g)",
        "slice([f, g, h], f, g)",
        "chunklist([f, g, h], f)",
        "coalesce(f, g)",
        "try(f + g, h)",
        "can(f + g)",
        "f && g",
        "!f",
        "f.a == g.a",
        "f[0]",
        "f[0] == g",
        "f == null",
        "length(f)",
        "convert(f, string)",
        "convert([f, g], set(number))",
        "merge({ a = f }, { a = g })",
        "zipmap([f, g], [g, h])",
        "parseint(f, g)",
    ];
    let mut vars = Map::new();
    for name in ["f", "g", "h"] {
        vars.insert(name.to_owned(), native(rng));
    }
    vars.insert("u".to_owned(), json!({ "unknown": "bool" }));
    vars.insert("m".to_owned(), json!({ "marks": ["m"], "of": { "bool": rng.bool() } }));
    if rng.u8(..4) == 0 {
        vars["g"] = vars["f"].clone();
    }
    json!({ "src": pick(rng, FORMS), "vars": vars, "funcs": "std" })
}

/// The same request with such numbers in most of its variables.
pub(super) fn with_numbers(rng: &mut Rng, mut request: Value) -> Value {
    if let Some(vars) = request.get_mut("vars") {
        *vars = replaced(vars, &mut |fields| {
            (fields.contains_key("number") && rng.u8(..3) > 0).then(|| number(rng))
        });
    }
    request
}
