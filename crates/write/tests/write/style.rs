//! Style beyond the profiles: what it does, that it does it once, and that nothing else changes.

mod check;

use std::path::Path;

use check::check;

use hclkit_dialect::Dialect;
use hclkit_syntax::parse;
use hclkit_test_cases::{rounds, seed};
use hclkit_write::{Formatter, Style};

fn all() -> Style {
    Style::new().with_alignment(false).with_blank_lines(true).with_trailing_commas(true)
}

fn format(style: Style, text: &str) -> String {
    let document = parse(text);
    let formatted = Formatter::plain().with_markers().with_style(style).format(&document);
    String::from_utf8(formatted.bytes().into_owned()).unwrap()
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

#[test]
fn examples_keep_the_promises() {
    let mut rng = fastrand::Rng::with_seed(5);
    for text in examples() {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for _ in 0..40 {
            // Lines that are gone or come twice, and blank lines that are gone.
            let keep = |line: &&&str| !line.trim().is_empty();
            let few = lines.iter().filter(keep).flat_map(|line| {
                std::iter::repeat_n(*line, [1, 1, 1, 1, 1, 1, 1, 1, 0, 2][rng.usize(0..10)])
            });
            check(&few.collect::<String>(), rng.u32(..));
        }
        for _ in 0..100 {
            check(&text, rng.u32(..));
        }
        for _ in 0..10 {
            check(&text.replace("\n\n", "\n"), rng.u32(..));
            check(&text.replace('\n', "\r\n"), rng.u32(..));
            check(&text.replace(",\n", "\n").replace("]\n", "\n]\n"), rng.u32(..));
        }
    }
}

fn format_terraform(style: Style, text: &str) -> String {
    let formatter = Formatter::new(Dialect::terraform()).with_style(style);
    String::from_utf8(formatter.format(&parse(text)).bytes().into_owned()).unwrap()
}

#[test]
fn wide_lists_are_split() {
    let style = Style::new().with_width(40).with_trailing_commas(true);
    let cases = [
        // Lists that fit do not change, on one line or on several.
        ("a = [1, 2]\nb = [\n  1,\n]\n", "a = [1, 2]\nb = [\n  1,\n]\n"),
        (
            "zones = [\"eu-west-1a\", \"eu-west-1b\", \"eu-west-1c\"] # all\n",
            "zones = [\n  \"eu-west-1a\",\n  \"eu-west-1b\",\n  \"eu-west-1c\",\n] # all\n",
        ),
        // Only the inner list is split, if that is enough.
        (
            "tags = merge(local.tags, { Name = \"web\", Team = \"infra\" })\n",
            "tags = merge(local.tags, {\n  Name = \"web\"\n  Team = \"infra\"\n})\n",
        ),
        (
            "policy = jsonencode({ Version = \"2012\", Statement = [{ Effect = \"Allow\", Action = \"s3:*\" }] })\n",
            "policy = jsonencode({\n  Version = \"2012\"\n  Statement = [{\n    Effect = \"Allow\"\n    Action = \"s3:*\"\n  }]\n})\n",
        ),
        (
            "ids = [for subnet in aws_subnet.private : subnet.id]\n",
            "ids = [\n  for subnet in aws_subnet.private : subnet.id\n]\n",
        ),
        (
            "long = max(length(var.list), 1) + max(2, 3)\n",
            "long = max(length(var.list), 1) + max(\n  2,\n  3,\n)\n",
        ),
        // The spaces of alignment count.
        (
            "rather_long_name = 1\nx = [\"aa\", \"bb\", \"c\", \"d\"]\n",
            "rather_long_name = 1\nx = [\n  \"aa\",\n  \"bb\",\n  \"c\",\n  \"d\",\n]\n",
        ),
        // Nothing can be broken here.
        (
            "a = \"a text of more than forty columns, ${f(1, 2)}\"\n",
            "a = \"a text of more than forty columns, ${f(1, 2)}\"\n",
        ),
        // Rows stay rows as long as they fit.
        ("a = [\n  1, 2, 3,\n  4, 5, 6\n]\n", "a = [\n  1, 2, 3,\n  4, 5, 6,\n]\n"),
        (
            "a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] # hcl-fmt: skip\n",
            "a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] # hcl-fmt: skip\n",
        ),
    ];
    for (before, after) in cases {
        assert_eq!(format(style, before), after);
    }
}

#[test]
fn lists_that_fit_are_joined() {
    let style = Style::new().with_width(40).with_joined_lists(true);
    let cases = [
        ("a = [\n  1,\n  2,\n]\nb = f(\n  [\n    x\n  ]\n)\n", "a = [1, 2]\nb = f([x])\n"),
        ("a = [\n  1, # one\n  2\n]\n", "a = [\n  1, # one\n  2\n]\n"),
        ("a = [{\n  b = 1\n}]\n", "a = [{\n  b = 1\n}]\n"),
        (
            "a = [\n  \"something longer\", \"than the width\",\n  \"is\"\n]\n",
            "a = [\n  \"something longer\",\n  \"than the width\",\n  \"is\"\n]\n",
        ),
    ];
    for (before, after) in cases {
        assert_eq!(format(style, before), after);
    }
}

#[test]
fn meta_arguments_are_in_the_order_of_the_style_guide() {
    let style = Style::new().with_meta_arguments(true);
    let cases = [
        (
            "resource \"a\" \"b\" {\n  depends_on = [x]\n  size = 1\n  # how many\n  count = 2 # two\n\n  lifecycle {}\n  disk {}\n}\n",
            "resource \"a\" \"b\" {\n  # how many\n  count = 2 # two\n\n  size = 1\n  disk {}\n\n  lifecycle {}\n\n  depends_on = [x]\n}\n",
        ),
        (
            "variable \"v\" {\n  default = 1\n  description = \"d\"\n\n  validation {}\n  type = number\n}\n",
            "variable \"v\" {\n  type        = number\n  description = \"d\"\n  default     = 1\n\n  validation {}\n}\n",
        ),
        (
            "module \"m\" {\n  cidr = 1\n\n  # About the network.\n\n  source = \"./m\"\n}\n",
            "module \"m\" {\n  source = \"./m\"\n\n  cidr = 1\n\n  # About the network.\n}\n",
        ),
        (
            "resource \"a\" \"b\" {\n  count = 2\n  size  = 1\n}\n",
            "resource \"a\" \"b\" {\n  count = 2\n  size  = 1\n}\n",
        ),
        ("locals {\n  b     = 1\n  count = 2\n}\n", "locals {\n  b     = 1\n  count = 2\n}\n"),
    ];
    for (before, after) in cases {
        assert_eq!(format_terraform(style, before), after);
        assert_eq!(format(style, after), after, "the profile is not Terraform's");
    }
}

#[test]
fn attributes_are_sorted_between_blank_lines() {
    let style = Style::new().with_sorted_attributes(true);
    let cases = [
        (
            "c = 1\n# about a\na = 2 # two\n\nb = 3\na2 = 4\n",
            "# about a\na = 2 # two\nc = 1\n\na2 = 4\nb  = 3\n",
        ),
        (
            "x {\n  b = <<E\nb\nE\n  a = 1\n  c {}\n  B = 1\n}\n",
            "x {\n  a = 1\n  b = <<E\nb\nE\n  c {}\n  B = 1\n}\n",
        ),
        // Blanks at the end of a line do not become part of a comment.
        ("b = 1#\na = 2   \n", "a = 2\nb = 1 #\n"),
        ("b = { z = 1, y = 2 }\na = 1 # hcl-fmt: skip\n", "b = { z = 1, y = 2 }\na = 1 # hcl-fmt: skip\n"),
    ];
    for (before, after) in cases {
        assert_eq!(format(style, before), after);
    }
    let both = style.with_meta_arguments(true);
    assert_eq!(
        format_terraform(both, "module \"m\" {\n  z = 1\n  version = 1\n  b = 1\n  source = \"x\"\n}\n"),
        "module \"m\" {\n  source  = \"x\"\n  version = 1\n\n  b = 1\n  z = 1\n}\n",
    );
}

fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = [
        "terraform/main.tf",
        "terraform/variables.tf",
        "packer/debian.pkr.hcl",
        "nomad/web.nomad",
        "service/web.hcl",
    ];
    files.iter().map(|file| std::fs::read_to_string(folder.join(file)).unwrap()).collect()
}

/// A random file: bodies, lists and comments in every layout.
struct Maker {
    rng: fastrand::Rng,
    out: String,
}

impl Maker {
    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.rng.usize(..all.len())]
    }

    fn put(&mut self, all: &[&str]) {
        let text = self.pick(all);
        self.out.push_str(text);
    }

    fn body(&mut self, depth: u32) {
        let names = ["a", "count", "zone", "source", "description", "type", "depends_on", "x9", "ünï"];
        let mut used = Vec::new();
        for _ in 0..self.rng.usize(..6) {
            self.put(&[
                "",
                "",
                "",
                "\n",
                "\n\n",
                "# above\n",
                "# one\n# two\n",
                "/* c */ ",
                "# apart\n\n",
                "# hcl-fmt: skip\n",
            ]);
            if depth > 0 && self.rng.u8(..4) == 0 {
                self.put(&[
                    "resource \"a\" \"b\"",
                    "variable \"v\"",
                    "lifecycle",
                    "validation",
                    "module m",
                    "inner",
                ]);
                if self.rng.u8(..6) == 0 {
                    self.out.push_str(" { a = ");
                    self.value(1, true);
                    self.out.push_str(" }");
                } else {
                    self.put(&[" {\n", " { # opens\n", " {\n\n"]);
                    self.body(depth - 1);
                    self.out.push('}');
                }
            } else {
                let name = self.pick(&names);
                if used.contains(&name) {
                    continue;
                }
                used.push(name);
                self.out.push_str(name);
                self.put(&[" = ", "=", "   = "]);
                self.value(3, true);
            }
            self.put(&[
                "\n",
                "\n",
                "\n",
                " \t\n",
                "#\n",
                " # after\n",
                " /* after */\n",
                " /* after */  \n",
                " // hcl-fmt: skip\n",
            ]);
        }
    }

    /// A value; `ends` if nothing follows it on its line.
    fn value(&mut self, depth: u32, ends: bool) {
        let (open, close) = match self.rng.u8(..if depth == 0 { 6 } else { 16 }) {
            0 => return self.put(&["1", "-x", "null", "a.b[0].c", "x[*].y"]),
            1 => return self.put(&["\"text\"", "\"a ${f(1, [2, 3])} b\"", "\"\"", "\"é\""]),
            2 if !ends => return self.put(&["3"]),
            2 => return self.put(&["<<E\nx ${[1, 2]}\nE", "<<-E\n  x\n  E"]),
            3 => return self.put(&["a + b", "(c)", "x ? y : z", "\"${y}\""]),
            4 | 5 => return self.put(&["long_name_of_something.with_attributes", "short", "!true"]),
            6..=8 => ("[", "]"),
            9..=11 => (self.pick(&["f(", "merge(", "provider::x::f("]), ")"),
            12 => {
                self.put(&["[", "[\n", "[ # c\n"]);
                self.put(&["for x in ", "for k, v in "]);
                self.value(depth - 1, false);
                self.put(&[" : ", " :\n"]);
                self.value(depth - 1, false);
                self.put(&["", " if y", "\n"]);
                return self.out.push(']');
            }
            13 => {
                self.value(depth - 1, false);
                self.put(&[" == ", " || ", " + "]);
                return self.value(depth - 1, false);
            }
            _ if depth > 0 => return self.object(depth),
            _ => return self.put(&["2"]),
        };
        self.out.push_str(open);
        let count = self.rng.usize(..5);
        for at in 0..count {
            self.put(&["", "", "", "\n", "\n", " # own\n", "/* in */ "]);
            self.value(depth - 1, false);
            let comma = at + 1 < count || self.rng.u8(..4) == 0;
            self.put(&["", "", "", "", " /* at */", "\n"]);
            if comma {
                self.put(&[",", ", ", ",\n", ", # end\n"]);
            } else if open == "merge(" && self.rng.u8(..3) == 0 {
                self.out.push_str("...");
            }
        }
        self.put(&["", "", "\n"]);
        self.out.push_str(close);
    }

    fn object(&mut self, depth: u32) {
        self.out.push('{');
        let one_line = self.rng.bool();
        if !one_line {
            self.put(&["\n", " # opens\n"]);
        }
        let count = self.rng.usize(..4);
        for at in 0..count {
            self.put(&["a", "\"b c\"", "(d)", "long_key", "e"]);
            self.put(&[" = ", "=", ": "]);
            self.value(depth - 1, !one_line);
            if one_line {
                self.put(if at + 1 < count { &[", ", ","] } else { &["", ", ", " /* c */"] });
            } else {
                self.put(&["\n", "\n", " # c\n", "\n\n"]);
            }
        }
        self.out.push('}');
    }
}

/// Checks a text, and if that fails, as few of its lines as fail.
fn check_smallest(text: &str, bits: u32) {
    let fails = |text: &str| std::panic::catch_unwind(|| check(text, bits)).is_err();
    if !fails(text) {
        return;
    }
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    while let Some(at) = (0..lines.len()).find(|&at| {
        let fewer = [&lines[..at], &lines[at + 1..]].concat().concat();
        fails(&fewer)
    }) {
        lines.remove(at);
    }
    check(&lines.concat(), bits);
}

#[test]
fn mutated_examples_keep_the_promises() {
    let pieces = [
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        ",",
        "\n",
        "\n\n",
        "# c\n",
        "/* a\n b */",
        "/* c */",
        "\r\n",
        "\t",
        "=",
        "a = [1, 2]\n",
        "f(x, y)",
        "{ a = 1, b = 2 }",
        "for x in y : ",
        "...",
        "<<E\nx\nE\n",
        "\"${",
        "}\"",
        "\u{feff}",
        "é",
        " ",
        ":",
        "\r",
        "# hcl-fmt: off\n",
        "# hcl-fmt: on\n",
        "count = 1\n",
    ];
    let mut rng = fastrand::Rng::with_seed(seed(9));
    let rounds = rounds(200);
    for text in examples() {
        for _ in 0..rounds {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let start = rng.usize(..lines.len());
            let end = lines.len().min(start + rng.usize(..30));
            let mut piece = lines[start..end].concat();
            for _ in 0..rng.usize(1..4) {
                let at = rng.usize(..=piece.len());
                if piece.is_char_boundary(at) {
                    piece.insert_str(at, pieces[rng.usize(..pieces.len())]);
                }
            }
            check_smallest(&piece, rng.u32(..));
        }
    }
}

#[test]
fn random_files_keep_the_promises() {
    let rounds = rounds(2_500);
    let mut seeds = fastrand::Rng::with_seed(seed(rounds));
    let mut valid = 0;
    for _ in 0..rounds {
        let seed = seeds.u64(..);
        let mut maker = Maker { rng: fastrand::Rng::with_seed(seed), out: String::new() };
        maker.body(2);
        let bits = maker.rng.u32(..);
        valid += u64::from(!parse(maker.out.as_str()).has_errors());
        check_smallest(&maker.out, bits);
    }
    assert!(valid * 10 > rounds * 7, "{valid} of {rounds} files are valid");
}

#[test]
fn profiles_and_style_go_together() {
    let document = parse("a = \"${[\n  x\n]}\"\nb {}\nresource a b {}\nc = \"${y}\"\n");
    let formatter = Formatter::new(Dialect::terraform()).with_style(all());
    let text = formatter.format(&document).bytes().into_owned();
    let once = String::from_utf8(text).unwrap();
    assert!(once.contains("\n\nresource \"a\" \"b\" {}\n\nc = y\n"), "{once}");
    assert!(formatter.format(&parse(once.as_str())).is_unchanged(), "{once}");
}

/// A text with everything that profiles and styles change.
const COMMENTED: &str = r#"variable a { type = "list" }
resource "a" b {
  depends_on = [x, y]
  count = "${n + 1}"
  tags = { b = 1, a = "x-${y}" }
  provisioner "local-exec" { command = f(a, [b...]) }
}
"#;

/// Comments in each place between two tokens, and in several at once, stay with each profile and style.
#[test]
fn comments_between_all_tokens_stay() {
    let document = parse(COMMENTED);
    let tokens = document.tokens();
    let ends: Vec<usize> = (0..tokens.len() as u32).map(|at| tokens.span(at).end as usize).collect();
    let commented = |places: &[usize], comment: &str| {
        let mut text = COMMENTED.to_owned();
        for &place in places {
            text.insert_str(place, comment);
        }
        text
    };
    let mut random = fastrand::Rng::with_seed(14);
    for &place in &ends {
        let several: Vec<usize> = ends.iter().rev().copied().filter(|_| random.u8(..8) == 0).collect();
        for places in [vec![place], several] {
            for comment in [" /* c */ ", "/*c\n*/", " # c\n", " // c\n"] {
                let text = commented(&places, comment);
                for _ in 0..16 {
                    check::check(&text, random.u32(..));
                }
            }
        }
    }
}
