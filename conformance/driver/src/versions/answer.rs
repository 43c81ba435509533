//! What an application says about a module: `init`, `validate`, and `plan` if that finds nothing.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs::{self, DirEntry};
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The answer if a module needs a provider, without which nothing can be said.
pub(super) const NOT_ASKED: &str = "not asked\n";
/// Errors that are not about the module: its providers cannot be had, or a plan cannot have a value such as infinity.
const OTHERS: [&str; 8] = [
    "Failed to resolve provider packages",
    "Module not installed",
    "Failed to query available provider packages",
    "Could not resolve provider",
    "Missing required provider",
    "Inconsistent dependency lock file",
    "encountered problems during initiali",
    "Failed to write plan file",
];

/// A diagnostic.
#[derive(Serialize, Deserialize)]
pub(super) struct Problem {
    pub(super) is_error: bool,
    pub(super) summary: String,
    /// The file and the line.
    pub(super) place: Option<(String, u64)>,
}

impl Problem {
    pub(super) fn read(own: &Value) -> Self {
        let summary = own["summary"].as_str().unwrap_or_default();
        // `hcl` reports what has no place in a file with its name only.
        let file = own["range"]["filename"].as_str().or_else(|| own["file"].as_str());
        let line = &own["range"]["start"]["line"];
        Self {
            is_error: own["severity"] == json!("error"),
            summary: summary.lines().next().unwrap_or_default().trim().to_owned(),
            place: file.map(|file| (file.to_owned(), line.as_u64().unwrap_or_default())),
        }
    }

    /// Whether it is about the module.
    pub(super) fn is_own(&self) -> bool {
        !OTHERS.iter().any(|other| self.summary.contains(other))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_error {
            return write!(f, "warning: {}", self.summary);
        }
        write!(f, "error: {}", self.summary)?;
        match &self.place {
            Some((file, line)) => write!(f, " ({file}:{line})"),
            None => Ok(()),
        }
    }
}

/// What an application says about a module that it could be asked about.
pub(super) struct Answer {
    errors: Vec<Problem>,
    /// Whether only `plan` found the errors.
    is_planned: bool,
    warnings: Vec<Problem>,
    /// A line for each output of the plan.
    outputs: String,
}

impl Answer {
    /// Asks about the module in a directory. `plans` says whether what is valid is planned.
    pub(super) fn ask(program: &Path, directory: &Path, plans: bool) -> Result<Option<Self>> {
        let call = |args: &[&str]| call(program, directory, args);
        let init = call(&["init", "-json", "-input=false"])?;
        let is_ready = init.status.success();
        let found = validate(command(program, directory, &["validate", "-json"]))?;
        let (mut errors, mut warnings) = sorted(found.context("`validate` reports nothing")?);
        let (mut is_planned, mut outputs) = (false, String::new());
        if is_ready && errors.is_empty() && plans {
            let plan = call(&["plan", "-json", "-input=false", "-lock=false", "-out=plan"])?;
            let found = sorted(lines(&plan.stdout));
            (errors, is_planned) = (found.0, true);
            warnings.extend(found.1);
            if plan.status.success() {
                outputs = values(&call(&["show", "-json", "plan"])?.stdout)?;
            }
        }
        errors.retain(Problem::is_own);
        // Some are found in another order each time.
        errors.sort_by(|one, other| one.place.cmp(&other.place));
        if !is_ready && errors.is_empty() {
            errors = sorted(lines(&init.stdout)).0;
            errors.retain(Problem::is_own);
            if errors.is_empty() {
                return Ok(None);
            }
        }
        Ok(Some(Self { errors, is_planned, warnings, outputs }))
    }

    /// The verdict in a word.
    pub(super) fn verdict(&self) -> &'static str {
        if self.errors.is_empty() { "valid" } else { "error" }
    }

    /// Each error with its place; or the warnings, and the outputs of the plan.
    pub(super) fn long(&self) -> String {
        let all = |problems: &[Problem]| problems.iter().map(|own| format!("{own}\n")).collect::<Vec<_>>();
        if !self.errors.is_empty() {
            return all(&self.errors).concat();
        }
        let mut warnings = all(&self.warnings);
        warnings.sort();
        warnings.dedup();
        format!("valid\n{}{}", warnings.concat(), self.outputs)
    }

    /// The command that found errors, and what these are, on a line.
    pub(super) fn short(&self) -> String {
        if self.errors.is_empty() {
            return "valid\n".to_owned();
        }
        // The members of a cycle are in another order each time.
        let summary = |own: &Problem| {
            if own.summary.starts_with("Cycle: ") { "Cycle:".to_owned() } else { own.summary.clone() }
        };
        let mut all: Vec<String> = self.errors.iter().map(summary).collect();
        all.sort();
        all.dedup();
        format!("{}: {}\n", if self.is_planned { "plan" } else { "error" }, all.join("; "))
    }
}

/// Runs a command of a program in a directory, without the configuration of this machine.
pub(super) fn call(program: &Path, directory: &Path, args: &[&str]) -> Result<Output> {
    let mut command = command(program, directory, args);
    command.output().with_context(|| format!("cannot run {command:?}"))
}

/// The same, to change it.
pub(super) fn command(program: &Path, directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).env("CHECKPOINT_DISABLE", "1").env("TF_CLI_CONFIG_FILE", "/dev/null");
    command.args(args);
    command
}

/// What `validate` reports, also about query files if it reads them. Nothing if it crashes.
pub(super) fn validate(mut command: Command) -> Result<Option<Vec<Problem>>> {
    let report = |output: &Output| serde_json::from_slice::<Value>(&output.stdout).ok();
    let mut found = report(&command.output().with_context(|| format!("cannot run {command:?}"))?);
    let directory = command.get_current_dir().context("it is set")?;
    let is_query = |entry: std::io::Result<DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name().to_string_lossy().contains(".tfquery."))
    };
    if fs::read_dir(directory)?.any(is_query) {
        found = report(&command.arg("-query").output()?).or(found);
    }
    let problems = |found: Value| {
        found["diagnostics"].as_array().into_iter().flatten().map(Problem::read).collect::<Vec<_>>()
    };
    Ok(found.map(problems))
}

/// Errors and warnings.
fn sorted(problems: Vec<Problem>) -> (Vec<Problem>, Vec<Problem>) {
    problems.into_iter().partition(|own| own.is_error)
}

/// What a command reports that writes an object on each line.
pub(super) fn lines(output: &[u8]) -> Vec<Problem> {
    let text = String::from_utf8_lossy(output);
    let objects = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found = objects.filter(|found| found["diagnostic"].is_object());
    found.map(|found| Problem::read(&found["diagnostic"])).collect()
}

/// A line for each output of a plan. One that is not known has no value.
fn values(plan: &[u8]) -> Result<String> {
    let plan: Value = serde_json::from_slice(plan)?;
    let mut text = String::new();
    let all = plan["planned_values"]["outputs"].as_object().into_iter().flatten();
    for (name, value) in all.collect::<BTreeMap<_, _>>() {
        let _ = writeln!(text, "{name} = {value}");
    }
    Ok(text)
}
