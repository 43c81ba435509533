//! Follows the first chapter of the guide word by word, in a new crate outside of the workspace: `cargo test -p
//! hclkit-book -- --ignored`. It works offline, with the libraries of the workspace.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use hclkit_book::repository;

/// Runs a command of the chapter in a directory, and returns what a terminal would show.
fn run(command: &str, directory: &Path) -> String {
    let local = format!(
        "cargo add --path '{}' hclkit",
        repository("crates/hclkit").canonicalize().unwrap().display()
    );
    let run = Command::new("sh")
        .args(["-ec", &format!("exec 2>&1\n{}", command.replace("cargo add hclkit", &local))])
        .current_dir(directory)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", repository("target/start"))
        .output()
        .unwrap();
    let output = String::from_utf8(run.stdout).unwrap();
    if command.starts_with("cargo new") {
        assert!(run.status.success(), "{output}");
    }
    output
}

#[test]
#[ignore = "builds the library again: .ci/run and a line of CONTRIBUTING.md"]
fn the_first_chapter_works_word_by_word() {
    let path = repository("docs/book/src/start.md");
    let page = fs::read_to_string(&path).unwrap();
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("shop");
    let (mut actual, mut lines) = (String::new(), page.lines());
    while let Some(line) = lines.next() {
        actual.extend([line, "\n"]);
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: String =
            lines.by_ref().take_while(|line| *line != "```").flat_map(|line| [line, "\n"]).collect();
        match info.split(' ').collect::<Vec<_>>()[..] {
            ["console"] => {
                for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
                    actual.extend(["$ ", command, "\n", &run(command, &directory)]);
                }
            }
            ["sh"] => {
                run(&block, parent.path());
                // The versions that are available, because the test is offline.
                fs::copy(repository("Cargo.lock"), directory.join("Cargo.lock")).unwrap();
                actual.push_str(&block);
            }
            ["rust,no_run"] => {
                fs::write(directory.join("src/main.rs"), &block).unwrap();
                actual.push_str(&block);
            }
            // Replaces a line of the program.
            ["rust"] => {
                let program = fs::read_to_string(directory.join("src/main.rs")).unwrap();
                let changed =
                    block.lines().filter(|line| !line.starts_with("# ")).collect::<Vec<_>>().join("\n");
                let line = "let context = Context::new();\n";
                assert!(program.contains(line), "{program}");
                fs::write(directory.join("src/main.rs"), program.replace(line, &changed)).unwrap();
                actual.push_str(&block);
            }
            [_, file] => {
                fs::write(directory.join(file), &block).unwrap();
                actual.push_str(&block);
            }
            _ => actual.push_str(&block),
        }
        actual.push_str("```\n");
    }
    if env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite") {
        fs::write(path, &actual).unwrap();
    }
    assert_eq!(page, actual);
}
