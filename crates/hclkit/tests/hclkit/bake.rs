//! Bake files: compares our plans with the recorded answers of Buildx's `bake` package for the files in `tests/bake`.
//! `cargo xtask conformance --bake` asks Buildx, also about the files of its own tests.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use hclkit::decode::PlainJson;
use hclkit::functions::{Grants, Library};
use hclkit::module::{Bake, Planned};
use hclkit::render::Renderer;
use hclkit_test_cases::Case;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// A request, as `conformance/bake` reads it.
#[derive(Default, Deserialize)]
struct Request {
    files: Vec<File>,
    targets: Option<Vec<String>>,
    set: Option<Vec<String>>,
    env: Option<BTreeMap<String, String>>,
    var: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct File {
    name: String,
    text: String,
}

#[test]
fn plans_are_those_of_buildx() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bake");
    let (mut count, mut differences) = (0, String::new());
    for file in hclkit_test_cases::read(&directory, "bake", &[]).unwrap() {
        for case in &file.cases {
            count += 1;
            let answer = case.section("buildx").expect("Buildx's answer is recorded");
            let answer: Json = serde_json::from_str(answer).unwrap();
            if let Some(difference) = difference(&request(case), &answer) {
                let _ = writeln!(differences, "=== {}\n{difference}", case.name);
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(count >= 100, "{count}");
}

/// What `check` reports does not depend on variables, so there is nothing to report if Buildx builds all targets.
#[test]
fn checks_report_no_error_where_buildx_gives_a_plan() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bake");
    let (mut count, mut wrong) = (0, String::new());
    for file in hclkit_test_cases::read(&directory, "bake", &[]).unwrap() {
        for case in &file.cases {
            let answer: Json = serde_json::from_str(case.section("buildx").unwrap()).unwrap();
            if answer.get("print").is_none() {
                continue;
            }
            count += 1;
            let request = request(case);
            let bake = request
                .files
                .iter()
                .fold(Bake::new(), |bake, file| bake.with_file(file.name.clone(), file.text.clone()));
            let bake = bake.with_functions(hclkit::module::bake_functions_without_files());
            let found = bake.check();
            let _ = bake.graph();
            if found.has_errors() {
                let _ = writeln!(wrong, "=== {}\n{}", case.name, Renderer::plain().diagnostics(&found));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count >= 100, "{count}");
}

/// The requests and answers in the file that `BAKE_ANSWERS` names: what `cargo xtask conformance --bake` asked about the files
/// of Buildx's tests.
#[test]
#[ignore = "compares what `cargo xtask conformance --bake` asked"]
fn plans_of_other_files_are_those_of_buildx() {
    let path = env::var("BAKE_ANSWERS").expect("the variable `BAKE_ANSWERS` names a file");
    let (mut count, mut wrong, mut differences) = (0, 0, String::new());
    for line in fs::read_to_string(path).unwrap().lines() {
        let asked: Json = serde_json::from_str(line).unwrap();
        count += 1;
        let request = Request::deserialize(&asked["request"]).unwrap();
        if let Some(difference) = difference(&request, &asked["answer"]) {
            wrong += 1;
            let _ =
                writeln!(differences, "=== {}\n{}\n{difference}", asked["request"]["name"], shown(&request));
        }
    }
    assert!(differences.is_empty(), "{differences}{wrong} of {count} are different");
    println!("compared {count} plans");
}

/// The request of a case: its sections are files, and `options` has one option on a line.
fn request(case: &Case) -> Request {
    let mut request = Request::default();
    for section in &case.sections {
        match section.title.as_str() {
            "buildx" => {}
            "options" => {
                for line in section.text.lines() {
                    let (kind, option) = line.split_once(' ').unwrap();
                    let pair = || {
                        let (name, value) = option.split_once('=').unwrap();
                        (name.to_owned(), value.to_owned())
                    };
                    match kind {
                        "target" => request.targets.get_or_insert_default().push(option.to_owned()),
                        "set" => request.set.get_or_insert_default().push(option.to_owned()),
                        "env" => drop(request.env.get_or_insert_default().insert(pair().0, pair().1)),
                        "var" => drop(request.var.get_or_insert_default().insert(pair().0, pair().1)),
                        _ => panic!("unknown option {kind}"),
                    }
                }
            }
            name => request.files.push(File { name: name.to_owned(), text: section.text.clone() }),
        }
    }
    request
}

/// How our plan differs from an answer.
fn difference(request: &Request, answer: &Json) -> Option<String> {
    let functions = Library::Bake.functions(&Grants::new().with_clock().with_random());
    let mut bake = Bake::new().with_functions(functions);
    for file in &request.files {
        bake = bake.with_file(&file.name, file.text.clone());
    }
    bake = bake.with_environment(request.env.clone().unwrap_or_default());
    for (name, value) in request.var.iter().flatten() {
        bake = bake.with_variable_text(name, value);
    }
    for text in request.set.iter().flatten() {
        bake = bake.with_override(text);
    }
    let targets: Vec<&str> = request.targets.iter().flatten().map(String::as_str).collect();
    let (plan, found) = bake.plan(&targets);
    let problems = || Renderer::plain().diagnostics(&found);
    if let Some(error) = answer.get("error") {
        return (!found.has_errors()).then(|| format!("buildx: {error}\nours: no error"));
    }
    if found.has_errors() {
        return Some(format!("buildx: no error\nours: {}", problems()));
    }
    let object = |all: &[Planned]| {
        let one = |own: &Planned| {
            let attributes = own.attributes.iter();
            let attributes = attributes.map(|(name, value)| {
                ((*name).to_owned(), serde_json::to_value(PlainJson::new(value)).unwrap())
            });
            (own.name.clone(), Json::Object(attributes.collect()))
        };
        Json::Object(all.iter().map(one).collect())
    };
    let mut ours = Map::new();
    ours.insert("group".to_owned(), object(&plan.groups));
    ours.insert("target".to_owned(), object(&plan.targets));
    let (mut ours, mut theirs) = (Json::Object(ours), answer["print"].clone());
    sort(&mut ours);
    sort(&mut theirs);
    (ours != theirs).then(|| format!("buildx: {theirs:#}\nours:   {ours:#}"))
}

/// The order of the targets of a matrix, and that of outputs with several overrides, is different in each run of Buildx.
fn sort(plan: &mut Json) {
    for (kind, list) in [("group", "targets"), ("target", "output")] {
        for (_, own) in plan[kind].as_object_mut().into_iter().flatten() {
            if let Some(items) = own.get_mut(list).and_then(Json::as_array_mut) {
                items.sort_by_key(ToString::to_string);
            }
        }
    }
}

fn shown(request: &Request) -> String {
    let mut text = String::new();
    for file in &request.files {
        let _ = write!(text, "--- {}\n{}\n", file.name, file.text);
    }
    let _ = write!(text, "targets {:?}, set {:?}, env {:?}", request.targets, request.set, request.env);
    text
}

#[test]
fn files_that_bake_reads_are_those_of_its_table() {
    for name in hclkit::module::BAKE_FILES {
        let language =
            hclkit::dialect::Dialect::of_path(name).unwrap_or_else(|| panic!("{name} has no language"));
        assert_eq!((language.name(), language.file_kind(name).is_some()), ("bake", true), "{name}");
    }
}
