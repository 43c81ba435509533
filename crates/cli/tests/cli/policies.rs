//! `hcl test`: policies of Terraform on modules, their tests, comments, baselines, reports, and what a test may read.

use crate::program::Folder;

const POLICIES: &str = r#"input "prefix" {
  type    = string
  default = "acme-"
}

resource_policy "aws_s3_bucket" "prefix" {
  enforce {
    condition     = core::startswith(attrs.bucket, input.prefix)
    error_message = "The name ${attrs.bucket} does not begin with ${input.prefix}."
    info_message  = "A bucket."
  }
}

resource_policy "aws_s3_bucket" "owner" {
  enforcement_level = "advisory"
  filter            = attrs.bucket == "data"

  enforce {
    condition     = core::try(attrs.tags.Owner, "") != ""
    error_message = "Set the tag Owner."
  }
}
"#;

const TESTS: &str = r#"policytest {
  targets = ["s3.policy.hcl"]
}

resource "aws_s3_bucket" "named" {
  attrs = { bucket = "acme-logs" }
}

resource "aws_s3_bucket" "unnamed" {
  expect_failure = true
  attrs          = { bucket = "logs" }
}
"#;

const MAIN: &str = r#"variable "env" {
  type = string
}
resource "aws_s3_bucket" "data" {
  bucket = "data"
  tags   = {}
}
resource "aws_s3_bucket" "open" {
  bucket = var.env
}
# hcl: ignore prefix it is old
resource "aws_s3_bucket" "old" {
  bucket = "old"
}
"#;

fn folder() -> Folder {
    Folder::with(&[
        ("policies/s3.policy.hcl", POLICIES),
        ("policies/s3.policytest.hcl", TESTS),
        ("live/main.tf", MAIN),
    ])
}

#[test]
fn messages_that_inform_are_in_every_report() {
    let folder = folder();
    let said = "aws_s3_bucket.data: A bucket.";
    for (report, expected) in [
        ("json", format!("\"rule\": \"prefix\",\n      \"message\": \"{said}\"")),
        ("sarif", format!("\"text\": \"prefix: {said}\"")),
        ("github", format!("::notice title=prefix::{said}\n")),
        ("junit", format!("\nprefix: {said}\n")),
    ] {
        let (all, code) = ended(&folder, &["test", "--report", report]);
        assert!(code == 1 && all.contains(&expected), "{report}: {all}");
        let (all, _) = ended(&folder, &["test", "--report", report, "--quiet"]);
        assert!(!all.contains(said), "{report}: {all}");
    }
}

/// The output and the exit code.
fn ended(folder: &Folder, arguments: &[&str]) -> (String, i32) {
    let (_, code, all) = folder.ended(arguments);
    (all, code)
}

#[test]
fn policies_pass_fail_or_are_unknown() {
    let folder = folder();
    let (last, code, all) = folder.ended(&["test"]);
    // Two tests pass; `prefix` fails once, is unknown once and ignored once; `owner` fails once, and whether it applies is unknown once.
    assert_eq!((last.as_str(), code), ("2 passed, 2 failed, 2 unknown, 1 skipped", 1), "{all}");
    assert!(all.contains("error[prefix]: Policy prefix"), "{all}");
    assert!(all.contains("warning[owner]: Policy owner"), "{all}");
    assert!(all.contains("The name data does not begin with acme-."), "{all}");
    assert!(all.contains("`bucket` is not known because of var.env (it has no value)"), "{all}");
    assert!(all.contains("info: prefix: aws_s3_bucket.data: A bucket."), "{all}");
    let (last, code, all) = folder.ended(&["test", "policies"]);
    assert_eq!((last.as_str(), code), ("2 passed, 0 failed", 0), "{all}");
    let (last, code, all) = folder.ended(&["test", "--rules", "policies", "live", "--filter", "own*"]);
    assert_eq!((last.as_str(), code), ("0 passed, 1 failed, 1 unknown", 0), "{all}");
    let (_, code, all) = folder.ended(&["test", "live", "--rules", "policies", "--if-unknown", "fail"]);
    assert!(code == 1 && all.contains("error[policy-unknown]"), "{all}");
    let (_, _, all) = folder.ended(&["test", "live", "--rules", "policies", "--if-unknown", "pass"]);
    assert!(!all.contains("policy-unknown"), "{all}");
    let (_, code, all) = folder.ended(&["-q", "test", "live", "--rules", "policies"]);
    assert!(code == 1 && !all.contains("info:") && !all.contains("warning"), "{all}");
}

#[test]
fn inputs_are_parameters() {
    let folder = folder();
    let run = |param: &str| folder.ended(&["test", "--param", param, "live", "--rules", "policies"]);
    let (last, code, all) = run("prefix=da");
    assert_eq!((last.as_str(), code), ("1 passed, 1 failed, 2 unknown, 1 skipped", 0), "{all}");
    let (_, code, all) = run("prefx=da");
    assert!(code == 1 && all.contains("No rule has a parameter `prefx`"), "{all}");
    folder.write("policies/s3.policy.hcl", "input \"n\" {\n  type = number\n}\nresource_policy \"*\" \"p\" {\n  enforce {\n    condition = input.n == 1\n  }\n}\n");
    let (_, code, all) = run("n=1");
    assert!(code == 0 && all.contains("3 passed"), "{all}");
    let (_, code, all) = run("n=many");
    assert!(code == 1 && all.contains("The input `n` is wrong: a number is required."), "{all}");
}

#[test]
fn a_baseline_lists_findings_of_policies_once() {
    let folder = folder();
    let (_, code, all) =
        folder.ended(&["test", "live", "--rules", "policies", "--baseline", "b.json", "--update-baseline"]);
    assert_eq!(code, 0, "{all}");
    let (_, code, all) = folder.ended(&["test", "live", "--rules", "policies", "--baseline", "b.json"]);
    assert_eq!(code, 0, "{all}");
    folder.write("live/more.tf", "resource \"aws_s3_bucket\" \"more\" {\n  bucket = \"more\"\n}\n");
    let (_, code, all) = folder.ended(&["test", "live", "--rules", "policies", "--baseline", "b.json"]);
    assert!(code == 1 && all.contains("The name more does not begin"), "{all}");
}

#[test]
fn a_comment_that_ignores_nothing_is_reported() {
    let folder = folder();
    folder.write("live/main.tf", MAIN.replace("\"old\"\n}", "\"acme-old\"\n}"));
    let (_, _, all) = folder.ended(&["test", "live", "--rules", "policies"]);
    assert!(all.contains("The rule `prefix` finds nothing here. Remove the comment."), "{all}");
}

#[test]
fn findings_of_policies_are_in_all_reports() {
    let folder = folder();
    for (report, expected) in [
        ("json", "\"code\":\"prefix\""),
        ("sarif", "\"ruleId\":\"prefix\""),
        ("junit", "The name data does not begin with acme-."),
        ("github", "::error file=live/main.tf,line=4"),
    ] {
        let (_, code, all) = folder.ended(&["test", "live", "--rules", "policies", "--report", report]);
        let text: String = all.split_whitespace().collect::<Vec<_>>().join(" ").replace("\": ", "\":");
        assert!(code == 1 && text.contains(expected), "{report}: {all}");
        assert!(!all.contains("info: "), "{report}: {all}");
    }
}

#[test]
fn coverage_names_policies_that_match_nothing() {
    let folder = folder();
    folder.write(
        "policies/other.policy.hcl",
        "resource_policy \"google_x\" \"unused\" {\n  enforce {\n    condition = true\n  }\n}\n",
    );
    let (_, _, all) = folder.ended(&["test", "live", "--rules", "policies", "--coverage"]);
    assert!(all.contains("1 of 3 rules matched nothing: unused"), "{all}");
}

#[test]
fn targets_are_in_the_repository_of_the_test() {
    let policy = "resource_policy \"*\" \"p\" {\n  enforce {\n    condition = false\n  }\n}\n";
    let folder = Folder::with(&[
        ("own/.git/HEAD", ""),
        ("own/tests/a.policytest.hcl", ""),
        ("own/policies/a.policy.hcl", policy),
        ("other/secret.policy.hcl", policy),
    ]);
    let test = |target: &str| {
        let text = format!(
            "policytest {{\n  targets = [{target:?}]\n}}\nresource \"r\" \"x\" {{\n  expect_failure = true\n  attrs = {{ a = 1 }}\n}}\n"
        );
        folder.write("own/tests/a.policytest.hcl", text);
        folder.ended(&["test", "own/tests"])
    };
    for target in ["../policies/a.policy.hcl", "../policies"] {
        let (last, code, all) = test(target);
        assert_eq!((last.as_str(), code), ("1 passed, 0 failed", 0), "{target}: {all}");
    }
    for target in
        ["../../other/secret.policy.hcl", "/etc/a.policy.hcl", "../../other", "../policies/b.policy.hcl"]
    {
        let (_, code, all) = test(target);
        assert!(code == 1 && all.contains("does not match any file of policies"), "{target}: {all}");
    }
}

#[test]
fn other_commands_read_policies() {
    let folder = folder();
    let (last, code, all) = folder.ended(&["check", "policies"]);
    assert!(code == 0 && last.starts_with("Checked 2 files: no problems found"), "{all}");
    folder.hcl(&["fmt", "--check", "policies"]).success();
    folder.hcl(&["query", "resource_policy.aws_s3_bucket.prefix.enforce.condition", "policies"]).success();
}
