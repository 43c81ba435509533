//! `hcl check` of directories that are modules. It reports only certain errors.

use crate::program::Folder;
use snapbox::str;

/// Returns the place, the code and the note of each diagnostic of `hcl check`.
pub(crate) fn reported(folder: &Folder, args: &[&str]) -> String {
    let output = folder.command(&["check", "--report", "json"]).args(args).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let line = |found: &serde_json::Value| {
        let (file, line) = (found["file"].as_str().unwrap_or_default(), &found["range"]["start"]["line"]);
        format!("{file}:{line}: {}: {}\n", found["code"].as_str().unwrap(), found["detail"].as_str().unwrap())
    };
    report["diagnostics"].as_array().unwrap().iter().map(line).collect()
}

pub(crate) fn main(text: &str) -> Folder {
    Folder::with(&[("main.tf", text)])
}

#[test]
fn directories_are_checked_as_modules() {
    let folder = Folder::with(&[
        (
            "main.tf",
            "variable \"unused\" {}\nvariable \"n\" {\n  type = number\n}\nlocals {\n  a = var.m + 1\n}\nmodule \"m\" {\n  source = \"./m\"\n  sise   = local.a\n}\nresource \"aws_x\" \"y\" {\n  count = -1\n  n     = var.n\n}\n",
        ),
        ("m/main.tf", "variable \"size\" {}\noutput \"a\" {\n  value = var.size\n}\n"),
    ]);
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> main.tf:6:10
  |
6 |   a = var.m + 1
  |          ^^
  |
  = note: `var.m` is not defined.

error[missing-input]: Missing module input
 --> main.tf:8:1
  |
8 | module "m" {
  | ^^^^^^^^^^
  |
  = note: The module `m` requires the input `size`, but it is not set.

error[unsupported-input]: Unsupported module input
  --> main.tf:10:3
   |
10 |   sise   = local.a
   |   ^^^^
   |
   = note: The module has no variable named `sise`. Did you mean `size`?
help: Write `size`
   |
10 -   sise   = local.a
10 +   size   = local.a
   |

error[invalid-count]: Invalid count argument
  --> main.tf:13:11
   |
13 |   count = -1
   |           ^^
   |
   = note: The value is -1. A whole number that is not negative is required.

warning[unused-declaration]: Unused declaration
 --> main.tf:1:1
  |
1 | variable "unused" {}
  | ^^^^^^^^^^^^^^^^^
  |
  = note: Nothing in this directory refers to `var.unused`.

Checked 2 files: 4 errors and 1 warning in 1 file

"#]]);
    folder.hcl(&["check", "--syntax-only"]).success().stdout_eq("Checked 2 files: no problems found\n");
    let syntax_only = folder.hcl(&["check", "--syntax-only", "main.tf"]).success();
    syntax_only.stdout_eq("Checked 1 file: no problems found\n");
    // A file is checked with its module.
    let whole = folder.hcl(&["check", "."]).code(1).get_output().stdout.clone();
    let file = folder.hcl(&["check", "main.tf"]).code(1).get_output().stdout.clone();
    let counts = |text: Vec<u8>| String::from_utf8(text).unwrap().rsplit_once(": ").unwrap().1.to_owned();
    assert_eq!(counts(whole), counts(file));
}

#[test]
fn misspelled_attributes_are_warnings_without_a_schema() {
    let text = r#"resource "aws_instance" "web" {
  count         = 2
  instance_type = "t3.micro"
  dynamic "network_interface" {
    for_each = [1]
    content {}
  }
}
data "aws_subnets" "all" {
  subnet_ids = ["a"]
}
output "all" {
  value = [
    aws_instance.web[0].instanze_type,
    aws_instance.web[1].instance_type.network_interfase,
    aws_instance.web["x"].network_interfase,
    (aws_instance.web).id,
    data.aws_subnets.all.subnet_id,
    data.aws_subnets.all.subnet_idss,
  ]
}
"#;
    let folder = Folder::with(&[("main.tf", text)]);
    folder.hcl(&["check"]).success().stdout_eq(str![[r#"
warning[unsupported-attribute]: Unsupported attribute
  --> main.tf:14:24
   |
14 |     aws_instance.web[0].instanze_type,
   |                        ^^^^^^^^^^^^^^
   |
   = note: No object of this type in the directory sets `instanze_type`, but one sets `instance_type`. Did you mean `instance_type`?

warning[unsupported-attribute]: Unsupported attribute
  --> main.tf:15:38
   |
15 |     aws_instance.web[1].instance_type.network_interfase,
   |                                      ^^^^^^^^^^^^^^^^^^
   |
   = note: This value is a string, which has no attributes. A validation accepts this, but a plan with these values fails.
   = where: aws_instance.web[1].instance_type is "t3.micro"

warning[unsupported-attribute]: Unsupported attribute
  --> main.tf:16:26
   |
16 |     aws_instance.web["x"].network_interfase,
   |                          ^^^^^^^^^^^^^^^^^^
   |
   = note: No object of this type in the directory sets `network_interfase`, but one sets `network_interface`. Did you mean `network_interface`?

warning[unsupported-attribute]: Unsupported attribute
  --> main.tf:17:23
   |
17 |     (aws_instance.web).id,
   |                       ^^^
   |
   = note: This value is a tuple, which has no attributes. A validation accepts this, but a plan with these values fails.

warning[invalid-index]: Invalid index
  --> main.tf:16:21
   |
16 |     aws_instance.web["x"].network_interfase,
   |                     ^^^^^
   |
   = note: The key does not identify an element of this value: a number is required. A validation accepts this, but a plan with these values fails.
   = where: aws_instance.web is tuple [(unknown), (unknown)]

Checked 1 file: 5 warnings in 1 file

"#]]);
    // With a schema, it is an error, and only the schema counts.
    let schema = r#"{"provider_schemas": {"registry.terraform.io/hashicorp/aws": {
      "resource_schemas": {"aws_instance": {"block": {
        "attributes": {"instance_type": {"type": "string"}, "instanze_type": {"type": "string", "computed": true}},
        "block_types": {"network_interface": {"nesting_mode": "list", "block": {}}}}}},
      "data_source_schemas": {"aws_subnets": {"block": {"attributes": {"subnet_ids": {"type": ["list", "string"]}}}}}}}}"#;
    folder.write("schema.json", schema);
    let checked = folder.hcl(&["check", "--provider-schema", "schema.json"]).code(1);
    let text = String::from_utf8_lossy(&checked.get_output().stdout).into_owned();
    assert!(text.contains("subnet_idss") && !text.contains("Did you mean `instance_type`"), "{text}");
}

/// Terraform accepts `module.m.nope`, and rejects what else is not declared.
#[test]
fn a_dependency_on_a_result_is_one_on_its_module() {
    let folder = Folder::with(&[
        ("m/main.tf", "output \"y\" {\n  value = 1\n}\n"),
        (
            "main.tf",
            "module \"m\" {\n  source = \"./m\"\n}\nresource \"terraform_data\" \"a\" {\n  depends_on = [module.m.nope, module.m, module.n.y]\n}\noutput \"x\" {\n  value      = module.m.none\n  depends_on = [module.m.nope]\n}\n",
        ),
        (
            "b.tf.json",
            "{\"resource\": {\"terraform_data\": {\"b\": {\"depends_on\": [\"module.m.nope\", \"module.o.y\"]}}}}\n",
        ),
    ]);
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[invalid-meta-argument]: Invalid meta-argument
 --> b.tf.json:1:72
  |
1 | {"resource": {"terraform_data": {"b": {"depends_on": ["module.m.nope", "module.o.y"]}}}}
  |                                                                        ^^^^^^^^^^^^
  |
  = note: `depends_on` refers to `module.o.y`, which is not declared.

error[unknown-variable]: Unknown variable
 --> main.tf:5:48
  |
5 |   depends_on = [module.m.nope, module.m, module.n.y]
  |                                                ^^
  |
  = note: `module.n` is not defined.

error[unsupported-attribute]: Unsupported attribute
 --> main.tf:8:24
  |
8 |   value      = module.m.none
  |                        ^^^^^
  |
  = note: This object has no attribute named `none`.
  = where: module.m is object { y = 1 }

Checked 3 files: 3 errors in 2 files

"#]]);
}

/// Terraform reads `terraform.tfvars` if it exists, and every file that it finds by its ending.
#[cfg(unix)]
#[test]
fn only_links_with_a_fixed_name_may_lead_nowhere() {
    let folder = Folder::with(&[("main.tf", "output \"a\" {\n  value = 1\n}\n")]);
    for name in ["terraform.tfvars", "terraform.tfvars.json"] {
        std::os::unix::fs::symlink("nowhere", folder.path(name)).unwrap();
    }
    folder.hcl(&["eval", "."]).success();
    folder.hcl(&["check", "main.tf"]).success();
    std::os::unix::fs::symlink("nowhere", folder.path("x.auto.tfvars")).unwrap();
    folder.hcl(&["eval", "."]).code(2);
}

#[test]
fn names_of_types_are_not_variables() {
    let text = "variable \"x\" {\n  default = {}\n}\nlocals {\n  y = convert(var.x, map(string))\n  z = try(local.y, convert(none, map(list(any))))\n}\nsource \"null\" \"a\" {\n  n = local.z\n}\nbuild {\n  sources = [\"null.a\"]\n}\n";
    let folder = Folder::with(&[("main.pkr.hcl", text)]);
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> main.pkr.hcl:6:28
  |
6 |   z = try(local.y, convert(none, map(list(any))))
  |                            ^^^^
  |
  = note: There is no variable named `none`.

Checked 1 file: 1 error in 1 file

"#]]);
}

#[test]
fn undefined_names_are_found_in_expressions_that_are_not_evaluated() {
    let folder = Folder::with(&[
        (
            "main.tf",
            r#"variable "n" {
  type = number
}
variable "names" {
  type = set(string)
}
locals {
  a = local.b
  b = [local.a, local.none]
  c = try(var.none, gone_thing.x.id, 1)
  d = true ? local.c : local.dead
}
resource "aws_x" "y" {
  count      = var.n
  z          = local.undefined
  depends_on = [aws_x.gone]
  dynamic "setting" {
    for_each = var.names
    iterator = it
    content {
      x = it.value
      y = setting.value
      z = [for it in [1] : it + local.inner]
    }
  }
  lifecycle {
    ignore_changes       = [tags]
    replace_triggered_by = [aws_q.z]
  }
  provisioner "local-exec" {
    when    = destroy
    command = "${self.id} ${var.zz}"
  }
}
module "m" {
  source   = "./m"
  for_each = var.names
  size     = {}
  name     = each.value
}
resource "aws_x" "none" {
  count = 0
  z     = count.indez
}
output "o" {
  value = [module.m["a"].nope, local.d, module.m["a"].yes]
}
"#,
        ),
        (
            "m/main.tf",
            "variable \"size\" {\n  type = number\n}\nvariable \"name\" {}\noutput \"yes\" {\n  value = \"${var.size}${var.name}\"\n}\n",
        ),
    ]);
    snapbox::assert_data_eq!(
        reported(&folder, &["."]),
        str![[r#"
main.tf:8: reference-cycle: These definitions depend on each other in a cycle: `local.a` → `local.b` → `local.a`. Arguments such as `depends_on`, conditions and provisioners count, too.
main.tf:9: unknown-variable: `local.none` is not defined.
main.tf:10: unknown-variable: `var.none` is not defined.
main.tf:10: unknown-variable: There is no variable named `gone_thing`.
main.tf:11: unknown-variable: `local.dead` is not defined.
main.tf:15: unknown-variable: `local.undefined` is not defined.
main.tf:16: unknown-variable: `aws_x.gone` is not defined. Did you mean `aws_x.none`?
main.tf:22: unknown-variable: There is no variable named `setting`. It is an error as soon as the dynamic block creates a block.
main.tf:23: unknown-variable: `local.inner` is not defined. It is an error as soon as the dynamic block creates a block.
main.tf:28: unknown-variable: There is no variable named `aws_q`. Did you mean `aws_x`?
main.tf:32: unknown-variable: `var.zz` is not defined.
main.tf:38: invalid-variable: The value of `size` for the module `m` does not have the type of the variable: a number is required.
main.tf:43: unsupported-attribute: This object has no attribute named `indez`. Did you mean `index`?
main.tf:46: unsupported-attribute: This object has no attribute named `nope`.

"#]]
    );
}

#[test]
fn functions_of_providers_require_an_entry_in_required_providers() {
    let folder = Folder::with(&[(
        "main.tf",
        r#"terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}
locals {
  a = [provider::aws::arn_parse("x"), upper(provider::assert::uuid("${provider::time::now()}"))]
}
output "a" {
  value = [for x in local.a : provider::terraform::encode_expr(x)]
}
"#,
    )]);
    snapbox::assert_data_eq!(
        reported(&folder, &["."]),
        str![[r#"
main.tf:7: invalid-provider: Functions of the provider `assert` require an entry for `assert` in `required_providers` of this module.
main.tf:7: invalid-provider: Functions of the provider `time` require an entry for `time` in `required_providers` of this module.

"#]]
    );
}

#[test]
fn cycles_through_modules_that_are_not_available_are_uncertain() {
    let call = |name: &str, more: &str| {
        format!(
            "module \"{name}\" {{\n  source  = \"hashicorp/consul/aws\"\n  version = \"1.0.0\"\n  {more}\n}}\n"
        )
    };
    let resource = "resource \"terraform_data\" \"b\" {\n  input = module.a.name\n}\n";
    for (text, is_cycle) in [
        (call("a", "x = terraform_data.b.id") + resource, false),
        (call("a", "x = module.c.y") + &call("c", "x = module.a.y"), false),
        (call("a", "x = module.a.y"), false),
        // All that a module contains depends on these.
        (call("a", "depends_on = [terraform_data.b]") + resource, true),
        (call("a", "count = length(terraform_data.b.input)") + resource, true),
    ] {
        let json = Folder::with(&[("main.tf", &text)]);
        let json = json.command(&["convert", "--to", "json", "main.tf"]).output().unwrap().stdout;
        for (name, text) in [("main.tf", text.clone()), ("main.tf.json", String::from_utf8(json).unwrap())] {
            let found = reported(&Folder::with(&[(name, &text)]), &["."]);
            assert_eq!(found.contains("reference-cycle"), is_cycle, "{name}: {text}: {found}");
        }
    }
}

/// The keys of an import may be secrets, and an address has them.
#[test]
fn keys_of_imports_are_not_shown_if_they_are_secret() {
    for (keys, key) in [
        ("sensitive(toset([\"canary\"]))", "each.key"),
        ("sensitive([\"canary\"])", "each.value"),
        ("{ a = sensitive(\"canary\") }", "each.value"),
        ("{ (sensitive(\"canary\")) = 1 }", "each.key"),
        ("toset([\"known\"])", "each.key"),
    ] {
        let text = format!(
            "import {{\n  for_each = {keys}\n  to = terraform_data.f[{key}]\n  id = \"x\"\n}}\nresource \"terraform_data\" \"f\" {{\n  for_each = {{ k = 1 }}\n}}\n"
        );
        let folder = Folder::with(&[("main/main.tf", &*text)]);
        let found = reported(&folder, &["main"]);
        assert!(!found.contains("canary"), "{found}");
        assert_eq!(found.contains("f[\"known\"]"), keys.contains("known"), "{found}");
    }
}

#[test]
fn only_certain_errors_are_reported() {
    let texts = [
        // A variable can have other values than its default.
        "variable \"a\" {\n  default = null\n}\noutput \"a\" {\n  value = var.a.b\n}\n",
        "variable \"a\" {\n  default = []\n}\noutput \"a\" {\n  value = var.a[0]\n}\n",
        // A provider sets attributes.
        "resource \"aws_x\" \"a\" {\n  lifecycle {\n    postcondition {\n      condition = self.id != \"\" && self.b[0].c\n      error_message = self.why\n    }\n  }\n}\n",
        "resource \"aws_x\" \"a\" {\n  count = 2\n}\noutput \"a\" {\n  value = [resource.aws_x.a[0].id, resource.aws_x.a[*].b]\n}\n",
        // Files can be created later.
        "output \"a\" {\n  value = [file(\"main.tf\"), file(\"/none/x\"), templatefile(\"../outside/none\", {}), abspath(\".\"), fileset(\".\", \"*\")]\n}\n",
        "output \"a\" {\n  value = try(file(\"none\"), 1) == 1 ? 1 : [1][0]\n}\n",
        // Functions and attributes of providers.
        "terraform {\n  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n    http = \"1.0\"\n  }\n}\noutput \"a\" {\n  value = [provider::aws::arn_parse(\"x\").region, provider::http::get(1)]\n}\n",
        "terraform {\n  backend \"s3\" {\n    key = \"a\"\n  }\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n      configuration_aliases = [aws.west]\n    }\n  }\n}\n",
        // Other modules.
        "module \"a\" {\n  source = \"hashicorp/a/b\"\n  x = 1\n}\noutput \"a\" {\n  value = module.a.x[0].y\n}\n",
        "module \"a\" {\n  source = \"../outside\"\n  x = 1\n}\noutput \"a\" {\n  value = module.a.x[0].y\n}\n",
        // Blocks that define names.
        "removed {\n  from = aws_x.a\n  lifecycle {\n    destroy = false\n  }\n  provisioner \"local-exec\" {\n    when = destroy\n    command = \"${self.id}${each.key}\"\n  }\n}\n",
        "import {\n  for_each = toset([\"a\", \"b\"])\n  to = aws_x.a[each.key]\n  id = each.value\n}\nresource \"aws_x\" \"a\" {\n  for_each = toset([\"a\", \"b\"])\n}\n",
        "provider \"http\" {\n  alias = \"a\"\n}\ncheck \"a\" {\n  data \"http\" \"x\" {\n    provider = http.a\n    url = \"x\"\n  }\n  assert {\n    condition = data.http.x.status == 200\n    error_message = \"No.\"\n  }\n}\n",
        // Old types.
        "variable \"a\" {\n  type = list\n}\nvariable \"b\" {\n  type = map\n}\noutput \"a\" {\n  value = [var.a[0], var.b.x]\n}\n",
        // Arguments that are not evaluated.
        r#"resource "aws_x" "a" {
  count      = 2
  depends_on = [aws_x.b, "aws_x.b", module.m, var.a, path.module]
  lifecycle {
    create_before_destroy = "true"
    prevent_destroy       = false
    ignore_changes        = [tags["a"], "b[0].c", none]
    replace_triggered_by  = [aws_x.b, aws_x.c[count.index].id, data.aws_x.d]
    precondition {
      condition     = var.a
      error_message = "No."
    }
  }
}
resource "aws_x" "b" {
  lifecycle {
    ignore_changes = all
  }
}
resource "aws_x" "c" {
  count = 2
}
data "aws_x" "d" {
  depends_on = []
}
module "m" {
  source  = "a/b/c"
  version = "~> 1.0, != 1.2.0-beta.1+x, >=v1"
}
variable "a" {}
"#,
        "terraform {\n  required_version = \" >= 1.0, <2 \"\n}\n",
    ];
    let tofu = [
        "resource \"aws_x\" \"a\" {\n  lifecycle {\n    prevent_destroy = var.a\n    enabled         = var.a\n  }\n}\nvariable \"a\" {}\n",
        "variable \"a\" {}\nmodule \"a\" {\n  source = \"./${var.a}\"\n}\nprovider \"aws\" {\n  alias = \"x\"\n  for_each = toset([\"a\"])\n  region = each.key\n}\noutput \"a\" {\n  value = tofu.workspace\n}\n",
    ];
    for text in texts {
        let folder = Folder::with(&[("main/main.tf", text), ("outside/main.tf", "broken {")]);
        assert_eq!(reported(&folder, &["main"]), "", "{text}");
    }
    for text in tofu {
        let folder = Folder::with(&[("main/main.tf", text), ("outside/main.tf", "broken {")]);
        assert_eq!(reported(&folder, &["--language", "opentofu", "main"]), "", "{text}");
        assert_ne!(reported(&folder, &["main"]), "", "{text}");
    }
}

#[test]
fn values_that_break_conditions_are_reported() {
    let positive = "variable \"n\" {\n  type = number\n  validation {\n    condition     = var.n > 0\n    error_message = \"n must be positive.\"\n  }\n}\noutput \"n\" {\n  value = var.n\n}\n";
    let call = "module \"m\" {\n  source = \"./m\"\n  n      = -1\n}\n";
    let folder = Folder::with(&[("main.tf", call), ("m/main.tf", positive)]);
    snapbox::assert_data_eq!(
        reported(&folder, &["."]),
        str![[r#"
m/main.tf:4: condition-failed: module.m.var.n: n must be positive.

"#]]
    );
    let folder = Folder::with(&[("main.tf", positive), ("terraform.tfvars", "n = -1\n")]);
    snapbox::assert_data_eq!(
        reported(&folder, &["."]),
        str![[r#"
main.tf:4: condition-failed: var.n: n must be positive. A validation accepts this, but a plan with these values fails.

"#]]
    );
}

#[test]
fn with_syntax_errors_or_excluded_files_only_the_syntax_is_checked() {
    let folder =
        Folder::with(&[("main.tf", "locals {\n  a = local.b\n}\n"), ("other.tf", "locals {\n  b = \n}\n")]);
    let found = reported(&folder, &["."]);
    assert!(found.starts_with("other.tf:2: ") && found.lines().count() == 1, "{found}");
    assert_eq!(reported(&folder, &[".", "--exclude", "other.tf"]), "");
}

const UNDEFINED: &str = "output \"a\" {\n  value = local.b\n}\n";

/// A repository cannot switch off the check of a module: it is checked without files that are skipped, and the report says so.
#[test]
fn modules_are_checked_without_skipped_files() {
    for by in [".gitignore", ".ignore", ".hclignore", ".git/info/exclude"] {
        let folder = Folder::with(&[
            ("m/main.tf", UNDEFINED),
            ("m/made.tf", "locals {\n  b = 1\n}\n"),
            (by, "made.tf\n"),
        ]);
        assert!(reported(&folder, &["."]).starts_with("m/main.tf:2: "));
        let last = format!(
            "Checked 1 file: 1 error in 1 file (1 file ignored by {by}: the module in m was checked without them; use --no-ignore to check them)\n"
        );
        let report = folder.command(&["check", "."]).output().unwrap();
        assert!(String::from_utf8_lossy(&report.stdout).ends_with(&last), "{report:?}");
        assert_eq!(reported(&folder, &["--no-ignore", "."]), "");
        let reason = format!("ignored by {by}");
        for (format, shown) in [
            ("json", format!("\"file\":\"m/made.tf\",\"message\":\"{reason}\"")),
            ("sarif", format!("m/made.tf was skipped: {reason}")),
        ] {
            let report = folder.command(&["check", ".", "--report", format, "--compact"]).output().unwrap();
            assert!(String::from_utf8_lossy(&report.stdout).contains(&shown), "{report:?}");
        }
        folder.write(by, "*\n");
        let nothing = folder.command(&["check", "."]).assert().code(2);
        let message = String::from_utf8_lossy(&nothing.get_output().stderr).into_owned();
        assert!(message.contains("ignored by") && message.contains("--no-ignore"), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn modules_are_checked_with_odd_files_beside_them() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::with(&[("m/main.tf", UNDEFINED), ("other.tf", "")]);
    let odd = |name: &[u8], text: &str| {
        std::fs::write(folder.path("m").join(std::ffi::OsStr::from_bytes(name)), text).unwrap();
    };
    odd(b"\xff.tf", "locals {\n  c = local.d\n}\n");
    let found = reported(&folder, &["."]);
    assert!(found.contains("`local.b`") && found.contains("`local.d`"), "{found}");
    odd(b"\xfe.tf", "locals {\n  d = 1\n}\noutput \"c\" {\n  value = local.c\n}\n");
    let found = reported(&folder, &["."]);
    assert!(found.contains("`local.b`") && found.lines().count() == 1, "{found}");
    std::os::unix::fs::symlink("/dev/null", folder.path("m/outside.tf")).unwrap();
    std::os::unix::fs::symlink(".", folder.path("m/special.tf")).unwrap();
    let report = folder.command(&["check", "."]).assert().code(1);
    let text = String::from_utf8_lossy(&report.get_output().stdout).into_owned();
    assert!(text.contains("`local.b`"), "{text}");
    assert!(text.contains("1 file not regular") && text.contains("in m was checked without them)"), "{text}");
}

#[test]
fn errors_of_a_called_module_are_reported_once() {
    let folder = Folder::with(&[
        ("main.tf", "module \"a\" {\n  source = \"./m\"\n}\nmodule \"b\" {\n  source = \"./m\"\n}\n"),
        ("m/main.tf", "output \"x\" {\n  value = local.none\n}\n"),
    ]);
    assert_eq!(reported(&folder, &["."]), "m/main.tf:2: unknown-variable: `local.none` is not defined.\n");
    assert_eq!(reported(&main("output \"x\" {\n  value = 1\n}\n"), &[]), "");
}

/// Only the results of a root module must be declared as sensitive if they are, and must not be ephemeral.
#[test]
fn results_of_called_modules_can_be_sensitive_and_ephemeral() {
    let inner = r#"variable "token" {
  sensitive = true
  ephemeral = true
}

variable "name" {
  sensitive = true
}

output "token" {
  value     = var.token
  ephemeral = true
}

output "name" {
  value = var.name
}
"#;
    let main = "module \"m\" {\n  source = \"./m\"\n  name   = \"a\"\n  token  = null\n}\n";
    let folder = Folder::with(&[("main.tf", main), ("m/main.tf", inner)]);
    folder.hcl(&["check"]).success().stdout_eq("Checked 2 files: no problems found\n");
    folder.hcl(&["check", "--report", "github", "m"]).code(1).stdout_eq(str![[r#"
::error file=m/main.tf,line=11,endLine=11,col=15,endColumn=23,title=Result is sensitive [sensitive-result]::The value of `token` is derived from a sensitive value. Set `sensitive = true`, or use `nonsensitive` if it can be shown.
::error file=m/main.tf,line=11,endLine=11,col=15,endColumn=23,title=Result is ephemeral [ephemeral-result]::The value of `token` is ephemeral. Results of the root module cannot be ephemeral.
::error file=m/main.tf,line=16,endLine=16,col=11,endColumn=18,title=Result is sensitive [sensitive-result]::The value of `name` is derived from a sensitive value. Set `sensitive = true`, or use `nonsensitive` if it can be shown.

"#]]);
}

/// `terraform plan -generate-config-out` writes the block that is missing.
#[test]
fn imports_do_not_need_a_block() {
    let folder = main("import {\n  to = aws_instance.web\n  id = \"i-1\"\n}\n");
    folder.hcl(&["check"]).code(0);
    folder.hcl(&["eval", "."]).code(1);
}

/// A called module with files of `OpenTofu` makes the check of its caller one of `OpenTofu`, also when the only errors are names that
/// Terraform's files do not declare.
#[test]
fn names_can_be_declared_in_files_of_opentofu() {
    let main = "module \"m\" {\n  source = \"./m\"\n}\noutput \"b\" {\n  value = module.m.a\n}\n";
    let inner = "output \"a\" {\n  value = [local.x, var.y, data.z.z.id, module.n.c]\n}\n";
    let more = "locals {\n  x = 1\n}\nvariable \"y\" {\n  default = 1\n}\ndata \"z\" \"z\" {}\nmodule \"n\" {\n  source = \"../n\"\n}\n";
    let files = [("main.tf", main), ("m/main.tf", inner), ("n/main.tf", "output \"c\" {\n  value = 1\n}\n")];
    let errors = |files: &[(&str, &str)]| {
        let folder = Folder::with(files);
        let output = folder.hcl(&["check", "--report", "json", "."]).get_output().stdout.clone();
        String::from_utf8(output).unwrap().matches("\"unknown-variable\"").count()
    };
    assert_eq!(errors(&files), 4);
    assert_eq!(errors(&[&files[..], &[("m/more.tofu", more)]].concat()), 0);
    assert_eq!(errors(&[&files[..], &[("m/more.tf", more)]].concat()), 0);
}

/// Outside of a repository, only what is specified is read.
#[test]
fn modules_above_are_read_if_they_are_specified() {
    let example = "module \"all\" {\n  source = \"../../\"\n  size   = 1\n}\n";
    let folder = Folder::with(&[("main.tf", "variable \"sise\" {}\n"), ("examples/small/main.tf", example)]);
    folder
        .hcl(&["check", "examples/small"])
        .success()
        .stdout_eq("Checked 1 file: no problems found\n")
        .stderr_eq("note: 1 module is not available: ../../; to read it, specify its directory, too\n");
    let all = reported(&folder, &["examples/small", "main.tf"]);
    assert!(all.contains("unsupported-input"), "{all}");
}

/// Terraform and OpenTofu say the same.
#[test]
fn dots_are_no_sources() {
    for dots in [".", ".."] {
        let call = format!("module \"all\" {{\n  source = \"{dots}\"\n}}\n");
        let folder = Folder::with(&[("main.tf", ""), ("a/main.tf", &call)]);
        let all = reported(&folder, &["a", "main.tf"]);
        assert!(all.contains(&format!("For a local directory, write `{dots}/`.")), "{all}");
    }
}

#[test]
fn variables_that_test_files_refer_to_are_not_unused() {
    let folder = Folder::with(&[
        ("main.tf", "variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\n"),
        (
            "tests/main.tftest.hcl",
            "provider \"aws\" {\n  region = var.a\n}\nrun \"one\" {\n  variables {\n    d = var.b\n  }\n}\n",
        ),
    ]);
    let found = reported(&folder, &["."]);
    let unused: Vec<&str> = found.lines().filter(|line| line.contains("unused-declaration")).collect();
    assert_eq!(unused, ["main.tf:3: unused-declaration: Nothing in this directory refers to `var.c`."]);
}

/// Also in files that no module reads by itself; what the check of a module finds, too, is reported once.
#[test]
fn values_of_variables_must_be_literal() {
    let wrong = "a = var.q\nb = [upper(\"x\")]\nblk {\n}\n";
    let folder = Folder::with(&[
        (
            "main.tf",
            "variable \"a\" {\n}\nvariable \"b\" {\n}\noutput \"o\" {\n  value = [var.a, var.b]\n}\n",
        ),
        ("prod.tfvars", wrong),
        ("terraform.tfvars", wrong),
        ("good.tfvars", "a = { b = -1, c = \"x\" }\n"),
        ("p.pkrvars.hcl", "a = local.x\n"),
    ]);
    let count = |words: &[&str]| {
        let output = folder.command(&[&["check"], words].concat()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).matches("error[").count()
    };
    assert_eq!(count(&["prod.tfvars"]), 3);
    assert_eq!(count(&["terraform.tfvars"]), 3);
    assert_eq!(count(&["."]), 7);
    assert_eq!(count(&["good.tfvars"]), 0);
    assert_eq!(count(&["--syntax-only", "prod.tfvars"]), 0);
    folder.hcl_reading(&["check", "--stdin-name", "x.tfvars", "-"], "a = var.q\n").code(1);
    // There, strings are no templates.
    let json = "{\"a\": \"${var.q}\"}";
    folder.hcl_reading(&["check", "--stdin-name", "x.tfvars.json", "-"], json).success();
}

#[test]
fn what_terragrunt_may_generate_is_a_warning() {
    let unit = "terraform {\n  source = \"../m\"\n}\n";
    let generate = |contents: &str| {
        format!(
            "generate \"more\" {{\n  path      = \"more.tf\"\n  if_exists = \"overwrite\"\n  contents  = {contents}\n}}\n"
        )
    };
    let include = format!("include \"all\" {{\n  path = find_in_parent_folders(\"all.hcl\")\n}}\n{unit}");
    let module = "output \"o\" {\n  value = var.region\n}\n";
    let declares = generate("<<EOF\nvariable \"region\" {}\nEOF\n");
    let others = generate("<<EOF\nprovider \"aws\" {}\nEOF\n");
    let computed = generate("file(\"more.tf\")");
    for (live, all, is_generated) in [
        (format!("{unit}{declares}"), "", true),
        (format!("{unit}{computed}"), "", true),
        (format!("{unit}{others}"), "", false),
        (unit.to_owned(), declares.as_str(), false),
        (include.clone(), declares.as_str(), true),
        (include, others.as_str(), false),
    ] {
        let files = [("live/terragrunt.hcl", live.as_str()), ("all.hcl", all), ("m/main.tf", module)];
        let found = reported(&Folder::with(&files), &["."]);
        assert!(found.contains("`var.region` is not defined."), "{live}: {found}");
        assert_eq!(
            found.contains("A file that Terragrunt generates may declare it."),
            is_generated,
            "{live}"
        );
    }
}

/// Where it is certain which name is meant, there is a fix, and no error is left after all of them. The missing input is there then.
#[test]
fn names_that_are_certain_have_fixes() {
    let text = "variable \"region\" {\n  type    = \"string\"\n  default = \"eu\"\n}\nlocals {\n  prefix = var.regin\n}\nmodule \"m\" {\n  source = \"./m\"\n  zon    = local.prefx\n}\ndata \"terraform_remote_state\" \"net\" {\n  backend = \"local\"\n}\nresource \"terraform_data\" \"x\" {\n  input = terraform_remote_state.net.outputs\n}\noutput \"o\" {\n  value = [module.m.idd, data.terraform_data.x.output]\n}\n";
    let folder = Folder::with(&[
        ("main.tf", text),
        ("m/main.tf", "variable \"zone\" {\n}\noutput \"id\" {\n  value = var.zone\n}\n"),
    ]);
    let ended = folder.hcl(&["check", "--report", "json"]).code(1);
    let json: serde_json::Value = serde_json::from_slice(&ended.get_output().stdout).unwrap();
    let mut edits = Vec::new();
    for own in json["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|own| own["severity"] == "error" && own["code"] != "missing-input")
    {
        let found = own["fix"]["edits"].as_array().unwrap_or_else(|| panic!("{own:#}"));
        edits.extend(found.iter().map(|edit| {
            let at = |end: &str| usize::try_from(edit["range"][end]["byte"].as_u64().unwrap()).unwrap();
            (at("start"), at("end"), edit["replacement"].as_str().unwrap().to_owned())
        }));
    }
    edits.sort();
    edits.dedup();
    let mut fixed = text.to_owned();
    for (start, end, new) in edits.iter().rev() {
        fixed.replace_range(start..end, new);
    }
    for part in [
        "= var.region",
        "zone    = local.prefix",
        "= data.terraform_remote_state.net",
        "[module.m.id, terraform_data.x",
    ] {
        assert!(fixed.contains(part), "{fixed}");
    }
    folder.write("main.tf", &fixed);
    folder.hcl(&["check"]).success();
    // What is set already is not set twice, and what two names are near to is not certain.
    folder.write("main.tf", "module \"m\" {\n  source = \"./m\"\n  zone   = 1\n  zon    = 2\n}\n");
    let ended = folder.hcl(&["check", "--report", "json"]).code(1);
    let json: serde_json::Value = serde_json::from_slice(&ended.get_output().stdout).unwrap();
    assert_eq!(json["diagnostics"][0]["fix"], serde_json::Value::Null, "{json:#}");
}
