//! Rego policies of other projects as rules, in `tests/rego/`: a rule fails for the files for which conftest, whose answers are recorded,
//! reports its policy. The ignored test asks conftest again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use hclkit_test_cases::{Case, File, read};
use serde_json::Value;

use crate::program::Folder;

/// Policies of a project.
struct Policies {
    /// The name of the rules and the cases.
    name: &'static str,
    /// Their directory in the directory with clones of projects.
    directory: &'static str,
    /// How conftest is asked.
    arguments: &'static [&'static str],
    /// What messages contain, and the rules for them. Others have the name of the policy.
    messages: &'static [(&'static str, &'static str)],
}

const ALL: [Policies; 3] = [
    Policies {
        name: "conftest",
        directory: "conftest/examples/hcl2/policy",
        arguments: &["--parser", "hcl2"],
        messages: &[
            ("HTTPS", "alb_http"),
            ("ingress", "open_ingress"),
            ("disk", "unencrypted_disk"),
            ("tags", "required_tags"),
        ],
    },
    Policies {
        name: "conftest-hcl1",
        directory: "conftest/examples/hcl1/policy/gke_combine.rego",
        arguments: &["--parser", "hcl1", "--combine", "--namespace", "main.gke"],
        messages: &[("", "project_of_provider")],
    },
    Policies {
        name: "embark",
        directory: "opa-policies/policy",
        arguments: &["--namespace", "terraform_gcp"],
        messages: &[],
    },
];

impl Policies {
    /// The path of the rules.
    fn rules(&self) -> String {
        directory().join(format!("{}.rules.hcl", self.name)).display().to_string()
    }
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rego")
}

/// The cases about policies, each with a directory that has its file.
fn cases(policies: &Policies) -> Vec<(Case, Folder)> {
    let all = read(&directory(), "cases", &["hcl"]).unwrap();
    let is_own = |file: &File| file.path.file_stem().is_some_and(|name| *name == *policies.name);
    let cases = all.into_iter().filter(is_own).flat_map(|file| file.cases);
    let with_file = |case: Case| {
        let file = &case.sections[0];
        let folder = Folder::with(&[(&file.title, &file.text)]);
        (case, folder)
    };
    cases.map(with_file).collect()
}

fn sorted(found: impl IntoIterator<Item = String>) -> String {
    let mut found: Vec<String> = found.into_iter().collect();
    found.sort();
    found.join("\n")
}

#[test]
fn rules_fail_where_policies_fail() {
    let mut counts = BTreeMap::new();
    for policies in &ALL {
        let rules = policies.rules();
        for (case, folder) in cases(policies) {
            let output =
                folder.command(&["test", "--rules", &rules, "--report", "json", "."]).output().unwrap();
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            let found = report["diagnostics"].as_array().unwrap();
            let names = found.iter().map(|own| own["code"].as_str().unwrap().to_owned());
            assert_eq!(sorted(names), case.section("conftest").unwrap().trim(), "{}", case.name);
            let count: &mut (usize, usize) = counts.entry(policies.name).or_default();
            *count = (count.0 + 1, count.1 + found.len());
        }
    }
    println!("files and findings: {counts:?}");
    assert_eq!(counts.len(), ALL.len());
    assert!(counts.values().all(|own| own.1 > 0));
}

/// The environment variable `CONFTEST` names the program, and `REGO_POLICIES` a directory with clones of open-policy-agent/conftest and
/// EmbarkStudios/opa-policies, under these names.
#[test]
#[ignore = "needs conftest and the policies"]
fn conftest_answers_as_recorded() {
    let program = std::env::var_os("CONFTEST").expect("the program conftest");
    let clones = PathBuf::from(std::env::var_os("REGO_POLICIES").expect("the clones of projects"));
    let mut wrong = Vec::new();
    for policies in &ALL {
        let rules = std::fs::read_to_string(policies.rules()).unwrap();
        for (case, folder) in cases(policies) {
            let mut command = Command::new(&program);
            command.current_dir(folder.root()).args(["test", "--output", "json", "--policy"]);
            command
                .arg(clones.join(policies.directory))
                .args(policies.arguments)
                .arg(&case.sections[0].title);
            let output = command.output().unwrap();
            let report: Value = serde_json::from_slice(&output.stdout)
                .unwrap_or_else(|why| panic!("{}: {why}: {output:?}", case.name));
            let failures = report.as_array().unwrap().iter().filter_map(|own| own["failures"].as_array());
            let name = |own: &Value| {
                let message = own["msg"].as_str().unwrap_or_default();
                let known = policies.messages.iter().find(|(part, _)| message.contains(part));
                let query = own["metadata"]["query"].as_str().unwrap_or_default();
                let policy = query.rsplit('.').next().unwrap_or_default();
                known.map_or(policy, |(_, rule)| rule).to_owned()
            };
            // The other policies of the project.
            let is_rewritten = |name: &String| rules.contains(&format!("rule \"{name}\" {{"));
            let found = sorted(failures.flatten().map(name).filter(is_rewritten));
            if case.section("conftest").is_none_or(|own| own.trim() != found) {
                wrong.push(format!("=== {}\n{found}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "conftest says:\n{}", wrong.join("\n"));
}
