//! The JSON Schema of the variables of a module: whatever a module accepts, its schema accepts, and values of a wrong type are
//! refused by both.

use hclkit::dialect::Dialect;
use hclkit::functions::{Grants, Library};
use hclkit::module::{Memory, ModuleLoader};
use hclkit::schema::{inputs_schema, inputs_template};
use serde_json::Value;

/// Types and conditions of variables, from which random modules are made.
const TYPES: [&str; 10] = [
    "string",
    "number",
    "bool",
    "list(string)",
    "set(number)",
    "map(bool)",
    "tuple([string, number])",
    "object({ a = string, b = optional(number) })",
    "list(object({ a = optional(bool, true) }))",
    "any",
];

const CONDITIONS: [&str; 12] = [
    "contains([\"a\", \"5\", \"true\"], var.x)",
    "contains([1, 2.5], var.x)",
    "length(var.x) > 1",
    "length(var.x) == 2",
    "var.x == null || length(var.x) < 2",
    "can(regex(\"^[a-c]+$\", var.x))",
    "can(regex(\"(?i)^A\", var.x))",
    "var.x >= 2 && var.x < 6",
    "var.x != \"\"",
    "var.x == \"a\" || var.x == \"5\"",
    "startswith(var.x, \"a\")",
    "var.x == var.x",
];

const VALUES: [&str; 24] = [
    "null",
    "true",
    "false",
    "0",
    "1",
    "2",
    "2.5",
    "5",
    "-1",
    "\"\"",
    "\"a\"",
    "\"abc\"",
    "\"5\"",
    "\"true\"",
    "\"1e1\"",
    "\"A\"",
    "[]",
    "[\"a\"]",
    "[1, 1]",
    "[\"a\", 5]",
    "{}",
    "{\"a\": \"b\"}",
    "{\"a\": true, \"b\": 1}",
    "[{\"a\": false}, {}]",
];

/// Whatever a module accepts, its schema accepts. Values of a wrong type are refused by both.
#[test]
fn a_schema_accepts_what_its_module_accepts() {
    let (mut accepted, mut refused) = (0, 0);
    for ty in TYPES {
        for (at, condition) in CONDITIONS.iter().enumerate() {
            // All conditions with one type of a kind each, and without a condition all values.
            let nullable = at % 2 == 0;
            let module = format!(
                "variable \"x\" {{\n  type     = {ty}\n  nullable = {nullable}\n  validation {{\n    condition     = {condition}\n    \
                 error_message = \"Wrong.\"\n  }}\n}}\noutput \"x\" {{\n  value = var.x\n}}\n"
            );
            let memory = Memory::from_iter([("main.tf", module.as_str())]);
            let loader = ModuleLoader::new(Dialect::terraform())
                .with_files(memory)
                .with_functions(Library::Terraform.functions(&Grants::new()));
            let schema = inputs_schema(&loader.summary(false), "x", true);
            let mut schemas = boon::Schemas::new();
            let mut compiler = boon::Compiler::new();
            compiler.add_resource("schema.json", schema.clone()).unwrap();
            let index = compiler.compile("schema.json", &mut schemas).unwrap();
            for value in VALUES {
                let input = format!("{{\"x\": {value}}}");
                let module = loader.clone().with_variables("in.tfvars.json", input.as_bytes()).load();
                let found = module.evaluate(&["output.x".parse().unwrap(), "var.x".parse().unwrap()]);
                let takes = !found.diagnostics.has_errors() && !module.check_variables().has_errors();
                let instance: Value = serde_json::from_str(&input).unwrap();
                let is_valid = schemas.validate(&instance, index).is_ok();
                assert!(is_valid || !takes, "{ty} with {condition} accepts {value}:\n{schema:#}");
                accepted += usize::from(takes);
                refused += usize::from(!is_valid);
                if *condition == "var.x == var.x" && !takes && value != "null" {
                    assert!(!is_valid, "{ty} refuses {value}:\n{schema:#}");
                }
            }
        }
    }
    assert!(accepted > 200 && refused > 1_000, "{accepted} {refused}");
}

/// A template sets what must be set, with a value of the type. Without the comment signs, it also sets the others, to their defaults.
#[test]
fn a_template_of_inputs_can_be_read() {
    let defaults = [
        "",
        "null",
        "0",
        "\"a\\nb\\n\"",
        "\"$${x} %%{ \\u0007\"",
        "[\"a\", 1]",
        "{ a = \"x\", \"b c\" = 2 }",
    ];
    let mut written = 0;
    for ty in TYPES {
        for default in defaults {
            for more in [
                "",
                "  nullable = false\n",
                "  sensitive = true\n",
                "  description = \"One.\\n\\n\\rTwo\\u2028 */ .\"\n",
            ] {
                let default =
                    if default.is_empty() { String::new() } else { format!("  default = {default}\n") };
                let module =
                    format!("variable \"x\" {{\n  type = {ty}\n{default}{more}}}\nvariable \"y\" {{\n}}\n");
                let memory = Memory::from_iter([("main.tf", module.as_str())]);
                let loader = ModuleLoader::new(Dialect::terraform()).with_files(memory);
                let summary = loader.summary(false);
                if summary.diagnostics.has_errors() {
                    continue;
                }
                let template = inputs_template(&summary);
                let read = |text: &str| {
                    let module = loader.clone().with_variables("in.tfvars", text.as_bytes()).load();
                    let (found, variables) = module.check_inputs();
                    assert!(found.is_empty() && variables == 2, "{module:?} {text}: {found}");
                    module.evaluate(&["var.x".parse().unwrap()]).values[0].value.clone()
                };
                let usual = read(&template);
                // Comments of settings begin with the name.
                let mut is_value = false;
                let all: Vec<&str> = template
                    .lines()
                    .map(|line| {
                        is_value = (is_value || line.starts_with("# x = ")) && line.starts_with('#');
                        if is_value { line.strip_prefix("# ").unwrap_or("") } else { line }
                    })
                    .collect();
                let set = read(&(all.join("\n") + "\n"));
                if !default.is_empty() && !more.contains("sensitive") {
                    assert_eq!(usual, set, "{template}");
                    written += 1;
                }
            }
        }
    }
    assert!(written > 50, "{written}");
}
