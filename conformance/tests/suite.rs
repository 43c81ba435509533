//! The suite about bodies and decoding: the cases of `tests/suite/*/*.cases`, by the probe where they have a spec, else by
//! the program `hclkit-adapter`. How they are written is told in `suite/cases.rs`.
//!
//! `BLESS=1 cargo test -p hclkit-conformance --test suite` writes what is found; read the difference, and put the cases
//! with a spec to the reference: `cargo xtask conformance --count 0 --op decode --kind suite`.

#[path = "suite/cases.rs"]
mod cases;
#[path = "suite/print.rs"]
mod print;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use cases::Case;
use hclkit_model::{Body, Context};
use hclkit_syntax::Source;
use hclkit_value::Value;
use serde_json::{Value as Json, json};

fn files() -> Vec<cases::File> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/suite");
    cases::files(&suite).expect("the files can be read")
}

#[test]
fn cases_come_out_as_expected() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = String::new();
    for file in files() {
        let mut blessed = if file.remark.is_empty() { String::new() } else { format!("{}\n", file.remark) };
        for case in &file.cases {
            let found = found(case);
            if found != case.expected {
                let (path, name, expected) = (file.path.display(), &case.name, &case.expected);
                let _ = writeln!(wrong, "{path}: {name}: expected\n{expected}found\n{found}");
            }
            let gap = if blessed.is_empty() { "" } else { "\n" };
            blessed.extend([gap, &written(case), &found]);
        }
        if bless {
            fs::write(&file.path, blessed).expect("the file can be written");
        }
    }
    assert!(bless || wrong.is_empty(), "{wrong}");
}

#[test]
fn there_are_many_cases_and_their_names_are_unique_in_a_file() {
    let (mut count, mut by_adapter) = (0, 0);
    for file in files() {
        assert!(!file.cases.is_empty(), "{} has no cases", file.path.display());
        let names: BTreeSet<_> = file.cases.iter().map(|case| &case.name).collect();
        assert_eq!(names.len(), file.cases.len(), "{}", file.path.display());
        count += file.cases.len();
        by_adapter += file.cases.iter().filter(|case| case.is_for_adapter()).count();
    }
    assert!(count >= 600, "{count}");
    assert!(by_adapter >= 300, "{by_adapter} by the adapter");
}

/// A case without its results.
fn written(case: &Case) -> String {
    let options =
        if case.options.is_empty() { String::new() } else { format!(" ({})", case.options.join(", ")) };
    let sections = case.sections.iter().map(|(title, text)| format!("--- {title}\n{text}"));
    format!("=== {}{options}\n{}", case.name, sections.collect::<String>())
}

/// The results of all configurations of a case, each once.
fn found(case: &Case) -> String {
    let all: Vec<Vec<(&str, String)>> = if case.is_for_adapter() {
        case.configurations().iter().map(|files| by_adapter(case, files)).collect()
    } else if let Some(src) = case.section("expression") {
        let (src, vars) = (src.trim_end(), case.variables());
        vec![by_probe(&json!({ "op": "expr", "src": src, "vars": vars, "funcs": "evaluation" }))]
    } else {
        case.requests().iter().map(by_probe).collect()
    };
    let first = all.first().unwrap_or_else(|| panic!("{}: there is no configuration", case.name));
    let section = |before: &str, (title, text): &(&str, String)| format!("--- {before}{title}\n{text}");
    let mut out: String = first.iter().map(|result| section("", result)).collect();
    for other in &all[1..] {
        for result in other.iter().filter(|result| !first.contains(result)) {
            // Only places of errors and static analysis differ between the syntaxes.
            assert!(
                ["errors", "body"].contains(&result.0),
                "{}: in JSON the {} is {}",
                case.name,
                result.0,
                result.1
            );
            out += &section("json ", result);
        }
    }
    out
}

/// An answer, its objects by key: whether the library keeps their order depends on what else is built with it.
fn read(answer: &[u8]) -> Json {
    let mut answer: Json = serde_json::from_slice(answer).expect("an answer is JSON");
    answer.sort_all_objects();
    answer
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

fn by_adapter(case: &Case, files: &[(&str, &str)]) -> Vec<(&'static str, String)> {
    let [(name, text)] = files else { panic!("{}: the adapter takes one file", case.name) };
    let folder = std::env::temp_dir().join(format!("hclkit-suite-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder can be made");
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
    assert!(program.status.success(), "{}: {said}", case.name);
    fs::remove_dir_all(&folder).expect("the folder can be removed");
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
