//! The console sessions of the README, the guide, the manuals and `sessions/`. The text after a command must be its output. The commands of
//! a page run in one directory, with the files of the page: a block of code with a file name after its language.
//!
//! `SNAPSHOTS=overwrite` accepts changed output.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{Folder, program};

/// Runs a command as a shell does, and returns what a terminal would show.
fn output(command: &str, directory: &Folder) -> String {
    let mut path = OsString::from(program().parent().unwrap());
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let run = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(directory.path(""))
        .env("PATH", path)
        .env("XDG_STATE_HOME", directory.path("state"))
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    String::from_utf8(run.stdout).unwrap()
}

/// Runs a session, and returns it with the actual output.
fn session(block: &[&str], directory: &Folder) -> String {
    let mut lines = block.iter().peekable();
    let mut actual = String::new();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("$ ") else { continue };
        let mut command = first.to_owned();
        actual.push_str(line);
        actual.push('\n');
        let end = first.split_once("<<'").map(|(_, rest)| rest.split('\'').next().unwrap());
        // A command continues after a backslash, and a heredoc to its end.
        while let Some(end) = end.or(command.ends_with('\\').then_some("")) {
            let more = lines.next().unwrap_or_else(|| panic!("{first} is not complete"));
            command = format!("{command}\n{more}");
            actual.push_str(more);
            actual.push('\n');
            if end == *more || end.is_empty() && !more.ends_with('\\') {
                break;
            }
        }
        actual.push_str(&output(&command, directory));
        if !actual.ends_with('\n') {
            actual.push('\n');
        }
    }
    actual
}

/// The page with the actual output of its commands.
fn run(page: &str) -> String {
    let directory = Folder::with(&[]);
    let (mut actual, mut lines) = (String::new(), page.lines());
    while let Some(line) = lines.next() {
        actual.push_str(line);
        actual.push('\n');
        let marks = line.chars().take_while(|char| *char == '`').count();
        if marks < 3 {
            continue;
        }
        let fence = &line[..marks];
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
        let text: String = block.iter().flat_map(|line| [line, "\n"]).collect();
        let mut words = line[marks..].split(' ');
        match (words.next(), words.next()) {
            (Some("console"), None) => actual.push_str(&session(&block, &directory)),
            (_, Some(file)) if file.contains('.') => {
                directory.write(file, &text);
                actual.push_str(&text);
            }
            _ => actual.push_str(&text),
        }
        actual.push_str(fence);
        actual.push('\n');
    }
    actual
}

#[test]
fn sessions_are_correct() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pages = |directory: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|name| name == "md")).collect()
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/sessions");
    let compare =
        snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV).normalize_paths(false);
    let mut sessions = 0;
    let readme = vec![docs.join("../README.md")];
    for path in [readme, pages(&docs), pages(&docs.join("book/src")), pages(&own)].concat() {
        let page = fs::read_to_string(&path).unwrap();
        // The session of this page runs cargo: `tests/book/tests/book/start.rs`.
        if page.contains("```console\n") && !path.ends_with("start.md") {
            sessions += page.matches("```console\n").count();
            let expected = snapbox::Data::read_from(&path, Some(snapbox::data::DataFormat::Text)).raw();
            compare.eq(snapbox::Data::text(run(&page)).raw(), expected);
        }
    }
    assert!(sessions > 0, "no session was found");
}
