//! Each operation of `value-op` on each of a fixed set of values, or pair of them: known, null, unknown, refined and
//! marked values of all kinds, including combinations that are rare in random requests.

use serde_json::{Value, json};

use super::operation;

const VALUES: &[&str] = &[
    r#"{"string": "a"}"#,
    r#"{"number": "1"}"#,
    r#"{"number": "-0.5"}"#,
    r#"{"number": "-Inf"}"#,
    r#"{"bool": true}"#,
    r#"{"null": "any"}"#,
    r#"{"null": "string"}"#,
    r#"{"null": "number"}"#,
    r#"{"null": "bool"}"#,
    r#"{"unknown": "any"}"#,
    r#"{"unknown": "string", "prefix": "a"}"#,
    r#"{"unknown": "number"}"#,
    r#"{"unknown": "number", "min": ["1", true]}"#,
    r#"{"unknown": "number", "max": ["1", false], "not_null": true}"#,
    r#"{"unknown": "bool", "not_null": true}"#,
    r#"{"list": [], "elem": "any"}"#,
    r#"{"list": [{"string": "a"}, {"null": "string"}, {"unknown": "string"}], "elem": "string"}"#,
    r#"{"list": [{"null": "any"}], "elem": "any"}"#,
    r#"{"null": ["list", "string"]}"#,
    r#"{"unknown": ["list", "string"], "min_len": 1}"#,
    r#"{"set": [{"number": "1"}, {"number": "2"}], "elem": "number"}"#,
    r#"{"set": [{"string": "a"}, {"unknown": "string"}], "elem": "string"}"#,
    r#"{"set": [{"unknown": "any"}], "elem": "any"}"#,
    r#"{"null": ["set", "number"]}"#,
    r#"{"unknown": ["set", "any"], "not_null": true, "max_len": 1}"#,
    r#"{"map": {"a": {"bool": true}, "b": {"unknown": "bool"}}, "elem": "bool"}"#,
    r#"{"map": {}, "elem": "string"}"#,
    r#"{"null": ["map", "any"]}"#,
    r#"{"unknown": ["map", "string"]}"#,
    r#"{"tuple": []}"#,
    r#"{"tuple": [{"string": "a"}, {"unknown": "any"}, {"null": "any"}]}"#,
    r#"{"null": ["tuple", ["string"]]}"#,
    r#"{"unknown": ["tuple", ["string", "any"]]}"#,
    r#"{"object": {}}"#,
    r#"{"object": {"a": {"string": "a"}, "b": {"null": "any"}}}"#,
    r#"{"object": {"a": {"unknown": "any"}, "b": {"list": [{"number": "1"}], "elem": "number"}}}"#,
    r#"{"null": ["object", {"a": "string"}]}"#,
    r#"{"unknown": ["object", {"a": "string", "b": "any"}]}"#,
    r#"{"tuple": [{"marks": ["m"], "of": {"string": "a"}}]}"#,
    r#"{"object": {"a": {"marks": ["m", "n"], "of": {"unknown": "string"}}}}"#,
    r#"{"marks": ["m"], "of": {"number": "0"}}"#,
    r#"{"marks": ["m"], "of": {"null": "any"}}"#,
    r#"{"marks": ["n"], "of": {"unknown": "any"}}"#,
    r#"{"marks": ["n"], "of": {"null": ["list", "number"]}}"#,
    r#"{"marks": ["m"], "of": {"unknown": ["map", "number"]}}"#,
];

const OF_ONE: &[&str] =
    &["negate", "absolute", "not", "length", "same", "unmark", "as-null", "elements", "walk", "marked"];

const OF_TWO: &[&str] = &[
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
    "not-equals",
    "identical",
    "and",
    "or",
    "index",
    "has-index",
    "has-element",
    "list",
    "set",
];

const TYPES: &[&str] = &[
    r#""string""#,
    r#""any""#,
    r#"["list", "any"]"#,
    r#"["list", "string"]"#,
    r#"["set", "any"]"#,
    r#"["set", "number"]"#,
    r#"["map", "any"]"#,
    r#"["map", "string"]"#,
    r#"["tuple", ["any", "any", "string"]]"#,
    r#"["object", {"a": "any"}]"#,
    r#"["object", {"a": "string", "b": ["set", "any"]}]"#,
];

pub(super) fn every_value() -> Vec<Value> {
    let read = |texts: &[&str]| -> Vec<Value> {
        texts.iter().map(|text| serde_json::from_str(text).expect("JSON")).collect()
    };
    let (values, types) = (read(VALUES), read(TYPES));
    let mut all = Vec::new();
    for a in &values {
        all.extend(OF_ONE.iter().map(|what| operation(what, vec![a.clone()])));
        all.push(json!({ "do": "attribute", "args": [a], "src": "a" }));
        for b in &values {
            all.extend(OF_TWO.iter().map(|what| operation(what, vec![a.clone(), b.clone()])));
            all.push(json!({ "do": "at", "args": [a], "path": [{ "index": b }] }));
        }
        for ty in &types {
            for what in ["convert-safely", "matches", "json-out", "msgpack-out"] {
                all.push(json!({ "do": what, "args": [a], "type": ty }));
            }
        }
    }
    all
}
