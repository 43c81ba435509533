//! Test files of Terraform, in `tests/runs/`: what Terraform 1.11 says about each, recorded, and what a check reports. Terraform's
//! verdicts are those of `terraform validate` and `terraform test`.

use std::path::Path;

use hclkit::Diagnostic;
use hclkit::module::{Dialect, Memory, ModuleLoader, ModuleTree, functions_without_files};
use hclkit_test_cases::{Case, Section};

/// The module under test, and those that it and runs use.
const MODULE: [(&str, &str); 3] = [
    (
        "main.tf",
        r#"
variable "a" {
  type    = string
  default = "x"
}
variable "req" { default = 1 }
resource "terraform_data" "r" { input = var.a }
resource "terraform_data" "c" {
  count = 2
  input = var.a
}
locals { l = 1 }
output "o" { value = terraform_data.r.output }
module "child" { source = "./child" }
check "health" {
  assert {
    condition     = terraform_data.r.id != ""
    error_message = "x"
  }
}
"#,
    ),
    ("child/main.tf", "resource \"terraform_data\" \"x\" {}\noutput \"id\" { value = 1 }\n"),
    ("setup/main.tf", "variable \"v\" { default = 1 }\noutput \"so\" { value = var.v }\n"),
];

fn tree(files: &[(&str, &str)], language: &str) -> ModuleTree {
    let language = Dialect::named(language).unwrap();
    let loader = ModuleLoader::new(language.clone()).with_functions(functions_without_files(&language));
    ModuleTree::new(loader.with_files(files.iter().copied().collect::<Memory>()))
}

/// The errors in the test files of all directories of a module.
fn errors(files: &[(&str, &str)]) -> Vec<String> {
    let found = findings(files, "terraform").into_iter();
    found.filter(Diagnostic::is_error).map(|found| found.note().to_owned()).collect()
}

fn findings(files: &[(&str, &str)], language: &str) -> Vec<Diagnostic> {
    let tree = tree(files, language);
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned()).unwrap_or_default();
    let mut folders: Vec<String> = files.iter().map(|(path, _)| folder(path)).collect();
    folders.sort();
    folders.dedup();
    folders.iter().flat_map(|folder| tree.check_tests(folder)).collect()
}

fn errors_of(case: &Case) -> Vec<String> {
    let own: Vec<(&str, &str)> = case
        .sections
        .iter()
        .take_while(|section| section.title != "terraform")
        .map(|section| (section.title.as_str(), section.text.as_str()))
        .collect();
    errors(&[&MODULE[..], &own].concat())
}

#[test]
fn recorded_cases() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/runs");
    let files = hclkit_test_cases::read(&directory, "cases", &[]).unwrap();
    hclkit_test_cases::check(
        &files,
        |title| title == "errors",
        |case| {
            let found = errors_of(case);
            vec![Section::new("errors", found.join("\n"))]
        },
    );
    for case in files.iter().flat_map(|file| &file.cases) {
        let accepted = case.section("terraform") == Some("valid\n");
        let reported = !errors_of(case).is_empty();
        // Newer versions accept some of what 1.11 rejects, and some errors depend on values.
        let excepted = case.has("accepted by newer versions") || case.has("not reported");
        assert_eq!(reported, !accepted && !excepted, "{}", case.name);
        assert!(!(excepted && accepted), "{}: the option is superfluous", case.name);
    }
}

#[test]
fn json() {
    let test = |text| errors(&[&MODULE[..], &[("a.tftest.json", text)]].concat());
    let sound = r#"{ "variables": { "a": "b" },
        "run": { "one": { "command": "plan", "plan_options": { "mode": "refresh-only", "target": ["terraform_data.r"] },
                          "assert": [{ "condition": "${var.a == \"x\" && output.o != 1}", "error_message": "m" }],
                          "expect_failures": ["var.a", "check.health"] } } }"#;
    assert_eq!(test(sound), [""; 0]);
    let found = test(r#"{ "run": { "one": { "expect_failures": ["var.b"], "nope": 1 } } }"#);
    assert_eq!(found.len(), 2, "{found:#?}");
}

/// A file in a directory named `tests` that also has a module may test this module or the one around it.
#[test]
fn a_file_may_test_one_of_two_modules() {
    let helper = ("tests/main.tf", "locals {\n  inner = 1\n}\n");
    let asserts = |reference: &str| {
        let text = format!(
            "run \"r\" {{\n  assert {{\n    condition     = {reference} == 1\n    error_message = \"m\"\n  }}\n}}\n"
        );
        errors(&[&MODULE[..], &[helper, ("tests/a.tftest.hcl", &text)]].concat())
    };
    assert_eq!(asserts("local.inner"), [""; 0]);
    assert_eq!(asserts("local.l"), [""; 0]);
    assert_eq!(asserts("local.nope").len(), 1);
}

#[test]
fn what_tests_use_is_not_unused() {
    let module = ("main.tf", "variable \"a\" {\n  default = 1\n}\nlocals {\n  b = 1\n  c = 1\n}\n");
    let test = "run \"r\" {\n  variables {\n    a = 1\n  }\n  assert {\n    condition     = local.b == 1\n    error_message = \"m\"\n  }\n}\n";
    let unused = |files: &[(&str, &str)]| {
        let mut tree = tree(files, "terraform");
        tree.declare("");
        tree.read_tests("tests");
        tree.arrange([""]);
        tree.check("", false).warnings()
    };
    assert_eq!(unused(&[module]), 3);
    assert_eq!(unused(&[module, ("tests/a.tftest.hcl", test)]), 1);
}

/// What newer versions and `OpenTofu` add.
#[test]
fn other_versions() {
    let newer = "test {\n  parallel = true\n}\nvariable \"z\" {\n  default = 1\n}\nvariables {\n  a = var.z\n}\nrun \"r\" {}\n";
    let tofu = "override_resource {\n  target = terraform_data.c\n}\nrun \"r\" {}\nrun \"r\" {}\n";
    let check = |text, language| findings(&[&MODULE[..], &[("a.tftest.hcl", text)]].concat(), language);
    assert_eq!(check(newer, "terraform").len(), 0);
    assert_eq!(check(tofu, "opentofu").len(), 0);
    assert_eq!(check(tofu, "terraform").len(), 1);
}

/// The command line and the environment can set variables that nothing declares.
#[test]
fn undeclared_variables_are_warnings() {
    let uses = |name: &str| format!("run \"r\" {{\n  variables {{\n    a = var.{name}\n  }}\n}}\n");
    let check = |text: &str, more: &[(&str, &str)]| {
        let files = [&MODULE[..], more, &[("tests/a.tftest.hcl", text)]].concat();
        let found = findings(&files, "terraform");
        assert!(found.iter().all(|found| !found.is_error()), "{found:#?}");
        found.len()
    };
    assert_eq!(check(&uses("global"), &[]), 1);
    assert_eq!(check(&uses("req"), &[]), 0);
    assert_eq!(check(&uses("global"), &[("tests/terraform.tfvars", "global = 1\n")]), 0);
    assert_eq!(check(&uses("global"), &[("terraform.tfvars", "global = 1\n")]), 0);
}

/// A module with syntax errors, and one that is not there, hide what a test refers to, but not its blocks.
#[test]
fn without_the_module() {
    let test = "run \"r\" {\n  nope = 1\n  assert {\n    condition     = local.x == 1\n    error_message = \"m\"\n  }\n}\n";
    for files in [&[("a.tftest.hcl", test)][..], &[("main.tf", "locals {"), ("a.tftest.hcl", test)]] {
        assert_eq!(errors(files), ["An argument named `nope` is not expected here."], "{files:?}");
    }
}
