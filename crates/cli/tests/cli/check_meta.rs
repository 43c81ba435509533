//! `hcl check` of what modules contain besides values: meta-arguments, sources of modules, and configurations of providers.

use crate::check_modules::{main, reported};
use crate::program::Folder;
use snapbox::str;

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
main.tf:1: reference-cycle: These definitions depend on each other in a cycle: `terraform_data.a` → `terraform_data.b` → `terraform_data.a`. Arguments such as `depends_on`, conditions and provisioners count, too.
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
main.tf:25: invalid-meta-argument: Only modules from a registry have versions. Remove `version`, because the source is a directory.
main.tf:26: incomplete-reference: `module` is not a complete reference. Write, for example, `module.name`.
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

/// Terraform reports the same references, whatever the values of `count` and `for_each` are.
#[test]
fn references_have_the_keys_of_instances() {
    let text = r#"variable "n" {
  default = true
}
resource "terraform_data" "y" {
  count = var.n ? 1 : 0
}
resource "terraform_data" "one" {
  count = 1
}
resource "terraform_data" "f" {
  for_each = toset(["a"])
}
resource "terraform_data" "s" {}
data "terraform_remote_state" "d" {
  count   = 1
  backend = "local"
}
output "x" {
  value = [terraform_data.y.id, try(terraform_data.one.id, 1)]
}
output "y" {
  value = "${terraform_data.f.a.id}${resource.terraform_data.f.id}"
}
output "z" {
  value      = data.terraform_remote_state.d.outputs.id
  depends_on = [terraform_data.y, terraform_data.y[0], terraform_data.s[0]]
}
output "s" {
  value = false ? terraform_data.s[0].id : terraform_data.s["id"]
}
resource "terraform_data" "z" {
  provisioner "local-exec" {
    command = terraform_data.y.id
  }
  lifecycle {
    replace_triggered_by = [terraform_data.y.id, terraform_data.s[0], terraform_data.f]
    precondition {
      condition     = terraform_data.f.id != ""
      error_message = "No."
    }
  }
}
import {
  to = terraform_data.s
  id = terraform_data.y.id
}
moved {
  from = terraform_data.s[0]
  to   = terraform_data.z
}
check "c" {
  assert {
    condition     = terraform_data.y.id != ""
    error_message = "No."
  }
}
"#;
    let accepted = r#"resource "terraform_data" "y" {
  count = 1
}
resource "terraform_data" "f" {
  for_each = toset(["a"])
}
resource "terraform_data" "s" {}
resource "terraform_data" "z" {
  count = length(terraform_data.y)
  input = [terraform_data.y[count.index].id, values(terraform_data.f)[*].id, terraform_data.s.id]
}
output "x" {
  value = [terraform_data.y[*].id, terraform_data.y.*.id, terraform_data.y[0].id, terraform_data.y.0.id, terraform_data.y]
}
output "y" {
  value = [terraform_data.f["a"].id, [for k, v in terraform_data.f : v.id], terraform_data.s[*].id, terraform_data.s]
}
output "z" {
  value = [for terraform_data in [{ y = { id = 1 } }] : terraform_data.y.id]
}
"#;
    let folder = Folder::with(&[
        ("main.tf", text),
        ("accepted/main.tf", accepted),
        (
            "json/main.tf.json",
            r#"{"resource": {"terraform_data": {"y": {"count": 1}, "s": {}}},
  "output": {"x": {"value": "${terraform_data.y.id}",
    "depends_on": ["terraform_data.s[0]", "terraform_data.y[0]"]}}}"#,
        ),
    ]);
    let expected = str![[r#"
main.tf:19: unsupported-attribute: `terraform_data.y` has `count`, so that only its instances have attributes. Write `terraform_data.y[0].id` for one of them, or `terraform_data.y[*].id` for all.
main.tf:19: unsupported-attribute: `terraform_data.one` has `count`, so that only its instances have attributes. Write `terraform_data.one[0].id` for one of them, or `terraform_data.one[*].id` for all.
main.tf:22: unsupported-attribute: `terraform_data.f` has `for_each`, so that only its instances have attributes. Write `terraform_data.f["key"].a.id` or `terraform_data.f[each.key].a.id` for one of them, or `values(terraform_data.f)[*].a.id` for all.
main.tf:22: unsupported-attribute: `resource.terraform_data.f` has `for_each`, so that only its instances have attributes. Write `resource.terraform_data.f["key"].id` or `resource.terraform_data.f[each.key].id` for one of them, or `values(resource.terraform_data.f)[*].id` for all.
main.tf:25: unsupported-attribute: `data.terraform_remote_state.d` has `count`, so that only its instances have attributes. Write `data.terraform_remote_state.d[0].outputs.id` for one of them, or `data.terraform_remote_state.d[*].outputs.id` for all.
main.tf:26: invalid-index: `terraform_data.s` does not have `count` or `for_each`, so that it has no keys. Write `terraform_data.s`.
main.tf:29: invalid-index: `terraform_data.s` does not have `count` or `for_each`, so that it has no keys. Write `terraform_data.s.id`.
main.tf:29: invalid-index: `terraform_data.s` does not have `count` or `for_each`, so that it has no keys. Write `terraform_data.s`.
main.tf:33: unsupported-attribute: `terraform_data.y` has `count`, so that only its instances have attributes. Write `terraform_data.y[0].id` for one of them, or `terraform_data.y[*].id` for all.
main.tf:38: unsupported-attribute: `terraform_data.f` has `for_each`, so that only its instances have attributes. Write `terraform_data.f["key"].id` or `terraform_data.f[each.key].id` for one of them, or `values(terraform_data.f)[*].id` for all.
main.tf:45: unsupported-attribute: `terraform_data.y` has `count`, so that only its instances have attributes. Write `terraform_data.y[0].id` for one of them, or `terraform_data.y[*].id` for all.
main.tf:53: unsupported-attribute: `terraform_data.y` has `count`, so that only its instances have attributes. Write `terraform_data.y[0].id` for one of them, or `terraform_data.y[*].id` for all.
json/main.tf.json:2: unsupported-attribute: `terraform_data.y` has `count`, so that only its instances have attributes. Write `terraform_data.y[0].id` for one of them, or `terraform_data.y[*].id` for all.
json/main.tf.json:3: invalid-index: `terraform_data.s` does not have `count` or `for_each`, so that it has no keys. Write `terraform_data.s`.

"#]];
    snapbox::assert_data_eq!(reported(&folder, &["."]), expected.clone());
    snapbox::assert_data_eq!(reported(&folder, &[".", "--language", "opentofu"]), expected);
}

/// Terraform reports each of these, and OpenTofu does when it plans.
#[test]
fn imports_name_instances() {
    let folder = Folder::with(&[
        (
            "main.tf",
            r#"resource "terraform_data" "s" {}
resource "terraform_data" "y" {
  count = 2
}
resource "terraform_data" "f" {
  for_each = { a = 1 }
}
module "m" {
  source = "./m"
}
import {
  to = terraform_data.s[0]
  id = "a"
}
import {
  to = terraform_data.y
  id = "b"
}
import {
  to = terraform_data.y["a"]
  id = "c"
}
import {
  to = terraform_data.f[0]
  id = "d"
}
import {
  to = module.m.terraform_data.y
  id = "e"
}
import {
  to = terraform_data.s
  id = "f"
}
import {
  to = terraform_data.y[0]
  id = "g"
}
import {
  for_each = { a = 1 }
  to       = terraform_data.f[each.key]
  id       = "h"
}
import {
  to = module.m.terraform_data.y[1]
  id = "i"
}
"#,
        ),
        ("m/main.tf", "resource \"terraform_data\" \"y\" {\n  count = 2\n}\n"),
    ]);
    snapbox::assert_data_eq!(
        reported(&folder, &["."]),
        str![[r#"
main.tf:12: invalid-import: `terraform_data.s` is not repeated, so that it has no keys. Write `terraform_data.s`.
main.tf:16: invalid-import: `terraform_data.y` has `count`, so that only its instances can be imported, such as `terraform_data.y[0]`.
main.tf:20: invalid-import: `terraform_data.y` has `count`, so that only its instances can be imported, such as `terraform_data.y[0]`.
main.tf:24: invalid-import: `terraform_data.f` has `for_each`, so that only its instances can be imported, such as `terraform_data.f["key"]`.
main.tf:28: invalid-import: `module.m.terraform_data.y` has `count`, so that only its instances can be imported, such as `module.m.terraform_data.y[0]`.

"#]]
    );
}

/// Terraform rejects them when it reads the files. OpenTofu evaluates some of them.
#[test]
fn settings_are_constant_in_terraform() {
    let folder = Folder::with(&[
        (
            "main.tf",
            r#"variable "v" {
  default = true
}
terraform {
  backend "local" {
    path          = "${path.module}/${var.v}"
    workspace_dir = upper("x${1}")
  }
}
resource "terraform_data" "a" {
  lifecycle {
    prevent_destroy       = var.v
    create_before_destroy = null
  }
}
resource "terraform_data" "b" {
  lifecycle {
    prevent_destroy       = tobool("true")
    create_before_destroy = "${true}"
  }
}
removed {
  from = terraform_data.c
  lifecycle {
    destroy = var.v
  }
}
"#,
        ),
        ("m/main.tf", "terraform {\n  cloud {\n    workspaces {\n      name = path.root\n    }\n  }\n}\n"),
    ]);
    snapbox::assert_data_eq!(
        reported(&folder, &[".", "--language", "terraform"]),
        str![[r#"
main.tf:6: invalid-meta-argument: The arguments of `backend` must be constant. They cannot refer to other values.
main.tf:7: functions-not-allowed: Functions may not be called here.
main.tf:12: invalid-meta-argument: `prevent_destroy` must be constant. It is read before variables and other values are known.
main.tf:13: invalid-meta-argument: `create_before_destroy` must be `true` or `false`.
main.tf:18: functions-not-allowed: Functions may not be called here.
main.tf:25: invalid-meta-argument: `destroy` must be constant. It is read before variables and other values are known.
m/main.tf:4: invalid-meta-argument: The arguments of `cloud` must be constant. They cannot refer to other values.

"#]]
    );
    snapbox::assert_data_eq!(
        reported(&folder, &[".", "--language", "opentofu"]),
        str![[r#"
main.tf:13: invalid-meta-argument: `create_before_destroy` must be `true` or `false`.
main.tf:25: invalid-meta-argument: `destroy` must be constant. It is read before variables and other values are known.

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
main.tf:3: incomplete-reference: `var` is not a complete reference. Write, for example, `var.name`.
main.tf:4: incomplete-reference: `var` is not a complete reference. Write, for example, `var.name`.
main.tf:4: reference-cycle: `local.b` refers to itself.
main.tf:4: incomplete-reference: `local` is not a complete reference. Write, for example, `local.name`.
main.tf:5: incomplete-reference: `path` is not a complete reference. Write, for example, `path.module`.
main.tf:5: incomplete-reference: `terraform` is not a complete reference. Write, for example, `terraform.workspace`.
main.tf:5: incomplete-reference: `module` is not a complete reference. Write, for example, `module.name`.
main.tf:5: incomplete-reference: `data` is not a complete reference. Write, for example, `data.type.name`.
main.tf:5: reference-cycle: These definitions refer to each other in a cycle: `local.c` → `resource.terraform_data.y` → `local.c`.
main.tf:5: incomplete-reference: `resource` is not a complete reference. Write, for example, `resource.type.name`.
main.tf:6: incomplete-reference: `var` is not a complete reference. Write, for example, `var.name`.
main.tf:11: incomplete-reference: `each` is not a complete reference. Write, for example, `each.key`.
main.tf:15: incomplete-reference: `count` is not a complete reference. Write, for example, `count.index`.
main.tf:18: invalid-module-source: The directory m does not exist.
main.tf:24: incomplete-reference: `terraform_data` is not a complete reference. Write, for example, `terraform_data.name`.
main.tf:24: incomplete-reference: `data` is not a complete reference. Write, for example, `data.type.name`.
main.tf:24: incomplete-reference: `resource` is not a complete reference. Write, for example, `resource.type.name`.

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
main.tf:10: invalid-module-source: The source of a module must be a string that depends only on local values and on variables with `const = true`.
main.tf:13: invalid-module-source: The source of a module must not be null.
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

#[test]
fn configurations_of_providers_are_declared() {
    let folder = Folder::with(&[
        (
            "main.tf",
            r#"provider "aws" {
  alias = "west"
}

provider "aws" {
  alias = "west"
}

resource "aws_instance" "a" {
  provider = aws.wets
}

resource "aws_instance" "b" {
  provider = google.west
}

module "m" {
  source = "./m"
  count  = 2
  providers = {
    aws        = aws.west
    aws.backup = aws.east
    google     = aws.west
  }
}

module "n" {
  source    = "./n"
  providers = [aws]
}
"#,
        ),
        (
            "m/main.tf",
            r#"terraform {
  required_providers {
    aws = {
      source                = "hashicorp/aws"
      configuration_aliases = [aws.backup, aws.log]
    }
  }
}

provider "google" {
  project = "x"
}

resource "aws_s3_bucket" "all" {
  provider = aws.log
}
"#,
        ),
        (
            "n/main.tf",
            r#"import {
  to = aws_instance.a
  id = "i"
}

resource "aws_instance" "a" {
  provider = aws.passed
}
"#,
        ),
    ]);
    folder.hcl(&["check"]).code(1).stdout_eq(str![[r#"
error[duplicate-declaration]: Duplicate declaration
 --> main.tf:5:1
  |
1 | provider "aws" {
  | -------------- The first block is here.
...
5 | provider "aws" {
  | ^^^^^^^^^^^^^^
  |
  = note: Another `provider "aws"` block also has the alias `west`.

error[invalid-provider]: Invalid provider configuration
  --> main.tf:10:14
   |
10 |   provider = aws.wets
   |              ^^^^^^^^
   |
   = note: The provider configuration `aws.wets` is not declared. Did you mean `aws.west`?

error[invalid-provider]: Invalid provider configuration
  --> main.tf:14:14
   |
14 |   provider = google.west
   |              ^^^^^^^^^^^
   |
   = note: The provider configuration `google.west` is not declared. Add a block `provider "google"` with `alias = "west"`, or list it in `configuration_aliases` if callers pass it.

error[invalid-provider]: Invalid provider configuration
  --> main.tf:17:1
   |
17 | module "m" {
   | ^^^^^^^^^^
   |
  ::: m/main.tf:5:44
   |
 5 |       configuration_aliases = [aws.backup, aws.log]
   |                                            ------- The module declares it here.
   |
   = note: The module `m` requires a configuration named `aws.log`. Pass one in `providers`, as in `providers = { aws.log = … }`.

error[invalid-provider]: Invalid provider configuration
  --> main.tf:19:3
   |
19 |   count  = 2
   |   ^^^^^
   |
   = note: A call of the module `m` cannot have `count`, because the module has `provider` blocks with arguments. Move them to the root module, and pass the configurations in `providers`.

error[invalid-provider]: Invalid provider configuration
  --> main.tf:22:18
   |
22 |     aws.backup = aws.east
   |                  ^^^^^^^^
   |
   = note: The provider configuration `aws.east` is not declared. Did you mean `aws.west`?

error[invalid-provider]: Invalid provider configuration
  --> main.tf:23:5
   |
23 |     google     = aws.west
   |     ^^^^^^
   |
  ::: m/main.tf:10:1
   |
10 | provider "google" {
   | ----------------- The module configures it here.
   |
   = note: The module `m` configures `google` itself, so another configuration cannot be passed.

error[invalid-provider]: Invalid provider configuration
  --> main.tf:23:18
   |
23 |     google     = aws.west
   |                  ^^^^^^^^
   |
   = note: `aws.west` is a configuration of the provider hashicorp/aws, but `google` is one of hashicorp/google in the module.

error[invalid-provider]: Invalid provider configuration
  --> main.tf:29:15
   |
29 |   providers = [aws]
   |               ^^^^^
   |
   = note: `providers` must be a map of configurations, written as `{ aws = aws.west }`.

Checked 3 files: 9 errors in 1 file

"#]]);
}

#[test]
fn configurations_may_come_from_callers_and_override_files() {
    let folder = Folder::with(&[
        (
            "main.tf",
            "provider \"aws\" {\n  alias = \"a\"\n}\nmodule \"m\" {\n  source    = \"./m\"\n  providers = { aws.b = aws.a }\n}\n",
        ),
        ("override.tf", "provider \"aws\" {\n  alias  = \"a\"\n  region = \"eu\"\n}\n"),
        ("m/main.tf", "resource \"aws_instance\" \"a\" {\n  provider = aws.b\n}\n"),
        (
            "library/main.tf",
            "terraform {\n  required_providers {\n    aws = { configuration_aliases = [aws.x] }\n  }\n}\nresource \"aws_instance\" \"a\" {\n  provider = aws.x\n}\n",
        ),
        (
            "tofu/main.tofu",
            "provider \"aws\" {\n  for_each = toset([\"eu\"])\n  alias    = \"by_region\"\n  region   = each.key\n}\nresource \"aws_instance\" \"a\" {\n  for_each = toset([\"eu\"])\n  provider = aws.by_region[each.key]\n}\n",
        ),
    ]);
    assert_eq!(reported(&folder, &[]), "");
}

/// The module is not read again as one of OpenTofu, which would only find that the limit is exceeded.
#[test]
fn an_exceeded_limit_is_reported_at_its_place() {
    let folder = main(
        r#"resource "terraform_data" "a" {
  count = 1000000000
}
output "a" {
  value = terraform_data.a
}
"#,
    );
    let found = reported(&folder, &[]);
    assert!(found.contains("main.tf:2: invalid-count: There are too many instances."), "{found}");
}

/// An error in an argument of a call concerns what depends on that input, and nothing else of the module.
#[test]
fn only_what_needs_an_argument_depends_on_it() {
    let called = "variable \"a\" {}\noutput \"b\" {\n  value = var.a\n}\noutput \"c\" {\n  value = 1\n}\n";
    let call = "module \"m\" {\n  source = \"./m\"\n  a      = local.zz\n}\n";
    let check = |output: &str| {
        let main = format!("{call}output \"o\" {{\n  value = {output}\n}}\n");
        let folder = Folder::with(&[("main.tf", main.as_str()), ("m/main.tf", called)]);
        let output = folder.command(&["check"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).unwrap()
    };
    let found = check("module.m.c");
    assert!(!found.contains("`output.o` depends") && found.contains("`module.m.b` depends on it"), "{found}");
    for output in ["module.m.b", "module.m", "[for key in [\"b\"] : module.m[key]]"] {
        let found = check(output);
        assert!(found.contains("`output.o` depends on it"), "{output}: {found}");
    }
}

/// The settings of `terraform_remote_state` are those of its backend. Terraform 1.16.4 refuses those with a message, and accepts the others.
#[test]
fn settings_of_remote_states_are_those_of_the_backend() {
    let data = |backend: &str, config: &str| {
        format!(
            "variable \"v\" {{}}\ndata \"terraform_remote_state\" \"r\" {{\n  backend = {backend}\n  config = {config}\n}}\noutput \"o\" {{\n  value = data.terraform_remote_state.r.outputs.x\n}}\n"
        )
    };
    for (backend, config, expected) in [
        ("\"local\"", "{ a = \"b\" }", Some("the backend `local` has no argument `a`.")),
        (
            "\"local\"",
            "{ pth = \"b\" }",
            Some("the backend `local` has no argument `pth`. Did you mean `path`?"),
        ),
        (
            "\"s3\"",
            "merge({ bucket = \"b\", key = \"k\" }, { nope = null })",
            Some("the backend `s3` has no argument `nope`."),
        ),
        (
            "\"local\"",
            "sensitive({ secret = \"b\" })",
            Some("has no argument of one of its names, which are sensitive."),
        ),
        ("\"local\"", "{ path = var.v }", None),
        ("\"remote\"", "{ organization = \"o\", workspaces = { name = \"w\" } }", None),
        ("var.v", "{ a = \"b\" }", None),
        ("\"local\"", "var.v", None),
    ] {
        let folder = Folder::with(&[("main.tf", data(backend, config).as_str())]);
        let output = folder.hcl(&["check", "."]).get_output().clone();
        let shown =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        match expected {
            Some(note) => {
                assert!(shown.contains(note) && output.status.code() == Some(1), "{config}: {shown}");
            }
            None => assert!(output.status.success(), "{config}: {shown}"),
        }
    }
}

/// What an import refers to is part of cycles, as in Terraform 1.16.4 and OpenTofu 1.12.6.
#[test]
fn imports_are_in_cycles() {
    let objects = "resource \"terraform_data\" \"r\" {\n  input = terraform_data.t\n}\nresource \"terraform_data\" \"t\" {\n  REPEAT\n}\nresource \"terraform_data\" \"free\" {}\n";
    for (repeat, import, is_cycle) in [
        ("", "import {\n  to = terraform_data.t\n  id = terraform_data.r.id\n}\n", true),
        ("", "import {\n  to = terraform_data.t\n  identity = { id = terraform_data.r.id }\n}\n", true),
        (
            "for_each = toset([\"a\"])",
            "import {\n  for_each = { (terraform_data.r.id) = 1 }\n  to = terraform_data.t[each.key]\n  id = each.key\n}\n",
            true,
        ),
        ("", "import {\n  to = terraform_data.t\n  id = terraform_data.free.id\n}\n", false),
        ("", "import {\n  to = terraform_data.r\n  id = terraform_data.t.id\n}\n", false),
    ] {
        let text = objects.replace("REPEAT", repeat) + import;
        let folder = Folder::with(&[("main.tf", text.as_str())]);
        let output = folder.hcl(&["check", "."]).get_output().clone();
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(shown.contains("reference-cycle"), is_cycle, "{import}: {shown}");
    }
    let json = "{\"import\": [{\"to\": \"terraform_data.t\", \"id\": \"${terraform_data.r.id}\"}]}";
    let folder =
        Folder::with(&[("main.tf", objects.replace("REPEAT", "").as_str()), ("import.tf.json", json)]);
    let output = folder.hcl(&["check", "."]).get_output().clone();
    assert!(String::from_utf8_lossy(&output.stdout).contains("reference-cycle"));
}
