//! `hcl test` on tests of Terraform: what is printed, exit codes, filters, reports, both syntaxes, and broken or hostile files.

use crate::program::Folder;

const MAIN: &str = r#"variable "name" {
  default = "x"
}

output "name" {
  value = var.name
}
"#;

/// The output and the exit code.
fn ended(folder: &Folder, arguments: &[&str]) -> (String, i32) {
    let (_, code, all) = folder.ended(arguments);
    (all, code)
}

/// A run with an assertion.
fn run(name: &str, condition: &str) -> String {
    format!(
        "run {name:?} {{\n  command = plan\n  assert {{\n    condition     = {condition}\n    error_message = \"wrong\"\n  }}\n}}\n"
    )
}

#[test]
fn runs_are_listed_with_their_verdicts() {
    let text = run("yes", "var.name == \"x\"") + &run("no", "var.name == \"y\"");
    let text = text + &run("broken", "tonumber(var.name) == 1") + &run("later", "var.name == \"x\"");
    let folder = Folder::with(&[("main.tf", MAIN), ("tests/a.tftest.hcl", &text)]);
    let (all, code) = ended(&folder, &["test"]);
    assert_eq!(code, 1, "{all}");
    for line in [
        "tests/a.tftest.hcl: yes: passed",
        "tests/a.tftest.hcl: no: failed",
        "tests/a.tftest.hcl: broken: errored",
        "tests/a.tftest.hcl: later: skipped: an earlier run ended with an error",
        "1 passed, 1 failed, 1 errored, 1 skipped",
        "no: wrong",
        "var.name is \"x\"",
    ] {
        assert!(all.contains(line), "{line}: {all}");
    }
    let (all, code) = ended(&folder, &["test", "--filter", "yes"]);
    assert_eq!((all.as_str(), code), ("tests/a.tftest.hcl: yes: passed\n1 passed, 0 failed\n", 0));
    let (all, code) = ended(&folder, &["test", "--filter", "nothing"]);
    assert_eq!((all.as_str(), code), ("0 passed, 0 failed\n", 0));
    for report in ["json", "sarif", "junit", "github"] {
        let (all, code) = ended(&folder, &["test", "--report", report]);
        assert!(code == 1 && all.contains("assertion-failed") && all.contains("wrong"), "{report}: {all}");
        assert!(!all.contains("yes: passed"), "{report}: {all}");
    }
}

#[test]
fn what_needs_a_provider_is_skipped() {
    let main = format!("{MAIN}resource \"aws_s3_bucket\" \"b\" {{\n  bucket = var.name\n}}\n");
    let own = run("bucket", "aws_s3_bucket.b.bucket == \"x\"");
    let folder = Folder::with(&[("main.tf", &main), ("a.tftest.hcl", &own), ("b.tofutest.hcl", &own)]);
    let (all, code) = ended(&folder, &["test"]);
    assert_eq!(code, 0, "{all}");
    assert!(all.contains("bucket: skipped: `aws_s3_bucket.b` needs a provider"), "{all}");
    assert!(all.contains("b.tofutest.hcl: bucket: skipped: `aws_s3_bucket.b` needs a provider"), "{all}");
    assert!(all.ends_with("0 passed, 0 failed, 2 skipped\n"), "{all}");
}

#[test]
fn tests_of_opentofu_are_run_as_it_does() {
    // Only OpenTofu shows a number as it is given, and runs its own file instead of the other one.
    let given = "variables {\n  name = 12\n}\n".to_owned() + &run("number", "var.name == 12");
    let main = MAIN.replace("variable \"name\" {", "variable \"name\" {\n  type = string");
    let folder = Folder::with(&[("main.tf", &main), ("a.tofutest.hcl", &given), ("a.tftest.hcl", &given)]);
    let (all, code) = ended(&folder, &["test"]);
    assert!(code == 1 && all.contains("a.tofutest.hcl: number: passed"), "{all}");
    assert!(all.contains("a.tftest.hcl: number: failed"), "{all}");
    folder.write("more.tofu", "locals {\n  a = 1\n}\n");
    folder.write("b.tftest.hcl", &given);
    let (all, code) = ended(&folder, &["test"]);
    let skipped = "a.tftest.hcl: skipped: OpenTofu runs the file of the same name that only it reads";
    assert!(code == 0 && all.contains(skipped), "{all}");
    assert!(all.contains("b.tftest.hcl: number: passed"), "{all}");
}

#[test]
fn files_in_tests_are_about_the_module_around_it() {
    let other = "output \"name\" {\n  value = \"other\"\n}\n";
    let own = run("yes", "output.name == \"x\"");
    let files = [
        ("main.tf", MAIN),
        ("tests/main.tf", other),
        ("tests/unit/main.tf", other),
        ("alone/tests/main.tf", other),
    ];
    let folder = Folder::with(&files);
    folder.write("tests/a.tftest.hcl", &own);
    folder.write("tests/unit/b.tftest.hcl", &own);
    folder.write("alone/tests/c.tftest.hcl", own.replace("\"x\"", "\"other\""));
    let (all, code) = ended(&folder, &["test"]);
    assert!(code == 0 && all.ends_with("3 passed, 0 failed\n"), "{all}");
}

#[test]
fn tests_in_json_are_run() {
    let text = r#"{
  "run": {
    "yes": {
      "command": "plan",
      "variables": { "name": "longer" },
      "assert": { "condition": "${output.name == \"longer\"}", "error_message": "wrong" }
    },
    "no": {
      "command": "plan",
      "assert": { "condition": "${output.name == \"longer\"}", "error_message": "it is ${output.name}" }
    }
  }
}
"#;
    let folder = Folder::with(&[("main.tf", MAIN), ("a.tftest.json", text)]);
    let (all, code) = ended(&folder, &["test"]);
    assert!(code == 1 && all.contains("no: it is x"), "{all}");
    assert!(all.ends_with("1 passed, 1 failed\n"), "{all}");
}

#[test]
fn broken_and_hostile_files_are_reported() {
    let hostile = run("\u{1b}[31m", "var.name == \"x\"");
    for (text, expected) in [
        ("run \"r\" {\n", 1),
        ("run \"r\" {\n  command = destroy\n}\n", 1),
        ("run \"r\" {\n  assert {\n    condition     = true\n    error_message = \"m\"\n  }\n}\n", 1),
        ("run \"r\" {\n  module {\n    source = \"./none\"\n  }\n}\n", 1),
        ("run \"r\" {\n  variables {\n    name = run.r.name\n  }\n}\n", 1),
        ("run \"r\" {\n  expect_failures = [local.x]\n}\n", 1),
        (&hostile, 1),
    ] {
        let folder = Folder::with(&[("main.tf", MAIN), ("a.tftest.hcl", text)]);
        let (all, code) = ended(&folder, &["test"]);
        assert!(code == expected && !all.contains('\u{1b}'), "{text}: {all}");
    }
    // A test file without a module, and an endless number of instances.
    let folder = Folder::with(&[("a.tftest.hcl", &run("r", "var.name == \"x\""))]);
    let (all, _) = ended(&folder, &["test"]);
    assert!(all.contains("skipped"), "{all}");
    let many = format!("{MAIN}resource \"terraform_data\" \"a\" {{\n  count = 1000000000\n}}\n");
    let folder = Folder::with(&[("main.tf", &many), ("a.tftest.hcl", &run("r", "var.name == \"x\""))]);
    let (all, code) = ended(&folder, &["test"]);
    assert!(code == 2 || all.contains("skipped"), "{code} {all}");
}

#[test]
fn mocked_providers_need_a_schema() {
    let main = format!("{MAIN}resource \"aws_s3_bucket\" \"b\" {{\n  bucket = 12\n}}\n");
    let own = format!("mock_provider \"aws\" {{}}\n{}", run("bucket", "aws_s3_bucket.b.bucket == \"12\""));
    let schema = include_str!("../../../../tests/terraform-tests/aws.json");
    let folder = Folder::with(&[("main.tf", &main), ("a.tftest.hcl", &own), ("aws.json", schema)]);
    let (all, code) = ended(&folder, &["test"]);
    assert!(code == 0 && all.contains("bucket: skipped: `aws_s3_bucket.b` needs a provider"), "{all}");
    let (all, code) = ended(&folder, &["test", "--provider-schema", "aws.json"]);
    assert_eq!((all.as_str(), code), ("a.tftest.hcl: bucket: passed\n1 passed, 0 failed\n", 0));
}

/// A directory of mocks is read inside of the repository, also by its absolute path, and nothing of another one is shown.
#[test]
fn mocks_are_read_inside_of_the_repository() {
    let other = Folder::with(&[("a.tfmock.hcl", "mock_resource \"x\" { canary")]);
    let folder = Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("live/main.tf", MAIN),
        ("mocks/a.tfmock.hcl", "mock_resource \"x\" {\n  defaults = {}\n}\n"),
    ]);
    let ended_with = |source: &str| {
        let text = format!("mock_provider \"x\" {{\n  source = {source:?}\n}}\n");
        folder.write("live/a.tftest.hcl", &(text + &run("r", "var.name == \"x\"")));
        ended(&folder, &["test", "live"])
    };
    let absolute = |path: std::path::PathBuf| path.to_str().unwrap().replace('\\', "/");
    for source in ["../mocks".to_owned(), absolute(folder.path("mocks"))] {
        let (all, code) = ended_with(&source);
        assert_eq!((code, all.contains("live/a.tftest.hcl: r: passed")), (0, true), "{source}: {all}");
    }
    let (all, code) = ended_with(&absolute(other.path("")));
    assert_eq!((code, all.contains("outside of what the module may read")), (0, true), "{all}");
    assert!(!all.contains("canary"), "{all}");
    for source in ["none".to_owned(), absolute(folder.path("none"))] {
        let (all, code) = ended_with(&source);
        assert_eq!((code, all.contains("unreadable-mocks")), (1, true), "{source}: {all}");
    }
}
