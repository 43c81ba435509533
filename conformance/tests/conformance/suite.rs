//! The suite about bodies and decoding: the cases of `tests/suite/*/*.cases`, by the probe where they have a spec, else by
//! the program `hclkit-adapter`. `cases.rs` describes their sections.
//!
//! `BLESS=1 cargo test -p hclkit-conformance suite` writes the actual results; review the diff, and ask the
//! reference about the cases with a spec: `cargo xtask conformance --count 0 --op decode --kind suite`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use hclkit_model::{Body, Context};
use hclkit_syntax::Source;
use hclkit_test_cases::Section;
use hclkit_value::Value;
use serde_json::{Value as Json, json};

use crate::cases::{self, Input};
use crate::print;

fn files() -> Vec<cases::File> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/suite");
    cases::files(&suite).unwrap_or_else(|problem| panic!("{problem}"))
}

#[test]
fn cases_have_the_expected_results() {
    hclkit_test_cases::check(&files(), cases::is_result, |case| found(&Input(case)));
}

#[test]
fn there_are_many_cases() {
    let (mut count, mut by_adapter) = (0, 0);
    for file in files() {
        count += file.cases.len();
        by_adapter += file.cases.iter().filter(|case| Input(case).is_for_adapter()).count();
    }
    assert!(count >= 600, "{count}");
    assert!(by_adapter >= 300, "{by_adapter} by the adapter");
}

/// The results of all configurations of a case, each once.
fn found(case: &Input<'_>) -> Vec<Section> {
    let all: Vec<Vec<(&str, String)>> = if case.is_for_adapter() {
        case.configurations().iter().map(|files| by_adapter(case, files)).collect()
    } else if let Some(src) = case.section("expression") {
        let (src, vars) = (src.trim_end(), case.variables());
        vec![by_probe(&json!({ "op": "expr", "src": src, "vars": vars, "funcs": "evaluation" }))]
    } else {
        case.requests().iter().map(by_probe).collect()
    };
    let first = all.first().unwrap_or_else(|| panic!("{}: the case has no configuration", case.0.name));
    let section =
        |before: &str, (title, text): &(&str, String)| Section::new(format!("{before}{title}"), text);
    let mut out: Vec<Section> = first.iter().map(|result| section("", result)).collect();
    for other in &all[1..] {
        for result in other.iter().filter(|result| !first.contains(result)) {
            // Only places of errors and static analysis differ between the syntaxes.
            assert!(
                ["errors", "body"].contains(&result.0),
                "{}: in JSON the {} is {}",
                case.0.name,
                result.0,
                result.1
            );
            out.push(section("json ", result));
        }
    }
    out
}

fn read(answer: &[u8]) -> Json {
    serde_json::from_slice(answer).expect("an answer is JSON")
}

fn by_probe(request: &Json) -> Vec<(&'static str, String)> {
    let answer = hclkit_conformance::answer(&request.to_string());
    let answer = read(answer.as_bytes());
    let lists = ["parse_diags", "diags"].iter().filter_map(|list| answer[list].as_array()).flatten();
    let errors = lists.map(|diagnostic| {
        let [summary, detail] =
            ["summary", "detail"].map(|part| diagnostic[part].as_str().unwrap_or_default());
        let at = diagnostic["range"].as_array().into_iter().flatten();
        let at: Vec<u64> = at.filter_map(Json::as_u64).collect();
        let [_, _, line, column, end_line, end_column] = at[..] else { panic!("no place: {diagnostic}") };
        format!("{line}:{column}-{end_line}:{end_column} {summary}: {detail}\n")
    });
    let errors = errors.collect::<Vec<_>>().concat();
    let refs: BTreeSet<String> =
        answer["refs"].as_array().into_iter().flatten().map(print::traversal).collect();
    let mut results = Vec::new();
    if let Some(value) = answer.get("value") {
        results.push(("value", format!("{}\n", print::value(value))));
    }
    if !refs.is_empty() {
        results.push(("variables", format!("{}\n", refs.into_iter().collect::<Vec<_>>().join(", "))));
    }
    if !errors.is_empty() {
        results.push(("errors", errors));
    }
    results
}

fn by_adapter(case: &Input<'_>, files: &[(&str, &str)]) -> Vec<(&'static str, String)> {
    let [(name, text)] = files else { panic!("{}: the adapter takes one file", case.0.name) };
    let folder = tempfile::tempdir().expect("the folder can be made");
    let folder = folder.path();
    let file = folder.join(name.replace(".json", ".hcl.json"));
    fs::write(&file, text).expect("the file can be written");
    let operation = ["parse", "eval"].into_iter().find(|name| case.has(name)).unwrap_or("decode");
    let mut program = Command::new(env!("CARGO_BIN_EXE_hclkit-adapter"));
    program.arg(operation).arg(&file);
    if let Some(written) = case.section("context") {
        let context = folder.join("context.json");
        fs::write(&context, json_of(written)).expect("the file can be written");
        program.arg(context);
    }
    let program = program.output().expect("the adapter starts");
    let said = String::from_utf8_lossy(&program.stderr);
    assert!(program.status.success(), "{}: {said}", case.0.name);
    let answer = read(&program.stdout);
    if answer["valid"] == true {
        let lines = print::body(&answer["body"]);
        return vec![("body", lines.into_iter().map(|line| line + "\n").collect())];
    }
    let phase = answer["phase"].as_str().unwrap_or_default();
    let errors = answer["errors"].as_array().into_iter().flatten().map(|error| {
        let [start, end] = ["start", "end"]
            .map(|end| &error["range"][end])
            .map(|at| format!("{}:{}", at["line"], at["column"]));
        format!("{phase} {start}-{end} {}\n", error["message"].as_str().unwrap_or_default())
    });
    vec![("errors", errors.collect())]
}

/// Arguments in the native syntax as a JSON object.
fn json_of(text: &str) -> String {
    let (body, mut found) = Body::parse(Source::new("context", text));
    let attributes = found.absorb(body.attributes());
    let values = attributes.into_iter().map(|attribute| {
        let value = found.absorb(attribute.expression.evaluate_lenient(&Context::new()));
        (attribute.name, value)
    });
    let context = Value::object(values.collect::<Vec<_>>());
    assert!(found.is_empty(), "{found}");
    context.to_json(&context.ty()).expect("all of it can be JSON")
}
