//! The rows of each table, in both syntaxes and several languages.

use hclkit_tables::{Entry, Options, Table};

use crate::kit::{check, rows, rows_with, shown};

const MAIN: &str = r#"# License

# The region of
# everything.
variable "region" {
  type        = string
  description = "Where"
  default     = "eu"
  nullable    = false
  validation {
    condition     = length(var.region) > 1
    error_message = "short"
  }
}

terraform {
  required_providers {
    aws    = { source = "hashicorp/aws", version = "~> 5.0" }
    random = "3.0"
  }
}

provider "aws" {
  alias  = "west"
  region = var.region
}

locals {
  zone = "${var.region}-a"
  two  = 1 + 1
}

/*
 * Many.
 */
resource "aws_instance" "web" {
  count      = 2
  ami        = data.aws_ami.base.id
  tags       = { Name = "web", n = 1.50, on = true, none = null }
  depends_on = [module.net]
  ebs_block_device {
    device_name = "a"
  }
  lifecycle {
    ignore_changes = [tags]
  }
}

module "net" {
  source  = "terraform-aws-modules/vpc/aws//modules/x"
  version = "5.1.0"
  cidr    = local.zone
}

output "ids" {
  description = "All"
  value       = aws_instance.web[*].id
}

moved {
  from = aws_instance.old
  to   = aws_instance.web
}
"#;

#[test]
fn files() {
    let columns = ["path", "language", "syntax", "kind", "lines", "bytes", "errors"];
    check(
        Table::Files,
        "a/main.tf",
        "a = 1\n",
        &columns,
        "a/main.tf | terraform | native | module | 2 | 6 | 0",
    );
    check(Table::Files, "x.tf.json", "{\n", &columns, "x.tf.json | terraform | json | module | 2 | 2 | 1");
    check(
        Table::Files,
        "p.auto.tfvars",
        "",
        &columns,
        "p.auto.tfvars | terraform | native | values | 1 | 0 | 0",
    );
    check(Table::Files, "any.hcl", "a {\n", &columns, "any.hcl | hcl | native | null | 2 | 4 | 1");
    let sha = &rows(Table::Files, "a.hcl", "abc")[0]["sha256"];
    assert_eq!(sha, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#[test]
fn blocks() {
    check(
        Table::Blocks,
        "main.tf",
        MAIN,
        &["address", "block_type", "labels", "mode", "type", "name", "parent", "start_line", "end_line"],
        r#"
        var.region | variable | ["region"] | null | null | region | null | 5 | 14
        var.region.validation | validation | [] | null | null | null | var.region | 10 | 13
        terraform | terraform | [] | null | null | null | null | 16 | 21
        terraform.required_providers | required_providers | [] | null | null | null | terraform | 17 | 20
        provider.aws | provider | ["aws"] | null | null | aws | null | 23 | 26
        locals | locals | [] | null | null | null | null | 28 | 31
        aws_instance.web | resource | ["aws_instance","web"] | managed | aws_instance | web | null | 36 | 47
        aws_instance.web.ebs_block_device | ebs_block_device | [] | null | null | null | aws_instance.web | 41 | 43
        aws_instance.web.lifecycle | lifecycle | [] | null | null | null | aws_instance.web | 44 | 46
        module.net | module | ["net"] | null | null | net | null | 49 | 53
        output.ids | output | ["ids"] | null | null | ids | null | 55 | 58
        moved | moved | [] | null | null | null | null | 60 | 63
        "#,
    );
    let all = rows(Table::Blocks, "main.tf", MAIN);
    assert_eq!(all[0]["comment"], "The region of\neverything.");
    assert_eq!(all[6]["comment"], "Many.");
    assert_eq!(all[7]["parent_start_byte"], all[6]["start_byte"]);
    for row in &all {
        let part = |name: &str| usize::try_from(row[name].as_u64().unwrap()).unwrap();
        let text = &MAIN[part("start_byte")..part("end_byte")];
        assert!(text.starts_with(row["block_type"].as_str().unwrap()) && text.ends_with('}'), "{text}");
    }
}

#[test]
fn a_comment_of_something_else_is_not_that_of_a_block() {
    let text = "a = 1 # one\nb {}\n# far\n\nc {}\n// near\nd {} # behind\ne {}\n";
    let all = rows(Table::Blocks, "a.hcl", text);
    assert_eq!(shown(&all, &["address", "comment"]), "b | null\nc | null\nd | near\ne | null");
}

#[test]
fn attributes() {
    let all = rows(Table::Attributes, "main.tf", MAIN);
    let wanted = ["aws_instance.web", "locals"].map(serde_json::Value::from);
    let all: Vec<_> = all.into_iter().filter(|row| wanted.contains(&row["block"])).collect();
    let found = shown(&all, &["block", "type", "name", "expression", "value", "references", "start_line"]);
    let expected = r#"
locals | null | zone | "${var.region}-a" | null | ["var.region"] | 29
locals | null | two | 1 + 1 | null | [] | 30
aws_instance.web | aws_instance | count | 2 | 2 | [] | 37
aws_instance.web | aws_instance | ami | data.aws_ami.base.id | null | ["data.aws_ami.base"] | 38
aws_instance.web | aws_instance | tags | { Name = "web", n = 1.50, on = true, none = null } | {"Name":"web","n":1.50,"on":true,"none":null} | [] | 39
aws_instance.web | aws_instance | depends_on | [module.net] | null | ["module.net"] | 40"#;
    assert_eq!(found, expected.trim());
}

#[test]
fn literal_values_are_json() {
    for (source, expected) in [
        ("\"a\\\"b\\n\\u00e9\"", r#""a\"b\né""#),
        ("007", "7"),
        ("0.50", "0.50"),
        ("-3", "-3"),
        ("1e3", "1e3"),
        ("(true)", "true"),
        ("[1, [\"x\"], {}]", r#"[1,["x"],{}]"#),
        ("{ a = 1, \"b c\" = 2, 3 = 4, a = 5 }", r#"{"b c":2,"3":4,"a":5}"#),
        ("<<E\nx\nE\n", "\"x\\n\""),
        ("\"$${a}\"", "\"${a}\""),
        ("{ (x) = 1 }", "null"),
        ("[for a in [] : a]", "null"),
        ("f()", "null"),
        ("\"${1}\"", "null"),
        ("-x", "null"),
    ] {
        let all = rows(Table::Attributes, "a.hcl", &format!("a = {source}\n"));
        let value = all[0]["value"].as_str().unwrap_or("null");
        assert_eq!(value, expected, "{source}");
        if value != "null" {
            serde_json::from_str::<serde_json::Value>(value).unwrap();
        }
    }
}

#[test]
fn references() {
    check(
        Table::References,
        "main.tf",
        MAIN,
        &["from", "attribute", "to", "root", "text", "kind"],
        "
        var.region | condition | var.region | var | var.region | reference
        provider.aws | region | var.region | var | var.region | reference
        local.zone | zone | var.region | var | var.region | reference
        aws_instance.web | ami | data.aws_ami.base | data | data.aws_ami.base.id | reference
        aws_instance.web | depends_on | module.net | module | module.net | reference
        module.net | cidr | local.zone | local | local.zone | reference
        output.ids | value | aws_instance.web | aws_instance | aws_instance.web | reference
        moved | from | aws_instance.old | aws_instance | aws_instance.old | history
        moved | to | aws_instance.web | aws_instance | aws_instance.web | history
        ",
    );
}

#[test]
fn names_that_no_block_declares_have_no_address() {
    let text = "resource \"a\" \"b\" {\n  x = [each.key, count.index, path.module, self.id, terraform.workspace]\n}\n";
    let all = rows(Table::References, "main.tf", text);
    assert!(all.iter().all(|row| row["to"].is_null()), "{all:?}");
    assert_eq!(all.len(), 5);
}

#[test]
fn declarations() {
    let columns =
        ["name", "type", "description", "default_value", "required", "sensitive", "nullable", "validations"];
    check(
        Table::Variables,
        "main.tf",
        MAIN,
        &columns,
        "region | string | Where | \"eu\" | false | false | false | 1",
    );
    let columns = ["name", "description", "expression", "value", "sensitive", "references"];
    check(
        Table::Outputs,
        "main.tf",
        MAIN,
        &columns,
        r#"ids | All | aws_instance.web[*].id | null | false | ["aws_instance.web"]"#,
    );
    let columns = ["name", "expression", "value", "references"];
    check(
        Table::Locals,
        "main.tf",
        MAIN,
        &columns,
        "zone | \"${var.region}-a\" | null | [\"var.region\"]\ntwo | 1 + 1 | null | []",
    );
    let columns = ["name", "alias", "kind", "source", "version", "start_line"];
    check(
        Table::Providers,
        "main.tf",
        MAIN,
        &columns,
        "
        aws | null | required | hashicorp/aws | ~> 5.0 | 18
        random | null | required | null | 3.0 | 19
        aws | west | configuration | null | null | 23
        ",
    );
    let columns =
        ["name", "module_source", "kind", "namespace", "module", "subdirectory", "version", "pinned"];
    check(
        Table::ModuleCalls,
        "main.tf",
        MAIN,
        &columns,
        "net | terraform-aws-modules/vpc/aws//modules/x | registry | terraform-aws-modules | terraform-aws-modules/vpc/aws | modules/x | 5.1.0 | true",
    );
}

#[test]
fn what_later_versions_declare() {
    let native = "variable \"a\" {\n  type       = string\n  const      = true\n  ephemeral  = false\n  deprecated = \"Use b.\"\n}\nvariable \"b\" {}\noutput \"c\" {\n  type       = list(string)\n  ephemeral  = true\n  deprecated = \"Use d.\"\n  value      = []\n}\n";
    let json = r#"{
      "variable": {"a": {"type": "string", "const": true, "ephemeral": false, "deprecated": "Use b."}, "b": {}},
      "output": {"c": {"type": "list(string)", "ephemeral": true, "deprecated": "Use d.", "value": []}}
    }"#;
    for (path, text) in [("main.tf", native), ("main.tf.json", json)] {
        let columns = ["name", "type", "const", "ephemeral", "deprecated"];
        let expected = "a | string | true | false | Use b.\nb | null | null | null | null";
        check(Table::Variables, path, text, &columns, expected);
        let columns = ["name", "type", "ephemeral", "deprecated"];
        check(Table::Outputs, path, text, &columns, "c | list(string) | true | Use d.");
    }
}

#[test]
fn both_syntaxes_have_the_same_rows() {
    let native = "variable \"a\" {\n  type    = list(string)\n  default = [\"x\"]\n}\nlocals {\n  b = var.a\n}\nresource \"r\" \"s\" {\n  c = \"${local.b}-1\"\n  lifecycle {\n    prevent_destroy = true\n  }\n}\nmodule \"m\" {\n  source  = \"a/b/c\"\n  version = \"1.2.3\"\n}\noutput \"o\" {\n  value = r.s.id\n}\nterraform {\n  required_providers {\n    r = {\n      source = \"x/r\"\n    }\n  }\n}\n";
    let json = r#"{
      "//": "a comment",
      "variable": {"a": {"type": "list(string)", "default": ["x"]}},
      "locals": [{"b": "${var.a}"}],
      "resource": {"r": {"s": {"c": "${local.b}-1", "lifecycle": [{"prevent_destroy": true}]}}},
      "module": [{"m": {"source": "a/b/c", "version": "1.2.3"}}],
      "output": {"o": {"value": "${r.s.id}"}},
      "terraform": {"required_providers": {"r": {"source": "x/r"}}}
    }"#;
    let same: [(Table, &[&str]); 8] = [
        (Table::Blocks, &["address", "block_type", "labels", "mode", "type", "name", "parent"]),
        (Table::Attributes, &["block", "block_type", "name", "references", "sensitive", "value"]),
        (Table::References, &["from", "attribute", "to", "root", "kind"]),
        (Table::ModuleCalls, &["name", "module_source", "module", "version", "pinned"]),
        (Table::Providers, &["name", "alias", "kind", "source", "version"]),
        (Table::Variables, &["name", "type", "default_value", "required", "sensitive"]),
        (Table::Outputs, &["name", "value", "references"]),
        (Table::Locals, &["name", "value", "references"]),
    ];
    for (table, columns) in same {
        let mut found = [("main.tf", native), ("main.tf.json", json)].map(|(path, text)| {
            let all = rows(table, path, text);
            // The types of variables are source text in one syntax, and strings in the other.
            let all: Vec<_> =
                all.into_iter().filter(|row| row.get("name").is_none_or(|name| name != "type")).collect();
            shown(&all, columns).lines().map(str::to_owned).collect::<Vec<_>>()
        });
        for lines in &mut found {
            lines.sort();
        }
        assert_eq!(found[0], found[1], "{table}");
        assert!(!found[0].is_empty());
    }
}

#[test]
fn values_of_json_are_literal_only_without_templates() {
    let json = r#"{"locals": {"a": "$${x}", "b": "${x}", "c": {"d": ["${1}", 2]}, "e": {"f": 1}}}"#;
    let all = rows(Table::Locals, "main.tf.json", json);
    assert_eq!(shown(&all, &["name", "value"]), "a | \"${x}\"\nb | null\nc | null\ne | {\"f\":1}");
}

#[test]
fn other_languages() {
    let bake = "target \"base\" {}\ntarget \"app\" {\n  inherits = [\"base\"]\n  args = { v = VERSION }\n}\nvariable \"VERSION\" {\n  default = \"1\"\n}\n";
    check(
        Table::References,
        "docker-bake.hcl",
        bake,
        &["from", "attribute", "to", "root"],
        "target.app | inherits | target.base | target\ntarget.app | args | VERSION | VERSION",
    );
    let packer = "source \"amazon-ebs\" \"x\" {}\nbuild {\n  sources = [\"source.amazon-ebs.x\"]\n}\nlocal \"l\" {\n  expression = 1\n}\nvariables {\n  a = 1\n}\n";
    check(Table::References, "a.pkr.hcl", packer, &["from", "to"], "build | source.amazon-ebs.x");
    check(Table::Locals, "a.pkr.hcl", packer, &["name", "value"], "l | 1");
    check(Table::Variables, "a.pkr.hcl", packer, &["name", "default_value"], "a | 1");
    let terragrunt = "terraform {\n  source = \"git::https://github.com/a/b.git//m?ref=v1.0.0\"\n}\ndependency \"vpc\" {\n  config_path = \"../vpc\"\n}\ninputs = {\n  id = dependency.vpc.outputs.id\n}\n";
    check(
        Table::ModuleCalls,
        "terragrunt.hcl",
        terragrunt,
        &["name", "kind", "module", "subdirectory", "ref", "pinned"],
        "terraform | git | github.com/a/b | m | v1.0.0 | true",
    );
    check(
        Table::References,
        "terragrunt.hcl",
        terragrunt,
        &["from", "attribute", "to"],
        "null | inputs | dependency.vpc",
    );
    check(
        Table::Blocks,
        "x.nomad",
        "job \"a\" {\n  group \"b\" {}\n}\n",
        &["address"],
        "job.a\njob.a.group.b",
    );
}

#[test]
fn broken_files_are_rows_of_diagnostics() {
    let text = "resource \"a\" \"b\" {\n  c = [1\n}\nlocals {\n  d = 2\n}\n";
    let all = rows(Table::Diagnostics, "main.tf", text);
    assert!(!all.is_empty());
    assert_eq!(all[0]["severity"], "error");
    assert!(all[0]["code"].is_string() && all[0]["start_line"].as_u64() >= Some(2), "{all:?}");
    // What can be read is read.
    assert_eq!(rows(Table::Locals, "main.tf", text).len(), 1);
    assert_eq!(rows(Table::Diagnostics, "main.tf", "a = 1\n").len(), 0);
}

#[test]
fn all_rows_say_which_file_they_are_from() {
    for table in Table::ALL.into_iter().filter(|table| !table.is_evaluated()) {
        let entry = Entry::new("d/main.tf", format!("{MAIN}a = [\n")).with_repo("r").with_commit("c");
        let all = rows_with(Options::new(), table, vec![entry]);
        assert!(!all.is_empty(), "{table}");
        for row in &all {
            assert_eq!(
                (&row["repo"], &row["commit"], &row["path"]),
                (&"r".into(), &"c".into(), &"d/main.tf".into())
            );
            assert!(
                row["start_byte"].as_u64() <= row["end_byte"].as_u64()
                    && row["start_line"].as_u64() >= Some(1)
            );
            assert!(row["start_line"].as_u64() <= row["end_line"].as_u64());
        }
    }
}
