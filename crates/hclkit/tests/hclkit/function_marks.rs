//! Marks of the results of all functions of Terraform for unknown secrets and ephemeral values, in each argument of an example,
//! beside the recorded ones of Terraform 1.16.4 in `tests/marks/functions.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use hclkit::functions::{Grants, Library, examples};
use hclkit::model::{Callable, Expression};
use hclkit::module::{Dialect, Memory, ModuleLoader, functions_without_files};
use hclkit::{Context, Type};
use hclkit_value::Mark;

/// Names that take no values.
const WITHOUT_ARGUMENTS: [&str; 3] = ["plantimestamp", "timestamp", "uuid"];
/// Terraform does not know that the result of a template is secret while all of its variables are unknown, and refuses it later.
const DIFFERENT: [&str; 1] = ["templatefile(\"hello.txt\", jsondecode(local.u))"];
/// An example with a file that nobody has.
const KEY: &str = "key.pem";
/// What is unknown: a text, and what functions make of it.
const UNKNOWN: &str = "resource \"terraform_data\" \"u\" {}\n";

fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/marks/functions.txt")
}

/// An unknown value of the type of another one.
fn unknown(ty: &Type, id: &str) -> String {
    match ty {
        Type::String => id.to_owned(),
        Type::Number => format!("tonumber({id})"),
        Type::Bool => format!("tobool({id})"),
        Type::List(_) | Type::Tuple(_) => format!("split(\",\", {id})"),
        Type::Set(_) => format!("toset(split(\",\", {id}))"),
        _ => format!("jsondecode({id})"),
    }
}

/// The calls: each example of each function with one argument replaced by `u`, in order.
fn calls(u: &str) -> Vec<String> {
    let library = Library::Terraform.functions(&Grants::new());
    let context = Context::new().with_functions(library.clone());
    let mut found = BTreeSet::new();
    for name in library.names().filter(|name| !WITHOUT_ARGUMENTS.contains(name)) {
        let function = library.get(name).unwrap();
        let all = examples(function);
        let is_own = |call: &str| {
            let parsed = Expression::parse(call);
            parsed.is_ok_and(|own| own.static_call().is_ok_and(|own| own.name == name))
        };
        let all = all.into_iter().filter(|(call, _)| is_own(call)).take(2);
        let mut all: Vec<String> = all.map(|(call, _)| call.to_owned()).collect();
        // Some examples are calls of other functions.
        if let (true, Callable::Function(function)) = (all.is_empty(), function) {
            let any = function.parameters().iter().map(|parameter| match parameter.ty() {
                Type::Number => "4",
                _ => "\"hello.txt\"",
            });
            all.push(format!("{name}({})", any.collect::<Vec<_>>().join(", ")));
        }
        for call in all {
            let Ok(expression) = Expression::parse(call.as_str()) else { continue };
            let Ok(parts) = expression.static_call() else { continue };
            if parts.name != name || call.contains(KEY) {
                continue;
            }
            let texts: Vec<String> = parts.arguments.iter().map(|own| own.text().to_string()).collect();
            for (at, argument) in parts.arguments.iter().enumerate() {
                // The second argument of `convert` is a type.
                if name == "convert" && at == 1 {
                    continue;
                }
                let ty = argument.evaluate(&context).map_or(Type::Dynamic, |value| value.ty());
                let mut texts = texts.clone();
                texts[at] = unknown(&ty, u);
                found.insert(format!("{name}({})", texts.join(", ")));
            }
        }
    }
    found.into_iter().collect()
}

/// The module with the calls, each as a result of its own.
fn module(calls: &[String], declaration: &str) -> String {
    let mut text = format!("{UNKNOWN}{declaration}");
    for (at, call) in calls.iter().enumerate() {
        let _ = writeln!(text, "output \"o{at}\" {{\n  value = {call}\n}}");
    }
    text
}

/// A secret, and an ephemeral value.
const VALUES: [(&str, &str, &str); 2] = [
    ("sensitive", "local.u", "locals {\n  u = sensitive(terraform_data.u.id)\n}\n"),
    (
        "ephemeral",
        "local.u",
        "variable \"e\" {\n  ephemeral = true\n  default   = \"x\"\n}\nlocals {\n  u = \"${var.e}${terraform_data.u.id}\"\n}\n",
    ),
];

/// Whether each result has the mark: `yes`, `no`, or `error`.
fn ours(mark: &str, calls: &[String], declaration: &str) -> Vec<&'static str> {
    let files = Memory::from_iter([("main.tf".to_owned(), module(calls, declaration))]);
    let language = Dialect::terraform();
    let functions = functions_without_files(&language);
    let module = ModuleLoader::new(language).with_files(files).with_functions(functions).load();
    let answer = |at: usize| {
        let found = module.evaluate(&[format!("output.o{at}").parse().unwrap()]);
        let failed = |code: &str| !["sensitive-result", "ephemeral-result"].contains(&code);
        let errors = found.diagnostics.iter().filter(|found| found.is_error());
        let is_error = errors.filter_map(hclkit::Diagnostic::code).any(|code| failed(code.as_str()));
        let marked = found.values.iter().any(|own| own.value.unmark_deep().1.contains(&Mark::new(mark)));
        match (is_error, marked) {
            (true, _) => "error",
            (_, true) => "yes",
            (_, false) => "no",
        }
    };
    (0..calls.len()).map(answer).collect()
}

#[test]
fn marks_of_results_are_those_of_terraform() {
    let recorded = std::fs::read_to_string(recorded()).unwrap();
    let answers: BTreeMap<&str, &str> = recorded
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once("  "))
        .collect();
    let (mut wrong, mut asked) = (String::new(), 0);
    let mut functions: BTreeSet<String> = BTreeSet::new();
    for (mark, value, declaration) in VALUES {
        let mut calls = calls(value);
        calls.retain(|call| !DIFFERENT.contains(&call.as_str()));
        for (call, own) in calls.iter().zip(ours(mark, &calls, declaration)) {
            functions.insert(call.split('(').next().unwrap().to_owned());
            let key = format!("{mark} {call}");
            let theirs = answers.get(key.as_str()).copied();
            asked += 1;
            if theirs != Some(own) {
                let _ = writeln!(wrong, "{key}: {own}, recorded: {theirs:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let library = Library::Terraform.functions(&Grants::new());
    let missing: Vec<&str> = library
        .names()
        .filter(|name| !WITHOUT_ARGUMENTS.contains(name) && !functions.contains(*name))
        .filter(|name| !examples(library.get(name).unwrap()).iter().any(|(call, _)| call.contains(KEY)))
        .collect();
    assert!(missing.is_empty(), "these need an example: {missing:?}");
    assert!(asked > 300, "{asked}");
}

/// Asks Terraform. `TERRAFORM=PROGRAM` names it.
#[test]
#[ignore = "records the answers of Terraform"]
fn record() {
    let program = std::env::var("TERRAFORM").unwrap_or_else(|_| "terraform".to_owned());
    let mut lines =
        String::from("# Whether the results of these calls have the mark, as Terraform 1.16.4 says.\n");
    for (mark, value, declaration) in VALUES {
        let calls = calls(value);
        for (call, answer) in calls.iter().zip(theirs(&program, &calls, declaration)) {
            let _ = writeln!(lines, "{mark} {call}  {answer}");
        }
    }
    std::fs::write(recorded(), lines).unwrap();
}

/// What a plan says about each call. Errors of the calls are found first, because they hide others.
fn theirs(program: &str, calls: &[String], declaration: &str) -> Vec<&'static str> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::write(path.join("hello.txt"), "Hello, ${name}!").unwrap();
    let run = |arguments: &[&str]| Command::new(program).current_dir(path).args(arguments).output().unwrap();
    let mut answers: Vec<&'static str> = vec!["no"; calls.len()];
    loop {
        let kept: Vec<usize> = (0..calls.len()).filter(|at| answers[*at] != "error").collect();
        let texts: Vec<String> = kept.iter().map(|at| calls[*at].clone()).collect();
        std::fs::write(path.join("main.tf"), module(&texts, declaration)).unwrap();
        run(&["init", "-input=false"]);
        let said = run(&["plan", "-json", "-input=false", "-lock=false"]);
        let mut has_errors = false;
        for line in String::from_utf8_lossy(&said.stdout).lines() {
            let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
            let diagnostic = &message["diagnostic"];
            if diagnostic["severity"] != "error" {
                continue;
            }
            let summary = diagnostic["summary"].as_str().unwrap_or_default();
            let line = diagnostic["range"]["start"]["line"].as_u64().unwrap() as usize;
            let before = module(&[], declaration).lines().count();
            let at = kept[(line - before - 1) / 3];
            if ["Output refers to sensitive values", "Ephemeral value not allowed"].contains(&summary) {
                answers[at] = "yes";
            } else {
                answers[at] = "error";
                has_errors = true;
            }
        }
        if !has_errors {
            return answers;
        }
    }
}
