//! Values in hover and in hints, and what is never shown.

use hclkit::Span;

use super::{case, one};

fn hints(text: &str) -> Vec<String> {
    let found = one("main.tf", &format!("{text}‸"));
    let all = Span::new(0, text.len() as u32);
    let hints = found.snapshot.inlay_hints(&found.path, all);
    hints
        .into_iter()
        .map(|hint| format!("{} {}", text[..hint.offset as usize].lines().last().unwrap().trim(), hint.label))
        .collect()
}

#[test]
fn hints_are_values_that_are_not_written() {
    let text = "variable \"n\" {\n  default = 2\n}\nlocals {\n  a = 1\n  b = local.a + var.n\n  c = upper(\"x\")\n}\nresource \"a_b\" \"c\" {\n  count = var.n * 2\n}\noutput \"o\" {\n  value = [for i in range(var.n) : i]\n}\n";
    assert_eq!(
        hints(text),
        [
            "b = local.a + var.n = 3",
            "c = upper(\"x\") = \"X\"",
            "count = var.n * 2 = 4",
            "value = [for i in range(var.n) : i] = [0, 1]"
        ],
    );
}

#[test]
fn unknown_values_have_no_hints() {
    assert_eq!(
        hints("variable \"n\" {}\nlocals {\n  a = var.n\n  b = a_b.c.id\n}\nresource \"a_b\" \"c\" {\n}\n"),
        [] as [&str; 0]
    );
}

#[test]
fn sensitive_values_are_never_shown() {
    let secret = "hunter2";
    let text = format!(
        "variable \"p\" {{\n  default   = \"{secret}\"\n  sensitive = true\n}}\nlocals {{\n  a = var.p\n  b = \"x-${{var.p}}\"\n  c = {{ inner = [var.p] }}\n  d = [for x in [var.p] : x]\n}}\noutput \"o\" {{\n  value     = local.c\n  sensitive = true\n}}\n"
    );
    let shown = hints(&text).join("\n");
    assert!(!shown.contains(secret), "{shown}");
    for name in ["var.p", "local.a", "local.b", "local.c", "local.d"] {
        let whole = format!("{text}locals {{\n  z = {name}‸\n}}\n");
        let hover = one("main.tf", &whole).hover();
        assert!(hover.contains("sensitive") && !hover.contains(secret), "{name}: {hover}");
    }
    // Names in sensitive values are not completed.
    let map = "variable \"m\" {\n  sensitive = true\n  default   = { hunter2 = 1 }\n}\nlocals {\n  a = var.m.‸\n}\n";
    assert_eq!(one("main.tf", map).labels(), [] as [&str; 0]);
}

#[test]
fn values_come_from_files_of_variables_and_called_modules() {
    let found = case(&[
        (
            "main.tf",
            "variable \"n\" {}\nmodule \"net\" {\n  source = \"./net\"\n  n = var.n\n}\nlocals {\n  a = module.net.twi‸ce\n}\n",
        ),
        ("terraform.tfvars", "n = 21\n"),
        ("net/main.tf", "variable \"n\" {}\noutput \"twice\" {\n  value = var.n * 2\n}\n"),
    ]);
    let hover = found.hover();
    assert!(hover.contains("module.net.twice = 42"), "{hover}");
}

#[test]
fn nothing_outside_of_the_workspace_is_read() {
    let found = case(&[(
        "main.tf",
        "module \"net\" {\n  source = \"../secret\"\n}\nlocals {\n  a = module.net.x‸\n  b = file(\"/secret/key\")\n}\n",
    )]);
    assert!(found.snapshot.file("/secret/main.tf").is_none());
    assert_eq!(found.codes().iter().filter(|code| code.contains("read")).count(), 0);
    let hover = found.hover();
    assert!(!hover.contains("= \""), "{hover}");
}

#[test]
fn settings_say_where_modules_are() {
    let found = case(&[
        ("main.tf", "module \"vpc\" {\n  source = \"x/vpc/aws\"\n}\nlocals {\n  a = module.vpc.ci‸dr\n}\n"),
        ("hcl.toml", "[modules]\n\"x/*/aws\" = \"vendor/*\"\n"),
        ("vendor/vpc/main.tf", "output \"cidr\" {\n  value = \"10.0.0.0/16\"\n}\n"),
    ]);
    let hints = found.snapshot.inlay_hints(&found.path, Span::new(0, 200));
    assert_eq!(hints[0].label, "= \"10.0.0.0/16\"");
    assert_eq!(found.codes(), ["unused-declaration"]);
}
