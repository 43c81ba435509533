//! What `check` reports as an error is what `terraform validate` reports; what only a plan reports is a warning.

use hclkit_module::{Dialect, Memory, ModuleLoader};
use hclkit_syntax::Diagnostics;

/// Checks a module that calls another one as `m`.
fn check(arguments: &str, called: &str) -> Diagnostics {
    let main = format!("module \"m\" {{\n  source = \"./m\"\n{arguments}\n}}\n");
    let files = Memory::from_iter([("main.tf", main.as_str()), ("m/main.tf", called)]);
    ModuleLoader::new(Dialect::terraform()).with_files(files).with_functions(functions()).load().check()
}

/// Functions of Terraform whose arguments must not be null or empty.
fn functions() -> [hclkit_value::Function; 3] {
    use hclkit_value::{Error, Function};
    [
        Function::typed("lower", |text: String| text.to_lowercase()),
        Function::typed("length", |list: Vec<hclkit_value::Value>| list.len() as u64),
        Function::typed("first", |list: Vec<hclkit_value::Value>| {
            list.into_iter().next().ok_or_else(|| Error::new("the list is empty"))
        }),
    ]
}

fn errors(found: &Diagnostics) -> Vec<String> {
    found.iter().filter(|found| found.is_error()).map(ToString::to_string).collect()
}

#[test]
fn blocks_without_instances_are_checked_with_nothing_known() {
    let create = "variable \"create\" {\n  default = true\n}\n";
    for (arguments, called) in [
        // References to other blocks without instances.
        (
            "  create = false",
            "resource \"aws_a\" \"x\" {\n  count = var.create ? 1 : 0\n}\nresource \"aws_a\" \"y\" {\n  \
             count = var.create ? 1 : 0\n  subnet = aws_a.x[0].id\n}\n",
        ),
        // Attributes of null.
        (
            "  lock = null",
            "variable \"lock\" {\n  type = object({ kind = string })\n}\nresource \"aws_a\" \"x\" {\n  \
             count = var.lock != null ? 1 : 0\n  kind = var.lock.kind\n}\n",
        ),
        // A loop over null.
        (
            "  create = false",
            "variable \"names\" {\n  type = list(string)\n  default = null\n}\nresource \"aws_a\" \"x\" {\n  \
             count = var.create ? 1 : 0\n  names = [for n in var.names : n]\n}\n",
        ),
        // Functions and templates of null.
        (
            "  create = false",
            "variable \"name\" {\n  type = string\n  default = null\n}\nresource \"aws_a\" \"x\" {\n  \
             count = var.create ? 1 : 0\n  name = lower(var.name)\n  tag = \"${var.name}-x\"\n}\n",
        ),
        // The first element of nothing.
        (
            "  create = false",
            "resource \"aws_a\" \"a\" {\n  count = var.create ? 1 : 0\n}\nresource \"aws_a\" \"x\" {\n  \
             count = var.create ? 1 : 0\n  id = first(aws_a.a[*].id)\n}\n",
        ),
        (
            "  l = []",
            "variable \"l\" {\n  type = list(string)\n}\nresource \"aws_a\" \"x\" {\n  count = length(var.l)\n  \
             one = var.l[0]\n}\n",
        ),
        // Dynamic blocks, and blocks that are repeated by key.
        (
            "  create = false",
            "variable \"rules\" {\n  default = null\n}\nresource \"aws_a\" \"x\" {\n  for_each = var.create ? { a = 1 } : {}\n  \
             dynamic \"rule\" {\n    for_each = var.rules\n    content {\n      port = var.rules.port + rule.value.port\n    }\n  }\n}\n",
        ),
    ] {
        let called = format!("{create}{called}");
        let found = check(arguments, &called);
        assert_eq!(errors(&found), [""; 0], "{called}");
        let warnings: Vec<String> = found
            .iter()
            .map(ToString::to_string)
            .filter(|found| !found.contains("Unused declaration"))
            .collect();
        assert_eq!(warnings, [""; 0], "{called}");
    }
}

#[test]
fn calls_without_instances_are_checked_with_nothing_known() {
    let called = "variable \"name\" {\n  nullable = false\n}\nlocals {\n  upper = lower(var.name)\n}\noutput \"o\" {\n  \
                  value = local.upper\n}\n";
    let found = check("  count = 0\n  name = local.name\n}\nlocals {\n  name = null", called);
    let errors = errors(&found);
    assert!(errors.len() == 1 && errors[0].contains("null"), "Terraform reports null: {errors:?}");
    let found = check("  count = 0\n  name = var.name\n}\nvariable \"name\" {\n  default = null", called);
    assert_eq!(self::errors(&found), [""; 0]);
}

#[test]
fn errors_of_plans_are_warnings() {
    let called = "variable \"l\" {\n}\noutput \"first\" {\n  value = first(var.l)\n}\n";
    let found = check("  l = []", called);
    assert_eq!(errors(&found), [""; 0]);
    let warning = found.iter().find(|found| !found.is_error()).expect("a plan fails").to_string();
    assert!(
        warning.contains("the list is empty") && warning.contains("but a plan with these values fails"),
        "{warning}"
    );
    // What a validation finds remains an error, also in a block without instances.
    for wrong in ["first([])", "var.nope", "lower(1, 2)", "first(1)"] {
        let called = format!(
            "variable \"l\" {{\n}}\nresource \"aws_a\" \"x\" {{\n  count = length(var.l)\n  one = {wrong}\n}}\n"
        );
        assert_eq!(errors(&check("  l = []", &called)).len(), 1, "{wrong}");
        assert_eq!(errors(&check("  l = [1]", &called)).len(), 1, "{wrong}");
    }
}

#[test]
fn literal_arguments_are_validated() {
    let called = "variable \"n\" {\n  type = number\n  validation {\n    condition = var.n > 0\n    error_message = \"No.\"\n  }\n}\noutput \"n\" {\n  value = var.n\n}\n";
    assert_eq!(errors(&check("  n = -1", called)).len(), 1);
    assert_eq!(errors(&check("  n = 1", called)), [""; 0]);
}
