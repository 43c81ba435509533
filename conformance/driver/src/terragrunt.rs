//! `cargo xtask conformance --terragrunt`: asks Terragrunt for the configurations of the units in `tests/terragrunt`. The environment
//! variable `TERRAGRUNT` names the program, if it is not `terragrunt`.

use std::process::{Command, ExitCode};
use std::{env, fs};

use anyhow::{Context, Result, anyhow};
use hclkit_test_cases::{Case, Folder};
use serde_json::Value;

use crate::modules::record;
use crate::programs::root;

/// The title of the section with the answer.
const ANSWER: &str = "terragrunt";
/// The title of the section with options: `unit DIRECTORY`, `env NAME=TEXT` and `feature NAME=TEXT`.
const OPTIONS: &str = "options";

pub(crate) fn run(bless: bool) -> Result<ExitCode> {
    let directory = root().join("tests/terragrunt");
    let known = ["check", "fallback", "lenient", "stricter"];
    let files = hclkit_test_cases::read(&directory, "terragrunt", &known).map_err(|error| anyhow!(error))?;
    let (mut asked, mut different) = (0, 0);
    for mut file in files {
        for case in &mut file.cases {
            let answer = ask(case)?;
            asked += 1;
            if case.section(ANSWER) != Some(&answer) {
                different += 1;
                record(case, &file.path, ANSWER, answer, bless);
            }
        }
        if bless {
            for case in file.cases.iter_mut().filter(|case| !case.options.is_empty()) {
                case.name = format!("{} ({})", case.name, case.options.join(", "));
            }
            fs::write(&file.path, file.text())?;
        }
    }
    println!("{asked} units, {different} with another answer than the recorded one");
    Ok(if bless || different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The configuration of the unit of a case. It has no answer if Terragrunt logs an error.
fn ask(case: &Case) -> Result<String> {
    let files = case.sections.iter().filter(|own| own.title != ANSWER && own.title != OPTIONS);
    let files: Vec<(&str, &str)> = files.map(|own| (&*own.title, &*own.text)).collect();
    let folder = Folder::with(&files);
    if folder.path(".git").exists() {
        fs::remove_dir_all(folder.path(".git"))?;
        folder.git(&["init", "--quiet"]);
    }
    let options: Vec<&str> = case.section(OPTIONS).unwrap_or_default().lines().collect();
    let given = |kind: &'static str| {
        options.iter().filter_map(move |line| line.strip_prefix(kind)?.strip_prefix(' '))
    };
    let program = env::var("TERRAGRUNT").unwrap_or_else(|_| "terragrunt".to_owned());
    let mut command = Command::new(program);
    command.args(["render", "--json"]).current_dir(folder.path(given("unit").next().unwrap_or("app")));
    command.env("HOME", folder.root()).env("TG_NON_INTERACTIVE", "true").env("TG_NO_COLOR", "true");
    for flag in given("feature") {
        command.args(["--feature", flag]);
    }
    command.envs(given("env").filter_map(|pair| pair.split_once('=')));
    let output = command.output().context("Terragrunt cannot be started")?;
    let log = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8(output.stdout)?;
    let json = printed.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    match json {
        Some(json) if output.status.success() && !log.contains(" ERROR ") => {
            let own = folder.root().canonicalize()?;
            Ok(format!("{json:#}\n").replace(&*own.to_string_lossy(), "ROOT"))
        }
        _ => Ok("error\n".to_owned()),
    }
}
