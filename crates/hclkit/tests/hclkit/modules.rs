//! Whole modules: compares our results with Terraform's recorded results for the modules in `tests/modules`. `cargo
//! xtask conformance --modules` asks Terraform.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use hclkit::Expression;
use hclkit::decode::PlainJson;
use hclkit::model::PartialOptions;
use hclkit::module::{self, Dialect, Evaluation, Module, ModuleLoader};
use hclkit::render::Renderer;
use hclkit::value::Mark;
use hclkit_test_cases::Case;
use serde_json::{Value as Json, json};

const ANSWER: &str = "terraform";
const CONSOLE: &str = "console";
const TOFU: &str = "opentofu";
const TOFU_CONSOLE: &str = "opentofu console";
const OPTIONS: &str = "options";
/// The files of modules whose errors only a check reports.
const CHECKED: [&str; 2] = ["providers.modules", "versions.modules"];
/// What a console prints instead of an unknown, an ephemeral and a sensitive value.
const UNKNOWN: &str = "(known after apply)";
const EPHEMERAL: &str = "(ephemeral value)";
const SENSITIVE: &str = "(sensitive value)";

#[test]
fn results_are_those_of_terraform() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/modules");
    let (mut count, mut unknown) = (0, 0);
    let mut differences = String::new();
    for file in hclkit_test_cases::read(&directory, "modules", &[]).unwrap() {
        for case in &file.cases {
            count += 1;
            let answer = case.section(ANSWER).expect("Terraform's answer is recorded");
            if CHECKED.iter().any(|name| file.path.ends_with(name)) && answer.starts_with("error: ") {
                continue;
            }
            let found = evaluate(case);
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

/// A check finds no error in what Terraform and OpenTofu accept. In one file, it finds what evaluation does not see.
#[test]
fn verdicts_of_checks_are_theirs() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/modules");
    let (mut accepted, mut differences) = (0, String::new());
    for file in hclkit_test_cases::read(&directory, "modules", &[]).unwrap() {
        for case in &file.cases {
            let theirs = case.section(ANSWER).unwrap();
            for (answer, dialect) in
                [(Some(theirs), Dialect::terraform()), (case.section(TOFU), Dialect::opentofu())]
            {
                let Some(answer) = answer else { continue };
                let fails = if answer == "same\n" { theirs } else { answer }.starts_with("error: ");
                let directory = tempfile::tempdir().unwrap();
                let found = load(case, directory.path(), dialect.clone()).check();
                accepted += usize::from(!fails);
                let is_checked = CHECKED.iter().any(|name| file.path.ends_with(name));
                if if fails { is_checked && !found.has_errors() } else { found.has_errors() } {
                    let problems = Renderer::plain().diagnostics(&found);
                    let _ = writeln!(differences, "=== {}, {}\n{problems}", case.name, dialect.name());
                }
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(accepted > 500, "{accepted}");
}

/// Values of variables and local values, and what functions make of them, are those of `terraform console`.
#[test]
fn console_answers_are_those_of_terraform() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/modules");
    let (mut count, mut unknown, mut differences) = (0, 0, String::new());
    for file in hclkit_test_cases::read(&directory, "modules", &[]).unwrap() {
        for case in &file.cases {
            let directory = tempfile::tempdir().unwrap();
            let module = load(case, directory.path(), Dialect::terraform());
            count += answers(&module, case, CONSOLE, &mut unknown, &mut differences);
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(count > 350, "{count}");
    assert!(unknown < 10, "{unknown}");
}

/// OpenTofu gives the same results and answers as Terraform, or those that are recorded.
#[test]
fn results_are_those_of_opentofu() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/modules");
    let (mut count, mut unknown, mut differences) = (0, 0, String::new());
    for file in hclkit_test_cases::read(&directory, "modules", &[]).unwrap() {
        for case in &file.cases {
            let Some(answer) = case.section(TOFU) else { continue };
            let is_same = answer == "same\n";
            let answer = if is_same { case.section(ANSWER).unwrap() } else { answer };
            if CHECKED.iter().any(|name| file.path.ends_with(name)) && answer.starts_with("error: ") {
                continue;
            }
            count += 1;
            let directory = tempfile::tempdir().unwrap();
            let module = load(case, directory.path(), Dialect::opentofu());
            if let Some(difference) = difference(answer, &module.evaluate(&[]), &mut unknown) {
                let _ = writeln!(differences, "=== {}\n{difference}", case.name);
            }
            let title = if is_same { CONSOLE } else { TOFU_CONSOLE };
            answers(&module, case, title, &mut unknown, &mut differences);
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(count > 300, "{count}");
    assert!(unknown < 20, "{unknown}");
}

/// Compares the entries of a section with their answers, each in the next line. Returns their number.
fn answers(
    module: &Module,
    case: &Case,
    title: &str,
    unknown: &mut usize,
    differences: &mut String,
) -> usize {
    let lines: Vec<&str> = case.section(title).unwrap_or_default().lines().collect();
    for pair in lines.chunks(2) {
        let [entry, theirs] = pair else { panic!("{}: an answer is missing", case.name) };
        let ours = Expression::parse(*entry).unwrap().evaluate(&module.context().child());
        // The console knows nothing about resources without instances, and does not show ephemeral values.
        if [UNKNOWN, EPHEMERAL].contains(theirs) {
            assert!(ours.is_ok(), "{}: {entry}", case.name);
            continue;
        }
        if *theirs == SENSITIVE {
            assert!(ours.is_ok_and(|ours| ours.is_marked()), "{}: {entry}", case.name);
            continue;
        }
        let theirs = (*theirs != "error")
            .then(|| Expression::parse(*theirs).unwrap().evaluate(&hclkit::Context::new()).unwrap());
        let ours = ours.map(|ours| without_hidden(&ours));
        match (&ours, &theirs) {
            (Ok(ours), Some(theirs)) if ours == theirs => {}
            (Ok(ours), Some(_)) if !ours.is_known() => *unknown += 1,
            (Err(_), None) => {}
            _ => {
                let _ =
                    writeln!(differences, "=== {}\n{entry}\ntheirs: {theirs:?}\nours: {ours:?}", case.name);
            }
        }
    }
    lines.len() / 2
}

/// The value without the marks of what only is not shown, unlike in Terraform.
fn without_hidden(value: &hclkit::Value) -> hclkit::Value {
    let (bare, mut places) = value.unmark_deep_with_paths();
    for (_, marks) in &mut places {
        *marks = marks.iter().filter(|mark| **mark != Mark::hidden()).cloned().collect();
    }
    bare.mark_paths(&places)
}

/// A partially evaluated module has the same results, also without the values that were set from outside.
#[test]
fn partial_modules_have_the_same_results() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/modules");
    let (mut count, mut differences) = (0, String::new());
    for file in hclkit_test_cases::read(&directory, "modules", &[]).unwrap() {
        for case in &file.cases {
            let directory = tempfile::tempdir().unwrap();
            let module = load(case, directory.path(), Dialect::terraform());
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
            let after = loader(options, directory.path(), Dialect::terraform()).load().evaluate(&[]);
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
    load(case, directory.path(), Dialect::terraform()).evaluate(&[])
}

/// Reads a module after writing its files to a directory.
fn load(case: &Case, directory: &Path, language: Arc<Dialect>) -> Module {
    let is_file = |title: &str| ![ANSWER, CONSOLE, TOFU, TOFU_CONSOLE, OPTIONS].contains(&title);
    for section in case.sections.iter().filter(|section| is_file(&section.title)) {
        let path = directory.join(&section.title);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &section.text).unwrap();
    }
    loader(case.section(OPTIONS), directory, language).load()
}

fn loader(options: Option<&str>, directory: &Path, language: Arc<Dialect>) -> ModuleLoader {
    let mut loader = module::loader(language, directory).with_applied(true);
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
    for line in answer.lines().filter(|line| !line.is_empty()) {
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
