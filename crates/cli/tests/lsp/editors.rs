//! Sessions in editors, with the configuration of `docs/editors.md`. The steps and the results are the same in each editor,
//! and the files are then those that the commands write.
//!
//! `NVIM`, `NVIM07` and `EMACS` are programs that are not on the path.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::Tree;

const MAIN: &str = r#"variable "region" {
  default = "eu"
}
locals {
  zone=upper("😀ä-${var.region}")
}
module "net" {
  source = "./net"
  cidr   = local.zone
}
output "id" {
  value = module.net.idd
}
"#;
const NET: &str = "variable \"cidr\" {}\noutput \"id\" {\n  value = var.cidr\n}\n";

/// The program in the configurations.
const PROGRAM: &str = "/usr/local/bin/hcl";

/// What happens in the editor, one step in a line.
const STEPS: &str = r#"client hcl
diagnostic 12 unknown-variable
hover local.zone = "😀Ä-EU"
hover var.region = "eu"
completion id
completed   value = module.net.id
renamed   zone=upper("😀ä-${var.location}")
formatted   zone = upper("😀ä-${var.location}")
action Use double quotes
fixed a = "x"
"#;

/// What happens afterwards in editors that can create files.
const SPLIT: &str = "action Split the file as the style guide recommends\n";

fn tree() -> Tree {
    Tree::with(BTreeMap::from([
        ("main.tf".to_owned(), MAIN.to_owned()),
        ("net/main.tf".to_owned(), NET.to_owned()),
    ]))
}

/// The code in `docs/editors.md` after a line.
fn configuration(line: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/editors.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, after) = text.split_once(&format!("\n{line}\n")).unwrap();
    let (_, block) = after.split_once("\n```").unwrap();
    let (code, _) = block.split_once("\n```").unwrap();
    code.split_once('\n').unwrap().1.to_owned()
}

/// Editors look names up, and some of them in the current directory first.
#[test]
fn all_configurations_name_the_program_by_its_path() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/editors.md");
    let text = fs::read_to_string(path).unwrap();
    let mut named = 0;
    // What comes before a program, in the language of each editor.
    for before in ["cmd = { ", "\ncommand = ", ". (", "\"path\": ", "\"command\": ["] {
        for (at, _) in text.match_indices(before) {
            let after = &text[at + before.len()..];
            assert!(after.starts_with(&format!("\"{PROGRAM}\"")), "{}", after.lines().next().unwrap());
            named += 1;
        }
    }
    assert_eq!(named, 6, "one for each editor, and for another version of Neovim");
}

/// The files of a tree. Editors leave files empty that the commands remove.
fn files(tree: &Tree) -> [String; 4] {
    let names = ["main.tf", "net/main.tf", "net/outputs.tf", "net/variables.tf"];
    names.map(|name| fs::read_to_string(tree.path(name)).unwrap_or_default())
}

/// The files after the same steps with commands.
fn files_by_commands(splits: bool) -> [String; 4] {
    let tree = tree();
    let hcl = |arguments: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_hcl"))
            .args(arguments)
            .current_dir(tree.root())
            .output()
            .unwrap();
        assert!(run.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    };
    let change = |change: &dyn Fn(String) -> String| {
        let path = tree.path("main.tf");
        fs::write(&path, change(fs::read_to_string(&path).unwrap())).unwrap();
    };
    change(&|text| text.replace("module.net.idd", "module.net.id"));
    hcl(&["rename", "-w", "var.region", "location"]);
    hcl(&["fmt", "-w", "main.tf"]);
    hcl(&["rename", "-w", "var.cidr", "block", "net"]);
    change(&|text| format!("{text}a = 'x'\n"));
    hcl(&["check", "--fix", "-w", "main.tf"]);
    if splits {
        hcl(&["split", "-w", "net"]);
    }
    files(&tree)
}

/// Runs an editor, whose script reads `CONFIG` and `ROOT` and writes a line for each step to `OUT`.
fn session(variable: &str, program: &str, arguments: &[&str], configuration: &str, splits: bool) {
    let tree = tree();
    let own = tempfile::tempdir().unwrap();
    let (config, results) = (own.path().join("config"), own.path().join("out"));
    assert!(configuration.contains(PROGRAM), "{configuration}");
    fs::write(&config, configuration.replace(PROGRAM, env!("CARGO_BIN_EXE_hcl"))).unwrap();
    let run = Command::new(env::var_os(variable).unwrap_or_else(|| program.into()))
        .args(arguments)
        .current_dir(tree.root())
        .envs([("CONFIG", config.as_path()), ("ROOT", &tree.root()), ("OUT", results.as_path())])
        .envs([("HOME", own.path()), ("XDG_STATE_HOME", own.path()), ("XDG_CACHE_HOME", own.path())])
        .envs([("LANG", "C.UTF-8"), ("LC_ALL", "C.UTF-8")])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    let results = fs::read_to_string(results).unwrap_or_else(|_| panic!("{said}"));
    assert_eq!(results, format!("{STEPS}{}", if splits { SPLIT } else { "" }), "{said}");
    assert!(run.status.success(), "{said}");
    assert_eq!(files(&tree), files_by_commands(splits));
}

fn neovim(variable: &str, configuration: &str) {
    let script = concat!("luafile ", env!("CARGO_MANIFEST_DIR"), "/tests/lsp/neovim.lua");
    // The script ends the program. After an error in it, the program ends with another code.
    session(
        variable,
        "nvim",
        &["--headless", "-u", "NONE", "-i", "NONE", "-c", script, "-c", "cquit"],
        configuration,
        true,
    );
}

#[test]
#[ignore = "needs Neovim 0.11"]
fn neovim_11() {
    neovim("NVIM", &configuration("Neovim 0.11:"));
}

/// It counts in UTF-16, and diagnostics are sent to it.
#[test]
#[ignore = "needs Neovim 0.7"]
fn neovim_07() {
    neovim("NVIM07", &configuration("Older versions, from 0.7:"));
}

#[test]
#[ignore = "needs Emacs with Eglot"]
fn emacs() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lsp/emacs.el");
    session("EMACS", "emacs", &["--batch", "-l", script], &configuration("## Emacs"), false);
}
