//! No invisible character reaches output for people: each one is passed through every command and format, in file
//! names, names, labels, keys, strings, comments, variables and messages.

use std::process::Output;

use hclkit::syntax::is_visible;

use crate::colors::without_colors;
use crate::program::Folder;

/// All invisible characters, in groups that fit in a file name.
fn groups() -> Vec<Vec<char>> {
    let all: Vec<char> = ('\0'..='\u{ffff}').filter(|&sign| !is_visible(sign)).collect();
    let tags = ['\u{1bca0}', '\u{1d173}', '\u{e0001}', '\u{e0041}', '\u{e0100}', '\u{e0fff}'];
    let groups = all.chunks(60).chain([&tags[..]]);
    groups.map(<[char]>::to_vec).collect()
}

/// Fails if the output contains invisible characters other than line breaks and tabs.
fn check(what: &str, output: &Output) {
    for (stream, bytes) in [("standard output", &output.stdout), ("standard error", &output.stderr)] {
        // Our own colors. In the inputs no bracket follows an escape character.
        let text = without_colors(std::str::from_utf8(bytes).unwrap());
        let raw = text.chars().find(|&sign| !is_visible(sign) && !['\n', '\t'].contains(&sign));
        assert_eq!(raw, None, "{what}: {stream}\n{text:?}");
        let command = text.lines().find(|line| line.starts_with("::pwned"));
        assert_eq!(command, None, "{what}: {stream}\n{text}");
    }
    assert_ne!(output.status.code(), Some(101), "{what}: it panics");
}

#[test]
fn invisible_characters_are_not_printed() {
    for (turn, signs) in groups().into_iter().enumerate() {
        // With colors enabled: otherwise, everything that looks like a color is removed from the output.
        let colors = if turn % 4 == 0 { "never" } else { "always" };
        let joined =
            |form: &dyn Fn(char) -> String| signs.iter().map(|&sign| form(sign)).collect::<Vec<_>>().concat();
        let text = joined(&|sign| format!("x{sign}"));
        let escaped = joined(&|sign| format!("x\\U{:08x}", u32::from(sign)));
        let units = joined(&|sign| {
            let units = sign.encode_utf16(&mut [0; 2]).to_vec();
            units.iter().fold(String::new(), |text, unit| format!("{text}\\u{unit:04x}"))
        });
        let name: String = text.chars().filter(|&sign| sign != '\0').collect();
        let name = format!("{name}\n::pwned::.hcl");
        let in_string: String = text.chars().filter(|sign| !['\n', '\r', '\0'].contains(sign)).collect();
        let spec = format!("attr \"{escaped}\" {{\n  type = any\n}}\n");
        let decoded = "object {\n  attr \"a\" {\n    type = any\n  }\n}\n";
        let folder = Folder::with(&[
            (
                &name,
                &format!(
                    "# {in_string}\n\"{in_string}\" = 1\na{in_string} = 2\nb = \"{in_string}\" c\n{text}\n"
                ),
            ),
            (
                "good.hcl",
                &format!(
                    "# {in_string}\na = \"{escaped}\" # {in_string}\nb \"{in_string}\" {{\n  c = <<EOT\nx{in_string}\ny\nEOT\n}}\n"
                ),
            ),
            ("letters.hcl", "a\u{3164} = 1\nb\u{115f} \"x\" {\n}\n"),
            ("one.hcl", &format!("a = {{ \"{escaped}\" = \"{escaped}\", b = [\"{in_string}\"] }}\n")),
            ("wrong.hcl", &format!("a = {{ \"{escaped}\" = 1 }}.{in_string}\n\"{in_string}\" {{\n}}\n")),
            ("c.hcl.json", &format!("{{\"{in_string}\": 1, \"{in_string}\": 2, \"a\": {text}}}")),
            ("v.json", &format!("{{\"v\": \"{units}\"}}")),
            ("spec.hcldec", &spec),
            ("decoded.hcldec", decoded),
            (
                "broken.hcldec",
                &format!("attr \"{escaped}\" {{\n  {in_string}\n}}\nblock \"{in_string}\" {{\n}}\n"),
            ),
        ]);
        let run = |args: &[&str], input: &str| {
            let args = [args, &["--color", colors][..]].concat();
            let args = if args.contains(&"--") { &args[..args.len() - 2] } else { &args };
            let mut command = folder.command(args).stdin(input);
            if args.iter().any(|word| word.contains("VARIABLE")) {
                command = command.env("VARIABLE", &in_string);
            }
            let output = command.output().unwrap();
            check(&format!("hcl {args:?}"), &output);
        };
        for format in ["human", "json", "sarif", "github", "junit"] {
            for extra in [&[][..], &["--compact"], &["--spec", "spec.hcldec"], &["--fix", "--write"]] {
                run(&[&["check", "--report", format, "."], extra].concat(), "");
            }
            run(&["check", "--report", format, &format!("no{name}")], "");
            run(&["check", "--report", format, "-"], &text);
            run(
                &[
                    "eval",
                    "--report",
                    format,
                    "--functions",
                    "packer",
                    "--allow-env",
                    "env(\"VARIABLE\") + 1",
                ],
                "",
            );
            for value in [
                format!("parseint(\"{escaped}\", 10)"),
                format!("file(\"{escaped}\")"),
                format!("regex(\"{escaped}(\", \"a\")"),
                format!("jsondecode(\"{escaped}\")"),
                format!("{{ \"{escaped}\" = 1 }}[\"x{escaped}\"]"),
                format!("[for k in [\"{escaped}\"] : k + 1]"),
                format!("upper(\"{in_string}\") + {in_string}"),
                "v + 1".to_owned(),
            ] {
                run(&["eval", "--allow-fs", ".", "--report", format, "--vars", "v.json", &value], "");
            }
            run(&["eval", "--report", format, "-f", &name], "");
            run(&["decode", "--report", format, "--spec", "decoded.hcldec", "wrong.hcl"], "");
            run(&["decode", "--report", format, "--spec", "broken.hcldec", "wrong.hcl"], "");
            run(&["decode", "--report", format, "--spec", "decoded.hcldec", "c.hcl.json"], "");
        }
        for file in [&name, "good.hcl", "letters.hcl", "one.hcl", "wrong.hcl"] {
            for what in ["tokens", "tree"] {
                for format in ["human", "json"] {
                    run(&["dump", what, "--output", format, file], "");
                }
            }
            run(&["convert", file], "");
            run(&["convert", "--merge", file, "one.hcl"], "");
            for output in ["hcl", "json", "typed"] {
                run(&["eval", "--output", output, "-f", file], "");
                run(&["decode", "--output", output, "--spec", "decoded.hcldec", file], "");
            }
            run(&["eval", "--explain", "-f", file], "");
            run(&["decode", "--var-refs", "--spec", "decoded.hcldec", file], "");
        }
        for output in ["hcl", "json", "typed"] {
            run(&["eval", "--output", output, "--vars", "v.json", "[v, { (v) = v }, { a = v }]"], "");
            run(&["eval", "--output", output, "--compact", "--vars", "v.json", "\"${v}\\nb\\n\""], "");
            run(&["eval", "--output", output, "--vars", "v.json", "\"a\\n${v}\\nb\\n\""], "");
        }
        run(&["eval", "--explain", "--vars", "v.json", "[for x in [v, { (v) = v }] : upper(x)]"], "");
        run(&["eval", "-f", "one.hcl", "--attr", &format!("a{in_string}")], "");
        run(&["eval", "--var", &format!("a=\"{in_string}\""), "[a, b]"], "");
        run(&["eval", "--var", &format!("a{in_string}=1"), "a"], "");
        run(&["eval", &format!("--{in_string}")], "");
        run(&["eval", "--vars", &in_string, "1"], "");
        run(&["explain", &in_string], "");
        run(&["eval", "--", &format!("x{in_string}")], "");
        run(&["eval", "--functions", "packer", "--allow-env", "env(\"VARIABLE\")"], "");
        run(&["eval", "--explain", "--functions", "packer", "--allow-env", "upper(env(\"VARIABLE\"))"], "");
        run(&["eval", "--allow-fs", &in_string, "1"], "");
        run(&["eval", "--max-steps", &format!("{in_string}\nerror: x"), "1"], "");
        run(&["convert", "--out", &format!("no/{in_string}"), "one.hcl"], "");
        run(&["convert", "--language", &in_string, "one.hcl"], "");
        run(&["dump", "tree", &in_string], "");
        run(&[&in_string], "");
        run(&["check", "--exclude", &format!("[{in_string}")], "");
        run(&["schema", "--spec", "spec.hcldec"], "");
        run(&["schema", "--spec", "spec.hcldec", "--output", "markdown", "--title", &in_string], "");
        run(&["schema", "--spec", "broken.hcldec"], "");
        let entries = [
            "v",
            "[v, { (v) = v }]",
            "x = v",
            ":vars",
            ":type { (v) = v }",
            ":explain [v, upper(v)]",
            "v + 1",
            ":doc",
            "a\u{3164} = 1",
            ":vars",
            "a\u{3164}",
            ":type { a\u{3164} = 1 }",
        ];
        let entries =
            format!("{}\n:{in_string}\n:doc {in_string}\n\"{in_string}\"\n{text}\n", entries.join("\n"));
        run(&["console", "--vars", "v.json"], &entries);
        for args in [
            &["--spec=decoded.hcldec", "one.hcl"][..],
            &["--spec=decoded.hcldec", "--with-type", "one.hcl"],
            &["--spec=decoded.hcldec", "wrong.hcl"],
            &["--spec=decoded.hcldec", "--diags=json", "wrong.hcl"],
            &["--spec=decoded.hcldec", "--diags=json", &name],
            &["--spec=decoded.hcldec", &name],
            &["--spec=decoded.hcldec", "--var-refs", "good.hcl"],
            &["--spec", &in_string],
            &["--diags", &in_string],
            &[&format!("--{in_string}")],
        ] {
            let hcldec = std::process::Command::new(env!("CARGO_BIN_EXE_hcldec"));
            let output = { hcldec }.args(args).current_dir(folder.path("")).output().unwrap();
            check(&format!("hcldec {args:?}"), &output);
        }
    }
}

#[test]
fn diffs_show_invisible_characters() {
    let folder = Folder::with(&[]);
    let name = "a\u{1b}b\u{9b}c\u{202e}\n::error::d:,%.hcl";
    let text = "# \u{1b}\u{9b}\u{200b}\na = 'x\u{202e}\u{7f}'\nb = 'y'\n";
    for args in [
        &["check", "--color", "always", "--fix", "."][..],
        &["check", "--report", "github", "--fix", "."],
        &["check", "--report", "sarif", "--fix", "."],
        &["check", "--report", "json", "--fix", "."],
        &["check", "--color", "always", "--fix", "--write", "."],
        &["check", "--report", "github", "--fix", "--write", "."],
    ] {
        folder.write(name, text);
        let output = folder.command(args).output().unwrap();
        check(&format!("hcl {args:?}"), &output);
        let shown = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(shown.contains(".hcl"), "{args:?}: {shown}");
        if args.contains(&"github") {
            let commands = shown.lines().filter(|line| !line.is_empty());
            let expected = "file=a␛b�c�␊%3A%3Aerror%3A%3Ad%3A%2C%25.hcl,";
            assert!(commands.into_iter().all(|line| line.contains(expected)), "{shown}");
        }
    }
}

/// An argument with line breaks cannot look like several messages.
#[test]
fn arguments_are_shown_on_one_line() {
    let folder = Folder::with(&[]);
    for args in [
        &["eval", "--max-steps", "1\r\nerror: forged", "1"][..],
        &["eval", "--var", "a\nerror: forged", "1"],
        &["check", "--report", "x\nerror: forged"],
        &["check", "--x\nerror: forged"],
        &["x\nerror: forged"],
        &["explain", "x\nerror: forged"],
        &["check", "x\nerror: forged"],
        &["eval", "--vars", "x\nerror: forged", "1"],
    ] {
        let output = folder.command(args).output().unwrap();
        let shown = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!shown.lines().any(|line| line.starts_with("error: forged")), "{args:?}: {shown}");
    }
    let hcldec = std::process::Command::new(env!("CARGO_BIN_EXE_hcldec"));
    let output = { hcldec }.arg("--x\nerror: forged").output().unwrap();
    let shown = String::from_utf8(output.stderr).unwrap();
    assert!(!shown.lines().any(|line| line.starts_with("error: forged")), "{shown}");
}

#[test]
fn these_are_not_visible() {
    let named = "\u{1b}\u{7}\u{8}\u{7f}\u{9b}\u{9d}\u{85}\u{ad}\u{61c}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2028}\
                 \u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2060}\u{2066}\u{2067}\u{2068}\u{2069}\u{feff}\u{fff9}\
                 \u{3164}\u{115f}\u{ffa0}\u{180e}\u{e0041}\u{e01ef}";
    for sign in named.chars().chain('\0'..' ').chain('\u{7f}'..'\u{a0}') {
        assert!(!is_visible(sign), "U+{:04X}", u32::from(sign));
    }
}

/// Values and sources agree on which characters are invisible.
#[test]
fn strings_escape_invisible_characters() {
    let all: String = ('\0'..=char::MAX).collect();
    let quoted = hclkit::Value::from(all.as_str()).to_string();
    assert!(quoted.chars().all(is_visible));
    let value = hclkit::Expression::parse(quoted).unwrap().evaluate(&hclkit::Context::new()).unwrap();
    assert_eq!(value, hclkit::Value::from(all.as_str()));
    // Unicode's stream-safe form divides long runs of combining marks into several texts.
    let visible = all.chars().filter(|&sign| is_visible(sign) && !"\"\\$%".contains(sign));
    let visible: String = visible.flat_map(|sign| [sign, 'x']).collect();
    let value = hclkit::Value::from(visible.as_str());
    let (quoted, plain) = (value.to_string(), value.as_str().unwrap());
    let escaped = quoted.trim_matches('"').chars().zip(plain.chars()).find(|(quoted, plain)| quoted != plain);
    assert_eq!(escaped, None);
}
