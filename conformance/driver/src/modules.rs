//! `cargo xtask conformance --modules`: asks Terraform for the results of the modules in `tests/modules`, and of random ones,
//! and compares them with those that are recorded, or with those of `hcl eval`, `hcl console` and `hcl check`. With the
//! environment variable `TOFU`, random modules are also asked of OpenTofu, whose program it names.

mod console;
mod corpus;
pub(crate) mod packer;
pub(crate) mod random;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Output};

use anyhow::{Context, Result, anyhow};
use fastrand::Rng;
use hclkit_test_cases::{Case, File, Section};
use serde_json::Value;

use crate::programs::{root, target};

/// The title of the section with Terraform's answer.
const ANSWER: &str = "terraform";
/// The title of the section with entries of `terraform console`, each with its answer in the next line.
const CONSOLE: &str = "console";
/// The title of the section with OpenTofu's answer: `same` if it is that of Terraform, also in the console.
const TOFU: &str = "opentofu";
/// The title of the section with entries of `tofu console`, if they have other answers.
const TOFU_CONSOLE: &str = "opentofu console";
/// The title of the section with options: `var NAME=TEXT`, `var-file FILE` and `env NAME=TEXT`.
const OPTIONS: &str = "options";

/// Asks about all recorded modules again, about random ones, or about those of the corpus.
pub(crate) fn run(seed: Option<u64>, count: Option<usize>, corpus: bool, bless: bool) -> Result<ExitCode> {
    match count {
        _ if corpus => corpus::run(bless),
        Some(count) => compare_random(seed, count),
        None => recorded(bless),
    }
}

/// The seed of the random modules that are recorded, and their number.
const SEED: u64 = 1;
const RECORDED: usize = 200;

fn recorded(bless: bool) -> Result<ExitCode> {
    let directory = root().join("tests/modules");
    if bless {
        let cases: Vec<String> = (0..RECORDED).map(|n| random::module(&mut rng(SEED, n), n)).collect();
        let remark = "Random modules, written by `cargo xtask conformance --modules --bless`.";
        fs::write(directory.join("random.modules"), format!("{remark}\n\n{}", cases.join("\n")))?;
    }
    let files = hclkit_test_cases::read(&directory, "modules", &[]).map_err(|error| anyhow!(error))?;
    let hcl = crate::programs::own(false)?.join("hcl");
    let (mut asked, mut different) = (0, 0);
    for file in files {
        let mut answered = file.clone();
        for (n, case) in answered.cases.iter_mut().enumerate() {
            let mut answers = Vec::new();
            for peer in &Peer::all() {
                let (answer, entries) = ask_all(case, peer, &hcl, n)?;
                if peer.language == "terraform" {
                    answers.push((ANSWER, answer));
                    answers.extend(entries.map(|entries| (CONSOLE, entries)));
                } else {
                    let own = |title| answers.iter().find(|(own, _)| *own == title).map(|(_, text)| text);
                    let same = same_verdict(own(ANSWER), &answer) && own(CONSOLE) == entries.as_ref();
                    answers.push((TOFU, if same { "same\n".to_owned() } else { answer }));
                    answers.extend(entries.filter(|_| !same).map(|entries| (TOFU_CONSOLE, entries)));
                }
            }
            asked += 1;
            let before = different;
            for (title, answer) in answers {
                if case.section(title).map(str::trim_end) != Some(answer.trim_end()) {
                    different = before + 1;
                    record(case, &file.path, title, answer, bless);
                }
            }
        }
        if bless {
            fs::write(&file.path, answered.text())?;
        }
    }
    println!("{asked} modules, {different} with another answer than the recorded one");
    Ok(if bless || different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a program says about a module, and in its console if the module has no errors.
fn ask_all(case: &Case, peer: &Peer, hcl: &Path, n: usize) -> Result<(String, Option<String>)> {
    let directory = write(case)?;
    let answer = ask_in(case, peer, &directory)?;
    if answer.starts_with("error") {
        return Ok((answer, None));
    }
    let entries = console::record(case, peer, hcl, &directory, &mut rng(SEED, n))?;
    Ok((answer, Some(entries)))
}

/// Both have errors, whose texts may differ, or the same values.
fn same_verdict(theirs: Option<&String>, answer: &str) -> bool {
    theirs
        .is_some_and(|theirs| theirs == answer || theirs.starts_with("error") && answer.starts_with("error"))
}

/// Puts an answer that differs into its case, and prints it if the file is not written.
pub(crate) fn record(case: &mut Case, path: &Path, title: &str, answer: String, bless: bool) {
    if !bless {
        println!("{}: {}\n{answer}", path.display(), case.name);
    }
    let answer = Section::new(title, answer);
    match case.sections.iter_mut().find(|section| section.title == title) {
        Some(section) => *section = answer,
        None => case.sections.push(answer),
    }
}

pub(crate) fn rng(seed: u64, n: usize) -> Rng {
    Rng::with_seed(seed ^ (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// A program that evaluates modules, and the name of its language.
struct Peer {
    program: String,
    language: &'static str,
}

impl Peer {
    fn terraform() -> Self {
        let program = std::env::var("TERRAFORM").unwrap_or_else(|_| "terraform".to_owned());
        Self { program, language: "terraform" }
    }

    fn all() -> Vec<Self> {
        let tofu = std::env::var("TOFU").ok().map(|program| Self { program, language: "opentofu" });
        std::iter::once(Self::terraform()).chain(tofu).collect()
    }
}

/// Compares random modules with what `hcl eval` and `hcl console` say. What the peer accepts, `hcl check` accepts.
fn compare_random(seed: Option<u64>, count: usize) -> Result<ExitCode> {
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("seed {seed}");
    let hcl = crate::programs::own(false)?.join("hcl");
    let peers = Peer::all();
    let (mut different, mut entries) = (0, 0);
    for n in 0..count {
        let text = random::module(&mut rng(seed, n), n);
        let file = File::parse("random", &text).map_err(|error| anyhow!(error))?;
        let case = &file.cases[0];
        for peer in &peers {
            let directory = write(case)?;
            let theirs = ask_in(case, peer, &directory)?;
            let ours = ask_hcl(case, &hcl, peer, &directory)?;
            let mut wrong = String::new();
            if !agree(&theirs, &ours) {
                wrong = format!("--- {}\n{theirs}--- hcl\n{ours}", peer.language);
            } else if !theirs.starts_with("error") {
                let found = console::compare(case, peer, &hcl, &directory, &mut rng(!seed, n))?;
                entries += found.entries;
                wrong = found.differences;
                let mut check = Command::new(&hcl);
                let output = run_in(check.args(["check", "--no-ignore", "."]), case, &directory)?;
                if !output.status.success() {
                    wrong.push_str(&String::from_utf8_lossy(&output.stdout));
                }
            }
            if !wrong.is_empty() {
                different += 1;
                println!("{text}{wrong}");
            }
        }
    }
    let asked: Vec<&str> = peers.iter().map(|peer| peer.language).collect();
    let asked = asked.join(" and ");
    println!("{count} modules of {asked}, {entries} console answers, {different} with different answers");
    Ok(if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Both have errors, or both have the same values.
fn agree(theirs: &str, ours: &str) -> bool {
    let values = |text: &str| -> BTreeSet<String> {
        let line = |line: &str| {
            let (name, output) = line.split_once(" = ")?;
            let output: Value = serde_json::from_str(output).ok()?;
            // Terraform's state has no negative zero.
            Some(format!("{name} = {}\n", output["value"]).replace("-0.0", "0"))
        };
        text.lines().filter_map(line).collect()
    };
    theirs.starts_with("error") == ours.starts_with("error") && values(theirs) == values(ours)
}

/// The answer of `hcl eval`: values without their types.
fn ask_hcl(case: &Case, hcl: &Path, peer: &Peer, directory: &Path) -> Result<String> {
    let mut command = Command::new(hcl);
    command.args(["eval", ".", "--applied", "--show-sensitive", "--output", "ndjson"]);
    command.args(["--language", peer.language]);
    let output = run_in(&mut command, case, directory)?;
    if !output.status.success() {
        return Ok("error\n".to_owned());
    }
    let mut text = String::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let found: Value = serde_json::from_str(line)?;
        let name = found["address"].as_str().and_then(|address| address.strip_prefix("output."));
        if let Some(name) = name {
            let _ = writeln!(text, "{name} = {}", serde_json::json!({ "value": found["value"] }));
        }
    }
    Ok(text)
}

/// The result of a program for the module in a directory: each output with its type, value and sensitivity, or the first
/// error.
fn ask_in(case: &Case, peer: &Peer, directory: &Path) -> Result<String> {
    let terraform = |arguments: &[&str]| {
        let mut command = Command::new(&peer.program);
        command.args(arguments);
        run_in(&mut command, case, directory)
    };
    if case.sections.iter().any(|section| section.title.contains('/')) {
        let output = terraform(&["init", "-input=false", "-no-color", "-backend=false"])?;
        if !output.status.success() {
            return Ok(error(&output));
        }
    }
    let mut apply =
        vec!["apply", "-auto-approve", "-input=false", "-no-color", "-lock=false", "-refresh=false"];
    let flags = flags(case);
    apply.extend(flags.iter().map(String::as_str));
    let output = terraform(&apply)?;
    if !output.status.success() {
        return Ok(error(&output));
    }
    outputs(&terraform(&["output", "-json", "-no-color"])?.stdout)
}

/// The options of a case, each with its kind.
fn options(case: &Case) -> impl Iterator<Item = (&str, &str)> {
    case.section(OPTIONS).unwrap_or_default().lines().filter_map(|line| line.split_once(' '))
}

/// The options of a case on a command line.
fn flags(case: &Case) -> Vec<String> {
    let flags = options(case).filter(|(kind, _)| *kind != "env");
    flags.map(|(kind, option)| format!("-{kind}={option}")).collect()
}

/// Sets the directory of a command, and the environment that a case has.
fn prepare(command: &mut Command, case: &Case, directory: &Path) {
    command.current_dir(directory).env("CHECKPOINT_DISABLE", "1");
    for (_, option) in options(case).filter(|(kind, _)| *kind == "env") {
        if let Some((name, value)) = option.split_once('=') {
            command.env(name, value);
        }
    }
}

fn run_in(command: &mut Command, case: &Case, directory: &Path) -> Result<Output> {
    prepare(command.env("TF_CLI_CONFIG_FILE", "/dev/null"), case, directory);
    command.output().with_context(|| format!("cannot run {command:?}"))
}

/// Writes the files of a module to a directory.
fn write(case: &Case) -> Result<std::path::PathBuf> {
    write_files(case, "modules", &[ANSWER, CONSOLE, TOFU, TOFU_CONSOLE, OPTIONS])
}

/// Writes the sections of a case, except for these, to a directory of the build results.
fn write_files(case: &Case, name: &str, except: &[&str]) -> Result<std::path::PathBuf> {
    let directory = target().join(name);
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    let is_file = |section: &&Section| !except.contains(&section.title.as_str());
    for section in case.sections.iter().filter(is_file) {
        let path = directory.join(&section.title);
        fs::create_dir_all(path.parent().context("no directory")?)?;
        fs::write(path, &section.text)?;
    }
    Ok(directory)
}

/// The summary of the first error.
fn error(output: &Output) -> String {
    let text =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    // Since Terraform 1.12, the first one only says that others follow.
    let is_own = |error: &&str| !error.contains("encountered problems during initialisation");
    let mut errors = text.lines().filter_map(|line| Some(line.split_once("Error: ")?.1.trim()));
    let first = errors.find(is_own).unwrap_or("unknown").to_owned();
    // The order in a cycle is another one in each run.
    match first.strip_prefix("Cycle: ") {
        Some(names) => {
            let mut names: Vec<&str> = names.split(", ").collect();
            names.sort_unstable();
            format!("error: Cycle: {}\n", names.join(", "))
        }
        None => format!("error: {first}\n"),
    }
}

/// A line for each output.
fn outputs(json: &[u8]) -> Result<String> {
    let all: std::collections::BTreeMap<String, Value> = serde_json::from_slice(json)?;
    let mut text = String::new();
    for (name, value) in &all {
        let _ = writeln!(text, "{name} = {value}");
    }
    Ok(text)
}
