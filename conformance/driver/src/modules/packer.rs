//! `cargo xtask conformance --packer`: asks Packer about the templates in `tests/packer` and calls of functions, and compares its
//! values with those that are recorded; with `--random`, about other templates, and compares them with those of `hcl eval`. The
//! environment variable `PACKER` names the program, if it is not `packer`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

use anyhow::{Context, Result, anyhow};
use hclkit_test_cases::{Case, File};
use serde_json::{Value, json};

use super::{OPTIONS, flags, prepare, random, record, rng, write_files};
use crate::programs::{root, target};

/// The title of the section with Packer's answer: a line for each value, as JSON, or the first error.
const ANSWER: &str = "packer";
/// Packer only checks templates with a build.
const BUILD: &str =
    "source \"null\" \"build\" {\n  communicator = \"none\"\n}\nbuild {\n  sources = [\"null.build\"]\n}\n";

/// The seed of the random templates that are recorded, and their number.
const SEED: u64 = 1;
const RECORDED: usize = 100;

/// Asks about all recorded templates again, or about random ones.
pub(crate) fn run(seed: Option<u64>, count: Option<usize>, bless: bool) -> Result<ExitCode> {
    match count {
        Some(count) => compare_random(seed, count),
        None => recorded(bless),
    }
}

fn recorded(bless: bool) -> Result<ExitCode> {
    let directory = root().join("tests/packer");
    if bless {
        let cases: Vec<String> = (0..RECORDED).map(|n| random::template(&mut rng(SEED, n), n)).collect();
        let remark = "Random templates, written by `cargo xtask conformance --packer --bless`.";
        fs::write(directory.join("random.packer"), format!("{remark}\n\n{}", cases.join("\n")))?;
    }
    let files = hclkit_test_cases::read(&directory, "packer", &[]).map_err(|error| anyhow!(error))?;
    let (mut asked, mut different) = (0, 0);
    for file in files {
        let mut answered = file.clone();
        for case in answered.cases.iter_mut().filter(|case| case.section("expected").is_none()) {
            let answer = ask(case, &write(case)?)?;
            asked += 1;
            if case.section(ANSWER) != Some(answer.as_str()) {
                different += 1;
                record(case, &file.path, ANSWER, answer, bless);
            }
        }
        if bless {
            fs::write(&file.path, answered.text())?;
        }
    }
    println!("{asked} templates, {different} with another answer than the recorded one");
    let different = different + calls(bless)?;
    Ok(if bless || different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Asks about the calls of functions whose answers are recorded. Returns the number of answers that are different.
fn calls(bless: bool) -> Result<usize> {
    let path = root().join("crates/functions/tests/functions/packer/recorded.jsonl");
    let recorded = fs::read_to_string(&path)?;
    let (mut lines, mut different) = (String::new(), 0);
    let case = Case { name: String::new(), options: Vec::new(), sections: Vec::new() };
    for line in recorded.lines() {
        let call: Value = serde_json::from_str(line)?;
        let call = call["expr"].as_str().context("a call")?;
        let mut command = packer();
        command.args(["console", "-config-type=hcl2"]);
        // An error ends the console.
        let input = format!("try(jsonencode({call}), \"ERROR\")\n");
        let output = run_in(&mut command, &case, &target(), &input)?;
        let answer = match std::str::from_utf8(&output.stdout)?.trim() {
            "ERROR" => json!({ "expr": call, "error": true }),
            "<unknown>" => json!({ "expr": call, "unknown": true }),
            value => json!({ "expr": call, "json": value }),
        };
        if serde_json::from_str::<Value>(line)? != answer {
            different += 1;
            println!("{answer}");
        }
        let _ = writeln!(lines, "{answer}");
    }
    if bless {
        fs::write(&path, lines)?;
    }
    println!("{} calls, {different} with another answer than the recorded one", recorded.lines().count());
    Ok(different)
}

fn packer() -> Command {
    Command::new(std::env::var("PACKER").unwrap_or_else(|_| "packer".to_owned()))
}

fn compare_random(seed: Option<u64>, count: usize) -> Result<ExitCode> {
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("seed {seed}");
    let hcl = crate::programs::own(false)?.join("hcl");
    let (mut errors, mut different) = (0, 0);
    for n in 0..count {
        let text = random::template(&mut rng(seed, n), n);
        let file = File::parse("random", &text).map_err(|error| anyhow!(error))?;
        let case = &file.cases[0];
        let directory = write(case)?;
        let (theirs, ours) = (ask(case, &directory)?, ask_hcl(case, &hcl, &directory)?);
        errors += usize::from(theirs.starts_with("error"));
        if !agree(&theirs, &ours) {
            different += 1;
            println!("{text}--- packer\n{theirs}--- hcl\n{ours}");
        }
    }
    println!("{count} templates, {errors} with errors, {different} with different answers");
    Ok(if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Both have errors, or both have the same values.
fn agree(theirs: &str, ours: &str) -> bool {
    if theirs.starts_with("error") || ours.starts_with("error") {
        return theirs.starts_with("error") && ours.starts_with("error");
    }
    let values = |text: &str| -> Vec<(String, Option<Value>)> {
        let line = |line: &str| {
            let (name, value) = line.split_once(" = ")?;
            Some((name.to_owned(), serde_json::from_str(value).ok()))
        };
        text.lines().filter_map(line).collect()
    };
    values(theirs) == values(ours)
}

/// Packer's answer.
fn ask(case: &Case, directory: &Path) -> Result<String> {
    let flags = flags(case);
    let ask = |name: &str, input: &str| {
        let mut command = packer();
        command.arg(name).args(&flags).arg(".");
        run_in(&mut command, case, directory, input)
    };
    let output = ask("validate", "")?;
    if !output.status.success() {
        return Ok(super::error(&output));
    }
    let inspected = ask("inspect", "")?;
    let names: Vec<&str> = std::str::from_utf8(&inspected.stdout)?
        .lines()
        .filter(|line| line.starts_with("var.") || line.starts_with("local."))
        .filter_map(|line| Some(line.split_once(':')?.0))
        .collect();
    let mut text = String::new();
    for name in names {
        let output = ask("console", &format!("jsonencode({name})\n"))?;
        let value = String::from_utf8(output.stdout)?;
        let _ = writeln!(text, "{name} = {}", value.trim());
    }
    Ok(text)
}

/// The answer of `hcl eval`, in the same form.
fn ask_hcl(case: &Case, hcl: &Path, directory: &Path) -> Result<String> {
    let mut command = Command::new(hcl);
    command.args(["eval", ".", "var.*", "local.*", "--show-sensitive", "--output", "ndjson"]);
    command.args(flags(case).iter().map(|flag| format!("-{flag}")));
    let output = run_in(&mut command, case, directory, "")?;
    if !output.status.success() {
        return Ok(format!("error\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let mut lines = Vec::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let found: Value = serde_json::from_str(line)?;
        let address = found["address"].as_str().context("an address")?.to_owned();
        lines.push(format!("{address} = {}\n", found["value"]));
    }
    // Packer lists variables first, both in alphabetical order.
    lines.sort_by_key(|line| (line.starts_with("local."), line.clone()));
    Ok(lines.concat())
}

fn run_in(command: &mut Command, case: &Case, directory: &Path, input: &str) -> Result<Output> {
    prepare(command.env("PACKER_CONFIG_DIR", target()), case, directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
    std::io::Write::write_all(&mut child.stdin.take().context("a pipe")?, input.as_bytes())?;
    Ok(child.wait_with_output()?)
}

/// Writes the files of a template to a directory.
fn write(case: &Case) -> Result<std::path::PathBuf> {
    let directory = write_files(case, "packer-templates", &[ANSWER, OPTIONS])?;
    fs::write(directory.join("zz_build.pkr.hcl"), BUILD)?;
    Ok(directory)
}
