//! Where values of modules come from: `hcl eval DIR ADDRESS --explain` and `:explain` in `hcl console DIR`.

use crate::program::Folder;
use snapbox::str;

const MAIN: &str = r#"variable "region" {
  type = string
}

variable "password" {
  sensitive = true
  default   = "hunter2"
}

locals {
  name = "web-${var.region}"
  url  = "https://${var.password}@${local.name}"
}

module "net" {
  source = "./net"
  zone   = local.name
}

output "id" {
  value = upper(module.net.id)
}
"#;

const NET: &str = "variable \"zone\" {}\n\noutput \"id\" {\n  value = \"net-${var.zone}\"\n}\n";

fn shop() -> Folder {
    Folder::with(&[("main.tf", MAIN), ("net/main.tf", NET), ("eu.tfvars", "region = \"eu\"\n")])
}

#[test]
fn values_are_followed_to_their_files() {
    let found = shop().hcl(&["eval", ".", "--var-file", "eu.tfvars", "output.id", "--explain"]).success();
    found.stdout_eq(str![[r#"
output.id = "NET-WEB-EU"
  main.tf:21:11
  upper(module.net.id)  → "NET-WEB-EU"
  └─ module.net.id      → "net-web-eu"

module.net.id = "net-web-eu"
  net/main.tf:4:11
  "net-${var.zone}"  → "net-web-eu"
  └─ var.zone        → "web-eu"

module.net.var.zone = "web-eu"
  main.tf:17:12: an argument of module.net
  local.name  → "web-eu"

local.name = "web-eu"
  main.tf:11:10
  "web-${var.region}"  → "web-eu"
  └─ var.region        → "eu"

var.region = "eu"
  eu.tfvars:1:10: set in a variable file

"#]]);
}

#[test]
fn sensitive_values_are_not_shown() {
    let found = shop().hcl(&["eval", ".", "--var", "region=eu", "local.url", "--explain"]).success();
    found.stdout_eq(str![[r#"
local.url = (sensitive)
  main.tf:12:10
  "https://${var.password}@${local.name}"  → (sensitive)
  ├─ var.password                          → (sensitive)
  └─ local.name                            → "web-eu"

var.password = (sensitive)
  main.tf:7:15: the default

local.name = "web-eu"
  main.tf:11:10
  "web-${var.region}"  → "web-eu"
  └─ var.region        → "eu"

var.region = "eu"
  set with --var region

"#]]);
}

#[test]
fn explanations_are_written_as_json() {
    let args = ["eval", ".", "--var", "region=eu", "local.name", "--explain", "--output", "json"];
    shop().hcl(&args).success().stdout_eq(str![[r#"
[
  {
    "address": "local.name",
    "value": "web-eu",
    "cause": "set here",
    "file": "main.tf",
    "line": 11,
    "column": 10,
    "steps": [
      {
        "depth": 0,
        "text": "\"web-${var.region}\"",
        "value": "\"web-eu\""
      },
      {
        "depth": 1,
        "text": "var.region",
        "value": "\"eu\""
      }
    ],
    "uses": [
      "var.region"
    ]
  },
  {
    "address": "var.region",
    "value": "eu",
    "cause": "set with --var region",
    "uses": []
  }
]

"#]]);
}

#[test]
fn explanations_require_an_address() {
    shop().hcl(&["eval", ".", "--explain"]).code(2).stderr_eq(str![[r#"
error: --explain requires an address, such as `output.*` or `local.zones`

"#]]);
}

#[test]
fn the_console_explains_names_of_a_module() {
    let found = shop()
        .hcl_reading(&["console", ".", "--var", "region=eu"], ":explain length(local.name) + 1\n")
        .success();
    found.stdout_eq(str![[r#"
length(local.name) + 1  → 7
└─ length(local.name)   → 6
   └─ local.name        → "web-eu"

local.name = "web-eu"
  main.tf:11:10
  "web-${var.region}"  → "web-eu"
  └─ var.region        → "eu"

var.region = "eu"
  set with --var region

"#]]);
}
