//! A sensitive value that no file contains is in no output: of all commands, in all formats, with and without schemas, for
//! modules of Terraform and templates of Packer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Output;
use std::sync::Mutex;

use hclkit_test_cases::{attacks, secrets, seeds};

use crate::exit_codes::commands;
use crate::program::{Folder, assert_usage};

/// The texts that must not be printed, in lowercase: values from the environment, and what is computed from them.
const CANARIES: [&str; 4] = ["hunter2", "aHVudGVyMg", "swordfish", "c3dvcmRmaXNo"];

/// What only the schema declares as sensitive.
const GUARDED: &str = "guarded2";

const ENVIRONMENT: [(&str, &str); 3] =
    [("TF_VAR_token", "hunter2"), ("TF_VAR_keys", "{ swordfish = \"hunter2\" }"), ("PKR_VAR_pw", "hunter2")];

const MODULE: &str = r#"variable "token" {
  type      = string
  sensitive = true
}
variable "keys" {
  type      = map(string)
  sensitive = true
}
variable "plain" {
  default = "2"
}
locals {
  token   = var.token
  encoded = base64encode(var.token)
  upper   = { for name, key in var.keys : upper(name) => [upper(key), name] }
  mixed   = { a = var.keys, b = [module.m.u, "clear"], (module.m.u) = 1 }
  lengths = [length(var.keys), length(tolist([var.token, "p"]))]
  of_m    = [for key, value in module.m.keys : "${key}=${value}"]
}
module "m" {
  source = "./m"
  token  = "x-${var.token}"
}
module "each" {
  source   = "./m"
  for_each = module.m.keys
  token    = each.key
}
resource "aws_db_instance" "main" {
  name     = module.m.u
  password = "guarded${var.plain}"
  settings {
    value = var.keys
  }
  dynamic "settings" {
    for_each = module.m.keys
    content {
      value = { (settings.key) = settings.value }
    }
  }
}
resource "terraform_data" "all" {
  for_each         = module.m.keys
  input            = [var.token, each.key, module.m]
  triggers_replace = [local.mixed]
}
data "aws_iam_policy_document" "d" {
  policy_id = var.token
  statement {
    actions = [for key, value in module.m.keys : "${key}:${value}"]
  }
}
data "template_file" "t" {
  template = "$${x}-${var.token}"
  vars     = { x = module.m.u }
}
data "cloudinit_config" "c" {
  gzip = false
  part {
    content = var.token
  }
}
output "documents" {
  value = [data.aws_iam_policy_document.d.json, data.template_file.t.rendered, data.cloudinit_config.c]
}
output "hidden" {
  value     = [local.upper, local.encoded, "hunter${var.plain}"]
  sensitive = true
}
output "results" {
  value = [module.m, module.each, local.of_m]
}
output "data" {
  value = terraform_data.all
}
output "password" {
  value     = aws_db_instance.main
  sensitive = true
}
check "c" {
  assert {
    condition     = module.m.u == "x" || contains(keys(module.m.keys), "x")
    error_message = "Found ${module.m.u} in ${join(", ", keys(module.m.keys))} and ${nonsensitive(length(var.keys))}."
  }
}
"#;

const CALLED: &str = r#"variable "token" {
  validation {
    condition     = length(var.token) < 1000
    error_message = "Too long: ${var.token}."
  }
}
output "u" {
  value     = "hunter${1 + 1}"
  sensitive = true
}
output "keys" {
  value     = { "sword${lower("FISH")}" = "hunter${1 + 1}" }
  sensitive = true
}
output "token" {
  value = upper(var.token)
}
"#;

const SCHEMA: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/aws": {"resource_schemas": {
  "aws_db_instance": {"block": {
    "attributes": {
      "name": {"type": "string", "optional": true},
      "password": {"type": "string", "optional": true, "sensitive": true}
    },
    "block_types": {"settings": {"nesting_mode": "list", "block": {"attributes": {"value": {"type": ["map", "string"], "optional": true}}}}}
  }}
}}}}
"#;

const TEMPLATE: &str = r#"variable "pw" {
  type      = string
  sensitive = true
}
locals {
  pw    = upper(var.pw)
  parts = [var.pw, "clear"]
}
source "null" "x" {
  password = var.pw
}
build {
  name    = upper(var.pw)
  sources = ["null.x", "${var.pw}.y"]
  source "null.x" {
    name = var.pw
  }
  provisioner "shell" {
    inline = ["echo ${local.pw}"]
  }
}
"#;

/// Expressions that lead to sensitive values, for the console.
const EXPRESSIONS: [&str; 14] = [
    "var.token",
    "var.keys",
    "local.mixed",
    "local.upper",
    "local.of_m",
    "module.m",
    "module.each",
    "aws_db_instance.main",
    "terraform_data.all",
    "var.keys.swordfisj",
    "[for key, value in module.m.keys : \"${key}${value}\"]",
    "file(module.m.u)",
    "tonumber(var.token) + module.m.u",
    "zipmap(keys(module.m.keys), [nonsensitive(1)])",
];

/// Rules whose messages and fixes try to show everything.
const LEAK: &str = r#"
rule "blocks" {
  match     = ["resource.*.*", "module.*", "output.*", "variable.*", "locals", "source.*.*", "build"]
  condition = self == null
  message   = jsonencode(self)

  fix {
    title = jsonencode(self)
    set   = { leaked = jsonencode(self) }
  }
}

rule "values" {
  match     = ["resource.*.*.*", "output.*.value", "variable.*.default", "locals.*", "module.*.*"]
  condition = self == null && parent == null
  message   = "${jsonencode(self)} ${jsonencode(parent)}"
}

rule "module" {
  match     = "variable.*"
  condition = module == null
  message   = jsonencode(module)
}

rule "errors" {
  match     = ["resource.*.*.*", "output.*.value", "variable.*.default", "locals.*"]
  condition = tonumber("x${jsonencode(self)}") == 1
  message   = "x"
}

rule "pieces" {
  match     = ["output.*.value", "variable.*.default", "locals.*"]
  condition = !can(regex("e", jsonencode(self)))
  message   = "${item.address}: ${jsonencode(self)}"
}
"#;

/// A module with only `terraform_data`, whose tests can be run.
const TESTED: &str = r#"variable "token" {
  sensitive = true

  validation {
    condition     = !endswith(var.token, "!")
    error_message = "No ${var.token}."
  }
}

variable "plain" {
  default = ""
}

resource "terraform_data" "a" {
  input = var.token
}

output "token" {
  value     = terraform_data.a.output
  sensitive = true
}

output "plain" {
  value     = var.plain
  sensitive = true
}
"#;

/// Tests that try to show the value of a variable. An error ends a file, so there are several.
const TESTS: [&str; 6] = [
    r#"variables {
  token = "hunter${1 + 1}"
}

run "assertion" {
  command = plan

  assert {
    condition     = var.token == "x" && terraform_data.a.input == "y"
    error_message = "It is ${var.token}."
  }
}

run "output" {
  assert {
    condition     = output.token == "x" && terraform_data.a.output == "y"
    error_message = jsonencode(output.token)
  }
}

run "passed_on" {
  command = plan

  variables {
    plain = run.output.token
    other = var.token
    third = base64encode(var.token)
  }

  assert {
    condition     = var.plain == "x" || var.other == "x" || run.output.token == var.third
    error_message = "${var.plain} ${var.other} ${var.third} ${run.output.token}"
  }
}
"#,
    r#"run "expected" {
  command = plan

  variables {
    token = "hunter${1 + 1}!"
  }

  expect_failures = [var.token]

  assert {
    condition     = var.token == "x"
    error_message = var.token
  }
}
"#,
    r#"run "unexpected" {
  variables {
    token = "hunter${1 + 1}!"
  }
}
"#,
    r#"run "error" {
  command = plan

  variables {
    token = "hunter${1 + 1}"
  }

  assert {
    condition     = tonumber(var.token) == 1 && tonumber(terraform_data.a.input) == 1
    error_message = var.token
  }
}
"#,
    r#"run "list" {
  command = plan

  variables {
    token = ["hunter${1 + 1}"]
  }

  assert {
    condition     = var.token
    error_message = var.token
  }
}
"#,
    r#"run "one" {
  variables {
    token = "hunter${1 + 1}"
  }
}

run "two" {
  command = plan

  variables {
    token = tonumber(run.one.token)
    plain = tonumber(run.one.token)
  }
}
"#,
];

/// Policies whose messages, errors and filters depend on sensitive values.
const POLICIES: &str = r#"
input "key" {
  type      = string
  default   = "hunter2"
  sensitive = true
}
locals {
  shared = core::upper(core::lower(input.key))
}
resource_policy "*" "leaks" {
  locals {
    all   = core::jsonencode(core::getresources(meta.type, {}))
    whole = core::try(core::valuetostring(attrs), "none")
  }
  enforce {
    condition     = core::length(local.whole) < 0
    error_message = "${local.whole} ${local.all} ${input.key} ${local.shared}"
    info_message  = "${local.whole} ${local.all} ${input.key} ${local.shared}"
  }
  enforce {
    condition     = core::length([for name, own in core::try(attrs.input, []) : own if own == input.key]) < 0
    error_message = core::try(core::join(",", [for own in attrs.input : "${own}"]), core::valuetostring(attrs.input))
  }
}
resource_policy "*" "errs" {
  filter = core::parseint(input.key, 10) == 1
  enforce {
    condition = true
  }
}
resource_policy "*" "errs_by_attribute" {
  enforce {
    condition = core::semverconstraint(core::valuetostring(attrs), ">= 1") && attrs[input.key]
  }
}
resource_policy "*" "errs_by_pattern" {
  enforcement_level = input.key
  enforce {
    condition = core::regex_match("a", "(${input.key}")
  }
}
"#;

/// Their tests.
const POLICY_TESTS: &str = r#"
resource "r" "input" {
  attrs = { input = [input.key, core::sensitive("hunter2")], key = core::sensitive("swordfish") }
}
resource "r" "expected" {
  expect_failure = true
  attrs = { input = core::parseint(core::sensitive("hunter2"), 10) }
}
resource "r" "operation" {
  meta  = { operation = core::sensitive("hunter2") }
  attrs = { a = 1 }
}
resource "r" "flag" {
  expect_failure = core::sensitive("swordfish")
  attrs          = { a = 1 }
}
"#;

fn folder() -> Folder {
    Folder::with(&[
        ("tf/main.tf", MODULE),
        ("tf/m/main.tf", CALLED),
        ("schema.json", SCHEMA),
        ("leak/leak.rules.hcl", LEAK),
        ("policies/leak.policy.hcl", POLICIES),
        ("policies/leak.policytest.hcl", POLICY_TESTS),
        ("tested/main.tf", TESTED),
        ("tested/0.tftest.hcl", TESTS[0]),
        ("tested/1.tftest.hcl", TESTS[1]),
        ("tested/2.tftest.hcl", TESTS[2]),
        ("tested/3.tftest.hcl", TESTS[3]),
        ("tested/4.tftest.hcl", TESTS[4]),
        ("tested/5.tftest.hcl", TESTS[5]),
        ("packer/main.pkr.hcl", TEMPLATE),
        ("a.tfvars", "token = \"hunter2\"\nplain = \"3\"\nkeys = { swordfish = \"x\" }\n"),
        ("b.tfvars", "token = \"swordfish\"\nplain = \"4\"\nkeys = { hunter2 = \"x\" }\n"),
        ("a.hcldec", "attr {\n  name = \"a\"\n  type = string\n}\n"),
        ("a.hcl", "a = var.token\nb = upper(var.token)\n"),
    ])
}

/// Runs of each command on what has sensitive values. An empty list is for commands that evaluate nothing and read no
/// values from outside.
fn runs(command: &str) -> Vec<Vec<&'static str>> {
    let words = |texts: &[&'static str]| texts.iter().map(|text| text.split(' ').collect()).collect();
    match command {
        "eval" => words(&[
            "tf",
            "packer",
            "tf ..*",
            "packer build.* source.* ..*",
            "tf output.* module.* local.mixed module.m.output.u",
            "tf terraform_data.all[self.input[0]!=\"x\"] aws_db_instance.*",
            "tf --provider-schema schema.json",
            "tf --provider-schema schema.json ..*",
            "tf --unknown",
            "tf --unknown --provider-schema schema.json",
            "packer --unknown",
            "tf --unknown-vars",
            "tf --partial",
            "tf --partial --provider-schema schema.json",
            "packer --partial",
            "tf --explain output.* local.* module.each terraform_data.all",
            "tf --explain --provider-schema schema.json aws_db_instance.main output.*",
            "packer --explain local.* build.*",
            "tf --inputs-template",
            "packer --inputs-template",
            "tf --inputs-check --var-file a.tfvars",
            "packer --inputs-check",
            "-f a.hcl --var var.token=sensitive(\"hunter${1+1}\")",
            "-f a.hcl --partial --var var.token=sensitive(\"hunter${1+1}\")",
            "-f a.hcl --explain --var var.token=sensitive(\"hunter${1+1}\")",
        ]),
        "check" => words(&["tf", "packer", "tf packer", "a.hcl -s a.hcldec"]),
        "docs" => words(&["tf", "packer", "tf --layout document"]),
        "schema" => words(&["tf", "packer"]),
        "graph" => words(&["tf", "packer"]),
        "diff" => words(&[
            "tf tf/m",
            "tf/m tf --explain",
            "packer tf",
            "tf tf --provider-schema schema.json",
            "tf/m tf --provider-schema schema.json --explain",
            "--var-file a.tfvars --var-file b.tfvars tf --explain",
        ]),
        "tables" => words(&[
            "--table values tf packer",
            "--table instances tf packer",
            "--table diagnostics --evaluate tf packer",
            "--table attributes tf packer",
            "--table values --output csv tf packer",
        ]),
        "decode" => words(&["-s a.hcldec a.hcl --var var.token=sensitive(\"hunter${1+1}\")"]),
        "query" => words(&["variable tf/main.tf", "..value tf/main.tf", "..* packer/main.pkr.hcl"]),
        "refs" => words(&["var.token tf", "local.mixed tf"]),
        "rename" => words(&["var.token new tf"]),
        "split" => words(&["tf"]),
        "test" => words(&[
            "--rules builtin:all tf packer",
            "--rules leak tf tf/m packer",
            "--rules leak --fix tf packer",
            "--rules leak --if-unknown fail --coverage tf packer",
            "tested",
            "policies --param key=hunter2",
            "--rules policies tf tf/m --param key=swordfish",
            "--rules policies --if-unknown fail --coverage tf --provider-schema schema.json",
        ]),
        "edit" => words(&["locals.added=1 tf/main.tf"]),
        "fmt" => words(&["--check tf packer", "--check --language terraform --recursive tf packer"]),
        // It evaluates nothing, and writes what the versions have.
        "merge" => words(&["packer/main.pkr.hcl tf/main.tf a.hcl --result merged.tf"]),
        "convert" => words(&["tf/main.tf"]),
        "dump" => words(&["tf/main.tf"]),
        // The console is tested below, and hover and hints of the server in `crates/ide/tests`.
        "console" | "lsp" | "mcp" | "explain" | "completions" | "man" | "help" => Vec::new(),
        other => panic!("list runs of `hcl {other}` on what has sensitive values"),
    }
}

/// The values of the options `--output` and `--report`, as the help of a command lists them, each with its option.
pub(crate) fn formats(folder: &Folder, command: &str) -> Vec<[String; 2]> {
    let help = folder.command(&[command, "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let mut found = Vec::new();
    let mut option = None;
    for line in help.lines() {
        let line = line.trim();
        if line.starts_with('-') && line.contains("--") {
            let name = line.split([' ', ',']).find(|word| word.starts_with("--"));
            option = name.filter(|name| ["--output", "--report"].contains(name));
        }
        let Some(option) = option else { continue };
        let names: Vec<&str> = match line.split_once("[possible values: ") {
            Some((_, names)) => names.trim_end_matches(']').split(", ").collect(),
            None => line.strip_prefix("- ").and_then(|line| line.split(':').next()).into_iter().collect(),
        };
        found.extend(names.into_iter().map(|name| [option.to_owned(), name.to_owned()]));
    }
    found
}

fn shown(words: &[&str], output: &Output) -> Option<String> {
    let guarded = Some(GUARDED).filter(|_| words.contains(&"--provider-schema"));
    [&output.stdout, &output.stderr].into_iter().find_map(|text| {
        let text = String::from_utf8_lossy(text);
        let is_canary = |line: &&str| {
            let lower = line.to_lowercase();
            CANARIES.into_iter().chain(guarded).any(|canary| lower.contains(&canary.to_lowercase()))
        };
        text.lines().find(is_canary).map(str::to_owned)
    })
}

#[test]
fn no_command_shows_a_sensitive_value() {
    let folder = folder();
    let mut all: Vec<Vec<String>> = Vec::new();
    for command in &commands(&folder) {
        let formats = formats(&folder, command);
        assert!(
            !["eval", "check", "graph"].contains(&command.as_str()) || formats.len() > 2,
            "{command}: {formats:?}"
        );
        for run in runs(command) {
            let run: Vec<String> = [command.as_str()].into_iter().chain(run).map(str::to_owned).collect();
            all.extend(formats.iter().map(|format| [&run[..], format].concat()));
            all.push(run);
        }
    }
    assert!(all.len() > 100, "{}", all.len());
    let (failed, codes) = (Mutex::new(Vec::new()), Mutex::new(BTreeSet::new()));
    std::thread::scope(|scope| {
        for part in all.chunks(all.len().div_ceil(4)) {
            let (folder, failed, codes) = (&folder, &failed, &codes);
            scope.spawn(move || {
                for words in part {
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    let output = folder.command(&words).envs(ENVIRONMENT).output().unwrap();
                    // Not every option goes with every format.
                    if !words.iter().any(|word| ["--output", "--report"].contains(word)) {
                        assert_usage(&words, &output.stderr);
                    }
                    codes.lock().unwrap().insert((words[0].to_owned(), output.status.code()));
                    if let Some(line) = shown(&words, &output) {
                        failed.lock().unwrap().push(format!("{words:?}: {line}"));
                    }
                }
            });
        }
    });
    let (failed, codes) = (failed.into_inner().unwrap(), codes.into_inner().unwrap());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    for directory in ["tf", "packer"] {
        let words = ["eval", directory, "--show-sensitive"];
        let output = folder.command(&words).envs(ENVIRONMENT).output().unwrap();
        assert!(shown(&words, &output).is_some(), "{directory}: {output:?}");
    }
    for command in ["eval", "check", "graph"] {
        assert!(codes.contains(&(command.to_owned(), Some(0))), "{command}: {codes:?}");
    }
}

/// Each `:` command of the console, as `:help` lists them, with each expression.
#[test]
fn no_command_of_the_console_shows_a_sensitive_value() {
    let folder = folder();
    let help = folder.command(&["console", "--no-history"]).stdin(":help\n").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands: Vec<&str> =
        help.lines().filter(|line| line.starts_with(':')).filter_map(|line| line.split(' ').next()).collect();
    assert!(commands.len() > 4 && commands.contains(&":vars"), "{help}");
    let mut entries = String::new();
    for expression in EXPRESSIONS {
        let _ = writeln!(entries, "{expression}\nx = {expression}\nx.swordfisj\nx");
        for command in commands.iter().filter(|command| **command != ":quit") {
            let _ = writeln!(entries, "{command} {expression}\n{command} x\n{command}");
        }
    }
    for arguments in [
        &["console", "tf"][..],
        &["console", "tf", "--provider-schema", "schema.json"],
        &["console", "packer"],
    ] {
        let entries = if arguments[1] == "packer" {
            entries.replace("var.token", "var.pw").replace("module.m", "local.parts") + "build\n"
        } else {
            entries.clone()
        };
        let output = folder.command(arguments).envs(ENVIRONMENT).stdin(entries).output().unwrap();
        let lines = String::from_utf8_lossy(&output.stdout);
        assert!(lines.contains("(sensitive)"), "{arguments:?} {lines}");
        assert_eq!(shown(arguments, &output), None, "{arguments:?}");
    }
}

/// Secrets in the files themselves, in each place that declares or implies that they are some, as `CANARY`.
const WRITTEN: [(&str, &str); 6] = [
    (
        "own/main.tf",
        r#"variable "a" {
  type      = object({ x = optional(string, "CANARY"), y = optional(string) })
  default   = { y = "CANARY" }
  sensitive = true
}
variable "b" {
  type    = object({ x = optional(string, "CANARY") })
  default = {}
}
variable "c" {
  sensitive = true
}
variable "d" {
  default   = "CANARY"
  sensitive = "true"
}
# Before: default = "CANARY"
variable "e" {
  default   = <<EOT
CANARY
EOT
  ephemeral = true
}
locals {
  a = sensitive("CANARY")
  b = upper("x-${sensitive("CANARY")}-${var.d}")
  c = { "k" = sensitive({ CANARY = 1 }), "l" = [local.a, var.b.x] }
  d = sensitive(upper("CANARY"))
}
module "called" {
  source = "./called"
  token  = local.a
}
module "git" {
  source = "git::https://u:CANARY@x.org/a.git?ref=v1&token=CANARY"
}
resource "terraform_data" "x" {
  input = [var.a, local.c, module.git.x, module.called.p]
}
output "o" {
  value     = "CANARY"
  sensitive = true
}
output "p" {
  value     = [terraform_data.x.input, var.c, var.e, var.j, local.b, local.d, local.j]
  sensitive = true
}
"#,
    ),
    ("own/main_override.tf", "variable \"b\" {\n  sensitive = true\n}\n"),
    (
        "own/more.tf.json",
        r#"{"variable": {"j": {"default": "CANARY", "sensitive": true}}, "locals": {"j": "${sensitive(\"CANARY\")}"}}"#,
    ),
    (
        "own/called/main.tf",
        "variable \"token\" {\n  sensitive = true\n}\noutput \"p\" {\n  value     = \"CANARY-${var.token}\"\n  sensitive = true\n}\n",
    ),
    ("own/x.auto.tfvars", "c = \"CANARY\"\n"),
    (
        "own-packer/a.pkr.hcl",
        "variable \"a\" {\n  default   = \"CANARY\"\n  sensitive = true\n}\nlocal \"b\" {\n  expression = \"CANARY\"\n  sensitive  = true\n}\nlocals {\n  c = [var.a, local.b]\n}\n",
    ),
];

/// The commands whose output is the text of a file, or a change of it. They write what the file has. So do `eval --partial`, and
/// excerpts in messages, which show the lines that they are about.
const WRITING: [&str; 9] = ["convert", "dump", "edit", "fmt", "merge", "query", "rename", "split", "console"];

/// The other commands on these files.
fn runs_on_own(command: &str) -> Vec<String> {
    let runs: &[&str] = match command {
        "eval" => &[
            "own",
            "own-packer",
            "own --explain var.* local.* module.* terraform_data.x output.*",
            "own-packer --explain local.* var.*",
            "own --unknown-vars",
            "own --inputs-template",
            "own-packer --inputs-template",
            "own --inputs-check",
            "own-packer --inputs-check",
        ],
        "check" => &["own", "own-packer", "own own-packer"],
        "docs" => &["own", "own-packer", "own --layout document"],
        "schema" => &["own", "own-packer"],
        "graph" => &["own", "own-packer"],
        "diff" => {
            &["own own/called", "own/called own --explain", "own-packer own", "own own-packer --explain"]
        }
        "refs" => &["var.a own", "local.a own", "var.b own"],
        "tables" => return TABLES.iter().map(|table| format!("--table {table} own own-packer")).collect(),
        _ => &[],
    };
    runs.iter().map(ToString::to_string).collect()
}

const TABLES: [&str; 12] = [
    "files",
    "blocks",
    "attributes",
    "references",
    "module_calls",
    "providers",
    "variables",
    "outputs",
    "locals",
    "diagnostics",
    "instances",
    "values",
];

#[test]
fn no_command_shows_what_a_file_declares_as_sensitive() {
    const CANARY: &str = "canary7c1d";
    let files: Vec<(&str, String)> =
        WRITTEN.iter().map(|(name, text)| (*name, text.replace("CANARY", CANARY))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = Folder::with(&files);
    let mut answered = BTreeSet::new();
    for command in commands(&folder).iter().filter(|command| !WRITING.contains(&command.as_str())) {
        let formats = formats(&folder, command);
        for run in runs_on_own(command) {
            let words = || [command.as_str()].into_iter().chain(run.split(' '));
            let with_format =
                formats.iter().map(|format| words().chain(format.iter().map(String::as_str)).collect());
            for words in std::iter::once(words().collect()).chain(with_format) {
                let words: Vec<&str> = words;
                let output = folder.command(&words).output().unwrap();
                let text =
                    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).to_lowercase();
                let line = text.lines().find(|line| line.contains(CANARY));
                assert_eq!(line, None, "{words:?}");
                if output.status.code() == Some(0) && !output.stdout.is_empty() {
                    answered.insert(command.clone());
                }
            }
        }
    }
    // Warnings about modules that are not available are none of errors.
    for command in ["eval", "graph", "tables", "refs", "docs", "schema"] {
        assert!(answered.contains(command), "{command}: {answered:?}");
    }
}

/// Runs of the other commands on a random module.
fn runs_on_random(command: &str, module: &secrets::Module) -> Vec<String> {
    match command {
        "eval" => {
            let all = module.references.join(" ");
            [
                "w",
                "w ..*",
                "w --unknown",
                "w --unknown-vars",
                "w --inputs-template",
                "w --inputs-check",
                &format!("w --explain {all}"),
            ]
            .map(str::to_owned)
            .to_vec()
        }
        "check" => vec!["w".to_owned()],
        "docs" => vec!["w".to_owned(), "w --layout document".to_owned()],
        "graph" | "schema" => vec!["w".to_owned()],
        "diff" => {
            ["base w --explain", "w base", "base w --rules r", "w base --rules r"].map(str::to_owned).to_vec()
        }
        "test" => [
            "--rules r w",
            "--rules r --if-unknown fail --coverage w",
            "--rules builtin:all w",
            "--rules r --fix w",
            "--rules p w",
            "--rules p --if-unknown fail w",
            "t",
            "t --rules r --rules p",
        ]
        .map(str::to_owned)
        .to_vec(),
        "refs" => module.references.iter().map(|name| format!("{name} w")).collect(),
        "tables" => TABLES.iter().map(|table| format!("--table {table} --evaluate w")).collect(),
        _ => Vec::new(),
    }
}

/// All commands and reports, and the console, over random modules that declare secrets in all ways.
#[test]
fn no_command_shows_secrets_of_random_modules() {
    const CANARY: &str = "canary7c1d";
    let mut answered = BTreeSet::new();
    let (mut leaks, mut texts) = (Vec::new(), BTreeMap::new());
    for seed in seeds(4) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut pick = |below: usize| random.usize(..below);
        let is_packer = seed % 4 == 3;
        let make = if is_packer { secrets::packer } else { secrets::terraform };
        let module = make(CANARY, &mut pick);
        let files: Vec<(String, &str)> =
            module.files.iter().map(|(path, text)| (format!("w/{path}"), text.as_str())).collect();
        let named: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let folder = Folder::with(&named);
        folder.write("r/a.rules.hcl", attacks::rules(&mut pick));
        folder.write("p/a.policy.hcl", attacks::policies(&mut pick));
        if !is_packer {
            // A module that is not available would end each test.
            for (path, text) in &module.files {
                folder.write(&format!("t/{path}"), without_call(text, "far"));
            }
            for (path, text) in attacks::tests(&module, &mut pick) {
                folder.write(&format!("t/{path}"), text);
            }
        }
        folder.write(if is_packer { "base/a.pkr.hcl" } else { "base/a.tf" }, "locals {\n  base = 1\n}\n");
        let written = || {
            files.iter().fold(String::new(), |mut all, (path, text)| {
                let _ = writeln!(all, "# {path}\n{text}");
                all
            })
        };
        let is_shown = |output: &Output| {
            let text = String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).to_lowercase();
            // In JSON, a diff is one string.
            let text = text.replace("\\n", "\n").replace("\\\"", "\"");
            // Excerpts in messages show lines of the files.
            let is_excerpt = |line: &str| {
                line.split_once(" |").is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok())
            };
            // A diff shows lines of the files, too.
            let is_old = |line: &str| {
                let rest = line.strip_prefix([' ', '-', '+']);
                rest.is_some_and(|rest| {
                    files.iter().any(|(_, text)| text.to_lowercase().lines().any(|own| own == rest))
                })
            };
            let is_new = |line: &&str| line.contains(CANARY) && !is_excerpt(line) && !is_old(line);
            text.lines().find(is_new).map(str::to_owned)
        };
        for command in commands(&folder).iter().filter(|command| !WRITING.contains(&command.as_str())) {
            let formats = formats(&folder, command);
            for run in runs_on_random(command, &module) {
                let words = || [command.as_str()].into_iter().chain(run.split(' '));
                let with_format =
                    formats.iter().map(|format| words().chain(format.iter().map(String::as_str)).collect());
                for words in std::iter::once(words().collect()).chain(with_format) {
                    let words: Vec<&str> = words;
                    let output = folder.command(&words).output().unwrap();
                    let shown = is_shown(&output);
                    if let Some(line) = shown {
                        leaks.push(format!("seed {seed}: {words:?}: {line}"));
                        texts.insert(seed, written());
                    }
                    let code = output.status.code();
                    // Rules find things.
                    let is_done = code == Some(0) || command == "test" && code == Some(1);
                    if is_done && !output.stdout.is_empty() {
                        answered.insert(command.clone());
                    }
                }
            }
        }
        let mut entries = String::new();
        for name in &module.references {
            let _ = writeln!(
                entries,
                "{name}\nx = [{name}]\nx\n:type {name}\n:explain {name}\n{name}.canary7c1c"
            );
        }
        let output = folder.command(&["console", "--no-history", "w"]).stdin(entries).output().unwrap();
        assert_eq!(is_shown(&output), None, "seed {seed}: console\n{}", written());
        // The console does not begin with a module that has errors.
        if String::from_utf8_lossy(&output.stdout).contains("(sensitive)") {
            answered.insert("console".to_owned());
        }
    }
    let of_modules = texts.iter().map(|(seed, text)| format!("seed {seed}\n{text}")).collect::<Vec<_>>();
    assert!(leaks.is_empty(), "{}\n{}", leaks.join("\n"), of_modules.join("\n"));
    for command in ["eval", "check", "console", "graph", "tables", "refs", "docs", "schema", "test"] {
        assert!(answered.contains(command), "{command}: {answered:?}");
    }
}

/// A file without a call of a module.
fn without_call(text: &str, name: &str) -> String {
    let Some((before, rest)) = text.split_once(&format!("module \"{name}\" {{")) else {
        return text.to_owned();
    };
    let after = rest.split_once("\n}\n").map_or("", |(_, after)| after);
    format!("{before}{after}")
}
