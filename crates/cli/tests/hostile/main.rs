//! Hostile command lines, files and directories, run within this process. The promises are in `program.rs` and
//! `tree.rs`. They are tested here on a fixed set of inputs, and by the fuzz targets with the same names on further
//! ones.
#![cfg(unix)]

mod output;
mod program;
#[cfg(target_os = "linux")]
mod settings;
mod tree;

#[path = "../../../syntax/tests/syntax/mutation.rs"]
#[allow(dead_code, reason = "the module is shared with other tests")]
mod mutation;

use hclkit_test_cases::patterns;
use mutation::{Dice, mutate};

/// Texts in the order of the files that they become.
const TEXTS: [&str; 9] = [
    "[for k, v in { a = upper(\"x\"), b = x } : \"${k}-${v}\"]",
    "a = 1\nb \"l\" {\n  c = [for n in range(3) : n * 2]\n}\n",
    "object {\n  attr \"a\" { type = number }\n  block_list \"b\" {\n    block_labels \"n\" {}\n  }\n}\n",
    "{\"x\": [1, \"two\"], \"y\": {\"z\": null}}",
    "resource \"a\" \"b\" {\n  count = 'x'\n  for_each = fileset(\".\", \"**\")\n}\n",
    "{\"a\": {\"b\": \"${c + 1}\"}}",
    "%{ for x in y ~}\n${file(\"a.hcl\")}\n%{ endfor ~}\n",
    "*.tmp\n",
    "a: &a [x, {b: 1}]\nb: [*a, *a]\nc:\n  <<: {d: 2}\n",
];

const PIECES: [&str; 14] = [
    "\n---\n",
    "\u{1b}[31m",
    "${",
    "\"",
    "<<EOT\n",
    "{",
    "for ",
    "= ",
    "\u{202e}",
    "(",
    "'",
    "\\",
    "[*]",
    "\n",
];

fn noise(dice: &mut Dice, length: usize) -> Vec<u8> {
    (0..length).map(|_| dice.below(256) as u8).filter(|&byte| byte != b'\n').collect()
}

/// With an option that does not exist, a run would end before it does anything.
#[test]
fn all_options_exist() {
    for (command, option) in program::options() {
        let value = if option.ends_with('=') { "x" } else { "" };
        let mut line = std::process::Command::new(env!("CARGO_BIN_EXE_hcl"));
        let output = line.args(command).arg(format!("{option}{value}")).arg("--help").output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!errors.contains("unexpected argument"), "{command:?} {option}: {errors}");
        assert!(!value.is_empty() || output.status.success(), "{command:?} {option}: {errors}");
    }
}

#[test]
fn programs_survive_every_command_line() {
    let mut dice = Dice::new(0x9e37_79b9_7f4a_7c15);
    let texts = TEXTS.join("\n---\n");
    for turn in 0..600 {
        let mut input = noise(&mut dice, 40);
        input.push(b'\n');
        if turn % 3 == 0 {
            input.extend_from_slice(texts.as_bytes());
        } else {
            input.extend(mutate(texts.as_bytes(), &mut dice, &PIECES, 60));
        }
        program::check(&input);
    }
}

#[test]
fn commands_stay_in_their_directory() {
    commands_stay(0x2545_f491_4f6c_dd1d);
}

#[test]
fn commands_stay_in_other_directories() {
    commands_stay(0x8c6d_2d9a_97a3_1f0b);
}

fn commands_stay(seed: u64) {
    let mut dice = Dice::new(seed);
    for _ in 0..75 {
        let length = 20 + dice.below(400);
        tree::check(&noise(&mut dice, length));
    }
}

/// The settings of `hcl.toml`, as the error for an unknown one lists them.
#[cfg(target_os = "linux")]
fn names_of_settings() -> Vec<String> {
    let ended = settings::run_with(settings::RUNS[0].1, &[("hcl.toml", b"unknown = 1\n")]);
    let errors = ended.errors.replace('\n', " ");
    let listed = errors.split("expected one of ").nth(1).unwrap_or_else(|| panic!("{errors}"));
    listed.split(", ").map(|name| name.trim().trim_matches('`').to_owned()).collect()
}

/// The text of `hcl.toml` with a text in a setting, and whether the text is a pattern there.
#[cfg(target_os = "linux")]
fn with_setting(name: &str, text: &str) -> (String, bool) {
    let quoted = serde_json::to_string(text).unwrap();
    match name {
        "specs" => (format!("[specs]\n{quoted} = \"s.hcldec\"\n"), true),
        "modules" => (format!("[modules]\n{quoted} = \"n\"\n\"registry/m\" = {quoted}\n"), false),
        "languages" | "schemas" => (format!("{name} = [{quoted}]\n"), false),
        "versions" => (format!("[versions]\nterraform = {quoted}\n{quoted} = \"1\"\n"), false),
        "schema-cache" => (format!("{name} = {quoted}\n"), false),
        "test" => (format!("[test]\nrules = [{quoted}]\nparams = {{ {quoted} = {quoted} }}\n"), false),
        "fmt" => (format!("[fmt]\nwidth = {quoted}\n"), false),
        other => panic!("put a text into the setting `{other}`"),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_survives_hostile_settings() {
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_hcl")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let list = help.split("Options:\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 17, "{names:?}");
    for name in names {
        let is_run = settings::RUNS.iter().any(|(command, _)| *command == name);
        assert!(is_run != settings::OTHERS.contains(&name), "list a run of `hcl {name}` that reads hcl.toml");
    }
    let names = names_of_settings();
    assert!(names.len() >= 6, "{names:?}");
    for (at, (pattern, is_wrong)) in patterns::hostile().iter().enumerate() {
        for name in &names {
            let (text, is_pattern) = with_setting(name, pattern);
            for (turn, (_, run)) in settings::RUNS.iter().enumerate() {
                // Every setting with every pattern, and every command with every setting.
                if !is_pattern && (at + turn) % 8 != 0 {
                    continue;
                }
                let ended = settings::run_with(run, &[("hcl.toml", text.as_bytes())]);
                if *is_wrong && is_pattern {
                    assert_eq!(ended.code, 2, "{run:?} with {text:.80}: {}", ended.errors);
                    let says =
                        ended.errors.contains("hcl.toml") && ended.errors.contains(&format!("`{name}`"));
                    assert!(says, "{run:?} with {text:.80}: {}", ended.errors);
                }
                assert!(ended.errors.len() < 40_000, "{run:?} with {text:.80}");
            }
        }
    }
}

/// Patterns of options, ignore files, functions and tables of languages.
#[cfg(target_os = "linux")]
#[test]
fn every_command_survives_hostile_patterns() {
    let mut with_globs = 0;
    for (command, run) in settings::RUNS {
        let help =
            std::process::Command::new(env!("CARGO_BIN_EXE_hcl")).args([command, "--help"]).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        for option in ["--include", "--exclude"] {
            if !help.contains(&format!("{option} ")) {
                continue;
            }
            with_globs += 1;
            for (pattern, is_wrong) in patterns::hostile() {
                let own = format!("{option}={pattern}");
                let mut line = run.to_vec();
                line.insert(1, &own);
                let ended = settings::run_with(&line, &[]);
                assert!(!is_wrong || ended.code == 2, "{run:?} {own:.60}: {}", ended.errors);
            }
        }
    }
    assert!(with_globs >= 10, "{with_globs}");
    for (pattern, is_wrong) in patterns::hostile() {
        let quoted = serde_json::to_string(&pattern).unwrap();
        settings::run_with(&["check", &pattern], &[]);
        settings::run_with(&["check", "."], &[(".gitignore", pattern.as_bytes())]);
        settings::run_with(&["check", "."], &[(".hclignore", pattern.as_bytes())]);
        let call = format!("fileset(\".\", {quoted})");
        settings::run_with(&["eval", "--allow-fs", ".", &call], &[]);
        let table = format!("name = \"ours\"\nfiles = [{quoted}]\n");
        let files = [("hcl.toml", &b"languages = [\"t.hcl\"]\n"[..]), ("t.hcl", table.as_bytes())];
        settings::run_with(&["check", "."], &files);
        let spec = format!("{pattern}=s.hcldec");
        let ended = settings::run_with(&["lsp", "--spec-for", &spec], &[]);
        assert!(!is_wrong || ended.code == 2, "{spec:.60}: {}", ended.errors);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn commands_survive_every_settings_file() {
    const SEED: &str = "languages = [\"t.hcl\"]\nschemas = [\"s.json\"]\nschema-cache = \"c\"\n[fmt]\nwidth = 80\njoin = true\n[modules]\n\"registry/m\" = \"n\"\n[specs]\n\"*.{hcl,tf}\" = \"s.hcldec\"\n\n---\nname = \"ours\"\nfiles = [\"*.ours\"]\nblock \"b\" {\n  role = \"object\"\n  labels = [\"name\"]\n  defines = \"b.{name}\"\n}\n";
    let pieces =
        ["{", "[", "\"", "*", "?", "\n---\n", "specs", "= ", "\\u00e9", "\\xff", "[[", ".", "}", "\n"];
    let mut dice = Dice::new(0x51_7c_c1_b7_27_22_0a_95);
    for turn in 0..400 {
        let mut input = vec![dice.below(256) as u8];
        input.extend(mutate(SEED.as_bytes(), &mut dice, &pieces, if turn % 4 == 0 { 60 } else { 6 }));
        settings::check(&input);
    }
}
