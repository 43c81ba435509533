//! Evaluation is lazy: an address needs only what its value depends on.

use super::counted::Counted;

const MAIN: &str = r#"
variable "missing" {
}

locals {
  wanted    = slow(local.needed)
  needed    = slow(1)
  unrelated = slow([for at in [1, 2] : nope])
  broken    = slow(1) + "x"
  circle    = local.circle
}

resource "thing" "many" {
  for_each = slow({ a = 1, b = 2 })
  size     = slow(each.value)

  lifecycle {
    precondition {
      condition     = slow(each.value) > 5
      error_message = "Too small."
    }
  }
}

module "m" {
  source = "./m"
  one    = slow("one")
  two    = slow(var.missing + 1)
}

output "wanted" {
  value = local.wanted
}
"#;

const INNER: &str = r#"
variable "one" {
}

variable "two" {
}

output "one" {
  value = slow(var.one)
}

output "two" {
  value = slow(var.two + var.three)
}
"#;

fn load() -> Counted {
    Counted::load([("main.tf", MAIN.to_owned()), ("m/main.tf", INNER.to_owned())])
}

#[test]
fn errors_elsewhere_do_not_matter() {
    for (address, value, calls) in [
        ("output.wanted", "1", 2),
        ("local.needed", "1", 1),
        ("module.m.one", "\"one\"", 2),
        ("module.m.var.one", "\"one\"", 1),
    ] {
        let (found, slow) = load().evaluate(&[address]);
        assert!(found.diagnostics.is_empty(), "{address}: {}", found.diagnostics);
        assert_eq!((found.values[0].value.to_string().as_str(), slow), (value, calls), "{address}");
    }
    let (found, slow) = load().evaluate(&["output.*"]);
    assert!(found.diagnostics.is_empty() && slow == 2, "{} {slow}", found.diagnostics);
}

/// Patterns need the values that they can select and those that their predicates are about.
#[test]
fn patterns_need_what_they_can_select() {
    for (pattern, found, calls) in [
        ("local.want*", 1, 2),
        ("*.needed", 1, 1),
        ("output~", 1, 2),
        ("module~.one", 1, 2),
        ("module.*.var.one", 1, 1),
        // A result, but not the other one.
        ("module.*[one == \"one\"].var.one", 1, 2),
        ("module.m[*][one == \"two\"].two", 0, 2),
        ("module[one == \"one\"].two", 0, 0),
        ("thing.other~.size", 0, 0),
    ] {
        let (all, slow) = load().evaluate(&[pattern]);
        assert!(all.diagnostics.is_empty(), "{pattern}: {}", all.diagnostics);
        assert_eq!((all.values.len(), slow), (found, calls), "{pattern}");
    }
}

/// What is needed has its conditions checked, and its errors are reported.
#[test]
fn errors_of_what_is_needed_are_reported() {
    let (found, slow) = load().evaluate(&["thing.many[\"a\"].size"]);
    let notes: Vec<&str> = found.diagnostics.iter().map(hclkit_syntax::Diagnostic::note).collect();
    assert_eq!(notes, ["thing.many[\"a\"]: Too small.", "thing.many[\"b\"]: Too small."]);
    assert!(slow <= 6, "{slow}");
    let (found, _) = load().evaluate(&["module.m.two"]);
    let notes: Vec<String> = found.diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
}

/// A value that was evaluated for one address is there for the next one.
#[test]
fn values_are_evaluated_once() {
    let counted = load();
    assert_eq!(counted.evaluate(&["local.wanted"]).1, 2);
    assert_eq!(counted.evaluate(&["output.wanted"]).1, 0);
    assert_eq!(counted.evaluate(&["module.m.one", "local.needed"]).1, 2);
}
