//! The functions of cty against what the reference answered: `recorded/*.jsonl` hold a call a line, with
//! its value or the fact that it is an error.

mod differences;
mod documentation;

use std::fmt::Write;
use std::path::Path;

use hclkit_conformance::value_json::{read_value, value_json};
use hclkit_functions::Table;
use hclkit_value::{Error, Parameter, Value};
use serde_json::Value as Json;

/// Calls a function as an expression would: with its arguments converted to the parameters' types.
fn call(table: &Table, name: &str, args: &[Value]) -> Result<Value, Error> {
    let function = table.get(name).ok_or_else(|| Error::new("there is no such function"))?;
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

#[test]
fn recorded_answers() {
    let table = hclkit_functions::cty();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cty/recorded");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = String::new();
    for file in files {
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let request: Json = serde_json::from_str(line).unwrap();
            let answer = answer(&table, &request);
            let same = match request.get("value") {
                Some(value) => answer.get("value") == Some(value),
                None => answer.get("error").is_some(),
            };
            if !same {
                let _ = writeln!(wrong, "{line}\n  gives {answer}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
