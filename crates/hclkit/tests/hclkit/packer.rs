//! Packer templates: compares our values with what Packer's documentation and tests state about the cases in
//! `tests/packer`, or with what Packer answered about them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use hclkit::decode::PlainJson;
use hclkit::functions::Grants;
use hclkit::module::{self, Dialect, Pattern};
use hclkit::render::Renderer;
use hclkit_test_cases::{Case, Section};

const OPTIONS: &str = "options";
const EXPECTED: &str = "expected";
/// Packer's answer: a line for each variable and local value, with the value as JSON, or an error.
const ANSWER: &str = "packer";

#[test]
fn values_are_those_of_packer() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/packer");
    let (mut count, mut differences) = (0, String::new());
    for file in hclkit_test_cases::read(&directory, "packer", &[]).unwrap() {
        for case in &file.cases {
            count += 1;
            if let Some(difference) = difference(case) {
                let _ = writeln!(differences, "=== {}\n{difference}", case.name);
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(count > 50, "{count}");
}

fn difference(case: &Case) -> Option<String> {
    let directory = tempfile::tempdir().unwrap();
    let is_file = |section: &&Section| ![EXPECTED, ANSWER, OPTIONS].contains(&section.title.as_str());
    for section in case.sections.iter().filter(is_file) {
        fs::write(directory.path().join(&section.title), &section.text).unwrap();
    }
    let language = Dialect::packer();
    let functions = module::functions(&language, &Grants::new().with_environment());
    let mut loader = module::loader(language, directory.path()).with_functions(functions);
    for option in case.section(OPTIONS).unwrap_or_default().lines() {
        let (kind, option) = option.split_once(' ').unwrap();
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        loader = match kind {
            "var" => loader.with_variable_text(name, value),
            "env" => loader.with_environment([(name, value)]),
            "var-file" => loader.with_variables(name, fs::read(directory.path().join(name)).unwrap()),
            _ => panic!("unknown option {kind}"),
        };
    }
    let module = loader.load();
    let all = module.evaluate(&[]);
    let problems = Renderer::plain().diagnostics(&all.diagnostics);
    if let Some(answer) = case.section(ANSWER) {
        let ours = if all.diagnostics.has_errors() { "error".to_owned() } else { values(&all) };
        let is_right = if answer.starts_with("error") { ours == "error" } else { ours == answer };
        return (!is_right).then(|| format!("{answer}--- ours\n{ours}{problems}"));
    }
    let expected = case.section(EXPECTED).expect("there are expected values");
    if let Some(error) = expected.strip_prefix("error: ") {
        let right = all.diagnostics.has_errors() && problems.contains(error.trim_end());
        return (!right).then(|| format!("expected the error: {error}\n{problems}"));
    }
    if all.diagnostics.has_errors() {
        return Some(problems);
    }
    let mut text = String::new();
    for line in expected.lines() {
        let (address, value) = line.split_once(" = ").unwrap();
        let found = module.evaluate(&[address.parse::<Pattern>().unwrap()]);
        let shown = |own: &module::AddressedValue| {
            if own.sensitive { "(sensitive)".to_owned() } else { own.value.to_string() }
        };
        let ours = found.values.first().map(shown);
        if ours.as_deref() != Some(value) {
            let problems = Renderer::plain().diagnostics(&found.diagnostics);
            let _ = writeln!(text, "{address}\n  expected: {value}\n  ours:     {ours:?}\n{problems}");
        }
    }
    (!text.is_empty()).then_some(text)
}

/// A line for each variable and local value, as in Packer's answer.
fn values(all: &module::Evaluation) -> String {
    let is_listed =
        |own: &&module::AddressedValue| own.address.starts_with("var.") || own.address.starts_with("local.");
    let mut lines: Vec<String> = all
        .values
        .iter()
        .filter(is_listed)
        .map(|own| {
            format!("{} = {}\n", own.address, serde_json::to_string(&PlainJson::new(&own.value)).unwrap())
        })
        .collect();
    lines.sort_by_key(|line| (line.starts_with("local."), line.clone()));
    lines.concat()
}

/// A check grants nothing, so the tables list all functions that need something. The examples of functions call each of them.
#[test]
fn checks_call_no_function_that_needs_a_grant() {
    use hclkit::functions::{Library, examples};
    use hclkit::{Code, Context, Expression};

    for language in ["terraform", "opentofu", "packer", "nomad"].map(|name| Dialect::named(name).unwrap()) {
        let library: Library = language.functions().parse().unwrap();
        let context = Context::new().with_functions(module::functions_without_files(&language));
        let (all, mut calls) = (library.functions(&Grants::new()), 0);
        for name in all.names() {
            for (call, _) in examples(all.get(name).unwrap()) {
                calls += 1;
                let found = Expression::parse(call).unwrap().evaluate_lenient(&context).1;
                let needs = found
                    .iter()
                    .find(|own| own.code().is_some_and(|code: Code| code.as_str().ends_with("not-granted")));
                assert!(needs.is_none(), "{}: {call}: {needs:?}", language.name());
            }
        }
        assert!(calls > 80, "{}: {calls}", language.name());
    }
}
