//! Warnings about declarations that nothing refers to.

use std::sync::Arc;

use hclkit_module::{Dialect, Memory, ModuleLoader};

/// The addresses that a check of a directory calls unused.
fn unused(files: &[(&str, &str)], is_called: bool) -> Vec<String> {
    unused_in(Dialect::terraform(), files, is_called)
}

fn unused_in(language: Arc<Dialect>, files: &[(&str, &str)], is_called: bool) -> Vec<String> {
    let files: Memory = files.iter().copied().collect();
    let module = ModuleLoader::new(language).with_files(files).with_called(is_called).load();
    let found = module.check();
    assert!(!found.has_errors(), "{found}");
    let notes = found.iter().filter_map(|found| {
        Some(
            found
                .note()
                .strip_prefix("Nothing in this directory refers to `")?
                .trim_end_matches("`.")
                .to_owned(),
        )
    });
    notes.collect()
}

#[test]
fn variables_that_a_call_sets_are_not_reported() {
    let child = "variable \"set\" {\n}\nvariable \"unset\" {\n  default = 1\n}\nlocals {\n  a = 1\n}\n";
    let main = "module \"m\" {\n  source = \"./m\"\n  set = 1\n}\nmodule \"n\" {\n  source = \"./m\"\n  set = 2\n}\n";
    assert_eq!(unused(&[("main.tf", main), ("m/main.tf", child)], false), ["var.unset", "local.a"]);
    // Alone, it is not known what calls set.
    assert_eq!(unused(&[("main.tf", child)], true), ["local.a"]);
    assert_eq!(unused(&[("main.tf", "variable \"x\" {\n}\n")], false), ["var.x"]);
}

/// They are kept for the message of their validation.
#[test]
fn variables_that_must_be_null_are_not_reported() {
    let with = |condition: &str| {
        let main = format!(
            "variable \"old\" {{\n  type = list(string)\n  default = null\n  validation {{\n    condition = {condition}\n    \
             error_message = \"Use `new`.\"\n  }}\n}}\n"
        );
        unused(&[("main.tf", &main)], false)
    };
    for condition in ["var.old == null", "null == var.old", "var.old == null ? true : false"] {
        assert_eq!(with(condition), [""; 0], "{condition}");
    }
    for condition in ["var.old == null || var.old[0] == \"a\"", "var.old == null || var.old != null"] {
        assert_eq!(with(condition), ["var.old"], "{condition}");
    }
}

#[test]
fn variables_that_validations_of_others_use_are_not_reported() {
    let main = "variable \"least\" {\n  default = 1\n}\nvariable \"n\" {\n  default = 2\n  validation {\n    condition = \
                var.n >= var.least\n    error_message = \"No.\"\n  }\n}\n";
    assert_eq!(unused(&[("main.tf", main)], false), ["var.n"]);
}

/// OpenTofu evaluates all of these, and a check none.
#[test]
fn variables_in_settings_are_not_reported() {
    let main = r#"variable "path" {}
variable "passphrase" {}
variable "keep" {}
variable "region" {}
variable "zone" {}
variable "unused" {}
locals {
  hidden = var.passphrase
}
terraform {
  backend "local" {
    path = var.path
  }
  encryption {
    key_provider "pbkdf2" "mine" {
      passphrase = local.hidden
    }
  }
}
provider "aws" {
  for_each = { a = "eu-west-1" }
  alias    = "by_region"
  region   = each.value
}
resource "aws_x" "y" {
  provider = aws.by_region[var.region]
  lifecycle {
    prevent_destroy = var.keep
  }
}
module "m" {
  source    = "./m"
  providers = { aws = aws.by_region[var.zone] }
}
"#;
    let child = "terraform {\n  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n  }\n}\n";
    let files = [("main.tf", main), ("m/main.tf", child)];
    assert_eq!(unused_in(Dialect::opentofu(), &files, false), ["var.unused"]);
    let json = r#"{"variable": {"path": {}, "unused": {}}, "terraform": {"backend": {"local": {"path": "${var.path}"}}}}"#;
    assert_eq!(unused_in(Dialect::opentofu(), &[("main.tf.json", json)], false), ["var.unused"]);
}
