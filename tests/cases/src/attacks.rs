//! Random rules, policies and tests that try to show what the module that they are about hides.

use std::fmt::Write as _;

use crate::secrets::Module;

/// Chooses a number below its argument.
type Pick<'p> = dyn FnMut(usize) -> usize + 'p;

fn one<'t>(all: &[&'t str], pick: &mut Pick<'_>) -> &'t str {
    all[pick(all.len())]
}

/// A text with what an expression has.
fn revealed(expression: &str, pick: &mut Pick<'_>) -> String {
    let form = one(
        &[
            "jsonencode(X)",
            "jsonencode(X)",
            "try(tostring(X), \"none\")",
            "try(join(\",\", X), \"none\")",
            "try(join(\",\", keys(X)), \"none\")",
            "upper(jsonencode(X))",
            "try(format(\"%v\", X), \"none\")",
            "jsonencode([for own in [X] : own])",
            "try(join(\",\", [for name, own in X : \"${name}=${jsonencode(own)}\"]), \"none\")",
            "join(\"\", [for own in range(0, 3000) : substr(jsonencode(X), own, 1)])",
            "jsonencode(try(nonsensitive(X), X))",
            "yamlencode(X)",
        ],
        pick,
    );
    form.replace('X', expression)
}

/// A condition that is mostly not met, or an error.
fn condition(expression: &str, pick: &mut Pick<'_>) -> String {
    let form = one(
        &[
            "X == null",
            "jsonencode(X) == \"\"",
            "tonumber(\"x${jsonencode(X)}\") == 1",
            "tonumber(X) == 1",
            "!can(regex(\"c\", jsonencode(X)))",
            "length(regex(jsonencode(X), \"a\")) == 1",
            "alltrue([for own in [X] : own == 1])",
            "try(X.a, X) == \"x\"",
            "{ a = 1 }[jsonencode(X)] == 1",
            "lookup({ a = 1 }, jsonencode(X)) == 1",
            "tobool(X)",
            "startswith(jsonencode(X), \"never\")",
        ],
        pick,
    );
    form.replace('X', expression)
}

/// A file of rules.
pub fn rules(pick: &mut Pick<'_>) -> String {
    let mut text = String::new();
    for at in 0..6 {
        let matched = one(
            &[
                "variable.*",
                "variable.*.default",
                "variable.*.type",
                "locals",
                "locals.*",
                "output.*",
                "output.*.value",
                "module.*",
                "module.*.*",
                "resource.*.*",
                "resource.*.*.*",
                "local.*",
                "local.*.expression",
                "source.*.*",
                "build",
                "build.provisioner.*.*",
                "*",
                "*.*",
            ],
            pick,
        );
        let names = ["self", "self", "self", "parent", "module", "item"];
        let (seen, shown) = (one(&names, pick), one(&names, pick));
        let _ = write!(
            text,
            "rule \"r{at}\" {{\n  match     = \"{matched}\"\n  condition = {}\n  message   = \"${{{}}} ${{item.address}}\"\n",
            condition(seen, pick),
            revealed(shown, pick),
        );
        if pick(3) == 0 {
            let _ = writeln!(text, "  where     = !({})", condition(one(&names, pick), pick));
        }
        if pick(3) == 0 {
            let _ = writeln!(
                text,
                "  fix {{\n    title = {}\n    set   = {{ leaked = {} }}\n  }}",
                revealed("self", pick),
                revealed(one(&names, pick), pick),
            );
        }
        text.push_str("}\n");
    }
    text
}

/// A file of policies of Terraform.
pub fn policies(pick: &mut Pick<'_>) -> String {
    let mut text = String::new();
    for at in 0..4 {
        let (kind, of) = if pick(2) == 0 { ("resource_policy", "*") } else { ("module_policy", "*") };
        let names = ["attrs", "attrs", "attrs", "meta", "local.all"];
        let core = |text: String| {
            let calls =
                ["jsonencode", "try", "tostring", "join", "keys", "upper", "format", "range", "substr"];
            let more = [
                "can",
                "regex",
                "length",
                "tonumber",
                "tobool",
                "alltrue",
                "lookup",
                "startswith",
                "yamlencode",
            ];
            calls.iter().chain(&more).chain(&["nonsensitive"]).fold(text, |text, name| {
                text.replace(&format!("{name}("), &format!("core::{name}("))
                    .replace(&format!("core::core::{name}("), &format!("core::{name}("))
            })
        };
        let (seen, shown) = (one(&names, pick), one(&names, pick));
        let (condition, message) = (core(condition(seen, pick)), core(revealed(shown, pick)));
        let _ = write!(
            text,
            "{kind} \"{of}\" \"p{at}\" {{\n  locals {{\n    all = core::try(core::getresources(\"terraform_data\", {{}}), attrs)\n  }}\n  enforce {{\n    condition     = {condition}\n    error_message = \"${{{message}}}\"\n    info_message  = \"${{{message}}}\"\n  }}\n}}\n",
        );
    }
    text
}

/// Test files for a module of Terraform, each of which could end with an error.
pub fn tests(module: &Module, pick: &mut Pick<'_>) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for at in 0..6 {
        let references = &module.references;
        let mut reference = || references[pick(references.len())].clone();
        let (seen, shown, set) = (reference(), reference(), reference());
        let command = if pick(2) == 0 { "  command = plan\n" } else { "" };
        let assertion = format!(
            "  assert {{\n    condition     = {}\n    error_message = {}\n  }}\n",
            condition(&seen, pick),
            revealed(&shown, pick)
        );
        let own = match pick(6) {
            0 => format!(
                "run \"a\" {{\n}}\nrun \"b\" {{\n{command}  variables {{\n    plain = {}\n  }}\n{}}}\n",
                revealed("run.a.o", pick),
                assertion.replace(&seen, "var.plain").replace(&shown, "var.plain")
            ),
            1 => format!(
                "run \"a\" {{\n{command}  module {{\n    source = \"./m\"\n  }}\n  variables {{\n    token = {set}\n  }}\n{}}}\n",
                assertion.replace(&seen, "output.q").replace(&shown, "output.p")
            ),
            2 => format!("run \"a\" {{\n{command}  expect_failures = [terraform_data.x]\n{assertion}}}\n"),
            3 => format!(
                "variables {{\n  plain = {set}\n}}\nrun \"a\" {{\n{command}{}}}\n",
                assertion.replace(&shown, "var.plain")
            ),
            4 => format!(
                "run \"a\" {{\n{command}  override_resource {{\n    target = terraform_data.x\n    values = {{ output = {set} }}\n  }}\n{assertion}}}\n"
            ),
            _ => format!("run \"a\" {{\n{command}{assertion}}}\n"),
        };
        files.push((format!("a{at}.tftest.hcl"), own));
    }
    files
}
