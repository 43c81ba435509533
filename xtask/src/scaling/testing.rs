//! The inputs of `hcl test`: rules and their tests, policies of Terraform and theirs, and runs of tests of Terraform.

use super::Task::{self, Test};
use super::inputs::{Row, SORTED, each, module};

/// Resources, each in some lines.
fn resources(size: usize) -> String {
    each(size, "", |at| {
        format!("resource \"a_b\" \"r{at}\" {{\n  name = \"x{at}\"\n  tags = {{ at = {at} }}\n}}\n")
    })
}

fn rules(size: usize, condition: &str) -> String {
    each(size, "", |at| {
        format!(
            "rule \"r{at}\" {{\n  match     = \"resource.a_b.*\"\n  condition = {condition}\n  message   = \"${{self.name}} {at}\"\n}}\n"
        )
    })
}

fn policies(size: usize, condition: &str) -> String {
    each(size, "", |at| {
        format!(
            "resource_policy \"a_b\" \"p{at}\" {{\n  enforce {{\n    condition     = {condition}\n    error_message = \"x {at}\"\n  }}\n}}\n"
        )
    })
}

/// A module whose tests can be run, and its tests.
fn tested(runs: String) -> Vec<(&'static str, String)> {
    let own = "variable \"x\" {\n  default = 1\n}\nresource \"terraform_data\" \"a\" {\n  input = var.x\n}\noutput \"y\" {\n  value = terraform_data.a.input\n}\n";
    vec![("main.tf", own.to_owned()), ("a.tftest.hcl", runs)]
}

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Row> {
    const TASKS: &[Task] = &[Test, Task::TestJson];
    const TRUE: &str = "self.name != \"\" && self.tags.at >= 0";
    const FALSE: &str = "self.name == \"\"";
    let assert = "  assert {\n    condition     = output.y != 0\n    error_message = \"m\"\n  }\n";
    vec![
        module("rules", 100, TASKS, |size| vec![("main.tf", resources(10)), ("a.rules.hcl", rules(size, TRUE))]),
        module("blocks that rules match", 200, TASKS, |size| vec![("main.tf", resources(size)), ("a.rules.hcl", rules(5, TRUE))]),
        module("findings of rules", 200, TASKS, |size| vec![("main.tf", resources(size)), ("a.rules.hcl", rules(5, FALSE))]),
        module("lines that no rule matches", 2_000, &[Test], |size| vec![("main.tf", each(size, "", |at| format!("resource \"c_d\" \"r{at}\" {{\n  name = \"x{at}\"\n}}\n"))), ("a.rules.hcl", rules(5, TRUE))]),
        module("instances that a rule sees", 1_000, TASKS, |size| vec![("main.tf", format!("resource \"a_b\" \"r\" {{\n  count = {size}\n  name  = \"x${{count.index}}\"\n  tags  = {{ at = count.index }}\n}}\n")), ("a.rules.hcl", rules(1, TRUE))]),
        module("instances that a rule finds", 1_000, TASKS, |size| vec![("main.tf", format!("resource \"a_b\" \"r\" {{\n  count = {size}\n  name  = \"x${{count.index}}\"\n}}\n")), ("a.rules.hcl", rules(1, FALSE))]),
        module("instances of a module that a rule sees", 100, &[Test], |size| vec![("m/main.tf", "variable \"x\" {\n}\nresource \"a_b\" \"r\" {\n  name = \"x${var.x}\"\n  tags = { at = var.x }\n}\n".to_owned()), ("main.tf", format!("module \"m\" {{\n  source = \"./m\"\n  count  = {size}\n  x      = count.index\n}}\n")), ("a.rules.hcl", rules(1, TRUE))]),
        module("files that a rule matches", 200, &[Test], |size| vec![("a.rules.hcl", rules(1, TRUE) + &each(size, "", |at| format!("test \"t{at}\" {{\n  expect = []\n  source = <<EOT\n{}EOT\n}}\n", resources(1))))]),
        module("rules with fixes", 200, TASKS, |size| vec![("main.tf", resources(size)), ("a.rules.hcl", format!("rule \"r\" {{\n  match     = \"resource.a_b.*\"\n  condition = {FALSE}\n  message   = \"m\"\n\n  fix {{\n    set = {{ name = \"\" }}\n  }}\n}}\n"))]),
        module("comments that ignore a rule", 500, TASKS, |size| vec![("main.tf", each(size, "", |at| format!("# hcl: ignore r0 reason\nresource \"a_b\" \"r{at}\" {{\n  name = \"x{at}\"\n}}\n"))), ("a.rules.hcl", rules(1, FALSE))]),
        module("references that rules follow", 200, &[Test], |size| vec![("main.tf", each(size, "", |at| format!("variable \"v{at}\" {{\n}}\nresource \"a_b\" \"r{at}\" {{\n  name = var.v{at}\n}}\n"))), ("a.rules.hcl", "rule \"r\" {\n  match     = [\"variable.*\", \"resource.*.*\"]\n  condition = length(item.references) + length(item.used_by) > 0\n  message   = \"m\"\n}\n".to_owned())]),
        module("policies", 100, TASKS, |size| vec![("main.tf", resources(10)), ("a.policy.hcl", policies(size, "attrs.name != \"\""))]),
        module("resources that policies see", 200, TASKS, |size| vec![("main.tf", resources(size)), ("a.policy.hcl", policies(5, "attrs.name != \"\""))]),
        module("findings of policies", 200, TASKS, |size| vec![("main.tf", resources(size)), ("a.policy.hcl", policies(5, "attrs.name == \"\""))]),
        module("tests of policies", 200, TASKS, |size| vec![("a.policy.hcl", policies(2, "attrs.name != \"\"")), ("a.policytest.hcl", each(size, "", |at| format!("resource \"a_b\" \"t{at}\" {{\n  attrs = {{ name = \"x{at}\" }}\n}}\n")))]),
        module("runs", 100, TASKS, move |size| tested(each(size, "", |at| format!("run \"r{at}\" {{\n  command = plan\n{assert}}}\n")))),
        module("runs that refer to the ones before them", 50, &[Test], move |size| tested(format!("run \"r0\" {{\n}}\n{}", each(size, "", |at| format!("run \"r{}\" {{\n  variables {{\n    x = run.r{at}.y\n  }}\n{assert}}}\n", at + 1))))),
        module("assertions of a run", 500, TASKS, move |size| tested(format!("run \"r\" {{\n  command = plan\n{}}}\n", assert.repeat(size)))),
        module("assertions that fail", 500, TASKS, |size| tested(format!("run \"r\" {{\n  command = plan\n{}}}\n", "  assert {\n    condition     = output.y == 0\n    error_message = \"m\"\n  }\n".repeat(size)))),
        module("instances in a run", 1_000, &[Test], |size| vec![("main.tf", format!("resource \"terraform_data\" \"a\" {{\n  count = {size}\n  input = count.index\n}}\n")), ("a.tftest.hcl", "run \"r\" {\n  assert {\n    condition     = terraform_data.a[0].output == 0\n    error_message = \"m\"\n  }\n}\n".to_owned())]),
        module("overrides of a run", 100, &[Test], move |size| tested(format!("run \"r\" {{\n{}{assert}}}\n", each(size, "", |at| format!("  override_resource {{\n    target = terraform_data.b{at}\n    values = {{ id = \"x\" }}\n  }}\n"))))).most(SORTED),
    ]
}
