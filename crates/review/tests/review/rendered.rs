//! The outputs: their limits, and texts that would end something.

use hclkit_review::{MOST_MARKDOWN, github, html, json, markdown};

use crate::kit::{one, review};

#[test]
fn a_comment_has_a_limit() {
    let blocks = |count: usize| {
        (0..count)
            .map(|at| format!("resource \"disk\" \"d{at}\" {{\n  size = \"{}\"\n}}\n", "x".repeat(500)))
            .collect::<Vec<_>>()
            .concat()
    };
    let page = markdown(&review(one("", &blocks(500))));
    assert!(page.chars().count() <= MOST_MARKDOWN, "{}", page.chars().count());
    assert!(
        page.contains("more lines left out, because a comment has a limit."),
        "{}",
        &page[page.len() - 300..]
    );
    assert_eq!(page.matches("```").count(), 2);
    let page = markdown(&review(one("", &blocks(2))));
    assert!(!page.contains("left out"));
}

#[test]
fn texts_do_not_end_what_contains_them() {
    let value = "```\\n</details><script>alert(1)</script>\\u001b[31m::error::x";
    let found = review(one("", &format!("resource \"disk\" \"d\" {{\n  size = \"{value}\"\n}}\n")));
    let page = markdown(&found);
    assert_eq!(page.lines().filter(|line| line.starts_with("```")).count(), 2, "{page}");
    assert!(!page.contains('\x1b'));
    let page = html(&found);
    assert!(!page.contains("<script>") && !page.contains('\x1b'), "{page}");
    let annotations = github(&found);
    assert_eq!(annotations.lines().count(), 1, "{annotations}");
}

#[test]
fn json_has_the_documented_form() {
    let old = "resource \"disk\" \"d\" {\n  size = 1\n}\n";
    let found = json(&review(one(old, &old.replace('1', "2"))));
    let expected = serde_json::json!({
        "format_version": "1.0", "old": "old", "new": "new", "changed": true, "complete": true, "problems": [],
        "roots": [{
            "directory": "app", "changed": true, "complete": true,
            "totals": {"added": 0, "removed": 0, "moved": 0, "changed": 1, "may_change": 0, "outputs": 0, "settings": 0},
            "instances": [{
                "action": "changed", "address": "disk.d", "previous_address": null,
                "attributes": [{
                    "path": "size", "change": "changes", "old": {"value": 1}, "new": {"value": 2}, "because": [],
                    "causes": [{
                        "address": "disk.d.size", "old": {"value": 1}, "new": {"value": 2},
                        "place": {"file": "main.tf", "line": 2, "column": 10}
                    }]
                }],
                "place": {"file": "main.tf", "line": 1, "column": 1}
            }],
            "outputs": [], "settings": [], "suggested_moves": [], "findings": [], "old_errors": []
        }]
    });
    assert_eq!(found, expected, "{found:#}");
}
