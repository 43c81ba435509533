//! Answers of `terraform fmt` to texts with what it rewrites, recorded by `cargo xtask terraform-fmt --record`.

#[path = "terraform/headers.rs"]
mod headers;

use hclkit_dialect::Dialect;
use hclkit_syntax::{Document, parse};
use hclkit_write::{Formatted, Formatter};
use serde_json::Value;

fn cases() -> Vec<(String, String)> {
    let recorded = include_str!("terraform/recorded.jsonl");
    let cases = recorded.lines().map(|line| {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| case[name].as_str().unwrap().to_owned();
        (text("src"), text("out"))
    });
    cases.collect()
}

fn applied(source: &str, formatted: &Formatted<'_>) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for edit in formatted.edits() {
        out.push_str(&source[from..edit.span.start as usize]);
        out.push_str(&edit.replacement);
        from = edit.span.end as usize;
    }
    out + &source[from..]
}

#[test]
fn rewrites_are_those_of_terraform() {
    let cases = cases();
    assert!(cases.len() > 300);
    let comments =
        |document: &Document| document.tokens().iter().filter(|token| token.kind.is_comment()).count();
    let mut lost = 0;
    for (source, expected) in cases {
        for profile in [Dialect::terraform(), Dialect::opentofu()] {
            let document = parse(source.as_str());
            let formatted = Formatter::new(profile).format(&document);
            let ours = formatted.bytes();
            // Terraform loses comments between labels; `style/` tests that they stay.
            if comments(&parse(expected.as_str())) < comments(&document) {
                lost += 1;
                assert!(headers::are_same(&document, &ours, expected.as_bytes()), "of {source}\n{expected}");
                assert_eq!(comments(&parse(&*ours)), comments(&document), "of {source}");
            } else {
                assert_eq!(String::from_utf8_lossy(&ours), expected, "of {source}");
            }
            assert_eq!(applied(&source, &formatted).as_bytes(), &*ours, "by edits, of {source}");
            assert!(formatted.is_faithful(), "{source}");
        }
    }
    assert!(lost > 0);
}

/// The text does not change where Terraform would break it or lose a comment.
#[test]
fn files_that_terraform_breaks_do_not_change() {
    for (source, expected) in [
        ("a = \"${ # c\n x }\"\n", "a = \"${ # c\nx}\"\n"),
        ("a = \"${(x)+\n(y)}\"\n", "a = ((x) +\n(y))\n"),
        ("foo /* x */ \"a\" /* b */ c /* d */ {\n}\n", "foo /* x */ \"a\" /* b */ c /* d */ {\n}\n"),
        ("foo \"a$b\" c {}\n", "foo \"a$b\" \"c\" {}\n"),
        ("a = \"${<<E\nz\nE\n}\" # c\n", "a = \"${<<E\nz\nE\n}\" # c\n"),
    ] {
        let document = parse(source);
        let formatted = Formatter::new(Dialect::terraform()).format(&document);
        assert_eq!(String::from_utf8_lossy(&formatted.bytes()), expected);
        assert!(!parse(expected).has_errors());
    }
}

#[test]
fn texts_with_errors_and_excluded_parts_do_not_change() {
    let broken = parse("a = = \"${x}\"\n");
    assert!(Formatter::new(Dialect::terraform()).format(&broken).is_unchanged());
    let marked = parse("a=\"${x}\"\nb=\"${x}\" # hcl-fmt: skip\n");
    let formatted = Formatter::new(Dialect::terraform()).with_markers().format(&marked);
    assert_eq!(String::from_utf8_lossy(&formatted.bytes()), "a = x\nb=\"${x}\" # hcl-fmt: skip\n");
}
