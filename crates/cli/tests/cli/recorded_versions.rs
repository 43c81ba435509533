//! `hcl check` and `hcl eval` about the modules of `tests/versions`: the verdicts and values of Terraform and OpenTofu, as
//! `cargo xtask conformance --versions` records them. A section `differs` names an application whose verdict is not ours, and why.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use hclkit_test_cases::Case;
use serde_json::Value;

use crate::program::Folder;

const APPLICATIONS: [&str; 2] = ["terraform", "opentofu"];
/// The section with a line for each application: `terraform: why`.
const DIFFERS: &str = "differs";

/// What an application said, if it could be asked.
fn answer<'c>(case: &'c Case, application: &str) -> Option<&'c str> {
    let own = case.section(application).unwrap();
    let own = if own == "same\n" { case.section(APPLICATIONS[0]).unwrap() } else { own };
    (own != "not asked\n").then_some(own)
}

fn folder(case: &Case) -> Folder {
    let is_file = |title: &str| title != DIFFERS && !APPLICATIONS.contains(&title);
    let files = case.sections.iter().filter(|own| is_file(&own.title));
    Folder::with(&files.map(|own| (&*own.title, &*own.text)).collect::<Vec<_>>())
}

/// The errors that `hcl check` reports, a line for each.
fn errors(folder: &Folder, application: &str) -> String {
    let args = ["check", "--language", application, "--report", "json", "."];
    let output = folder.command(&args).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let mut text = String::new();
    for own in found["diagnostics"].as_array().unwrap() {
        if own["severity"] == "error" {
            let _ = writeln!(text, "{}: {}", own["summary"], own["detail"]);
        }
    }
    assert_eq!(output.status.success(), text.is_empty(), "{output:?}");
    text
}

/// The errors of `hcl eval`, as it says them, and the outputs that it knows.
fn values(folder: &Folder, application: &str) -> (String, BTreeMap<String, Value>) {
    let args = ["eval", "--language", application, "--show-sensitive", "--output", "ndjson", "."];
    let output = folder.command(&args).output().unwrap();
    if !output.status.success() {
        return (String::from_utf8_lossy(&output.stderr).into_owned(), BTreeMap::new());
    }
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let known = lines.filter_map(|own| {
        let name = own["address"].as_str()?.strip_prefix("output.")?.to_owned();
        own.get("value").filter(|value| **value != "(unknown)").map(|value| (name, value.clone()))
    });
    (String::new(), known.collect())
}

#[test]
fn verdicts_and_values_are_those_of_the_applications() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/versions");
    let files = hclkit_test_cases::read(&directory, "versions", &[]).unwrap();
    let (mut asked, mut known, mut wrong) = (0, 0, String::new());
    for case in files.iter().flat_map(|file| &file.cases) {
        let folder = folder(case);
        let reasons = case.section(DIFFERS).unwrap_or_default();
        for application in APPLICATIONS {
            let Some(theirs) = answer(case, application) else { continue };
            asked += 1;
            // A check is a validation. What only a plan refuses, an evaluation does.
            let is_test = case
                .sections
                .iter()
                .any(|own| own.title.contains(".tftest.") || own.title.contains(".tfquery."));
            let (evaluated, values) = if is_test { Default::default() } else { values(&folder, application) };
            let ours = errors(&folder, application) + &evaluated;
            let differs = theirs.starts_with("error") == ours.is_empty();
            let reason = reasons.lines().find_map(|line| line.strip_prefix(application)?.strip_prefix(": "));
            if differs != reason.is_some() {
                let name = &case.name;
                let _ = writeln!(wrong, "=== {name}, {application}\n{theirs}--- hcl\n{ours}");
            }
            if theirs.starts_with("error") {
                continue;
            }
            for (name, value) in theirs.lines().filter_map(|line| line.split_once(" = ")) {
                let value: Value = serde_json::from_str(value).unwrap();
                match (value.get("value"), values.get(name)) {
                    (Some(theirs), Some(ours)) if theirs == ours => known += 1,
                    // It is known there, and not here.
                    (_, None) => {}
                    (theirs, Some(ours)) => {
                        let _ =
                            writeln!(wrong, "=== {}, {application}: {name}\n{theirs:?}\n{ours}", case.name);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(asked > 400 && known > 60, "{asked} {known}");
}
