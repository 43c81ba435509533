//! Languages as tables: the built-in ones and a custom one.

use std::fmt::Write as _;
use std::sync::Arc;

use hclkit_model::Expression;
use hclkit_module::{Dialect, Memory, Module, ModuleLoader};
use hclkit_syntax::Source;

/// A language with services that are copied for a number of zones.
const OWN: &str = r#"
name  = "services"
files = ["*.services"]

inputs {
  environment = "SERVICES_"
  files       = ["values.services"]
}

given = { "app.dir" = "module directory" }

repeat "copies" {
  over = "number"
  key  = "copy.number"
}

block "parameter" {
  role    = "input"
  labels  = ["name"]
  defines = "param.{name}"
  static  = ["type"]
}

block "names" {
  role    = "values"
  defines = "name.{attribute}"
}

block "service" {
  role    = "object"
  labels  = ["name"]
  defines = "service.{name}"
  meta    = ["copies"]
  repeat  = ["copies"]
}

block "result" {
  role    = "result"
  labels  = ["name"]
  defines = "result.{name}"
  value   = "is"
}
"#;

fn load(language: Arc<Dialect>, files: &[(&str, &str)]) -> Module {
    ModuleLoader::new(language).with_files(files.iter().copied().collect::<Memory>()).load()
}

fn values(module: &Module) -> Vec<String> {
    let found = module.evaluate(&[]);
    assert_eq!(found.diagnostics.to_string(), "");
    found.values.iter().map(|found| format!("{} = {}", found.address, found.value)).collect()
}

#[test]
fn all_tables_are_valid() {
    assert_eq!(
        Dialect::of_modules().map(|dialect| dialect.name().to_owned()).collect::<Vec<_>>(),
        ["terraform", "opentofu", "packer"]
    );
    assert_eq!(Dialect::named("opentofu").unwrap().functions(), "opentofu", "it has a library of its own");
}

#[test]
fn a_language_can_be_defined_in_a_file() {
    let language = Dialect::read(Source::new("services.hcl", OWN)).unwrap();
    let text = r#"
parameter "zone" {
  default = "eu"
}

names {
  long = "${param.zone}-${app.dir}"
}

service "web" {
  copies = 2
  port   = 80 + copy.number
}

result "ports" {
  is = service.web[*].port
}
"#;
    let module = load(Arc::new(language), &[("a.services", text), ("other.tf", "x = ")]);
    let wanted = [
        r#"param.zone = "eu""#,
        r#"name.long = "eu-.""#,
        "service.web[0] = { port = 80 }",
        "service.web[1] = { port = 81 }",
        "result.ports = [80, 81]",
    ];
    assert_eq!(values(&module), wanted);
    let port = Expression::parse("service.web[1].port").unwrap();
    assert_eq!(port.evaluate(module.context()).unwrap(), 81.into());
}

#[test]
fn a_table_with_errors_is_rejected() {
    for (table, wanted) in [
        ("files = []\n", "`name` is required"),
        (
            "name = \"x\"\nblock \"b\" {\n  role = \"nothing\"\n}\n",
            "Expected one of `input`, `inputs`, `values`",
        ),
        (
            "name = \"x\"\nblock \"b\" {\n  defines = \"a.{b}\"\n}\n",
            "must be `attribute` or one of the labels",
        ),
        ("name = \"x\"\nextends = \"y\"\n", "no language with this name"),
        ("name = \"x\"\nfiles = [1]\n", "Expected a list of strings"),
    ] {
        let errors = Dialect::read(Source::new("own.hcl", table)).unwrap_err().to_string();
        assert!(errors.contains(wanted), "{table}: {errors}");
    }
}

#[test]
fn packer_templates_are_evaluated() {
    let text = r#"
variable "version" {
  type    = string
  default = "1.2"
}

locals {
  name = "image-${var.version}"
}

local "token" {
  expression = "t-${local.name}"
  sensitive  = true
}

source "docker" "base" {
  image = local.name
}

build {
  sources = ["source.docker.base"]
}
"#;
    let found = load(Dialect::packer(), &[("image.pkr.hcl", text)]).evaluate(&[]);
    assert_eq!(found.diagnostics.to_string(), "");
    let values: Vec<String> =
        found.values.iter().map(|found| format!("{} = {}", found.address, found.value)).collect();
    assert_eq!(
        values,
        [
            r#"var.version = "1.2""#,
            r#"local.name = "image-1.2""#,
            "local.token = (sensitive)",
            r#"source.docker.base = { image = "image-1.2" }"#,
            r#"build.docker.base = { source = { image = "image-1.2" } }"#,
        ]
    );
}

#[test]
fn objects_without_a_schema_are_known_as_far_as_they_are_configured() {
    let text = r#"
resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
  tags       = { Name = "main" }
}

resource "aws_subnet" "zones" {
  for_each   = { a = 0, b = 1 }
  vpc_id     = aws_vpc.main.id
  cidr_block = "10.0.${each.value}.0/24"

  dynamic "route" {
    for_each = [1, 2]
    content {
      number = route.value
    }
  }
}

locals {
  cidr  = aws_vpc.main.cidr_block
  id    = aws_vpc.main.id
  whole = aws_vpc.main
  more  = local.whole.arn
  cidrs = [for subnet in aws_subnet.zones : subnet.cidr_block]
  ids   = values(aws_subnet.zones)[*].id
  count = length(aws_subnet.zones)
  one   = aws_subnet.zones["a"].cidr_block
  route = aws_subnet.zones["b"].route[1].number
  keyed = { for key, subnet in aws_subnet.zones : key => subnet.id }
}
"#;
    let module = load(Dialect::terraform(), &[("main.tf", text)]);
    let context = module.context();
    for (name, wanted) in [
        ("cidr", r#""10.0.0.0/16""#),
        ("id", "(unknown)"),
        ("more", "(unknown)"),
        ("cidrs", r#"["10.0.0.0/24", "10.0.1.0/24"]"#),
        ("one", r#""10.0.0.0/24""#),
        ("route", "2"),
        ("keyed", "{ a = (unknown), b = (unknown) }"),
    ] {
        let (value, errors) = context.value_of(&["local", name]).unwrap();
        assert_eq!(errors.to_string(), "", "{name}");
        assert_eq!(value.to_string(), wanted, "{name}");
    }
}

#[test]
fn files_of_opentofu_replace_those_of_terraform_with_the_same_name() {
    let files = || {
        Memory::from_iter([
            ("main.tf", "locals {\n  a = \"tf\"\n}\n"),
            ("main.tofu", "locals {\n  a = \"tofu\"\n}\n"),
            ("json.tf.json", "{\"locals\": {\"b\": \"tf\"}}"),
            ("json.tofu.json", "{\"locals\": {\"b\": \"tofu\"}}"),
            ("both.tf", "locals {\n  c = \"tf\"\n}\n"),
            ("both.tofu.json", "{\"locals\": {\"d\": \"tofu\"}}"),
            ("main_override.tf", "locals {\n  c = \"override tf\"\n}\n"),
            ("main_override.tofu", "locals {\n  c = \"override tofu\"\n}\n"),
        ])
    };
    let values = |language: Arc<Dialect>| {
        let found = ModuleLoader::new(language).with_files(files()).load().evaluate(&[]);
        assert!(found.diagnostics.is_empty(), "{}", found.diagnostics);
        let mut lines: Vec<String> =
            found.values.iter().map(|found| format!("{} = {}", found.address, found.value)).collect();
        lines.sort();
        lines
    };
    let names = ["main.tf", "main.tofu", "json.tf.json"];
    assert_eq!(
        values(Dialect::of_files(names).unwrap()),
        ["local.a = \"tofu\"", "local.b = \"tofu\"", "local.c = \"override tofu\"", "local.d = \"tofu\""]
    );
    assert_eq!(
        values(Dialect::terraform()),
        ["local.a = \"tf\"", "local.b = \"tf\"", "local.c = \"override tf\""]
    );
}

/// As in OpenTofu 1.12.
#[test]
fn blocks_of_opentofu_can_be_disabled() {
    let main = r#"
variable "on" { default = false }
variable "later" {}
resource "terraform_data" "off" {
  input = "x"
  lifecycle {
    enabled = var.on
    precondition {
      condition     = var.on
      error_message = "This is not checked."
    }
  }
}
resource "terraform_data" "on" {
  input = "y"
  lifecycle { enabled = "${!var.on}" }
}
resource "terraform_data" "later" {
  lifecycle { enabled = var.later }
}
resource "thing" "on" {
  size = 1
  lifecycle { enabled = true }
}
module "off" {
  source = "./m"
  lifecycle { enabled = var.on }
}
module "on" {
  source = "./m"
  lifecycle { enabled = true }
}
output "results" {
  value = [terraform_data.off == null, terraform_data.off[*], terraform_data.on.input, module.off == null, module.on.x]
}
output "attribute" { value = thing.on.size }
"#;
    let called = "output \"x\" { value = 1 }\nresource \"terraform_data\" \"in\" { input = 2 }\n";
    let load = |main: &str| {
        let files = Memory::from_iter([("main.tofu", main), ("m/main.tf", called)]);
        ModuleLoader::new(Dialect::named("opentofu").unwrap())
            .with_files(files)
            .with_unknown_variables(true)
            .load()
    };
    let found = load(main).evaluate(&[]);
    assert!(!found.diagnostics.has_errors(), "{:?}", found.diagnostics);
    let value = |address: &str| {
        let own = found.values.iter().find(|own| own.address == address);
        own.map(|own| own.value.to_string())
    };
    for (address, expected) in [
        ("terraform_data.off", Some("null")),
        ("terraform_data.later", Some("(unknown)")),
        ("module.off", Some("null")),
        ("module.off.x", None),
        ("module.on.x", Some("1")),
        ("output.results", Some("[true, [], \"y\", true, 1]")),
        ("output.attribute", Some("1")),
    ] {
        assert_eq!(value(address).as_deref(), expected, "{address}");
    }
    for (argument, error) in [
        ("null", "The value of `enabled` is invalid: it is null."),
        ("\"abc\"", "The value of `enabled` is invalid: a bool is required."),
        ("true }\ncount = 1\nlifecycle {", "`count` and `enabled` cannot be used in the same block."),
    ] {
        let text =
            format!("resource \"terraform_data\" \"a\" {{\nlifecycle {{ enabled = {argument} }}\n}}\n");
        let notes: Vec<_> =
            load(&text).evaluate(&[]).diagnostics.iter().map(|found| found.note().to_owned()).collect();
        assert_eq!(notes, [error], "{argument}");
    }
}

/// What `tests/modules/sources.modules` cannot contain: sources that are unknown, and errors.
#[test]
fn sources_of_opentofu_can_be_unknown() {
    let load = |main: &str, called: &str| {
        let files = Memory::from_iter([("main.tofu", main), ("m/main.tofu", called), ("a/main.tf", "")]);
        ModuleLoader::new(Dialect::named("opentofu").unwrap()).with_files(files)
    };
    let main = "variable \"name\" {}\nmodule \"m\" {\n  source = \"./${var.name}\"\n}\noutput \"m\" { value = module.m.x }\n";
    let module = load(main, "").with_unknown_variables(true).load();
    let found = module.evaluate(&["output.m".parse().unwrap()]);
    assert!(found.diagnostics.is_empty(), "{}", found.diagnostics);
    assert_eq!(found.values[0].value.to_string(), "(unknown)");
    let reasons: Vec<String> = module.reasons().of("output.m").iter().map(ToString::to_string).collect();
    assert_eq!(reasons, ["var.name (it has no value)"]);
    assert!(!module.check().has_errors());
    let notes = |module: Module, address: &str| -> Vec<String> {
        let found = module.evaluate(&[address.parse().unwrap()]);
        found.diagnostics.iter().map(|found| found.note().to_owned()).collect()
    };
    assert_eq!(
        notes(load(main, "").load(), "output.m"),
        ["The variable `name` has no default, and no value is set."]
    );
    for (variable, note) in [
        (
            "sensitive = true",
            "The source of a module must not be sensitive, but it depends on a value that is sensitive.",
        ),
        (
            "ephemeral = true",
            "The source of a module must not be ephemeral, but it depends on a value that is ephemeral.",
        ),
        ("default = null", "The source of a module must not be null."),
    ] {
        let text =
            format!("variable \"name\" {{\n  {variable}\n}}\nmodule \"m\" {{\n  source = var.name\n}}\n");
        let loader = load(&text, "");
        let loader = if variable.contains("null") { loader } else { loader.with_variable("name", "./a") };
        assert_eq!(notes(loader.load(), "module.m"), [note], "{variable}");
    }
}

/// Each call of a module reads it again if the source of a module in it is computed, so the number of calls is limited.
#[test]
fn modules_that_call_themselves_end() {
    let main = "module \"m\" {\n  source = \"./m\"\n  x      = \"a\"\n}\n";
    for calls in [1, 2] {
        let mut called = "variable \"x\" {}\n".to_owned();
        for call in 0..calls {
            let text = "source = var.x == \"\" ? \"../end\" : \"../m\"";
            let _ = writeln!(called, "module \"m{call}\" {{\n  {text}\n  x = \"${{var.x}}{call}\"\n}}");
        }
        let files = Memory::from_iter([("main.tofu", main), ("m/main.tofu", &called)]);
        let module = ModuleLoader::new(Dialect::named("opentofu").unwrap()).with_files(files).load();
        let notes: Vec<String> = module.diagnostics().iter().map(|found| found.note().to_owned()).collect();
        assert!(
            notes.contains(&"m calls itself, directly or through other modules.".to_owned()),
            "{notes:?}"
        );
        assert_eq!(notes.iter().any(|note| note.contains("100000 declarations")), calls > 1, "{notes:?}");
    }
}
