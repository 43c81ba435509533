//! What is declared as sensitive is in no row, whatever the syntax, and also if the file is broken.

use hclkit_tables::{Entry, Format, Options, Table};

use crate::kit::write;

/// Not in any table. None of its characters needs an escape.
const CANARY: &str = "canary7c1d";

fn all_tables(options: Options, path: &str, text: &str) -> Vec<(Table, String)> {
    let options = options.with_tables(Table::ALL);
    let (files, _) = write(options, Format::Ndjson, false, 1, [Entry::new(path, text)].into_iter());
    let text = |table: Table| String::from_utf8(files.0[table.name()].clone()).unwrap();
    Table::ALL.into_iter().map(|table| (table, text(table))).collect()
}

fn assert_hidden(path: &str, text: &str) {
    assert!(text.contains(CANARY));
    for (table, rows) in all_tables(Options::new(), path, text) {
        assert!(!rows.contains(CANARY), "{table} of {path}: {rows}");
    }
}

#[test]
fn sensitive_values_are_withheld() {
    for (path, text) in [
        ("main.tf", format!("variable \"a\" {{\n  sensitive = true\n  default = \"{CANARY}\"\n}}\n")),
        ("main.tf", format!("variable \"a\" {{\n  default = \"{CANARY}\"\n  sensitive = \"true\"\n}}\n")),
        (
            "main.tf",
            format!(
                "variable \"a\" {{\n  default = {{ x = [{CANARY}.y, \"{CANARY}\"] }}\n  sensitive = 1 == 1\n}}\n"
            ),
        ),
        ("main.tf", format!("variable \"a\" {{\n  default = \"{CANARY}\"\n  ephemeral = true\n}}\n")),
        ("main.tf", format!("output \"a\" {{\n  value = \"{CANARY}\"\n  sensitive = true\n}}\n")),
        ("main.tf.json", format!(r#"{{"variable": {{"a": {{"default": "{CANARY}", "sensitive": true}}}}}}"#)),
        (
            "main.tf.json",
            format!(r#"{{"output": [{{"a": [{{"value": ["{CANARY}"], "sensitive": "true"}}]}}]}}"#),
        ),
        ("a.pkr.hcl", format!("variable \"a\" {{\n  default = \"{CANARY}\"\n  sensitive = true\n}}\n")),
        ("a.pkr.hcl", format!("local \"a\" {{\n  expression = \"{CANARY}\"\n  sensitive = true\n}}\n")),
        ("x.auto.tfvars", format!("a = \"{CANARY}\"\nb = {{ c = [\"{CANARY}\"] }}\n")),
        ("x.tfvars.json", format!(r#"{{"a": "{CANARY}", "b": {{"c": ["{CANARY}"]}}}}"#)),
        (
            "a.tftest.hcl",
            format!(
                "run \"x\" {{\n  variables {{\n    a = \"{CANARY}\"\n  }}\n}}\nvariables {{\n  b = \"{CANARY}\"\n}}\n"
            ),
        ),
        // The parser quotes some of a mistake.
        ("main.tf", format!("variable \"a\" {{\n  sensitive = true\n  default = \"x\" {CANARY}\n}}\n")),
        ("main.tf", format!("variable \"a\" {{\n  sensitive = true\n  default = {CANARY} \"x\"\n}}\n")),
        ("x.auto.tfvars", format!("a = '{CANARY}'\nb = {CANARY} 1\n")),
        (
            "main.tf",
            format!(
                "module \"a\" {{\n  source = \"git::https://u:{CANARY}@x.org/a.git?sshkey={CANARY}\"\n}}\n"
            ),
        ),
    ] {
        assert_hidden(path, &text);
    }
}

#[test]
fn other_values_are_not() {
    let text = format!("variable \"a\" {{\n  default = \"{CANARY}\"\n  sensitive = false\n}}\n");
    let all = all_tables(Options::new(), "main.tf", &text);
    let with = |table: Table| all.iter().any(|(own, rows)| *own == table && rows.contains(CANARY));
    assert!(with(Table::Variables) && with(Table::Attributes));
    // Values in variable files are written only if that is asked for.
    let all =
        all_tables(Options::new().with_variable_values(true), "x.tfvars", &format!("a = \"{CANARY}\"\n"));
    assert!(all.iter().any(|(table, rows)| *table == Table::Attributes && rows.contains(CANARY)));
}
