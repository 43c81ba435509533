//! `hcl refs` and `hcl rename` in files with tests of Terraform.

use snapbox::str;

use crate::program::Folder;

const MAIN: &str = r#"variable "region" {}

output "id" {
  value = var.region
}

resource "disk" "web" {}
"#;

const RUNS: &str = r#"variables {
  region = "eu"
}

mock_provider "aws" {
  alias = "fake"
}

# Another module, with names of its own.
run "setup" {
  module {
    source = "./net"
  }
  variables {
    region = var.region
  }
  assert {
    condition     = var.region == output.id
    error_message = "not ${run.main.id}"
  }
}

run "main" {
  variables {
    region = run.setup.id
  }
  providers = {
    aws = aws.fake
  }
  expect_failures = [var.region, output.id]
  plan_options {
    target = [disk.web]
  }
  assert {
    condition     = var.region == output.id && run.setup.id != "" && disk.web.id != null
    error_message = "not ${run["main"].id}"
  }
}
"#;

const JSON: &str = r#"{
  "run": {
    "main": {
      "variables": {"region": "us"},
      "expect_failures": ["var.region"],
      "assert": {"condition": "${var.region == output.id}", "error_message": "x"}
    },
    "other": {
      "module": {"source": "./net"},
      "variables": {"region": "${var.region}${run.main.id}"},
      "assert": {"condition": "${var.region == output.id}", "error_message": "x"}
    }
  }
}
"#;

fn module() -> Folder {
    Folder::with(&[
        ("main.tf", MAIN),
        ("tests/a.tftest.hcl", RUNS),
        ("tests/main.tf", "x = var.region\n"),
        ("b.tftest.json", JSON),
    ])
}

#[test]
fn names_in_runs_are_those_of_the_module_that_is_tested() {
    let folder = module();
    folder.hcl(&["refs", "var.region"]).success().stdout_eq(str![[r#"
b.tftest.json:4:21: run.main.variables.region (declaration)
b.tftest.json:5:28: run.main.expect_failures[0]
b.tftest.json:6:34: run.main.assert.condition
b.tftest.json:10:34: run.other.variables.region
main.tf:1:10: variable.region (declaration)
main.tf:4:11: output.id.value
tests/a.tftest.hcl:2:3: variables.region (declaration)
tests/a.tftest.hcl:15:14: run.setup.variables.region
tests/a.tftest.hcl:25:5: run.main.variables.region (declaration)
tests/a.tftest.hcl:30:22: run.main.expect_failures[0]
tests/a.tftest.hcl:35:21: run.main.assert.condition

"#]]);
    folder.hcl(&["refs", "disk.web"]).success().stdout_eq(str![[r#"
main.tf:7:17: resource.disk.web (declaration)
tests/a.tftest.hcl:32:15: run.main.plan_options.target[0]
tests/a.tftest.hcl:35:70: run.main.assert.condition

"#]]);
    folder.hcl(&["refs", "aws.fake"]).success().stdout_eq(str![[r#"
tests/a.tftest.hcl:6:11: mock_provider.aws.alias (declaration)
tests/a.tftest.hcl:28:11: run.main.providers.aws

"#]]);
    folder.hcl(&["refs", "--recursive", "var.region"]).success().stdout_eq(str![[r#"
...
tests/main.tf:1:5: x

"#]]);
}

#[test]
fn outputs_of_runs_are_outputs_of_the_module_that_they_test() {
    let folder = module();
    folder.hcl(&["rename", "-w", "output.id", "key"]).success().stderr_eq("");
    assert_eq!(folder.read("main.tf"), MAIN.replace("output \"id\"", "output \"key\""));
    assert_eq!(
        folder.read("tests/a.tftest.hcl"),
        RUNS.replace("run.main.id", "run.main.key")
            .replace("[\"main\"].id", "[\"main\"].key")
            .replace("[var.region, output.id]", "[var.region, output.key]")
            .replace("output.id &&", "output.key &&")
    );
    assert_eq!(
        folder.read("b.tftest.json"),
        JSON.replace("run.main.id", "run.main.key").replacen("output.id", "output.key", 1)
    );
}

#[test]
fn runs_and_their_variables_are_renamed() {
    let folder = module();
    folder.hcl(&["rename", "-w", "run.main", "first"]).success().stderr_eq("");
    assert_eq!(
        folder.read("tests/a.tftest.hcl"),
        RUNS.replace("run \"main\"", "run \"first\"")
            .replace("run.main", "run.first")
            .replace("run[\"main\"]", "run[\"first\"]")
    );
    folder.hcl(&["rename", "-w", "var.region", "zone"]).success().stderr_eq("");
    let runs = folder.read("tests/a.tftest.hcl");
    assert!(runs.contains("    region = var.zone\n"), "{runs}");
    assert!(runs.contains("    zone = run.setup.id\n"), "{runs}");
    assert!(runs.contains("condition     = var.region == output.id\n"), "{runs}");
    assert_eq!(folder.read("tests/main.tf"), "x = var.region\n");
}
