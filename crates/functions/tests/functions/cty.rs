//! Compares the functions of cty with recorded answers of the reference. Each line of `recorded/*.jsonl` is a call with
//! its result or the fact that it is an error.

mod differences;
mod documentation;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use hclkit_conformance::value_json::{read_value, value_json};
use hclkit_functions::{Grants, Table};
use hclkit_value::{Error, Parameter, Value};
use serde_json::Value as Json;

/// Calls a function like an expression, with the arguments converted to the parameter types.
fn call(table: &Table, name: &str, args: &[Value]) -> Result<Value, Error> {
    let function = table.get(name).ok_or_else(|| Error::new("undefined function"))?;
    let mut converted = Vec::with_capacity(args.len());
    for (at, arg) in args.iter().enumerate() {
        let wanted = function.parameter_at(at).map(Parameter::ty);
        converted.push(wanted.map_or_else(|| Ok(arg.clone()), |wanted| arg.convert(wanted))?);
    }
    function.call(&converted)
}

fn answer(table: &Table, request: &Json) -> Json {
    let args: Result<Vec<Value>, _> =
        request["args"].as_array().into_iter().flatten().map(read_value).collect();
    let Ok(args) = args else { return serde_json::json!({ "bad_request": true }) };
    match call(table, request["fn"].as_str().unwrap_or_default(), &args) {
        Ok(value) => serde_json::json!({ "value": value_json(&value) }),
        Err(_) => serde_json::json!({ "error": true }),
    }
}

/// The functions of cty, which other tables share.
#[test]
fn recorded_answers() {
    check(&hclkit_functions::cty(), |_| true);
}

#[test]
fn recorded_answers_in_the_spec_language() {
    check(&hclkit_functions::spec(), |_| true);
}

/// Packer uses some names for other functions, and some functions behave differently.
#[test]
fn recorded_answers_in_packer() {
    let own = ["coalesce", "contains", "element", "format", "formatlist", "index", "length", "signum"];
    check(&hclkit_functions::packer(&Grants::new()), |name| !own.contains(&name));
}

/// Checks that the recorded calls of a table's functions have the recorded answers, with at least ten calls of each
/// recorded function.
fn check(table: &Table, same: impl Fn(&str) -> bool) {
    let mut counts = BTreeMap::<String, usize>::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/functions/cty/recorded");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = String::new();
    for file in files {
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let request: Json = serde_json::from_str(line).unwrap();
            let name = request["fn"].as_str().unwrap_or_default();
            if !table.contains_key(name) || !same(name) {
                continue;
            }
            *counts.entry(name.to_owned()).or_default() += 1;
            let answer = answer(table, &request);
            let same = match request.get("value") {
                Some(value) => answer.get("value") == Some(value),
                None => answer.get("error").is_some(),
            };
            if !same {
                let _ = writeln!(wrong, "{line}\n  returns {answer}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(counts.len() >= 15 && counts.values().all(|count| *count >= 10), "{counts:?}");
}
