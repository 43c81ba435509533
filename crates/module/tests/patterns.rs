//! Addresses with `*` and predicates: names, keys of instances, and parts of values.

use hclkit_module::{Evaluation, Language, Memory, ModuleLoader};

const MAIN: &str = r#"variable "secrets" {
  type      = map(object({ name = string }))
  sensitive = true
  default   = { hidden = { name = "x" } }
}

variable "unset" {
}

variable "ports" {
  type    = map(object({ name = string, port = number }))
  default = { http = { name = "web", port = 80 }, https = { name = "tls", port = 443 } }
}

locals {
  users = [{ name = "alice", tags = { team = "a" } }, { name = "bob", tags = { "my team" = "b" } }]
  other = { name = "other" }
}

resource "aws_instance" "web" {
  count = 2
  name  = "web-${count.index}"
  disk { name = "root" }
}

resource "google_instance" "web" {
  name = "web"
}

module "m" {
  source   = "./m"
  for_each = var.ports
  port     = each.value
}
"#;

const CALLED: &str = "variable \"port\" {\n}\noutput \"all\" {\n  value     = { inner = var.port }\n}\noutput \"secret\" {\n  value     = { hidden = 1 }\n  sensitive = true\n}\n";

fn evaluate(pattern: &str) -> Evaluation {
    let files = Memory::from_iter([("main.tf", MAIN), ("m/main.tf", CALLED)]);
    let loader = ModuleLoader::new(Language::terraform()).with_files(files).with_unknown_variables(true);
    loader.load().evaluate(&[pattern.parse().unwrap()])
}

fn selected(pattern: &str) -> Vec<String> {
    let found = evaluate(pattern);
    assert!(found.diagnostics.is_empty(), "{}", found.diagnostics);
    let line = |found: &hclkit_module::Found| format!("{} = {}", found.address, found.value);
    found.values.iter().map(line).collect()
}

#[test]
fn stars_match_parts_of_values() {
    assert_eq!(
        selected("local.users[*].name"),
        ["local.users[0].name = \"alice\"", "local.users[1].name = \"bob\""]
    );
    assert_eq!(
        selected("var.ports.*.port"),
        ["var.ports[\"http\"].port = 80", "var.ports[\"https\"].port = 443"]
    );
    assert_eq!(selected("local.users[*].tags.my*"), ["local.users[1].tags[\"my team\"] = \"b\""]);
    assert_eq!(selected("local.users[*].nothing"), [""; 0]);
    // At the end, a star selects whole values.
    assert_eq!(selected("local.other.*"), ["local.other = { name = \"other\" }"]);
}

#[test]
fn stars_match_parts_of_names() {
    assert_eq!(
        selected("aws_*.web[*].name"),
        ["aws_instance.web[0].name = \"web-0\"", "aws_instance.web[1].name = \"web-1\""]
    );
    assert_eq!(selected("*_instance.w*b.name"), ["google_instance.web.name = \"web\""]);
    assert_eq!(selected("*.o*r.name"), ["local.other.name = \"other\""]);
    assert_eq!(selected("local.x*"), [""; 0]);
}

#[test]
fn double_stars_match_any_depth() {
    let found = selected("**.name");
    let addresses: Vec<&str> = found.iter().map(|found| found.split(" = ").next().unwrap()).collect();
    assert_eq!(
        addresses,
        [
            "var.ports[\"http\"].name",
            "var.ports[\"https\"].name",
            "local.users[0].name",
            "local.users[1].name",
            "local.other.name",
            "aws_instance.web[0].name",
            "aws_instance.web[0].disk[0].name",
            "aws_instance.web[1].name",
            "aws_instance.web[1].disk[0].name",
            "google_instance.web.name",
            "module.m[\"http\"].var.port.name",
            "module.m[\"http\"].all.inner.name",
            "module.m[\"https\"].var.port.name",
            "module.m[\"https\"].all.inner.name",
        ]
    );
}

#[test]
fn predicates_select_values_for_which_they_are_true() {
    assert_eq!(selected("local.users[*][name == \"bob\"].name"), ["local.users[1].name = \"bob\""]);
    assert_eq!(selected("local.users[*][tags.team == \"a\"].name"), ["local.users[0].name = \"alice\""]);
    assert_eq!(selected("local.users[*][lookup == null].name").len(), 2);
    assert_eq!(selected("var.ports.*[port > 100].port"), ["var.ports[\"https\"].port = 443"]);
    assert_eq!(selected("var.ports.*.port[self < 100]"), ["var.ports[\"http\"].port = 80"]);
    // Brackets, also in strings, may be in a predicate.
    assert_eq!(
        selected("var.ports.*[[name, \"]\"][0] == \"tls\"].port"),
        ["var.ports[\"https\"].port = 443"]
    );
    // Instances of resources, and resources.
    assert_eq!(
        selected("aws_instance.web[name == \"web-1\"].disk[0].name"),
        ["aws_instance.web[1].disk[0].name = \"root\""]
    );
    assert_eq!(selected("*_instance.*[name == \"web\"].name"), ["google_instance.web.name = \"web\""]);
    assert_eq!(
        selected("aws_instance.web[*][name == \"web-0\"].name"),
        ["aws_instance.web[0].name = \"web-0\""]
    );
    assert_eq!(
        selected("module.m[*].all.inner[port == 80].name"),
        ["module.m[\"http\"].all.inner.name = \"web\""]
    );
    // Unknown results, errors and sensitive values are not selected.
    for nothing in [
        "var.unset[name == \"x\"].name",
        "local.other[name + 1 > 0].name",
        "local.other[name].name",
        "var.secrets[hidden != null].hidden",
        "module.m[*].secret[hidden == 1]",
    ] {
        assert_eq!(selected(nothing), [""; 0], "{nothing}");
    }
}

#[test]
fn invalid_patterns_are_errors() {
    for text in ["", ".", "a.", "a[", "a[]", "a[true]", "a[b +]", "[a == 1].b", "a]", "a[1]]", "a b"] {
        assert!(text.parse::<hclkit_module::Pattern>().is_err(), "{text}");
    }
}

#[test]
fn keys_of_sensitive_and_unknown_values_are_not_shown() {
    assert_eq!(selected("var.secrets[*].name"), ["var.secrets = (sensitive)"]);
    assert_eq!(selected("var.unset[*].name"), ["var.unset = (unknown)"]);
    let found = evaluate("module.m[\"http\"].secret.hid*.x");
    assert_eq!(found.values[0].address, "module.m[\"http\"].secret");
    assert!(found.values[0].sensitive);
    assert_eq!(selected("**.hidden"), [""; 0]);
}

#[test]
fn similar_addresses_are_suggested() {
    for (address, note) in [
        ("local.othr", "There is nothing at `local.othr`. Did you mean `local.other`?"),
        ("local.other.nam", "There is nothing at `local.other.nam`. Did you mean `local.other.name`?"),
        ("module.m.al", "There is nothing at `module.m.al`. Did you mean `module.m.all`?"),
        ("var.secrets.hiden", "There is nothing at `var.secrets.hiden`."),
        ("module.m[\"http\"].secret.hiden", "There is nothing at `module.m[\"http\"].secret.hiden`."),
    ] {
        let found = evaluate(address);
        let notes: Vec<&str> = found.diagnostics.iter().map(hclkit_syntax::Diagnostic::note).collect();
        assert_eq!(notes, [note]);
    }
}
