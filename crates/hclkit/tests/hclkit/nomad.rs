//! Nomad's job files: compares their values with the recorded answers of Nomad's package `jobspec2` for the cases in
//! `tests/nomad`. `cargo xtask conformance --nomad` asks Nomad.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use hclkit::decode::PlainJson;
use hclkit::dialect::Dialect;
use hclkit::functions::{Grants, Library};
use hclkit::module::{Memory, ModuleLoader};
use hclkit::render::Renderer;
use hclkit::{Type, Value};
use hclkit_test_cases::Case;
use serde_json::{Map, Value as Json, json};

const FILE: &str = "job.nomad.hcl";

/// The files of cases, and the least number of them.
fn cases() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/nomad");
    let files = hclkit_test_cases::read(&directory, "nomad", &[]).unwrap();
    let cases: Vec<Case> = files.into_iter().flat_map(|file| file.cases).collect();
    assert!(cases.len() >= 60, "{}", cases.len());
    cases
}

#[test]
fn values_are_those_of_nomad() {
    let mut differences = String::new();
    for case in cases() {
        let answer: Json =
            serde_json::from_str(case.section("nomad").expect("an answer is recorded")).unwrap();
        let (own, report) = evaluated(&case);
        let answer = if answer.get("error").is_some() { Json::Null } else { answer };
        if without_lists_of_one(own.clone()) != without_lists_of_one(answer.clone()) {
            let _ = writeln!(differences, "=== {}\nours: {own:#}\nNomad: {answer:#}\n{report}", case.name);
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn each_function_is_called() {
    let functions = Library::Nomad.functions(&Grants::new());
    let texts: Vec<String> = cases().iter().map(|case| case.section(FILE).unwrap().to_owned()).collect();
    // They read files, or need a key.
    let others = ["abspath", "file", "filebase64", "fileexists", "fileset"];
    let is_called = |name: &str| texts.iter().any(|text| text.contains(&format!("{name}(")));
    let missing: BTreeSet<&str> = functions
        .iter()
        .map(|(name, _)| name)
        .filter(|name| !is_called(name) && !others.contains(name))
        .collect();
    assert_eq!(missing, BTreeSet::new());
}

/// The answer to a case, or null if the job has errors; and the report.
fn evaluated(case: &Case) -> (Json, String) {
    let language = Dialect::named("nomad").unwrap();
    let mut loader = ModuleLoader::new(language)
        .with_files(Memory::from_iter([(FILE, case.section(FILE).unwrap())]))
        .with_only([FILE])
        .with_functions(Library::Nomad.functions(&Grants::new().with_clock().with_random()));
    for line in case.section("options").unwrap_or_default().lines() {
        let (kind, option) = line.split_once(' ').unwrap();
        let (name, value) = option.split_once('=').unwrap();
        loader = match kind {
            "env" => loader.with_environment([(name, value)]),
            "var" => loader.with_variable_text(name, value),
            _ => panic!("unknown option {kind}"),
        };
    }
    let module = loader.load();
    let found = module.evaluate(&[]);
    let mut diagnostics = module.diagnostics().clone();
    diagnostics.append(found.diagnostics);
    let report = Renderer::plain().diagnostics(&diagnostics);
    if diagnostics.has_errors() {
        return (Json::Null, report);
    }
    let job = found.values.iter().find(|own| own.address.to_string().starts_with("job"));
    (job.map_or(Json::Null, |job| answer(&job_name(&job.address.to_string()), &job.value)), report)
}

/// The name in the address of a job: `job.web`, `job["web/1.2"]`.
fn job_name(address: &str) -> String {
    match address.strip_prefix("job.") {
        Some(name) => name.to_owned(),
        None => serde_json::from_str(&address["job[".len()..address.len() - 1]).unwrap(),
    }
}

/// Nomad gives blocks in `config` as lists, also those with labels.
fn without_lists_of_one(value: Json) -> Json {
    match value {
        Json::Array(mut all) if all.len() == 1 => without_lists_of_one(all.remove(0)),
        Json::Array(all) => all.into_iter().map(without_lists_of_one).collect(),
        Json::Object(all) => {
            Json::Object(all.into_iter().map(|(name, value)| (name, without_lists_of_one(value))).collect())
        }
        other => other,
    }
}

/// What the oracle says of a job, from its value.
fn answer(name: &str, job: &Value) -> Json {
    let mut answer = Map::from_iter([("name".to_owned(), json!(name))]);
    insert(&mut answer, "meta", texts(job, "meta"));
    let groups = named(job, "group").into_iter().map(|(name, group)| {
        let mut own = Map::from_iter([("name".to_owned(), json!(name))]);
        insert(&mut own, "count", attribute(&group, "count").map(|count| plain(&count)));
        insert(&mut own, "meta", texts(&group, "meta"));
        let tasks = named(&group, "task").into_iter().map(|(name, task)| {
            let mut own = Map::from_iter([("name".to_owned(), json!(name))]);
            insert(&mut own, "driver", attribute(&task, "driver").map(|driver| plain(&driver)));
            insert(&mut own, "config", single(&task, "config").map(|config| plain(&config)));
            insert(&mut own, "env", texts(&task, "env"));
            insert(&mut own, "meta", texts(&task, "meta"));
            let services = attribute(&task, "service");
            let names = services.iter().flat_map(|all| all.as_slice().unwrap_or_default());
            let names: Vec<Json> = names.filter_map(|own| Some(plain(&attribute(own, "name")?))).collect();
            insert(&mut own, "services", (!names.is_empty()).then_some(Json::Array(names)));
            Json::Object(own)
        });
        let tasks: Vec<Json> = tasks.collect();
        insert(&mut own, "tasks", (!tasks.is_empty()).then_some(Json::Array(tasks)));
        Json::Object(own)
    });
    let groups: Vec<Json> = groups.collect();
    insert(&mut answer, "groups", (!groups.is_empty()).then_some(Json::Array(groups)));
    Json::Object(answer)
}

fn insert(into: &mut Map<String, Json>, name: &str, value: Option<Json>) {
    into.extend(value.map(|value| (name.to_owned(), value)));
}

fn attribute(value: &Value, name: &str) -> Option<Value> {
    value.as_object()?.get(name).cloned()
}

/// Blocks with a label, by their labels.
fn named(value: &Value, block_type: &str) -> Vec<(String, Value)> {
    let blocks = attribute(value, block_type);
    let entries = blocks.iter().flat_map(|blocks| blocks.as_object().unwrap().iter());
    entries.map(|(name, block)| (name.to_string(), block.clone())).collect()
}

/// The object of a block that is also an attribute.
fn single(value: &Value, name: &str) -> Option<Value> {
    let own = attribute(value, name)?;
    match own.as_slice() {
        Some([block]) => Some(block.clone()),
        _ => Some(own),
    }
}

/// A map of strings.
fn texts(value: &Value, name: &str) -> Option<Json> {
    let own = single(value, name)?.convert(&Type::map(Type::String)).unwrap();
    (own.entries()?.count() > 0).then(|| plain(&own))
}

fn plain(value: &Value) -> Json {
    serde_json::to_value(PlainJson::new(value)).unwrap()
}
