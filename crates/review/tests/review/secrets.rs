//! A sensitive value has only changed or not: it is in no output.

use hclkit_review::{github, html, json, markdown};

use crate::kit::{lines, one, review};

fn everything(old: &str, new: &str) -> String {
    let diff = one(old, new);
    let review = review(diff.clone());
    [lines(diff), markdown(&review), json(&review).to_string(), html(&review), github(&review)].concat()
}

#[test]
fn sensitive_values_are_in_no_output() {
    let text = |one: &str, other: &str, sensitive: bool| {
        format!(
            "variable \"p\" {{\n  default   = \"{one}\"\n  sensitive = {sensitive}\n}}\nlocals {{\n  q = upper(\"{other}\")\n}}\nresource \"disk\" \"a\" {{\n  password = \"x${{var.p}}\"\n  list     = [sensitive(local.q), \"clear\"]\n  key      = {{ (var.p) = 1 }}\n}}\noutput \"o\" {{\n  value     = [var.p, local.q]\n  sensitive = true\n}}\n"
        )
    };
    let secret = ["hunter2", "swordfish", "HUNTER2", "SWORDFISH"];
    let found = everything(&text("hunter2", "a", true), &text("swordfish", "a", true));
    assert!(found.contains("password: (sensitive) changes"), "{found}");
    assert!(found.contains("var.p.default: (sensitive) changes"), "{found}");
    assert!(!secret.iter().any(|secret| found.contains(secret)), "{found}");
    // What becomes sensitive is not shown either.
    let found = everything(&text("hunter2", "a", false), &text("hunter2", "a", true));
    assert!(found.contains("password: only what is sensitive changes"), "{found}");
    assert!(!secret.iter().any(|secret| found.contains(secret)), "{found}");
    let found = everything(&text("a", "hunter2", true), &text("a", "swordfish", true));
    assert!(found.contains("list[0]: (sensitive) changes"), "{found}");
    assert!(!found.contains("HUNTER2") && !found.contains("SWORDFISH"), "{found}");
}
