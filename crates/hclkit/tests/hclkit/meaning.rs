//! Conversion to JSON keeps the meaning. `meaning/recorded.jsonl` contains expressions and their conversions; the reference
//! evaluated both to equal values.
//!
//! To ask the reference again, and to record new lines (`{"native": …}` is enough): build `conformance/oracle` with Go and
//! run this test with `HCL_ORACLE` set to its path.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hclkit::convert::ToJson;
use serde_json::{Value, json};

#[test]
fn conversions_are_confirmed_by_the_reference() {
    let recorded = recorded();
    let converted: Vec<String> = recorded.iter().map(|case| convert(native(case))).collect();
    if let Some(oracle) = std::env::var_os("HCL_ORACLE") {
        confirm(Path::new(&oracle), &recorded, &converted);
        let lines = recorded.iter().zip(&converted).fold(String::new(), |mut lines, (case, json)| {
            let _ = writeln!(lines, "{{\"native\":{},\"json\":{}}}", case["native"], json!(json));
            lines
        });
        std::fs::write(record(), lines).unwrap();
        return;
    }
    for (case, converted) in recorded.iter().zip(&converted) {
        assert_eq!(case["json"].as_str(), Some(converted.as_str()), "{}", native(case));
    }
}

fn record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hclkit/meaning/recorded.jsonl")
}

fn recorded() -> Vec<Value> {
    let lines = std::fs::read_to_string(record()).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn native(case: &Value) -> &str {
    case["native"].as_str().unwrap()
}

fn convert(expression: &str) -> String {
    let document = hclkit::parse(format!("a = {expression}\n"));
    let json =
        ToJson::new().convert(&document).unwrap_or_else(|problems| panic!("{expression}\n{problems:?}"));
    serde_json::to_string(&json).unwrap()
}

/// Asks the reference for the values of each expression and of its conversion.
fn confirm(oracle: &Path, cases: &[Value], converted: &[String]) {
    let vars = json!({
        "x": {"string": "ex"}, "n": {"number": "5"}, "b": {"bool": true}, "nul": {"null": "any"},
        "l": {"tuple": [{"string": "p"}, {"string": "q"}]}, "e": {"tuple": []}, "u": {"unknown": "string"},
        "o": {"object": {"k": {"string": "v"}, "list": {"tuple": [{"number": "1"}, {"number": "2"}]},
            "a-b": {"number": "3"}}},
        "os": {"tuple": [{"object": {"id": {"string": "i1"}}}, {"object": {"id": {"string": "i2"}}}]},
    });
    let mut requests = String::new();
    for (case, json) in cases.iter().zip(converted) {
        // Heredocs must end with a line break.
        let native = format!("{}\n", native(case));
        let _ = writeln!(requests, "{}", json!({"op": "expr", "src": native, "vars": vars, "funcs": "std"}));
        let _ = writeln!(requests, "{}", json!({"op": "json", "src": json, "vars": vars, "funcs": "std"}));
    }
    let mut process =
        Command::new(oracle).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the oracle");
    let mut input = process.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(requests.as_bytes()));
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let answers: Vec<Value> = output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect();
    assert_eq!(answers.len(), 2 * cases.len());
    for ((case, json), answers) in cases.iter().zip(converted).zip(answers.chunks(2)) {
        let [expected, found] = [&answers[0], &answers[1]["attrs"]["a"]].map(|answer| {
            let failed = |diags: &Value| {
                diags.as_array().is_some_and(|diags| diags.iter().any(|diag| diag["severity"] == "error"))
            };
            if failed(&answer["diags"]) { json!("an error") } else { answer["value"].clone() }
        });
        assert_ne!(expected, Value::Null, "{} is not read: {}", native(case), answers[0]);
        assert_eq!(expected, found, "{}\n{json}", native(case));
    }
}
