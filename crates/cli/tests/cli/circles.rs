//! Modules whose names refer to themselves and each other: every command ends soon under small limits.

use std::sync::mpsc;
use std::time::Duration;

use hclkit_test_cases::circles::{SHAPES, Shape};

use crate::exit_codes::commands;
use crate::program::Folder;

/// Runs of each command. `FILE` is the main file of the module. Empty lists are for commands that read no modules.
fn runs(command: &str) -> &'static [&'static [&'static str]] {
    match command {
        "check" => &[&["."], &["--report", "json", "."], &["--fix", "."]],
        "fmt" => &[&["--check", "."], &["--diff", "FILE"]],
        "edit" => &[&["locals.a=1", "FILE", "--skip"], &["--delete", "..o", "FILE", "--skip"]],
        "query" => &[&["..a", "."], &["--expr", "locals.a", "."]],
        "rename" => &[&["local.a", "local.renamed", "."], &["var.x", "y", "m", "--callers", "."]],
        "refs" => &[&["local.a", "."], &["var.v0", "."], &["aws_x.r", "--recursive", "."]],
        "convert" => &[&["FILE"]],
        "eval" => &[
            &["."],
            &[".", "--output", "json"],
            &[".", "output.o", "--explain"],
            &[".", "*.*", "--explain"],
            &[".", "*.*", "--explain", "--output", "json"],
            &[".", "module.*", "--explain"],
            &[".", "--unknown"],
            &[".", "output.o", "--unknown", "--output", "json"],
            &[".", "--partial"],
            &[".", "local.a.b.b.b.b"],
            &[".", "..b"],
            &[".", "length(local.a)"],
            &["-f", "FILE"],
            &["-f", "FILE", "--explain", "--attr", "locals"],
        ],
        "console" => &[&["--no-history", "."]],
        "docs" => &[&["."], &["--output", "json", "."]],
        "graph" => &[&["."], &["--output", "json", "."], &["--output", "svg", "."]],
        "tables" => {
            &[&["--table", "values", "."], &["--table", "diagnostics", "."], &["--table", "references", "."]]
        }
        "split" => &[&["."]],
        "test" => &[&["--rules", "builtin:all", "."], &["--rules", "builtin:terraform", "--fix", "."]],
        "diff" => &[&[".", "m"], &["m", ".", "--explain"], &[".", ".", "--output", "json"]],
        "decode" => &[&["-s", "s.hcldec", "FILE"]],
        "dump" => &[&["tree", "FILE"]],
        "merge" => &[&["FILE", "FILE", "FILE", "--result", "-"]],
        // They read no modules, or as the server does.
        "schema" => &[&["."]],
        "explain" | "completions" | "lsp" | "mcp" | "man" | "help" => &[],
        other => panic!("list runs of `hcl {other}` on a module"),
    }
}

/// The work ends after a moment, also on a busy machine.
const LONG: Duration = Duration::from_secs(120);

const SESSION: &str = "local.a\n:explain local.a\n:explain local.b\noutput.o\n:type local.a\nlocal.a.b.b\nlocal.a0\n:explain local.a0\n:explain aws_x.r\n";

fn folder(shape: Shape, size: usize, json: bool) -> Folder {
    let folder = Folder::with(&[("s.hcldec", "object {\n  attr \"a\" {\n    type = any\n  }\n}\n")]);
    for (name, text) in shape.files(size, json) {
        folder.write(&name, text);
    }
    folder
}

/// Runs all commands on each shape of a size, and returns what is wrong.
fn check(size: usize, json: bool) -> Vec<String> {
    let mut failed = Vec::new();
    let all = commands(&Folder::with(&[]));
    assert!(all.len() >= 17, "{all:?}");
    for shape in SHAPES {
        for command in &all {
            for run in runs(command) {
                let folder = folder(shape, size, json);
                let file = if json { "main.tf.json" } else { "main.tf" };
                let run = run.iter().map(|word| if *word == "FILE" { file } else { word });
                let words: Vec<&str> = [command.as_str()].into_iter().chain(run).collect();
                let limits = ["--timeout", "1", "--max-steps", "1000"];
                let started = folder.command(&words).args(limits).stdin(SESSION);
                let (done, ended) = mpsc::channel();
                std::thread::spawn(move || _ = done.send(started.output()));
                let named = format!("{words:?} on {}", shape.name);
                let Ok(output) = ended.recv_timeout(LONG) else {
                    failed.push(format!("{named} does not end"));
                    continue;
                };
                let output = output.unwrap();
                let messages = String::from_utf8_lossy(&output.stderr);
                crate::program::assert_usage(&words, &output.stderr);
                let is_fine = matches!(output.status.code(), Some(0..=2)) || command == "fmt";
                if !is_fine || messages.contains("internal error") {
                    failed.push(format!("{named}: {:?} {messages:.300}", output.status));
                }
                // An explanation repeats no part of a long address without end.
                if output.stdout.len() > 16 << 20 {
                    failed.push(format!("{named} writes {} bytes", output.stdout.len()));
                }
            }
        }
    }
    failed
}

#[test]
fn every_command_ends_on_names_of_themselves() {
    let failed = check(80, false);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_command_ends_on_names_of_themselves_in_json() {
    let failed = check(80, true);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What a limit ends is said, and the exit code says so.
#[test]
fn an_explanation_that_a_limit_ends_says_so() {
    for json in [false, true] {
        let shape = SHAPES.iter().find(|shape| shape.name.starts_with("local values of attributes")).unwrap();
        let folder = folder(*shape, 400, json);
        for output in ["hcl", "json"] {
            let words = ["eval", ".", "output.o", "--explain", "--output", output];
            let whole = folder.hcl(&words).success();
            let cut = folder.command(&words).args(["--max-steps", "600"]).assert().code(2);
            let (whole, cut) = (whole.get_output(), cut.get_output());
            assert!(cut.stdout.len() < whole.stdout.len(), "{output}: {}", cut.stdout.len());
            let messages = String::from_utf8_lossy(&cut.stderr);
            assert!(messages.contains("exceeds the limit of 600 steps"), "{messages}");
        }
    }
}
