//! Whole modules: Terraform's results for the modules in `tests/modules`, and ours. `cargo xtask conformance --modules`
//! asks Terraform.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use hclkit::decode::PlainJson;
use hclkit::model::PartialOptions;
use hclkit::module::{self, Evaluation, Language, Module, ModuleLoader};
use hclkit::render::Renderer;
use hclkit::value::Mark;
use hclkit_test_cases::Case;
use serde_json::{Value as Json, json};

const ANSWER: &str = "terraform";
const OPTIONS: &str = "options";

#[test]
fn results_are_those_of_terraform() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/modules");
    let (mut count, mut unknown) = (0, 0);
    let mut differences = String::new();
    for file in hclkit_test_cases::read(&directory, "modules", &[]).unwrap() {
        for case in &file.cases {
            count += 1;
            let found = evaluate(case);
            let answer = case.section(ANSWER).expect("Terraform's answer is recorded");
            if let Some(difference) = difference(answer, &found, &mut unknown) {
                let problems = Renderer::plain().diagnostics(&found.diagnostics);
                let name = &case.name;
                let _ = writeln!(differences, "=== {name}\n{difference}\n{problems}");
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(count > 300, "{count}");
    // Only identifiers of objects are unknown to us and known to Terraform.
    assert!(unknown < 10, "{unknown}");
}

/// A partially evaluated module has the same results, also without the values that were set from outside.
#[test]
fn partial_modules_have_the_same_results() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/modules");
    let (mut count, mut differences) = (0, String::new());
    for file in hclkit_test_cases::read(&directory, "modules", &[]).unwrap() {
        for case in &file.cases {
            let directory = tempfile::tempdir().unwrap();
            let module = load(case, directory.path());
            let write = |value: &hclkit::Value| hclkit::Layout::new().with_width(30).value(value);
            let Ok((files, _)) = module.partial(PartialOptions::new(), &write) else { continue };
            let before = module.evaluate(&[]);
            let mut texts = String::new();
            for file in files {
                let _ = writeln!(texts, "--- {}\n{}", file.path, file.text);
                fs::write(directory.path().join(file.path), file.text).unwrap();
            }
            // Sensitive values are not written.
            let secret = before.values.iter().any(|found| {
                found.address.starts_with("var.") && (found.sensitive || found.value.contains_marked())
            });
            let options = if secret { case.section(OPTIONS) } else { None };
            let after = loader(options, directory.path()).load().evaluate(&[]);
            count += 1;
            let results = |of: &Evaluation| {
                let results = of.values.iter().filter(|found| !found.address.contains("var."));
                results.map(|found| format!("{} = {:?}", found.address, found.value)).collect::<Vec<_>>()
            };
            let (before, after, found) = (results(&before), results(&after), &after.diagnostics);
            if before != after || found.has_errors() {
                let problems = Renderer::plain().diagnostics(found);
                let different: Vec<_> =
                    before.iter().zip(&after).filter(|(one, other)| one != other).collect();
                let _ = writeln!(differences, "=== {}\n{different:#?}\n{problems}\n{texts}", case.name);
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(count > 200, "{count}");
}

/// Evaluates a module in a directory, as functions read files.
fn evaluate(case: &Case) -> Evaluation {
    let directory = tempfile::tempdir().unwrap();
    load(case, directory.path()).evaluate(&[])
}

/// Reads a module after writing its files to a directory.
fn load(case: &Case, directory: &Path) -> Module {
    for section in case.sections.iter().filter(|section| section.title != ANSWER && section.title != OPTIONS)
    {
        let path = directory.join(&section.title);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &section.text).unwrap();
    }
    loader(case.section(OPTIONS), directory).load()
}

fn loader(options: Option<&str>, directory: &Path) -> ModuleLoader {
    let mut loader = module::loader(Language::terraform(), directory);
    for option in options.unwrap_or_default().lines() {
        let (kind, option) = option.split_once(' ').unwrap();
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        loader = match kind {
            "var" => loader.with_variable_text(name, value),
            "env" => loader.with_environment([(name, value)]),
            "var-file" => loader.with_variables(name, fs::read(directory.join(name)).unwrap()),
            _ => panic!("unknown option {kind}"),
        };
    }
    loader
}

/// How our results differ from an answer. Counts values that we do not know.
fn difference(answer: &str, found: &Evaluation, unknown: &mut usize) -> Option<String> {
    let failed = found.diagnostics.has_errors();
    if answer.starts_with("error: ") != failed {
        return Some(format!("terraform: {answer}ours: {}", if failed { "errors" } else { "no errors" }));
    }
    if failed {
        return None;
    }
    let mut text = String::new();
    for line in answer.lines() {
        let (name, theirs) = line.split_once(" = ").unwrap();
        let theirs = serde_json::from_str::<Json>(theirs).unwrap().to_string();
        let address = format!("output.{name}");
        let Some(own) = found.values.iter().find(|own| own.address == address) else {
            let _ = writeln!(text, "{address} is missing");
            continue;
        };
        let sensitive = own.sensitive || own.value.has_mark(&Mark::sensitive());
        let (value, _) = own.value.unmark_deep();
        if !value.is_wholly_known() {
            *unknown += 1;
            continue;
        }
        let ty: Json = serde_json::from_str(&value.ty().to_json().unwrap()).unwrap();
        let json: Json = serde_json::to_value(PlainJson::new(&value)).unwrap();
        let ours = json!({ "sensitive": sensitive, "type": ty, "value": json });
        // Terraform's state has no negative zero.
        let ours = ours.to_string().replace("-0.0", "0");
        if ours != theirs {
            let _ = writeln!(text, "{address}\n  terraform: {theirs}\n  ours:      {ours}");
        }
    }
    (!text.is_empty()).then_some(text)
}
