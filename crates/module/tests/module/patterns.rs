//! Addresses with `*` and predicates: names, keys of instances, and parts of values.

use hclkit_module::{Dialect, Evaluation, Memory, Module, ModuleLoader, Pattern};
use hclkit_value::Function;

const MAIN: &str = r#"variable "secrets" {
  type      = map(object({ name = string }))
  sensitive = true
  default   = { hidden = { name = "x" } }
}

variable "secret_list" {
  sensitive = true
  default   = [1, 2]
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
  web   = google_instance.web
  mixed = { name = "m", token = var.secrets["hidden"].name }
  dotted = { "a.b" = 1, "a*" = 2 }
}

resource "aws_instance" "web" {
  count = 2
  name  = "web-${count.index}"
  disk { name = "root" }
}

resource "google_instance" "web" {
  name = "web"
}

resource "none" "some" {
  count = 0
}

module "none" {
  source = "./m"
  count  = 0
  port   = 1
}

module "m" {
  source   = "./m"
  for_each = var.ports
  port     = each.value
}
"#;

const CALLED: &str = "variable \"port\" {\n}\noutput \"all\" {\n  value     = { inner = var.port }\n}\noutput \"secret\" {\n  value     = { hidden = 1 }\n  sensitive = true\n}\n";

fn load() -> Module {
    let files = Memory::from_iter([("main.tf", MAIN), ("m/main.tf", CALLED)]);
    let same = Function::typed("issame", |one: String, other: String| one == other);
    let loader = ModuleLoader::new(Dialect::terraform()).with_files(files).with_functions([same]);
    loader.with_unknown_variables(true).load()
}

fn evaluate(pattern: &str) -> Evaluation {
    load().evaluate(&[pattern.parse().unwrap_or_else(|error| panic!("{pattern}: {error}"))])
}

fn selected(pattern: &str) -> Vec<String> {
    let found = evaluate(pattern);
    assert!(found.diagnostics.is_empty(), "{}", found.diagnostics);
    let line = |found: &hclkit_module::AddressedValue| format!("{} = {}", found.address, found.value);
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
    assert_eq!(selected("local.other.*"), ["local.other.name = \"other\""]);
    assert_eq!(selected("local.o*.na*e"), ["local.other.name = \"other\""]);
    // A name matches no numbers.
    assert_eq!(selected("local.users.*"), [""; 0]);
    assert_eq!(selected("aws_instance.web.*.name"), [""; 0]);
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

fn addresses(pattern: &str) -> Vec<String> {
    evaluate(pattern).values.into_iter().map(|found| found.address.to_string()).collect()
}

#[test]
fn two_dots_match_any_depth() {
    assert_eq!(
        addresses("..name"),
        [
            "var.ports[\"http\"].name",
            "var.ports[\"https\"].name",
            "local.users[0].name",
            "local.users[1].name",
            "local.other.name",
            "local.mixed.name",
            "aws_instance.web[0].disk[0].name",
            "aws_instance.web[0].name",
            "aws_instance.web[1].disk[0].name",
            "aws_instance.web[1].name",
            "google_instance.web.name",
            "module.m[\"http\"].var.port.name",
            "module.m[\"http\"].all.inner.name",
            "module.m[\"https\"].var.port.name",
            "module.m[\"https\"].all.inner.name",
        ]
    );
}

#[test]
fn two_dots_begin_anywhere() {
    assert_eq!(
        addresses("module.m[\"http\"]..name"),
        ["module.m[\"http\"].var.port.name", "module.m[\"http\"].all.inner.name",]
    );
    assert_eq!(addresses("local.users..tags"), ["local.users[0].tags", "local.users[1].tags"]);
    assert_eq!(
        addresses("..inner..port"),
        ["module.m[\"http\"].all.inner.port", "module.m[\"https\"].all.inner.port",]
    );
    assert_eq!(addresses("..[1].name"), ["local.users[1].name", "aws_instance.web[1].name"]);
    assert_eq!(addresses("..[\"my team\"]"), ["local.users[1].tags[\"my team\"]"]);
    assert_eq!(
        addresses("..[port == 443]"),
        ["var.ports[\"https\"]", "module.m[\"https\"].var.port", "module.m[\"https\"].all.inner",]
    );
    // The names of addresses match, too, and so do those of called modules.
    assert_eq!(
        addresses("..var.port.name"),
        ["module.m[\"http\"].var.port.name", "module.m[\"https\"].var.port.name",]
    );
    assert_eq!(
        addresses("..aws_instance~.disk[0].name"),
        ["aws_instance.web[0].disk[0].name", "aws_instance.web[1].disk[0].name",]
    );
    // A provider may set this attribute.
    assert_eq!(selected("..google_instance~.id"), ["google_instance.web.id = (unknown)"]);
    assert_eq!(selected("..id"), [""; 0]);
}

#[test]
fn a_tilde_skips_names_and_keys_of_instances() {
    assert_eq!(
        selected("aws_instance~.name"),
        ["aws_instance.web[0].name = \"web-0\"", "aws_instance.web[1].name = \"web-1\""]
    );
    assert_eq!(selected("google_instance~.name"), ["google_instance.web.name = \"web\""]);
    assert_eq!(addresses("*_instance.web~.name").len(), 3);
    assert_eq!(selected("aws_instance.web[1]~.name"), ["aws_instance.web[1].name = \"web-1\""]);
    assert_eq!(selected("local~.tags"), ["local.web.tags = (unknown)"]);
    assert_eq!(selected("local~[name == \"other\"].name"), ["local.other.name = \"other\""]);
    assert_eq!(addresses("module~.all.inner.port"), addresses("module.m[*].all.inner.port"));
    assert_eq!(addresses("module~.var~"), ["module.m[\"http\"].var.port", "module.m[\"https\"].var.port"]);
    // Parts of values have no remaining names.
    assert_eq!(selected("local.other.name~"), [""; 0]);
    assert_eq!(selected("local.users[0]~"), [""; 0]);
}

#[test]
fn positions_select_instances_and_elements() {
    assert_eq!(selected("local.users[-1].name"), ["local.users[1].name = \"bob\""]);
    assert_eq!(selected("local.users[-2].name"), ["local.users[0].name = \"alice\""]);
    assert_eq!(selected("aws_instance.web[-1].name"), ["aws_instance.web[1].name = \"web-1\""]);
    assert_eq!(selected("aws_instance.web[-1].id"), ["aws_instance.web[1].id = (unknown)"]);
    assert_eq!(selected("*_instance.*[0].name"), ["aws_instance.web[0].name = \"web-0\""]);
    // A block that is not repeated has one instance.
    assert_eq!(addresses("*_instance.*[*].name").len(), 3);
    assert_eq!(selected("google_instance.web[*].name"), ["google_instance.web.name = \"web\""]);
    for nothing in [
        "local.users[-3]",
        "local.users[2]",
        "aws_instance.web[-3].name",
        "google_instance.web[0].name",
        "module.m[0]",
        "module.m[-1]",
    ] {
        assert_eq!(evaluate(nothing).diagnostics.total(), 1, "{nothing}");
    }
}

#[test]
fn names_have_many_forms() {
    for same in [
        r"local.users[1].tags.my team",
        r#"local.users[1].tags["my team"]"#,
        r"local.users[1].tags.my\ team",
        r#".local.users[1].tags["my team"]"#,
        r#"["local"]["users"][1]["tags"]["my team"]"#,
    ] {
        assert_eq!(selected(same).len(), 1, "{same}");
        assert!(selected(same)[0].ends_with(r#"["my team"] = "b""#), "{same}");
    }
    assert_eq!(selected(r"local.dotted.a\.b"), selected(r#"local.dotted["a.b"]"#));
    assert_eq!(selected(r#"local.dotted["a*"]"#), [r#"local.dotted["a*"] = 2"#]);
    assert_eq!(selected(r"*.dotted.a\*"), [r#"local.dotted["a*"] = 2"#]);
    assert_eq!(selected("*.dotted.a*").len(), 2);
    assert_eq!(addresses("module.m.http.all"), ["module.m[\"http\"].all"]);
    assert_eq!(addresses("."), evaluate_all());
    assert_eq!(addresses("*"), evaluate_all());
}

fn evaluate_all() -> Vec<String> {
    load().evaluate(&[]).values.into_iter().map(|found| found.address.to_string()).collect()
}

#[test]
fn predicates_select_calls_of_modules() {
    assert_eq!(
        addresses("module.*[all.inner.port == 443].all.inner.name"),
        ["module.m[\"https\"].all.inner.name"]
    );
    assert_eq!(
        addresses("module.m[*][all.inner.port == 443].var.port.port"),
        ["module.m[\"https\"].var.port.port"]
    );
    assert_eq!(addresses("module~[self.all.inner.port < 100].all"), ["module.m[\"http\"].all"]);
    assert_eq!(addresses("module.m[\"http\"][all != null].all"), ["module.m[\"http\"].all"]);
    // Sensitive results are unknown, and others are null.
    for nothing in
        ["secret != null", "secret == null", "secret.hidden == 1", "self.secret != null", "missing != null"]
    {
        assert_eq!(selected(&format!("module.m[*][{nothing}]")), [""; 0], "{nothing}");
    }
    assert_eq!(addresses("module.m[*][missing == null].all").len(), 2);
    // A predicate is about a value or a module, not about the beginning of an address.
    assert_eq!(selected("module[true]"), [""; 0]);
    assert_eq!(selected("[true]"), [""; 0]);
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
    // Known attributes of an unknown value.
    assert_eq!(selected("local.web[name == \"web\"].name"), ["local.web.name = \"web\""]);
    assert_eq!(selected("local.*[id == \"x\"].name"), [""; 0]);
    // Unknown results, errors and sensitive values are not selected.
    for nothing in [
        "var.unset[name == \"x\"].name",
        "local.other[name + 1 > 0].name",
        "var.secrets[hidden != null].hidden",
        "module.m[*].secret[hidden == 1]",
    ] {
        assert_eq!(selected(nothing), [""; 0], "{nothing}");
    }
    let found = evaluate("local.other[name].name");
    assert!(found.values.is_empty());
    assert!(found.diagnostics.to_string().contains("must be true or false"), "{}", found.diagnostics);
}

#[test]
fn invalid_patterns_are_errors() {
    for (text, error) in [
        ("", "the path is empty; `.` selects everything at character 1"),
        ("a.", "expected a name or `*` at character 3"),
        ("a..", "expected a name or `*` at character 4"),
        ("~.a", "expected a name or `*` at character 1"),
        ("a[", "missing `]` at character 2"),
        ("a[1]]", "expected a step, such as `.name` or `[0]` at character 5"),
        ("a]", "unexpected `]`; write `\\]` in a name at character 2"),
        ("a\\", "expected a character after `\\` at character 2"),
        ("**.a", "unexpected `**`; write `..name` for a name at any depth at character 1"),
        ("a.**.b", "unexpected `**`; write `..name` for a name at any depth at character 3"),
        (
            "a[b +]",
            "`b +` is not a valid predicate: Expected an expression, found the end of the text at character 2",
        ),
        ("größe(0)", "a value has no arguments of calls: unexpected `(0)` at character 6"),
        ("local.a{*}.b", "a value has no parts of templates: unexpected `{*}` at character 8"),
    ] {
        assert_eq!(text.parse::<Pattern>().unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn keys_of_sensitive_and_unknown_values_are_not_shown() {
    assert_eq!(selected("var.secrets[*].name"), ["var.secrets = (sensitive)"]);
    assert_eq!(selected("var.unset[*].name"), ["var.unset = (unknown)"]);
    let found = evaluate("module.m[\"http\"].secret.hid*.x");
    assert_eq!(found.values[0].address, "module.m[\"http\"].secret");
    assert!(found.values[0].sensitive);
    assert_eq!(selected("..hidden"), [""; 0]);
    // Nor is the number of elements.
    assert_eq!(selected("var.secret_list[-1]"), ["var.secret_list = (sensitive)"]);
    assert_eq!(selected("*.secret_list[*]"), ["var.secret_list = (sensitive)"]);
    assert_eq!(selected("var.unset[-1].x"), ["var.unset = (unknown)"]);
    // Marked parts are unknown in predicates, whatever functions do with them.
    for nothing in [
        "token == \"x\"",
        "token != null",
        "issame(token, \"x\")",
        "self.token == \"x\"",
        "true && token == \"x\"",
    ] {
        assert_eq!(selected(&format!("local.mixed[{nothing}].name")), [""; 0], "{nothing}");
    }
    assert_eq!(selected("local.mixed[name == \"m\"].name"), ["local.mixed.name = \"m\""]);
    assert_eq!(
        selected("local.*[token == null && name == \"other\"].name"),
        ["local.other.name = \"other\""]
    );
}

#[test]
fn similar_addresses_are_suggested() {
    for (address, note) in [
        ("local.othr", "There is nothing at `local.othr`. Did you mean `local.other`?"),
        ("local.users.1", "There is nothing at `local.users[\"1\"]`. Did you mean `local.users[1]`?"),
        (
            "local.users[0].nam",
            "There is nothing at `local.users[0].nam`. Did you mean `local.users[0].name`?",
        ),
        ("local.users[-3].name", "There is nothing at `local.users[-3].name`."),
        (
            "aws_instance.wep[0]",
            "There is nothing at `aws_instance.wep[0]`. Did you mean `aws_instance.web`?",
        ),
        ("none.some.name", "There is nothing at `none.some.name`, because `none.some` has no instances."),
        ("none.some", "There is nothing at `none.some`, because `none.some` has no instances."),
        (
            "module.none[0].all",
            "There is nothing at `module.none[0].all`, because `module.none` has no instances.",
        ),
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
