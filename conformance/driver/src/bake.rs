//! `cargo xtask conformance --bake`: asks Buildx's `bake` package (`conformance/bake`) for the results of the files in
//! `tests/bake` and of Buildx's own tests, and compares them with those of hclkit.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Result, ensure};
use hclkit_test_cases::Case;
use serde_json::{Map, Value, json};

use crate::case_oracle::{CaseOracle, ask};
use crate::programs::{cargo, root, target};

/// The title of the section with Buildx's answer.
const ANSWER: &str = "buildx";
/// The title of the section with options: `target NAME`, `set TEXT`, `env NAME=TEXT` and `var NAME=TEXT`.
const OPTIONS: &str = "options";

const ORACLE: CaseOracle = CaseOracle { name: "bake", answer: ANSWER, request, stable };

pub(crate) fn run(bless: bool) -> Result<ExitCode> {
    let outcome = ORACLE.run(bless)?;
    own_tests()?;
    Ok(outcome)
}

/// Asks about the files of Buildx's own tests, which are read where Go keeps them, and compares the answers with ours.
fn own_tests() -> Result<()> {
    let (oracle, directory) = (ORACLE.program(), ORACLE.directory());
    let listed = Command::new("go")
        .args(["list", "-m", "-f", "{{.Dir}}", "github.com/docker/buildx"])
        .current_dir(directory)
        .output()?;
    let buildx = Path::new(std::str::from_utf8(&listed.stdout)?.trim()).join("bake");
    let found = Command::new(&oracle).arg("tests").arg(&buildx).output()?;
    let requests: Vec<Value> =
        std::str::from_utf8(&found.stdout)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let answers = ask(&oracle, &requests)?;
    let pairs = requests.iter().zip(answers);
    let lines: Vec<String> =
        pairs.map(|(request, answer)| json!({ "request": request, "answer": answer }).to_string()).collect();
    let path = target().join("bake-answers.jsonl");
    fs::write(&path, lines.join("\n"))?;
    println!("{} requests from Buildx's tests", lines.len());
    let mut test = cargo(root());
    test.args(["test", "--quiet", "--package", "hclkit", "--test", "hclkit", "--", "--ignored", "--exact"]);
    let name = "bake::plans_of_other_files_are_those_of_buildx";
    let compared = test.args(["--nocapture", name]).env("BAKE_ANSWERS", &path).output()?;
    let output = String::from_utf8_lossy(&compared.stdout);
    ensure!(compared.status.success(), "{output}{}", String::from_utf8_lossy(&compared.stderr));
    ensure!(output.contains(&format!("compared {} plans", lines.len())), "{name} was not run: {output}");
    Ok(())
}

/// An answer without what is different in each run, or on each machine: the order of the targets of a matrix and of outputs,
/// and errors about agents and files that a build needs.
fn stable(mut answer: Value) -> Value {
    if let Some(answer) = answer.as_object_mut() {
        answer.remove("build");
    }
    for (kind, list) in [("group", "targets"), ("target", "output")] {
        let all = answer.get_mut("print").and_then(|plan| plan.get_mut(kind)).and_then(Value::as_object_mut);
        for (_, own) in all.into_iter().flatten() {
            if let Some(items) = own.get_mut(list).and_then(Value::as_array_mut) {
                items.sort_by_key(ToString::to_string);
            }
        }
    }
    answer
}

/// The request of a case: its sections are files, in order.
fn request(case: &Case) -> Value {
    let (mut files, mut targets, mut set) = (Vec::new(), Vec::new(), Vec::new());
    let (mut env, mut var) = (Map::new(), Map::new());
    for section in case.sections.iter().filter(|section| section.title != ANSWER) {
        if section.title != OPTIONS {
            files.push(json!({ "name": section.title, "text": section.text }));
            continue;
        }
        for line in section.text.lines() {
            let (kind, option) = line.split_once(' ').unwrap_or((line, ""));
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            match kind {
                "target" => targets.push(option),
                "set" => set.push(option),
                "env" => drop(env.insert(name.to_owned(), value.into())),
                _ => drop(var.insert(name.to_owned(), value.into())),
            }
        }
    }
    json!({ "files": files, "targets": targets, "set": set, "env": env, "var": var })
}
