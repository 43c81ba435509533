//! Style beyond the profiles: what it does, that it does it once, and that nothing else changes.

use std::path::Path;

use hclkit_syntax::{Document, TokenKind, parse};
use hclkit_write::{Formatter, Profile, Style};

fn all() -> Style {
    Style::new().with_alignment(false).with_blank_lines(true).with_trailing_commas(true)
}

fn format(style: Style, text: &str) -> String {
    let document = parse(text);
    let formatted = Formatter::plain().with_markers().with_style(style).format(&document);
    String::from_utf8(formatted.text().into_owned()).unwrap()
}

#[test]
fn alignment_is_off() {
    let style = Style::new().with_alignment(false);
    let text = "a   =  1 # one\nlong = 2     # two\nb {\n    c=[ 1,2 ]\n  long = 1\n}\n";
    assert_eq!(format(style, text), "a = 1 # one\nlong = 2 # two\nb {\n  c = [1, 2]\n  long = 1\n}\n");
}

#[test]
fn blank_lines_are_around_blocks() {
    let style = Style::new().with_blank_lines(true);
    let cases = [
        (
            "a = 1\nb {}\n# about c\nc {}\nd = 1\ne = 1\n",
            "a = 1\n\nb {}\n\n# about c\nc {}\n\nd = 1\ne = 1\n",
        ),
        ("b {} # b\nc {\n  d {}\n  e {}\n}\n", "b {} # b\n\nc {\n  d {}\n\n  e {}\n}\n"),
        ("b {}\n# one\n\n# two\nc {}\n", "b {}\n# one\n\n# two\nc {}\n"),
        ("b {}\r\nc {}\r\n", "b {}\r\n\r\nc {}\r\n"),
        ("a = <<E\nx\nE\nb {}", "a = <<E\nx\nE\n\nb {}"),
        // The line break after `c {}` is exempt, too.
        (
            "# hcl-fmt: off\nb {}\nc {}\n# hcl-fmt: on\nd {}\ne {}\n",
            "# hcl-fmt: off\nb {}\nc {}\n# hcl-fmt: on\nd {}\n\ne {}\n",
        ),
        ("b {}\nc = [\n", "b {}\nc = [\n"),
    ];
    for (before, after) in cases {
        assert_eq!(format(style, before), after);
    }
}

#[test]
fn commas_end_lists_of_several_lines() {
    let style = Style::new().with_trailing_commas(true);
    let cases = [
        ("a = [\n  1,\n  2 # two\n]\n", "a = [\n  1,\n  2, # two\n]\n"),
        ("a = [1, 2]\nb = [1,\n  2]\nc = [\n]\n", "a = [1, 2]\nb = [1,\n2]\nc = [\n]\n"),
        ("a = f(\n  x,\n  [\n    1\n  ]\n)\n", "a = f(\n  x,\n  [\n    1,\n  ],\n)\n"),
        ("a = f(\n  x...\n)\n", "a = f(\n  x...\n)\n"),
        ("a = [\n  (\n    1\n  )\n]\n", "a = [\n  (\n    1\n  ),\n]\n"),
        ("a = [\n  <<E\nx\nE\n]\n", "a = [\n  <<E\nx\nE\n]\n"),
        ("a = { b = [\n  1\n] }\n", "a = { b = [\n  1,\n] }\n"),
        ("a = \"${[\n  x\n]}\"\n", "a = \"${[\n  x,\n]}\"\n"),
        ("a = [for x in y :\n  x\n]\n", "a = [for x in y :\n  x\n]\n"),
    ];
    for (before, after) in cases {
        assert_eq!(format(style, before), after);
    }
}

/// All tokens but line breaks and commas.
fn tokens(document: &Document) -> Vec<(TokenKind, String)> {
    let tokens = document.tokens();
    let all =
        (0..tokens.len() as u32).map(|at| (tokens.kind(at), tokens.text(at, document.source()).to_owned()));
    all.filter(|(kind, _)| !matches!(kind, TokenKind::Newline | TokenKind::Comma)).collect()
}

fn check(text: &str) {
    for style in [all(), Style::new().with_blank_lines(true), Style::new().with_trailing_commas(true)] {
        let document = parse(text);
        let once = format(style, text);
        assert_eq!(format(style, &once), once, "{text:?}");
        if !document.has_errors() {
            let after = parse(once.as_str());
            assert!(!after.has_errors(), "{text:?}\n{once}");
            let before = text.strip_prefix('\u{feff}').map_or(document, parse);
            assert_eq!(tokens(&after), tokens(&before), "{text:?}");
        }
    }
}

#[test]
fn examples_are_changed_once_and_keep_their_tokens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = [
        "terraform/main.tf",
        "terraform/variables.tf",
        "packer/debian.pkr.hcl",
        "nomad/web.nomad",
        "service/web.hcl",
    ];
    let mut rng = fastrand::Rng::with_seed(5);
    for file in files {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        check(&text);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for _ in 0..60 {
            // Lines that are gone or come twice, and blank lines that are gone.
            let keep = |line: &&&str| !line.trim().is_empty();
            let few = lines.iter().filter(keep).flat_map(|line| {
                std::iter::repeat_n(*line, [1, 1, 1, 1, 1, 1, 1, 1, 0, 2][rng.usize(0..10)])
            });
            check(&few.collect::<String>());
        }
        check(&text.replace("\n\n", "\n"));
        check(&text.replace('\n', "\r\n"));
        check(&text.replace(",\n", "\n").replace("]\n", "\n]\n"));
    }
}

#[test]
fn profiles_and_style_go_together() {
    let document = parse("a = \"${[\n  x\n]}\"\nb {}\nresource a b {}\nc = \"${y}\"\n");
    let formatter = Formatter::new(Profile::Terraform).with_style(all());
    let text = formatter.format(&document).text().into_owned();
    let once = String::from_utf8(text).unwrap();
    assert!(once.contains("\n\nresource \"a\" \"b\" {}\n\nc = y\n"), "{once}");
    assert!(formatter.format(&parse(once.as_str())).is_unchanged(), "{once}");
}
