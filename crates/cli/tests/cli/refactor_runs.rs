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
    folder.hcl(&["rename", "-w", "output.id", "key"]).success().stderr_eq("note: [..]\n");
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
    folder.hcl(&["rename", "-w", "var.region", "zone"]).success().stderr_eq("note: [..]\n");
    let runs = folder.read("tests/a.tftest.hcl");
    assert!(runs.contains("    region = var.zone\n"), "{runs}");
    assert!(runs.contains("    zone = run.setup.id\n"), "{runs}");
    assert!(runs.contains("condition     = var.region == output.id\n"), "{runs}");
    assert_eq!(folder.read("tests/main.tf"), "x = var.region\n");
}

const CALLERS: &str = r#"run "setup" {
  module {
    source = "./net"
  }
  variables {
    region = var.region
  }
  expect_failures = [var.region]
  assert {
    condition     = var.region == output.id && disk.web.id != null
    error_message = "not ${var.region}"
  }
}

run "main" {
  variables {
    region = run.setup.id
  }
  assert {
    condition     = run.setup["id"] == var.region && disk.web.id == output.id
    error_message = "no"
  }
}
"#;

/// `run` blocks with a `module` block call another module, from the directory of the module with the tests.
#[test]
fn runs_that_test_another_module_are_callers() {
    let folder = Folder::with(&[
        ("main.tf", "variable \"region\" {}\n"),
        ("net/main.tf", MAIN),
        ("tests/main.tftest.hcl", CALLERS),
        (
            "tests/other.tftest.json",
            r#"{"run": {"a": {"module": {"source": "./net"}, "variables": {"region": 1}}}}"#,
        ),
    ]);
    folder.hcl(&["rename", "var.region", "location", "net"]).success().stdout_eq(str![[r#"
--- a/net/main.tf
+++ b/net/main.tf
@@ -1,7 +1,7 @@
-variable "region" {}
+variable "location" {}
 
 output "id" {
-  value = var.region
+  value = var.location
 }
 
 resource "disk" "web" {}
--- a/tests/main.tftest.hcl
+++ b/tests/main.tftest.hcl
@@ -3,12 +3,12 @@
     source = "./net"
   }
   variables {
-    region = var.region
+    location = var.region
   }
-  expect_failures = [var.region]
+  expect_failures = [var.location]
   assert {
-    condition     = var.region == output.id && disk.web.id != null
-    error_message = "not ${var.region}"
+    condition     = var.location == output.id && disk.web.id != null
+    error_message = "not ${var.location}"
   }
 }
 
--- a/tests/other.tftest.json
+++ b/tests/other.tftest.json
@@ -1 +1 @@
-{"run": {"a": {"module": {"source": "./net"}, "variables": {"region": 1}}}}
\ No newline at end of file
+{"run": {"a": {"module": {"source": "./net"}, "variables": {"location": 1}}}}
\ No newline at end of file

"#]]);
    folder.hcl(&["rename", "output.id", "key", "net"]).success().stdout_eq(str![[r#"
--- a/net/main.tf
+++ b/net/main.tf
@@ -1,6 +1,6 @@
 variable "region" {}
 
-output "id" {
+output "key" {
   value = var.region
 }
 
--- a/tests/main.tftest.hcl
+++ b/tests/main.tftest.hcl
@@ -7,17 +7,17 @@
   }
   expect_failures = [var.region]
   assert {
-    condition     = var.region == output.id && disk.web.id != null
+    condition     = var.region == output.key && disk.web.id != null
     error_message = "not ${var.region}"
   }
 }
 
 run "main" {
   variables {
-    region = run.setup.id
+    region = run.setup.key
   }
   assert {
-    condition     = run.setup["id"] == var.region && disk.web.id == output.id
+    condition     = run.setup["key"] == var.region && disk.web.id == output.id
     error_message = "no"
   }
 }

"#]]);
    folder.hcl(&["rename", "disk.web", "api", "net"]).success().stdout_eq(str![[r#"
--- a/net/main.tf
+++ b/net/main.tf
@@ -4,4 +4,9 @@
   value = var.region
 }
 
-resource "disk" "web" {}
+resource "disk" "api" {}
+
+moved {
+  from = disk.web
+  to   = disk.api
+}
--- a/tests/main.tftest.hcl
+++ b/tests/main.tftest.hcl
@@ -7,7 +7,7 @@
   }
   expect_failures = [var.region]
   assert {
-    condition     = var.region == output.id && disk.web.id != null
+    condition     = var.region == output.id && disk.api.id != null
     error_message = "not ${var.region}"
   }
 }

"#]]);
    let taken = [
        ("net/main.tf", MAIN),
        (
            "a.tftest.hcl",
            "run \"a\" {\n  module {\n    source = \"./net\"\n  }\n  variables {\n    region = 1\n    location = 2\n  }\n}\n",
        ),
    ];
    Folder::with(&taken)
        .hcl(&["rename", "var.region", "location", "net"])
        .code(2)
        .stderr_eq("note: [..]\nerror: `run.a.variables.location` already exists, at a.tftest.hcl:7\n");
}
