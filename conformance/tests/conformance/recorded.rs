//! The probe's answers against the reference's, recorded under `recorded/`: conformance without Go.
//! Every op has a file, every file an op, and each of them answers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The ops with recorded answers.
const OPS: [&str; 14] = [
    "accept",
    "config",
    "convert",
    "decode",
    "expr",
    "format",
    "json",
    "refs",
    "shape",
    "static",
    "template",
    "traversal",
    "unify",
    "value-op",
];

/// The share of rejected requests whose errors must all be at the reference's places. It may only be raised.
const EQUAL_PLACES: f64 = 0.75;

#[test]
fn answers_agree_with_the_recorded_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded");
    let entries = fs::read_dir(&folder).expect("the recorded answers are next to this package");
    let mut found: Vec<String> = entries
        .map(|entry| entry.expect("a readable folder").file_name().into_string().expect("a name in UTF-8"))
        .collect();
    found.sort();
    assert_eq!(found, OPS.map(|op| format!("{op}.jsonl")), "the files of recorded answers");
    for op in OPS {
        assert!(hclkit_conformance::ops().any(|known| known == op), "the probe does not know the op `{op}`");
    }
    let mut failures = Vec::new();
    let (mut checked, mut rejected, mut elsewhere) = (0, 0, Vec::new());
    for op in OPS {
        let text = fs::read_to_string(folder.join(format!("{op}.jsonl"))).expect("a readable file");
        assert!(!text.is_empty(), "no answers are recorded for `{op}`");
        for line in text.lines() {
            let recorded: Value = serde_json::from_str(line).expect("recorded as JSON");
            let (request, expected) = (&recorded["request"], &recorded["answer"]);
            let answer = hclkit_conformance::answer(&request.to_string());
            let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
            checked += 1;
            match (rejects(expected), rejects(&answer)) {
                (true, true) => {
                    rejected += u32::from(!errors(expected).is_empty());
                    if errors(expected) != errors(&answer) {
                        elsewhere.push(request.to_string());
                    }
                }
                (false, false) if same(expected, &answer) => {}
                _ => failures.push(format!("{request}\n  reference: {expected}\n  ours:      {answer}")),
            }
        }
    }
    let shown = failures.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {checked} answers differ:\n{shown}", failures.len());
    #[allow(clippy::cast_precision_loss, reason = "a percentage")]
    let share = 1.0 - elsewhere.len() as f64 / f64::from(rejected).max(1.0);
    let shown = elsewhere.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(share >= EQUAL_PLACES, "of {rejected} rejected, {share:.3} have the same errors; not:\n{shown}");
}

fn rejects(answer: &Value) -> bool {
    let says = |key: &str, value: bool| answer.get(key).and_then(Value::as_bool) == Some(value);
    says("ok", false) || says("error", true) || says("none", true) || !errors(answer).is_empty()
}

/// The places of errors, each once.
fn errors(answer: &Value) -> BTreeSet<String> {
    match answer {
        Value::Array(items) => items.iter().flat_map(errors).collect(),
        Value::Object(fields) if fields.contains_key("severity") => {
            let error = fields["severity"] == "error";
            error.then(|| answer["range"].to_string()).into_iter().collect()
        }
        Value::Object(fields) => fields.values().flat_map(errors).collect(),
        _ => BTreeSet::new(),
    }
}

/// Equality except for the id and the wording of diagnostics.
fn same(a: &Value, b: &Value) -> bool {
    let told = |name: &str| !["id", "detail", "summary", "message"].contains(&name);
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.keys().filter(|name| told(name)).all(|name| b.contains_key(name))
                && b.iter().all(|(name, b)| !told(name) || a.get(name).is_some_and(|a| same(a, b)))
        }
        _ => a == b,
    }
}
