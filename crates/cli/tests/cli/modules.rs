//! Modules: `hcl eval DIR` and `console DIR`.

use crate::program::Folder;
use snapbox::str;

const MAIN: &str = r#"variable "region" {
  type = string
}

variable "password" {
  type      = string
  sensitive = true
  default   = "hunter2"
}

locals {
  zones = ["${var.region}-a", "${var.region}-b"]
  url   = "https://x:${var.password}@example.com"
}

module "net" {
  source   = "./net"
  for_each = toset(local.zones)
  zone     = each.key
}

resource "aws_instance" "web" {
  count     = 2
  name      = "web-${count.index}"
  subnet_id = module.net["eu-a"].subnet
}

output "subnets" {
  value = { for zone, net in module.net : zone => net.cidr }
}

output "url" {
  value     = local.url
  sensitive = true
}
"#;

const NET: &str = r#"variable "zone" {}

resource "aws_subnet" "this" {
  cidr = cidrsubnet("10.0.0.0/16", 8, length(var.zone))
}

output "cidr" {
  value = aws_subnet.this.cidr
}

output "subnet" {
  value = aws_subnet.this.id
}
"#;

pub(crate) fn shop() -> Folder {
    Folder::with(&[("main.tf", MAIN), ("net/main.tf", NET), ("eu.tfvars", "region = \"eu\"\n")])
}

#[test]
fn addresses_are_evaluated() {
    let eval =
        |args: &[&str]| shop().hcl(&[&["eval", ".", "--var-file", "eu.tfvars"], args].concat()).success();
    eval(&[])
        .stdout_eq(str![[r#"
var.region = "eu"
var.password = (sensitive)
local.zones = ["eu-a", "eu-b"]
local.url = (sensitive)
aws_instance.web[0] = { name = "web-0", subnet_id = (unknown) }
aws_instance.web[1] = { name = "web-1", subnet_id = (unknown) }
module.net["eu-a"].var.zone = "eu-a"
module.net["eu-a"].aws_subnet.this = { cidr = "10.0.4.0/24" }
module.net["eu-a"].cidr = "10.0.4.0/24"
module.net["eu-a"].subnet = (unknown)
module.net["eu-b"].var.zone = "eu-b"
module.net["eu-b"].aws_subnet.this = { cidr = "10.0.4.0/24" }
module.net["eu-b"].cidr = "10.0.4.0/24"
module.net["eu-b"].subnet = (unknown)
output.subnets = { eu-a = "10.0.4.0/24", eu-b = "10.0.4.0/24" }
output.url = (sensitive)

"#]])
        .stderr_eq(str![[""]]);
    eval(&["output.subnets", "local.zones[1]", "--output", "json"]).stdout_eq(str![[r#"
{
  "local.zones[1]": "eu-b",
  "output.subnets": {
    "eu-a": "10.0.4.0/24",
    "eu-b": "10.0.4.0/24"
  }
}

"#]]);
    eval(&["aws_instance.*", "output.*", "--output", "ndjson"]).stdout_eq(str![[r#"
{"address":"aws_instance.web[0]","value":{"name":"web-0","subnet_id":"(unknown)"},"type":["object",{"name":"string","subnet_id":"dynamic"}],"unknown":true}
{"address":"aws_instance.web[1]","value":{"name":"web-1","subnet_id":"(unknown)"},"type":["object",{"name":"string","subnet_id":"dynamic"}],"unknown":true}
{"address":"output.subnets","value":{"eu-a":"10.0.4.0/24","eu-b":"10.0.4.0/24"},"type":["object",{"eu-a":"string","eu-b":"string"}]}
{"address":"output.url","value":"(sensitive)","sensitive":true}

"#]]);
    eval(&["aws_instance.web[1].name", "module.net[\"eu-a\"]", "--output", "table"]).stdout_eq(str![[r#"
ADDRESS                             TYPE     VALUE
aws_instance.web[1].name            string   "web-1"
module.net["eu-a"].var.zone         string   "eu-a"
module.net["eu-a"].aws_subnet.this  object   { cidr = "10.0.4.0/24" }
module.net["eu-a"].cidr             string   "10.0.4.0/24"
module.net["eu-a"].subnet           dynamic  (unknown)

"#]]);
    eval(&["local.zones[0]", "--output", "raw"]).stdout_eq(str![[r#"
eu-a

"#]]);
    eval(&["local.url", "output.url", "--show-sensitive"]).stdout_eq(str![[r#"
local.url = "https://x:hunter2@example.com"
output.url = "https://x:hunter2@example.com"

"#]]);
    eval(&["--unknown"]).stdout_eq(str![[r#"
A provider sets it:
  module.net["eu-a"].aws_subnet.this.id: aws_instance.web[0], aws_instance.web[1], module.net["eu-a"].subnet
  module.net["eu-b"].aws_subnet.this.id: module.net["eu-b"].subnet

"#]]);
    eval(&["local.zones", "--var", "region=us"]).stdout_eq(str![[r#"
local.zones = ["us-a", "us-b"]

"#]]);
}

#[test]
fn only_errors_of_requested_values_count() {
    shop()
        .hcl(&["eval", ".", "local.zones"])
        .code(1)
        .stdout_eq(str![[r#"
local.zones = [(unknown string, not null), (unknown string, not null)]

"#]])
        .stderr_eq(str![[r#"
error[missing-variable]: No value for required variable
  --> main.tf:1:1
   |
 1 | variable "region" {
   | ^^^^^^^^^^^^^^^^^
...
12 |   zones = ["${var.region}-a", "${var.region}-b"]
   |   ---------------------------------------------- `local.zones` depends on it.
   |
   = note: The variable `region` has no default, and no value is set.

"#]]);
    shop().hcl(&["eval", ".", "local.zones", "--unknown-vars"]).success().stdout_eq(str![[r#"
local.zones = [(unknown string, not null), (unknown string, not null)]

"#]]);
    shop().hcl(&["eval", ".", "var.password"]).success().stdout_eq(str![[r#"
var.password = (sensitive)

"#]]);
    shop().hcl(&["eval", ".", "local.zone", "--unknown-vars"]).code(1).stderr_eq(str![[r#"
error[unknown-address]: Unknown address
 |
 = note: There is nothing at `local.zone`. Did you mean `local.zones`?

"#]]);
    shop().hcl(&["eval", ".", "local.zones["]).code(2).stderr_eq(str![[r#"
error: invalid address `local.zones[`: missing `]` at character 12

"#]]);
    shop().hcl(&["eval", ".", "--var", "nothing=1", "var.password"]).code(1).stderr_eq(str![[r#"
error[undeclared-variable]: Value for undeclared variable
 |
 = note: A value is set with `--var nothing`, but there is no variable named `nothing`.

"#]]);
}

/// An error has the address that a pattern selected and that depends on it.
#[test]
fn errors_below_patterns_have_their_chains() {
    let text = "variable \"a\" {\n}\nlocals {\n  b = var.a\n}\noutput \"c\" {\n  value = local.b\n}\n";
    let folder = Folder::with(&[("main.tf", text)]);
    folder.hcl(&["eval", ".", "output~"]).code(1).stderr_eq(str![[r#"
error[missing-variable]: No value for required variable
 --> main.tf:1:1
  |
1 |   variable "a" {
  |   ^^^^^^^^^^^^
...
6 | / output "c" {
7 | |   value = local.b
8 | | }
  | |_- `output.c` depends on it through `local.b`.
  |
  = note: The variable `a` has no default, and no value is set.

"#]]);
}

/// Addresses are paths, with each step of the grammar.
#[test]
fn addresses_are_paths() {
    let folder = Folder::with(&[
        ("main.tf", PATHS),
        (
            "m/main.tf",
            "variable \"region\" {\n}\noutput \"region\" {\n  value = var.region\n}\noutput \"id\" {\n  value = \"id-${var.region}\"\n}\n",
        ),
    ]);
    for (address, expected) in [
        (".local.ports[0]", "local.ports[0] = 80\n"),
        ("local.ports[-1]", "local.ports[2] = 8080\n"),
        ("local.p*[1]", "local.ports[1] = 443\n"),
        ("local.tags.*", "local.tags[\"a.b\"] = 1\nlocal.tags.env = \"prod\"\n"),
        (r"local.tags.a\.b", "local.tags[\"a.b\"] = 1\n"),
        ("local.tags[\"a.b\"]", "local.tags[\"a.b\"] = 1\n"),
        (
            "..env",
            "local.tags.env = \"prod\"\naws_instance.web[0].tags.env = \"a\"\naws_instance.web[1].tags.env = \"b\"\n",
        ),
        (
            "aws_instance~.port",
            "aws_instance.db.port = 5432\naws_instance.web[0].port = 80\naws_instance.web[1].port = 81\n",
        ),
        ("aws_instance.web[-1].port", "aws_instance.web[1].port = 81\n"),
        ("aws_instance.web[*][tags.env == \"b\"].port", "aws_instance.web[1].port = 81\n"),
        ("aws_instance.web[tags.env == \"b\"].id", "aws_instance.web[1].id = (unknown)\n"),
        ("module.*[region == \"eu\"].id", "module.net[\"eu\"].id = \"id-eu\"\n"),
        ("module~.id", "module.net[\"eu\"].id = \"id-eu\"\nmodule.net[\"us\"].id = \"id-us\"\n"),
        ("..[self == \"id-us\"]", "module.net[\"us\"].id = \"id-us\"\n"),
        ("local.ports[*][self > 100]", "local.ports[1] = 443\nlocal.ports[2] = 8080\n"),
        ("..nothing", ""),
    ] {
        folder.hcl(&["eval", ".", "--allow-empty", address]).success().stdout_eq(expected.to_owned());
    }
    for (address, error) in [
        ("local.ports(0)", "a value has no arguments of calls: unexpected `(0)` at character 12"),
        ("local.ports{*}", "a value has no parts of templates: unexpected `{*}` at character 12"),
        ("**.env", "unexpected `**`; write `..name` for a name at any depth at character 1"),
        ("local.ports[*", "missing `]` at character 12"),
        (
            "local.ports[1 +]",
            "`1 +` is not a valid predicate: Expected an expression, found the end of the text at character 12",
        ),
    ] {
        let expected = format!("error: invalid address `{address}`: {error}\n");
        folder.hcl(&["eval", ".", address]).code(2).stderr_eq(expected.clone());
        folder.hcl(&["eval", ".", "--explain", address]).code(2).stderr_eq(expected);
    }
    folder.hcl(&["eval", ".", "--explain", "aws_instance~[port == 81].tags"]).success().stdout_eq(str![[
        r#"
aws_instance.web[1].tags = { env = "b" }
  main.tf:13:11
  { env = ["a", "b"][count.index] }  → { env = "b" }
  └─ ["a", "b"][count.index]         → "b"
     └─ count.index                  → 1

count.index in aws_instance.web[1] = 1
  main.tf:11:11: from the instances of aws_instance.web[1]

"#
    ]]);
}

const PATHS: &str = r#"locals {
  ports = [80, 443, 8080]
  tags  = { env = "prod", "a.b" = 1 }
}

resource "aws_instance" "db" {
  port = 5432
}

resource "aws_instance" "web" {
  count = 2
  port  = 80 + count.index
  tags  = { env = ["a", "b"][count.index] }
}

module "net" {
  source   = "./m"
  for_each = toset(["eu", "us"])
  region   = each.key
}
"#;

#[test]
fn a_file_means_its_module() {
    let folder =
        Folder::with(&[("a.tf", "locals {\n  a = 1\n}\n"), ("b.tf", "locals {\n  b = local.a\n}\n")]);
    for file in ["a.tf", "b.tf", "."] {
        folder.hcl(&["eval", file]).success().stdout_eq("local.a = 1\nlocal.b = 1\n");
    }
    folder.hcl(&["eval", "b.tf", "local.b"]).success().stdout_eq("local.b = 1\n");
}

#[test]
fn a_directory_needs_a_language() {
    let folder = Folder::with(&[
        ("a.txt", "x"),
        ("b.pkr.hcl", "locals {\n  b = 2\n}\n"),
        ("c.own", "values {\n  c = 3\n}\n"),
        (
            "own.hcl",
            "name = \"own\"\nfiles = [\"*.own\"]\nblock \"values\" {\n  role = \"values\"\n  defines = \"{attribute}\"\n}\n",
        ),
    ]);
    folder.hcl(&["eval", "."]).success().stdout_eq(str![[r#"
local.b = 2

"#]]);
    folder.hcl(&["eval", ".", "--language", "own.hcl"]).success().stdout_eq(str![[r#"
c = 3

"#]]);
    folder.hcl(&["eval", ".", "--language", "cobol"]).code(2).stderr_eq(str![[r#"
error: invalid value 'cobol' for '--language <LANGUAGE>': expected one of terraform, opentofu, packer, bake, nomad, terragrunt, hcl, consul, vault, nomad-agent, boundary, consul-template, envconsul, terraform-0.11, hcl1, or a file with a table

For more information, try '--help'.

"#]]);
    folder.hcl(&["eval", ".", "--language", "terraform"]).code(2).stderr_eq(str![[r#"
error[unreadable-file]: Cannot read file
 |
 = note: . has no files of the language terraform (*.tf, *.tf.json).

"#]]);
    Folder::with(&[("a.txt", "x")]).hcl(&["eval", "."]).code(2).stderr_eq(str![[r#"
error: . has no files of a known language, such as main.tf; specify it with --language

"#]]);
    let folder = Folder::with(&[("jobs/b.nomad.hcl", ""), ("jobs/a.nomad.hcl", "")]);
    folder.hcl(&["eval", "jobs"]).code(2).stderr_eq(
        "error: jobs is not a module: each file of Nomad is one by itself, such as jobs/a.nomad.hcl\n",
    );
}

#[test]
fn the_console_knows_the_names_of_a_module() {
    let input =
        "local.zones[0]\nmodule.net[\"eu-b\"].cidr\naws_instance.web[0].id\nvar.password\nlocal.zone\n";
    shop()
        .command(&["console", ".", "--var-file", "eu.tfvars"])
        .stdin(input)
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
"eu-a"
"10.0.4.0/24"
(unknown)
(sensitive)

"#]])
        .stderr_eq(str![[r#"
error[unknown-variable]: Unknown variable
 --> <stdin>:5:6
  |
5 | local.zone
  |      ^^^^^
  |
  = note: `local.zone` is not defined. Did you mean `local.zones`?
help: Write `zones`
  |
5 | local.zones
  |           +

"#]]);
}

#[test]
fn the_module_of_the_readme_is_evaluated() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let section = readme.split("## Try it\n").nth(1).unwrap();
    let block = |start: &str| section.split(start).nth(1).unwrap().split("```").next().unwrap().to_owned();
    let command = block("```sh\n").replace("\\\n", " ").replace('\'', "");
    let (_, args) = command.split_once("cargo hcl ").unwrap();
    let args: Vec<&str> = args.split_whitespace().collect();
    let found = Folder::with(&[]).command(&args).current_dir(&root).output().unwrap();
    assert_eq!(String::from_utf8(found.stdout).unwrap(), block("```text\n"));
    assert!(found.stderr.is_empty() && found.status.success());
}

/// No output in any format contains a sensitive value.
#[test]
fn sensitive_values_of_modules_are_hidden() {
    let variable = "variable \"p\" {\n  sensitive = true\n  type = TYPE\n}\n";
    let texts = [
        ("string", "locals {\n  a = var.p + 1\n}\n"),
        ("string", "locals {\n  a = [1][var.p]\n}\n"),
        ("string", "locals {\n  a = { (var.p) = 1 }\n  b = local.a.x\n}\n"),
        ("string", "resource \"terraform_data\" \"a\" {\n  for_each = toset([var.p])\n}\n"),
        ("string", "resource \"terraform_data\" \"a\" {\n  count = var.p\n}\n"),
        ("string", "output \"a\" {\n  value = \"x-${var.p}\"\n}\n"),
        ("string", "module \"m\" {\n  source = \"./m\"\n  n = var.p\n}\n"),
        ("number", "output \"a\" {\n  value = 1\n}\n"),
        ("list(number)", "output \"a\" {\n  value = 1\n}\n"),
        (
            "string",
            "output \"a\" {\n  value = 1\n  precondition {\n    condition = var.p == \"x\"\n    error_message = \"It is ${var.p}.\"\n  }\n}\n",
        ),
        (
            "string",
            "resource \"aws_x\" \"a\" {\n  p = var.p\n  dynamic \"b\" {\n    for_each = [var.p]\n    content {\n      c = b.value + 1\n    }\n  }\n}\n",
        ),
    ];
    for (ty, text) in texts {
        let main = format!("{}{text}", variable.replace("TYPE", ty));
        let files = [
            ("main.tf", main.as_str()),
            ("m/main.tf", "variable \"n\" {\n  type = number\n}\n"),
            ("p.tfvars", "p = \"hunter2\"\n"),
        ];
        for how in [&["--var-file", "p.tfvars"][..], &["--var", "p=hunter2"]] {
            for output in ["hcl", "json", "ndjson", "table"] {
                for format in ["human", "json"] {
                    let args = [&["eval", ".", "--output", output, "--report", format], how].concat();
                    let found = Folder::with(&files).command(&args).output().unwrap();
                    let printed = [found.stdout, found.stderr].concat();
                    let printed = String::from_utf8(printed).unwrap();
                    assert!(!printed.contains("hunter2"), "{args:?} {text}\n{printed}");
                }
            }
        }
    }
}

#[test]
fn a_missing_address_suggests_similar_ones() {
    let folder = Folder::with(&[
        (
            "main.tf",
            "locals {\n  zone = { main = 1 }\n}\nmodule \"m\" {\n  for_each = toset([\"a\", \"b\"])\n  source   = \"./m\"\n}\nresource \"aws_x\" \"y\" {\n  count = 2\n  n     = 1\n}\n",
        ),
        ("m/main.tf", "output \"id\" {\n  value = 1\n}\n"),
    ]);
    let notes = |address: &str| {
        let output = folder.command(&["eval", ".", address]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{address}");
        let text = String::from_utf8(output.stderr).unwrap();
        text.lines().filter_map(|line| Some(line.split_once("note: ")?.1.to_owned())).collect::<String>()
    };
    let addresses = [
        "local.zoen",
        "local.zone.mian",
        "module.m.id",
        "module.m[\"c\"].id",
        "aws_x.y[2]",
        "aws_x.y.n",
        "module.n",
        "x.y",
    ];
    let found: Vec<String> = addresses.iter().map(|address| notes(address)).collect();
    snapbox::assert_data_eq!(
        found.join("\n"),
        str![[r#"
There is nothing at `local.zoen`. Did you mean `local.zone`?
There is nothing at `local.zone.mian`. Did you mean `local.zone.main`?
There is nothing at `module.m.id`. Did you mean one of `module.m["a"].id`, `module.m["b"].id`?
There is nothing at `module.m["c"].id`. Did you mean one of `module.m["a"].id`, `module.m["b"].id`?
There is nothing at `aws_x.y[2]`. Did you mean one of `aws_x.y[0]`, `aws_x.y[1]`?
There is nothing at `aws_x.y.n`. Did you mean one of `aws_x.y[0]`, `aws_x.y[1]`?
There is nothing at `module.n`. Did you mean `module.m`?
There is nothing at `x.y`.
"#]]
    );
}

#[test]
fn attributes_that_a_provider_sets_have_addresses() {
    let text = "resource \"aws_x\" \"y\" {\n  count = 1\n  n     = 1\n}\ndata \"aws_z\" \"w\" {\n}\n";
    let folder = Folder::with(&[("main.tf", text)]);
    folder.hcl(&["eval", ".", "aws_x.y[*].id", "data.aws_z.w.id", "aws_x.y[0].n"]).code(0).stdout_eq(str![[
        r#"
aws_x.y[0].id = (unknown)
aws_x.y[0].n = 1
data.aws_z.w.id = (unknown)

"#
    ]]);
}

#[test]
fn reasons_of_unknown_values_are_json_on_request() {
    let text = "resource \"aws_x\" \"y\" {\n}\nvariable \"v\" {\n}\noutput \"o\" {\n  value = [aws_x.y.id, var.v]\n}\n";
    let folder = Folder::with(&[("main.tf", text)]);
    folder
        .hcl(&["eval", ".", "output.o", "--unknown", "--unknown-vars", "--output", "json"])
        .code(0)
        .stdout_eq(str![[r#"
{
  "output.o": [
    "aws_x.y.id (a provider sets it)",
    "var.v (it has no value)"
  ]
}

"#]]);
    folder.hcl(&["eval", ".", "--unknown", "--output", "table"]).code(2);
}

/// As in `terraform console`, variables without a value are unknown, `type` is a function, and `exit` ends it.
#[test]
fn the_console_is_like_that_of_terraform() {
    let text = "variable \"v\" {\n  type = string\n}\nlocals {\n  a = { b = \"x-${var.v}\" }\n}\n";
    let folder = Folder::with(&[("main.tf", text)]);
    let input = "var.v\ntype(local.a)\n:vars\nexit\nlocal.none\n";
    folder.command(&["console", "."]).stdin(input).assert().code(0).stdout_eq(str![[r#"
(unknown string)
object({b=string})
local.a             = { b = (unknown string, not null, starts with "x-") }
path.cwd            = "[..]"
path.module         = "."
path.root           = "."
terraform.applying  = (ephemeral)
terraform.workspace = "default"
var.v               = (unknown string)

"#]]);
}

#[test]
fn addresses_without_a_module_are_explained() {
    let folder = Folder::with(&[("main.tf", "")]);
    folder.hcl(&["eval", "missing", "local.a"]).code(2).stderr_eq(str![[r#"
error: unexpected argument `local.a`: quote an expression to pass it as one argument, as in hcl eval 'a + b'; addresses require a module, but `missing` is not a directory or a file of one (or use -C DIR)

"#]]);
}

#[test]
fn names_of_the_module_around_are_hinted_at() {
    let folder = Folder::with(&[("main.tf", "locals {\n  a = 1\n}\n"), ("envs/prod/main.tf", "")]);
    folder.hcl(&["eval", "local.a"]).code(1).stderr_eq(str![[r#"
...
hint: to evaluate it in the module of this directory, use hcl eval . 'local.a'

"#]]);
    folder.hcl(&["eval", "envs/nope"]).code(1).stderr_eq(str![[r#"
...
hint: envs is a directory, but there is no envs/nope

"#]]);
    folder.hcl(&["eval", ".", "local.nope", "-o", "raw"]).code(1);
}

#[test]
fn missing_grants_are_hinted_at_in_modules() {
    let folder = Folder::with(&[("a.pkr.hcl", "variable \"a\" {\n  default = env(\"HOME\")\n}\n")]);
    folder.hcl(&["eval", "."]).code(1).stderr_eq(str![[r#"
...
hint: use --allow-env to allow functions to read environment variables

"#]]);
}

#[test]
fn a_job_of_nomad_is_a_module() {
    let text = "variable \"n\" {\n  default = 1\n}\njob \"j\" {\n  meta {\n    a = var.n\n    b = \"${node.class}\"\n  }\n}\n";
    let folder = Folder::with(&[("j.nomad.hcl", text), ("other.nomad", "job \"x\" {\n  a = nope(1)\n}\n")]);
    folder.hcl(&["eval", "j.nomad.hcl", "-var", "n=2", "job.j.meta[0].*"]).success().stdout_eq(str![[r#"
job.j.meta[0].a = 2
job.j.meta[0].b = "$${node.class}"

"#]]);
    folder.hcl(&["eval", "j.nomad.hcl", "--workspace", "x"]).code(2).stderr_eq(str![[r#"
error: --workspace: not supported for Nomad

"#]]);
}

#[test]
fn values_of_options_are_checked_also_if_nothing_needs_them() {
    let main = "variable \"z\" {\n  type    = list(string)\n  default = []\n}\nvariable \"n\" {\n  type    = number\n  default = 1\n}\noutput \"o\" {\n  value = 1\n}\noutput \"z\" {\n  value = var.z\n}\n";
    let folder = Folder::with(&[("m/main.tf", main)]);
    for wrong in ["z=[\"a\"", "n=abc", "z=1", "z=[for a in [1, 2]: nope]"] {
        for wanted in [&["output.o"][..], &["1 + 1"], &["output.z"], &[]] {
            let found = folder.hcl(&[&["eval", "m", "--var", wrong], wanted].concat()).code(1);
            let text = String::from_utf8(found.get_output().stderr.clone()).unwrap();
            assert_eq!(text.matches("error").count(), 1, "{wrong} {wanted:?}: {text}");
        }
    }
    folder.hcl(&["eval", "m", "--var", "z=[\"a\"]", "output.o"]).success();
}

#[test]
fn tables_show_unknown_and_sensitive_values_alike() {
    let main = "variable \"s\" {\n  default   = \"x\"\n  sensitive = true\n}\nlocals {\n  u = timestamp()\n  s = var.s\n  n = null\n}\n";
    let folder = Folder::with(&[("m/main.tf", main)]);
    let wanted = ["eval", "m", "local.u", "local.s", "local.n", "--output", "csv"];
    folder.hcl(&wanted).success().stdout_eq(str![[r#"
address,type,value
local.u,string,(unknown)
local.s,,(sensitive)
local.n,dynamic,

"#]]);
}

#[test]
fn addresses_without_values_are_an_error() {
    let main = "locals {\n  a = { web = 1 }\n}\noutput \"o\" {\n  value = \"x\"\n}\n";
    let folder = Folder::with(&[("m/main.tf", main), ("n/a.hcl", "b = 1\n")]);
    folder
        .hcl(&["eval", "m", "local.z*"])
        .code(1)
        .stdout_eq("")
        .stderr_eq("error: this address matches nothing\n");
    folder.hcl(&["eval", "m", "local.z*", "--json"]).code(1).stdout_eq("{}\n");
    for option in ["--explain", "--unknown"] {
        let found = folder.hcl(&["eval", "m", "local.z*", option]).code(1);
        found.stdout_eq("").stderr_eq("error: this address matches nothing\n");
        folder.hcl(&["eval", "m", "local.z*", option, "--allow-empty"]).success();
        folder.hcl(&["eval", "m", "local.a", option]).success();
    }
    folder.hcl(&["eval", "m", "local.z*", "--allow-empty"]).success().stdout_eq("").stderr_eq("");
    // Others may match something. A predicate can contain a secret.
    for option in [&[][..], &["--explain"], &["--unknown"]] {
        let both = |more: &[&str]| folder.hcl(&[&["eval", "m", "output.o"], more, option].concat());
        both(&["local.z*"]).code(1).stderr_eq("error: `local.z*` matches nothing\n");
        let predicate = "local.a[self == \"hunter2\"]";
        both(&["local.z*", predicate]).code(1).stderr_eq("error: `local.z*`, address 3 match nothing\n");
        both(&["local.z*", "--allow-empty"]).success().stderr_eq("");
    }
    folder.hcl(&["eval", "m", "output.o", "local.z*"]).code(1).stdout_eq("output.o = \"x\"\n");
    folder.hcl(&["eval", "m", "aws_x.y[web]"]).code(1).stderr_eq(str![[r#"
error: this address matches nothing; did you mean `aws_x.y["web"]`, in single quotes?

"#]]);
    folder.hcl(&["eval", "m", "output.o", "--raw"]).success().stdout_eq("x\n");
    folder.hcl(&["eval", "-r", "m", "output.o"]).success().stdout_eq("x\n");
    folder.hcl(&["eval", "n/a.hcl"]).code(2).stderr_eq(str![[r#"
error: n/a.hcl is not a file of a module; use `-f n/a.hcl` to evaluate it

"#]]);
    folder.hcl(&["eval", "n/b", "local.a"]).code(2).stderr_eq(str![[r#"
error: cannot read n/b: there is no such file or directory

"#]]);
    folder.hcl(&["query", "n/a.hcl"]).code(1).stderr_eq(str![[r#"
error: `n/a.hcl` matches nothing; it is a file or directory, which comes after the path of what to find in it

"#]]);
}

/// With one value, a missing variable is the error, not that the value is no text.
#[test]
fn raw_values_have_the_errors_of_others() {
    let folder = Folder::with(&[(
        "main.tf",
        "variable \"a\" {\n  type = string\n}\nresource \"aws_x\" \"y\" {}\noutput \"o\" {\n  value = \"${var.a}-\"\n}\noutput \"p\" {\n  value = aws_x.y.id\n}\n",
    )]);
    let errors = |arguments: &[&str]| {
        let output = folder.command(&[&["eval", ".", "-r"], arguments].concat()).output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    let (found, code) = errors(&["output.o"]);
    assert!(found.contains("missing-variable") && !found.contains("expected a known"), "{found}");
    assert_eq!(code, Some(1));
    let (found, code) = errors(&["output.p", "--var", "a=1"]);
    assert_eq!((found.as_str(), code), ("error: the value is unknown; use --unknown to see why\n", Some(1)));
    // Quotes are part of text, as in Terraform.
    let warning = "warning: the quotes in --var a are part of its text; without them, use --var a=…\n";
    let (found, code) = errors(&["output.o", "--var", "a=\"prod\""]);
    assert_eq!((found.as_str(), code), (warning, Some(0)));
    let (found, _) = errors(&["output.o", "--var", "a=prod"]);
    assert_eq!(found, "");
}

#[test]
fn names_that_the_language_gives_are_evaluated() {
    let folder = Folder::with(&[("main.tf", "locals {\n  w = terraform.workspace\n}\n")]);
    folder.hcl(&["eval", ".", "terraform.workspace"]).stdout_eq("terraform.workspace = \"default\"\n");
    folder.hcl(&["eval", ".", "path.module"]).stdout_eq("path.module = \".\"\n");
    let eval = |words: &[&str]| folder.command(words).env("TF_WORKSPACE", "w").assert();
    eval(&["eval", ".", "local.w"]).stdout_eq("local.w = \"w\"\n");
    eval(&["eval", ".", "local.w", "--workspace", "x"]).stdout_eq("local.w = \"x\"\n");
}
