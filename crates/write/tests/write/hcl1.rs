//! The layout of HCL 1: the recorded answers of its package for the cases in `tests/hcl1`, which `cargo xtask conformance --hcl1`
//! asks; where ours differs; and what must hold for any text: comments and values stay, and the result does not change again.

use std::path::Path;

use hclkit_dialect::Dialect;
use hclkit_model::hcl1;
use hclkit_syntax::{Document, Edited, Fix, Source, TokenKind};
use hclkit_test_cases::Case;
use hclkit_write::Formatter;
use serde_json::Value;

fn cases() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hcl1");
    let files = hclkit_test_cases::read(&directory, "hcl1", &[]).unwrap();
    files.into_iter().flat_map(|file| file.cases).collect()
}

fn formatter() -> Formatter {
    Formatter::new(Dialect::named("consul").unwrap()).with_markers()
}

fn parse(text: &str) -> Document {
    Document::parse_hcl1(Source::new("agent.hcl", text))
}

fn comments(document: &Document) -> Vec<String> {
    let is_comment = |kind| matches!(kind, TokenKind::LineComment | TokenKind::InlineComment);
    let comments = document.tokens().iter().filter(|token| is_comment(token.kind));
    let mut comments: Vec<String> =
        comments.map(|token| document.source().slice(token.span).replace('\r', "")).collect();
    comments.sort_unstable();
    comments
}

/// Formats a text, and checks what must hold for any.
fn formatted(text: &str) -> String {
    let document = parse(text);
    let formatted = formatter().format(&document);
    let result = formatted.text().into_owned();
    assert_eq!(formatted.is_unchanged(), result == text, "{text}");
    assert_eq!(formatted.text_len(), result.len(), "{text}");
    let edits: Vec<Fix> = formatted.edits().into_iter().map(|edit| Fix::new("", [edit])).collect();
    // Edits keep the kind of line breaks, and the reference does not.
    assert_eq!(Edited::new(text, &edits).text.replace("\r\n", "\n"), result.replace("\r\n", "\n"), "{text}");
    if document.has_errors() {
        assert!(formatted.is_unchanged(), "{text}");
        return result;
    }
    assert!(formatted.is_faithful(), "{text}\n{result}");
    let again = parse(&result);
    assert_eq!(comments(&document), comments(&again), "{text}\n{result}");
    match (hcl1::decode(&document), hcl1::decode(&again)) {
        (Ok(before), Ok(after)) => assert_eq!(before, after, "{text}"),
        (before, after) => assert!(before.is_err() && after.is_err(), "{text}\n{result}"),
    }
    assert_eq!(formatter().format(&again).text(), result, "{text}");
    result
}

#[test]
fn layouts_are_those_of_the_reference() {
    let mut count = 0;
    for case in cases() {
        let Some(text) = case.section("format") else { continue };
        let answer: Value =
            serde_json::from_str(case.section("hcl1").expect("an answer is recorded")).unwrap();
        assert_eq!(formatted(text), answer["formatted"].as_str().unwrap(), "{}", case.name);
        count += 1;
    }
    assert!(count >= 12, "{count}");
}

/// The reference joins, loses or moves these comments, or moves them further each time.
#[test]
fn comments_stay_where_they_are() {
    for (text, expected) in [
        ("x {\n# a\n# b\n}\n", "x {\n  # a\n  # b\n}\n"),
        ("a = [\n# b\n]\n", "a = [\n  # b\n]\n"),
        ("a = [1,\n# b\n]\n", "a = [\n  1,\n\n  # b\n]\n"),
        (
            "a = [\n# b\n{ c = 1 }, # d\n[2], # e\n]\n",
            "a = [\n  # b\n  {\n    c = 1\n  }, # d\n\n  [2], # e\n]\n",
        ),
        ("x {\n/* a\n b */\nc = 1\n}\n", "x {\n  /* a\n b */\n  c = 1\n}\n"),
        ("a = 1, # b\nc = 2\n", "a = 1 # b\n\nc = 2\n"),
        ("x {\na = 1\n/* b */ c = 2\n}\n", "x {\n  a = 1\n\n  /* b */\n\n  c = 2\n}\n"),
        ("x {\n_ foo q {}\nb {}\n}\n", "x {\n  _ foo q {}\n  b = {}\n}\n"),
        ("a /* b */ = /* c */ 1\n", "/* b */\n/* c */\na = 1\n"),
    ] {
        assert_eq!(formatted(text), expected, "{text}");
    }
}

/// Comments between all tokens stay, wherever they are.
#[test]
fn no_comment_is_lost() {
    let texts = cases();
    let texts = texts.iter().filter_map(|case| case.section("format").or(case.section("source")));
    for text in texts {
        let document = parse(text);
        if document.has_errors() {
            continue;
        }
        formatted(text);
        let in_heredoc = |kind| matches!(kind, TokenKind::HeredocText | TokenKind::CloseHeredoc);
        for token in document.tokens().iter().filter(|token| !in_heredoc(token.kind)) {
            for comment in [" /* c */ ", " # c\n", "\n# c\n", "\n\n/* c\n d */\n\n"] {
                let (before, after) = text.split_at(token.span.start as usize);
                formatted(&format!("{before}{comment}{after}"));
            }
        }
        formatted(&text.replace('\n', "\r\n"));
    }
}

/// Several comments stay, too, at random places of nested lists and objects.
#[test]
fn no_comment_of_several_is_lost() {
    const TEXTS: [&str; 3] = [
        "a = [\n[\n[], ],\n{\"x\" = \"y\"\nz = false },, 1,\n]\n",
        "a {\n b = [[1], { c = [] }]\n d \"e\" { f = 1 }\n}\ng = {\n h = [{ i = 1 }, 2]\n}\n",
        "a = [\n\"b\",\n{ c = { d = [{}] }\n e = 2 }\n]\nf \"g\" {}\n",
    ];
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..5_000 {
        let mut text = rng.choice(TEXTS).unwrap().to_owned();
        let document = parse(&text);
        let starts: Vec<usize> = document.tokens().iter().map(|token| token.span.start as usize).collect();
        for (number, start) in starts.into_iter().enumerate().rev() {
            if rng.u8(..4) == 0 {
                let comment = ["/* @ */ ", "# @\n", "\n# @\n", "\n\n# @\n\n"][rng.usize(..4)];
                text.insert_str(start, &comment.replace('@', &number.to_string()));
            }
        }
        if !parse(&text).has_errors() {
            formatted(&text);
        }
    }
}

#[test]
fn only_a_formatter_for_hcl_1_changes_it() {
    let document = parse("a=1\n");
    for other in [Formatter::plain(), Formatter::new(Dialect::terraform()), Formatter::of_path("agent.hcl")] {
        assert!(other.format(&document).is_unchanged());
    }
    let json = Document::parse_hcl1(Source::new("a.json", "{\"a\":1}"));
    assert!(formatter().format(&json).is_unchanged());
    for text in ["a=<<E\n\r\r\nE\n", "a = ", "a {", "a = [1 2]", "\u{feff}a=1"] {
        assert_eq!(formatted(text), text);
    }
}

/// The text of deep nesting is not indented without bounds.
#[test]
fn indentation_has_a_limit() {
    let depth = 900;
    let text = format!("a={}{}{}\n", "[".repeat(depth), "1,".repeat(100_000), "]".repeat(depth));
    let document = parse(&text);
    assert!(!document.has_errors());
    let formatted = formatter().format(&document);
    assert!(formatted.text_len() < (64 << 20) + 20 * text.len(), "{}", formatted.text_len());
    assert!(formatted.is_faithful());
}
