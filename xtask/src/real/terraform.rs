//! Asks Terraform: `validate`, `plan` and `show` with the permissive provider instead of all others.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::programs::{root, run, target};

/// The program, the provider, and the directory with a link to it for each name.
pub(super) struct Terraform {
    program: String,
    directory: PathBuf,
}

/// An error that Terraform or hclkit reports.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Problem {
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) text: String,
}

impl Terraform {
    /// Builds the provider.
    pub(super) fn new() -> Result<Terraform> {
        let directory = target().join("real/providers");
        fs::create_dir_all(&directory)?;
        let mut go = Command::new("go");
        go.current_dir(root().join("conformance/permissive")).args(["build", "-o"]);
        run(go.arg(directory.join("permissive")).arg("."))?;
        let program = std::env::var("TERRAFORM").unwrap_or_else(|_| "terraform".to_owned());
        Ok(Terraform { program, directory })
    }

    /// Makes a provider available under names such as `hashicorp/aws`. Returns the configuration of the program.
    pub(super) fn configure(&self, sources: &BTreeSet<String>, to: &Path) -> Result<()> {
        let mut text = String::from("provider_installation {\n  dev_overrides {\n");
        for source in sources {
            let Some(ty) = source.rsplit('/').next().filter(|ty| !ty.is_empty()) else { continue };
            let link = self.directory.join(format!("terraform-provider-{ty}"));
            if !link.exists() {
                // Another thread may have made it.
                let _ = symlink("permissive", &link);
            }
            let _ = writeln!(text, "    {source:?} = {:?}", self.directory.display().to_string());
        }
        text.push_str("  }\n}\n");
        Ok(fs::write(to, text)?)
    }

    /// Runs a command in a directory that has been prepared.
    fn run(&self, directory: &Path, arguments: &[&str]) -> Result<Output> {
        let data = directory.join(".terraform");
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(directory).env("CHECKPOINT_DISABLE", "1");
        command
            .env("TF_CLI_CONFIG_FILE", data.join("hclkit.rc"))
            .env("PERMISSIVE_SCHEMA", data.join("schema.json"));
        command.output().with_context(|| format!("cannot run {command:?}"))
    }

    /// The errors of `terraform validate`.
    pub(super) fn validate(&self, directory: &Path) -> Result<Vec<Problem>> {
        let output = self.run(directory, &["validate", "-json"])?;
        let Ok(found) = serde_json::from_slice::<Value>(&output.stdout) else {
            return Ok(vec![failed(&output)]);
        };
        let all = found["diagnostics"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(problems(all))
    }

    /// The plan, or the errors.
    pub(super) fn plan(&self, directory: &Path) -> Result<Result<Value, Vec<Problem>>> {
        let arguments = [
            "plan",
            "-json",
            "-input=false",
            "-refresh=false",
            "-lock=false",
            "-out=.terraform/plan",
            "-var-file=.terraform/hclkit.tfvars.json",
        ];
        let output = self.run(directory, &arguments)?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let all: Vec<Value> = lines.map(|line| line["diagnostic"].clone()).collect();
            let found = problems(&all);
            return Ok(Err(if found.is_empty() { vec![failed(&output)] } else { found }));
        }
        let shown = self.run(directory, &["show", "-json", ".terraform/plan"])?;
        match serde_json::from_slice(&shown.stdout) {
            Ok(plan) => Ok(Ok(plan)),
            Err(_) => Ok(Err(vec![failed(&shown)])),
        }
    }
}

/// The error of a run without a report.
fn failed(output: &Output) -> Problem {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text
        .lines()
        .map(|line| line.trim_matches(['│', ' ']))
        .find(|line| line.contains("Error") || line.contains("panic"));
    Problem { file: String::new(), line: 0, text: format!("crashed: {}", line.unwrap_or_default()) }
}

fn problems(all: &[Value]) -> Vec<Problem> {
    let errors = all.iter().filter(|one| one["severity"] == "error");
    let mut found: Vec<Problem> = errors
        .map(|one| Problem {
            file: one["range"]["filename"]
                .as_str()
                .or_else(|| one["file"].as_str())
                .unwrap_or_default()
                .to_owned(),
            line: one["range"]["start"]["line"].as_u64().unwrap_or_default(),
            text: format!(
                "{}: {}",
                one["summary"].as_str().unwrap_or_default(),
                one["detail"].as_str().unwrap_or_default().replace('\n', " ")
            ),
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The errors of a report of `hcl` in JSON.
pub(super) fn own_problems(report: &[u8]) -> Result<Vec<Problem>> {
    let start = report.iter().position(|byte| *byte == b'{');
    let Some(start) = start else { return Ok(Vec::new()) };
    let report: Value = serde_json::from_slice(&report[start..])?;
    Ok(problems(report["diagnostics"].as_array().map(Vec::as_slice).unwrap_or_default()))
}
