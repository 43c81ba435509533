//! `hcl eval DIR --partial`, `--unknown`, and downloaded modules.

use crate::program::Folder;
use snapbox::str;

const MAIN: &str = r#"variable "region" {
  type = string # where
}

variable "zones" { type = list(string) }

variable "password" {
  sensitive = true
}

locals {
  # The name of everything.
  name = "shop-${var.region}" # in full
  url  = "https://${var.password}@${local.name}"
}

module "net" {
  source   = "./net"
  for_each = toset(var.zones)
  zone     = each.key
  name     = local.name
}

resource "aws_instance" "web" {
  count = length(var.zones)
  name  = "${local.name}-${count.index}"
  image = data.aws_ami.newest.id

  dynamic "disk" {
    for_each = [8, 16]
    content {
      size = disk.value * length(var.zones)
    }
  }

  lifecycle {
    precondition {
      condition     = var.region != "us"
      error_message = "Not there."
    }
  }
}

data "aws_ami" "newest" {
  owner = var.region
}

output "images" {
  value = aws_instance.web[*].image
}

output "now" {
  value = timestamp()
}
"#;

const NET: &str = r#"variable "zone" {}
variable "name" {}

output "id" {
  value = "${var.name}-${var.zone}"
}
"#;

const VALUES: &str = "region = \"eu\"\nzones = [\"a\", \"b\"]\npassword = \"hunter2\"\n";

fn shop() -> Folder {
    Folder::with(&[("main.tf", MAIN), ("net/main.tf", NET), ("eu.tfvars", VALUES)])
}

#[test]
fn known_values_are_inserted() {
    let found = shop().hcl(&["eval", ".", "--var-file", "eu.tfvars", "--partial"]).success();
    found.stdout_eq(str![[r##"
# main.tf
variable "region" {
  type    = string # where
  default = "eu"
}

variable "zones" {
  type    = list(string)
  default = ["a", "b"]
}

variable "password" {
  sensitive = true
}

locals {
  # The name of everything.
  name = "shop-eu" # in full
  url  = "https://${var.password}@${local.name}"
}

module "net" {
  source   = "./net"
  for_each = toset(["a", "b"])
  zone     = each.key
  name     = "shop-eu"
}

resource "aws_instance" "web" {
  count = 2
  name  = "shop-eu-${count.index}"
  image = data.aws_ami.newest.id

  dynamic "disk" {
    for_each = [8, 16]
    content {
      size = disk.value * 2
    }
  }

  lifecycle {
    precondition {
      condition     = var.region != "us"
      error_message = "Not there."
    }
  }
}

data "aws_ami" "newest" {
  owner = "eu"
}

output "images" {
  value = aws_instance.web[*].image
}

output "now" {
  value = timestamp()
}

# net/main.tf
variable "zone" {}
variable "name" {}

output "id" {
  value = "shop-eu-${var.zone}"
}

"##]]);
}

#[test]
fn partial_modules_are_written_to_a_directory() {
    let shop = shop();
    shop.hcl(&["eval", ".", "--var-file", "eu.tfvars", "--partial", "--out", "out"]).success().stdout_eq("");
    let args = ["eval", "out", "--var", "password=x", "module.net[*].id", "aws_instance.web[1].name"];
    shop.hcl(&args).success().stdout_eq(str![[r#"
aws_instance.web[1].name = "shop-eu-1"
module.net["a"].id = "shop-eu-a"
module.net["b"].id = "shop-eu-b"

"#]]);
    assert!(!shop.read("out/main.tf").contains("hunter2"));
    let show = ["eval", ".", "--var-file", "eu.tfvars", "--partial", "--show-sensitive", "--out", "open"];
    shop.hcl(&show).success();
    assert!(shop.read("open/main.tf").contains("https://hunter2@shop-eu"));
}

#[test]
fn partial_modules_can_call_others_outside_of_their_directory() {
    let folder = Folder::with(&[
        (".git/HEAD", ""),
        (
            "live/eu/main.tf",
            "module \"net\" {\n  source = \"../../modules/net\"\n  name   = \"eu\"\n}\noutput \"id\" {\n  value = module.net.id\n}\n",
        ),
        ("modules/net/main.tf", "variable \"name\" {}\noutput \"id\" {\n  value = upper(var.name)\n}\n"),
    ]);
    folder.hcl(&["eval", "live/eu", "--partial", "--out", "out"]).success().stdout_eq("");
    assert_eq!(
        folder.read("out/modules/net/main.tf"),
        "variable \"name\" {}\noutput \"id\" {\n  value = \"EU\"\n}\n"
    );
    folder.hcl(&["eval", "out/live/eu", "output.id"]).success().stdout_eq(str![[r#"
output.id = "EU"

"#]]);
}

#[test]
fn unknown_values_have_reasons() {
    let found = shop().hcl(&["eval", ".", "--var-file", "eu.tfvars", "--unknown"]).success();
    found.stdout_eq(str![[r#"
A provider sets it:
  data.aws_ami.newest.id: aws_instance.web[0], aws_instance.web[1], output.images
The result of a function is unknown:
  output.now

"#]]);
    let found = shop().hcl(&["eval", ".", "--unknown-vars", "--unknown"]).success();
    found.stdout_eq(str![[r#"
It has no value:
  var.region: local.name, local.url, data.aws_ami.newest
  var.zones: aws_instance.web, module.net, output.images
  var.password: local.url
The result of a function is unknown:
  output.now

"#]]);
}

#[test]
fn dynamic_blocks_are_reasons_only_if_they_create_blocks() {
    let text = "variable \"timeouts\" {\n  type    = object({ create = number })\n  default = null\n}\nresource \"x_y\" \"a\" {\n  dynamic \"timeouts\" {\n    for_each = var.timeouts != null ? [var.timeouts] : []\n    content {\n      create = [var.timeouts.create, x_z.b.text]\n    }\n  }\n  net {\n    id = x_z.b.id\n  }\n}\nresource \"x_z\" \"b\" {}\nlocals {\n  l = x_y.a.net[0].foo\n  n = x_y.a.timeouts\n  k = x_y.a.net[0]\n}\n";
    let folder = Folder::with(&[("main.tf", text)]);
    folder.hcl(&["eval", ".", "--unknown"]).success().stdout_eq(str![[r#"
A provider sets it:
  x_y.a.net[0].foo: local.l
  x_y.a.timeouts: local.n, x_y.a
  x_z.b.id: local.k, x_y.a

"#]]);
    let some = "timeouts={create=1}";
    folder.hcl(&["eval", ".", "--unknown", "--var", some]).success().stdout_eq(str![[r#"
A provider sets it:
  x_y.a.net[0].foo: local.l
  x_z.b.text: local.n, x_y.a
  x_z.b.id: local.k, x_y.a

"#]]);
}

const SCHEMA: &str = r#"{"provider_schemas": {"registry.terraform.io/hashicorp/aws": {
  "resource_schemas": {"aws_instance": {"block": {"attributes": {
    "id": {"type": "string", "computed": true},
    "name": {"type": "string", "optional": true},
    "size": {"type": "number", "optional": true}}}}}}}}"#;

#[test]
fn schemas_of_providers_type_objects() {
    let main = "resource \"aws_instance\" \"web\" {\n  size = \"8\"\n}\n";
    let folder = Folder::with(&[("main.tf", main), ("schema.json", SCHEMA)]);
    let found = folder.hcl(&["eval", "main.tf", "--provider-schema", "schema.json"]).success();
    found.stdout_eq(str![[r#"
aws_instance.web = { id = (unknown string), name = null, size = 8 }

"#]]);
    folder.write("main.tf", main.replace("size", "sise"));
    folder.hcl(&["eval", "main.tf", "--provider-schema", "schema.json"]).code(1).stderr_eq(str![[r#"
error[unsupported-argument]: Unsupported argument
 --> main.tf:2:3
  |
2 |   sise = "8"
  |   ^^^^
  |
  = note: An argument named `sise` is not expected here. Did you mean `size`?
help: Write `size`
  |
2 -   sise = "8"
2 +   size = "8"
  |

"#]]);
    folder.hcl(&["eval", "main.tf", "--provider-schema", "main.tf"]).code(2).stderr_eq(str![[r#"
error: cannot read main.tf: not valid JSON at byte 0: expected a value, found `r`

"#]]);
}

const CALLER: &str = r#"module "vpc" {
  source = "terraform-aws-modules/vpc/aws"
  name   = "main"
}

module "missing" {
  source = "hashicorp/consul/aws"
}

output "id" {
  value = module.vpc.id
}

output "other" {
  value = module.missing.id
}
"#;

const VPC: &str = r#"variable "name" {}

module "part" {
  source = "./part"
  name   = var.name
}

output "id" {
  value = module.part.id
}
"#;

const MANIFEST: &str = r#"{"Modules":[
  {"Key":"","Source":"","Dir":"."},
  {"Key":"vpc","Source":"registry.terraform.io/terraform-aws-modules/vpc/aws","Version":"5.1.0","Dir":".terraform/modules/vpc"},
  {"Key":"vpc.part","Source":"./part","Dir":".terraform/modules/vpc/part"},
  {"Key":"missing","Source":"registry.terraform.io/hashicorp/consul/aws","Dir":"../outside"}
]}"#;

fn downloaded() -> Folder {
    Folder::with(&[
        ("root/main.tf", CALLER),
        ("root/.terraform/modules/modules.json", MANIFEST),
        ("root/.terraform/modules/vpc/main.tf", VPC),
        (
            "root/.terraform/modules/vpc/part/main.tf",
            "variable \"name\" {}\noutput \"id\" {\n  value = \"vpc-${var.name}\"\n}\n",
        ),
        ("outside/main.tf", "output \"id\" {\n  value = \"stolen\"\n}\n"),
    ])
}

#[test]
fn downloaded_modules_are_read() {
    let found = downloaded().hcl(&["eval", "root", "output.*"]).success();
    found
        .stdout_eq(str![[r#"
output.id = "vpc-main"
output.other = (unknown)

"#]])
        .stderr_eq(str![[r#"
warning[invalid-module-source]: Invalid module source
 --> root/main.tf:7:12
  |
7 |   source = "hashicorp/consul/aws"
  |            ^^^^^^^^^^^^^^^^^^^^^^
  |
  = note: outside is outside the directory of the root module and was not read.

"#]]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_module_are_not_followed() {
    let folder = downloaded();
    std::fs::remove_dir_all(folder.path("root/.terraform/modules/vpc")).unwrap();
    let (outside, vpc) = (folder.path("outside"), folder.path("root/.terraform/modules/vpc"));
    std::os::unix::fs::symlink(outside, &vpc).unwrap();
    let found = folder.hcl(&["eval", "root", "output.id"]).success();
    found
        .stdout_eq(str![[r#"
output.id = (unknown)

"#]])
        .stderr_eq(str![[r#"
warning[invalid-module-source]: Invalid module source
 --> root/main.tf:2:12
  |
2 |   source = "terraform-aws-modules/vpc/aws"
  |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = note: root/.terraform/modules/vpc is outside the directory of the root module and was not read.

warning[invalid-module-source]: Invalid module source
 --> root/main.tf:7:12
  |
7 |   source = "hashicorp/consul/aws"
  |            ^^^^^^^^^^^^^^^^^^^^^^
  |
  = note: outside is outside the directory of the root module and was not read.

"#]]);
    std::fs::remove_file(&vpc).unwrap();
    std::fs::create_dir(&vpc).unwrap();
    std::os::unix::fs::symlink(folder.path("outside/main.tf"), vpc.join("main.tf")).unwrap();
    folder.hcl(&["eval", "root", "output.id"]).success().stdout_eq(str![[r#"
output.id = (unknown)

"#]]);
}
