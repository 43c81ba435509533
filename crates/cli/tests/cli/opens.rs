//! Each command opens each file once, so that it is about one text, whoever writes the file meanwhile.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use crate::exit_codes::commands;
use crate::program::{Folder, program};

const FILES: [(&str, &str); 13] = [
    (".git/HEAD", "ref: refs/heads/main\n"),
    (
        "live/main.tf",
        "variable \"a\" {\n  default = 1\n}\nmodule \"m\" {\n  source = \"../m\"\n  x      = var.a\n}\n",
    ),
    ("live/out.tf.json", "{\"output\": {\"o\": {\"value\": \"${module.m.y}\"}}}\n"),
    ("live/terraform.tfvars", "a = 2\n"),
    (
        "live/tests/a.tftest.hcl",
        "run \"r\" {\n  assert {\n    condition     = output.o == 2\n    error_message = \"x\"\n  }\n}\n",
    ),
    ("live/main_override.tf", "variable \"a\" {\n  default = 3\n}\n"),
    ("m/main.tf", "variable \"x\" {\n}\noutput \"y\" {\n  value = var.x\n}\n"),
    ("other/main.tf", "module \"m\" {\n  source = \"../m\"\n  x      = 1\n}\n"),
    ("bake/docker-bake.hcl", "target \"default\" {\n  tags = [\"a\"]\n}\n"),
    ("plain.hcl", "a = 1\n"),
    (
        "unit/terragrunt.hcl",
        "include \"root\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\nterraform {\n  source = \"../m\"\n}\n",
    ),
    ("root.hcl", "generate \"p\" {\n  path     = \"p.tf\"\n  contents = \"variable \\\"p\\\" {}\"\n}\n"),
    ("s.hcldec", "attr {\n  name = \"a\"\n  type = number\n}\n"),
];

/// Runs of each command, in the directory of the repository.
fn runs(command: &str) -> &'static [&'static [&'static str]] {
    match command {
        "check" => &[
            &["."],
            &["live"],
            &["m"],
            &["live/main.tf"],
            &["bake"],
            &["unit"],
            &["plain.hcl", "--spec", "s.hcldec"],
            &["--fix", "live"],
            &["--explain-version", "live"],
            &["--no-callers", "live"],
        ],
        "fmt" => &[&["--check", "."], &["live/main.tf"], &["--check", "--report", "json", "."]],
        "refs" => {
            &[&["var.a", "live"], &["var.x", "m"], &["module.m.y", "live"], &["var.x", "--recursive", "."]]
        }
        "rename" => &[
            &["var.a", "b", "live"],
            &["-w", "var.x", "z", "m"],
            &["module.m.y", "w", "live"],
            &["output.y", "w", "m", "--callers", "."],
        ],
        "eval" => &[
            &["live"],
            &["live", "output.o", "--explain"],
            &["-f", "plain.hcl"],
            &["bake"],
            &["unit"],
            &["live", "--inputs-template"],
            &["live", "--inputs-check"],
        ],
        "console" => &[&["live"]],
        "docs" => &[&["live"], &["--check", "live"], &["bake"]],
        "graph" => &[&["live"], &["unit"]],
        "diff" => &[&["live", "other"], &["m", "live", "--explain"], &["live", "live"]],
        "query" => &[&["variable.a", "live"], &["a", "plain.hcl"]],
        "edit" => &[&["a=2", "plain.hcl"], &["variable.a.default=2", "live", "--skip"]],
        "convert" => &[&["plain.hcl"], &["live/out.tf.json"]],
        "split" => &[&["live"], &["-w", "live"]],
        "decode" => &[&["-s", "s.hcldec", "plain.hcl"]],
        "schema" => &[&["-s", "s.hcldec"], &["live"]],
        "dump" => &[&["tree", "plain.hcl"]],
        "merge" => &[&["plain.hcl", "live/main.tf", "m/main.tf", "--result", "-"]],
        // Trees need not fit in memory, and modules of several callers are evaluated for each: a file is opened for its rows, and
        // for each evaluation that needs it.
        // Rules see files, and the modules that these belong to.
        "tables" | "test" => &[],
        // These read no such files, or as long as they run.
        "explain" | "completions" | "man" | "help" | "lsp" | "mcp" => &[],
        _ => panic!("{command}: which files does it read?"),
    }
}

#[test]
fn each_command_opens_each_file_once() {
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("strace is not installed: the opens of files are not counted.");
        return;
    }
    for command in commands(&Folder::with(&[])) {
        for arguments in runs(&command) {
            let folder = Folder::with(&FILES);
            let log = folder.path("log");
            let output = Command::new("strace")
                .args(["-f", "-qq", "-y", "-e", "trace=open,openat,openat2", "-e", "signal=none", "-o"])
                .arg(&log)
                .arg(program())
                .arg(&command)
                .args(*arguments)
                .current_dir(folder.path(""))
                .stdin(std::process::Stdio::null())
                .output()
                .unwrap();
            let line = format!("hcl {command} {}", arguments.join(" "));
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 1)), "{line}: {}", String::from_utf8_lossy(&output.stderr));
            let mut opened: BTreeMap<String, usize> = BTreeMap::new();
            let text = fs::read_to_string(log).unwrap();
            // A file that is written is opened under another name first. The result is `= 3</path>`.
            for call in
                text.lines().filter(|call| !call.contains("O_WRONLY") && !call.contains("O_DIRECTORY"))
            {
                let path = call.rsplit_once('<').and_then(|(_, path)| path.strip_suffix('>'));
                let Some(path) = path.filter(|_| call.contains(" = ")) else { continue };
                if let Some(name) =
                    FILES.iter().map(|(name, _)| *name).find(|name| path.ends_with(&format!("/{name}")))
                {
                    *opened.entry(name.to_owned()).or_default() += 1;
                }
            }
            opened.remove(".git/HEAD");
            assert!(!opened.is_empty(), "{line}: no file is opened:\n{text}");
            // Before a file is replaced, it is compared with what was read.
            let most = if arguments.contains(&"-w") { 2 } else { 1 };
            let twice: Vec<_> = opened.into_iter().filter(|(_, count)| *count > most).collect();
            assert!(twice.is_empty(), "{line} opens {twice:?}");
        }
    }
}
