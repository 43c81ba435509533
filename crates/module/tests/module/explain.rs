//! Where values come from: through local values, variables, instances and modules, down to the source text.

use std::fmt::Write as _;

use hclkit_module::{Derivations, Dialect, Memory, ModuleLoader, Reasons};

const MAIN: &str = r#"variable "region" {}

variable "sizes" {
  type    = map(object({ cpu = number, disk = optional(number, 8) }))
  default = { web = { cpu = 2 }, db = { cpu = 4, disk = 64 } }
}

variable "password" {
  sensitive = true
  default   = "hunter2"
}

locals {
  tags = { Env = local.env, Owner = var.region }
  env  = var.region == "eu" ? "prod" : local.other
  other = "test"
  url  = "https://${var.password}@${local.env}"
}

module "net" {
  source   = "./net"
  for_each = { a = 1, b = 2 }
  zone     = each.key
  tags     = local.tags
}

resource "aws_instance" "web" {
  for_each = var.sizes
  cpu      = each.value.cpu
  tags     = local.tags

  disk {
    size = each.value.disk
  }
}

output "cidr" {
  value = module.net["a"].cidr
}

output "cpus" {
  value = [for one in aws_instance.web : one.cpu]
}

output "id" {
  value = aws_instance.web["web"].id
}
"#;

const NET: &str = r#"variable "zone" {}
variable "tags" {}

output "cidr" {
  value = "${var.zone}-${var.tags["Env"]}"
}

output "secret" {
  value     = var.zone
  sensitive = true
}
"#;

fn explain(address: &str) -> Derivations {
    let files = Memory::from_iter([("main.tf", MAIN), ("net/main.tf", NET)]);
    let loader = ModuleLoader::new(Dialect::terraform()).with_files(files);
    let module = loader.with_environment([("TF_VAR_region", "eu")]).load();
    module.explain(&[address.parse().unwrap()])
}

/// The addresses with their values, causes and lines.
fn lines(address: &str) -> Vec<String> {
    let found = explain(address);
    assert!(!found.diagnostics.has_errors(), "{:?}", found.diagnostics);
    let line = |own: &hclkit_module::Derivation| {
        let place = own
            .place
            .as_ref()
            .map_or("-".to_owned(), |place| format!("{}:{}", place.source.name(), place.range().start.line));
        format!("{} = {} ({}, {place})", own.address, own.value, own.cause)
    };
    found.all.iter().map(line).collect()
}

#[test]
fn a_part_of_a_value_is_followed_to_its_source() {
    assert_eq!(
        lines("aws_instance.web[\"web\"].tags[\"Env\"]"),
        [
            "aws_instance.web[\"web\"].tags[\"Env\"] = \"prod\" (set here, main.tf:30)",
            "local.tags[\"Env\"] = \"prod\" (set here, main.tf:14)",
            "local.env = \"prod\" (set here, main.tf:15)",
            "var.region = \"eu\" (set by the environment variable TF_VAR_region, -)",
        ]
    );
}

#[test]
fn instances_lead_to_their_elements() {
    assert_eq!(
        lines("aws_instance.web[\"web\"].disk[0].size"),
        [
            "aws_instance.web[\"web\"].disk[0].size = 8 (set here, main.tf:33)",
            "each.value.disk in aws_instance.web[\"web\"] = 8 (from the instances of aws_instance.web[\"web\"], main.tf:28)",
            "var.sizes[\"web\"].disk = 8 (the default of an optional attribute in the type, main.tf:5)",
        ]
    );
    let cpus = lines("output.cpus");
    assert!(cpus.contains(&"var.sizes[\"db\"].cpu = 4 (the default, main.tf:5)".to_owned()), "{cpus:?}");
}

#[test]
fn modules_lead_to_the_arguments_of_their_calls() {
    assert_eq!(
        lines("output.cidr")[..4],
        [
            "output.cidr = \"a-prod\" (set here, main.tf:38)",
            "module.net[\"a\"].cidr = \"a-prod\" (set here, net/main.tf:5)",
            "module.net[\"a\"].var.zone = \"a\" (an argument of module.net[\"a\"], main.tf:23)",
            "module.net[\"a\"].var.tags[\"Env\"] = \"prod\" (an argument of module.net[\"a\"], main.tf:24)",
        ]
    );
}

#[test]
fn the_origin_of_provider_values_is_the_provider() {
    assert_eq!(
        lines("output.id"),
        [
            "output.id = null (set here, main.tf:46)".replace("null", "(unknown)"),
            "aws_instance.web[\"web\"].id = (unknown) (a provider sets it, main.tf:27)".to_owned(),
        ]
    );
}

#[test]
fn sensitive_values_are_hidden() {
    let found = explain("local.url");
    let text = format!("{:?}", found.all.iter().map(|own| own.value.to_string()).collect::<Vec<_>>());
    assert!(!text.contains("hunter2"), "{text}");
    let password = found.all.iter().find(|own| own.address == "var.password").unwrap();
    assert!(password.is_sensitive() && password.expression.is_none());
    let secret = explain("module.net[\"b\"].secret");
    assert!(secret.all[0].is_sensitive() && secret.all[0].expression.is_none());
}

#[test]
fn each_address_is_explained_once() {
    let chain = |count: usize| {
        let mut text = "locals {\n  a0 = 1\n".to_owned();
        for at in 1..count {
            writeln!(text, "  a{at} = local.a{0} + local.a{0} * 0", at - 1).unwrap();
        }
        text.push_str("}\n");
        let files = Memory::from_iter([("main.tf", text)]);
        let module = ModuleLoader::new(Dialect::terraform()).with_files(files).load();
        let found = module.explain(&[format!("local.a{}", count - 1).parse().unwrap()]);
        (found.all.len(), found.omitted)
    };
    assert_eq!(chain(900), (900, false));
    assert_eq!(chain(1_500), (1_000, true));
}

/// The reasons for a value, as text.
fn texts(reasons: &Reasons, address: &str) -> Vec<String> {
    reasons.of(address).iter().map(ToString::to_string).collect()
}

#[test]
fn all_values_of_a_chain_have_the_same_reason() {
    let names: Vec<String> = (0..5_000).map(|at| format!("  v{at} = local.v{}\n", at + 1)).collect();
    let names = names.concat();
    let text = format!(
        "resource \"thing\" \"a\" {{\n}}\nlocals {{\n{names}  v5000 = [thing.a.id, var.x]\n}}\nvariable \"x\" {{\n}}\n"
    );
    let files = Memory::from_iter([("main.tf", text)]);
    let module =
        ModuleLoader::new(Dialect::terraform()).with_files(files).with_unknown_variables(true).load();
    let reasons = module.reasons();
    for at in 0..=5_000 {
        let found = texts(&reasons, &format!("local.v{at}"));
        assert_eq!(found, ["thing.a.id (a provider sets it)", "var.x (it has no value)"], "{at}");
    }
}

#[test]
fn whole_objects_are_unknown_because_of_their_provider() {
    let text = r#"
variable "size" {}
resource "thing" "x" {
  name = "x"
  zone = null
  disk { size = 1 }
}
resource "thing" "y" { size = var.size }
resource "thing" "all" {
  for_each = { a = 1 }
  dynamic "disk" {
    for_each = [1]
    content { size = disk.value }
  }
}
locals {
  whole = thing.x
  names = [for name, part in thing.x : name]
  zone  = local.whole.zone
  disks = "${local.whole.disk}"
  both  = thing.y
  keyed = [for one in thing.all : one]
  id    = thing.all["a"].id
}
"#;
    let files = Memory::from_iter([("main.tf", text)]);
    let module =
        ModuleLoader::new(Dialect::terraform()).with_files(files).with_unknown_variables(true).load();
    let reasons = module.reasons();
    for (name, expected) in [
        ("whole", vec!["thing.x (a provider sets it)"]),
        ("names", vec!["thing.x (a provider sets it)"]),
        ("zone", vec!["thing.x.zone (a provider sets it)"]),
        ("disks", vec!["thing.x.disk (a provider sets it)"]),
        ("both", vec!["thing.y (a provider sets it)", "var.size (it has no value)"]),
        ("id", vec!["thing.all[\"a\"].id (a provider sets it)"]),
        ("keyed", vec!["thing.all[\"a\"] (a provider sets it)"]),
    ] {
        assert_eq!(texts(&reasons, &format!("local.{name}")), expected, "{name}");
    }
}

#[test]
fn values_on_a_cycle_have_an_error() {
    let text = "locals {\n  a = local.b\n  b = \"${local.c}${thing.x.id}\"\n  c = local.a\n  d = local.e\n  e = [local.d]\n  f = local.e\n}\nresource \"thing\" \"x\" {\n}\n";
    let files = Memory::from_iter([("main.tf", text)]);
    let module = ModuleLoader::new(Dialect::terraform()).with_files(files).load();
    let reasons = module.reasons();
    for name in ["a", "b", "c"] {
        assert_eq!(texts(&reasons, &format!("local.{name}")), ["thing.x.id (a provider sets it)"], "{name}");
    }
    for name in ["d", "e", "f"] {
        let found = texts(&reasons, &format!("local.{name}"));
        assert!(matches!(&found[..], [one] if one.ends_with("(it has an error)")), "{name}: {found:?}");
    }
}

#[test]
fn the_first_reasons_are_listed() {
    let many: Vec<String> = (10..50).map(|at| format!("variable \"x{at}\" {{\n}}\n")).collect();
    let many = many.concat();
    let all: Vec<String> = (10..50).map(|at| format!("var.x{at}")).collect();
    let text = format!("{many}locals {{\n  a = [{}]\n  b = local.a\n}}\n", all.join(", "));
    let files = Memory::from_iter([("main.tf", text)]);
    let module =
        ModuleLoader::new(Dialect::terraform()).with_files(files).with_unknown_variables(true).load();
    let expected: Vec<String> =
        (10..30).map(|at| format!("var.x{at} (it has no value)")).chain(["and more".to_owned()]).collect();
    for name in ["local.b", "local.a"] {
        assert_eq!(texts(&module.reasons(), name), expected);
    }
}

#[test]
fn an_address_without_instances_is_explained_by_what_makes_none() {
    let text = "variable \"env\" {\n  default = \"dev\"\n}\nlocals {\n  on = var.env == \"prod\"\n}\nresource \"a_b\" \"q\" {\n  \
                count = local.on ? 1 : 0\n  name  = \"q\"\n}\nmodule \"m\" {\n  source   = \"./m\"\n  \
                for_each = local.on ? { x = 1 } : {}\n}\n";
    let files = Memory::from_iter([("main.tf", text), ("m/main.tf", "output \"o\" {\n  value = 1\n}\n")]);
    let module = ModuleLoader::new(Dialect::terraform()).with_files(files).load();
    let lines = |address: &str| -> Vec<String> {
        let found = module.explain(&[address.parse().unwrap()]);
        assert!(found.unmatched.is_empty() && !found.diagnostics.has_errors(), "{address}: {found:?}");
        found.all.iter().map(|own| format!("{} = {} ({})", own.address, own.value, own.cause)).collect()
    };
    let why = ["local.on = false (set here)", "var.env = \"dev\" (the default)"];
    for address in ["a_b.q", "a_b.q[0]", "a_b.q[0].name"] {
        let found = lines(address);
        assert_eq!(found[0], "a_b.q = [] (from the instances of a_b.q)", "{address}");
        assert_eq!(found[1..], why, "{address}");
    }
    for address in ["module.m", "module.m[\"x\"]", "module.m[\"x\"].o"] {
        let found = lines(address);
        assert_eq!(found[0], "module.m = {} (from the instances of module.m)", "{address}");
        assert_eq!(found[1..], why, "{address}");
    }
    // What is not declared stays unmatched.
    for address in ["a_b.other", "module.n"] {
        let found = module.explain(&[address.parse().unwrap()]);
        assert!(found.diagnostics.has_errors() && found.all.is_empty(), "{address}: {found:?}");
    }
}
