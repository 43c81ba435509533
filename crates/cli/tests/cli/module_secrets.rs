//! No command on a module shows a sensitive value in any format: neither in results nor in errors.

use hclkit_test_cases::is_tried;

use std::process::Output;

use crate::program::Folder;

/// The texts that must never be printed: parts of values, and the name of a key.
const SECRETS: [&str; 2] = ["hunter2", "swordfish"];

const MAIN: &str = r#"variable "token" {
  type      = string
  sensitive = true
}

variable "keys" {
  type      = map(string)
  sensitive = true
}

variable "plain" {
  default = "p"
}

locals {
  url   = "https://x:${var.token}@example.com"
  pairs = { for name, key in var.keys : name => upper(key) }
  mixed = { secret = var.keys, plain = var.plain }
}

module "m" {
  source = "./m"
  keys   = var.keys
  token  = local.url
}

module "many" {
  source   = "./m"
  for_each = toset(["a", "b"])
  keys     = { (each.key) = var.token }
  token    = each.key
}

resource "aws_db_instance" "main" {
  name     = local.mixed.plain
  password = var.token
  settings {
    value = local.pairs
  }
}

resource "terraform_data" "all" {
  input            = ["postgres://${var.token}", var.keys]
  triggers_replace = [var.token]
}

output "url" {
  value     = local.url
  sensitive = true
}

output "through" {
  value     = [module.m.keys, module.m.inner, module.many["a"].keys]
  sensitive = true
}

output "database" {
  value     = aws_db_instance.main
  sensitive = true
}
"#;

const CALLED: &str = r#"variable "keys" {
  type = any
}

variable "token" {
  type = string
  validation {
    condition     = length(var.token) < 1000
    error_message = "Too long: ${var.token}."
  }
}

module "inner" {
  source = "./inner"
  value  = var.keys
}

output "keys" {
  value = jsonencode(var.keys)
}

output "inner" {
  value     = module.inner.value
  sensitive = true
}
"#;

const INNER: &str = "variable \"value\" {\n}\noutput \"value\" {\n  value = { (join(\"\", keys(var.value))) = var.value }\n}\n";

/// What is added to the module, so that there are errors about sensitive values.
const MISTAKES: [&str; 12] = [
    "output \"bad\" {\n  value = local.url\n}\n",
    "locals {\n  bad = var.token + 1\n}\n",
    "locals {\n  bad = var.keys.swordfisj\n}\n",
    "locals {\n  bad = [for key in var.keys : key.x]\n}\n",
    "locals {\n  bad = tonumber(local.url)\n}\n",
    "locals {\n  bad = regex(\"^a\", var.token)\n}\n",
    "locals {\n  bad = file(var.token)\n}\n",
    "locals {\n  bad = { for name, key in var.keys : \"same\" => key... }.x\n}\n",
    "resource \"aws_x\" \"y\" {\n  for_each = var.keys\n}\n",
    "resource \"aws_x\" \"y\" {\n  count = var.token\n}\n",
    "resource \"aws_x\" \"y\" {\n  lifecycle {\n    precondition {\n      condition     = var.token == \"x\"\n      error_message = \"It is ${var.token}.\"\n    }\n  }\n}\n",
    "check \"c\" {\n  assert {\n    condition     = contains(keys(var.keys), \"x\")\n    error_message = \"One of ${join(\", \", keys(var.keys))}.\"\n  }\n}\n",
];

const COMMANDS: [&[&str]; 35] = [
    &["eval", "."],
    &["eval", ".", "--output", "json"],
    &["eval", ".", "--output", "ndjson"],
    &["eval", ".", "--output", "table"],
    &["eval", ".", "--output", "hcl", "--compact"],
    &["eval", ".", "--report", "json"],
    &["eval", ".", "--report", "sarif"],
    &["eval", ".", "--unknown"],
    &["eval", ".", "--unknown", "--output", "json"],
    &["eval", ".", "--unknown-vars"],
    &["eval", ".", "--partial"],
    &["eval", ".", "--partial", "--provider-schema", "schema.json"],
    &[
        "eval",
        ".",
        "--explain",
        "--provider-schema",
        "schema.json",
        "aws_db_instance.*",
        "output.*",
        "terraform_data.*",
    ],
    &[
        "eval",
        ".",
        "--explain",
        "--provider-schema",
        "schema.json",
        "--output",
        "json",
        "aws_db_instance.*",
        "output.*",
    ],
    &["eval", ".", "--explain", "local.*", "output.*", "module"],
    &["eval", ".", "--explain", "--output", "json", "local.*", "aws_db_instance.*", "terraform_data.all"],
    &["eval", ".", "..*"],
    &["eval", ".", "..[true]", "local~[*]", "..[-1]", "module~[inner != null]", "module~[self != null]..*"],
    &["eval", ".", "..[nonsensitive(self) == \"swordfish\"]", "local.*[can(nonsensitive(secret))].*"],
    &["eval", ".", "*.*.*", "local.pairs[*]", "local.mixed.secret.*", "var.keys.s*"],
    &["eval", ".", "..sword*", "module.*.keys[*]", "module.m.inner.*"],
    &["eval", ".", "var.keys.swordfisj", "local.pairs.sworfish", "local.mixed.secret[\"swordfsh\"]"],
    &["eval", ".", "module.m.inner.swordfisj", "aws_db_instance.main.settings[0].value.swordfisj"],
    &["eval", ".", "--provider-schema", "schema.json"],
    &[
        "eval",
        ".",
        "--provider-schema",
        "schema.json",
        "--output",
        "json",
        "aws_db_instance.main",
        "output.database",
    ],
    &["eval", ".", "--provider-schema", "schema.json", "--explain", "aws_db_instance.main.password"],
    &["eval", ".", "--var", "keys={hunter2=[1]}", "--var", "token=[swordfish]"],
    &["eval", ".", "--var", "keys={hunter2=", "local.url"],
    &["graph"],
    &["graph", "--output", "mermaid"],
    &["graph", "--output", "json"],
    &["check"],
    &["check", "--report", "json"],
    &["check", "--report", "sarif"],
    &["check", "--report", "github"],
];

const ENTRIES: &str = r#"var.token
var.keys
keys(var.keys)
var.keys.swordfisj
[for name, key in var.keys : name]
type(local.pairs)
module.m
module.m.inner.swordfisj
module.many["a"].keys
aws_db_instance.main
aws_db_instance.main.password + 1
terraform_data.all
terraform_data.all.triggers_replace
nonsensitive(var.token) == "x" ? 1 : 2
x = var.keys
x.swordfisj
:vars
:type local.mixed
:type local.pairs
:explain local.url
:explain local.pairs
:explain [for name, key in var.keys : "${name}${key}"]
"#;

const SCHEMA: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/aws": {"resource_schemas": {
  "aws_db_instance": {"block": {
    "attributes": {
      "name": {"type": "string", "optional": true},
      "password": {"type": "string", "optional": true, "sensitive": true},
      "arn": {"type": "string", "computed": true, "sensitive": true}
    },
    "block_types": {"settings": {"nesting_mode": "list", "block": {"attributes": {"value": {"type": ["map", "string"], "optional": true}}}}}
  }}
}}}}
"#;

fn module(mistake: &str) -> Folder {
    Folder::with(&[
        ("main.tf", &format!("{MAIN}{mistake}")),
        ("m/main.tf", CALLED),
        ("m/inner/main.tf", INNER),
        ("keys.auto.tfvars", "keys = { swordfish = \"hunter2\" }\n"),
        ("schema.json", SCHEMA),
    ])
}

fn refuse_secrets(what: &str, output: &Output) {
    for text in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(text);
        let shows = text.lines().find(|line| {
            let line = line.to_lowercase();
            SECRETS.iter().any(|secret| line.contains(secret))
        });
        assert!(shows.is_none(), "{what}: {}\n{text}", shows.unwrap_or_default());
    }
}

/// With one of four combinations of a mistake and a command, and all commands without a mistake.
#[test]
fn no_command_shows_a_sensitive_value_of_a_module() {
    for (row, mistake) in [""].into_iter().chain(MISTAKES).enumerate() {
        let folder = module(mistake);
        for (column, arguments) in COMMANDS.into_iter().enumerate() {
            if !mistake.is_empty() && !is_tried(row + column, 4) {
                continue;
            }
            let output = folder.command(arguments).env("TF_VAR_token", "hunter2").output().unwrap();
            refuse_secrets(&format!("{arguments:?} {mistake}"), &output);
        }
        let console = folder.command(&["console", "."]);
        let output = console.env("TF_VAR_token", "hunter2").stdin(ENTRIES).output().unwrap();
        refuse_secrets(&format!("console {mistake}"), &output);
        assert!(String::from_utf8_lossy(&output.stdout).contains("(sensitive)"));
    }
}

/// What a schema or a result declares as sensitive is not shown, even if it is computed from values that are not.
#[test]
fn declared_values_are_not_written() {
    let text = "variable \"plain\" {}\nresource \"aws_db_instance\" \"main\" {\n  password = \"hunter${var.plain}\"\n}\noutput \"o\" {\n  value     = \"hunter${var.plain}\"\n  sensitive = true\n}\n";
    let folder = Folder::with(&[("main.tf", text), ("schema.json", SCHEMA)]);
    for more in [
        &["--partial"][..],
        &["--explain", "aws_db_instance.*", "output.*"],
        &["--explain", "--output", "json", "aws_db_instance.*", "output.*"],
        &[],
        &["--output", "json"],
    ] {
        let options = ["eval", ".", "--provider-schema", "schema.json", "--var", "plain=2"];
        let output = folder.command(&[&options[..], more].concat()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        refuse_secrets(&format!("{more:?}"), &output);
    }
    let shown = [
        "eval",
        ".",
        "--provider-schema",
        "schema.json",
        "--var",
        "plain=2",
        "--partial",
        "--show-sensitive",
    ];
    let output = folder.command(&shown).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("hunter2").count(), 2);
}

#[test]
fn addresses_have_no_sensitive_names() {
    let text = "variable \"pw\" {\n  default   = \"swordfish\"\n  sensitive = true\n}\nsource \"null\" \"x\" {\n}\nbuild {\n  name    = upper(var.pw)\n  sources = [\"null.x\", \"${var.pw}.y\"]\n  source \"null.x\" {\n    name = var.pw\n  }\n}\n";
    let folder = Folder::with(&[
        ("main.pkr.hcl", &text.replace("  default   = \"swordfish\"\n", "")),
        ("a.auto.pkrvars.hcl", "pw = \"swordfish\"\n"),
    ]);
    for arguments in [
        &["eval", "."][..],
        &["eval", ".", "--output", "json"],
        &["eval", ".", "--output", "ndjson"],
        &["eval", ".", "build.*"],
        &["eval", ".", "--partial"],
        &["graph"],
        &["graph", "--output", "json"],
        &["graph", "--output", "mermaid"],
        &["check"],
    ] {
        let output = folder.command(arguments).output().unwrap();
        refuse_secrets(&format!("{arguments:?}"), &output);
    }
    let output = folder.command(&["console", "."]).stdin(":vars\nbuild\n").output().unwrap();
    refuse_secrets("console", &output);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("(build)"));
}

/// Results that a called module declares as sensitive are sensitive for its caller, and no command shows them.
#[test]
fn sensitive_results_of_called_modules_are_not_shown() {
    let child = "output \"u\" {\n  value     = \"hunter2\"\n  sensitive = true\n}\noutput \"keys\" {\n  value     = { swordfish = 1 }\n  sensitive = true\n}\noutput \"on\" {\n  value     = true\n  sensitive = true\n}\n";
    let grandchild = "variable \"k\" {}\noutput \"k\" {\n  value = var.k\n}\nresource \"terraform_data\" \"x\" {\n  input = var.k\n}\n";
    let root = "module \"m\" {\n  source = \"./m\"\n}\nmodule \"g\" {\n  source = \"./g\"\n  k      = [for k, v in module.m.keys : \"${k}${v}\"]\n}\nresource \"terraform_data\" \"r\" {\n  input = [module.m.u, module.m.keys, \"clear\"]\n}\nlocals {\n  l = upper(module.m.u)\n  n = issensitive(module.m.u)\n  c = module.m.on ? \"yes\" : \"no\"\n}\noutput \"u\" {\n  value     = module.m.u\n  sensitive = true\n}\noutput \"m\" {\n  value     = [module.m, module.g]\n  sensitive = true\n}\noutput \"l\" {\n  value     = { x = [for k, v in module.m.keys : \"${k}-${v}\"], y = local.l, (module.m.u) = 1 }\n  sensitive = true\n}\n";
    let declared = "output \"declared\" {\n  value     = \"no\"\n  sensitive = true\n}\n";
    let folder = Folder::with(&[
        ("main.tf", &format!("{root}{declared}")),
        ("override.tf", "output \"declared\" {\n  value = \"hunter${1 + 1}\"\n}\n"),
        ("m/main.tf", child),
        ("g/main.tf", grandchild),
    ]);
    for arguments in [
        &["eval", "."][..],
        &["eval", ".", "--output", "json"],
        &["eval", ".", "--output", "ndjson"],
        &["eval", ".", "--output", "table"],
        &["eval", ".", "--unknown"],
        &["eval", ".", "output.*", "local.*", "terraform_data.*", "module.*"],
        &["eval", ".", "..*"],
        &["eval", ".", "--explain", "output.*", "local.*", "terraform_data.*", "module.g"],
        &["eval", ".", "--explain", "--output", "json", "output.*", "local.*", "terraform_data.*"],
        &["check", "."],
        &["graph", "."],
        &["diff", ".", "."],
    ] {
        let output = folder.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?} {output:?}");
        refuse_secrets(&format!("{arguments:?}"), &output);
    }
    let output = folder.command(&["eval", ".", "--partial"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("HUNTER2") && !text.contains("value = \"hunter2\""), "{text}");
    // Only the text of the child has the values.
    assert!(text.matches("hunter2").count() == 1 && text.matches("swordfish").count() == 1, "{text}");
    let entries = ":vars\nmodule.m.u\nlocal.l\nmodule.g\n:explain local.l\n:type module.m\nterraform_data.r\nmodule.m.keys\n[for k, v in module.m.keys : k]\n";
    let output = folder.command(&["console", "."]).stdin(entries).output().unwrap();
    refuse_secrets("console", &output);

    let values = folder.command(&["eval", ".", "local.*", "terraform_data.r", "output.l"]).output().unwrap();
    let values = String::from_utf8_lossy(&values.stdout).into_owned();
    for line in ["local.n = true", "\"clear\"", "local.l = (sensitive)"] {
        assert!(values.contains(line), "{values}");
    }
    let shown = folder.command(&["eval", ".", "output.u", "module.g", "--show-sensitive"]).output().unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("output.u = \"hunter2\"") && shown.contains("\"swordfish1\""), "{shown}");
}
