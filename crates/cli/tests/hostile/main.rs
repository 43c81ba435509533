//! Hostile command lines, files and directories, run within this process. The promises are in `program.rs` and
//! `tree.rs`. They are tested here on a fixed set of inputs, and by the fuzz targets with the same names on further
//! ones.
#![cfg(unix)]

mod program;
mod tree;

#[path = "../../../syntax/tests/syntax/mutation.rs"]
#[allow(dead_code, reason = "the module is shared with other tests")]
mod mutation;

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
