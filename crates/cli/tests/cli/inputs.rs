//! `hcl eval --inputs-template` and `--inputs-check`: files that set the variables of a module.

use crate::program::Folder;
use snapbox::str;

const MAIN: &str = r#"variable "size" {
  description = "How many.\n\nAt least one."
  type        = number
  default     = 1
}

variable "name" {
  type        = string
  description = "The name of the service."
}

variable "network" {
  type = object({
    cidr  = string
    zones = optional(list(string), ["a"])
  })
}

variable "password" {
  type      = string
  sensitive = true
  default   = "hunter2"
}

variable "tags" {
  default = { Team = "infra", "Cost center" = "${1 + 1}" }
}
"#;

#[test]
fn a_template_has_comments_and_what_is_required_first() {
    let folder = Folder::with(&[("main.tf", MAIN)]);
    folder.hcl(&["eval", ".", "--inputs-template"]).success().stderr_eq("").stdout_eq(str![[r##"
# The name of the service.
# Type: string
# Required
name = ""

# Type: object({
#   cidr  = string
#   zones = optional(list(string), ["a"])
# })
# Required
network = { cidr = "" }

# How many.
#
# At least one.
# Type: number
# size = 1

# Type: string
# Sensitive
# Default: not shown
# password = ""

# tags = { "Cost center" = 2, Team = "infra" }

"##]]);
    folder.hcl(&["eval", ".", "--inputs-template", "--out", "prod.tfvars"]).success().stdout_eq("");
    folder.hcl(&["eval", "-C", ".", "--inputs-check", "--var-file", "prod.tfvars"]).success().stdout_eq(
        str![[r#"
Checked 5 variables: no problems found

"#]],
    );
    folder.hcl(&["fmt", "--check", "prod.tfvars"]).success();
}

/// Terraform 1.11 has the same errors and warnings.
#[test]
fn a_check_says_what_is_missing_unused_or_invalid() {
    let folder = Folder::with(&[
        ("main.tf", MAIN),
        (
            "prod.tfvars",
            "nam      = \"web\"\nsize     = \"big\"\nnetwork  = { zones = [] }\npassword = [\"hunter2\"]\n",
        ),
        ("fine.tfvars.json", "{\"name\": \"web\", \"network\": {\"cidr\": \"10.0.0.0/8\"}}"),
    ]);
    folder.hcl(&["eval", ".", "--inputs-check", "--var-file", "prod.tfvars"]).code(1).stdout_eq(str![[r#"
warning[undeclared-variable]: Value for undeclared variable
 --> prod.tfvars:1:1
  |
1 | nam      = "web"
  | ^^^
  |
  = note: There is no variable named `nam`, so this value is not used. Did you mean `name`?
help: Write `name`
  |
1 | name      = "web"
  |    +

error[invalid-variable]: Invalid value for variable
 --> prod.tfvars:2:12
  |
2 | size     = "big"
  |            ^^^^^
  |
  = note: The value of `size` in prod.tfvars does not have the type of the variable: a number is required.

error[missing-variable]: No value for required variable
 --> main.tf:7:1
  |
7 | variable "name" {
  | ^^^^^^^^^^^^^^^
  |
  = note: The variable `name` has no default, and no value is set.

error[invalid-variable]: Invalid value for variable
 --> prod.tfvars:3:12
  |
3 | network  = { zones = [] }
  |            ^^^^^^^^^^^^^^
  |
  = note: The value of `network` in prod.tfvars does not have the type of the variable: attribute "cidr" is required.

error[invalid-variable]: Invalid value for variable
  --> main.tf:19:1
   |
19 | variable "password" {
   | ^^^^^^^^^^^^^^^^^^^
   |
   = note: The value of `password` in prod.tfvars does not have the type of the variable: it cannot be converted.

Checked 5 variables: 4 errors and 1 warning

"#]]).stderr_eq("");
    let fine = ["eval", ".", "--inputs-check", "--var-file", "fine.tfvars.json"];
    folder.hcl(&fine).success().stdout_eq("Checked 5 variables: no problems found\n");
    folder.hcl(&["eval", ".", "--inputs-check", "--unknown-vars"]).success();
    // An option must name a variable, and the environment may be for other modules.
    folder.hcl(&[&fine[..], &["--var", "nam=x"]].concat()).code(1);
    folder.command(&fine).env("TF_VAR_nam", "x").assert().success();
    folder.command(&fine).env("TF_VAR_size", "x").assert().code(1);
    folder.hcl(&["eval", ".", "--inputs-check", "--var-file", "none.tfvars"]).code(2).stdout_eq("");
    let reports: [(&str, &str); 4] = [
        ("github", "::error file=main.tf,line=7,endLine=7,col=1,"),
        ("json", "\"code\": \"missing-variable\""),
        ("sarif", "\"ruleId\": \"missing-variable\""),
        ("junit", "missing-variable"),
    ];
    for (format, expected) in reports {
        let output = folder.hcl(&["eval", ".", "--inputs-check", "--report", format]).code(1);
        let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn other_languages_have_inputs_or_say_that_they_have_none() {
    let folder = Folder::with(&[
        (
            "packer/a.pkr.hcl",
            "variable \"region\" {\n  type = string\n}\nvariable \"size\" {\n  default = env(\"SIZE\")\n}\n",
        ),
        ("packer/a.pkrvars.hcl", "region = \"eu\"\nzone = 1\n"),
        (
            "bake/docker-bake.hcl",
            "variable \"TAG\" {\n  default = \"latest\"\n}\nvariable \"EMPTY\" {}\ntarget \"default\" {}\n",
        ),
        ("job.nomad.hcl", "variable \"count\" {\n  type = number\n}\njob \"web\" {\n}\n"),
        ("job.vars", "count = \"x\"\n"),
        ("unit/terragrunt.hcl", "inputs = {}\n"),
        ("plain.hcl", "a = 1\n"),
        ("none/main.tf", "locals {}\n"),
        ("broken/main.tf", "variable \"a\" {\n"),
    ]);
    folder.hcl(&["eval", "packer", "--inputs-template"]).success().stdout_eq(str![[r##"
# Type: string
# Required
region = ""

# Default: env("SIZE")
# size = ""

"##]]);
    let packer = ["eval", "packer", "--inputs-check", "--allow-env", "--var-file", "packer/a.pkrvars.hcl"];
    folder.hcl(&packer).code(0).stdout_eq(str![[r#"
warning[undeclared-variable]: Value for undeclared variable
 --> packer/a.pkrvars.hcl:2:1
  |
2 | zone = 1
  | ^^^^
  |
  = note: There is no variable named `zone`, so this value is not used.

Checked 2 variables: 1 warning

"#]]);
    folder.hcl(&["eval", "bake", "--inputs-template"]).success().stdout_eq(str![[r##"
# TAG = "latest"

# EMPTY = ""

"##]]);
    folder.hcl(&["eval", "bake", "--inputs-check"]).code(2).stderr_eq(str![[r#"
error: --inputs-check: the variables of Bake files come from the environment, and have defaults

"#]]);
    folder.hcl(&["eval", "job.nomad.hcl", "--inputs-template"]).success().stdout_eq(str![[r#"
# Type: number
# Required
count = 0

"#]]);
    folder.hcl(&["eval", "job.nomad.hcl", "--inputs-check", "--var-file", "job.vars"]).code(1);
    folder.hcl(&["eval", "none", "--inputs-template"]).success().stdout_eq("").stderr_eq(str![[r#"
note: none has no variables

"#]]);
    for (args, why) in [
        (&["unit", "--inputs-template"][..], "Terragrunt"),
        (&["plain.hcl", "--inputs-template"], "is not a directory or a file of a known language"),
        (&["none", "local.a", "--inputs-check"], "expected only the directory"),
        (&["none", "--inputs-check", "--output", "json"], "--report"),
        (&["none", "--inputs-template", "--output", "json"], "hcl schema"),
    ] {
        let output = folder.command(&["eval"]).args(args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), text.contains(why)), (Some(2), true), "{args:?}: {text}");
    }
    folder.hcl(&["eval", "broken", "--inputs-template"]).code(1).stdout_eq("");
    let broken = folder.hcl(&["eval", "broken", "--inputs-check"]).code(1);
    let text = String::from_utf8_lossy(&broken.get_output().stdout).into_owned();
    assert!(text.ends_with("Checked 1 variable: 1 error\n"), "{text}");
}
