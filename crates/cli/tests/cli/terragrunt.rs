//! Units and stacks of Terragrunt: what `eval`, `check` and `graph` say of them.

use snapbox::str;

use crate::program::Folder;

/// A repository with two units, a module and a file that both units include.
fn live() -> Folder {
    Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (
            "root.hcl",
            "locals {\n  region = \"eu\"\n}\nremote_state {\n  backend = \"s3\"\n  config = {\n    key = \"${path_relative_to_include()}/terraform.tfstate\"\n  }\n}\ninputs = {\n  region = local.region\n}\n",
        ),
        (
            "live/app/terragrunt.hcl",
            "include \"root\" {\n  path   = find_in_parent_folders(\"root.hcl\")\n  expose = true\n}\nfeature \"size\" {\n  default = \"small\"\n}\nlocals {\n  name = \"app-${include.root.locals.region}\"\n  user = run_cmd(\"whoami\")\n}\ndependency \"vpc\" {\n  config_path  = \"../vpc\"\n  mock_outputs = { id = \"vpc-1\" }\n}\ndependency \"dns\" {\n  config_path = \"../dns\"\n}\nterraform {\n  source = \"../../mods//app\"\n}\ninputs = {\n  name = local.name\n  vpc  = dependency.vpc.outputs.id\n  zone = dependency.dns.outputs.zone\n  user = local.user\n  size = feature.size.value\n}\n",
        ),
        ("live/vpc/terragrunt.hcl", "terraform {\n  source = \"../../mods//vpc\"\n}\n"),
        (
            "live/dns/terragrunt.hcl",
            "dependencies {\n  paths = [\"../vpc\"]\n}\nterraform {\n  source = \"../../mods//vpc\"\n}\n",
        ),
        (
            "mods/app/main.tf",
            "variable \"name\" {\n  type = string\n}\nvariable \"vpc\" {}\nvariable \"zone\" {}\nvariable \"user\" {}\nvariable \"size\" {}\nvariable \"region\" {}\noutput \"all\" {\n  value = [var.name, var.vpc, var.zone, var.user, var.size, var.region]\n}\n",
        ),
        ("mods/vpc/main.tf", "output \"id\" {\n  value = \"x\"\n}\n"),
    ])
}

#[test]
fn a_unit_has_the_values_of_all_its_files() {
    let folder = live();
    folder.hcl(&["eval", "live/app"]).success().stdout_eq(str![[r#"
local.name = "app-eu"
local.user = (unknown string)
inputs.name = "app-eu"
inputs.region = "eu"
inputs.size = "small"
inputs.user = (unknown string)
inputs.vpc = "vpc-1"
inputs.zone = (unknown)
dependency.vpc.config_path = "../vpc"
dependency.vpc.mock_outputs = { id = "vpc-1" }
dependency.vpc.outputs = { id = "vpc-1" }
dependency.dns.config_path = "../dns"
dependency.dns.outputs = (unknown)
remote_state.backend = "s3"
remote_state.config = { key = "live/app/terraform.tfstate" }
feature.size.default = "small"
feature.size.value = "small"
terraform.source = "../../mods//app"

"#]]);
    folder.hcl(&["eval", "live/app", "--unknown"]).success().stdout_eq(str![[r#"
No program is run:
  run_cmd: local.user, inputs.user
Its outputs are in its state, and it has no mock_outputs:
  dependency.dns: inputs.zone, dependency.dns.outputs

"#]]);
    folder
        .hcl(&["eval", "live/app/terragrunt.hcl", "inputs.size", "--var", "size=large"])
        .success()
        .stdout_eq("inputs.size = \"large\"\n");
    folder
        .hcl(&["eval", "-C", "live/app", "upper(inputs.name)", "--output", "raw"])
        .success()
        .stdout_eq("APP-EU\n");
    let explained = folder.hcl(&["eval", "live/app", "inputs.region", "--explain"]).success();
    let text = String::from_utf8_lossy(&explained.get_output().stdout).into_owned();
    assert!(text.contains("local.region") && text.contains("\"eu\""), "{text}");
}

#[test]
fn what_a_unit_may_not_do_is_refused() {
    let folder = live();
    for (args, why) in [
        (&["live/app", "--template"][..], "not supported for Terragrunt"),
        (&["live/app", "--workspace", "a"], "not supported for Terragrunt"),
        (&["live/app", "--explain"], "requires an address"),
        (&["live/app", "--var", "a.b.c=1"], "expected the name of a feature flag"),
        (&["live/app", "--vars", "{}"], "variable files are not supported"),
        (&["live/app", "--functions", "none"], "those of its language"),
    ] {
        let output = folder.command(&["eval"]).args(args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), text.contains(why)), (Some(2), true), "{args:?}: {text}");
    }
    // The environment must be granted, and files outside of the repository are not read.
    let outside = Folder::with(&[("secret.hcl", "locals {\n  a = \"secret\"\n}\n")]);
    let path = outside.root().join("secret.hcl").to_string_lossy().into_owned();
    let text = format!(
        "inputs = {{\n  a = get_env(\"HOME\")\n  b = read_terragrunt_config({path:?}).locals.a\n  c = file({path:?})\n}}\n"
    );
    folder.write("live/app/terragrunt.hcl", text);
    let ended = folder.hcl(&["eval", "live/app"]).code(1);
    let (out, errors) = (ended.get_output().stdout.clone(), ended.get_output().stderr.clone());
    let text = String::from_utf8_lossy(&errors).into_owned() + &String::from_utf8_lossy(&out);
    assert!(text.contains("environment-not-granted") && text.contains("--allow-env"), "{text}");
    assert!(!text.contains("\"secret\""), "{text}");
}

#[test]
fn a_stack_has_its_units() {
    let folder = Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (
            "live/terragrunt.stack.hcl",
            "locals {\n  env = \"dev\"\n}\nunit \"vpc\" {\n  source = \"../units/vpc\"\n  path   = \"vpc\"\n  values = {\n    cidr = \"10.0.0.0/16\"\n    env  = local.env\n  }\n}\nstack \"web\" {\n  source = \"../stacks/web\"\n  path   = \"web\"\n  values = {\n    vpc = unit.vpc.path\n  }\n}\n",
        ),
        (
            "units/vpc/terragrunt.hcl",
            "inputs = {\n  cidr = values.cidr\n  env  = values.env\n  name = basename(get_terragrunt_dir())\n  text = file(\"a.txt\")\n}\n",
        ),
        ("units/vpc/a.txt", "text"),
        (
            "stacks/web/terragrunt.stack.hcl",
            "unit \"app\" {\n  source = \"${get_repo_root()}/units/app\"\n  path   = \"app\"\n  values = { vpc = basename(values.vpc) }\n}\n",
        ),
        ("units/app/terragrunt.hcl", "inputs = {\n  vpc = values.vpc\n}\n"),
    ]);
    folder.hcl(&["eval", "live", "unit.vpc.inputs.cidr", "unit.vpc.path"]).success().stdout_eq(str![[r#"
unit.vpc.inputs.cidr = "10.0.0.0/16"
unit.vpc.path = "vpc"

"#]]);
    let all = folder.hcl(&["eval", "live"]).success();
    let text = String::from_utf8_lossy(&all.get_output().stdout).into_owned();
    for line in
        ["unit.vpc.inputs.text = \"text\"", "unit.vpc.inputs.name = \"vpc\"", "unit.vpc.inputs.env = \"dev\""]
    {
        assert!(text.lines().any(|own| own == line), "{line}: {text}");
    }
    assert!(text.contains("stack.web.unit.app.inputs.vpc = "), "{text}");
}

#[test]
fn mistakes_in_units_are_found() {
    let folder = live();
    folder.hcl(&["check", "."]).success();
    folder.write("live/vpc/terragrunt.hcl", "dependency \"app\" {\n  config_path = \"../app\"\n}\ndependencies {\n  paths = [\"../nothing\"]\n}\nterraform {\n  source = \"../../mods//vpcs\"\n}\n");
    let app = folder.read("live/app/terragrunt.hcl");
    folder.write("live/app/terragrunt.hcl", app.replace("  name = local.name\n", "  nam  = local.nme\n"));
    let found = folder.hcl(&["check", ".", "--report", "json"]).code(1);
    let json: serde_json::Value = serde_json::from_slice(&found.get_output().stdout).unwrap();
    let mut all: Vec<String> = json["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| {
            format!(
                "{} {} {}",
                own["severity"].as_str().unwrap(),
                own["code"].as_str().unwrap(),
                own["file"].as_str().unwrap_or_default()
            )
        })
        .collect();
    all.sort();
    assert_eq!(
        all,
        [
            "error invalid-module-source live/vpc/terragrunt.hcl",
            "error missing-input live/app/terragrunt.hcl",
            "error reference-cycle live/app/terragrunt.hcl",
            "error reference-cycle live/dns/terragrunt.hcl",
            "error reference-cycle live/vpc/terragrunt.hcl",
            "error unknown-variable live/app/terragrunt.hcl",
            "error unreadable-file live/vpc/terragrunt.hcl",
            "warning unsupported-input live/app/terragrunt.hcl",
        ]
    );
}

#[test]
fn a_file_that_units_include_is_no_unit() {
    let folder = Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (
            "terragrunt.hcl",
            "locals {\n  env = regex(\"live/(.*)\", path_relative_to_include())[0]\n}\ninputs = {\n  env = local.env\n}\n",
        ),
        (
            "live/app/terragrunt.hcl",
            "include {\n  path = find_in_parent_folders()\n}\nterraform {\n  source = \"git::https://example.com/m.git\"\n}\n",
        ),
    ]);
    folder.hcl(&["check", "."]).success();
    folder.hcl(&["eval", "live/app", "inputs"]).success().stdout_eq("inputs = { env = \"app\" }\n");
}

#[test]
fn a_graph_has_units_and_what_they_depend_on() {
    let folder = live();
    folder.hcl(&["graph", "live", "--output", "mermaid"]).success().stdout_eq(str![[r#"
flowchart LR
  n0["live/app"]:::role_unit
  n1["live/dns"]:::role_unit
  n2["live/vpc"]:::role_unit
  n0 --> n1
  n0 --> n2
  n1 --> n2
  classDef role_unit fill:#f3f4f6

"#]]);
    folder.hcl(&["graph", "live/dns", "--output", "mermaid"]).success().stdout_eq(str![[r#"
flowchart LR
  n0["live/dns"]:::role_unit
  n1["live/vpc"]:::role_unit
  n0 --> n1
  classDef role_unit fill:#f3f4f6

"#]]);
}

/// A file that reads itself, files that read each other, and a long chain of files.
#[test]
fn files_that_read_each_other_end() {
    let folder = Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("a.hcl", "locals {\n  b = read_terragrunt_config(\"b.hcl\")\n}\n"),
        ("b.hcl", "locals {\n  a = read_terragrunt_config(\"a.hcl\")\n}\n"),
        ("app/terragrunt.hcl", "inputs = {\n  a = read_terragrunt_config(\"../a.hcl\").locals\n}\n"),
    ]);
    let ended = folder.hcl(&["eval", "app"]).code(1);
    let text = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
    assert!(text.contains("is read while it is evaluated itself"), "{text}");
    let mut chain = vec![(".git/HEAD".to_owned(), "ref: refs/heads/main\n".to_owned())];
    for at in 0..400 {
        let text = format!("locals {{\n  a = read_terragrunt_config(\"{}.hcl\").locals.a\n}}\n", at + 1);
        chain.push((format!("{at}.hcl"), text));
    }
    chain.push(("400.hcl".to_owned(), "locals {\n  a = 1\n}\n".to_owned()));
    chain.push((
        "app/terragrunt.hcl".to_owned(),
        "inputs = {\n  a = read_terragrunt_config(\"../0.hcl\").locals.a\n}\n".to_owned(),
    ));
    let files: Vec<(&str, &str)> = chain.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let ended = Folder::with(&files).hcl(&["eval", "app"]);
    let code = ended.get_output().status.code();
    assert!(code == Some(2) || code == Some(0), "{code:?}");
}

/// What a file declares as sensitive is in no output.
#[test]
fn sensitive_values_are_not_shown() {
    let unit = "locals {\n  s = sensitive(\"hunter${1 + 1}\")\n}\ninclude \"a\" {\n  path = \"../root.hcl\"\n  merge_strategy = sensitive(\"hunter${1 + 1}\")\n}\ndependency \"d\" {\n  config_path  = local.s\n  mock_outputs = { (local.s) = local.s }\n}\ndependencies {\n  paths = [local.s]\n}\nterraform {\n  source = \"../${local.s}\"\n}\nremote_state {\n  backend = local.s\n  config  = { a = local.s }\n}\ngenerate \"g\" {\n  path      = local.s\n  if_exists = local.s\n  contents  = \"a ${local.s}\"\n}\nprevent_destroy = local.s\ninputs = {\n  a = local.s\n  b = [local.s]\n  c = upper(local.s)\n  n = local.s\n  o = dependency.d.outputs\n}\n";
    let module = "variable \"a\" {}\nvariable \"n\" {\n  type = number\n}\n";
    let plain = unit.replace("  source = \"../${local.s}\"", "  source = \"../m\"");
    for unit in [unit, plain.as_str()] {
        let folder = Folder::with(&[
            (".git/HEAD", "ref: refs/heads/main\n"),
            ("root.hcl", "inputs = {\n  a = { x = 1 }\n}\n"),
            ("app/terragrunt.hcl", unit),
            ("m/main.tf", module),
        ]);
        for args in [
            &["eval", "app"][..],
            &["eval", "app", "--output", "json"],
            &["eval", "app", "--output", "ndjson"],
            &["eval", "app", "--output", "yaml"],
            &["eval", "app", "--output", "table"],
            &["eval", "app", "--unknown"],
            &["eval", "app", "inputs.a", "inputs.n", "generate.g.contents", "--explain"],
            &["eval", "app", "inputs"],
            &["eval", "app", "generate.g.contents", "--output", "raw"],
            &["check", "."],
            &["check", ".", "--report", "json"],
            &["graph", "."],
        ] {
            let output = folder.command(args).output().unwrap();
            let text = [&output.stdout[..], &output.stderr[..]].concat();
            let text = String::from_utf8_lossy(&text).to_lowercase();
            assert!(!text.contains("hunter2") && !text.contains("panicked"), "{args:?}: {text}");
            assert!(output.status.code().is_some_and(|code| code < 3), "{args:?}: {text}");
        }
    }
}

/// Small files whose evaluation is large end at the limits.
#[test]
fn limits_end_units() {
    let mut files = vec![(".git/HEAD".to_owned(), String::new())];
    for at in 0..60 {
        let next = format!("read_terragrunt_config(\"{}.hcl\").locals.a", at + 1);
        files.push((format!("{at}.hcl"), format!("locals {{\n  a = [{next}, {next}]\n}}\n")));
    }
    files.push(("60.hcl".to_owned(), "locals {\n  a = \"x\"\n}\n".to_owned()));
    let unit = "inputs = {\n  a = jsonencode(read_terragrunt_config(\"../0.hcl\").locals.a)\n}\n";
    files.push(("app/terragrunt.hcl".to_owned(), unit.to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = Folder::with(&files);
    for args in [&["eval", "app"][..], &["check", "app"], &["eval", "app", "--unknown"], &["graph", "app"]] {
        let output = folder.command(args).args(["--max-bytes", "1000000"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code().is_some_and(|code| code < 3), "{args:?}: {text}");
        assert!(!text.contains("panicked"), "{args:?}: {text}");
    }
}

#[test]
fn a_console_has_the_names_of_a_unit() {
    let folder = live();
    let entries = "local.name\nupper(inputs.region)\nfeature.size.value\ndependency.vpc.outputs\nremote_state.config.key\n:vars\n";
    folder.hcl_reading(&["console", "live/app", "--var", "size=large"], entries).success().stdout_eq(str![[
        r#"
"app-eu"
"EU"
"large"
{ id = "vpc-1" }
"live/app/terraform.tfstate"
dependency.dns.config_path  = "../dns"
dependency.dns.outputs      = (unknown)
dependency.vpc.config_path  = "../vpc"
dependency.vpc.mock_outputs = { id = "vpc-1" }
dependency.vpc.outputs      = { id = "vpc-1" }
feature.size.default        = "small"
feature.size.value          = "large"
inputs.name                 = "app-eu"
inputs.region               = "eu"
inputs.size                 = "large"
inputs.user                 = (unknown string)
inputs.vpc                  = "vpc-1"
inputs.zone                 = (unknown)
local.name                  = "app-eu"
local.user                  = (unknown string)
remote_state.backend        = "s3"
remote_state.config         = { key = "live/app/terraform.tfstate" }
terraform.source            = "../../mods//app"

"#
    ]]);
    folder.hcl_reading(&["console", "live/app/terragrunt.hcl"], "feature.size.value\n").success().stdout_eq(
        str![[r#"
"small"

"#]],
    );
    folder.write("live/app/terragrunt.hcl", "locals {\n  a = get_env(\"HOME\")\n}\n");
    folder.hcl_reading(&["console", "live/app"], "local.a\n").code(1).stderr_eq(str![[r#"
note: use --allow-env to allow functions to read environment variables
error[environment-not-granted]: Environment access not granted
 --> live/app/terragrunt.hcl:2:7
  |
2 |   a = get_env("HOME")
  |       ^^^^^^^^
  |
  = note: Call to function `get_env` failed: reading environment variables is not granted.

"#]]);
    let context = folder.hcl_reading(&["console", "live/app", "--workspace", "x"], "1\n");
    context.code(2).stderr_eq(str![[r#"
error: --workspace: not supported for Terragrunt

"#]]);
}

#[test]
fn partial_evaluation_keeps_what_only_an_apply_knows() {
    let folder = live();
    let output = folder.hcl(&["eval", "live/app", "--partial"]).success().stdout_eq(str![[r#"
include "root" {
  path   = find_in_parent_folders("root.hcl")
  expose = true
}
feature "size" {
  default = "small"
}
locals {
  name = "app-eu"
  user = run_cmd("whoami")
}
dependency "vpc" {
  config_path  = "../vpc"
  mock_outputs = { id = "vpc-1" }
}
dependency "dns" {
  config_path = "../dns"
}
terraform {
  source = "../../mods//app"
}
inputs = {
  name = "app-eu"
  vpc  = dependency.vpc.outputs.id
  zone = dependency.dns.outputs.zone
  user = local.user
  size = "small"
}

"#]]);
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    // The result has the same values.
    let before = folder.hcl(&["eval", "live/app"]).success().get_output().stdout.clone();
    folder.write("live/app/terragrunt.hcl", &text);
    folder.hcl(&["eval", "live/app"]).success().stdout_eq(String::from_utf8(before).unwrap());
    folder.hcl(&["eval", "live/app", "--partial"]).success().stdout_eq(text);
    folder.hcl(&["eval", "live/app", "--partial", "inputs.name"]).code(2);
    folder.hcl(&["eval", "live/app", "--partial", "--out", "live/app/terragrunt.hcl"]).code(2);
}

#[test]
fn sources_can_be_in_directories() {
    let folder = Folder::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (
            "live/terragrunt.stack.hcl",
            "unit \"app\" {\n  source = \"git::https://example.com/catalog.git//units/app?ref=v1\"\n  path   = \"app\"\n  values = { name = \"shop\" }\n}\n",
        ),
        (
            "one/terragrunt.hcl",
            "terraform {\n  source = \"git::https://example.com/catalog.git//modules/app?ref=v1\"\n}\ninputs = {\n  nam = \"x\"\n}\n",
        ),
    ]);
    let catalog = Folder::with(&[
        (
            "v1/units/app/terragrunt.hcl",
            "terraform {\n  source = \"git::https://example.com/catalog.git//modules/app?ref=v1\"\n}\ninputs = {\n  name = values.name\n}\n",
        ),
        ("v1/modules/app/main.tf", "variable \"name\" {\n  type = string\n}\n"),
    ]);
    let map = format!("git::https://example.com/catalog.git={}", catalog.path("v1").display());
    folder.hcl(&["eval", "live", "unit.app.inputs.name"]).code(1);
    folder.hcl(&["eval", "live", "--module-dir", &map, "unit.app.inputs.name"]).success().stdout_eq(str![[
        r#"
unit.app.inputs.name = "shop"

"#
    ]]);
    folder.hcl(&["check"]).success();
    let (_, code, found) = folder.ended(&["check", "--module-dir", &map]);
    let missing = "modules/app requires a value for its variable `name`, but it is not an input";
    let other = "modules/app has no variable named `nam`. Terraform ignores the value. Did you mean `name`?";
    assert!(code == 1 && found.contains(missing) && found.contains(other), "{found}");
}
