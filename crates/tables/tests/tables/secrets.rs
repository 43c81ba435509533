//! What is declared as sensitive is in no column of any table, whatever the syntax, also if another file declares it, and if the
//! file is broken.

use hclkit_tables::{Entry, Format, Options, Table};

use crate::kit::write;

/// Not in any table. None of its characters needs an escape.
const CANARY: &str = "canary7c1d";

fn rows_of(options: Options, files: &[(String, String)]) -> Vec<(Table, String)> {
    // Those of evaluated directories are in `evaluated.rs`.
    let options = options.with_tables(Table::ALL);
    let entries = files.iter().map(|(path, text)| Entry::new(path.as_str(), text.as_str()));
    let (files, _) = write(options, Format::Ndjson, false, 1, entries);
    let text = |table: Table| String::from_utf8(files.0[table.name()].clone()).unwrap();
    Table::ALL.into_iter().map(|table| (table, text(table))).collect()
}

fn all_tables(options: Options, path: &str, text: &str) -> Vec<(Table, String)> {
    rows_of(options, &[(path.to_owned(), text.to_owned())])
}

/// The row that has the canary.
fn shown(files: &[(String, String)]) -> Option<String> {
    let all = rows_of(Options::new(), files);
    let mut rows = all.iter().flat_map(|(table, rows)| rows.lines().map(move |row| (table, row)));
    rows.find(|(_, row)| row.to_lowercase().contains(CANARY)).map(|(table, row)| format!("{table}: {row}"))
}

/// Files with a secret in each place that can have one, as `C`. The secret is in the first file.
const PLACES: &[&[(&str, &str)]] = &[
    // Declarations.
    &[("main.tf", "variable \"a\" {\n  sensitive = true\n  default = \"C\"\n}\n")],
    &[("main.tf", "variable \"a\" {\n  default = \"C\"\n  sensitive = \"true\"\n}\n")],
    &[("main.tf", "variable \"a\" {\n  default = { x = [C.y, \"C\"] }\n  sensitive = 1 == 1\n}\n")],
    &[(
        "main.tf",
        "variable \"a\" {\n  default = { C = 1, \"C\" = \"C\", (\"C\") = 2 }\n  ephemeral = true\n}\n",
    )],
    &[("main.tf", "variable \"a\" {\n  default = <<EOT\n  C\nEOT\n  sensitive = true\n}\n")],
    &[("main.tf", "variable \"a\" {\n  default = nonsensitive(\"C\")\n  sensitive = true\n}\n")],
    &[(
        "main.tf",
        "variable \"a\" {\n  type = object({ x = optional(string, \"C\"), y = optional(map(string), { C = \"C\" }) })\n  sensitive = true\n}\n",
    )],
    &[(
        "main.tf",
        "variable \"a\" {\n  type = list(object({ x = optional(list(string), [\"C\"]) }))\n  ephemeral = true\n}\n",
    )],
    &[("main.tf", "# The default is C.\nvariable \"a\" {\n  sensitive = true\n}\n")],
    &[("main.tf", "output \"a\" {\n  value = \"C\"\n  sensitive = true\n}\n")],
    &[("main.tf", "output \"a\" {\n  value = { x = C.y, z = \"${C}\" }\n  ephemeral = true\n}\n")],
    &[("main.tf.json", r#"{"variable": {"a": {"default": "C", "sensitive": true}}}"#)],
    &[("main.tf.json", r#"{"variable": {"a": {"default": {"C": ["C"]}, "sensitive": "true"}}}"#)],
    &[(
        "main.tf.json",
        r#"{"variable": {"a": {"sensitive": true, "type": "object({x=optional(string, \"C\")})"}}}"#,
    )],
    &[("main.tf.json", r#"{"output": [{"a": [{"value": ["C"], "sensitive": "true"}]}]}"#)],
    &[("a.pkr.hcl", "variable \"a\" {\n  default = \"C\"\n  sensitive = true\n}\n")],
    &[("a.pkr.hcl", "local \"a\" {\n  expression = \"C\"\n  sensitive = true\n}\n")],
    &[("a.pkr.json", r#"{"variable": {"a": {"default": "C", "sensitive": true}}}"#)],
    &[("x.hcl", "variable \"a\" {\n  default = \"C\"\n  sensitive = true\n}\n")],
    &[(
        "main.tf",
        "resource \"tfe_variable\" \"a\" {\n  key = \"k\"\n  value = \"C\"\n  sensitive = true\n}\n",
    )],
    // Values of variables that another file declares.
    &[("x.auto.tfvars", "a = \"C\"\nb = { c = [\"C\"], C = 1 }\nd = <<EOT\nC\nEOT\n")],
    &[("x.auto.tfvars", "a \"C\"\n")],
    &[("x.auto.tfvars", "a C\nb = 1\n")],
    &[("x.auto.tfvars", "a: \"C\"\nb {\n  c = \"C\"\n}\n")],
    &[("x.auto.tfvars", "a = \"C\" C\nb = 'C'\n")],
    &[("x.tfvars.json", r#"{"a": "C", "b": {"C": ["C"]}}"#)],
    &[("x.s3.tfbackend", "secret_key = \"C\"\n")],
    &[("a.pkrvars.hcl", "a = \"C\"\n")],
    &[(
        "a.tftest.hcl",
        "run \"x\" {\n  variables {\n    a = \"C\"\n  }\n}\nvariables {\n  b = { C = \"C\" }\n}\n",
    )],
    // Literals.
    &[(
        "main.tf",
        "locals {\n  a = sensitive(\"C\")\n  b = [sensitive({ C = var.x }), core::sensitive(\"C\")]\n}\n",
    )],
    &[(
        "main.tf",
        "locals {\n  a = \"x-${sensitive(\"y-C\")}\"\n  b = upper(nonsensitive(sensitive(\"C\")))\n}\n",
    )],
    &[("main.tf", "locals {\n  a = sensitive(<<EOT\nC\nEOT\n  )\n}\n")],
    &[("main.tf", "output \"a\" {\n  value = sensitive(\"${var.x}C\")\n}\n")],
    // Addresses.
    &[("main.tf", "module \"a\" {\n  source = \"git::https://u:C@x.org/a.git?sshkey=C&ref=v1\"\n}\n")],
    &[("main.tf", "module \"a\" {\n  source = \"git::https://C@x.org/a.git\"\n}\n")],
    &[("main.tf", "module \"a\" {\n  source = \"u:C@x.org:a/b.git\"\n}\n")],
    &[(
        "main.tf",
        "module \"a\" {\n  source = \"https://x.org/a.zip?checksum=file:https://u:C@x.org/s&token=C\"\n}\n",
    )],
    &[("main.tf", "module \"a\" {\n  source = \"s3::https://x.org/a.zip?aws_access_key_secret=C\"\n}\n")],
    &[("main.tf", "module \"a\" {\n  source = \"git::https://${var.u}:C@${var.h}/a.git?ref=${var.r}\"\n}\n")],
    &[("main.tf", "module \"a\" {\n  source = \"https://x.org/${var.m}.zip?token=C&ref=${var.r}\"\n}\n")],
    &[("main.tf.json", r#"{"module": {"a": {"source": "git::https://u:C@x.org/a?token=C"}}}"#)],
    &[("main.tofu.json", r#"{"module": {"a": {"source": "git::https://${var.u}:C@x.org/a?token=C"}}}"#)],
    &[(
        "terragrunt.hcl",
        "terraform {\n  source = \"git::https://u:C@x.org/a.git//m?ref=${local.r}&token=C\"\n}\n",
    )],
    &[(
        "main.tf",
        "terraform {\n  required_providers {\n    a = {\n      source = \"https://u:C@x.org/a/b\"\n    }\n  }\n}\n",
    )],
    &[(
        "a.pkr.hcl",
        "packer {\n  required_plugins {\n    a = {\n      source = \"https://u:C@x.org/a/b\"\n    }\n  }\n}\n",
    )],
];

/// The same where a damaged file shows no connection any more: an address that is none, or a declaration with another name.
const WHOLE: &[&[(&str, &str)]] = &[
    // Declarations in other files.
    &[
        ("main.tf", "variable \"a\" {\n  default = \"C\"\n}\n"),
        ("override.tf", "variable \"a\" {\n  sensitive = true\n}\n"),
    ],
    &[
        ("x_override.tf", "variable \"a\" {\n  default = \"C\"\n}\n"),
        ("main.tf", "variable \"a\" {\n  sensitive = true\n}\n"),
    ],
    &[
        ("d/main.tf", "variable \"a\" {\n  type = object({ x = optional(string, \"C\") })\n}\n"),
        ("d/sub/x.tf", "variable \"a\" {}\n"),
        ("d/x_override.tf.json", r#"{"variable": {"a": {"ephemeral": true}}}"#),
    ],
    &[
        ("main.tf.json", r#"{"output": {"a": {"value": "C"}}}"#),
        ("override.tf", "output \"a\" {\n  sensitive = true\n}\n"),
    ],
    // Addresses.
    &[("main.tf", "module \"a\" {\n  source = \"git::https://${\"u:C\"}@x.org/a?token=${\"C\"}\"\n}\n")],
    &[("main.tf", "module \"a\" {\n  source = \"git::${\"https://u:C@x.org/a\"}\"\n}\n")],
    &[("main.tf", "module \"a\" {\n  source = format(\"https://%s:%s@x.org/a\", \"u\", \"C\")\n}\n")],
    &[("main.tf", "module \"a\" {\n  source = var.x ? \"https://u:C@x.org/a\" : \"./a\"\n}\n")],
    &[("main.tf", "terraform {\n  backend \"http\" {\n    address = \"https://u:C@x.org/a\"\n  }\n}\n")],
    &[("main.tf", "terraform {\n  backend \"pg\" {\n    conn_str = \"postgres://u:C@x.org/a\"\n  }\n}\n")],
    &[("docker-bake.hcl", "target \"a\" {\n  context = \"https://u:C@x.org/a.git\"\n}\n")],
    &[("main.tf.json", r#"{"variable": {"a": {"//": "C", "sensitive": true}}}"#)],
    &[(
        "main.tf",
        "resource \"helm_release\" \"a\" {\n  set_sensitive {\n    name  = \"k\"\n    value = \"C\"\n  }\n}\n",
    )],
    &[(
        "main.tf",
        "# See https://u:C@x.org/a\nresource \"x\" \"https://u:C@x.org/b\" {\n  a = [\"${var.x}https://u:C@x.org/c\"]\n}\n",
    )],
    &[("main.tf.json", r#"{"locals": {"a": "${sensitive(\"C\")}", "b": ["x${sensitive(\"C\")}"]}}"#)],
];

fn with_canary(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let marked = |text: &str| {
        let mut out = String::new();
        let mut rest = text;
        // A `C` that is not a part of a word.
        while let Some(at) = rest.find('C') {
            let is_word = |own: Option<char>| own.is_some_and(|own| own.is_ascii_alphanumeric());
            let alone = !is_word(rest[..at].chars().next_back()) && !is_word(rest[at + 1..].chars().next());
            out.push_str(&rest[..at]);
            out.push_str(if alone { CANARY } else { "C" });
            rest = &rest[at + 1..];
        }
        out + rest
    };
    files.iter().map(|(path, text)| ((*path).to_owned(), marked(text))).collect()
}

#[test]
fn sensitive_values_are_withheld() {
    for files in PLACES.iter().chain(WHOLE) {
        let files = with_canary(files);
        assert!(files[0].1.contains(CANARY), "{files:?}");
        for swapped in [false, true] {
            let mut files = files.clone();
            if swapped {
                files.reverse();
            }
            assert_eq!(shown(&files), None, "{files:?}");
        }
    }
}

/// One byte less, and one more of those that structures are made of.
#[test]
fn sensitive_values_of_damaged_files_are_withheld() {
    let (mut tried, mut failed) = (0, Vec::new());
    for files in PLACES {
        let files = with_canary(files);
        let text = files[0].1.clone();
        let address = text.find(['@', '?']).map(|at| {
            let end = text[at..].find('"').map_or(text.len(), |end| at + end);
            text[..at].rfind('"').map_or(0, |start| start + 1)..end + 1
        });
        let mut with = |changed: String| {
            let mut files = files.clone();
            files[0].1 = changed;
            tried += 1;
            failed.extend(shown(&files).map(|row| format!("{files:?}: {row}")));
        };
        for at in 0..text.len() {
            let around = at.saturating_sub(CANARY.len() - 1)..=at;
            // Half of the secret is another text, and half of an address may be no address.
            let is_in_address = address.as_ref().is_some_and(|own| own.contains(&at));
            if is_in_address || text.match_indices(CANARY).any(|(start, _)| around.contains(&start)) {
                continue;
            }
            let mut less = text.clone();
            less.remove(at);
            with(less);
            for sign in ["\"", "{", "}", "(", "\n", "=", "]", "x"].iter().skip(at % 3).step_by(3) {
                let mut more = text.clone();
                more.insert_str(at, sign);
                with(more);
            }
        }
    }
    assert!(failed.is_empty(), "{}: {}", failed.len(), failed.join("\n"));
    assert!(tried > 5_000, "{tried}");
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

/// What is left of a text says what it is.
#[test]
fn the_rest_of_a_text_is_shown() {
    let column = |text: &str, table: Table, name: &str| {
        let all = all_tables(Options::new(), "main.tf", text);
        let rows = &all.iter().find(|(own, _)| *own == table).unwrap().1;
        let row: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
        row[name].as_str().map(str::to_owned)
    };
    let local = |value: &str| column(&format!("locals {{\n  a = {value}\n}}\n"), Table::Locals, "expression");
    assert_eq!(local("sensitive(var.x[\"k\"])").unwrap(), "sensitive(var.x[\"k\"])");
    assert_eq!(local("merge(var.x, sensitive(\"y\"))").unwrap(), "merge(var.x, sensitive(…))");
    assert_eq!(local("nonsensitive(\"y\")").unwrap(), "nonsensitive(\"y\")");
    let source = |value: &str| {
        let text = format!("module \"a\" {{\n  source = {value}\n}}\n");
        column(&text, Table::ModuleCalls, "module_source").unwrap()
    };
    assert_eq!(source("\"git::https://u:p@x.org/a?ref=v1&key=p\""), "git::https://x.org/a?ref=v1");
    let template = "\"git::https://${var.u}:p@${var.h}/a?key=${var.k}&ref=${var.r}\"";
    assert_eq!(source(template), "\"git::https://${var.h}/a?ref=${var.r}\"");
    let references = "\"https://${var.u}:${var.p}@x.org/a\"";
    assert_eq!(source(references), references);
    assert_eq!(source("var.x ? \"https://u:p@x.org/a\" : \"./a\""), "var.x ? \"…\" : \"./a\"");
    let variable =
        "variable \"a\" {\n  sensitive = true\n  type = object({ x = optional(string, \"y\") })\n}\n";
    let ty = column(variable, Table::Variables, "type").unwrap();
    assert_eq!(ty, "object({ x = optional(string, …) })");
    let public = variable.replace("true", "false");
    assert!(column(&public, Table::Variables, "type").unwrap().contains("\"y\""));
}

/// Rows wait for override files, up to a limit. What comes later is an error.
#[test]
fn late_override_files_are_reported() {
    let declared = format!("variable \"a\" {{\n  default = \"{CANARY}\"\n}}\n");
    let large = "a = [1, \"x\"]\n".repeat(40_000);
    let mut files = vec![("main.tf".to_owned(), declared)];
    files.extend((0..4).map(|at| (format!("x{at}.tf"), format!("locals {{\n{large}# {at}\n}}\n"))));
    files.push(("z_override.tf".to_owned(), "variable \"a\" {\n  sensitive = true\n}\n".to_owned()));
    let all = rows_of(Options::new(), &files);
    let diagnostics = &all.iter().find(|(table, _)| *table == Table::Diagnostics).unwrap().1;
    assert!(diagnostics.contains("Sensitive value was written"), "{diagnostics}");
    files.retain(|(name, _)| !name.starts_with('x'));
    assert_eq!(shown(&files), None);
}
