//! Units of Terragrunt: compares their configuration with the recorded answers of Terragrunt for the files in
//! `tests/terragrunt`, which `cargo xtask conformance --terragrunt` asks.

use std::fmt::Write as _;
use std::path::Path;

use hclkit::Diagnostics;
use hclkit::decode::PlainJson;
use hclkit::module::{self, Unit};
use hclkit::render::Renderer;
use hclkit_test_cases::{Case, Folder};
use serde_json::Value as Json;

fn cases() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/terragrunt");
    let files =
        hclkit_test_cases::read(&directory, "terragrunt", &["check", "fallback", "lenient", "stricter"])
            .unwrap();
    files.into_iter().flat_map(|file| file.cases).collect()
}

/// The files of a case, and the directory of the unit.
fn folder(case: &Case) -> (Folder, String) {
    let files = case.sections.iter().filter(|own| !matches!(&*own.title, "options" | "terragrunt"));
    let files: Vec<(&str, &str)> = files.map(|own| (&*own.title, &*own.text)).collect();
    let unit = options(case, "unit").next().unwrap_or("app").to_owned();
    (Folder::with(&files), unit)
}

fn options<'c>(case: &'c Case, kind: &'c str) -> impl Iterator<Item = &'c str> {
    let all = case.section("options").unwrap_or_default().lines();
    all.filter_map(move |line| line.strip_prefix(kind)?.strip_prefix(' '))
}

fn pairs<'c>(case: &'c Case, kind: &'c str) -> impl Iterator<Item = (&'c str, &'c str)> {
    options(case, kind).map(|text| text.split_once('=').unwrap())
}

fn evaluated(case: &Case) -> (Unit, Diagnostics, String) {
    let (folder, unit) = folder(case);
    let terragrunt = module::terragrunt(folder.root()).with_environment(pairs(case, "env"));
    let terragrunt = pairs(case, "feature").fold(terragrunt, |own, (name, text)| own.with_flag(name, text));
    let (unit, found) = terragrunt.evaluate(&unit);
    (unit, found, folder.root().canonicalize().unwrap().to_string_lossy().into_owned())
}

fn checked(case: &Case) -> Diagnostics {
    let (folder, unit) = folder(case);
    module::terragrunt(folder.root()).checker().check(&unit)
}

/// Without the outputs of dependencies, which Terragrunt does not print.
fn without_outputs(mut json: Json) -> Json {
    let dependencies = json.get_mut("dependency").and_then(Json::as_object_mut);
    for own in dependencies.into_iter().flatten().filter_map(|(_, own)| own.as_object_mut()) {
        own.remove("outputs");
    }
    json
}

#[test]
fn configurations_are_those_of_terragrunt() {
    let (mut count, mut differences) = (0, String::new());
    for case in cases() {
        count += 1;
        let answer = case.section("terragrunt").expect("the answer is recorded").trim_end();
        let (unit, found, root) = evaluated(&case);
        let differs = match answer {
            "error" if case.has("check") => !checked(&case).has_errors(),
            "error" if case.has("lenient") => found.has_errors() || found.is_empty(),
            _ if case.has("stricter") => !found.has_errors(),
            _ => false,
        };
        let is_special = ["check", "lenient", "stricter", "fallback"].iter().any(|own| case.has(own));
        let ours = if found.has_errors() {
            "error".to_owned()
        } else {
            let json = serde_json::to_value(PlainJson::new(&unit.value()));
            let text =
                json.map_or_else(|error| error.to_string(), |json| format!("{:#}", without_outputs(json)));
            text.replace(&root, "ROOT")
        };
        let theirs = match answer {
            "error" => "error".to_owned(),
            json => format!("{:#}", without_outputs(serde_json::from_str(json).unwrap())),
        };
        if differs || !is_special && ours != theirs {
            let shown = Renderer::plain().diagnostics(&found);
            let _ = writeln!(differences, "=== {}\nours: {ours}\ntheirs: {theirs}\n{shown}", case.name);
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(count >= 100, "{count}");
}

/// What `check` reports is an error with any environment.
#[test]
fn checks_report_no_error_where_terragrunt_has_a_configuration() {
    let mut wrong = String::new();
    let has_answer = |case: &&Case| !case.section("terragrunt").unwrap().starts_with("error");
    for case in cases().iter().filter(has_answer).filter(|case| !case.has("stricter")) {
        let found = checked(case);
        if found.has_errors() {
            let _ = writeln!(wrong, "=== {}\n{}", case.name, Renderer::plain().diagnostics(&found));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
