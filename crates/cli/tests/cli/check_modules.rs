//! `hcl check` of directories that are modules. It reports only certain errors.

use crate::program::Folder;
use snapbox::str;

/// Returns the place, the code and the note of each diagnostic of `hcl check`.
fn reported(folder: &Folder, args: &[&str]) -> String {
    let output = folder.command(&["check", "--format", "json"]).args(args).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let line = |found: &serde_json::Value| {
        let (file, line) = (found["file"].as_str().unwrap_or_default(), &found["range"]["start"]["line"]);
        format!("{file}:{line}: {}: {}\n", found["code"].as_str().unwrap(), found["detail"].as_str().unwrap())
    };
    report["diagnostics"].as_array().unwrap().iter().map(line).collect()
}

fn main(text: &str) -> Folder {
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
warning[unused-declaration]: Unused declaration
 --> main.tf:1:1
  |
1 | variable "unused" {}
  | ^^^^^^^^^^^^^^^^^
  |
  = note: Nothing in this directory refers to `var.unused`.

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

error[invalid-count]: Invalid count argument
  --> main.tf:13:11
   |
13 |   count = -1
   |           ^^
   |
   = note: The value is -1. A whole number that is not negative is required.

Checked 2 files: 4 errors and 1 warning in 1 file

"#]]);
    folder.hcl(&["check", "--syntax-only"]).success().stdout_eq("Checked 2 files: no problems found\n");
    // A file is not a module.
    folder.hcl(&["check", "main.tf"]).success().stdout_eq("Checked 1 file: no problems found\n");
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
main.tf:8: reference-cycle: These definitions refer to each other in a cycle: `local.a` → `local.b` → `local.a`.
main.tf:9: unknown-variable: `local.none` is not defined.
main.tf:10: unknown-variable: `var.none` is not defined.
main.tf:10: unknown-variable: There is no variable named `gone_thing`.
main.tf:11: unknown-variable: `local.dead` is not defined.
main.tf:15: unknown-variable: `local.undefined` is not defined.
main.tf:16: unknown-variable: `aws_x.gone` is not defined. Did you mean `aws_x.none`?
main.tf:22: unknown-variable: There is no variable named `setting`.
main.tf:23: unknown-variable: `local.inner` is not defined.
main.tf:28: unknown-variable: There is no variable named `aws_q`. Did you mean `aws_x`?
main.tf:32: unknown-variable: `var.zz` is not defined.
main.tf:38: invalid-variable: The value of `size` for the module `m` does not have the type of the variable: a number is required.
main.tf:43: unsupported-attribute: This object has no attribute named `indez`. Did you mean `index`?
main.tf:46: unsupported-attribute: This object has no attribute named `nope`.

"#]]
    );
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
        "output \"a\" {\n  value = [file(\"none\"), templatefile(\"none\", {}), abspath(\".\"), fileset(\".\", \"*\")]\n}\n",
        "output \"a\" {\n  value = try(file(\"none\"), 1) == 1 ? 1 : [1][0]\n}\n",
        // Functions and attributes of providers.
        "output \"a\" {\n  value = provider::aws::arn_parse(\"x\").region\n}\n",
        "terraform {\n  backend \"s3\" {\n    key = \"a\"\n  }\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n      configuration_aliases = [aws.west]\n    }\n  }\n}\n",
        // Other modules.
        "module \"a\" {\n  source = \"hashicorp/a/b\"\n  x = 1\n}\noutput \"a\" {\n  value = module.a.x[0].y\n}\n",
        "module \"a\" {\n  source = \"../outside\"\n  x = 1\n}\noutput \"a\" {\n  value = module.a.x[0].y\n}\n",
        // Blocks that define names.
        "removed {\n  from = aws_x.a\n  lifecycle {\n    destroy = false\n  }\n  provisioner \"local-exec\" {\n    when = destroy\n    command = \"${self.id}${each.key}\"\n  }\n}\n",
        "import {\n  for_each = [\"a\", \"b\"]\n  to = aws_x.a[each.key]\n  id = each.value\n}\nresource \"aws_x\" \"a\" {\n  for_each = toset([\"a\", \"b\"])\n}\n",
        "check \"a\" {\n  data \"http\" \"x\" {\n    provider = http.a\n    url = \"x\"\n  }\n  assert {\n    condition = data.http.x.status == 200\n    error_message = \"No.\"\n  }\n}\n",
        // Old types.
        "variable \"a\" {\n  type = list\n}\nvariable \"b\" {\n  type = map\n}\noutput \"a\" {\n  value = [var.a[0], var.b.x]\n}\n",
        // Arguments that are not evaluated.
        r#"resource "aws_x" "a" {
  count      = 2
  depends_on = [aws_x.b, "aws_x.b", module.m, var.a, path.module]
  lifecycle {
    create_before_destroy = "true"
    prevent_destroy       = var.a
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
    enabled        = var.a
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
        // OpenTofu.
        "variable \"a\" {}\nmodule \"a\" {\n  source = \"./${var.a}\"\n}\nprovider \"aws\" {\n  alias = \"x\"\n  for_each = toset([\"a\"])\n  region = each.key\n}\noutput \"a\" {\n  value = tofu.workspace\n}\n",
    ];
    for text in texts {
        let folder = Folder::with(&[("main/main.tf", text), ("outside/main.tf", "broken {")]);
        assert_eq!(reported(&folder, &["main"]), "", "{text}");
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
main.tf:4: condition-failed: var.n: n must be positive.

"#]]
    );
}

#[test]
fn with_syntax_errors_or_skipped_files_only_the_syntax_is_checked() {
    let folder =
        Folder::with(&[("main.tf", "locals {\n  a = local.b\n}\n"), ("other.tf", "locals {\n  b = \n}\n")]);
    let found = reported(&folder, &["."]);
    assert!(found.starts_with("other.tf:2: ") && found.lines().count() == 1, "{found}");
    assert_eq!(reported(&folder, &[".", "--exclude", "other.tf"]), "");
    let ignored = Folder::with(&[
        ("main.tf", "locals {\n  a = local.b\n}\noutput \"a\" {\n  value = local.a\n}\n"),
        ("made.tf", "locals {\n  b = 1\n}\n"),
        (".gitignore", "made.tf\n"),
    ]);
    assert_eq!(reported(&ignored, &["."]), "");
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

/// Only results of a root module must not be sensitive without saying so, or ephemeral.
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
    folder.hcl(&["check", "--format", "github", "m"]).code(1).stdout_eq(str![[r#"
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

/// Terraform reports each of these in a module that needs no provider.
#[test]
fn arguments_that_are_not_evaluated_are_checked() {
    let folder = Folder::with(&[
        (
            "main.tf",
            r#"resource "terraform_data" "a" {
  depends_on = terraform_data.b
}
resource "terraform_data" "b" {
  depends_on = [
    terraform_data.none,
    "terraform_data.gone",
    "terraform_data.a",
    "not a reference!",
    upper("a"),
    null,
    terraform_data.a[*],
    terraform_data.a["k"].id,
    data.terraform_remote_state.s.outputs,
    resource.terraform_data.a,
    module.m.x,
  ]
}
data "terraform_remote_state" "s" {
  backend    = "local"
  depends_on = ["module.n"]
}
module "m" {
  source     = "./m"
  version    = "1.0.0"
  depends_on = [module]
}
module "r" {
  source     = "hashicorp/a/b"
  version    = "=> 1.0"
  depends_on = [terraform_data.a.output]
}
output "o" {
  value      = 1
  depends_on = [1]
}
terraform {
  required_version = ">= 1.x"
}
resource "terraform_data" "c" {
  lifecycle {
    prevent_destory      = true
    prevent_destroy      = "no"
    ignore_changes       = ["*"]
    replace_triggered_by = [local.l, "terraform_data.a", terraform_data.a.id]
  }
}
resource "terraform_data" "d" {
  lifecycle {
    ignore_changes       = [tags, input, "output", upper("a"), terraform_data.d.input]
    replace_triggered_by = terraform_data.a
    dynamic "precondition" {
      for_each = []
    }
  }
}
resource "terraform_data" "e" {
  lifecycle {
    ignore_changes = "all"
  }
}
locals {
  l = 1
}
"#,
        ),
        (
            "more.tf.json",
            r#"{ "output": { "p": { "value": 1, "depends_on": [
  "terraform_data.a",
  "terraform_data.f",
  "terraform_data.a.id"
] } } }"#,
        ),
        ("m/main.tf", "output \"x\" {\n  value = 1\n}\n"),
    ]);
    snapbox::assert_data_eq!(
        reported(&folder, &["."]),
        str![[r#"
main.tf:2: invalid-meta-argument: `depends_on` must be a list, written as `[module.network]`.
main.tf:6: unknown-variable: `terraform_data.none` is not defined.
main.tf:7: invalid-meta-argument: `depends_on` refers to `terraform_data.gone`, which is not declared.
main.tf:9: invalid-meta-argument: The elements of `depends_on` must be references, such as `module.network`.
main.tf:10: invalid-meta-argument: The elements of `depends_on` must be references, such as `module.network`.
main.tf:11: invalid-meta-argument: The elements of `depends_on` must be references, such as `module.network`.
main.tf:12: invalid-meta-argument: The elements of `depends_on` must be references, such as `module.network`.
main.tf:13: invalid-meta-argument: `depends_on` must refer to whole objects. Write `terraform_data.a["k"]`.
main.tf:14: invalid-meta-argument: `depends_on` must refer to whole objects. Write `data.terraform_remote_state.s`.
main.tf:21: invalid-meta-argument: `depends_on` refers to `module.n`, which is not declared.
main.tf:25: invalid-meta-argument: Only modules of a registry have versions. Remove `version`, because the source is a directory.
main.tf:26: incomplete-reference: `module` is not a value. Refer to what has one, as in `module.name`.
main.tf:30: invalid-meta-argument: `version` must be a version constraint, such as `"~> 1.2"` or `">= 1.2, < 2.0"`.
main.tf:31: invalid-meta-argument: `depends_on` must refer to whole objects. Write `terraform_data.a`.
main.tf:35: invalid-meta-argument: The elements of `depends_on` must be references, such as `module.network`.
main.tf:38: invalid-meta-argument: `required_version` must be a version constraint, such as `"~> 1.2"` or `">= 1.2, < 2.0"`.
main.tf:42: unsupported-argument: An argument named `prevent_destory` is not expected here. Did you mean `prevent_destroy`?
main.tf:43: invalid-meta-argument: `prevent_destroy` must be `true` or `false`.
main.tf:44: invalid-meta-argument: `"*"` is not supported. To ignore all changes, write `ignore_changes = all`.
main.tf:45: invalid-meta-argument: `replace_triggered_by` must refer to resources or their attributes, without quotes. For another value, refer to a `terraform_data` resource that has it in `triggers_replace`.
main.tf:45: invalid-meta-argument: `replace_triggered_by` must refer to resources or their attributes, without quotes. For another value, refer to a `terraform_data` resource that has it in `triggers_replace`.
main.tf:50: invalid-meta-argument: `ignore_changes` must name attributes of its own block. There is no `tags`; the attributes are `input`, `triggers_replace`.
main.tf:50: invalid-meta-argument: The elements of `ignore_changes` must be references, such as `tags`.
main.tf:50: invalid-meta-argument: `ignore_changes` must name attributes of its own block, without `terraform_data.d`.
main.tf:51: invalid-meta-argument: `replace_triggered_by` must be a list, written as `[terraform_data.example]`.
main.tf:52: unsupported-block: Blocks of type `dynamic` are not expected here.
main.tf:59: invalid-meta-argument: `ignore_changes` must be a list, written as `[tags]`.
more.tf.json:3: invalid-meta-argument: `depends_on` refers to `terraform_data.f`, which is not declared.
more.tf.json:4: invalid-meta-argument: `depends_on` must refer to whole objects. Write `terraform_data.a`.

"#]]
    );
}

#[test]
fn references_name_what_they_refer_to() {
    let folder = main(
        r#"variable "v" {}
locals {
  a = var
  b = [for k, v in var : try(local, v)]
  c = [path, terraform, module, data, resource]
  d = var["v"]
  e = [for var in [1] : var]
}
resource "terraform_data" "x" {
  for_each = {}
  input    = each
}
resource "terraform_data" "y" {
  count = 1
  input = [count, local.a, local.b, local.c, local.d, local.e]
}
module "m" {
  source = "./m"
}
data "terraform_remote_state" "s" {
  backend = "local"
}
output "o" {
  value = [terraform_data, data.terraform_remote_state, resource.terraform_data, resource.terraform_data.x]
}
"#,
    );
    snapbox::assert_data_eq!(
        reported(&folder, &["."]),
        str![[r#"
main.tf:3: incomplete-reference: `var` is not a value. Refer to what has one, as in `var.name`.
main.tf:4: incomplete-reference: `var` is not a value. Refer to what has one, as in `var.name`.
main.tf:4: reference-cycle: `local.b` refers to itself.
main.tf:4: incomplete-reference: `local` is not a value. Refer to what has one, as in `local.name`.
main.tf:5: incomplete-reference: `path` is not a value. Refer to what has one, as in `path.module`.
main.tf:5: incomplete-reference: `terraform` is not a value. Refer to what has one, as in `terraform.workspace`.
main.tf:5: incomplete-reference: `module` is not a value. Refer to what has one, as in `module.name`.
main.tf:5: incomplete-reference: `data` is not a value. Refer to what has one, as in `data.type.name`.
main.tf:5: reference-cycle: These definitions refer to each other in a cycle: `local.c` → `resource.terraform_data.y` → `local.c`.
main.tf:5: incomplete-reference: `resource` is not a value. Refer to what has one, as in `resource.type.name`.
main.tf:6: incomplete-reference: `var` is not a value. Refer to what has one, as in `var.name`.
main.tf:11: incomplete-reference: `each` is not a value. Refer to what has one, as in `each.key`.
main.tf:15: incomplete-reference: `count` is not a value. Refer to what has one, as in `count.index`.
main.tf:18: invalid-module-source: There is no directory m.
main.tf:24: incomplete-reference: `terraform_data` is not a value. Refer to what has one, as in `terraform_data.name`.
main.tf:24: incomplete-reference: `data` is not a value. Refer to what has one, as in `data.type.name`.
main.tf:24: incomplete-reference: `resource` is not a value. Refer to what has one, as in `resource.type.name`.

"#]]
    );
    // In Packer, they are values.
    let folder = Folder::with(&[(
        "main.pkr.hcl",
        "variable \"v\" {\n  default = \"a\"\n}\nlocals {\n  a = var\n  b = local.a.v\n}\nsource \"null\" \"x\" {\n  communicator = local.b\n}\n",
    )]);
    assert_eq!(reported(&folder, &["."]), "");
}

/// In the JSON syntax, references are always in quotes.
#[test]
fn references_in_json_are_in_quotes() {
    let text = r#"{ "resource": { "aws_x": {
  "a": { "count": 1 },
  "b": { "count": 1, "depends_on": ["aws_x.a"], "lifecycle": {
    "ignore_changes": ["tags"],
    "replace_triggered_by": ["aws_x.a[count.index].id"]
  } }
} } }"#;
    assert_eq!(reported(&Folder::with(&[("main.tf.json", text)]), &["."]), "");
}

#[test]
fn a_module_has_one_backend() {
    let other = ("other.tf", "terraform {\n  backend \"s3\" {}\n}\n");
    let main = "terraform {\n  backend \"local\" {}\n  cloud {}\n}\n";
    let folder = Folder::with(&[("main.tf", main), other]);
    snapbox::assert_data_eq!(
        reported(&folder, &["."]),
        str![[r#"
main.tf:3: duplicate-declaration: A module cannot have both `backend` and `cloud` blocks. Remove one of them.
other.tf:2: duplicate-declaration: A module can have only one `backend` block. Remove one of them.

"#]]
    );
    let main = "terraform {\n  backend \"local\" {}\n}\n";
    let folder = Folder::with(&[("main.tf", main), ("override.tf", other.1)]);
    assert_eq!(reported(&folder, &["."]), "");
}

/// `OpenTofu` allows references to variables and local values.
#[test]
fn sources_of_modules_are_known_before_anything_else() {
    let folder = main(
        r#"resource "terraform_data" "a" {}
data "terraform_remote_state" "b" {
  backend = "local"
  lifecycle {
    prevent_destroy = true
    ignore_changes  = all
  }
}
module "c" {
  source = terraform_data.a.output
}
module "d" {
  source = null
}
module "e" {
  source = "network"
}
module "f" {
  source = ""
}
"#,
    );
    snapbox::assert_data_eq!(
        reported(&folder, &["."]),
        str![[r#"
main.tf:5: invalid-meta-argument: `prevent_destroy` is only for `resource` blocks. Remove it from the `data` block.
main.tf:6: invalid-meta-argument: `ignore_changes` is only for `resource` blocks. Remove it from the `data` block.
main.tf:10: invalid-module-source: The source of a module must be a literal string.
main.tf:13: invalid-module-source: The source of a module must be a literal string.
main.tf:16: invalid-module-source: `network` is neither an address in a registry nor a URL. For a local directory, write `./network`.
main.tf:19: invalid-module-source: The source of a module must not be empty.

"#]]
    );
    let tofu =
        "module \"a\" {\n  source = terraform_data.b.output\n}\nresource \"terraform_data\" \"b\" {}\n";
    snapbox::assert_data_eq!(
        reported(&Folder::with(&[("main.tofu", tofu)]), &["."]),
        str![[r#"
main.tofu:2: invalid-module-source: The source of a module must be a string that depends only on variables and local values.

"#]]
    );
}
