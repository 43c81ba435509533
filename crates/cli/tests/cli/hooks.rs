//! What runs `hcl` with names of files that a repository chooses: the hooks of pre-commit, the GitHub Action, and treefmt. No name is
//! an option.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::program::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A file of the repository in YAML.
fn yaml(name: &str) -> Value {
    let folder = Folder::with(&[("a.yaml", &fs::read_to_string(root().join(name)).unwrap())]);
    let run = folder.hcl(&["eval", "--output", "json", "--allow-fs", ".", "yamldecode(file(\"a.yaml\"))"]);
    serde_json::from_slice(&run.success().get_output().stdout).unwrap()
}

/// The options of a command and of all commands, as their help lists them, with their hyphens.
fn options(command: &str) -> BTreeSet<String> {
    let folder = Folder::with(&[]);
    let help =
        |words: &[&str]| String::from_utf8(folder.hcl(words).success().get_output().stdout.clone()).unwrap();
    let help = help(&[command, "--help"]) + &help(&["--help"]);
    let lines = help.lines().filter(|line| line.trim_start().starts_with('-'));
    let words = lines.flat_map(|line| line.split([' ', ',', '[', '=']));
    let found = words.filter(|word| word.starts_with('-') && !word.trim_start_matches('-').is_empty());
    found.map(str::to_owned).collect()
}

/// Names of files that look like the options of a command.
fn names(command: &str) -> Vec<String> {
    let options = options(command);
    assert!(options.contains("--max-size") && options.contains("--write"), "{options:?}");
    let of_option = |option: &String| {
        [
            format!("{option}=known.hcl"),
            format!("{option}=true.tf"),
            format!("{option}.hcl"),
            format!("{}.tf", &option[1..]),
        ]
    };
    let others = ["--.hcl", "-.hcl", "-w.hcl", "--=x.hcl", "---.tf"].map(str::to_owned);
    options.iter().flat_map(of_option).chain(others).collect()
}

const WRONG: &str = "a = b.c.\n";
const UNFORMATTED: &str = "a=1\n";

/// Runs the program as a command line does, and checks that each of the files is a file to it. Nothing else is written.
fn each_is_a_file(
    command: &str,
    words: &[&str],
    names: &[String],
    run: impl Fn(&Folder, &[String]) -> (Option<i32>, String),
) {
    let text = if command == "check" { WRONG } else { UNFORMATTED };
    let is_writing = command == "fmt" && !words.contains(&"--check");
    // One at a time, and all together.
    let all = std::iter::once(names).chain(names.iter().map(std::slice::from_ref));
    for chosen in all {
        let files: Vec<(&str, &str)> = chosen.iter().map(|name| (name.as_str(), text)).collect();
        let folder = Folder::with(&files);
        let (code, said) = run(&folder, chosen);
        assert_eq!(code, Some(i32::from(!is_writing)), "{words:?} {chosen:?}: {said}");
        let entries = fs::read_dir(folder.root()).unwrap();
        let after: BTreeSet<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        assert_eq!(after, chosen.iter().cloned().collect(), "{words:?}");
        for name in chosen {
            assert!(said.contains(name.as_str()), "{words:?} {name}: {said}");
            let text = if is_writing { "a = 1\n" } else { text };
            assert_eq!(fs::read_to_string(folder.root().join(name)).unwrap(), text, "{words:?} {name}");
        }
    }
}

#[test]
fn no_tracked_file_is_an_option_of_a_hook() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hooks = hooks.as_array().unwrap();
    assert!(hooks.len() >= 2, "{hooks:?}");
    for hook in hooks {
        // pre-commit runs the words of the entry, then `args`, then the files.
        let entry = hook["entry"].as_str().unwrap();
        let args = hook["args"].as_array().into_iter().flatten().map(|word| word.as_str().unwrap());
        let words: Vec<&str> = entry.split_whitespace().chain(args).collect();
        assert_eq!((words[0], words.last()), ("hcl", Some(&"--")), "{entry}");
        let command = words[1];
        let all = names(command);
        let pattern = hook["files"].as_str().unwrap();
        assert!(pattern.starts_with(r"\.(hcl|tf|"), "the names are those that the hook gets: {pattern}");
        let caches = Folder::with(&[]);
        each_is_a_file(command, &words, &all, |folder, chosen| {
            let run = folder.command(&words[1..]).args(chosen);
            // Without the option, no process is needed.
            let run = if words.contains(&"--cache") { run.env("XDG_CACHE_HOME", caches.root()) } else { run };
            let run = run.output().unwrap();
            let said =
                String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
            (run.status.code(), said)
        });
    }
}

/// The steps of the Action are run by a shell, which splits the lists of inputs.
#[test]
fn no_path_is_an_option_of_the_action() {
    let action = yaml("action.yml");
    let steps = action["runs"]["steps"].as_array().unwrap();
    let mut found = 0;
    let caches = Folder::with(&[]);
    for step in steps.iter().filter(|step| step["env"]["PATHS"].is_string()) {
        let line = step["run"].as_str().unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[0], "hcl", "{line}");
        let names: Vec<String> = names(words[1]).into_iter().take(40).collect();
        each_is_a_file(words[1], &words, &names, |folder, chosen| {
            let mut shell = Command::new("bash");
            let programs = Path::new(env!("CARGO_BIN_EXE_hcl")).parent().unwrap();
            let path = std::env::var_os("PATH").unwrap_or_default();
            let path = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path));
            let path = std::env::join_paths(path).unwrap();
            shell.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", line]).current_dir(folder.root());
            shell.env("PATH", path).env("PATHS", chosen.join(" ")).env("ARGS", "");
            shell.env("CACHE", "--cache auto").env("XDG_CACHE_HOME", caches.root());
            let run = shell.output().unwrap();
            let said =
                String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
            (run.status.code(), said.replace("%3D", "="))
        });
        found += 1;
    }
    assert_eq!(found, 2);
}

#[test]
fn documented_tools_pass_files_after_two_hyphens() {
    let text = fs::read_to_string(root().join("docs/formatting.md")).unwrap();
    let (_, treefmt) = text.split_once("[formatter.hcl]\n").unwrap();
    assert!(treefmt.contains("\noptions = [\"fmt\", \"--\"]\n"), "{treefmt}");
    // Entries of hooks in the manuals.
    let mut found = 0;
    for name in ["docs/formatting.md", "docs/book/src/ci.md"] {
        let text = fs::read_to_string(root().join(name)).unwrap();
        for (_, rest) in text.match_indices("entry: hcl ").map(|(at, _)| text.split_at(at)) {
            let entry = rest.lines().next().unwrap().split('`').next().unwrap();
            assert!(entry.ends_with(" --"), "{name}: {entry}");
            found += 1;
        }
    }
    assert_eq!(found, 2);
}

/// The hook and the Action cache verdicts outside of the tree. With options that exclude the cache, reports stay the same.
#[test]
fn the_hook_and_the_action_keep_verdicts() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let entries = hooks.as_array().unwrap().iter().map(|hook| hook["entry"].as_str().unwrap());
    let checks: Vec<&str> = entries.filter(|entry| entry.starts_with("hcl check ")).collect();
    assert!(!checks.is_empty() && checks.iter().all(|entry| entry.contains(" --cache auto ")), "{checks:?}");

    let action = yaml("action.yml");
    assert_eq!(action["inputs"]["cache"]["default"], "true");
    let steps = action["runs"]["steps"].as_array().unwrap();
    let place = |step: &dyn Fn(&Value) -> bool| steps.iter().position(step).unwrap();
    let kept = place(&|step| step["uses"].as_str().is_some_and(|name| name.starts_with("actions/cache@")));
    let check = place(&|step| step["run"].as_str().is_some_and(|line| line.contains("hcl check")));
    // What is kept is what the check uses, and is there before it. Only its version reads it.
    assert!(kept < check);
    assert_eq!(steps[kept]["with"]["path"], steps[check]["env"]["XDG_CACHE_HOME"]);
    let [key, prefix] = ["key", "restore-keys"].map(|name| steps[kept]["with"][name].as_str().unwrap());
    assert!(key.starts_with(prefix) && prefix.contains("inputs.version"), "{key}");
}
