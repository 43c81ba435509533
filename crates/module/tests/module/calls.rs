//! Calls of the same module: equal inputs are evaluated once, and each call keeps its own addresses and errors.

use hclkit_syntax::Diagnostic;
use hclkit_value::{Mark, Value};

use super::counted::Counted;

/// A module whose local values, resource and output each call `slow`.
const SLOW: &str = r#"
variable "name" {
}

variable "size" {
  default = 1
}

locals {
  first  = slow("${var.name}!")
  second = slow("${local.first}?")
  sizes  = slow(var.size)
  here   = slow(path.module)
}

resource "thing" "one" {
  for_each = { a = local.second }
  text     = slow("${each.key}${each.value}")
}

output "text" {
  value = slow(thing.one["a"].text)
}

output "size" {
  value = local.sizes
}
"#;

/// Calls of the module in `m`, each with these arguments. Their names are a prefix and a number.
fn calls(prefix: &str, arguments: &[&str]) -> String {
    let call = |(at, arguments): (usize, &&str)| {
        format!("module \"{prefix}{at}\" {{\n  source = \"./m\"\n  {arguments}\n}}\n")
    };
    arguments.iter().enumerate().map(call).collect()
}

#[test]
fn equal_calls_are_evaluated_once() {
    let equal = ["name = \"a\""; 10];
    for (arguments, expected) in
        [(&equal[..1], 6), (&equal[..], 6), (&["name = \"a\"", "name = \"b\""], 6 + 4)]
    {
        let counted = Counted::load([("m/main.tf", SLOW.to_owned()), ("main.tf", calls("m", arguments))]);
        let (found, slow) = counted.evaluate(&[]);
        assert!(!found.diagnostics.has_errors(), "{}", found.diagnostics);
        assert_eq!(slow, expected, "{} calls", arguments.len());
        for at in 0..arguments.len() {
            let address = format!("module.m{at}.thing.one[\"a\"]");
            assert!(found.values.iter().any(|found| found.address == address), "{address}");
        }
        let (one, _) = counted.evaluate(&["module.m0.text"]);
        assert_eq!(one.values[0].value.to_string(), "\"aa!?\"");
    }
}

#[test]
fn modules_in_equal_calls_are_evaluated_once() {
    let middle = "variable \"name\" {\n}\nmodule \"inner\" {\n  source = \"../m\"\n  count  = 3\n  name   = var.name\n}\noutput \"all\" {\n  value = module.inner[*].text\n}\n";
    let main = "module \"outer\" {\n  source   = \"./middle\"\n  for_each = { a = 1, b = 2 }\n  name     = \"a\"\n}\noutput \"all\" {\n  value = module.outer\n}\n";
    let files = [("m/main.tf", SLOW), ("middle/main.tf", middle), ("main.tf", main)];
    let counted = Counted::load(files.map(|(name, text)| (name, text.to_owned())));
    let (found, slow) = counted.evaluate(&["output.all"]);
    let text = r#"{ a = { all = ["aa!?", "aa!?", "aa!?"] }, b = { all = ["aa!?", "aa!?", "aa!?"] } }"#;
    assert_eq!(found.values[0].value.show().to_string(), text);
    // The two results of `inner` need four local values, a resource and `text`, but not `path.module`.
    assert_eq!(slow, 5);
}

/// Values are only shared if marks, types and unknown values are the same, too.
#[test]
fn different_inputs_are_evaluated_separately() {
    let different = [
        "name = \"a\"",
        "name = sensitive(\"a\")",
        "name = null",
        "name = thing.other.id",
        "name = \"${thing.other.id}\"",
    ];
    let other = "resource \"thing\" \"other\" {\n}\n";
    let simple = "variable \"name\" {\n}\noutput \"name\" {\n  value = slow(var.name)\n}\n";
    let main = calls("m", &different) + &calls("n", &different) + other;
    let files = [("m/main.tf", simple.to_owned()), ("main.tf", main)];
    let counted = Counted::load(files);
    let (found, slow) = counted.evaluate(&[]);
    assert!(!found.diagnostics.has_errors(), "{}", found.diagnostics);
    // A function is not called with an unknown value whose type is unknown, too.
    assert_eq!(slow, different.len() - 1);
    let value = |address: &str| {
        let found = found.values.iter().find(|found| found.address == address);
        found.map(|found| found.value.clone()).unwrap()
    };
    for name in ["m", "n"] {
        assert_eq!(value(&format!("module.{name}0.name")), Value::from("a"));
        assert_eq!(value(&format!("module.{name}1.name")), Value::from("a").mark(Mark::sensitive()));
        assert_eq!(value(&format!("module.{name}2.name")), Value::NULL);
        assert_eq!(value(&format!("module.{name}3.name")), Value::DYNAMIC);
        assert!(!value(&format!("module.{name}4.name")).is_known());
    }
}

#[test]
fn each_call_has_its_own_errors() {
    let broken = r#"
variable "name" {
  validation {
    condition     = length(var.name) > 3
    error_message = "Too short: ${slow(var.name)}"
  }
}

resource "thing" "one" {
  text = slow(var.name)

  lifecycle {
    precondition {
      condition     = slow(var.name) == "b"
      error_message = "Not b."
    }
  }
}

output "circle" {
  value = local.a
}

locals {
  a = local.b
  b = local.a
}

output "text" {
  value = thing.one.text
}
"#;
    let length = |files: &str| files.replace("length(var.name) > 3", "var.name == \"long\"");
    let files = [("m/main.tf", length(broken)), ("main.tf", calls("m", &["name = \"a\"", "name = \"a\""]))];
    let counted = Counted::load(files);
    for (patterns, circles) in [(&[][..], 1), (&["module.*.text"], 0)] {
        let (found, _) = counted.evaluate(patterns);
        let notes: Vec<&str> = found.diagnostics.iter().map(Diagnostic::note).collect();
        for call in ["module.m0", "module.m1"] {
            for text in [format!("{call}.var.name: Too short: a"), format!("{call}.thing.one: Not b.")] {
                assert_eq!(notes.iter().filter(|note| **note == text).count(), 1, "{text} in {notes:?}");
            }
        }
        // A cycle is the same in each call.
        let is_circle = |note: &&&str| note.contains("`local.a` → `local.b` → `local.a`");
        assert_eq!(notes.iter().filter(is_circle).count(), circles, "{notes:?}");
    }
}

#[test]
fn explanations_are_those_of_each_call() {
    let main = calls("m", &["name = \"a\"", "name = local.name"]);
    let files = [("m/main.tf", SLOW.to_owned()), ("main.tf", main + "locals {\n  name = \"a\"\n}\n")];
    let counted = Counted::load(files);
    let explain = |address: &str| {
        let explained = counted.module.explain(&[address.parse().unwrap()]);
        explained.all.iter().map(|step| step.address.to_string()).collect::<Vec<_>>()
    };
    let first = "module.m0.local.first";
    assert_eq!(explain(first), [first, "module.m0.var.name"]);
    let first = "module.m1.local.first";
    assert_eq!(explain(first), [first, "module.m1.var.name", "local.name"]);
}

#[test]
fn errors_name_the_call_with_the_error() {
    let child = "variable \"n\" {\n  validation {\n    condition = var.n != 3\n    error_message = \"No.\"\n  }\n}\nlocals {\n  \
                 half = var.n == 1 ? 1 : var.n.half\n}\noutput \"half\" {\n  value = local.half\n}\n";
    let call = |name: &str, n: u8| format!("module \"{name}\" {{\n  source = \"./m\"\n  n = {n}\n}}\n");
    let outer = |name: &str, n: u8| {
        format!(
            "module \"{name}\" {{\n  source = \"./o\"\n  n = {n}\n}}\noutput \"{name}\" {{\n  value = module.{name}.half\n}}\n"
        )
    };
    let through = "variable \"n\" {\n}\nmodule \"m\" {\n  source = \"../m\"\n  n = var.n\n}\noutput \"half\" {\n  value = module.m.half\n}\n";
    for (main, failing, others) in [
        (call("a", 1) + &call("b", 2), "`module.b.half`", "module.a"),
        (call("a", 2) + &call("b", 1), "`module.a.half`", "module.b"),
        (outer("a", 1) + &outer("b", 2) + &outer("c", 1), "`module.b.m.half`", "`module.a"),
        (outer("x", 1) + &call("a", 1) + &outer("b", 2), "`module.b.m.half`", "`module.a"),
    ] {
        let files = [("m/main.tf", child.to_owned()), ("o/main.tf", through.to_owned()), ("main.tf", main)];
        let (found, _) = Counted::load(files).evaluate(&[]);
        let error = found.diagnostics.iter().find(|found| found.is_error()).expect("one call fails");
        let chain: Vec<String> = error.related().iter().map(|related| related.text().to_owned()).collect();
        let chain = chain.join(" ");
        assert!(chain.contains(failing.replace(".m.half", ".m").trim_end_matches('`')), "{failing}: {chain}");
        assert!(!chain.contains(others), "{failing}: {chain}");
    }
}
