//! Units of Terragrunt: the errors of their checks, and their values.

use hclkit::Span;

use super::{Case, case};

const ROOT: &str = "locals {\n  name = upper(\"shop\")\n}\ninputs = {\n  region = \"eu\"\n}\n";

const INCLUDE: &str =
    "include \"root\" {\n  path   = find_in_parent_folders(\"root.hcl\")\n  expose = true\n}\n";

const VPC: &str = "dependency \"vpc\" {\n  config_path  = \"../vpc\"\n  mock_outputs = { id = \"vpc-mock\", zones = [\"a\"] }\n}\n";

/// A unit with files around it.
fn unit(text: &str) -> Case {
    case(&[
        (".git/config", ""),
        ("root.hcl", ROOT),
        ("vpc/terragrunt.hcl", INCLUDE),
        ("modules/app/main.tf", "variable \"region\" {}\nvariable \"size\" {\n  type = number\n}\n"),
        ("app/terragrunt.hcl", text),
    ])
}

#[test]
fn a_unit_has_the_errors_of_its_check() {
    let found = |text: &str| unit(&format!("{INCLUDE}{text}‸")).codes();
    let module = "terraform {\n  source = \"../modules//app\"\n}\n";
    assert_eq!(found(&format!("{module}inputs = {{\n  size = 1\n}}\n")), [] as [&str; 0]);
    assert_eq!(found(module), ["missing-input"]);
    assert_eq!(found(&format!("{module}inputs = {{\n  size = []\n}}\n")), ["invalid-attribute-value"]);
    assert_eq!(found(&format!("{module}inputs = {{\n  size = 1\n  other = 2\n}}\n")), ["unsupported-input"]);
    assert_eq!(found("inputs = {\n  a = local.b\n}\n"), ["unknown-variable"]);
    assert_eq!(found("dependency \"db\" {\n  config_path = \"../db\"\n}\n"), ["unreadable-file"]);
    // What the environment says is unknown.
    assert_eq!(found("locals {\n  a = get_env(\"A\")\n}\n"), [] as [&str; 0]);
}

#[test]
fn units_that_depend_on_each_other_are_errors() {
    let to = |other: &str| format!("dependency \"o\" {{\n  config_path = \"../{other}\"\n}}\n");
    let found = case(&[
        ("a/terragrunt.hcl", &format!("{}‸", to("b"))),
        ("b/terragrunt.hcl", &to("c")),
        ("c/terragrunt.hcl", &to("a")),
    ]);
    assert_eq!(found.codes(), ["reference-cycle"]);
}

/// An error in a file that units include is that of their evaluation.
#[test]
fn included_files_have_the_errors_of_units() {
    for (root, include) in [("root.hcl", "\"root.hcl\""), ("terragrunt.hcl", "")] {
        let unit = format!("include {{\n  path = find_in_parent_folders({include})\n}}\n");
        let found = |text: &str| {
            case(&[(root, &format!("{text}‸")), ("app/terragrunt.hcl", &unit), ("z.hcl", "{")]).codes()
        };
        assert_eq!(found("inputs = {\n  a = local.missing\n}\n"), ["unknown-variable"], "{root}");
        assert_eq!(found("locals {\n  a = 1\n}\ninputs = {\n  a = local.a\n}\n"), [] as [&str; 0], "{root}");
    }
    // A file that no unit names is only parsed.
    let alone =
        case(&[("other.hcl", "inputs = {\n  a = local.missing\n}\n‸"), ("app/terragrunt.hcl", INCLUDE)]);
    assert_eq!(alone.codes(), [] as [&str; 0]);
}

#[test]
fn values_of_units_are_shown() {
    let hover = |text: &str| unit(&format!("{INCLUDE}{VPC}{text}")).hover();
    let shown = hover("locals {\n  zone = lower(\"A\")\n}\ninputs = {\n  a = local.zo‸ne\n}\n");
    assert!(shown.contains("local.zone") && shown.contains("\"a\""), "{shown}");
    let shown = hover("inputs = {\n  a = dependency.vpc.outputs.i‸d\n}\n");
    assert!(shown.contains("\"vpc-mock\""), "{shown}");
    let shown = hover("inputs = {\n  a = include.root.locals.na‸me\n}\n");
    assert!(shown.contains("\"SHOP\""), "{shown}");
    // A value with errors, and one that only the environment has, are not shown.
    let shown = hover("locals {\n  x = local.missing\n  y = local.‸x\n}\n");
    assert!(shown.contains("local.x") && !shown.contains("= "), "{shown}");
}

#[test]
fn values_of_units_are_hints() {
    let text = format!(
        "{VPC}feature \"size\" {{\n  default = 3\n}}\nlocals {{\n  a = upper(\"x\")\n  b = 1\n  c = dependency.vpc.outputs.id\n  d = get_env(\"TOKEN\")\n}}\n"
    );
    let found = unit(&format!("{text}‸"));
    let hints = found.snapshot.inlay_hints(&found.path, Span::new(0, text.len() as u32));
    let labels: Vec<&str> = hints.iter().map(|hint| hint.label.as_str()).collect();
    assert_eq!(labels, ["= \"X\""], "local values cannot use dependencies");
}

#[test]
fn attributes_of_values_are_completed() {
    let labels = |text: &str| unit(&format!("{INCLUDE}{VPC}{text}")).labels();
    assert_eq!(labels("inputs = {\n  a = dependency.vpc.outputs.‸\n}\n"), ["id", "zones"]);
    assert_eq!(labels("inputs = {\n  a = include.root.locals.‸\n}\n"), ["name"]);
    assert_eq!(labels("locals {\n  m = { one = 1 }\n  a = local.m.‸\n}\n"), ["one"]);
}
