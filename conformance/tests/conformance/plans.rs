//! Resources of a provider: compares values, instances and sensitivity with the plans that Terraform made for the random
//! modules in `tests/plans`, with the schema of the provider and without. `cargo xtask conformance --real --random N --bless`
//! asks Terraform.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use hclkit::decode::PlainJson;
use hclkit::module::{self, Dialect, Evaluation, Schemas};
use hclkit::render::Renderer;
use hclkit::value::{Mark, Value};
use hclkit_test_cases::Case;
use serde_json::{Value as Json, json};

const ANSWER: &str = "plan";
const UNKNOWN: &str = "(unknown)";
const SENSITIVE: &str = "(sensitive)";
#[test]
fn values_are_those_of_plans() {
    compare_all(None);
}

#[test]
fn values_with_schemas_are_those_of_plans() {
    let schemas = fs::read(directory().join("schema.json")).unwrap();
    compare_all(Some(&Schemas::from_json(&schemas).unwrap()));
}

fn directory() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/plans")
}

/// A check finds no error in what Terraform plans.
#[test]
fn plans_have_no_errors_in_checks() {
    let mut differences = String::new();
    for file in hclkit_test_cases::read(&directory(), "plans", &["json"]).unwrap() {
        for case in file.cases.iter().filter(|case| !case.section(ANSWER).unwrap().starts_with("error: ")) {
            let directory = tempfile::tempdir().unwrap();
            write(case, directory.path());
            let found = module::loader(Dialect::terraform(), directory.path()).load().check();
            if found.has_errors() {
                let _ = writeln!(differences, "=== {}\n{}", case.name, Renderer::plain().diagnostics(&found));
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

fn compare_all(schemas: Option<&Schemas>) {
    let mut comparison = Comparison { untyped: schemas.is_none(), ..Comparison::default() };
    let mut count = 0;
    for file in hclkit_test_cases::read(&directory(), "plans", &["json"]).unwrap() {
        for case in &file.cases {
            count += 1;
            let directory = tempfile::tempdir().unwrap();
            write(case, directory.path());
            let mut loader = module::loader(Dialect::terraform(), directory.path());
            if let Some(schemas) = schemas {
                loader = loader.with_schemas(schemas.clone());
            }
            let found = loader.load().evaluate(&[]);
            let before = comparison.differences.len();
            comparison.case(case, &found);
            if comparison.differences.len() > before {
                comparison.differences.insert_str(before, &format!("=== {}\n", case.name));
            }
        }
    }
    assert!(comparison.differences.is_empty(), "{}", comparison.differences);
    assert!(count > 50, "{count}");
    assert!(comparison.equal > 1000, "{}", comparison.equal);
    assert!(comparison.unknown < 10, "{}", comparison.unknown);
    assert_eq!(comparison.nulls, 0);
}

fn write(case: &Case, directory: &Path) {
    for section in case.sections.iter().filter(|section| section.title != ANSWER) {
        let path = directory.join(&section.title);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &section.text).unwrap();
    }
}

#[derive(Default)]
struct Comparison {
    equal: usize,
    /// Values that Terraform knows and we do not.
    unknown: usize,
    /// Configured nulls of attributes that the provider computes: null to us, unknown to Terraform.
    nulls: usize,
    /// Whether we have no schema: no attribute has a type, and a single block is a list.
    untyped: bool,
    differences: String,
}

impl Comparison {
    fn case(&mut self, case: &Case, found: &Evaluation) {
        let answer = case.section(ANSWER).expect("Terraform's plan is recorded");
        let failed = found.diagnostics.has_errors();
        if answer.starts_with("error: ") != failed {
            let problems = Renderer::plain().diagnostics(&found.diagnostics);
            let _ =
                writeln!(self.differences, "terraform: {}\nours: {problems}", answer.lines().next().unwrap());
        }
        if failed {
            return;
        }
        let lines: Vec<(&str, Json)> = answer
            .lines()
            .filter(|line| !line.is_empty())
            .map(|line| {
                let (address, value) = line.split_once(" = ").unwrap();
                (address, serde_json::from_str(value).unwrap())
            })
            .collect();
        for (address, theirs) in &lines {
            match found.values.iter().find(|own| own.address == *address) {
                Some(own) => {
                    let value = own.value.clone();
                    let value = if own.sensitive { value.mark(Mark::sensitive()) } else { value };
                    self.value(address, &plain(&value), theirs);
                }
                None => {
                    let _ = writeln!(self.differences, "{address} is missing");
                }
            }
        }
        let is_object = |address: &str| address.contains("test_thing.") || address.contains("test_info.");
        for own in found.values.iter().filter(|own| is_object(&own.address)) {
            if !lines.iter().any(|(address, _)| own.address == *address) {
                let _ = writeln!(self.differences, "{} is not in the plan", own.address);
            }
        }
    }

    fn value(&mut self, place: &str, ours: &Json, theirs: &Json) {
        match (ours, theirs) {
            _ if ours == theirs => self.equal += 1,
            (Json::Object(own), Json::Object(all))
                if own.contains_key(SENSITIVE) == all.contains_key(SENSITIVE) =>
            {
                for (name, value) in all {
                    let place = format!("{place}.{name}");
                    match own.get(name) {
                        Some(own) => self.value(&place, own, value),
                        // A provider sets what is not configured.
                        None if is_empty(value) => {}
                        None => self.different(&place, &Json::Null, value),
                    }
                }
                for name in own.keys().filter(|name| !all.contains_key(*name)) {
                    self.different(&format!("{place}.{name}"), &own[name], &Json::Null);
                }
            }
            (Json::Array(own), Json::Array(all)) if own.len() == all.len() => {
                for (at, (own, value)) in own.iter().zip(all).enumerate() {
                    self.value(&format!("{place}[{at}]"), own, value);
                }
            }
            (Json::Number(own), Json::Number(number)) if own.as_f64() == number.as_f64() => self.equal += 1,
            (Json::Null, Json::String(theirs)) if self.untyped && theirs == UNKNOWN => self.nulls += 1,
            (Json::Array(own), Json::Object(_)) if self.untyped && own.len() == 1 => {
                self.value(place, &own[0], theirs);
            }
            (Json::Number(_) | Json::Bool(_), Json::String(text))
                if self.untyped && text.parse().is_ok_and(|text: Json| text == *ours) =>
            {
                self.equal += 1;
            }
            // A provider may set blocks of which there are none, and without a schema also arguments that are null.
            (Json::String(own), Json::Array(all)) if own == UNKNOWN && all.is_empty() => {}
            (Json::String(own), Json::Null) if own == UNKNOWN && self.untyped => {}
            // A value that we do not know can be anything that is as sensitive.
            (Json::String(own), theirs) if own == UNKNOWN && !theirs.to_string().contains(SENSITIVE) => {
                self.unknown += 1;
            }
            (Json::Object(own), Json::Object(all))
                if own.contains_key(SENSITIVE) || all.contains_key(SENSITIVE) =>
            {
                self.different(place, ours, theirs);
            }
            _ => self.different(place, ours, theirs),
        }
    }

    fn different(&mut self, place: &str, ours: &Json, theirs: &Json) {
        let _ = writeln!(self.differences, "{place}\n  ours:      {ours}\n  terraform: {theirs}");
    }
}

/// Whether nothing is known about a value, or there is none.
fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => text == UNKNOWN,
        Json::Array(all) => all.is_empty(),
        Json::Object(all) => all.values().all(is_empty),
        _ => false,
    }
}

/// A value as the recorded plans have it.
fn plain(value: &Value) -> Json {
    if value.is_marked() {
        return json!({ SENSITIVE: plain(&value.unmark_deep().0) });
    }
    if let Some(all) = value.as_object() {
        return all.iter().map(|(name, value)| (name.to_string(), plain(value))).collect();
    }
    if let Some(all) = value.as_map() {
        return all.iter().map(|(name, value)| (name.to_string(), plain(value))).collect();
    }
    if let Some(all) = value.as_slice() {
        return all.iter().map(plain).collect();
    }
    if !value.is_known() {
        return UNKNOWN.into();
    }
    serde_json::to_value(PlainJson::new(value)).unwrap()
}
